"""A BRICK runtime and its public card, from the draft's text alone: `answer(operation, params, choices)`.

What a manifest is, is the validator's to say (`../manifest.py`, by another hand); here is what is done with a valid one: the
tools of a capability, calls, provenance, what a runtime lacks, and the card. `choices` names the answers to open questions as
the validator does, and beside them BRK-R-16, 17, 19, 20 and 22, and `escapes` (BRK-RES-9: `refused` or `passed`). A document
is bytes; an answer is {"ok": …} or {"refused": why}.
"""

import base64
import json
import pathlib
import re
import sys
from urllib.parse import parse_qsl, urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import manifest as validator  # noqa: E402
import reader  # noqa: E402
import urls  # noqa: E402

DEFAULTS = {"BRK-R-16": "all-same-ids", "BRK-R-17": "left-out", "BRK-R-18": "refused", "BRK-R-19": "refused",
            "BRK-R-20": "reported", "BRK-R-22": "unavailable", "escapes": "refused"}
SECRET = re.compile(r"token|secret|passw|credential|api[-_]?key|authori[sz]ation", re.I)


class Refused(Exception):
    """The request is turned down."""


def plain(value, duplicates):
    """An object as a dict, by the rule for two members of one name."""
    if isinstance(value, reader.Object):
        return {name: plain(item, duplicates) for name, item in value.members(duplicates).items()}
    return [plain(item, duplicates) for item in value] if isinstance(value, list) else value


class Agent:
    """A valid manifest with its resources, ready to be asked."""

    def __init__(self, params, choices):
        self.choices = DEFAULTS | choices
        self.resources = params.get("resources", {})
        at_hand = {uri: data for uri, data in self.resources.items() if data is not None}
        # A manifest with a private string in a public text has its answer where it is projected.
        outcome = validator.validate(params["manifest"], at_hand, {**choices, "BRK-R-18": "warned"})
        if outcome.refused:
            raise Refused(f"no valid manifest: {outcome.faults[0]}")
        self.warnings = outcome.warnings
        text = reader.read(params["manifest"], validator.DEFAULTS["BRK-R-1"])
        duplicates = {**validator.DEFAULTS, **choices}["BRK-R-21"]
        self.value = plain(text.value, "last" if duplicates == "refused" else duplicates)
        self.servers = {server["id"]: server for server in self.entries("mcpServers")}
        self.capabilities = {capability["id"]: capability for capability in self.value["capabilities"]}
        kept = [entry for name in ("instructions", "skills") for entry in self.entries(name)]
        if self.choices["escapes"] == "refused" and any(urls.leaves_folder(entry["uri"]) for entry in kept):
            raise Refused("a resource outside the manifest's folder")
        if self.choices["BRK-R-20"] == "refused" and any(self.required(params.get("supports", {}))):
            raise Refused("an extension that is required and not supported")
        if self.choices["BRK-R-22"] == "refused" and any(map(self.lacking, self.capabilities)):
            raise Refused("a skill is missing")

    def entries(self, name):
        return self.value.get(name) or []

    def required(self, supports):
        """The extensions that call themselves required and that the runtime lacks."""
        extensions = self.value.get("extensions")
        return [name for name, value in (extensions.items() if isinstance(extensions, dict) else ())
                if isinstance(value, dict) and value.get("required") is True and name not in supports.get("extensions", [])]

    def lacking(self, capability):
        """Places of references to skills that are known to be missing."""
        uris = {skill["id"]: skill["uri"] for skill in self.entries("skills")}
        refs = self.capabilities[capability].get("skillRefs") or []
        return [index for index, ref in enumerate(refs)
                if self.resources.get(uris[ref], b"") is None]

    def tools(self, capability):
        """The pairs of server and tool that a capability has: those, and no others."""
        if capability not in self.capabilities:
            raise Refused("no such capability")
        if self.lacking(capability):
            raise Refused("a skill of it is missing")
        pairs = set()
        for ref in self.capabilities[capability].get("toolRefs") or []:
            cuts = [(ref[:cut.start()], ref[cut.end():]) for cut in re.finditer(":", ref)]
            pairs |= {(server, tool) for server, tool in cuts if tool in self.servers.get(server, {}).get("allowedTools", [])}
        return pairs


def load(params, choices):
    agent = Agent(params, choices)
    supports = params.get("supports", {})
    unsupported = [{"kind": "transport", "name": server["transport"], "at": f"/mcpServers/{index}/transport"}
                   for index, server in enumerate(agent.entries("mcpServers"))
                   if server["transport"] not in supports.get("transports", [])]
    a2a = agent.value.get("a2a") or {}
    if a2a.get("enabled") and a2a["protocolVersion"] not in supports.get("a2a", []):
        unsupported.append({"kind": "a2a", "name": a2a["protocolVersion"], "at": "/a2a/protocolVersion"})
    if agent.choices["BRK-R-20"] == "reported":
        unsupported += [{"kind": "extension", "name": name} for name in agent.required(supports)]
    return {
        "capabilities": list(agent.capabilities),
        "unavailable": [{"capability": name, "at": f"/capabilities/{number}/skillRefs/{place}"}
                        for number, name in enumerate(agent.capabilities) for place in agent.lacking(name)[:1]],
        "unsupported": unsupported,
        "resources": [{key: entry[key] for key in ("id", "uri", "sha256") if entry.get(key) is not None} | {"trust": "external"}
                      for name in ("instructions", "skills") for entry in agent.entries(name)],
        "warnings": [{"code": code, "at": at} for at, code in agent.warnings],
    }


def expose(params, choices):
    pairs = Agent(params, choices).tools(params["capability"])
    return {"tools": sorted(f"{server}:{tool}" for server, tool in pairs)}


def authorize(params, choices):
    if (params["server"], params["tool"]) not in Agent(params, choices).tools(params["capability"]):
        raise Refused("not a tool of this capability")


def invoke(params, choices):
    """Only for capabilities without tools: there is no server here."""
    if Agent(params, choices).tools(params["capability"]):
        raise NotImplementedError("no live servers")
    return {"offered": [], "missing": [], "results": [{"refused": {}} for _ in params["calls"]]}


def secrets(value, named=False):
    """Strings under a name that says what they are, and their words: Bearer x is a token x."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from secrets(item, named or bool(SECRET.search(name)))
    elif isinstance(value, list):
        for item in value:
            yield from secrets(item, named)
    elif named and isinstance(value, str):
        yield value
        yield from value.split()[1:]


def private(agent):
    """What section 9 names: addresses of servers, credentials, tokens. Texts of resources are not copied to begin with."""
    found = set(secrets(agent.value))
    for server in agent.servers.values():
        found.add(server["endpoint"])
        if server["transport"] != "stdio":
            found |= {value for name, value in parse_qsl(urlsplit(server["endpoint"]).query) if SECRET.search(name)}
    return {text for text in found if text and text != agent.value["a2a"]["endpoint"]}


def project(params, choices):
    agent = Agent(params, choices)
    a2a = agent.value.get("a2a") or {}
    if not a2a.get("enabled"):
        raise Refused("A2A is off")
    if a2a["protocolVersion"] != "1.0" or "1.0" not in params.get("supports", {}).get("a2a", ["1.0"]):
        raise Refused("no such A2A version")
    open_ = [capability for capability in agent.value["capabilities"] if capability.get("advertise") is True]
    if not open_:
        if agent.choices["BRK-R-19"] == "refused":
            raise Refused("nothing is advertised")
        open_ = [{"id": "agent", "description": agent.value["agent"]["description"]}]
    if agent.choices["BRK-R-16"].startswith("some"):
        open_ = open_[:1]
    hidden = private(agent)

    def public(text):
        held = sorted((secret for secret in hidden if secret in text), key=len, reverse=True)
        if held and agent.choices["BRK-R-18"] == "refused":
            raise Refused("a public text holds something private")
        for secret in held:
            text = text.replace(secret, "…")
        return text

    own = agent.choices["BRK-R-16"].endswith("own-ids")
    skills = [{"id": f"skill-{number}" if own else public(capability["id"]), "name": public(capability["id"]),
               "description": public(capability["description"]), "tags": ["brick"]} for number, capability in enumerate(open_)]
    if agent.choices["BRK-R-17"] == "copied":
        skills[0]["examples"] = agent.value["goals"] + [ref for capability in open_ for ref in capability.get("skillRefs") or []]
    return {"card": json.dumps({
        "name": public(agent.value["agent"]["name"]), "description": public(agent.value["agent"]["description"]),
        "version": public(agent.value["agent"]["version"]), "capabilities": {},
        "supportedInterfaces": [{"url": a2a["endpoint"], "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": skills}).encode()}


def validate(params, choices):
    outcome = validator.validate(params["manifest"], params.get("resources"), choices)
    if outcome.refused:
        raise Refused(f"{outcome.faults[0]}")
    return {"warnings": [{"code": code, "at": at} for at, code in outcome.warnings], "unsupported_extensions": outcome.extensions}


OPERATIONS = {"brick.load": load, "brick.expose": expose, "brick.authorize": authorize, "brick.invoke": invoke,
              "brick.project": project, "brick.validate": validate}


def answer(operation, params, choices=None):
    """{"ok": output} or {"refused": why}."""
    try:
        return {"ok": OPERATIONS[operation](params, choices or {})}
    except Refused as refusal:
        return {"refused": str(refusal)}
    except RecursionError:
        return {"refused": "deeper than this oracle goes"}


def document(data):
    """A document as it travels."""
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
