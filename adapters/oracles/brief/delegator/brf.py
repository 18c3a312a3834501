"""A second delegator of Brief 1.2, written from the specification's text alone.

`run(operation, params, takes)` answers with `{"ok": …}` or `{"refused": {…}}`; documents are bytes in and out. `takes` says
how each open question is answered: see `READINGS`. YAML's events come from libyaml; what is made of them is done here.
"""

import datetime
import re
import uuid

import yaml

# Three whole sets of answers to what the text leaves open. A case that is no reading comes out alike by all of them.
READINGS = [
    dict(front="refused", blanks="fence", body="kept", scalars="text", times="refused", status="any", yaml="refused",
         lines="refused", order="time", second="refused", loosened="refused", version="refused", own="refused"),
    dict(front="skipped", blanks="no-fence", body="trimmed", scalars="value", times="read", status="success", yaml="read",
         lines="ignored", order="branch", second="first", loosened="kept", version="read", own="read"),
    dict(front="refused", blanks="fence", body="kept", scalars="refused", times="refused", status="any", yaml="refused",
         lines="kept", order="time", second="first", loosened="kept", version="read", own="read"),
]
MEMBERS = ["id", "protocolVersion", "delegator", "delegatee", "timestamp"]
DEPTHS = ["maxDepth", "currentDepth"]


class Refused(Exception):
    pass


# Documents

def text_of(document):
    try:
        return document.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        raise Refused("not UTF-8") from error


def split(document, takes):
    """The front matter's text and the body's."""
    text = text_of(document)
    if takes["front"] == "skipped":
        text = text.removeprefix("\ufeff").lstrip("\r\n")
    fence = re.compile(r"---[ \t]*\r?\n" if takes["blanks"] == "fence" else r"---\r?\n")
    opening = fence.match(text)
    if not opening:
        raise Refused("no fence at the front")
    at = opening.end()
    closing_fence = re.compile(fence.pattern.removesuffix(r"\n") + r"(\n|$)")
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end + 1
        if text.startswith("---", at) and closing_fence.fullmatch(text[at:end]):
            body = text[end:]
            return text[opening.end():at], body if takes["body"] == "kept" else body.strip("\r\n")
        at = end
    raise Refused("no second fence")


CORE = [(re.compile(r"null|Null|NULL|~|"), None), (re.compile(r"true|True|TRUE|false|False|FALSE"), "bool"),
        (re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"), "int"),
        (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), "float")]


def plain(text):
    """The type that the core schema of YAML 1.2 gives a plain scalar, and its value."""
    for pattern, kind in CORE:
        if pattern.fullmatch(text):
            if kind == "bool":
                return kind, text.lower() == "true"
            if kind == "int":
                base = {"0o": 8, "0x": 16}.get(text[:2], 10)
                return kind, int(text[2:] if base != 10 else text, base)
            return (kind, None) if kind is None else (kind, float(text.replace(".inf", "inf").replace(".nan", "nan").lower()))
    return "str", text


class Scalar:
    def __init__(self, event):
        self.text, self.quoted = event.value, event.style not in (None, "")
        self.kind, self.value = ("str", event.value) if self.quoted or event.tag else plain(event.value)

    def json(self):
        return self.text if self.kind == "float" else self.value


def front_matter(text, takes):
    """A dict from key to Scalar, list or dict; duplicate keys refused at every depth."""
    try:
        events = list(yaml.parse(text.replace("\r\n", "\n"), Loader=yaml.CSafeLoader))
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise Refused(f"no YAML: {error}") from error
    stack, anchors, roots = [], {}, []

    def put(value):
        if not stack:
            roots.append(value)
        elif isinstance(stack[-1][0], list):
            stack[-1][0].append(value)
        elif stack[-1][1] is None:
            stack[-1][1] = value
        else:
            key = stack[-1][1]
            if not isinstance(key, Scalar):
                raise Refused("a key that is no scalar")
            if key.text in stack[-1][0]:
                raise Refused("a key twice")
            stack[-1][0][key.text], stack[-1][1] = value, None

    for event in events:
        odd = getattr(event, "anchor", None) or getattr(event, "tag", None) not in (None, "!")
        if isinstance(event, yaml.DocumentStartEvent):
            odd = event.version or event.tags
        if isinstance(event, yaml.AliasEvent) or odd:
            harmless = not isinstance(event, yaml.AliasEvent) and getattr(event, "tag", None) in (None, "!", "tag:yaml.org,2002:str")
            if takes["yaml"] == "refused" or not (harmless or isinstance(event, yaml.AliasEvent)):
                raise Refused("more of YAML than the plain lines")
        if isinstance(event, yaml.AliasEvent):
            if not isinstance(anchors.get(event.anchor), Scalar):
                raise Refused("an alias to more than a scalar")
            put(anchors[event.anchor])
        elif isinstance(event, yaml.ScalarEvent):
            scalar = Scalar(event)
            if event.anchor:
                anchors[event.anchor] = scalar
            put(scalar)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(stack) > 64:
                raise Refused("nested too deeply")
            stack.append([{} if isinstance(event, yaml.MappingStartEvent) else [], None])
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            put(stack.pop()[0])
    if len(roots) != 1 or not isinstance(roots[0], dict):
        raise Refused("not one mapping")
    return roots[0]


def as_json(value):
    if isinstance(value, Scalar):
        return value.json()
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value]


def string(members, name, takes, needed=True):
    value = members.get(name)
    if isinstance(value, Scalar) and value.kind is None:
        value = None  # absence, by whichever reading
    if value is None and not needed:
        return None
    if not isinstance(value, Scalar):
        raise Refused(f"{name}: missing, or no string")
    if value.kind != "str":
        if takes["scalars"] == "refused":
            raise Refused(f"{name}: another type")
        return value.text if takes["scalars"] == "text" else str(value.value)
    if value.text == "":
        raise Refused(f"{name}: empty")
    return value.text


STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)


def moment(text, takes=None):
    """Seconds since 1970 and the fraction's digits, so that nanoseconds compare."""
    if takes and takes["times"] == "read" and re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        text += "T00:00:00Z"
    match = STAMP.fullmatch(text)
    if not match or (match[8] is None and not (takes and takes["times"] == "read")):
        raise Refused("no timestamp")
    try:
        day = datetime.datetime(*map(int, match.groups()[:6]))
    except ValueError as error:
        raise Refused("no such day or time") from error
    offset = 0
    if match[8] and match[8] not in "Zz":
        hours, minutes = int(match[8][1:3]), int(match[8][4:6])
        if hours > 23 or minutes > 59:
            raise Refused("no such offset")
        offset = (60 * hours + minutes) * (-60 if match[8][0] == "-" else 60)
    whole = (day - datetime.datetime(1970, 1, 1)) // datetime.timedelta(seconds=1)
    return whole - offset, (match[7] or "").rstrip("0")


def brief(document, takes):
    front, body = split(document, takes)
    members = front_matter(front, takes)
    fields = {name: string(members, name, takes) for name in MEMBERS}
    moment(fields["timestamp"], takes)
    version = fields["protocolVersion"]
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?\S*", version) or (takes["version"] == "refused" and not re.fullmatch(r"1\.\d+\.\d+", version)):
        raise Refused("no such version")
    if "parentId" in members:
        fields["parentId"] = string(members, "parentId", takes)
    for name in DEPTHS:
        if name in members:
            value = members[name]
            if not isinstance(value, Scalar) or value.kind != "int" or value.value < 0:
                raise Refused(f"{name}: no whole number from 0")
            fields[name] = value.value
    if not body.strip():
        raise Refused("no body")
    extra = {key: as_json(value) for key, value in members.items() if key not in MEMBERS + DEPTHS + ["parentId"]}
    return fields, extra, body


def response(document, takes):
    front, body = split(document, takes)
    members = front_matter(front, takes)
    fields = {name: string(members, name, takes) for name in ("id", "status", "timestamp")}
    moment(fields["timestamp"], takes)
    if takes["status"] == "success" and fields["status"] != "success":
        raise Refused("no status")
    extra = {key: as_json(value) for key, value in members.items() if key not in fields}
    return fields, extra, body


def sections(body):
    found, fence, comment = [], None, False
    for line in body.splitlines(keepends=True):
        bare = line.strip()
        heading = None
        if comment:
            comment = "-->" not in line
        elif fence:
            if bare and set(bare) == {fence[0]} and len(bare) >= len(fence):
                fence = None
        elif mark := re.match(r" {0,3}(`{3,}|~{3,})", line):
            fence = mark[1]
        elif bare.startswith("<!--"):
            comment = "-->" not in line
        else:
            heading = re.match(r"## +(?:\d+\. +)?(.*?)\s*$", line)
        if heading:
            found.append({"name": heading[1], "text": ""})
        elif found:
            found[-1]["text"] += line
    return [dict(each, text=each["text"].strip()) for each in found]


# Writing

def quoted(text):
    def one(char):
        if char in '"\\':
            return "\\" + char
        number = ord(char)
        if 0x20 <= number < 0x7F:
            return char
        return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
    return '"' + "".join(map(one, text)) + '"'


def create(params, takes):
    given = {name: params.get(name) for name in MEMBERS}
    given["id"] = params["id"] if "id" in params else f"brief-{uuid.uuid4()}"
    given["protocolVersion"] = params.get("protocolVersion", "1.2.0")
    given["timestamp"] = params.get("timestamp", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    lines = []
    for name in MEMBERS:
        if not isinstance(given[name], str) or not given[name]:
            raise Refused(f"{name}: missing")
        lines.append(f"{name}: {quoted(given[name])}")
    if "parentId" in params:
        lines.append(f"parentId: {quoted(params['parentId'])}")
    lines += [f"{name}: {params[name]}" for name in DEPTHS if name in params]
    for key, value in params.get("extra", {}).items():
        if key in MEMBERS + DEPTHS + ["parentId"]:
            raise Refused("an extra with a member's name")
        lines.append(f"{quoted(key)}: {quoted(value)}")
    document = "\n".join(["---", *lines, "---", params.get("body", "")]).encode()
    brief(document, takes | {"blanks": "fence"})  # what no reader may take is not written
    output = {"document": document, "id": given["id"]}
    if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", given["id"]):
        output["filename"] = given["id"] + ".brief.md"
    return output


# Traces

AGENT = re.compile(r"- \*\*Agent\*\*: `([^`]+)` @ `([^`]+)`")
ACTION = re.compile(r"(?:  )?- \*\*Action\*\*: (.*)")
BRIEF = re.compile(r"(?:  )?- \*\*Brief\*\*: (.*)")


def entries(document, takes):
    found, whole = [], True
    for line in without_break(document).replace(b"\r\n", b"\n").split(b"\n"):
        line = text_of(line)
        if line == "" and (takes["lines"] != "refused" or not found):
            continue
        if match := AGENT.fullmatch(line):
            if not whole:
                half(found, takes)
            found.append({"agent": match[1], "timestamp": match[2], "action": None})
            whole = False
        elif (match := ACTION.fullmatch(line)) and not whole:
            found[-1]["action"], whole = match[1], True
        elif (match := BRIEF.fullmatch(line)) and whole and found and "brief" not in found[-1]:
            found[-1]["brief"] = match[1]
        elif (match := ACTION.fullmatch(line)) and takes["lines"] == "kept" and not found:
            found.append({"agent": "", "timestamp": "", "action": match[1]})
        else:
            stray(line, found, takes)
    if not whole:
        half(found, takes)
    return found


def half(found, takes):
    if takes["lines"] == "refused":
        raise Refused("half an entry")
    if takes["lines"] == "ignored":
        found.pop()
    else:
        found[-1]["action"] = ""


def stray(line, found, takes):
    if takes["lines"] == "refused":
        raise Refused("a line that is no entry")
    if takes["lines"] == "kept" and found and found[-1]["action"] is not None and line.startswith("<"):
        found[-1]["action"] += " " + line


def parse_trace(document, takes):
    found = entries(document, takes)
    warnings = []
    for before, after in zip(found, found[1:]):
        try:
            if moment(after["timestamp"]) < moment(before["timestamp"]):
                warnings.append({"code": "backwards"})
        except Refused:
            warnings.append({"code": "no-time"})
    return found, warnings


def without_break(document):
    return document.removesuffix(b"\n").removesuffix(b"\r")


def added(handed_down, returned, takes):
    """The bytes that a branch added. A final line break aside, it begins with what was handed down and ends a line there."""
    prefix = without_break(handed_down)
    rest = returned[len(prefix):]
    if not returned.startswith(prefix) or (prefix and rest and not rest.startswith((b"\n", b"\r\n"))):
        raise Refused("does not begin with what was handed down")
    entries(returned, takes)
    return rest.removeprefix(b"\r").removeprefix(b"\n") if prefix else rest


def merge(params, takes):
    held = params["trace"]
    known = entries(held, takes)
    branches, seen = [], set()
    for branch in params["branches"]:
        name = branch["brief"]
        if not name or re.search(r"[\x00-\x1f`]", name):
            raise Refused("a brief that can't stand in an entry")
        more = entries(added(branch["handed_down"], branch["returned"], takes), takes)
        merged_before = any(each.get("brief") == name for each in known[len(entries(branch["handed_down"], takes)):])
        if name not in seen and not merged_before:
            branches.append([{"brief": name, **each} for each in more])
        seen.add(name)
    if takes["order"] == "branch":
        new = [each for branch in branches for each in branch]
    else:
        new = []
        while heads := [(moment(branch[0]["timestamp"]), index) for index, branch in enumerate(branches) if branch]:
            new.append(branches[min(heads)[1]].pop(0))
    text = held if not held or held.endswith(b"\n") or not new else held + b"\n"
    for each in new:
        text += (f"- **Agent**: `{each['agent']}` @ `{each['timestamp']}`\n  - **Action**: {each['action']}\n"
                 f"  - **Brief**: {each['brief']}\n").encode()
    return {"trace": text}


# Trees and waits

def tree(documents, takes):
    by_id = {}
    for document in documents:
        fields = brief(document, takes)[0]
        if fields["id"] in by_id:
            raise Refused("two of one id")
        by_id[fields["id"]] = fields
    nodes = {}
    for start in by_id:
        way, passed, at = [], set(), start
        while at in by_id and at not in nodes:
            if at in passed:
                raise Refused("a cycle")
            way.append(at)
            passed.add(at)
            parent = by_id[at].get("parentId")
            if parent is None:
                break
            at = parent
        for at in reversed(way):
            parent = by_id[at].get("parentId")
            if parent is not None and parent not in nodes:
                nodes[parent] = {"id": parent, "parent": None, "depth": 0, "outside": True}
            nodes[at] = {"id": at, "parent": parent, "depth": nodes[parent]["depth"] + 1 if parent is not None else 0, "outside": False}
    if takes["loosened"] == "refused":
        for fields in by_id.values():
            above = by_id.get(fields.get("parentId"), {})
            for name in DEPTHS:
                if name in above and (name not in fields or (fields[name] > above[name] if name == "maxDepth" else fields[name] < above[name])):
                    raise Refused(f"{name} loosened")
    return {"nodes": sorted(nodes.values(), key=lambda node: node["id"])}


def fan_in(params, takes):
    read = {}
    for document in params["responses"]:
        fields = response(document, takes)[0]
        name = fields["id"]
        if name in read and read[name][0] != document and takes["second"] == "refused":
            raise Refused("two responses for one id")
        read.setdefault(name, (document, fields["status"]))
    awaiting = params["awaiting"]
    missing = [name for name in awaiting if name not in read]
    return {"complete": not missing, "missing": missing, "unexpected": [name for name in read if name not in awaiting],
            "received": [{"id": name, "status": status} for name, (_, status) in read.items() if name in awaiting]}


def parse_response(params, takes):
    fields, extra, body = response(params["document"], takes)
    warnings = []
    if "brief" in params:
        asked = brief(params["brief"], takes)[0]
        if asked["id"] != fields["id"]:
            raise Refused("of another brief")
        if moment(fields["timestamp"], takes) < moment(asked["timestamp"], takes):
            warnings.append({"code": "older"})
    return {"fields": fields, "extra": extra, "body": body.encode(), "sections": sections(body), "warnings": warnings}


def parse(params, takes):
    fields, extra, body = brief(params["document"], takes)
    return {"fields": fields, "extra": extra, "root": "parentId" not in fields, "body": body.encode(), "sections": sections(body), "warnings": []}


def run(operation, params, takes):
    try:
        if operation == "brief.parse_trace":
            found, warnings = parse_trace(params["trace"], takes)
            return {"ok": {"entries": found, "warnings": warnings}}
        if operation == "brief.tree":
            return {"ok": tree(params["briefs"], takes)}
        return {"ok": {"brief.create": create, "brief.parse": parse, "brief.parse_response": parse_response,
                       "brief.merge_trace": merge, "brief.fan_in": fan_in}[operation](params, takes)}
    except Refused as refused:
        return {"refused": {"message": str(refused)}}
