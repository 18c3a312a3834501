"""Tagged digests, strict base64url, signature entries and Ed25519 keys (profile, sections 3 and 5)."""

import base64
import hashlib
import hmac
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from jsn import Denied, canonical

DOMAINS = {"blueprint-content", "deployment-content", "federation-envelope", "signature", "extension-schema",
           "extension-registry", "conformance-report", "corpus-index"}
PURPOSES = {"blueprint", "deployment", "federation-envelope"}
MOMENT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    """Strict: the alphabet alone, no padding, no spare bits."""
    if "=" in text:
        raise Denied("base64url_padded")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        raise Denied("base64url_invalid")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64(data) != text:
        raise Denied("base64url_invalid")
    return data


def parse_digest(tagged):
    tag, colon, body = tagged.partition(":")
    if not colon:
        raise Denied("digest_encoding_invalid")
    if tag != "sha-256":
        raise Denied("digest_algorithm_unsupported")
    try:
        data = unb64(body)
    except Denied:
        raise Denied("digest_encoding_invalid") from None
    if len(data) != 32:
        raise Denied("digest_encoding_invalid")
    return data


def is_digest(value):
    try:
        return isinstance(value, str) and len(parse_digest(value)) == 32
    except Denied:
        return False


def tagged(domain, data):
    if domain not in DOMAINS:
        raise Denied("invalid_constraint")
    separator = b"agent-blueprint-protocol/" + domain.encode()
    return "sha-256:" + b64(hashlib.sha256(separator + b"\0" + data).digest())


def compare(declared, actual):
    """Parses what is declared, then compares in constant time."""
    if not hmac.compare_digest(parse_digest(declared), parse_digest(actual)):
        raise Denied("digest_mismatch")


def is_moment(value):
    parts = MOMENT.fullmatch(value) if isinstance(value, str) else None
    if not parts:
        return False
    year, month, day, hour, minute, second = map(int, parts.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1 <= month <= 12 and 1 <= day <= days[month - 1] and hour < 24 and minute < 60 and second < 60


def check_entry(entry):
    """The shape of a signature entry, in the order in which the profile parses it."""
    def need(holds, code="signature_malformed"):
        if not holds:
            raise Denied(code)

    need(isinstance(entry, dict) and entry.keys() == {"protected", "signature", "signed_attributes"})
    header, attributes = entry["protected"], entry["signed_attributes"]
    need(isinstance(header, dict) and header.keys() == {"alg", "b64", "crit", "kid"})
    need(isinstance(header["alg"], str))
    need(header["alg"] == "EdDSA", "signature_algorithm_unsupported")
    need(header["b64"] is False and header["crit"] == ["b64"])
    need(isinstance(header["kid"], str) and header["kid"] != "")
    names = {"algorithm", "content_digest", "created_at", "key_id", "purpose"}
    need(isinstance(attributes, dict) and attributes.keys() == names)
    need(isinstance(attributes["algorithm"], str))
    need(attributes["algorithm"] == "Ed25519", "signature_algorithm_unsupported")
    need(is_digest(attributes["content_digest"]) and is_moment(attributes["created_at"]))
    need(isinstance(attributes["key_id"], str) and attributes["key_id"] != "" and "." not in attributes["key_id"])
    need(isinstance(attributes["purpose"], str) and attributes["purpose"] in PURPOSES)
    need(header["kid"] == attributes["key_id"])
    need(isinstance(entry["signature"], str))
    try:
        need(len(unb64(entry["signature"])) == 64)
    except Denied:
        raise Denied("signature_malformed") from None


def signing_input(header, attributes):
    return b64(canonical(header)).encode() + b"." + canonical(attributes)


P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def is_usable(key):
    """Whether 32 bytes are a canonical encoding of a point that is not of small order."""
    number = int.from_bytes(key, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(key) != 32 or y >= P:
        return False
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * SQRT_M1 % P
    if x * x % P != square or (x == 0 and sign):
        return False
    return x != 0 and y != 0 and y * SQRT_M1 % P not in (x, P - x)


def sign(seed, message):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def verify(entry, pool):
    """pool: [(key id, 32 bytes)]."""
    header, attributes = entry["protected"], entry["signed_attributes"]
    candidates = [key for key_id, key in pool if key_id == attributes["key_id"]]
    if not candidates:
        raise Denied("signature_key_unsupported")
    usable = [key for key in candidates if is_usable(key)]
    if not usable:
        raise Denied("signature_algorithm_unsupported")
    for key in usable:
        try:
            public = Ed25519PublicKey.from_public_bytes(key)
            public.verify(unb64(entry["signature"]), signing_input(header, attributes))
            return
        except InvalidSignature:
            continue
    raise Denied("signature_not_verified")
