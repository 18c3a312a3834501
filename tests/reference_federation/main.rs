//! Is the reference's federation profile the profile's, code for code and byte for byte?

mod carriers;
mod decoder;
mod envelopes;
mod example;
mod issuing;
mod laws;
mod observing;
mod operations;
mod portability;
mod receiving;
mod sample;
mod states;
