"""The host's operations, one `run` for all: cards, the mapping, and what an event says."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import cards  # noqa: E402
import jsn  # noqa: E402
from jsn import Denied  # noqa: E402

A2A_KEY, MCP_KEY = "https://example.com/extensions/federation", "com.example/federation"
INTERRUPTED = {"a2a": {"TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"}, "mcp": {"input_required"}}
TERMINAL = {"a2a": {"TASK_STATE_COMPLETED": "completed", "TASK_STATE_FAILED": "failed", "TASK_STATE_CANCELED": "canceled",
                    "TASK_STATE_REJECTED": "rejected"},
            "mcp": {"completed": "completed", "failed": "failed", "cancelled": "canceled"}}

# The mapping table: member, verdict, and the dotted names of its two columns. None: the column has words that are neither
# a dotted name nor "none", and the corpus leaves it open.
MAPPING = [
    ("task_identity", "native", ["Task.id"], ["Task.taskId"]),
    ("idempotency_identity", "extension", [], []),
    ("parent_execution_reference", "partial", ["Message.reference_task_ids", "Task.context_id"], []),
    ("initiating_subject", "extension", [], []),
    ("blueprint_digest", "extension", [], []),
    ("deployment_digest", "extension", [], []),
    ("input_commitment", "partial", ["Message.parts[].data", "Part.metadata"], None),
    ("result_schema", "extension", ["Part.media_type", "AgentSkill.output_modes"], ["CompletedTask.result"]),
    ("result_classification_ceiling", "extension", [], []),
    ("time_policy", "partial", None, ["Task.ttlMs"]),
    ("resource_policy", "extension", [], []),
    ("recovery_handle", "native", ["Task.id"], None),
    ("issuer", "extension", [], []),
    ("subject", "extension", [], []),
    ("audience", "extension", [], []),
    ("identity_mapping_evidence", "extension", [], []),
    ("checkpoint_request", "partial", ["TaskStatus.message"], None),
    ("checkpoint_status", "native", ["TaskStatus.state"], ["Task.status"]),
    ("checkpoint_commitment", "extension", [], None),
    ("terminal_state", "partial", None, None),
    ("evidence_receipt", "extension", None, []),
    ("compatibility_reference", "extension", ["AgentCard.version"], []),
    ("authority_proof_references", "extension", [], []),
]
EXT = "0d0a6bd4c258b35caa3c810a1dd506cf105b1501"
PINS = [("fc18e7c29777b64dc1b4119a02859fbfd5937383", "cfc9d34bc41e368827eb6446d31f912e44f795c5"),
        ("52dd19738a3dac86518c28344b18630e29b12999", EXT), ("edb18b6edeab2ebb9807c8c03cccd8984d1d0ebc", EXT),
        ("4070c34bf3a88ebe3eff45809f91d805cf30c5b3", EXT)]
LANES = {"a2a": "primary", "mcp": "draft-tracking"}


def mapping():
    rows = [{"number": number, "field": field, "verdict": verdict, "a2a": a2a, "mcp": mcp}
            for number, (field, verdict, a2a, mcp) in enumerate(MAPPING, 1)]
    return {"rows": rows, "lanes": LANES, "pins": [{"source": "", "sha1": sha1, "commit": at} for sha1, at in PINS]}


def observe(transport, event, envelope=None):
    """Nothing that a transport says authorises; only a task that brings its receipt brings a terminal receipt."""
    value = jsn.decode(event, bounded=False)
    while isinstance(inner := next((value[name] for name in ("result", "statusUpdate", "task", "params")
                                    if isinstance(value.get(name), dict)), None), dict):
        if value.get("method") in ("CancelTask", "tasks/cancel"):
            break
        value = inner
    status, holder, key = value.get("status"), value.get("metadata"), A2A_KEY
    if transport == "a2a":
        state = status.get("state") if isinstance(status, dict) else None
    else:
        state, holder, key = status, value.get("_meta"), MCP_KEY
    body = holder.get(key, {}) if isinstance(holder, dict) else {}
    known = jsn.decode(envelope) if envelope is not None else body
    receipt = "evidence_receipt" in body and state in TERMINAL[transport]
    return {"authorizes": False, "terminal_receipt": receipt, "interrupted": state in INTERRUPTED[transport],
            "execution_bound_ms": known.get("time_policy", {}).get("elapsed_ms")}


def run(operation, params, **readings):
    """{"ok": output} or {"refused": {"code"}}. `readings` are those of FED-R-4: unknown, empty, null."""
    try:
        return {"ok": answer(operation.removeprefix("federation."), params, readings)}
    except Denied as denied:
        return {"refused": {"code": denied.code}}


def answer(operation, params, readings):
    if operation == "mapping":
        return mapping()
    if operation == "observe":
        return observe(params["transport"], params["event"], params.get("envelope"))
    if operation == "card_preimage":
        return {"canonical": cards.preimage(params["card"], params["profile"], **readings)}
    if operation == "card_sign":
        asked = {name: params[name] for name in ("card", "key", "kid", "alg", "typ") if name in params}
        return {"card": cards.sign(**asked)}
    if operation == "card_verify":
        return {"verified": cards.verified(params["card"], params["keys"], params.get("profile", "spec"), **readings)}
    raise ValueError(operation)
