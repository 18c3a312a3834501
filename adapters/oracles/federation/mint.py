"""Makes the receipts of `corpus/federation/receiver`: right ones, ones minted by a wrong rule, and forged ones.

Everything starts from the members of the profile's worked example (section 10) and is signed with the seeds of RFC 8032's
TEST 1 and TEST 2. Canonical bytes are rfc8785's and Ed25519 is cryptography's (or `../edwards.py` where no library makes
the signature); `fed.py` has no part in it, so that the one can be held against the other.
"""

import copy
import hashlib
import json
import pathlib
import sys

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import self_test
from sig import b64, unb64

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import edwards  # noqa: E402

TEST_1 = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
TEST_2 = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
KEY_1 = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
KEY_2 = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"
CREATED = "2026-08-23T00:00:00Z"
COMMITTED = ("task_identity", "terminal_state", "result_classification_ceiling", "compatibility_reference",
             "authority_proof_references")
WORKED = json.loads(self_test.ENVELOPE)
RESULT = WORKED["evidence_receipt"]["result_digest"]
HISTORY = WORKED["evidence_receipt"]["checkpoint_history_commitment"]
NONCE = 8 * 1234567 + 1


def jcs(value):
    return rfc8785.dumps(value)


def tagged(data, separator=b"agent-blueprint-protocol/federation-envelope\0"):
    return "sha-256:" + b64(hashlib.sha256(separator + data).digest())


def label(text):
    """A digest that stands for something: its name, hashed."""
    return tagged(text.encode())


def root(**changes):
    """The worked example before it ended, with other values for some members; None takes a member away."""
    envelope = {name: copy.deepcopy(value) for name, value in WORKED.items()
                if name not in ("terminal_state", "evidence_receipt")}
    return {name: value for name, value in (envelope | changes).items() if value is not None}


def committed(envelope):
    receipt = envelope["evidence_receipt"]
    parts = {name: envelope[name] for name in COMMITTED}
    return parts | {name: receipt[name] for name in ("result_digest", "checkpoint_history_commitment")}


def covered(envelope):
    receipt = {name: value for name, value in envelope["evidence_receipt"].items() if name != "signature"}
    return envelope | {"evidence_receipt": receipt}


def message(header, attributes):
    return b64(jcs(header)).encode() + b"." + jcs(attributes)


def sign(seed, data):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(data)


def mint(envelope=None, state="completed", result=RESULT, history=HISTORY, seed=TEST_1, key_id="test-1",
         created_at=CREATED, purpose="federation-envelope", commitment=None, content=None, signed=message, signer=sign):
    """A signed receipt on an envelope. `commitment` and `content` compute those digests by another rule, from the ended
    envelope; `signed` makes other bytes to sign; `signer` signs in another way."""
    ended = (root() if envelope is None else envelope) | {"terminal_state": state}
    receipt = {"result_digest": result, "checkpoint_history_commitment": history}
    ended["evidence_receipt"] = receipt
    receipt["terminal_commitment"] = commitment(ended) if commitment else tagged(jcs(committed(ended)))
    digest = content(ended) if content else tagged(jcs(covered(ended)))
    header = {"alg": "EdDSA", "b64": False, "crit": ["b64"], "kid": key_id}
    attributes = {"algorithm": "Ed25519", "content_digest": digest, "created_at": created_at, "key_id": key_id,
                  "purpose": purpose}
    receipt["signature"] = {"protected": header, "signed_attributes": attributes,
                            "signature": b64(signer(seed, signed(header, attributes)))}
    return ended


def forge(key, order, scalar=0):
    """A receipt that the plain equation takes for signed by a key with a part of small order: R = rB, S = r + ka, where the
    hash k is a multiple of the order, which some creation time yields. With `scalar` 0 no secret is needed."""
    point = edwards.encode(edwards.multiply(NONCE, edwards.B))
    for second in range(60):
        def signer(_, data):
            k = edwards.sha512_scalar(point, key, data)
            found.append(k % order == 0)
            return point + ((NONCE + k * scalar) % edwards.L).to_bytes(32, "little")
        found = []
        made = mint(created_at=f"2026-08-23T00:00:{second:02}Z", signer=signer)
        if found[0]:
            return made
    raise ValueError("no second of that minute yields a fitting hash")


def holds(envelope, key):
    """Whether the signature alone holds, in plain arithmetic."""
    entry = envelope["evidence_receipt"]["signature"]
    data = message(entry["protected"], entry["signed_attributes"])
    return edwards.verify_ref10(unb64(key), data, unb64(entry["signature"]))
