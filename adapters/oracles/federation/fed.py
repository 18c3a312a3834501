"""The federation profile's envelope, carriers, receipts and states: a second implementation, written from the profile's
text (sections 1 to 9) without a look at Proofmark's own. `run(operation, params)` answers as an adapter does.
"""

import re

import jsn
import sig
from jsn import Denied

A2A_KEY, MCP_KEY = "https://example.com/extensions/federation", "com.example/federation"
NATIVE = ("task_identity", "recovery_handle", "checkpoint_status", "terminal_state")
CHECKPOINTS = ("submitted", "working", "input_required", "auth_required")
TERMINALS = ("completed", "failed", "canceled", "rejected")
TO_A2A = {state: "TASK_STATE_" + state.upper() for state in CHECKPOINTS + TERMINALS}
TO_MCP = {"working": "working", "input_required": "input_required", "completed": "completed", "failed": "failed",
          "canceled": "cancelled"}
FROM_A2A = {spelling: state for state, spelling in TO_A2A.items()}
FROM_MCP = {spelling: state for state, spelling in TO_MCP.items()}
IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9._-]*")


# The field table: kinds of values, each with a type (or none, as digests and signatures have) and a constraint.

def kind(of=None, holds=None, closed=None, items=None, least=0, unique=None):
    return {"of": of, "holds": holds, "closed": closed, "items": items, "least": least, "unique": unique}


def one_of(*names):
    return kind(str, lambda value: value in names)


def _digest(value):
    if not isinstance(value, str):
        raise Denied("invalid_type")
    return sig.is_digest(value)


def _entry(value):
    try:
        sig.check_entry(value)
    except Denied:
        return False
    return True


ID = kind(str, lambda value: len(value.encode()) <= 512 and IDENTIFIER.fullmatch(value))
PI = kind(int, lambda value: 1 <= value <= jsn.SAFE)
DG = kind(None, _digest)
TEXT = kind(str, lambda value: value != "")


def closed(*members, across=None):
    return {"members": members, "across": across}


def _across(envelope):
    has = envelope.__contains__
    if has("parent_execution_reference") and not has("initiating_subject"):
        return False
    if has("checkpoint_status") != has("checkpoint_commitment") or has("terminal_state") != has("evidence_receipt"):
        return False
    return not (has("checkpoint_status") and has("terminal_state"))


CEILING = closed(("level", True, one_of("public", "internal", "confidential", "restricted")),
                 ("markers", True, kind(list, items=one_of("pci", "phi"), unique="itself")))
CLAIM = closed(("kind", True, one_of("correlation", "binding", "authority")), ("value", True, TEXT))
EVIDENCE = closed(("claims", True, kind(list, items=kind(dict, closed=CLAIM), least=1,
                                        unique="value")))
RECEIPT = closed(("result_digest", True, DG), ("checkpoint_history_commitment", True, DG),
                 ("terminal_commitment", True, DG), ("signature", True, kind(None, _entry)))
COMPATIBILITY = closed(("name", True, ID), ("identity", True, TEXT))
ENVELOPE = closed(
    ("task_identity", True, ID), ("idempotency_identity", True, ID), ("parent_execution_reference", False, ID),
    ("initiating_subject", False, ID), ("blueprint_digest", True, DG), ("deployment_digest", True, DG),
    ("input_commitment", True, DG), ("result_schema", True, DG),
    ("result_classification_ceiling", True, kind(dict, closed=CEILING)),
    ("time_policy", True, kind(dict, closed=closed(("elapsed_ms", True, PI)))),
    ("resource_policy", True, kind(dict, closed=closed(
        ("attempts", True, PI), ("concurrency", True, PI), ("tokens", True, PI), ("cost", True, PI)))),
    ("recovery_handle", True, ID), ("issuer", True, ID), ("subject", True, ID), ("audience", True, ID),
    ("identity_mapping_evidence", True, kind(dict, closed=EVIDENCE)),
    ("checkpoint_request", False, kind(dict, closed=closed(
        ("kind", True, one_of("input_required", "auth_required")), ("request_digest", True, DG)))),
    ("checkpoint_status", False, one_of(*CHECKPOINTS)), ("checkpoint_commitment", False, DG),
    ("terminal_state", False, one_of(*TERMINALS)), ("evidence_receipt", False, kind(dict, closed=RECEIPT)),
    ("compatibility_reference", True, kind(list, items=kind(dict, closed=COMPATIBILITY), least=1,
                                           unique="name")),
    ("authority_proof_references", True, kind(list, items=DG)), across=_across)


def _of(value, wanted):
    return wanted is None or (isinstance(value, wanted) and not (wanted is int and isinstance(value, bool)))


def walk(table, value):
    """One object: each stage over all of its members before the next, nested values after that."""
    known = {name for name, _, _ in table["members"]}
    if any(name not in known for name in value):
        raise Denied("unknown_member")
    if any(required and name not in value for name, required, _ in table["members"]):
        raise Denied("missing_required_field")
    present = [(value[name], kind) for name, _, kind in table["members"] if name in value]
    stages(present)
    for item, kind in present:
        nested(item, kind)
    if table["across"] and not table["across"](value):
        raise Denied("invalid_constraint")


def stages(present):
    for item, kind in present:
        if not _of(item, kind["of"]):
            raise Denied("invalid_type")
    for item, kind in present:
        if kind["holds"] and not kind["holds"](item):
            raise Denied("invalid_constraint")
    for item, kind in present:
        if isinstance(item, list) and kind["of"] is list:
            if len(item) < kind["least"]:
                raise Denied("invalid_cardinality")
            if kind["unique"]:
                # An element without the member has nothing that could repeat.
                name, elements = kind["unique"], item
                if name != "itself":
                    elements = [each[name] for each in item if isinstance(each, dict) and name in each]
                keys = [jsn.canonical(each) for each in elements]
                if len(set(keys)) != len(keys):
                    raise Denied("invalid_cardinality")


def nested(item, kind):
    if kind["closed"]:
        walk(kind["closed"], item)
    elif kind["items"]:
        for each in item:
            stages([(each, kind["items"])])
            nested(each, kind["items"])


# The portability pass. `lengths` says how a dense string of length 1 modulo 4 is taken (FED-R-3).

UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
LABEL = re.compile(r"[a-z0-9_-]*|[A-Z0-9_-]*")
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]", re.ASCII)
BASE64URL = re.compile(r"[A-Za-z0-9_-]+")


def is_strictly_portable(text, lengths="refused"):
    if UUID.fullmatch(text):
        return True
    parts = text.split(".")
    jws = (len(parts) == 3 and BASE64URL.fullmatch(parts[0]) and re.fullmatch(r"[A-Za-z0-9_-]*", parts[1])
           and BASE64URL.fullmatch(parts[2]) and len(parts[2]) >= 43)
    dense = False
    if BASE64URL.fullmatch(text):
        octets = 0 if len(text) % 4 == 1 and lengths == "passed" else len(text) * 6 // 8
        dense = octets >= (32 if "-" in text or "_" in text else 24)
    padded = re.fullmatch(r"[A-Za-z0-9+/]{32,}={1,6}|[A-Za-z0-9+/]{43,}", text)
    pairs = text.split(":")
    fingerprint = len(pairs) >= 24 and all(re.fullmatch(r"[0-9A-Fa-f]{1,2}", pair) for pair in pairs)
    return not ("-----BEGIN" in text or jws or URL.search(text) or re.match(r"//[^/?#\s]", text, re.ASCII) or dense or padded
                or fingerprint)


def is_portable_identifier(text, lengths="refused"):
    if ("-" in text or "_" in text) and LABEL.fullmatch(text):
        return True
    return is_strictly_portable(text, lengths)


IDENTIFIERS = {"task_identity", "idempotency_identity", "parent_execution_reference", "initiating_subject",
               "recovery_handle", "issuer", "subject", "audience"}


def scan(envelope, lengths="refused"):
    def strict(text):
        if not is_strictly_portable(text, lengths):
            raise Denied("forbidden_portable_value")

    for name, value in envelope.items():
        if name in IDENTIFIERS:
            if not is_portable_identifier(value, lengths):
                raise Denied("forbidden_portable_value", [name])
        elif name == "identity_mapping_evidence":
            for index, claim in enumerate(value["claims"]):
                if claim["kind"] == "authority":
                    raise Denied("nonportable_content", [name, "claims", index])
                strict(claim["value"])
        elif name == "compatibility_reference":
            for reference in value:
                strict(reference["identity"])
        elif name == "evidence_receipt":
            strict(value["signature"]["protected"]["kid"])
            strict(value["signature"]["signed_attributes"]["key_id"])


def check(value, lengths="refused"):
    if not isinstance(value, dict):
        raise Denied("invalid_type")
    walk(ENVELOPE, value)
    scan(value, lengths)
    return value


def decode(data, asked=None, lengths="refused"):
    value = jsn.decode(data, asked)
    if jsn.canonical(value) != data:
        raise Denied("non_canonical_bytes")
    return check(value, lengths)


# States and carriers.

def to_transport(lane, state):
    if not isinstance(state, str) or state not in TO_A2A:
        raise Denied("invalid_type")
    spelled = (TO_A2A if lane == "a2a" else TO_MCP).get(state)
    if spelled is None:
        raise Denied("federation_state_unmappable", ["status"])
    return spelled


def from_transport(lane, state):
    at = ["status", "state"] if lane == "a2a" else ["status"]
    if not isinstance(state, str):
        raise Denied("invalid_type", at)
    if lane == "a2a" and state == "TASK_STATE_UNSPECIFIED":
        raise Denied("federation_state_unmappable", at)
    found = (FROM_A2A if lane == "a2a" else FROM_MCP).get(state)
    if found is None:
        raise Denied("invalid_constraint", at)
    return found


def map_state(source, target, state):
    logical = state if source == "logical" else from_transport(source, state)
    if target != "logical":
        return to_transport(target, logical)
    if not isinstance(logical, str) or logical not in TO_A2A:
        raise Denied("invalid_type")
    return logical


def to_carrier(lane, envelope):
    if envelope["recovery_handle"] != envelope["task_identity"]:
        raise Denied("federation_mapping_conflict", ["recovery_handle"])
    state = envelope.get("terminal_state", envelope.get("checkpoint_status"))
    if state is None:
        raise Denied("invalid_constraint", ["status", "state"])
    spelled = to_transport(lane, state)
    body = {name: value for name, value in envelope.items() if name not in NATIVE}
    if lane == "a2a":
        return {"id": envelope["task_identity"], "status": {"state": spelled}, "metadata": {A2A_KEY: body}}
    return {"taskId": envelope["task_identity"], "status": spelled, "_meta": {MCP_KEY: body}}


def member(holder, name, wanted, at):
    if name not in holder:
        raise Denied("missing_required_field", at)
    if not isinstance(holder[name], wanted):
        raise Denied("invalid_type", at)
    return holder[name]


def from_carrier(lane, carrier, lengths="refused", counting="container"):
    if not isinstance(carrier, dict):
        raise Denied("invalid_type", ["carrier"])
    if lane == "a2a":
        identity = member(carrier, "id", str, ["id"])
        status = member(member(carrier, "status", dict, ["status"]), "state", str, ["status", "state"])
        state = from_transport(lane, status)
        body = member(member(carrier, "metadata", dict, ["metadata"]), A2A_KEY, dict, ["metadata", A2A_KEY])
    else:
        identity = member(carrier, "taskId", str, ["taskId"])
        state = from_transport(lane, member(carrier, "status", str, ["status"]))
        body = member(member(carrier, "_meta", dict, ["_meta"]), MCP_KEY, dict, ["_meta", MCP_KEY])
    for name in NATIVE:
        if name in body:
            raise Denied("federation_mapping_conflict", [name])
    envelope = {"task_identity": identity, "recovery_handle": identity}
    envelope["terminal_state" if state in TERMINALS else "checkpoint_status"] = state
    envelope.update(body)
    rebuilt_within(envelope, counting)
    return check(envelope, lengths)


def rebuilt_within(root, counting):
    """The ceilings on what was rebuilt: a container for itself, or summed along the path (FED-R-1)."""
    summed = counting == "path"
    limits = jsn.CEILINGS

    def over(name, measure):
        if measure > limits[name]:
            raise Denied(f"ceiling:{name}")

    pending = [(root, 0, 0, 0)]
    while pending:
        value, members, items, depth = pending.pop()
        if isinstance(value, dict):
            members = len(value) + (members if summed else 0)
            children = value.values()
        elif isinstance(value, list):
            items = len(value) + (items if summed else 0)
            children = value
        else:
            children = ()
            if isinstance(value, str):
                over("string", len(value.encode("utf-8")))
                depth += 1 if summed else 0
        if isinstance(value, (dict, list)):
            depth += 1
            over("members", members if isinstance(value, dict) or summed else 0)
            over("items", items if isinstance(value, list) or summed else 0)
        over("depth", depth)
        pending.extend((child, members, items, depth) for child in reversed(list(children)))


# Receipts.

COMMITTED = ("task_identity", "terminal_state", "result_classification_ceiling", "compatibility_reference",
             "authority_proof_references")


def commitment_preimage(envelope):
    receipt = envelope["evidence_receipt"]
    parts = {name: envelope[name] for name in COMMITTED}
    return jsn.canonical(parts | {name: receipt[name] for name in ("result_digest", "checkpoint_history_commitment")})


def covered_bytes(envelope):
    receipt = {name: value for name, value in envelope["evidence_receipt"].items() if name != "signature"}
    return jsn.canonical(envelope | {"evidence_receipt": receipt})


def commit(envelope, terminal_state, result_digest, checkpoint_history_commitment):
    """The envelope with its receipt, still without signature, and both digests."""
    if "terminal_state" in envelope or "evidence_receipt" in envelope:
        raise Denied("invalid_constraint")
    if "checkpoint_status" in envelope or terminal_state not in TERMINALS:
        raise Denied("invalid_constraint")
    if not _digest(result_digest) or not _digest(checkpoint_history_commitment):
        raise Denied("invalid_constraint")
    receipt = {"result_digest": result_digest, "checkpoint_history_commitment": checkpoint_history_commitment}
    ended = envelope | {"terminal_state": terminal_state, "evidence_receipt": receipt}
    receipt["terminal_commitment"] = sig.tagged("federation-envelope", commitment_preimage(ended))
    return ended, receipt["terminal_commitment"], sig.tagged("federation-envelope", covered_bytes(ended))


def issue(envelope, state, result, history, seed, key_id, created_at, purpose="federation-envelope"):
    ended, _, content = commit(envelope, state, result, history)
    try:
        secret = sig.unb64(seed)
    except Denied:
        secret = b""
    if len(secret) != 32:
        raise Denied("invalid_type")
    header = {"alg": "EdDSA", "b64": False, "crit": ["b64"], "kid": key_id}
    attributes = {"algorithm": "Ed25519", "content_digest": content, "created_at": created_at, "key_id": key_id,
                  "purpose": purpose}
    made = sig.b64(sig.sign(secret, sig.signing_input(header, attributes)))
    ended["evidence_receipt"]["signature"] = {"protected": header, "signature": made, "signed_attributes": attributes}
    data = jsn.canonical(ended)
    decode(data)
    return data


def pool_of(keys, at):
    if not isinstance(keys, list):
        raise Denied("invalid_type", [at])
    pool = []
    for key in keys:
        if not isinstance(key, dict) or not isinstance(key.get("key_id"), str) or not isinstance(key.get("key"), str):
            raise Denied("invalid_type", [at])
        try:
            data = sig.unb64(key["key"])
        except Denied:
            raise Denied("invalid_type", [at]) from None
        if len(data) != 32:
            raise Denied("invalid_type", [at])
        pool.append((key["key_id"], data))
    return pool


def verify_commitment(envelope, context):
    # Keys and earlier receipts that are not of their form are refused before anything is verified; what is of another
    # type altogether is noticed at the step that needs it.
    flat, sets, priors = context.get("keys", []), context.get("issuer_key_sets"), context.get("prior_receipts", [])
    if isinstance(flat, list):
        flat = pool_of(flat, "keys")
    if isinstance(sets, dict):
        sets = {issuer: pool_of(keys, "issuer_key_sets") if isinstance(keys, list) else None
                for issuer, keys in sets.items()}
    components = ("task_identity", "terminal_state", "commitment")
    if isinstance(priors, list) and not all(
            isinstance(prior, dict) and all(isinstance(prior.get(name), str) for name in components)
            and sig.is_digest(prior["commitment"]) for prior in priors):
        raise Denied("invalid_type", ["prior_receipts"])
    if "terminal_state" not in envelope:
        raise Denied("missing_required_field", ["terminal_state"])
    receipt = envelope["evidence_receipt"]
    entry = receipt["signature"]
    if sets is None and not isinstance(flat, list):
        raise Denied("invalid_type", ["keys"])
    if sets is not None and (not isinstance(sets, dict) or None in sets.values()):
        raise Denied("invalid_type", ["issuer_key_sets"])
    sig.verify(entry, flat if sets is None else sets.get(envelope["issuer"], []))
    attributes = entry["signed_attributes"]
    if attributes["purpose"] != "federation-envelope":
        raise Denied("invalid_constraint", ["evidence_receipt", "signature"])
    sig.compare(attributes["content_digest"], sig.tagged("federation-envelope", covered_bytes(envelope)))
    commitment = sig.tagged("federation-envelope", commitment_preimage(envelope))
    sig.compare(receipt["terminal_commitment"], commitment)
    for name in ("issuer", "subject", "audience"):
        if context.get(name) is not None and context[name] != envelope[name]:
            raise Denied("audience_mismatch", [name])
    if not isinstance(priors, list):
        raise Denied("invalid_type", ["prior_receipts"])
    for prior in priors:
        if prior["task_identity"] == envelope["task_identity"] and (
                prior["terminal_state"] != envelope["terminal_state"] or prior["commitment"] != commitment):
            raise Denied("federation_terminal_conflict", ["evidence_receipt"])
    after, before = context.get("created_after"), context.get("created_before")
    for name, moment in (("created_after", after), ("created_before", before)):
        if moment is not None and not sig.is_moment(moment):
            raise Denied("invalid_type", [name])
    created = attributes["created_at"]
    if (after is not None and created < after) or (before is not None and created > before):
        raise Denied("invalid_constraint", ["evidence_receipt", "signature", "created_at"])
    return {"task_identity": envelope["task_identity"], "terminal_state": envelope["terminal_state"],
            "terminal_commitment": commitment}


# The operations. Documents are bytes, in and out.

def answer(operation, params, lengths="refused", counting="container"):
    name = operation.removeprefix("federation.")
    if name == "decode":
        return {"canonical": jsn.canonical(decode(params["document"], params.get("bounds"), lengths))}
    if name in ("to_a2a", "to_mcp"):
        return {"carrier": jsn.canonical(to_carrier(name[3:], decode(params["envelope"], None, lengths)))}
    if name in ("from_a2a", "from_mcp"):
        carrier = jsn.decode(params["carrier"], bounded=False)
        return {"canonical": jsn.canonical(from_carrier(name[5:], carrier, lengths, counting))}
    if name == "map_state":
        return {"state": map_state(params["from"], params["to"], params["state"])}
    if name == "digest":
        digest = sig.tagged(params["domain"], params["document"])
        if "declared" in params:
            sig.compare(params["declared"], digest)
        return {"digest": digest}
    if name in ("commit", "issue"):
        ending = (decode(params["envelope"], None, lengths), params["terminal_state"], params["result_digest"],
                  params["checkpoint_history_commitment"])
        if name == "issue":
            purpose = params.get("purpose", "federation-envelope")
            return {"envelope": issue(*ending, params["seed"], params["key_id"], params["created_at"], purpose)}
        ended, commitment, content = commit(*ending)
        return {"terminal_commitment": commitment, "content_digest": content}
    if name == "verify_commitment":
        return verify_commitment(decode(params["envelope"], None, lengths), params["context"])
    raise ValueError(f"{operation} is not of this oracle")


def run(operation, params, lengths="refused", counting="container"):
    """{"ok": output} or {"refused": {"code", "at"}}."""
    try:
        return {"ok": answer(operation, params, lengths, counting)}
    except Denied as denied:
        return {"refused": {"code": denied.code, "at": denied.at}}
