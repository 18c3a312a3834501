"""What a server must have seen, held against requests as `servers.mjs` gives them.

Written from the description of the tables in the documentation of Proofmark's live servers, apart from its code.
"""

import base64
import json
import re
import urllib.parse

META = "io.modelcontextprotocol/"


class Request:
    def __init__(self, raw):
        self.raw = raw
        self.http, self.target, self.outcome = raw["method"], raw["target"], raw["outcome"]
        self.headers, self.body = raw["headers"], raw["body"]
        self.reached, self.opened = raw["reached"], raw.get("opened")
        try:
            self.message = json.loads(self.body)
        except ValueError:
            self.message = None
        if not isinstance(self.message, dict):
            self.message = {}
        self.params = self.message.get("params") if isinstance(self.message.get("params"), dict) else {}
        self.method = self.message.get("method")
        self.tool = self.params.get("name") if self.method == "tools/call" else None
        self.meta = self.params.get("_meta", {})

    def header(self, name):
        return next((value for known, value in self.headers if known == name), None)

    def turned_down(self):
        return self.outcome.startswith("4")

    def probe(self):
        return self.turned_down() and self.header("mcp-method") is not None

    def texts(self):
        yield self.target
        yield self.body
        for name, value in self.headers:
            yield name
            yield value
        todo = [self.message]
        while todo:
            value = todo.pop()
            if isinstance(value, str):
                yield value
            elif isinstance(value, list):
                todo.extend(value)
            elif isinstance(value, dict):
                todo.extend(value.values())
                todo.extend(value.keys())

    def holds(self, word):
        for text in self.texts():
            if word in text or word in urllib.parse.unquote(text, errors="replace"):
                return True
            for run in re.findall(r"[A-Za-z0-9+/_-]{4,}", text):
                plain = run.replace("-", "+").replace("_", "/")
                try:
                    if word.encode() in base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True):
                        return True
                except ValueError:
                    pass
        return False


def plain_name(value):
    if value is not None and value.startswith("=?base64?") and value.endswith("?="):
        return base64.b64decode(value[9:-2]).decode("utf-8")
    return value


def call_fits(call, request):
    return call["tool"] == request.tool and ("arguments" not in call or call["arguments"] == request.params.get("arguments", {}))


def judge(name, expected, requests):
    """Sentences on what is wrong with what the server `name` saw."""
    wrong = []
    for key in expected:
        if key not in CHECKS and key != "any_order":
            raise KeyError(f"witness.{name}.{key}")
    for key, value in expected.items():
        if key != "any_order":
            wrong += [f"{name}: {sentence}" for sentence in CHECKS[key](value, requests, expected)]
    return wrong


def contacted(value, requests, _):
    return [] if bool(requests) == value else [f"contacted: {bool(requests)}"]


def calls(value, requests, expected):
    reached = [request for request in requests if request.reached]
    if len(reached) == len(value):
        if not expected.get("any_order"):
            fits = all(call_fits(call, request) for call, request in zip(value, reached, strict=True))
        else:
            left = list(reached)
            fits = True
            for call in sorted(value, key=lambda call: "arguments" not in call):
                match = next((request for request in left if call_fits(call, request)), None)
                fits = fits and match is not None
                if match is not None:
                    left.remove(match)
        if fits:
            return []
    return [f"calls that reached a tool: {[(request.tool, request.params.get('arguments')) for request in reached]}"]


def only(value, requests, _):
    return [f"a call of {request.tool}" for request in requests if request.tool is not None and request.tool not in value]


def without(value, requests, _):
    return [f"a {request.method}" for request in requests if request.method in value]


def credentials(value, requests, _):
    seen = [text for request in requests for name, text in request.headers if name == "authorization"]
    return [f"the credential {text}" for text in seen if text.partition(" ")[::2] not in [("Bearer", known) for known in value]]


def lacks(value, requests, _):
    return [f"`{word}` in a {request.http} of {request.method}" for word in value for request in requests if request.holds(word)]


def accepts(requests):
    for request in requests:
        accepted = (request.header("accept") or "").lower()
        if "application/json" not in accepted or "text/event-stream" not in accepted:
            yield f"a {request.method} that accepts {accepted!r}"


def initialised(value, requests, _):
    if not value:
        return without(["initialize"], requests, _)
    posts = [request for request in requests if request.http == "POST" and request.target == "/mcp"]
    first = next((at for at, one in enumerate(posts) if one.method == "initialize" and not one.turned_down()), None)
    if first is None:
        return ["no initialize"]
    wrong = [f"{request.method} before initialize" for request in posts[:first] if not request.turned_down()]
    sessions = any(request.opened for request in posts)
    ready = set()
    for request in posts[first:]:
        session = request.header("mcp-session-id")
        if request.method == "initialize":
            info = request.params.get("clientInfo", {})
            if not {"protocolVersion", "capabilities"} <= request.params.keys() or not {"name", "version"} <= info.keys():
                wrong.append("an initialize that lacks something")
            continue
        if request.header("mcp-protocol-version") is None:
            wrong.append(f"{request.method} without MCP-Protocol-Version")
        if sessions and session is None and not request.probe():
            wrong.append(f"{request.method} without Mcp-Session-Id")
        if request.method == "notifications/initialized":
            ready.add(session)
        elif request.method not in ("ping", None) and session not in ready and not request.turned_down():
            wrong.append(f"{request.method} before notifications/initialized")
    return wrong + list(accepts(posts[first:]))


def metadata(value, requests, _):
    asked = [one for one in requests if one.http == "POST" and one.method and "id" in one.message and not one.turned_down()]
    wrong = [] if asked else ["nothing that could be answered"]
    for request in asked:
        version = request.meta.get(META + "protocolVersion")
        if not isinstance(version, str) or request.header("mcp-protocol-version") != version:
            wrong.append(f"{request.method}: version {version} and {request.header('mcp-protocol-version')}")
        if not isinstance(request.meta.get(META + "clientCapabilities"), dict):
            wrong.append(f"{request.method}: no clientCapabilities")
        if request.header("mcp-method") != request.method:
            wrong.append(f"{request.method}: Mcp-Method {request.header('mcp-method')}")
        if request.tool is not None and plain_name(request.header("mcp-name")) != request.tool:
            wrong.append(f"{request.tool}: Mcp-Name {request.header('mcp-name')}")
    return wrong + list(accepts(asked))


CHECKS = {
    "contacted": contacted,
    "calls": calls,
    "only": only,
    "without": without,
    "credentials": credentials,
    "lacks": lacks,
    "initialised": initialised,
    "metadata": metadata,
}
