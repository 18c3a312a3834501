"""Briefs and responses: fences, fields, body, sections. Every question that the text leaves open is a choice in `Choices`."""

import calendar
import dataclasses
import datetime
import re

import front
from front import Plain, Refused

CAPABILITY = "capability:"


@dataclasses.dataclass(frozen=True)
class Choices:
    around: str = "refused"        # BRF-R-1: or skipped
    fence: str = "fence"           # BRF-R-1: or no-fence
    blank: str = "kept"            # BRF-R-2: or trimmed
    plain: str = "text"            # BRF-R-3: or refused, value
    time: str = "refused"          # BRF-R-4: or read
    version: str = "reference"     # BRF-R-5: or refused, read
    edge: str = "refused"          # BRF-R-6, BRF-R-7: or read, root
    depth: str = "reference"       # BRF-R-8: or refused, read
    sub_depth: str = "depth-1"     # BRF-R-8: or depth-0
    graph: str = "refused"         # BRF-R-9: or read
    status: str = "accepted"       # BRF-R-10: or refused
    form: str = "nested"           # BRF-R-11: or flat
    stray: str = "refused"         # BRF-R-11: or ignored, kept
    bound: str = "none"            # BRF-R-13: or one-more
    count: str = "counted"         # BRF-R-14: or left-out
    forged: str = "one"            # BRF-R-17: or refused
    order: str = "time"            # BRF-R-12: or branch
    chain: str = "refused"         # BRF-R-15: or kept
    answers: str = "refused"       # BRF-R-16: or first


# --- Fences ---

def decode(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("not UTF-8") from error


def split(data, choices):
    """(front matter, body), both text."""
    text = decode(data)
    if choices.around == "skipped":
        text = re.sub(r"\A\ufeff?(?:[ \t]*\r?\n)*", "", text)
    line = r"---[ \t]*\r?" if choices.fence == "fence" else r"---\r?"
    opening = re.match(line + r"\n", text)
    if not opening:
        raise Refused("no first fence")
    closing = re.compile(rf"^{line}(?:\n|\Z)", re.MULTILINE).search(text, opening.end())
    if not closing:
        raise Refused("no second fence")
    body = text[closing.end():]
    if choices.blank == "trimmed":
        body = re.sub(r"\A(?:[ \t]*\r?\n)+|(?:\r?\n[ \t]*)+\Z", "", body)
    if not body.strip():
        raise Refused("no body")
    return text[opening.end():closing.start()], body


# --- Fields ---

def string(members, name, choices):
    """A member that is needed and is a string."""
    if name not in members:
        raise Refused(f"{name} is missing")
    value = members[name]
    if not isinstance(value, str):
        raise Refused(f"{name} is no string")
    if isinstance(value, Plain):
        kind = value.kind
        if kind == "null" and (choices.plain != "value" or value == ""):
            raise Refused(f"{name} is null")
        if kind != "str" and choices.plain == "refused":
            raise Refused(f"{name} is no string")
        if kind != "str" and choices.plain == "value":
            value = {"null": "null", "bool": value.lower()}.get(kind) or str(front.as_json(value))
    if value == "":
        raise Refused(f"{name} is empty")
    return str(value)


def moment(text, choices):
    """The moment, None where it is read and is none that could be compared."""
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|([-+])(\d\d):(\d\d))", text, re.ASCII)
    if not found:
        if choices.time == "read":
            return loose(text)
        raise Refused("no timestamp")
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    if choices.time == "read" and ((hour, minute, second) == (24, 0, 0) or second == 60):
        return None
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(max(year, 1), month)[1]:
        raise Refused("no such day")
    if hour > 23 or minute > 59 or second > 59:
        raise Refused("no such time")
    offset = 0
    if found[8] != "Z":
        if int(found[10]) > 23 or int(found[11]) > 59:
            raise Refused("no such offset")
        offset = (int(found[10]) * 60 + int(found[11])) * (-1 if found[9] == "-" else 1)
    if year == 0:
        return None
    days = datetime.date(year, month, day).toordinal()
    return days * 86400 + hour * 3600 + minute * 60 + second - offset * 60 + float("0." + (found[7] or "0"))


def loose(text):
    """A reader that takes what begins like a date: every number in it must still be possible."""
    if re.match(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d", text):
        return None
    found = re.match(r"\s*(\d{4})-?(\d\d)-?(\d\d)(?!\d)(?:[Tt ](\d\d):?(\d\d)(?::?(\d\d))?)?", text, re.ASCII) or re.match(
        r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))", text, re.ASCII)
    if not found:
        raise Refused("no timestamp")
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups())
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(max(year, 1), month)[1]:
        raise Refused("no such day")
    if hour > 24 or minute > 59 or second > 60:
        raise Refused("no such time")
    offset = re.match(r"[-+](\d\d):?(\d\d)", text[found.end():])
    if offset and (int(offset[1]) > 23 or int(offset[2]) > 59):
        raise Refused("no such offset")
    return None


def version(text, choices):
    if text == "1.2.0":
        return
    if not re.search(r"\d", text) or not re.match(r"v?\d+(\.\d+)+", text, re.ASCII):
        raise Refused("no version")
    if choices.version == "read" or choices.version == "reference" and re.fullmatch(r"1\.\d+\.\d+", text, re.ASCII):
        return
    raise Refused("another version")


def depth(members, name, choices):
    value = members.get(name)
    if value is None or isinstance(value, Plain) and value.kind == "null" and choices.plain != "refused":
        return None
    if isinstance(value, Plain) and re.fullmatch(r"0|[1-9][0-9]{0,17}", value):
        if value == "0" and name == "maxDepth" and choices.depth == "refused":
            raise Refused("a bound of nothing")
        return int(value)
    if choices.depth == "read" and isinstance(value, str):
        try:
            number = float(int(value, 0)) if value[:2] in ("0x", "0o") else float(value)
            if number >= 0 and number == int(number):
                return int(number)
        except (ValueError, OverflowError):
            pass
    raise Refused(f"{name} is no whole number")


NAMED = ("id", "protocolVersion", "delegator", "delegatee", "timestamp")
KNOWN = {*NAMED, "parentId", "maxDepth", "currentDepth", "status"}


def brief(data, choices):
    head, body = split(data, choices)
    members = front.read(head, choices.graph == "read")
    fields = {name: string(members, name, choices) for name in NAMED}
    version(fields["protocolVersion"], choices)
    when = moment(fields["timestamp"], choices)
    if fields["delegatee"] == CAPABILITY and choices.edge == "refused":
        raise Refused("a capability without a name")
    root = True
    if "parentId" in members:
        parent = members["parentId"]
        if not isinstance(parent, str):
            raise Refused("parentId is no string")
        nothing = parent == "" or isinstance(parent, Plain) and parent.kind == "null"
        if nothing and choices.edge == "refused" and not isinstance(parent, Plain):
            raise Refused("parentId is empty")
        if not nothing or choices.edge == "read":
            fields["parentId"], root = "" if nothing else string(members, "parentId", choices), False
    if fields.get("parentId") == fields["id"] and choices.edge == "refused":
        raise Refused("its own parent")
    for name in ("maxDepth", "currentDepth"):
        if (number := depth(members, name, choices)) is not None:
            fields[name] = number
    if choices.depth == "refused" and fields.get("currentDepth", 0) > fields.get("maxDepth", 10**18):
        raise Refused("deeper than its bound")
    title, sections = outline(body)
    extra = {key: front.as_json(value) for key, value in members.items() if key not in KNOWN - {"status"}}
    return dict(fields=fields, extra=extra, root=root,
                body=body.encode(), sections=sections, warnings=[], **({"title": title} if title else {})), when


def response(data, choices):
    head, body = split(data, choices)
    members = front.read(head, choices.graph == "read")
    fields = {name: string(members, name, choices) for name in ("id", "status", "timestamp")}
    if fields["status"] != "success" and choices.status == "refused":
        raise Refused("another status")
    when = moment(fields["timestamp"], choices)
    extra = {key: front.as_json(value) for key, value in members.items() if key not in fields}
    return dict(fields=fields, extra=extra, body=body.encode(), sections=outline(body)[1], warnings=[]), when


# --- The body ---

def outline(body):
    """The title and the sections, by ATX headings outside fences and comments."""
    title, sections, fence, comment = None, [], None, False
    for line in body.split("\n"):
        line = line.rstrip("\r")
        if fence:
            if re.fullmatch(r" {0,3}" + re.escape(fence[0]) + "{%d,}[ \t]*" % len(fence), line):
                fence = None
        elif comment:
            comment = "-->" not in line
        elif opened := re.match(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})", line):
            fence = opened[1]
        elif re.match(r" {0,3}<!--", line):
            comment = "-->" not in line
        elif heading := re.match(r" {0,3}(#{1,2})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*\Z", line):
            if heading[1] == "#":
                title = title or heading[2]
            else:
                sections.append({"name": re.sub(r"\A\d+[.)][ \t]*", "", heading[2]), "text": []})
                continue
        if sections:
            sections[-1]["text"].append(line)
    return title, [{"name": each["name"], "text": "\n".join(each["text"]).strip("\n")} for each in sections]


# --- Writing ---

def quoted(text):
    out = []
    for char in text:
        code = ord(char)
        if char in '"\\':
            out.append("\\" + char)
        elif char.isprintable() and code < 0xD800 or code > 0xFFFF:
            out.append(char)
        else:
            out.append(f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
    return '"' + "".join(out) + '"'


def write(members, body):
    lines = [f"{name if name in KNOWN else quoted(name)}: {value if isinstance(value, int) else quoted(value)}" for name, value in members.items()]
    return ("---\n" + "\n".join(lines) + "\n---\n" + body).encode()
