//! Does a card's preimage hold its laws on generated cards, and does no card, however mutilated, break anything?
//!
//! Cards are generated as trees from the field table, and an independent walk over the tree says what the preimage is.

use proofmark::reference::federation::card::{
    Cardinality, Field, Kind, Message, PrivateKey, Profile, Signer, preimage, sign, verify,
};
use proofmark::reference::jcs::canonicalise;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A stream of choices, drawn by proptest.
struct Choices(std::vec::IntoIter<u8>);

impl Choices {
    /// A number less than `below`; 0 once the stream has ended.
    fn pick(&mut self, below: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % below
    }

    fn text(&mut self) -> String {
        ["", "a", "text/plain", "é", "\u{1f600}", "\u{ff01}", "\"\\/\n", "null"][self.pick(8)]
            .to_owned()
    }

    fn json(&mut self, depth: usize) -> Value {
        match self.pick(if depth < 4 { 9 } else { 7 }) {
            0 => Value::Null,
            1 => json!(false),
            2 => json!(""),
            3 => json!([]),
            4 => json!({}),
            5 => json!([0.0, -1.5, 1e21, 4e-7, 333333333.3333333][self.pick(5)]),
            6 => Value::String(self.text()),
            7 => (0..self.pick(3)).map(|_| self.json(depth + 1)).collect(),
            _ => self.object(depth),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        Value::Object((0..self.pick(4)).map(|_| (self.text(), self.json(depth + 1))).collect())
    }

    fn of_kind(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Bool => json!(self.pick(2) == 1),
            Kind::String => Value::String(self.text()),
            Kind::Struct => self.object(1),
            Kind::Message(name) => self.message(Message::named(name).expect("a message")),
            _ => unreachable!("{kind:?}"),
        }
    }

    fn of_field(&mut self, field: &Field) -> Value {
        match (self.pick(24), field.cardinality) {
            (23, _) => Value::Null,
            (22, _) => self.json(3),
            (_, Cardinality::Repeated) => {
                (0..self.pick(3)).map(|_| self.of_kind(field.kind)).collect()
            }
            (_, Cardinality::Map) => Value::Object(
                (0..self.pick(3)).map(|_| (self.text(), self.of_kind(field.kind))).collect(),
            ),
            _ => self.of_kind(field.kind),
        }
    }

    fn message(&mut self, message: &Message) -> Value {
        let mut members = Map::new();
        for field in message.fields() {
            if self.pick(2) == 1 {
                members.insert(field.json_name.to_owned(), self.of_field(field));
            }
        }
        if self.pick(8) == 7 {
            members.insert(format!("x{}", self.text()), self.json(2));
        }
        Value::Object(members)
    }
}

fn card() -> impl Strategy<Value = Value> {
    prop::collection::vec(any::<u8>(), 0..600).prop_map(|bytes| {
        Choices(bytes.into_iter()).message(Message::named("AgentCard").expect("the card"))
    })
}

/// Section 8.4.1 on a tree.
fn model(value: &Value, message: &Message) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let mut kept = Map::new();
    for (name, value) in members {
        let Some(field) = message.fields().iter().find(|field| field.json_name == name) else {
            kept.insert(name.clone(), value.clone());
            continue;
        };
        let unset = value.is_null() || (message.name == "AgentCard" && name == "signatures");
        let plain = !(field.required || field.optional || field.oneof.is_some());
        let default = match (field.cardinality, field.kind) {
            (Cardinality::Repeated, _) => json!([]),
            (Cardinality::Map, _) => json!({}),
            (_, Kind::String) => json!(""),
            (_, Kind::Bool) => json!(false),
            _ => Value::Null,
        };
        if unset || (plain && *value == default) {
            continue;
        }
        let inner = |value: &Value| match field.kind {
            Kind::Message(name) => model(value, Message::named(name).expect("a message")),
            _ => value.clone(),
        };
        let value = match (field.cardinality, value) {
            (Cardinality::One, value) => inner(value),
            (Cardinality::Repeated, Value::Array(elements)) => elements.iter().map(inner).collect(),
            (Cardinality::Map, Value::Object(entries)) => Value::Object(
                entries.iter().map(|(name, value)| (name.clone(), inner(value))).collect(),
            ),
            (_, value) => value.clone(),
        };
        kept.insert(name.clone(), value);
    }
    Value::Object(kept)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn key() -> PrivateKey {
    let jwk = json!({
        "kty": "OKP", "crv": "Ed25519",
        "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    });
    PrivateKey::from_json(&jwk).expect("the key of RFC 8037")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_preimage_is_that_of_the_tree(card in card()) {
        let expected = model(&card, Message::named("AgentCard").expect("the card")).to_string();
        let expected = canonicalise(expected.as_bytes()).expect("JSON");
        let found = preimage(card.to_string().as_bytes(), Profile::Spec).expect("a preimage");
        prop_assert_eq!(text(&found), text(&expected));
        // It is canonical, its own preimage, and the same for every spelling.
        prop_assert_eq!(canonicalise(&found).map(|again| text(&again)), Ok(text(&found)));
        let again = preimage(&found, Profile::Spec).expect("a preimage");
        prop_assert_eq!(text(&again), text(&found));
        let pretty = serde_json::to_vec_pretty(&card).expect("JSON");
        prop_assert_eq!(preimage(&pretty, Profile::Spec).expect("a preimage"), found);
    }

    #[test]
    fn nothing_empty_is_left_by_the_sdks_rules(card in card()) {
        fn hollow(value: &Value) -> bool {
            match value {
                Value::Null => true,
                Value::String(text) => text.is_empty(),
                Value::Array(elements) => elements.is_empty() || elements.iter().any(hollow),
                Value::Object(members) => members.is_empty() || members.values().any(hollow),
                _ => false,
            }
        }
        if let Ok(found) = preimage(card.to_string().as_bytes(), Profile::Sdk) {
            prop_assert_eq!(canonicalise(&found).map(|again| text(&again)), Ok(text(&found)));
            let value: Value = serde_json::from_slice(&found).expect("JSON");
            prop_assert!(value == json!({}) || !hollow(&value), "{}", value);
        }
    }

    #[test]
    fn what_is_signed_verifies(card in card()) {
        let mut card = card;
        let before = match card.get("signatures") {
            None | Some(Value::Null) => 0,
            Some(Value::Array(entries)) => entries.len(),
            Some(_) => { card["signatures"] = json!([]); 0 }
        };
        let key = key();
        let signer = Signer { key: &key, kid: "k", typ: Signer::TYP };
        let signed = sign(card.to_string().as_bytes(), &signer).expect("signed");
        let keys = [key.public_key(Some("k".to_owned()))];
        let outcomes = verify(&signed, &keys, Profile::Spec).expect("signatures");
        prop_assert_eq!(outcomes.len(), before + 1);
        prop_assert_eq!(outcomes.last(), Some(&Ok(())));
        // A member more, and it is another card.
        let mut other: Value = serde_json::from_slice(&signed).expect("JSON");
        other["added"] = Value::Null;
        let outcomes = verify(other.to_string().as_bytes(), &keys, Profile::Spec).expect("signatures");
        prop_assert!(outcomes.iter().all(Result::is_err));
    }

    #[test]
    fn no_mutilated_card_panics(
        card in card(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 0..12),
    ) {
        let key = key();
        let signer = Signer { key: &key, kid: "k", typ: "" };
        let keys = [key.public_key(Some("k".to_owned()))];
        let mut bytes = sign(card.to_string().as_bytes(), &signer)
            .unwrap_or_else(|_| card.to_string().into_bytes());
        for (index, byte, how) in edits {
            let at = index.index(bytes.len() + 1);
            match how {
                0 => bytes.insert(at, byte),
                1 if at < bytes.len() => { bytes.remove(at); }
                2 if at < bytes.len() => bytes[at] = b"{}[]\",:\\0n"[usize::from(byte) % 10],
                _ if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
                _ => bytes.truncate(at),
            }
        }
        let canonical = canonicalise(&bytes).is_ok_and(|canonical| canonical.starts_with(b"{"));
        prop_assert_eq!(preimage(&bytes, Profile::Spec).is_ok(), canonical);
        let _ = preimage(&bytes, Profile::Sdk);
        let _ = verify(&bytes, &keys, Profile::Sdk);
        let _ = sign(&bytes, &signer);
    }
}
