//! The reference of Brief through its public interface: the specification's documents whole, what was made read back,
//! hostile documents, and waiting for several responses.

#[path = "reference_brief/documents.rs"]
mod documents;
#[path = "reference_brief/hostile.rs"]
mod hostile;
#[path = "reference_brief/operations.rs"]
mod operations;
#[path = "reference_brief/round_trips.rs"]
mod round_trips;
#[path = "reference_brief/waiting.rs"]
mod waiting;
