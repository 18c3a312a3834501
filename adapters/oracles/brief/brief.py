"""`run(operation, params, choices)`: every operation of the suite, by the text of Brief 1.2 alone."""

import itertools

import a2a
import family
import trace
from document import Choices, brief, moment, response, version, write
from front import Refused

NUMBERS = itertools.count(1)
NOW = "2026-11-30T12:00:00Z"


def run(operation, params, choices=Choices()):
    """{"ok": output} or {"refused": {"message"}}."""
    try:
        return {"ok": OPERATIONS[operation](params, choices)}
    except Refused as refused:
        return {"refused": {"message": str(refused)}}


def text(params, name, fallback=None):
    value = params.get(name, fallback)
    if not isinstance(value, str) or not value.strip():
        raise Refused(f"{name} is missing or no text")
    return value


def create(params, choices):
    made = {"id": text(params, "id", f"brief-{next(NUMBERS):012x}")}
    if "parentId" in params:
        made["parentId"] = text(params, "parentId")
    made |= {"protocolVersion": text(params, "protocolVersion", "1.2.0"), "delegator": text(params, "delegator"),
             "delegatee": text(params, "delegatee"), "timestamp": text(params, "timestamp", NOW)}
    version(made["protocolVersion"], choices)
    moment(made["timestamp"], choices)
    for name in ("maxDepth", "currentDepth"):
        if name in params:
            if type(params[name]) is not int or params[name] < 0:
                raise Refused(f"{name} is no whole number")
            made[name] = params[name]
    for key, value in params.get("extra", {}).items():
        if key in made or not isinstance(value, str):
            raise Refused("extra takes further members with text")
        made[key] = value
    document = write({key: made[key] for key in made}, text(params, "body"))
    brief(document, choices)
    return {"document": document, "id": made["id"]}


def delegate(params, choices):
    held = brief(params["brief"], choices)[0]["fields"]
    given = {name: params[name] for name in ("delegator", "delegatee", "body", "id", "timestamp") if name in params}
    root = "parentId" not in held
    at = held.get("currentDepth", 0 if root or choices.sub_depth == "depth-0" else 1)
    if "maxDepth" in held:
        if at > held["maxDepth"] or at == held["maxDepth"] and choices.bound == "none":
            raise Refused("the bound is spent")
        given |= {"maxDepth": held["maxDepth"], "currentDepth": at + 1}
    elif "currentDepth" in held and choices.count == "counted":
        given["currentDepth"] = at + 1
    made = create(given | {"parentId": held["id"]}, choices)
    fields = brief(made["document"], choices)[0]["fields"]
    action = params.get("action", f"Delegating. Created `{made['id']}.brief.md`.")
    handed = trace.append(params["trace"], fields["delegator"], fields["timestamp"], action, None, choices)
    return {"document": made["document"], "trace": handed}


def respond(params, choices):
    held, before = brief(params["brief"], choices)
    fields = held["fields"]
    when = text(params, "timestamp", NOW if before is None or before < moment(NOW, choices) else fields["timestamp"])
    at = moment(when, choices)
    if None not in (at, before) and at < before:
        raise Refused("an answer older than its question")
    document = write({"id": fields["id"], "status": text(params, "status"), "timestamp": when}, text(params, "body"))
    response(document, choices)
    made = {"document": document, "to": fields["delegator"]}
    if "trace" in params:
        action = f"Responded with `{fields['id']}.response.md`."
        made["trace"] = trace.append(params["trace"], text(params, "agent", fields["delegatee"]), when, action, None, choices)
    return made


def parse_response(params, choices):
    made, when = response(params["document"], choices)
    if "brief" in params:
        asked, before = brief(params["brief"], choices)
        if asked["fields"]["id"] != made["fields"]["id"]:
            raise Refused("the answer to another brief")
        if None not in (when, before) and when < before:
            made["warnings"].append("older than its brief")
    return made


def parse_trace(params, choices):
    found, backwards = trace.entries(params["trace"], choices)
    return {"entries": found, "warnings": ["not in time order"] if backwards else []}


def append_trace(params, choices):
    return {"trace": trace.append(params["trace"], params.get("agent"), params.get("timestamp"), params.get("action"),
                                  params.get("brief"), choices)}


OPERATIONS = {
    "brief.create": create,
    "brief.parse": lambda params, choices: brief(params["document"], choices)[0],
    "brief.parse_response": parse_response,
    "brief.respond": respond,
    "brief.delegate": delegate,
    "brief.append_trace": append_trace,
    "brief.parse_trace": parse_trace,
    "brief.merge_trace": family.merge,
    "brief.tree": family.tree,
    "brief.fan_in": family.fan_in,
    "brief.to_a2a": a2a.to_a2a,
    "brief.from_a2a": lambda params, choices: a2a.from_a2a(params),
    "brief.match": lambda params, choices: a2a.match(params),
}
