//! Laws on generated inputs: no input makes anything panic, carriers round-trip, and no flipped bit verifies.

use std::sync::LazyLock;

use proofmark::reference::federation::{
    Bounds, Context, TaskEnvelope, TerminalState, Transport, TrustedKey, from_carrier, observe,
    to_carrier, verify_commitment,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::sample::*;

/// Reads bytes in every way; what is accepted has to stay what it is.
fn read_in_every_way(bytes: &[u8]) {
    if let Ok(envelope) = TaskEnvelope::decode(bytes, &Bounds::maximum()) {
        assert_eq!(envelope.canonical_bytes(), bytes);
        stays_what_it_is(&envelope);
    }
    for transport in [Transport::A2a, Transport::Mcp] {
        if let Ok(envelope) = from_carrier(bytes, transport) {
            stays_what_it_is(&envelope);
        }
        let _ = observe(transport, bytes, None);
    }
}

fn stays_what_it_is(envelope: &TaskEnvelope) {
    let bytes = envelope.canonical_bytes();
    let again = TaskEnvelope::decode(&bytes, &Bounds::maximum()).expect("canonical bytes decode");
    assert_eq!(again.canonical_bytes(), bytes);
    assert_eq!(
        TaskEnvelope::new(again.members()).expect("members of an envelope").canonical_bytes(),
        bytes
    );
    for transport in [Transport::A2a, Transport::Mcp] {
        if let Ok(carrier) = to_carrier(envelope, transport) {
            assert_eq!(
                from_carrier(&carrier, transport).expect("its own carrier").canonical_bytes(),
                bytes
            );
        }
    }
    let _ = verify_commitment(envelope, &CONTEXT);
}

static CONTEXT: LazyLock<Context> = LazyLock::new(|| {
    let key =
        |key_id: &str, key: &str| TrustedKey { key_id: key_id.to_owned(), key: bytes_of(key) };
    let keys = vec![key("remote-key", PUBLIC_KEY), key("key-a", PUBLIC_KEYS[0])];
    Context { keys: keys.into(), ..Context::default() }
});

/// Documents to begin with.
static SEEDLINGS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut seedlings: Vec<_> =
        [terminal(), open(), at_checkpoint("working")].iter().map(canonical).collect();
    for value in [terminal(), at_checkpoint("input_required")] {
        for transport in [Transport::A2a, Transport::Mcp] {
            seedlings.push(
                to_carrier(&decode(&value).expect("an envelope"), transport).expect("a carrier"),
            );
        }
    }
    seedlings
});

/// Pieces that mean something to a reader.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\ud800",
    "\\u0000",
    "null",
    "true",
    "-",
    "0",
    "1e400",
    "9007199254740993",
    "\u{feff}",
    "\"status\"",
    "\"authority\"",
    "\"_meta\":",
    "https://a",
    "-----BEGIN",
    "sha-256:",
    "é",
    "[[[[[[[[",
    "\"a\":1,\"a\":2",
];

#[derive(Debug, Clone)]
enum Edit {
    Set(usize, u8),
    Insert(usize, &'static str),
    Cut(usize, usize),
    Double(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (any::<usize>(), prop::sample::select(PIECES))
            .prop_map(|(at, piece)| Edit::Insert(at, piece)),
        (any::<usize>(), 0..40_usize).prop_map(|(at, count)| Edit::Cut(at, count)),
        (any::<usize>(), 0..200_usize).prop_map(|(at, count)| Edit::Double(at, count)),
    ]
}

fn apply(edit: &Edit, bytes: &mut Vec<u8>) {
    let place = |at: usize| at % (bytes.len() + 1);
    match *edit {
        Edit::Set(at, byte) => {
            let at = place(at);
            if let Some(own) = bytes.get_mut(at) {
                *own = byte;
            }
        }
        Edit::Insert(at, piece) => {
            let at = place(at);
            bytes.splice(at..at, piece.bytes());
        }
        Edit::Cut(at, count) => {
            let at = place(at);
            bytes.drain(at..bytes.len().min(at + count));
        }
        Edit::Double(at, count) => {
            let at = place(at);
            let twice = bytes[at..bytes.len().min(at + count)].to_vec();
            bytes.splice(at..at, twice);
        }
    }
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    (any::<prop::sample::Index>(), prop::collection::vec(edit(), 1..6)).prop_map(
        |(seedling, edits)| {
            let mut bytes = seedling.get(&SEEDLINGS).clone();
            edits.iter().for_each(|edit| apply(edit, &mut bytes));
            bytes
        },
    )
}

/// Bytes at random, and random text of JSON's pieces.
fn random() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        prop::collection::vec(prop::sample::select(PIECES), 0..60)
            .prop_map(|pieces| pieces.concat().into_bytes()),
    ]
}

fn identifier() -> impl Strategy<Value = String> {
    "[a-z0-9][a-z0-9._-]{0,20}"
}

prop_compose! {
    /// An envelope of any members and any state. No slash, which could make an address of an identity.
    fn envelope()(
        id in identifier(),
        others in prop::collection::vec(identifier(), 7),
        numbers in prop::collection::vec(1..=9_007_199_254_740_991_u64, 5),
        claims in prop::collection::btree_set("[a-zA-Z é\"\\\\\u{0}\u{1f}\u{e000}😀]{1,12}", 1..4),
        builds in prop::collection::btree_map(identifier(), "[ -.0-~]{1,9}", 1..4),
        proofs in 0..4_usize,
        markers in prop::sample::select(vec![json!([]), json!(["pci"]), json!(["phi", "pci"])]),
        parent in any::<bool>(),
        request in any::<bool>(),
        state in 0..8_usize,
    ) -> Value {
        let mut value = open();
        let mut put = |name: &str, member: Value| value[name] = member;
        put("task_identity", json!(id));
        put("recovery_handle", json!(id));
        for (name, other) in ["idempotency_identity", "issuer", "subject", "audience", "initiating_subject"].iter().zip(&others) {
            put(name, json!(other));
        }
        if parent {
            put("parent_execution_reference", json!(others[5]));
        }
        if request {
            put("checkpoint_request", json!({ "kind": "input_required", "request_digest": HISTORY }));
        }
        put("time_policy", json!({ "elapsed_ms": numbers[0] }));
        put("resource_policy", json!({ "attempts": numbers[1], "concurrency": numbers[2], "tokens": numbers[3], "cost": numbers[4] }));
        let claims: Vec<_> = claims.iter().map(|claim| json!({ "kind": "binding", "value": claim })).collect();
        put("identity_mapping_evidence", json!({ "claims": claims }));
        let builds: Vec<_> = builds.iter().map(|(name, identity)| json!({ "name": name, "identity": identity })).collect();
        put("compatibility_reference", json!(builds));
        put("authority_proof_references", json!(vec![RESULT_DIGEST; proofs]));
        put("result_classification_ceiling", json!({ "level": "restricted", "markers": markers }));
        match TerminalState::ALL.get(state) {
            Some(&state) => serde_json::from_slice(&signed(&value, state).canonical_bytes()).expect("JSON"),
            None => {
                put("checkpoint_status", json!(["submitted", "working", "input_required", "auth_required"][state % 4]));
                put("checkpoint_commitment", json!(HISTORY));
                value
            }
        }
    }
}

proptest! {
    #![proptest_config(Config::with_cases(2_000))]

    #[test]
    fn nothing_panics_on_random_bytes(bytes in random()) {
        read_in_every_way(&bytes);
    }

    #[test]
    fn nothing_panics_on_mutated_documents(bytes in mutated()) {
        read_in_every_way(&bytes);
    }
}

proptest! {
    #![proptest_config(Config::with_cases(500))]

    #[test]
    fn carriers_round_trip(value in envelope()) {
        let envelope = decode(&value).expect("an envelope");
        prop_assert_eq!(envelope.canonical_bytes(), canonical(&value));
        stays_what_it_is(&envelope);
        let a2a = to_carrier(&envelope, Transport::A2a).expect("a carrier");
        let there = from_carrier(&a2a, Transport::A2a).expect("an envelope");
        if let Ok(mcp) = to_carrier(&there, Transport::Mcp) {
            let back = from_carrier(&mcp, Transport::Mcp).expect("an envelope");
            prop_assert_eq!(back.canonical_bytes(), envelope.canonical_bytes());
            if back.terminal_state.is_some() {
                prop_assert_eq!(verdict(&verify_commitment(&back, &CONTEXT)), "ok");
            }
        } else {
            let state = envelope.state().expect("a state").name();
            prop_assert!(["submitted", "auth_required", "rejected"].contains(&state));
        }
    }
}

/// Every bit of the example, one at a time: whatever still decodes does not verify.
#[test]
fn no_flipped_bit_verifies() {
    assert_eq!(
        verdict(&verify_commitment(&decode(&terminal()).expect("an envelope"), &CONTEXT)),
        "ok"
    );
    let mut decoded = 0;
    for bit in 0..EXAMPLE.len() * 8 {
        let mut bytes = EXAMPLE.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(envelope) = TaskEnvelope::decode(&bytes, &Bounds::maximum()) {
            decoded += 1;
            assert!(verify_commitment(&envelope, &CONTEXT).is_err(), "bit {bit}");
        }
    }
    assert!(decoded > 1_000, "only {decoded} flips decode");
}

/// A million of each: `cargo test --release --test reference_federation -- --ignored federation_million`.
#[test]
#[ignore = "takes minutes"]
fn federation_million() {
    let config = Config { cases: 1_000_000, failure_persistence: None, ..Config::default() };
    TestRunner::new(config.clone())
        .run(&random(), |bytes| {
            read_in_every_way(&bytes);
            Ok(())
        })
        .expect("nothing panics on random bytes");
    TestRunner::new(config)
        .run(&mutated(), |bytes| {
            read_in_every_way(&bytes);
            Ok(())
        })
        .expect("nothing panics on mutated documents");
}
