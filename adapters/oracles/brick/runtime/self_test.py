"""Whether the corpus notices defects: the oracle with one defect at a time, put in front of every case.

`python3 self_test.py [root]`. Each defect is a mistake that somebody could make in earnest; at least one case must fail by it, and
one of a must, but for those that break a should alone.
"""

import contextlib
import json
import pathlib
import re
import sys
import unicodedata
from unittest import mock
from urllib.parse import quote, urlsplit

import check_corpus
import runtime

REAL, Agent = dict(runtime.OPERATIONS), runtime.Agent
SHOULD_ALONE = {"card: claims streaming", "card: another name each time", "load: opens what lies outside"}


def instead(**operations):
    return mock.patch.dict(runtime.OPERATIONS, {f"brick.{name}": function for name, function in operations.items()})


def asked(change):
    """authorize, with the question changed first."""
    return instead(authorize=lambda params, choices: REAL["brick.authorize"]({**params, **{
        name: change(params[name]) for name in ("capability", "server", "tool")}}, choices))


def loose(test):
    """authorize by another test of (agent, params)."""
    def authorize(params, choices):
        if not test(Agent(params, choices), params):
            raise runtime.Refused
    return instead(authorize=authorize)


def after(name, change):
    """An operation whose output is changed: change(output, params, agent or None)."""
    def operation(params, choices):
        output = REAL[f"brick.{name}"](params, choices)
        return change(output, params, Agent(params, choices))
    return instead(**{name: operation})


def card(change):
    def edit(output, params, agent):
        value = json.loads(output["card"])
        change(value, agent, params)
        return {"card": json.dumps(value).encode()}
    return after("project", edit)


def forgiving(pattern):
    """The validator, blind to the faults whose place and code fit."""
    real = runtime.validator.validate

    def validate(*args):
        outcome = real(*args)
        outcome.faults = [fault for fault in outcome.faults if not re.search(pattern, f"{fault[0]} {fault[1]}")]
        return outcome
    return mock.patch.object(runtime.validator, "validate", validate)


class Changed(Agent):
    """An agent whose manifest is changed after it was validated."""

    def __init__(self, params, choices):
        super().__init__(params, choices)
        self.value = self.change(self.value)
        self.servers = {server["id"]: server for server in self.entries("mcpServers")}
        self.capabilities = {capability["id"]: capability for capability in self.value["capabilities"]}


def changed(function):
    return mock.patch.object(runtime, "Agent", type("Other", (Changed,), {"change": function}))


def texts(agent):
    return "\n".join(data.decode("utf-8", "replace") for data in agent.resources.values() if data)


def believes(pattern):
    def change(self, value):
        for found in re.findall(pattern, texts(self)):
            for ref in re.findall(r"[a-z]+:[a-z]+", found):
                server, tool = ref.split(":")
                for capability in value["capabilities"]:
                    if tool in self.servers.get(server, {}).get("allowedTools", []):
                        capability.setdefault("toolRefs", []).append(ref)
        return value
    return changed(change)


def nested(take):
    def change(self, value):
        for name in ("runtime", "extensions"):
            for item in [value.get(name), *(value.get(name).values() if isinstance(value.get(name), dict) else ())]:
                if isinstance(item, dict):
                    take(value, item)
        return value
    return changed(change)


def any_case(self, value):
    names = {"toolrefs": "toolRefs", "tool_refs": "toolRefs", "allowedtools": "allowedTools", "advertise": "advertise"}
    for entry in value["capabilities"] + (value.get("mcpServers") or []):
        for name in list(entry):
            if names.get(name.lower(), name) != name:
                entry[names[name.lower()]] = entry[name]
    return value


def merge_servers(value, item):
    for server in item.get("mcpServers", []) if isinstance(item.get("mcpServers"), list) else []:
        if "endpoint" in server:
            value["mcpServers"] = [*(value.get("mcpServers") or []), server]
    for capability in value["capabilities"]:
        capability["toolRefs"] = (capability.get("toolRefs") or []) + [ref for ref in item.get("toolRefs", []) if ":" in ref]


def two_minds(first, then):
    class Minded(Agent):
        def __init__(self, params, choices):
            super().__init__(params, {**choices, "BRK-R-21": first})
            self.value = runtime.plain(runtime.reader.read(params["manifest"], "refused").value, then)
            self.servers = {server["id"]: server for server in self.entries("mcpServers")}
            self.capabilities = {capability["id"]: capability for capability in self.value["capabilities"]}

    stack = contextlib.ExitStack()
    stack.enter_context(mock.patch.object(runtime, "Agent", Minded))
    stack.enter_context(instead(validate=lambda params, choices: REAL["brick.validate"](params, {**choices, "BRK-R-21": first})))
    return stack


def put(*path):
    """A function that sets card[path[:-1]] to what the last of path gives."""
    *names, value = path

    def change(card_, agent, params):
        here = card_
        for name in names[:-1]:
            here = here[name]
        here[names[-1]] = value(agent) if callable(value) else value
    return change


def url(function):
    return card(lambda card_, agent, params: put("supportedInterfaces", 0, "url", function(card_["supportedInterfaces"][0]["url"]))(card_, agent, params))


def all_skills(card_, agent, params):
    card_["skills"] = [{"id": each["id"], "name": each["id"], "description": each["description"], "tags": ["x"]}
                       for each in agent.value["capabilities"]]


COUNT = iter(range(10 ** 9))
LAST = []


def remembers(card_, agent, params):
    card_["skills"] = LAST + card_["skills"]
    LAST[:] = card_["skills"]


def fussy(words):
    def change(output, params, agent):
        public = " ".join(each["description"] for each in agent.value["capabilities"] if each.get("advertise"))
        if any(word and word in public for word in words(agent)):
            raise runtime.Refused
        return output
    return after("project", change)


def version_blind(test):
    def change(self, value):
        if isinstance(value.get("a2a"), dict) and test(value["a2a"].get("protocolVersion")):
            value["a2a"]["protocolVersion"] = "1.0"
        return value
    return changed(change)


def switched_on(self, value):
    value["a2a"] = {"endpoint": "https://harbour.example/a2a", "protocolVersion": "1.0", **(value.get("a2a") or {}), "enabled": True}
    return value


def secret_of(agent):
    return next(iter(agent.servers), "") or (agent.entries("instructions") or [{"uri": ""}])[0]["uri"]


ALL = lambda agent: [f"{server}:{tool}" for server, each in agent.servers.items() for tool in each["allowedTools"]]  # noqa: E731
DEFECTS = {
    "expose: every tool of the servers": lambda: after("expose", lambda o, p, a: {"tools": ALL(a)}),
    "expose: every tool of the capability's servers": lambda: after("expose", lambda o, p, a: {"tools": [t for t in ALL(a) if t.split(":")[0] in {x.split(":")[0] for x in o["tools"]}]}),
    "expose: tools of all capabilities": lambda: after("expose", lambda o, p, a: {"tools": sorted({r for c in a.value["capabilities"] for r in c.get("toolRefs") or []})}),
    "expose: names without servers": lambda: after("expose", lambda o, p, a: {"tools": [t.split(":")[1] for t in o["tools"]]}),
    "expose: one of two tools of one name": lambda: after("expose", lambda o, p, a: {"tools": list({t.split(":")[1]: t for t in o["tools"]}.values())}),
    "expose: an unknown capability has none": lambda: instead(expose=lambda p, c: REAL["brick.expose"](p, c) if p["capability"] in Agent(p, c).capabilities else {"tools": []}),
    "expose: capability in any case": lambda: instead(expose=lambda p, c: REAL["brick.expose"]({**p, "capability": {k.lower(): k for k in Agent(p, c).capabilities}.get(p["capability"].lower(), p["capability"])}, c)),
    "expose: no tools where the list is empty means all": lambda: after("expose", lambda o, p, a: o if o["tools"] else {"tools": ALL(a)}),
    "authorize: lower case": lambda: asked(str.lower),
    "authorize: trimmed": lambda: asked(str.strip),
    "authorize: NFC": lambda: asked(lambda text: unicodedata.normalize("NFC", text)),
    "authorize: NFKC": lambda: asked(lambda text: unicodedata.normalize("NFKC", text)),
    "authorize: up to NUL": lambda: asked(lambda text: text.split("\0")[0]),
    "authorize: percent-decoded": lambda: asked(lambda text: text.replace("%78", "x")),
    "authorize: zero-width characters dropped": lambda: asked(lambda text: text.replace("\u200b", "")),
    "authorize: by the tool's name": lambda: loose(lambda a, p: p["tool"] in {t for _, t in a.tools(p["capability"])}),
    "authorize: by the server's list": lambda: loose(lambda a, p: a.tools(p["capability"]) is not None and p["tool"] in a.servers.get(p["server"], {}).get("allowedTools", [])),
    "authorize: by any capability": lambda: loose(lambda a, p: p["capability"] in a.capabilities and any((p["server"], p["tool"]) in a.tools(c) for c in a.capabilities)),
    "authorize: without looking at the capability": lambda: loose(lambda a, p: any((p["server"], p["tool"]) in a.tools(c) for c in a.capabilities)),
    "authorize: joined by a colon": lambda: loose(lambda a, p: f"{p['server']}:{p['tool']}" in {f"{s}:{t}" for s, t in a.tools(p["capability"])}),
    "authorize: joined, empty server dropped": lambda: loose(lambda a, p: f"{p['server']}:{p['tool']}".lstrip(":") in {f"{s}:{t}" for s, t in a.tools(p["capability"])}),
    "authorize: the beginning will do": lambda: loose(lambda a, p: any(s == p["server"] and p["tool"] and t.startswith(p["tool"]) for s, t in a.tools(p["capability"]))),
    "authorize: more behind will do": lambda: loose(lambda a, p: any(s == p["server"] and p["tool"].startswith(t) for s, t in a.tools(p["capability"]))),
    "authorize: a pattern with $": lambda: loose(lambda a, p: any(s == p["server"] and re.match(re.escape(t) + "$", p["tool"]) for s, t in a.tools(p["capability"]))),
    "authorize: a star is any": lambda: loose(lambda a, p: any(s == p["server"] and p["tool"] in (t, "*") for s, t in a.tools(p["capability"]))),
    "authorize: everything": lambda: loose(lambda a, p: True),
    "authorize: nothing": lambda: loose(lambda a, p: False),
    "manifest: unresolved references are skipped": lambda: forgiving("unresolved|no such skill"),
    "manifest: ambiguous references are taken": lambda: forgiving("ambiguous"),
    "manifest: ids twice are taken": lambda: forgiving("id twice"),
    "manifest: missing members are taken": lambda: forgiving("/agent.*missing|/brickVersion missing|/goals missing"),
    "manifest: unknown members at the top are taken": lambda: forgiving("^/[^/]* unknown member"),
    "manifest: any version is taken": lambda: forgiving("another version"),
    "manifest: any endpoint is taken": lambda: forgiving("/endpoint"),
    "manifest: types of inputs, outputs, advertise": lambda: forgiving("/(inputs|outputs|advertise) not"),
    "manifest: any digest is taken": lambda: forgiving("no digest"),
    "manifest: no goals are goals": lambda: forgiving("/goals"),
    "manifest: a2a is not looked at": lambda: forgiving("^/a2a/(endpoint|protocolVersion) not"),
    "load: no unsupported": lambda: after("load", lambda o, p, a: {**o, "unsupported": []}),
    "load: the first unsupported": lambda: after("load", lambda o, p, a: {**o, "unsupported": o["unsupported"][:1]}),
    "load: no A2A": lambda: after("load", lambda o, p, a: {**o, "unsupported": [u for u in o["unsupported"] if u["kind"] != "a2a"]}),
    "load: baseline transports are supported": lambda: after("load", lambda o, p, a: {**o, "unsupported": [u for u in o["unsupported"] if u["name"] not in ("stdio", "streamable-http")]}),
    "load: every transport is unsupported": lambda: after("load", lambda o, p, a: {**o, "unsupported": o["unsupported"] + [{"kind": "transport", "name": s["transport"]} for s in a.entries("mcpServers")]}),
    "load: only servers in use": lambda: after("load", lambda o, p, a: {**o, "unsupported": [u for u in o["unsupported"] if u["kind"] != "transport" or any(s["transport"] == u["name"] and any(r.startswith(s["id"] + ":") for c in a.value["capabilities"] for r in c.get("toolRefs") or []) for s in a.entries("mcpServers"))]}),
    "load: believes runtime": lambda: after("load", lambda o, p, a: {**o, "unsupported": [] if "runtime" in a.value or "extensions" in a.value else o["unsupported"]}),
    "load: no instructions": lambda: after("load", lambda o, p, a: {**o, "resources": [r for r in o["resources"] if "skill" in r["uri"].lower()]}),
    "load: only skills in use": lambda: after("load", lambda o, p, a: {**o, "resources": [r for r in o["resources"] if "moon" not in r["uri"]]}),
    "load: one entry an id": lambda: after("load", lambda o, p, a: {**o, "resources": list({r["id"]: r for r in o["resources"]}.values())}),
    "load: one entry a uri": lambda: after("load", lambda o, p, a: {**o, "resources": list({r["uri"]: r for r in o["resources"]}.values())}),
    "load: uris tidied up": lambda: after("load", lambda o, p, a: {**o, "resources": [{**r, "uri": r["uri"].removeprefix("./").replace("/./", "/")} for r in o["resources"]]}),
    "load: no digests": lambda: after("load", lambda o, p, a: {**o, "resources": [{k: v for k, v in r.items() if k != "sha256"} for r in o["resources"]]}),
    "load: a digest is trusted": lambda: after("load", lambda o, p, a: {**o, "resources": [{**r, "trust": "verified" if "sha256" in r else "external"} for r in o["resources"]]}),
    "load: believes a text": lambda: after("load", lambda o, p, a: {**o, "resources": [{**r, "trust": "system" if "trust: system" in texts(a) else "external"} for r in o["resources"]]}),
    "load: missing is no matter": lambda: after("load", lambda o, p, a: {**o, "unavailable": []}),
    "load: not at hand is missing": lambda: after("load", lambda o, p, a: {**o, "unavailable": o["unavailable"] + [{"capability": c["id"], "at": ""} for c in a.value["capabilities"] for r in c.get("skillRefs") or [] if not any(s["uri"] in a.resources for s in a.entries("skills") if s["id"] == r)]}),
    "load: one missing, all unavailable": lambda: after("load", lambda o, p, a: {**o, "unavailable": [{"capability": c, "at": ""} for c in a.capabilities] if o["unavailable"] else []}),
    "load: a changed file is no matter": lambda: forgiving("another digest"),
    "load: opens what lies outside": lambda: mock.patch.object(runtime.urls, "leaves_folder", lambda uri: False),
    "tools: of a capability without its skill": lambda: mock.patch.object(Agent, "lacking", lambda self, capability: []),
    "texts: allowed-tools are granted": lambda: believes("allowed-tools:.*"),
    "texts: references are granted": lambda: believes(".*"),
    "texts: comments are granted": lambda: believes("<!--.*-->"),
    "texts: JSON is merged": lambda: believes(r'"toolRefs": \[.*?\]'),
    "extensions: references and servers are merged": lambda: nested(merge_servers),
    "members: in any case": lambda: changed(any_case),
    "duplicates: validates the first, uses the last": lambda: two_minds("first", "last"),
    "duplicates: validates the last, uses the first": lambda: two_minds("last", "first"),
    "invoke: a refused call is an error": lambda: after("invoke", lambda o, p, a: {**o, "results": [{"error": {}} for _ in o["results"]]}),
    "invoke: offers what the servers allow": lambda: after("invoke", lambda o, p, a: {**o, "offered": ALL(a)}),
    "invoke: one answer for all calls": lambda: after("invoke", lambda o, p, a: {**o, "results": o["results"][:1]}),
    "card: no tags": lambda: card(put("skills", 0, "tags", [])),
    "card: no name of a skill": lambda: card(put("skills", 0, "name", "")),
    "card: no capabilities": lambda: card(lambda c, a, p: c.pop("capabilities")),
    "card: no modes": lambda: card(put("defaultInputModes", [])),
    "card: modes are the inputs": lambda: card(put("defaultInputModes", lambda a: a.value["capabilities"][0].get("inputs") or ["text/plain"])),
    "card: of A2A 0.3": lambda: card(lambda c, a, p: c.update(url=c.pop("supportedInterfaces")[0]["url"], protocolVersion="0.3.0")),
    "card: no binding": lambda: card(lambda c, a, p: c["supportedInterfaces"][0].pop("protocolBinding")),
    "card: claims streaming": lambda: card(put("capabilities", "streaming", True)),
    "card: another name each time": lambda: card(put("name", lambda a: f"n{next(COUNT)}")),
    "endpoint: lower case host": lambda: url(lambda u: urlsplit(u)._replace(netloc=urlsplit(u).netloc.lower()).geturl()),
    "endpoint: parsed and written": lambda: url(lambda u: urlsplit(u).geturl()),
    "endpoint: no slash behind": lambda: url(lambda u: u.rstrip("/")),
    "endpoint: a slash for no path": lambda: url(lambda u: u + "/" if u.count("/") == 2 else u),
    "endpoint: no default port": lambda: url(lambda u: u.replace(":443/", "/")),
    "endpoint: escapes in capitals": lambda: url(lambda u: re.sub("%..", lambda m: m[0].upper(), u)),
    "endpoint: escaped again": lambda: url(lambda u: quote(u, safe=":/?&=;@[]+$,!~*'()")),
    "endpoint: dot segments resolved": lambda: url(lambda u: u.replace("/v1/..", "")),
    "endpoint: a server's": lambda: card(put("supportedInterfaces", 0, "url", lambda a: next((s["endpoint"] for s in a.servers.values()), a.value["a2a"]["endpoint"]))),
    "endpoint: the agent's id": lambda: card(put("supportedInterfaces", 0, "url", lambda a: a.value["agent"]["id"])),
    "versions: any will do": lambda: version_blind(lambda v: True),
    "versions: rounded down": lambda: version_blind(lambda v: v and v.startswith("1.")),
    "versions: beginning with 1": lambda: version_blind(lambda v: v and v.startswith("1")),
    "versions: empty means newest": lambda: version_blind(lambda v: v == ""),
    "a2a: always on": lambda: changed(switched_on),
    "a2a: one within extensions": lambda: nested(lambda value, item: value.update(a2a=item) if item.get("enabled") is True else None),
    "skills: all capabilities": lambda: card(all_skills),
    "skills: none": lambda: card(put("skills", [])),
    "skills: those of the request before": lambda: card(remembers),
    "private: server ids as tags": lambda: card(put("skills", 0, "tags", lambda a: list(a.servers) or ["x"])),
    "private: tools as tags": lambda: card(put("skills", 0, "tags", lambda a: [t for s in a.servers.values() for t in s["allowedTools"]] or ["x"])),
    "private: the endpoint, encoded": lambda: card(put("documentationUrl", lambda a: "https://x.example/?s=" + "&s=".join(quote(s["endpoint"], safe="") for s in a.servers.values()))),
    "private: instructions, by uri": lambda: card(put("documentationUrl", lambda a: (a.entries("instructions") or [{"uri": ""}])[0]["uri"])),
    "private: instructions, by id": lambda: card(put("skills", 0, "tags", lambda a: [e["id"] for e in a.entries("instructions")] or ["x"])),
    "private: digests": lambda: card(put("x-digests", lambda a: [e.get("sha256") for n in ("instructions", "skills") for e in a.entries(n)])),
    "private: skills, by uri": lambda: card(put("x", lambda a: [e["uri"] for e in a.entries("skills")])),
    "private: extensions": lambda: card(put("capabilities", "extensions", lambda a: [{"uri": "urn:" + k, "params": v if isinstance(v, dict) else {}} for k, v in (a.value.get("extensions") or {}).items()])),
    "private: names of runtime's members": lambda: card(put("skills", 0, "tags", lambda a: list(a.value["runtime"]) if isinstance(a.value.get("runtime"), dict) and a.value["runtime"] else ["x"])),
    "private: runtime": lambda: card(put("x-runtime", lambda a: a.value.get("runtime"))),
    "private: texts of instructions": lambda: card(put("skills", 0, "examples", lambda a: [texts(a)])),
    "private: members of a2a": lambda: card(lambda c, a, p: c.update({k: v for k, v in a.value["a2a"].items() if k not in ("enabled", "endpoint", "protocolVersion", "capabilities", "skills", "securitySchemes")})),
    "private: members of the agent": lambda: card(lambda c, a, p: c.update({k: v for k, v in a.value["agent"].items() if k not in c})),
    "private: members of a capability": lambda: card(lambda c, a, p: [c["skills"][0].update({k: v for k, v in x.items() if k not in ("skillRefs", "toolRefs", "advertise", "inputs", "outputs")}) for x in a.value["capabilities"] if x.get("advertise")][:1]),
    "private: whole servers": lambda: card(put("x", lambda a: list(a.servers.values()))),
    "private: public texts are not looked at": lambda: mock.patch.object(runtime, "private", lambda agent: set()),
    "private: only endpoints are looked for": lambda: mock.patch.object(runtime, "private", lambda agent: {s["endpoint"] for s in agent.servers.values()}),
    "private: only tokens are looked for": lambda: mock.patch.object(runtime, "private", lambda agent: set(runtime.secrets(agent.value))),
    "fussy: words that are tools": lambda: fussy(lambda a: [t for s in a.servers.values() for t in s["allowedTools"]]),
    "fussy: words that are servers": lambda: fussy(lambda a: list(a.servers)),
    "fussy: words of runtime": lambda: fussy(lambda a: [v for v in (a.value.get("runtime") or {}).values() if isinstance(v, str)] if isinstance(a.value.get("runtime"), dict) else []),
    "fussy: any address": lambda: fussy(lambda a: ["https://"]),
    "fussy: ids that are skills": lambda: after("project", lambda o, p, a: o if not {s["id"] for s in a.entries("skills")} & set(a.capabilities) else (_ for _ in ()).throw(runtime.Refused())),
}


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else check_corpus.HERE.parents[3]
    schema = json.loads((root / "suites/brick/operations.schema.json").read_text(encoding="utf-8"))
    import tomllib
    levels = {each["id"]: each["level"] for each in tomllib.loads((root / "suites/brick/requirements.toml").read_text(encoding="utf-8"))["requirement"]}
    cases = [case for case in check_corpus.cases(root) if case["requirements"] != ["BRK-ROB-1"]]
    survived = []
    for name, defect in DEFECTS.items():
        killers = []
        LAST.clear()
        with defect():
            for case in cases:
                try:
                    wrong = isinstance(check_corpus.follows(case, {}, schema), str)
                except Exception:  # noqa: BLE001  (a defect that breaks the oracle is noticed by its crash)
                    wrong = True
                if wrong:
                    killers.append(case)
        musts = [case for case in killers if any(levels[each] == "must" for each in case["requirements"])]
        print(f"  {len(killers):4} {len(musts):4} must  {name}   {killers[0]['id'] if killers else ''}")
        if not killers or not musts and name not in SHOULD_ALONE:
            survived.append(name)
    print(f"{len(DEFECTS)} defects, survived: {survived}")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
