"""The bytes under an AgentCard's signature (A2A, section 8.4.1) and its signatures (8.4.2, 8.4.3; RFC 7515).

Driven by fields.tsv, the fields of AgentCard and of every message that it reaches. Reader and RFC 8785 are the
profile oracle's; Ed25519 and ECDSA are cryptography's (OpenSSL).
"""

import pathlib
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import jsn  # noqa: E402
import sig  # noqa: E402
from jsn import Denied  # noqa: E402

READINGS = {"unknown": "kept", "empty": "kept", "null": "absent"}


def table():
    """{message: {JSON name: row}}, the flags as booleans."""
    lines = (HERE / "fields.tsv").read_text(encoding="utf-8").splitlines()
    head, messages = lines[0].split("\t"), {}
    for line in lines[1:]:
        row = dict(zip(head, line.split("\t")))
        for flag in ("repeated", "map", "required", "optional_keyword", "has_presence", "deprecated"):
            row[flag] = row[flag] == "true"
        messages.setdefault(row["message"], {})[row["json_name"]] = row
    return messages


FIELDS = table()


def read(card):
    value = jsn.decode(card, bounded=False)
    if not isinstance(value, dict):
        raise Denied("invalid_type")
    return value


def preimage(card, profile="spec", **readings):
    """The canonical bytes, of a card as bytes."""
    if profile == "sdk":
        return jsn.canonical(stripped(as_sdk("AgentCard", read(card))) or {})
    value = {name: item for name, item in read(card).items() if name != "signatures"}
    return jsn.canonical(normal("AgentCard", value, READINGS | readings))


def normal(message, value, readings):
    """A message without the fields that are at their default and neither REQUIRED nor `optional`."""
    if not isinstance(value, dict):
        return value
    kept = {}
    for name, item in value.items():
        row = FIELDS[message].get(name)
        if row is None:
            if readings["unknown"] == "kept":
                kept[name] = item
        elif item is None:
            if readings["null"] == "refused":
                raise Denied("null")
        else:
            inside = item if row["type"] == "Struct" else below(row, item, readings)
            if stays(row, item, inside, readings):
                kept[name] = inside
    return kept


def stays(row, item, inside, readings):
    if row["required"] or row["optional_keyword"]:
        return True
    if row["has_presence"]:
        return inside != {} or readings["empty"] == "kept"
    return item not in ("", [], {}) and item is not False


def below(row, item, readings):
    inner = row["type"].removeprefix("map<string,").removesuffix(">")
    if inner not in FIELDS:
        return item
    if row["map"] and isinstance(item, dict):
        return {name: normal(inner, value, readings) for name, value in item.items()}
    if row["repeated"] and isinstance(item, list):
        return [normal(inner, value, readings) for value in item]
    return normal(inner, item, readings)


def as_sdk(message, value):
    """What a protobuf message prints: known fields, those without presence only where they are not at their default."""
    if not isinstance(value, dict):
        return value
    printed = {}
    for name, item in value.items():
        row = FIELDS[message].get(name)
        if row is None or item is None or (message, name) == ("AgentCard", "signatures"):
            continue
        if row["has_presence"] or not (item in ("", [], {}) or item is False):
            inner = row["type"].removeprefix("map<string,").removesuffix(">")
            if inner not in FIELDS:
                printed[name] = item
            elif row["map"]:
                printed[name] = {key: as_sdk(inner, entry) for key, entry in item.items()}
            else:
                printed[name] = [as_sdk(inner, entry) for entry in item] if row["repeated"] else as_sdk(inner, item)
    return printed


def stripped(value):
    """Without empty strings, arrays and objects and without null, at every depth; None where nothing is left."""
    if isinstance(value, dict):
        left = {name: stripped(item) for name, item in value.items()}
        return {name: item for name, item in left.items() if item is not None} or None
    if isinstance(value, list):
        return [item for item in map(stripped, value) if item is not None] or None
    return None if value == "" else value


# ---- signatures ----

def signing_input(protected, payload):
    return protected.encode() + b"." + sig.b64(payload).encode()


def curve_key(key):
    numbers = [int.from_bytes(sig.unb64(key[name])) for name in ("x", "y")]
    return ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()


def sign_bytes(key, alg, message):
    """`key` is a private JWK. ES256 is deterministic here (RFC 6979), so that the corpus can be made again."""
    if fitting(key) != alg or "d" not in key:
        raise Denied("algorithm")
    secret = sig.unb64(key["d"])
    if len(secret) != 32:
        raise Denied("key")
    if alg == "EdDSA":
        return Ed25519PrivateKey.from_private_bytes(secret).sign(message)
    try:
        private = ec.derive_private_key(int.from_bytes(secret), ec.SECP256R1())
    except ValueError:
        raise Denied("key") from None
    pair = decode_dss_signature(private.sign(message, ec.ECDSA(hashes.SHA256(), deterministic_signing=True)))
    return b"".join(number.to_bytes(32) for number in pair)


def fitting(key):
    kind = (key.get("kty"), key.get("crv"))
    return {("OKP", "Ed25519"): "EdDSA", ("EC", "P-256"): "ES256"}.get(kind)


def holds(key, alg, message, signature):
    if alg is None or fitting(key) != alg or len(signature) != 64:
        return False
    try:
        if alg == "EdDSA":
            Ed25519PublicKey.from_public_bytes(sig.unb64(key["x"])).verify(signature, message)
        else:
            pair = [int.from_bytes(signature[:32]), int.from_bytes(signature[32:])]
            curve_key(key).verify(encode_dss_signature(*pair), message, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ValueError, KeyError, Denied):
        return False
    return True


def verified(card, keys, profile="spec", **readings):
    """The indices of the signatures that verify."""
    payload = preimage(card, profile, **readings)
    entries = read(card).get("signatures")
    if not isinstance(entries, list):
        raise Denied("no signatures")
    found = [index for index, entry in enumerate(entries) if entry_holds(entry, payload, keys)]
    if not found:
        raise Denied("none verifies")
    return found


def entry_holds(entry, payload, keys):
    try:
        protected, signature = entry["protected"], sig.unb64(entry["signature"])
        header = jsn.decode(sig.unb64(protected), bounded=False)
    except (Denied, TypeError, KeyError):
        return False
    if not isinstance(header, dict) or "crit" in header or not isinstance(header.get("kid"), str):
        return False
    own = [key for key in keys if key.get("kid") == header["kid"]]
    return any(holds(key, header.get("alg"), signing_input(protected, payload), signature) for key in own)


def sign(card, key, kid, alg, typ=None):
    """The card with one signature more."""
    value = read(card)
    header = {"alg": alg, "kid": kid} | ({"typ": typ} if typ is not None else {})
    protected = sig.b64(jsn.canonical(header))
    made = sign_bytes(key, alg, signing_input(protected, preimage(card)))
    entry = {"protected": protected, "signature": sig.b64(made)}
    value["signatures"] = value.get("signatures", []) + [entry]
    return jsn.canonical(value)
