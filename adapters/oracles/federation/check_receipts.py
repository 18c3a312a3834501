"""Holds the signatures in the cases of receiver and issuer against plain arithmetic: `python3 check_receipts.py`.

`check_corpus.py` asks OpenSSL. Here `../edwards.py` decides by each of three published sets of verification rules, and all
must give the corpus's answer: a receipt that verifies, or is refused behind the signature, has a true signature by every
rule, and one that is signature_not_verified by none. Digests are computed again with rfc8785. What was issued is signed
again and has to come out the same.
"""

import json
import pathlib
import sys
from collections import Counter

import check_corpus
import mint
from mint import edwards
from sig import unb64

BEHIND = {"digest_mismatch", "audience_mismatch", "federation_terminal_conflict"}


def verdicts(envelope, keys):
    entry = envelope["evidence_receipt"]["signature"]
    data, made = mint.message(entry["protected"], entry["signed_attributes"]), unb64(entry["signature"])
    found = [key["key"] for key in keys if key["key_id"] == entry["signed_attributes"]["key_id"]]
    return {name: any(verify(unb64(key), data, made) for key in found) for name, verify in edwards.PROFILES.items()}


def pool(envelope, context):
    sets = context.get("issuer_key_sets")
    return context.get("keys", []) if sets is None else sets.get(envelope["issuer"], [])


def digests_hold(envelope):
    receipt = envelope["evidence_receipt"]
    content = receipt["signature"]["signed_attributes"]["content_digest"]
    return (receipt["terminal_commitment"] == mint.tagged(mint.jcs(mint.committed(envelope))),
            content == mint.tagged(mint.jcs(mint.covered(envelope))))


def received(params, expect):
    """None where the case is not about a signature; else whether all is as expected."""
    code = expect.get("refused", {}).get("code")
    if "ok" not in expect and code not in BEHIND | {"signature_not_verified"}:
        return None
    envelope = json.loads(params["envelope"])
    signed = set(verdicts(envelope, pool(envelope, params["context"])).values())
    if code == "signature_not_verified":
        return signed == {False}
    fit = all(digests_hold(envelope))
    return signed == {True} and fit == (code != "digest_mismatch")


def issued(params, expect):
    if "bytes" not in expect.get("ok", {}):
        return None
    envelope, seed = json.loads(expect["ok"]["bytes"]), unb64(params["seed"])
    entry = envelope["evidence_receipt"]["signature"]
    made = edwards.sign(seed, mint.message(entry["protected"], entry["signed_attributes"]))
    return made == unb64(entry["signature"]) and all(digests_hold(envelope))


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[3]
    edwards.self_test()
    counts, faults = Counter(), []
    judges = {"federation.verify_commitment": received, "federation.issue": issued}
    for case in check_corpus.cases(root):
        for step in case["steps"]:
            judge = judges.get(step["operation"])
            if judge is None or isinstance(step["params"]["envelope"], str):
                continue
            answer = judge(step["params"], step["expect"])
            counts[case["role"], {None: "not about a signature", True: "agree", False: "differ"}[answer]] += 1
            if answer is False:
                faults.append(case["id"])
    for (role, what), count in sorted(counts.items()):
        print(f"{role}: {count} {what}")
    for fault in faults:
        print(f"FAULT  {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
