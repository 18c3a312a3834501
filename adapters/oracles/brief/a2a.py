"""Carriage in A2A 1.0 messages, and who matches a capability."""

import json
import re

from document import CAPABILITY, brief, decode, response
from front import Refused

PROTOCOL = "brief-protocol-v1.2"


def unique(pairs):
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Refused("a member twice")
    return made


def load(data):
    try:
        return json.loads(decode(data).encode(), object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Refused("no JSON") from error


def to_a2a(params, choices):
    reader, kind = (response, "response") if params.get("response") else (brief, "brief")
    name = reader(params["document"], choices)[0]["fields"]["id"]
    parts = [{"text": decode(params["document"]), "mediaType": "text/markdown"}]
    if not re.search(r"[/\\:\x00-\x1f\x7f]|\.\.|^\.", name):
        parts[0]["filename"] = f"{name}.{kind}.md"
    if "trace" in params:
        parts.append({"text": decode(params["trace"]), "filename": "trace.md", "mediaType": "text/markdown"})
    role = "ROLE_AGENT" if params.get("response") else "ROLE_USER"
    return {"request": json.dumps({"message": {"messageId": "m-1", "role": role, "parts": parts}}).encode()}


def text_of(part):
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        raise Refused("a part without text")
    if sum(name in part for name in ("text", "raw", "url", "data")) != 1:
        raise Refused("a part with two contents")
    try:
        return part["text"].encode()
    except UnicodeEncodeError as error:
        raise Refused("half of a surrogate pair") from error


def from_a2a(params):
    request = load(params["request"])
    message = request.get("message") if isinstance(request, dict) else None
    parts = message.get("parts") if isinstance(message, dict) else None
    if not isinstance(parts, list) or not parts:
        raise Refused("no parts")
    made = {"document": text_of(parts[0])}
    if len(parts) > 1 and isinstance(parts[1], dict) and "text" in parts[1]:
        made["trace"] = text_of(parts[1])
    return made


def match(params):
    delegatee = params["delegatee"]
    if not isinstance(delegatee, str) or not delegatee.startswith(CAPABILITY) or delegatee == CAPABILITY:
        raise Refused("no capability")
    wanted, matches = delegatee[len(CAPABILITY):], []
    for index, data in enumerate(params["cards"]):
        card = load(data)
        skills = card.get("skills", [])
        extensions = card.get("capabilities", {}).get("extensions", [])
        speaks = any(each.get("uri") == PROTOCOL for each in extensions)
        speaks |= any(PROTOCOL in each.get("tags", []) for each in skills)
        if speaks and any(each.get("id") == wanted for each in skills):
            matches.append(index)
    return {"matches": matches}
