//! AgentCards of every shape on which the text is clear, and the bytes under their signatures.
//!
//! No unknown member, no null in a field and no message that is empty, or would be without its defaults:
//! what becomes of those is a reading.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::Signer as _;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::envelopes::canonical;
use super::receipts;

/// What a field holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Flag,
    Struct,
    One(&'static str),
    Texts,
    Many(&'static str),
    TextMap,
    Map(&'static str),
}

/// When a field is kept, and when cards of the laws have it.
#[derive(Clone, Copy, PartialEq)]
enum Presence {
    /// REQUIRED: always there, kept at any value.
    Required,
    /// `optional`: kept where it is set.
    Optional,
    /// `optional`, and always set, since its message might be empty.
    Set,
    /// Left out at its default.
    Plain,
    /// Left out at its default, and always at another value, since its message might be empty.
    Full,
    /// One of a oneof: exactly one of them is there.
    Arm,
}

use Kind::{Flag, Many, One, Struct, Text, TextMap, Texts};
use Presence::{Arm, Full, Optional, Plain, Required, Set};

type Fields = &'static [(&'static str, Kind, Presence)];

const MESSAGES: &[(&str, Fields)] = &[
    (
        "AgentCard",
        &[
            ("name", Text, Required),
            ("description", Text, Required),
            ("supportedInterfaces", Many("AgentInterface"), Required),
            ("provider", One("AgentProvider"), Plain),
            ("version", Text, Required),
            ("documentationUrl", Text, Optional),
            ("capabilities", One("AgentCapabilities"), Required),
            ("securitySchemes", Kind::Map("SecurityScheme"), Plain),
            ("securityRequirements", Many("SecurityRequirement"), Plain),
            ("defaultInputModes", Texts, Required),
            ("defaultOutputModes", Texts, Required),
            ("skills", Many("AgentSkill"), Required),
            ("iconUrl", Text, Optional),
        ],
    ),
    (
        "AgentInterface",
        &[
            ("url", Text, Required),
            ("protocolBinding", Text, Required),
            ("tenant", Text, Plain),
            ("protocolVersion", Text, Required),
        ],
    ),
    ("AgentProvider", &[("url", Text, Required), ("organization", Text, Required)]),
    (
        "AgentCapabilities",
        &[
            ("streaming", Flag, Set),
            ("pushNotifications", Flag, Optional),
            ("extensions", Many("AgentExtension"), Plain),
            ("extendedAgentCard", Flag, Optional),
        ],
    ),
    (
        "AgentExtension",
        &[
            ("uri", Text, Full),
            ("description", Text, Plain),
            ("required", Flag, Plain),
            ("params", Struct, Plain),
        ],
    ),
    (
        "SecurityScheme",
        &[
            ("apiKeySecurityScheme", One("APIKeySecurityScheme"), Arm),
            ("httpAuthSecurityScheme", One("HTTPAuthSecurityScheme"), Arm),
            ("oauth2SecurityScheme", One("OAuth2SecurityScheme"), Arm),
            ("openIdConnectSecurityScheme", One("OpenIdConnectSecurityScheme"), Arm),
            ("mtlsSecurityScheme", One("MutualTlsSecurityScheme"), Arm),
        ],
    ),
    (
        "APIKeySecurityScheme",
        &[("description", Text, Plain), ("location", Text, Required), ("name", Text, Required)],
    ),
    (
        "HTTPAuthSecurityScheme",
        &[("description", Text, Plain), ("scheme", Text, Required), ("bearerFormat", Text, Plain)],
    ),
    (
        "OAuth2SecurityScheme",
        &[
            ("description", Text, Plain),
            ("flows", One("OAuthFlows"), Required),
            ("oauth2MetadataUrl", Text, Plain),
        ],
    ),
    (
        "OAuthFlows",
        &[
            ("authorizationCode", One("AuthorizationCodeOAuthFlow"), Arm),
            ("clientCredentials", One("ClientCredentialsOAuthFlow"), Arm),
            ("deviceCode", One("DeviceCodeOAuthFlow"), Arm),
        ],
    ),
    (
        "AuthorizationCodeOAuthFlow",
        &[
            ("authorizationUrl", Text, Required),
            ("tokenUrl", Text, Required),
            ("refreshUrl", Text, Plain),
            ("scopes", TextMap, Required),
            ("pkceRequired", Flag, Plain),
        ],
    ),
    (
        "ClientCredentialsOAuthFlow",
        &[("tokenUrl", Text, Required), ("refreshUrl", Text, Plain), ("scopes", TextMap, Required)],
    ),
    (
        "DeviceCodeOAuthFlow",
        &[
            ("deviceAuthorizationUrl", Text, Required),
            ("tokenUrl", Text, Required),
            ("refreshUrl", Text, Plain),
            ("scopes", TextMap, Required),
        ],
    ),
    (
        "OpenIdConnectSecurityScheme",
        &[("description", Text, Plain), ("openIdConnectUrl", Text, Required)],
    ),
    ("MutualTlsSecurityScheme", &[("description", Text, Full)]),
    ("SecurityRequirement", &[("schemes", Kind::Map("StringList"), Full)]),
    ("StringList", &[("list", Texts, Full)]),
    (
        "AgentSkill",
        &[
            ("id", Text, Required),
            ("name", Text, Required),
            ("description", Text, Required),
            ("tags", Texts, Required),
            ("examples", Texts, Plain),
            ("inputModes", Texts, Plain),
            ("outputModes", Texts, Plain),
            ("securityRequirements", Many("SecurityRequirement"), Plain),
        ],
    ),
];

fn fields(message: &str) -> Fields {
    MESSAGES.iter().find(|(name, _)| *name == message).map_or(&[], |(_, fields)| fields)
}

/// Cards. Each choice that is 0 is the plainest.
pub fn card() -> BoxedStrategy<Value> {
    vec(prop_oneof![2 => Just(0u8), 3 => any::<u8>()], 0..160)
        .prop_map(|choices| Making { choices: choices.into_iter() }.message("AgentCard"))
        .boxed()
}

struct Making {
    choices: std::vec::IntoIter<u8>,
}

impl Making {
    /// A number below the limit; 0 when there are no more choices.
    fn pick(&mut self, limit: usize) -> usize {
        usize::from(self.choices.next().unwrap_or(0)) % limit.max(1)
    }

    fn message(&mut self, name: &str) -> Value {
        let fields = fields(name);
        let arms = fields.iter().filter(|(.., presence)| *presence == Arm).count();
        let arm = self.pick(arms);
        let mut members = Map::new();
        for (index, (name, kind, presence)) in fields.iter().enumerate() {
            let message = matches!(kind, One(_) | Struct);
            let value = match presence {
                Arm if index == arm => Some(self.value(*kind)),
                Arm => None,
                Full => Some(self.value(*kind)),
                Required | Set if message => Some(self.value(*kind)),
                Required | Set => Some(match self.pick(4) {
                    3 => default(*kind),
                    _ => self.value(*kind),
                }),
                Optional | Plain => match self.pick(4) {
                    2 => Some(self.value(*kind)),
                    3 if !message => Some(default(*kind)),
                    _ => None,
                },
            };
            members.extend(value.map(|value| ((*name).to_owned(), value)));
        }
        Value::Object(members)
    }

    /// A value that is no default.
    fn value(&mut self, kind: Kind) -> Value {
        match kind {
            Text => json!(self.text()),
            Flag => json!(true),
            Struct => json!({ self.text(): self.data(0) }),
            One(name) => self.message(name),
            Texts => (0..=self.pick(2)).map(|_| self.element()).collect(),
            Many(name) => (0..=self.pick(2)).map(|_| self.message(name)).collect(),
            TextMap => json!({ self.text(): self.element() }),
            Kind::Map(name) => json!({ self.text(): self.message(name) }),
        }
    }

    fn text(&mut self) -> &'static str {
        ["x", "é", "\u{1f600}", "\u{ff01}", "\"\\/\n", "null"][self.pick(6)]
    }

    /// A text in a list or a map: there the empty one is a value like any other.
    fn element(&mut self) -> &'static str {
        if self.pick(4) == 3 { "" } else { self.text() }
    }

    /// What a Struct holds.
    fn data(&mut self, depth: usize) -> Value {
        match self.pick(if depth < 3 { 9 } else { 7 }) {
            0 => Value::Null,
            1 => json!(false),
            2 => json!(""),
            3 => json!([]),
            4 => json!({}),
            5 => json!(([0.0, -1.5, 1e21, 4e-7, 10.0])[self.pick(5)]),
            6 => json!(self.text()),
            7 => json!([self.data(depth + 1), self.data(depth + 1)]),
            _ => json!({ self.text(): self.data(depth + 1), "": self.data(depth + 1) }),
        }
    }
}

fn default(kind: Kind) -> Value {
    match kind {
        Text => json!(""),
        Flag => json!(false),
        Texts | Many(_) => json!([]),
        TextMap | Kind::Map(_) => json!({}),
        Struct | One(_) => Value::Null,
    }
}

/// A card without its signatures and without the defaults that are not signed.
pub fn normalised(card: &Value) -> Value {
    let mut card = card.clone();
    if let Some(members) = card.as_object_mut() {
        members.remove("signatures");
    }
    message(&card, "AgentCard")
}

/// The bytes under a card's signature.
pub fn preimage(card: &Value) -> String {
    canonical(&normalised(card))
}

fn message(value: &Value, name: &str) -> Value {
    let fields = fields(name);
    let members = value.as_object().cloned().unwrap_or_default();
    let kept = members.into_iter().filter_map(|(name, value)| {
        let (_, kind, presence) = fields.iter().find(|(own, ..)| *own == name)?;
        let plain = matches!(presence, Plain | Full);
        (!plain || value != default(*kind)).then(|| {
            let value = within(value, *kind);
            (name, value)
        })
    });
    Value::Object(kept.collect())
}

fn within(value: Value, kind: Kind) -> Value {
    match (kind, value) {
        (One(name), value) => message(&value, name),
        (Many(name), Value::Array(elements)) => {
            elements.iter().map(|element| message(element, name)).collect()
        }
        (Kind::Map(name), Value::Object(entries)) => Value::Object(
            entries.iter().map(|(key, value)| (key.clone(), message(value, name))).collect(),
        ),
        (_, value) => value,
    }
}

/// The kid of the laws' signatures.
pub const KID: &str = "key-1";

/// A public key of the laws, as a JWK.
pub fn public_jwk(number: &Value, kid: &str) -> Value {
    json!({ "kty": "OKP", "crv": "Ed25519", "kid": kid, "x": receipts::public(number) })
}

/// A private key of the laws, as a JWK.
pub fn private_jwk(number: &Value) -> Value {
    json!({
        "kty": "OKP", "crv": "Ed25519", "x": receipts::public(number), "d": receipts::seed(number),
    })
}

/// The protected header of the laws' signatures.
pub fn header() -> Value {
    json!({ "alg": "EdDSA", "kid": KID, "typ": "JOSE" })
}

/// The card, signed under a protected header.
pub fn signed(card: &Value, number: &Value, header: &Value) -> Value {
    let protected = URL_SAFE_NO_PAD.encode(canonical(header));
    let input = format!("{protected}.{}", URL_SAFE_NO_PAD.encode(preimage(card)));
    let signature = receipts::key(number).sign(input.as_bytes());
    let mut card = card.clone();
    card["signatures"] = json!([{
        "protected": protected,
        "signature": URL_SAFE_NO_PAD.encode(signature.to_bytes()),
    }]);
    card
}
