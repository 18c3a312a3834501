//! The field table: every field of an AgentCard and of the messages that it reaches, as A2A v1.0 declares them.
//!
//! `fields.tsv` beside this file is the table as data, one row a field. It is read when the crate is built, so that a
//! row which does not fit the columns is a build error and the table is a plain constant. A column more or less, a
//! type that is no message of the table, and messages whose rows are not neighbours are such errors.
//!
//! Depends on nothing.

/// The table's text: a heading, then the rows.
const TEXT: &str = include_str!("fields.tsv");

/// How many fields and messages the table has.
const ROWS: usize = 81;
const GROUPS: usize = 21;

/// One field of one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The message that has it.
    pub message: &'static str,
    /// Its number on the wire.
    pub number: u32,
    /// Its name in the proto file.
    pub proto_name: &'static str,
    /// Its name in JSON.
    pub json_name: &'static str,
    /// What its value is, or each of its elements or map entries.
    pub kind: Kind,
    /// How many there can be.
    pub cardinality: Cardinality,
    /// Annotated as REQUIRED.
    pub required: bool,
    /// Declared with the keyword `optional`.
    pub optional: bool,
    /// The oneof that it belongs to.
    pub oneof: Option<&'static str>,
    /// Whether being unset and having the default value differ: for `optional` scalars, single messages and members
    /// of a oneof.
    pub presence: bool,
    /// Declared deprecated.
    pub deprecated: bool,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A string.
    String,
    /// A boolean.
    Bool,
    /// `google.protobuf.Struct`: any JSON object, all of it data.
    Struct,
    /// A message of the table.
    Message(&'static str),
}

/// How many values a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cardinality {
    /// At most one.
    One,
    /// Any number, a JSON array.
    Repeated,
    /// Any number under names, a JSON object.
    Map,
}

/// One message and its fields, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// Its name.
    pub name: &'static str,
    first: usize,
    end: usize,
}

impl Message {
    /// The message of that name.
    pub fn named(name: &str) -> Option<&'static Message> {
        MESSAGES.iter().find(|message| message.name == name)
    }

    /// Its fields.
    pub fn fields(&self) -> &'static [Field] {
        FIELDS.get(self.first..self.end).unwrap_or_default()
    }

    /// The field with that JSON name. Proto names are not looked at: section 5.5 asks for the JSON names.
    pub fn field(&self, json_name: &[u8]) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.json_name.as_bytes() == json_name)
    }
}

impl Field {
    /// The default that stands for "unset" in JSON; `None` where the field has presence, so that no value does.
    pub fn default_json(&self) -> Option<&'static str> {
        if self.presence {
            return None;
        }
        match (self.cardinality, self.kind) {
            (Cardinality::Repeated, _) => Some("[]"),
            (Cardinality::Map, _) => Some("{}"),
            (Cardinality::One, Kind::String) => Some("\"\""),
            (Cardinality::One, Kind::Bool) => Some("false"),
            (Cardinality::One, Kind::Struct | Kind::Message(_)) => None,
        }
    }

    /// The same row as the table spells it: tab-separated, in the table's columns.
    pub fn row(&self) -> String {
        let kind = match self.kind {
            Kind::String => "string",
            Kind::Bool => "bool",
            Kind::Struct => "Struct",
            Kind::Message(name) => name,
        };
        let map = self.cardinality == Cardinality::Map;
        let kind = if map { format!("map<string,{kind}>") } else { kind.to_owned() };
        [
            self.message,
            &self.number.to_string(),
            self.proto_name,
            self.json_name,
            &kind,
            yes(self.cardinality == Cardinality::Repeated),
            yes(map),
            yes(self.required),
            yes(self.optional),
            self.oneof.unwrap_or_default(),
            yes(self.presence),
            yes(self.deprecated),
        ]
        .join("\t")
    }
}

fn yes(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// The fields, in the order of the table.
pub const FIELDS: &[Field; ROWS] = &read();

/// The messages, in the order of the table.
pub const MESSAGES: &[Message; GROUPS] = &group();

/// Splits at the first `byte`: what stands before it, and what behind.
const fn cut(text: &'static str, byte: u8) -> (&'static str, &'static str) {
    let mut at = 0;
    while at < text.len() {
        if text.as_bytes()[at] == byte {
            return (text.split_at(at).0, text.split_at(at + 1).1);
        }
        at += 1;
    }
    (text, "")
}

const fn same(a: &str, b: &str) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a.as_bytes()[at] != b.as_bytes()[at] {
            return false;
        }
        at += 1;
    }
    true
}

const fn flag(text: &str) -> bool {
    assert!(same(text, "true") || same(text, "false"));
    same(text, "true")
}

const fn number(text: &str) -> u32 {
    let mut value = 0;
    let mut at = 0;
    while at < text.len() {
        let digit = text.as_bytes()[at];
        assert!(digit.is_ascii_digit());
        value = value * 10 + (digit - b'0') as u32;
        at += 1;
    }
    assert!(value > 0);
    value
}

const fn kind(text: &'static str) -> Kind {
    match text.as_bytes() {
        b"string" => Kind::String,
        b"bool" => Kind::Bool,
        b"Struct" => Kind::Struct,
        _ => Kind::Message(text),
    }
}

/// A row, without its line feed.
const fn row(text: &'static str) -> Field {
    const COLUMNS: usize = 12;
    let mut columns = [""; COLUMNS];
    let mut rest = text;
    let mut at = 0;
    while at < COLUMNS {
        (columns[at], rest) = cut(rest, b'\t');
        at += 1;
    }
    assert!(rest.is_empty());
    let [
        message,
        tag,
        proto_name,
        json_name,
        of,
        repeated,
        map,
        required,
        optional,
        oneof,
        presence,
        deprecated,
    ] = columns;
    assert!(!message.is_empty() && !proto_name.is_empty() && !json_name.is_empty());
    let (of, cardinality) = if flag(map) {
        assert!(!flag(repeated));
        let (head, values) = cut(of, b',');
        assert!(same(head, "map<string"));
        let (values, rest) = cut(values, b'>');
        assert!(rest.is_empty());
        (values, Cardinality::Map)
    } else if flag(repeated) {
        (of, Cardinality::Repeated)
    } else {
        (of, Cardinality::One)
    };
    Field {
        message,
        number: number(tag),
        proto_name,
        json_name,
        kind: kind(of),
        cardinality,
        required: flag(required),
        optional: flag(optional),
        oneof: if oneof.is_empty() { None } else { Some(oneof) },
        presence: flag(presence),
        deprecated: flag(deprecated),
    }
}

const fn read() -> [Field; ROWS] {
    let (_, mut rest) = cut(TEXT, b'\n');
    let (first, _) = cut(rest, b'\n');
    let mut fields = [row(first); ROWS];
    let mut at = 0;
    while at < ROWS {
        let (line, behind) = cut(rest, b'\n');
        fields[at] = row(line);
        rest = behind;
        at += 1;
    }
    assert!(rest.is_empty());
    fields
}

const fn group() -> [Message; GROUPS] {
    let mut messages = [Message { name: "", first: 0, end: 0 }; GROUPS];
    let mut group = 0;
    let mut first = 0;
    while group < GROUPS {
        let name = FIELDS[first].message;
        let mut end = first;
        while end < ROWS && same(FIELDS[end].message, name) {
            end += 1;
        }
        let mut before = 0;
        while before < group {
            assert!(!same(messages[before].name, name));
            before += 1;
        }
        messages[group] = Message { name, first, end };
        first = end;
        group += 1;
    }
    assert!(first == ROWS);
    let mut at = 0;
    while at < ROWS {
        if let Kind::Message(name) = FIELDS[at].kind {
            let mut known = false;
            let mut group = 0;
            while group < GROUPS {
                known |= same(messages[group].name, name);
                group += 1;
            }
            assert!(known);
        }
        at += 1;
    }
    messages
}
