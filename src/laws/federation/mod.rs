//! The laws of the federation profile.
//!
//! `envelopes` makes valid envelopes, `faults` makes each invalid in one way, `receipts` signs them,
//! `carriers` puts them on tasks, `cards` makes AgentCards: all by the profile's text alone, so that a
//! law needs no more of a subject than the operation that it is about.

mod cards;
mod carriers;
mod carrying;
mod decoding;
mod envelopes;
mod faults;
mod host;
mod issuer;
mod observing;
mod rebuilding;
mod receipts;
mod receiver;
mod replies;
mod states;
mod trust;

use crate::laws::Law;

/// The laws of the suite.
pub const LAWS: &[Law] = &[
    decoding::KEEPS_ITS_BYTES,
    decoding::ONE_FAULT_IS_ENOUGH,
    decoding::ONE_SPELLING,
    decoding::CEILINGS,
    decoding::DIGEST_IN_ITS_DOMAIN,
    carrying::CARRIED_AS_TOLD,
    carrying::THROUGH_BOTH,
    carrying::ANY_SPELLING_OF_A_CARRIER,
    carrying::STRANGERS_ARE_PASSED_OVER,
    rebuilding::NO_NATIVE_MEMBER_TWICE,
    rebuilding::UNDER_ITS_OWN_KEY,
    rebuilding::REFUSED_THROUGH_BOTH,
    rebuilding::CEILINGS_ON_CARRIERS,
    rebuilding::STATUS_NEEDS_ITS_EVIDENCE,
    states::THERE_AND_BACK,
    states::UNKNOWN_STATE,
    receiver::TRUE_RECEIPT,
    receiver::CHANGED_CONTENT,
    receiver::CHANGED_ATTRIBUTES,
    receiver::ONE_BIT,
    receiver::COMMITMENT_IS_RECOMPUTED,
    receiver::ONLY_ITS_PURPOSE,
    receiver::KEY_IDS_ARE_LABELS,
    receiver::THROUGH_EITHER_TRANSPORT,
    trust::ISSUERS_OWN_KEYS,
    trust::WINDOW,
    trust::EARLIER_RECEIPTS,
    trust::PINS,
    issuer::ISSUED_TO_THE_BYTE,
    issuer::COMMITTED_AS_ISSUED,
    issuer::ISSUED_THEN_VERIFIED,
    issuer::SEVEN_COMPONENTS,
    issuer::NO_SECRET_AS_KEY_ID,
    host::PREIMAGE_BY_THE_TABLE,
    host::PREIMAGE_OF_ANY_SPELLING,
    host::SIGNED_THEN_VERIFIED,
    host::CHANGED_CARD,
    host::ONE_BIT_OF_A_CARD,
    host::ANOTHER_KEY,
    observing::NOTHING_IS_AUTHORISED,
    observing::TIME_POLICY_IS_THE_BOUND,
];
