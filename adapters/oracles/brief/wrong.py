"""Delegatees and carriers that are wrong in one thing each, and how many cases notice.

`python3 wrong.py` (or with another repository root as argument). Each fault is put into the oracle by changing one function,
the corpus of the delegatee and the carrier is played, and the cases that fail are counted. A fault that no case notices is a
gap in the corpus.
"""

import contextlib
import json
import pathlib
import re
import sys
from unittest import mock

import a2a
import brief
import check_corpus
import document
import front
import trace
from document import Choices
from front import Refused


def split_at_any_hyphens(data, choices):
    parts = document.decode(data).split("---", 2)
    if len(parts) != 3 or parts[0]:
        raise Refused("no fences")
    return parts[1], parts[2].lstrip("\n")


def last_fence_wins(data, choices):
    text = document.decode(data)
    if not text.startswith("---\n") or text.count("\n---\n") < 1:
        raise Refused("no fences")
    head, _, body = text[4:].rpartition("\n---\n")
    return head, body


def repaired(data):
    return data.decode("utf-8", "replace")


def split(change):
    real = document.split

    def changed(data, choices):
        head, body = real(data, choices)
        return change(head, body)

    return changed


def parsed(change):
    real = document.brief

    def changed(data, choices):
        made, when = real(data, choices)
        return change(made) or made, when

    return changed


def last_key_wins(text, graph):
    members = {}
    for line in text.splitlines():
        line = line.split(" #")[0]
        if ":" in line and not line.startswith((" ", "#")):
            key, _, value = line.partition(":")
            value = value.strip()
            members[key.strip()] = value[1:-1] if value[:1] in "\"'" and value else front.Plain(value)
    return members


def members(change):
    real = front.read

    def changed(text, graph):
        made = dict(real(text, graph))
        change(made)
        return made

    return changed


def lenient_time(text, choices):
    if not re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", text):
        raise Refused("no timestamp")
    return None


moment_real = document.moment


def only_seconds(text, choices):
    if "." in text:
        raise Refused("a fraction")
    return moment_real(text, choices)


def compared_as_text(text, choices):
    moment_real(text, choices)
    return text


def op(name, change):
    real = brief.OPERATIONS[name]

    def changed(params, choices):
        return change(real, params, choices)

    return mock.patch.dict(brief.OPERATIONS, {name: changed})


def rewriting_append(data, agent, timestamp, action, note, choices):
    found, _ = trace.entries(data, choices)
    found.append({"agent": agent, "timestamp": timestamp, "action": action})
    lines = [f"- **Agent**: `{each['agent']}` @ `{each['timestamp']}`\n  - **Action**: {each['action']}\n" for each in found]
    return "".join(lines).encode()


def naive_append(data, agent, timestamp, action, note, choices):
    return data + f"- **Agent**: `{agent}` @ `{timestamp}`\n  - **Action**: {action}\n".encode()


def splitlines_entries(data, choices):
    return entries_real("\n".join(document.decode(data).splitlines()).encode(), choices)


entries_real = trace.entries
MEMORY = {}


def remembers(real, params, choices):
    made = real(params, choices)
    MEMORY.update(made["extra"])
    return {**made, "extra": {**MEMORY, **made["extra"]}}


def keeps_trace(real, params, choices):
    if "trace" in params:
        MEMORY["trace"] = (params["trace"], params.get("agent"))
        return real(params, choices)
    held = MEMORY.get("trace")
    return real({**params, "trace": held[0], "agent": held[1]} if held else params, choices)


def cached(real, params, choices):
    made = real(params, choices)
    return MEMORY.setdefault(made["fields"]["id"], made)


def request(change):
    def changed(real, params, choices):
        made = json.loads(real(params, choices)["request"])
        change(made["message"], params)
        return {"request": json.dumps(made).encode()}

    return changed


def without_last(real, params, choices):
    made = real(params, choices)
    return {**made, "trace": params["trace"]}


def delegated(name, value):
    """A sub-brief with another line for a member; None leaves it out."""

    def changed(real, params, choices):
        made = real(params, choices)
        text = made["document"].decode()
        text = re.sub(rf"^{name}: .*\n", "" if value is None else f"{name}: {value}\n", text, count=1, flags=re.M)
        return {**made, "document": text.encode()}

    return op("brief.delegate", changed)


def ignoring_bounds(real, params, choices):
    return real({**params, "brief": re.sub(rb"currentDepth: \d+", b"currentDepth: 0", params["brief"])}, choices)


def bounded_as_text(real, params, choices):
    fields = document.brief(params["brief"], choices)[0]["fields"]
    at, most = fields.get("currentDepth", 0), fields.get("maxDepth")
    if most is None or str(at) >= str(most):
        return real(params, choices) if most is None else refuse()
    made = ignoring_bounds(real, params, choices)
    return {**made, "document": re.sub(rb"currentDepth: \d+", b"currentDepth: %d" % (at + 1), made["document"])}


def refuse():
    raise Refused("the bound is spent")


def drop(name):
    return lambda made: made["fields"].pop(name, None) and None


P = mock.patch.object
WRONG = {
    "splits at any three hyphens": lambda: P(document, "split", split_at_any_hyphens),
    "takes the last fence": lambda: P(document, "split", last_fence_wins),
    "repairs invalid UTF-8": lambda: P(document, "decode", repaired),
    "strips blanks at line ends of the body": lambda: P(
        document, "split", split(lambda head, body: (head, re.sub(r"[ \t]+$", "", body, flags=re.M)))
    ),
    "expands tabs in the body": lambda: P(document, "split", split(lambda head, body: (head, body.expandtabs(4)))),
    "makes LF of CR LF in the body": lambda: P(document, "split", split(lambda head, body: (head, body.replace("\r\n", "\n")))),
    "cuts the body at NUL": lambda: P(document, "split", split(lambda head, body: (head, body.split("\0")[0]))),
    "squeezes blank lines of the body": lambda: P(
        document, "split", split(lambda head, body: (head, re.sub(r"\n{3,}", "\n\n", body)))
    ),
    "reads lines with colons instead of YAML": lambda: P(front, "read", last_key_wins),
    "trims values": lambda: P(
        front, "read", members(lambda made: made.update({k: type(v)(v.strip()) for k, v in made.items() if isinstance(v, str)}))
    ),
    "lowers the delegatee": lambda: P(
        front,
        "read",
        members(
            lambda made: "delegatee" in made
            and isinstance(made["delegatee"], str)
            and made.update(delegatee=made["delegatee"].lower())
        ),
    ),
    "cuts the prefix off the delegatee": lambda: P(
        document,
        "brief",
        parsed(lambda made: made["fields"].update(delegatee=made["fields"]["delegatee"].removeprefix("capability:"))),
    ),
    "looks at a timestamp's beginning alone": lambda: P(document, "moment", lenient_time),
    "refuses fractions of a second": lambda: P(document, "moment", only_seconds),
    "compares moments as text": lambda: P(document, "moment", compared_as_text),
    "takes a missing member for anything": lambda: P(
        document, "string", lambda members, name, choices: str(members.get(name, "x"))
    ),
    "takes an empty member": lambda: P(
        document, "string", lambda members, name, choices: members[name] if isinstance(members.get(name), str) else refuse()
    ),
    "takes any version": lambda: P(document, "version", lambda text, choices: None),
    "takes a depth that is none for absent": lambda: P(
        document, "depth", lambda members, name, choices: int(members[name]) if str(members.get(name)).isdigit() else None
    ),
    "drops a parent": lambda: P(document, "brief", parsed(drop("parentId"))),
    "says root of every brief": lambda: P(document, "brief", parsed(lambda made: made.update(root=True))),
    "makes up a bound": lambda: P(document, "brief", parsed(lambda made: made["fields"].setdefault("maxDepth", 10) and None)),
    "drops depths of zero": lambda: P(
        document,
        "brief",
        parsed(lambda made: None if made["fields"].get("currentDepth") else made["fields"].pop("currentDepth", None) and None),
    ),
    "drops further members": lambda: P(document, "brief", parsed(lambda made: made.update(extra={}))),
    "knows sections by regular expression": lambda: P(
        document,
        "outline",
        lambda body: (
            None,
            [{"name": re.sub(r"^\d+\. ", "", each), "text": ""} for each in re.findall(r"^## (.*)$", body, re.M)],
        ),
    ),
    "answers the delegatee": lambda: op(
        "brief.respond",
        lambda real, params, choices: {
            **real(params, choices),
            "to": document.brief(params["brief"], choices)[0]["fields"]["delegatee"],
        },
    ),
    "returns the trace without an entry": lambda: op(
        "brief.respond",
        lambda real, params, choices: without_last(real, params, choices) if "trace" in params else real(params, choices),
    ),
    "makes up a trace": lambda: op("brief.respond", lambda real, params, choices: {"trace": b"", **real(params, choices)}),
    "writes a fixed id": lambda: op(
        "brief.respond",
        lambda real, params, choices: {
            **real(params, choices),
            "document": re.sub(rb"^id: .*", b'id: "brief-a4b1c8"', real(params, choices)["document"], flags=re.M),
        },
    ),
    "hands down the trace without an entry": lambda: op("brief.delegate", without_last),
    "hands down an empty trace and its entry": lambda: op(
        "brief.delegate",
        lambda real, params, choices: {**real(params, choices), "trace": real({**params, "trace": b""}, choices)["trace"]},
    ),
    "writes the trace into the sub-brief": lambda: op(
        "brief.delegate",
        lambda real, params, choices: {
            **real(params, choices),
            "document": real(params, choices)["document"] + b"\n" + params["trace"],
        },
    ),
    "ignores the bound": lambda: op("brief.delegate", ignoring_bounds),
    "compares depths as text": lambda: op("brief.delegate", bounded_as_text),
    "links to the grandparent": lambda: op(
        "brief.delegate",
        lambda real, params, choices: {
            **real(params, choices),
            "document": re.sub(
                rb"^parentId: .*",
                b'parentId: "'
                + document.brief(params["brief"], choices)[0]["fields"]
                .get("parentId", document.brief(params["brief"], choices)[0]["fields"]["id"])
                .encode()
                + b'"',
                real(params, choices)["document"],
                flags=re.M,
            ),
        },
    ),
    "does not count": lambda: delegated("currentDepth", 1),
    "drops the bound": lambda: delegated("maxDepth", None),
    "lowers the bound": lambda: delegated("maxDepth", 1),
    "drops the parent of a sub-brief": lambda: delegated("parentId", None),
    "writes names unquoted": lambda: P(document, "quoted", lambda text: text),
    "writes names in quotes without escapes": lambda: P(document, "quoted", lambda text: f'"{text}"'),
    "appends by reading and writing anew": lambda: P(trace, "append", rewriting_append),
    "appends whatever it is given": lambda: P(trace, "append", naive_append),
    "splits lines of a trace by Unicode": lambda: P(trace, "entries", splitlines_entries),
    "reads nested traces alone": lambda: P(trace, "ITEM", re.compile(r"(  )- \*\*(Action|Brief)\*\*:[ \t]*(.*?)[ \t]*\Z")),
    "reads flat traces alone": lambda: P(trace, "ITEM", re.compile(r"()- \*\*(Action|Brief)\*\*:[ \t]*(.*?)[ \t]*\Z")),
    "folds entries that are alike": lambda: op(
        "brief.parse_trace",
        lambda real, params, choices: {
            **real(params, choices),
            "entries": [
                each
                for index, each in enumerate(real(params, choices)["entries"])
                if each not in real(params, choices)["entries"][:index]
            ],
        },
    ),
    "sorts entries": lambda: op(
        "brief.parse_trace",
        lambda real, params, choices: {
            **real(params, choices),
            "entries": sorted(real(params, choices)["entries"], key=lambda each: (each["timestamp"], each["action"])),
        },
    ),
    "remembers further members": lambda: op("brief.parse", remembers),
    "caches briefs by id": lambda: op("brief.parse", cached),
    "remembers the trace": lambda: op("brief.respond", keeps_trace),
    "trims the document on its way": lambda: op(
        "brief.to_a2a", request(lambda message, params: message["parts"][0].update(text=message["parts"][0]["text"].strip()))
    ),
    "normalises accents on the way": lambda: op(
        "brief.to_a2a",
        request(
            lambda message, params: message["parts"][0].update(
                text=__import__("unicodedata").normalize("NFC", message["parts"][0]["text"])
            )
        ),
    ),
    "makes LF of CR LF on the way": lambda: op(
        "brief.to_a2a",
        request(lambda message, params: [part.update(text=part["text"].replace("\r\n", "\n")) for part in message["parts"]]),
    ),
    "puts a kind into parts": lambda: op(
        "brief.to_a2a", request(lambda message, params: [part.update(kind="text") for part in message["parts"]])
    ),
    "writes roles of A2A 0.3": lambda: op("brief.to_a2a", request(lambda message, params: message.update(role="user"))),
    "forgets the message's id": lambda: op("brief.to_a2a", request(lambda message, params: message.pop("messageId"))),
    "leaves the trace behind": lambda: op(
        "brief.to_a2a", request(lambda message, params: message.update(parts=message["parts"][:1]))
    ),
    "puts the trace first": lambda: op("brief.to_a2a", request(lambda message, params: message["parts"].reverse())),
    "always adds a trace": lambda: op(
        "brief.to_a2a", request(lambda message, params: len(message["parts"]) == 1 and message["parts"].append({"text": ""}))
    ),
    "sends everything as the user": lambda: op("brief.to_a2a", request(lambda message, params: message.update(role="ROLE_USER"))),
    "names parts by the raw id": lambda: op(
        "brief.to_a2a",
        request(
            lambda message, params: "response" not in params
            and message["parts"][0].update(
                filename=document.brief(params["document"], Choices())[0]["fields"]["id"] + ".brief.md"
            )
        ),
    ),
    "takes the first part with text": lambda: op(
        "brief.from_a2a",
        lambda real, params, choices: real(
            {
                "request": json.dumps(
                    {
                        "message": {
                            "parts": [
                                part
                                for part in a2a.load(params["request"])["message"]["parts"]
                                if isinstance(part, dict) and "text" in part
                            ]
                        }
                    }
                ).encode()
            },
            choices,
        ),
    ),
    "takes any second part for the trace": lambda: op(
        "brief.from_a2a",
        lambda real, params, choices: (
            {"trace": b"", **real(params, choices)}
            if params["request"].count(b"filename") and b"png" in params["request"]
            else real(params, choices)
        ),
    ),
    "repairs half a pair": lambda: P(
        a2a,
        "text_of",
        lambda part: (
            part["text"].encode("utf-8", "replace")
            if isinstance(part, dict) and isinstance(part.get("text"), str)
            else (_ for _ in ()).throw(Refused("none"))
        ),
    ),
    "matches by skill alone": lambda: op(
        "brief.match",
        lambda real, params, choices: {
            "matches": [
                index
                for index, card in enumerate(params["cards"])
                if any(each.get("id") == params["delegatee"][11:] for each in a2a.load(card)["skills"])
            ]
        },
    ),
    "matches by protocol alone": lambda: op(
        "brief.match",
        lambda real, params, choices: {
            "matches": [index for index, card in enumerate(params["cards"]) if a2a.PROTOCOL.encode() in card]
        },
    ),
    "matches text in the card": lambda: op(
        "brief.match",
        lambda real, params, choices: {
            "matches": [
                index
                for index, card in enumerate(params["cards"])
                if a2a.PROTOCOL.encode() in card and params["delegatee"][11:].encode() in card
            ]
        },
    ),
    "looks at the first skill alone": lambda: op(
        "brief.match",
        lambda real, params, choices: {
            "matches": [
                index
                for index in real(params, choices)["matches"]
                if a2a.load(params["cards"][index])["skills"][0]["id"] == params["delegatee"][11:]
            ]
        },
    ),
    "matches tags on the skill itself alone": lambda: op(
        "brief.match",
        lambda real, params, choices: {
            "matches": [
                index
                for index in real(params, choices)["matches"]
                if b"extensions" in params["cards"][index]
                or any(
                    a2a.PROTOCOL in each["tags"] and each["id"] == params["delegatee"][11:]
                    for each in a2a.load(params["cards"][index])["skills"]
                )
            ]
        },
    ),
}
TAKEN = ("split", "brief", "response", "moment", "decode", "outline", "quoted")


@contextlib.contextmanager
def everywhere(patch):
    """A function that other modules have taken by name is changed there too."""
    with patch, contextlib.ExitStack() as stack:
        name = getattr(patch, "attribute", None)
        if name in TAKEN and patch.getter() is document:
            for module in (a2a, brief, trace, check_corpus):
                if hasattr(module, name) and module is not check_corpus and not (module is brief and name == "split"):
                    stack.enter_context(mock.patch.object(module, name, getattr(document, name)))
            if name == "brief":
                stack.enter_context(
                    op("brief.parse", lambda real, params, choices: document.brief(params["document"], choices)[0])
                )
        if name == "read":
            stack.enter_context(mock.patch.object(check_corpus.front, "read", front.read))
        yield


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[3]
    every = list(check_corpus.cases(root))
    _, known, _, schema = check_corpus.form(root, every)
    robust = {name for name, requirement in known.items() if requirement.get("kind") == "robustness"}
    ours = [case for case in every if case["role"] != "brief/delegator" and not set(case["requirements"]) <= robust]
    gaps = 0
    for name, patch in WRONG.items():
        MEMORY.clear()
        front.read.cache_clear() if hasattr(front.read, "cache_clear") else None
        with everywhere(patch()):
            noticed = [case["id"] for case in ours if check_corpus.played(case, Choices(), schema)]
        gaps += not noticed
        print(f"{len(noticed):4}  {name}{': ' + noticed[0] if noticed else ''}")
    print(f"{len(WRONG)} faults, {gaps} that no case notices")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main())
