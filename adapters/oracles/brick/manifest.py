"""Validates a BRICK Core 0.5 manifest, from the draft's text alone: `validate(manifest, resources, choices)`.

`choices` names the answer to each open question by the id of its reading (the defaults are in `DEFAULTS`), and under `must`
drops what is only this project's hardening: duplicates, lone surrogates, control characters in ids.
"""

import base64
import hashlib
import re
from collections import Counter

import skill
import urls
from reader import NotJson, Object, read

DEFAULTS = {"BRK-R-1": "refused", "BRK-R-2": "ignored", "BRK-R-3": "refused", "BRK-R-4": "refused", "BRK-R-5": "refused",
            "BRK-R-6": "refused", "BRK-R-7": "accepted", "BRK-R-8": "accepted", "BRK-R-9": "refused",
            "BRK-R-10": "refused", "BRK-R-11": "accepted", "BRK-R-12": "refused", "BRK-R-13": "refused",
            "BRK-R-14": "refused", "BRK-R-15": "refused", "BRK-R-18": "refused",
            "BRK-R-21": "refused", "BRK-R-23": "accepted", "halves": "refused", "controls": "refused"}
TOP = {"brickVersion", "agent", "goals", "instructions", "skills", "mcpServers", "capabilities", "a2a", "runtime",
       "extensions"}
STRING, ARRAY, OBJECT, BOOLEAN = "a string", "an array", "an object", "a boolean"
MISSING = object()


def kind(value):
    return {str: STRING, list: ARRAY, Object: OBJECT, bool: BOOLEAN}.get(type(value), "something else")


class Outcome:
    def __init__(self):
        self.faults, self.warnings, self.extensions = [], [], []

    @property
    def refused(self):
        return bool(self.faults)


def step(at, name):
    return f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}"


class Validator:
    def __init__(self, resources, choices):
        self.resources, self.choice, self.out = resources, dict(DEFAULTS, **choices), Outcome()

    def fault(self, at, code):
        self.out.faults.append((at, code))

    def warn(self, at, code):
        self.out.warnings.append((at, code))

    def asked(self, reading, at, code):
        """An open question: refused, or let through."""
        if self.choice[reading] == "refused":
            self.fault(at, code)

    # Members and their types

    def members(self, value, at, known):
        if kind(value) != OBJECT:
            self.fault(at, "no object")
            return None
        members = value.members(self.choice["BRK-R-21"])
        if known:
            for name in members.keys() - known:
                self.asked("BRK-R-2", step(at, name), "unknown member")
        return members

    def required(self, members, at, name, wanted):
        value = members.get(name, MISSING)
        if value is MISSING:
            self.fault(step(at, name), "missing")
            return None
        return self.typed(value, step(at, name), wanted)

    def optional(self, members, at, name, wanted):
        value = members.get(name, MISSING)
        if value is MISSING:
            return None
        if value is None:
            self.asked("BRK-R-3", step(at, name), "null")
            return None
        return self.typed(value, step(at, name), wanted)

    def typed(self, value, at, wanted):
        if kind(value) != wanted:
            self.fault(at, f"not {wanted}")
            return None
        return value

    def local_id(self, members, at):
        value = self.required(members, at, "id", STRING)
        if value == "":
            self.fault(step(at, "id"), "empty id")
        elif value and re.search(r"[\x00-\x1f\x7f-\x9f]", value) and self.choice["controls"] == "refused":
            self.fault(step(at, "id"), "control character in an id")
        return value

    def unique(self, ids, at):
        seen = set()
        for index, value in ids:
            if value in seen:
                self.fault(f"{at}/{index}/id", "id twice")
            seen.add(value)

    def strings(self, value, at):
        """The entries of an array of strings with their places; what is no string is a fault."""
        return [(index, item) for index, item in enumerate(value or [])
                if self.typed(item, f"{at}/{index}", STRING) is not None]

    def repeated(self, entries, at):
        for value, times in Counter(item for _, item in entries).items():
            if times > 1:
                self.asked("BRK-R-8", at, f"{value!r} is listed {times} times")

    # The parts

    def manifest(self, top):
        members = self.members(top, "", None)
        if members is None:
            return
        for name in members.keys() - TOP:
            self.fault(step("", name), "unknown member")
        self.version(members)
        if (agent := self.required(members, "", "agent", OBJECT)) is not None:
            self.agent(agent)
        self.texts(self.required(members, "", "goals", ARRAY), "/goals", at_least_one=True, may_be_empty=False)
        self.resource_entries(members, "instructions")
        skills = self.resource_entries(members, "skills")
        servers = self.servers(self.optional(members, "", "mcpServers", ARRAY))
        capabilities = self.capabilities(self.required(members, "", "capabilities", ARRAY), skills, servers)
        enabled = self.a2a(self.optional(members, "", "a2a", OBJECT))
        for name in ("runtime", "extensions"):
            value = members.get(name, MISSING)
            if value is None:
                self.asked("BRK-R-3", step("", name), "null")
            elif value is not MISSING and kind(value) != OBJECT:
                self.asked("BRK-R-14", step("", name), "not an object")
            elif name == "extensions" and value is not MISSING:
                self.out.extensions = sorted(value.members())
        if enabled and agent is not None:
            self.disclosure(agent.members(), capabilities, servers)

    def version(self, members):
        value = self.required(members, "", "brickVersion", STRING)
        if value is None or value == "0.5":
            return
        if re.fullmatch(r"\s*v?0*0\.50*(\.0)*\s*", value):
            self.asked("BRK-R-4", "/brickVersion", "another spelling")
        else:
            self.fault("/brickVersion", "another version")

    def agent(self, agent):
        members = self.members(agent, "/agent", {"id", "name", "description", "version"})
        for name in ("id", "name", "description", "version"):
            value = self.required(members, "/agent", name, STRING)
            if name == "id":
                if value is not None and urls.uri(value) is None:
                    self.fault("/agent/id", "no URI")
            elif value == "":
                self.asked("BRK-R-5", step("/agent", name), "empty")

    def texts(self, value, at, at_least_one=False, may_be_empty=True):
        if value is None:
            return
        if at_least_one and not value:
            self.fault(at, "no entry")
        for index, item in enumerate(value):
            if kind(item) != STRING:
                self.asked("BRK-R-6", f"{at}/{index}", "not a string")
            elif item == "" and not may_be_empty:
                self.asked("BRK-R-5", f"{at}/{index}", "empty")

    def resource_entries(self, members, name):
        at, ids = f"/{name}", []
        for index, entry in enumerate(self.optional(members, "", name, ARRAY) or []):
            here = f"{at}/{index}"
            parts = self.members(entry, here, {"id", "uri", "sha256"})
            if parts is None:
                continue
            ids.append((index, self.local_id(parts, here)))
            uri = self.required(parts, here, "uri", STRING)
            if uri == "":
                self.fault(step(here, "uri"), "empty")
            elif uri and urls.leaves_folder(uri):
                self.warn(step(here, "uri"), "leaves the folder")
            wanted = self.digest(self.optional(parts, here, "sha256", STRING), step(here, "sha256"))
            data = self.resources.get(uri)
            if data is not None:
                self.content(data, uri, wanted, here, name)
        self.unique([(index, value) for index, value in ids if value], at)
        return {value for _, value in ids if value}

    def digest(self, value, at):
        """The bytes of a digest, where it can be one."""
        if value is None:
            return None
        if re.fullmatch(r"[0-9a-f]{64}", value):
            return bytes.fromhex(value)
        plain = re.sub(r"^sha-?256[:-]", "", value, flags=re.I)
        if re.fullmatch(r"[0-9A-Fa-f]{64}", plain):
            self.asked("BRK-R-9", at, "another spelling of a digest")
            return bytes.fromhex(plain)
        try:
            data = base64.b64decode(plain.translate(str.maketrans("-_", "+/")).rstrip("=") + "=", validate=True)
        except ValueError:
            data = b""
        if len(data) == 32:
            self.asked("BRK-R-9", at, "a digest in base64")
            return data
        self.fault(at, "no digest")
        return None

    def content(self, data, uri, wanted, at, collection):
        if wanted is not None and hashlib.sha256(data).digest() != wanted:
            self.not_as_declared(step(at, "sha256"), "another digest")
        elif collection == "skills" and re.split(r"[?#]", uri)[0].endswith("SKILL.md"):
            if (what := skill.fault(data, uri)) is not None:
                self.not_as_declared(step(at, "uri"), what)

    def not_as_declared(self, at, code):
        (self.fault if self.choice["BRK-R-10"] == "refused" else self.warn)(at, code)

    def servers(self, value):
        ids, servers = [], []
        for index, entry in enumerate(value or []):
            at = f"/mcpServers/{index}"
            parts = self.members(entry, at, {"id", "transport", "endpoint", "allowedTools"})
            if parts is None:
                continue
            name = self.local_id(parts, at)
            ids.append((index, name))
            transport = self.required(parts, at, "transport", STRING)
            endpoint = self.required(parts, at, "endpoint", STRING)
            tools = self.strings(self.required(parts, at, "allowedTools", ARRAY), step(at, "allowedTools"))
            self.repeated(tools, step(at, "allowedTools"))
            for place, text in [("id", name), *((f"allowedTools/{number}", tool) for number, tool in tools)]:
                if text and ":" in text:
                    self.asked("BRK-R-7", f"{at}/{place}", "a colon in a name")
            if transport is not None and endpoint is not None:
                self.endpoint(transport, endpoint, step(at, "endpoint"), step(at, "transport"))
            servers.append((name, {tool for _, tool in tools}, endpoint))
        self.unique([(index, name) for index, name in ids if name], "/mcpServers")
        return servers

    def endpoint(self, transport, endpoint, at, transport_at):
        if transport == "stdio":
            if self.choice["BRK-R-13"] == "uri" and urls.uri(endpoint) is None:
                self.fault(at, "no URI")
            elif endpoint == "" or re.search(r"\s", endpoint) or re.match(r"https?:", endpoint, re.I):
                self.asked("BRK-R-13", at, "no endpoint of a stdio server")
        elif transport == "streamable-http":
            what, open_questions = urls.endpoint(endpoint)
            if what is not None:
                self.fault(at, what)
            elif open_questions == {"near"}:
                self.asked("BRK-R-23", at, "a host of this machine or of a private network")
            elif open_questions:
                self.asked("BRK-R-12", at, " and ".join(sorted(open_questions)))
        else:
            self.asked("BRK-R-11", transport_at, "another transport")
        if urls.credentials(endpoint):
            self.warn(at, "credentials in the query")

    def capabilities(self, value, skills, servers):
        ids, advertised = [], []
        if value == []:
            self.fault("/capabilities", "no entry")
        for index, entry in enumerate(value or []):
            at = f"/capabilities/{index}"
            parts = self.members(entry, at, {"id", "description", "inputs", "outputs", "skillRefs", "toolRefs", "advertise"})
            if parts is None:
                continue
            ids.append((index, self.local_id(parts, at)))
            if self.required(parts, at, "description", STRING) == "":
                self.asked("BRK-R-5", step(at, "description"), "empty")
            for name in ("inputs", "outputs"):
                self.texts(self.optional(parts, at, name, ARRAY), step(at, name))
            self.references(parts, at, skills, servers)
            if self.optional(parts, at, "advertise", BOOLEAN):
                advertised.append((at, parts))
        self.unique([(index, name) for index, name in ids if name], "/capabilities")
        return advertised

    def references(self, parts, at, skills, servers):
        for name in ("skillRefs", "toolRefs"):
            here = step(at, name)
            entries = self.strings(self.optional(parts, at, name, ARRAY), here)
            self.repeated(entries, here)
            for index, value in entries:
                if name == "toolRefs":
                    self.tool(value, f"{here}/{index}", servers)
                elif value not in skills:
                    self.fault(f"{here}/{index}", "no such skill")

    def tool(self, value, at, servers):
        cuts = [(value[:cut.start()], value[cut.end():]) for cut in re.finditer(":", value)]
        if not any(server and tool for server, tool in cuts):
            self.fault(at, "not server:tool")
            return
        allowed = {server: tools for server, tools, _ in servers if server}
        ways = [cut for cut in cuts if cut[1] and cut[1] in allowed.get(cut[0], ())]
        if len(ways) != 1:
            self.fault(at, "ambiguous" if ways else "unresolved")
        elif len(cuts) > 1:
            self.asked("BRK-R-7", at, "more than one colon")

    def a2a(self, value):
        if value is None:
            return False
        members = self.members(value, "/a2a", {"enabled", "endpoint", "protocolVersion"})
        if members.get("enabled", MISSING) is MISSING:
            self.asked("BRK-R-15", "/a2a/enabled", "missing")
            enabled = None
        else:
            enabled = self.typed(members["enabled"], "/a2a/enabled", BOOLEAN)
        for name in ("endpoint", "protocolVersion"):
            if enabled:
                self.required(members, "/a2a", name, STRING)
            else:
                self.optional(members, "/a2a", name, STRING)
        return bool(enabled)

    def disclosure(self, agent, capabilities, servers):
        """Public texts that hold an endpoint of a server, or a credential in one."""
        if not capabilities:
            return
        private = {endpoint for _, _, endpoint in servers if endpoint}
        private |= {value for endpoint in private for _, value in urls.credentials(endpoint) if value}
        public = [(step("/agent", name), agent.get(name)) for name in ("name", "description", "version")]
        for at, parts in capabilities:
            public += [(step(at, name), parts.get(name)) for name in ("id", "description")]
        for at, text in public:
            if isinstance(text, str) and any(secret in text for secret in private):
                (self.fault if self.choice["BRK-R-18"] == "refused" else self.warn)(at, "discloses")


def validate(manifest, resources=None, choices=None):
    """The outcome for the manifest's bytes."""
    validator = Validator({uri: data for uri, data in (resources or {}).items()}, choices or {})
    try:
        text = read(manifest, validator.choice["BRK-R-1"])
    except NotJson as error:
        validator.fault("", f"no JSON: {error}")
        return validator.out
    if text.doubled and validator.choice["BRK-R-21"] == "refused":
        validator.fault("", "a name twice")
    if text.halves and validator.choice["halves"] == "refused":
        validator.fault("", "half a surrogate pair")
    validator.manifest(text.value)
    return validator.out
