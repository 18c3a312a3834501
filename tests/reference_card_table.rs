//! Is the field table of AgentCards the one that A2A v1.0 declares?

use proofmark::reference::federation::card::{Cardinality, FIELDS, Field, Kind, MESSAGES, Message};

const TEXT: &str = include_str!("../src/reference/federation/card/fields.tsv");

fn named(pick: impl Fn(&Field) -> bool) -> Vec<String> {
    let picked = FIELDS.iter().filter(|field| pick(field));
    picked.map(|field| format!("{}.{}", field.message, field.json_name)).collect()
}

#[test]
fn every_row_of_the_data_is_a_field() {
    let rows: Vec<&str> = TEXT.lines().skip(1).collect();
    let fields: Vec<String> = FIELDS.iter().map(Field::row).collect();
    assert_eq!(fields, rows);
}

#[test]
fn the_counts_are_those_of_the_proto() {
    assert_eq!(FIELDS.len(), 81);
    assert_eq!(MESSAGES.len(), 21);
    assert_eq!(named(|field| field.required).len(), 32);
    assert_eq!(named(|field| field.deprecated), ["OAuthFlows.implicit", "OAuthFlows.password"]);
}

#[test]
fn the_optional_fields_are_five() {
    let optional = [
        "AgentCard.documentationUrl",
        "AgentCard.iconUrl",
        "AgentCapabilities.streaming",
        "AgentCapabilities.pushNotifications",
        "AgentCapabilities.extendedAgentCard",
    ];
    assert_eq!(named(|field| field.optional), optional);
}

#[test]
fn two_required_fields_have_presence() {
    let both = ["AgentCard.capabilities", "OAuth2SecurityScheme.flows"];
    assert_eq!(named(|field| field.required && field.presence), both);
}

#[test]
fn presence_follows_from_the_declaration() {
    for field in FIELDS {
        let message = matches!(field.kind, Kind::Message(_) | Kind::Struct);
        let single = field.cardinality == Cardinality::One;
        let presence = single && (message || field.optional || field.oneof.is_some());
        assert_eq!(field.presence, presence, "{}", field.row());
        assert_eq!(field.default_json().is_none(), presence, "{}", field.row());
    }
}

#[test]
fn json_names_are_the_proto_names_in_camel_case() {
    for field in FIELDS {
        let mut name = String::new();
        for (index, word) in field.proto_name.split('_').enumerate() {
            let (head, tail) = word.split_at(1);
            name.push_str(&if index == 0 { head.to_owned() } else { head.to_uppercase() });
            name.push_str(tail);
        }
        assert_eq!(field.json_name, name);
    }
}

#[test]
fn every_message_but_the_card_is_reached_from_it() {
    let mut reached = vec!["AgentCard"];
    let mut at = 0;
    while let Some(name) = reached.get(at) {
        let message = Message::named(name).expect("a message of the table");
        for field in message.fields() {
            assert_eq!(field.message, message.name);
            assert_eq!(message.field(field.json_name.as_bytes()), Some(field));
            if let Kind::Message(inner) = field.kind {
                // No message is inside itself, so that what follows the table ends.
                assert_ne!(inner, "AgentCard");
                if !reached.contains(&inner) {
                    reached.push(inner);
                }
            }
        }
        at += 1;
    }
    assert_eq!(reached.len(), MESSAGES.len());
    assert!(Message::named("Task").is_none());
    assert!(MESSAGES[0].field(b"default_input_modes").is_none());
}

#[test]
fn the_table_has_no_cycle() {
    /// The greatest number of messages on a way down from `name`.
    fn height(name: &str, above: &[&str]) -> usize {
        assert!(!above.contains(&name), "{name} inside itself");
        let above = [above, &[name]].concat();
        let inner = Message::named(name).expect("a message").fields().iter();
        let inner = inner.filter_map(|field| match field.kind {
            Kind::Message(inner) => Some(height(inner, &above)),
            _ => None,
        });
        1 + inner.max().unwrap_or(0)
    }
    assert_eq!(height("AgentCard", &[]), 5);
}
