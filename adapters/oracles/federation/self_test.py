"""The oracle against the profile's worked example (section 10), byte for byte, and against rfc8785 on random values."""

import hashlib
import random
import struct

import rfc8785

import fed
import jsn
import sig

ENVELOPE = rb'''{"audience":"audience-gamma","authority_proof_references":["sha-256:z6LiRffa-LUotScQYk44zSuR3vt9ATMBum0aZTlHffs"],"blueprint_digest":"sha-256:UqU_xO8mUo_SEKFyllPQx5viwqjUU0jymkOUDjoSJVY","compatibility_reference":[{"identity":"0.1.0-dev.abc","name":"abp"}],"deployment_digest":"sha-256:TYZzBKU6fPfMSOS8baiol9713E1x8oPzO-Mkuc1YLhE","evidence_receipt":{"checkpoint_history_commitment":"sha-256:3cwpt1lQKYPAHLc_wv2p7lFh87JNs1L_E1sFChFvTvU","result_digest":"sha-256:KtL0SPnMTlbOZe4E-n3gl5BqdaQ5HbHZFwVUHjXmA_w","signature":{"protected":{"alg":"EdDSA","b64":false,"crit":["b64"],"kid":"remote-key"},"signature":"nK1xzX9od6FpEmxx8OEvgPeNMoO4ZbCNHLoMk8DwRnObZw2OIHrxDKW_Fk1DRTSA-i5hjvVx3Bl0ugX6-dyQCQ","signed_attributes":{"algorithm":"Ed25519","content_digest":"sha-256:cuDJtZpyBkhf_h3_KLBRsWpiwKPALANb_9WdNdu3znk","created_at":"2026-08-23T00:00:00Z","key_id":"remote-key","purpose":"federation-envelope"}},"terminal_commitment":"sha-256:Ub1fvxQros48cb7vgXGpEzQwww5-DSZn9MDkY5XU5VU"},"idempotency_identity":"idem-9c2d41","identity_mapping_evidence":{"claims":[{"kind":"correlation","value":"local-subject-42"}]},"input_commitment":"sha-256:8Y14oMoIRWfn2QpbNC53tl0Tj1Cwly6fE-lyVdNvUFw","issuer":"issuer-alpha","recovery_handle":"task-7f3a2c","resource_policy":{"attempts":3,"concurrency":2,"cost":500,"tokens":1000},"result_classification_ceiling":{"level":"internal","markers":[]},"result_schema":"sha-256:uVovxlNrTlxeNx_xEbpmFAYhei42RfJPTtRTmFcz944","subject":"subject-beta","task_identity":"task-7f3a2c","terminal_state":"completed","time_policy":{"elapsed_ms":60000}}'''
KEY = "YSM0jaOnkzM-nc8cmW95Fm9j72-jEMK6LRyg2WWLhuk"
CONTENT = "sha-256:cuDJtZpyBkhf_h3_KLBRsWpiwKPALANb_9WdNdu3znk"
COMMITMENT = "sha-256:Ub1fvxQros48cb7vgXGpEzQwww5-DSZn9MDkY5XU5VU"
SIGNING_INPUT = b'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il0sImtpZCI6InJlbW90ZS1rZXkifQ.{"algorithm":"Ed25519","content_digest":"sha-256:cuDJtZpyBkhf_h3_KLBRsWpiwKPALANb_9WdNdu3znk","created_at":"2026-08-23T00:00:00Z","key_id":"remote-key","purpose":"federation-envelope"}'
LABELS = {  # what was hashed -> (domain, digest)
    "blueprint-bytes": ("blueprint-content", "blueprint_digest"),
    "deployment-bytes": ("deployment-content", "deployment_digest"),
    "input-bytes": ("federation-envelope", "input_commitment"),
    "schema-bytes": ("federation-envelope", "result_schema"),
}


def worked_example():
    assert len(ENVELOPE) == 1564
    assert hashlib.sha256(ENVELOPE).hexdigest() == "58f04474378827b58189e8e74e6de299b7e6a405ee3f5000103c366880711aa3"
    envelope = fed.decode(ENVELOPE)
    assert jsn.canonical(envelope) == ENVELOPE
    covered = fed.covered_bytes(envelope)
    assert len(covered) == 1170
    assert hashlib.sha256(covered).hexdigest() == "8644fd621fe480e572a9c49ae76518d2e2e4624d5a72f08bd3526cb3f3d4851a"
    assert sig.tagged("federation-envelope", covered) == CONTENT
    assert sig.tagged("federation-envelope", fed.commitment_preimage(envelope)) == COMMITMENT
    entry = envelope["evidence_receipt"]["signature"]
    assert sig.signing_input(entry["protected"], entry["signed_attributes"]) == SIGNING_INPUT
    verified = fed.verify_commitment(envelope, {"keys": [{"key_id": "remote-key", "key": KEY}]})
    assert verified == {"task_identity": "task-7f3a2c", "terminal_state": "completed",
                        "terminal_commitment": COMMITMENT}
    for label, (domain, name) in LABELS.items():
        assert sig.tagged(domain, label.encode()) == envelope[name]
    proof, = envelope["authority_proof_references"]
    assert sig.tagged("federation-envelope", b"proof-ref-1") == proof
    receipt = envelope["evidence_receipt"]
    assert sig.tagged("federation-envelope", b"result-bytes") == receipt["result_digest"]
    assert sig.tagged("federation-envelope", b"history-bytes") == receipt["checkpoint_history_commitment"]
    assert sig.tagged("federation-envelope", b"") == "sha-256:wCgme7AnAfSTPMtGo2-DKpI9wbb-FzQQu_cSumTIXlw"
    for lane in ("a2a", "mcp"):
        carrier = jsn.canonical(fed.to_carrier(lane, envelope))
        assert jsn.canonical(fed.from_carrier(lane, jsn.decode(carrier))) == ENVELOPE


def issuing():
    """With RFC 8032's first key: what is issued decodes and verifies, and nothing that was changed does."""
    seed = sig.b64(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    key = sig.b64(bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
    parts = jsn.decode(ENVELOPE)
    receipt = parts.pop("evidence_receipt")
    state = parts.pop("terminal_state")
    params = {"envelope": jsn.canonical(parts), "terminal_state": state, "result_digest": receipt["result_digest"],
              "checkpoint_history_commitment": receipt["checkpoint_history_commitment"]}
    assert fed.run("federation.commit", params)["ok"] == {"terminal_commitment": COMMITMENT, "content_digest": CONTENT}
    issued = fed.run("federation.issue", params | {"seed": seed, "key_id": "test-1", "created_at": "2026-08-23T00:00:00Z"})
    issued = issued["ok"]["envelope"]
    keys = {"keys": [{"key_id": "test-1", "key": key}]}

    def verified(data, context=keys):
        return fed.run("federation.verify_commitment", {"envelope": data, "context": context})

    assert verified(issued)["ok"]["terminal_commitment"] == COMMITMENT
    changed = issued.replace(b'"audience":"audience-gamma"', b'"audience":"audience-delta"')
    assert verified(changed)["refused"]["code"] == "digest_mismatch"
    assert verified(issued, {"keys": []})["refused"]["code"] == "signature_key_unsupported"
    assert verified(issued, keys | {"issuer_key_sets": {}})["refused"]["code"] == "signature_key_unsupported"
    for unusable in (bytes(32), bytes([1]) + bytes(31), (sig.P - 1).to_bytes(32, "little"), b"\xff" * 32,
                     (sig.P + 3).to_bytes(32, "little"), (2).to_bytes(32, "little")):
        context = {"keys": [{"key_id": "test-1", "key": sig.b64(unusable)}]}
        assert verified(issued, context)["refused"]["code"] == "signature_algorithm_unsupported", unusable.hex()


def canonical_form(rounds=20_000):
    dice = random.Random(8785)

    def value(depth):
        roll = dice.randrange(8 if depth else 6)
        if roll == 0:
            return dice.randint(-jsn.SAFE, jsn.SAFE)
        if roll in (1, 2):
            number = struct.unpack(">d", dice.randbytes(8))[0]
            return number if number == number and abs(number) != float("inf") else 0.5
        if roll in (3, 4):
            return "".join(chr(dice.choice((10, 34, 92, 31, 127, 233, 0x2028, 0xE000, 0xFF3A, 0x10000, 97)))
                           for _ in range(dice.randrange(6)))
        if roll == 5:
            return dice.choice((None, True, False))
        if roll == 6:
            return [value(depth - 1) for _ in range(dice.randrange(4))]
        return {str(value(0)): value(depth - 1) for _ in range(dice.randrange(4))}

    for _ in range(rounds):
        made = value(3)
        assert jsn.canonical(made) == rfc8785.dumps(made), made
        assert jsn.canonical(jsn.decode(jsn.canonical(made))) == jsn.canonical(made), made


if __name__ == "__main__":
    worked_example()
    issuing()
    canonical_form()
    print("the worked example, issuing and the canonical form agree")
