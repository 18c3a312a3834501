"""The trace: entries as Markdown list items, read in both forms, appended to without a change to what is there."""

import re

from document import decode, moment
from front import Refused

AGENT = re.compile(r"- \*\*Agent\*\*: `([^`]+)` @ `([^`]+)`[ \t]*\Z")
BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # what ends a line somewhere, or is no text
ITEM = re.compile(r"( {0,4}|\t)- \*\*(Action|Brief|[A-Z][A-Za-z ]*)\*\*:[ \t]*(.*?)[ \t]*\Z")


def entries(data, choices):
    found, before, backwards = [], None, False
    for line in decode(data).split("\n"):
        line = line.removesuffix("\r")
        if not line.strip():
            continue
        if choices.stray == "kept":
            line = re.sub(r"^( *)[*+] ", r"\1- ", line)
        if head := AGENT.match(line):
            if found and "action" not in found[-1]:
                stray(found, choices)
            when = moment(head[2], choices)
            backwards |= before is not None and when is not None and when < before
            before = when
            found.append({"agent": head[1], "timestamp": head[2]})
        elif (item := ITEM.match(line)) and found and item[2] != "Agent" and (item[2] == "Action") == ("action" not in found[-1]):
            if item[2] == "Action":
                if not item[3]:
                    raise Refused("an empty action")
                found[-1]["action"] = item[3]
            elif item[2] == "Brief" and "brief" not in found[-1]:
                found[-1]["brief"] = item[3].strip("`")
        elif choices.stray == "refused":
            raise Refused("a line that is no part of an entry")
        elif choices.stray == "kept" and found and "action" in found[-1]:
            found[-1]["action"] += " " + line.strip()
    if found and "action" not in found[-1]:
        stray(found, choices)
    return found, backwards


def stray(found, choices):
    if choices.stray == "refused":
        raise Refused("an entry without an action")
    if choices.stray == "ignored":
        found.pop()
    else:
        found[-1]["action"] = ""


def append(data, agent, timestamp, action, brief, choices):
    held = len(entries(data, choices)[0])
    for name, value in (("agent", agent), ("timestamp", timestamp), ("action", action)):
        if not isinstance(value, str) or not value.strip():
            raise Refused(f"no {name}")
    moment(timestamp, choices)
    name = agent + (brief or "")
    if "`" in name or BREAKS.search(name) or BREAKS.search(action) and choices.forged == "refused":
        raise Refused("text that could forge an entry")
    action = BREAKS.sub(" ", action).strip()
    indent = "  " if choices.form == "nested" else ""
    lines = [f"- **Agent**: `{agent}` @ `{timestamp}`", f"{indent}- **Action**: {action}"]
    if brief:
        lines.append(f"{indent}- **Brief**: `{brief}`")
    end = "\r\n" if b"\r\n" in data else "\n"
    glue = b"" if not data or data.endswith(b"\n") else end.encode()
    made = data + glue + (end.join(lines) + end).encode()
    if len(entries(made, choices)[0]) != held + 1:
        raise Refused("text that forges an entry")
    return made
