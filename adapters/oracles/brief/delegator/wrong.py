"""Delegators that are wrong in one thing each: the oracle with one mistake that people make. Each must fail cases.

`python3 check_corpus.py --wrong` plays the corpus to all of them and says how many cases notice, and which does nobody notice.
"""

import contextlib
import json
import re
import unicodedata
from unittest import mock

import brf

WRONG = {}


def patched(name, change):
    return mock.patch.object(brf, name, change(getattr(brf, name)))


def quoting(function):
    """A create that quotes values this way; what it refuses is what the right one refuses."""
    @contextlib.contextmanager
    def active():
        def change(right):
            def create(params, takes):
                right(params, takes)
                with mock.patch.object(brf, "quoted", function), mock.patch.object(brf, "brief", lambda document, takes: None):
                    return right(params, takes)
            return create
        with patched("create", change):
            yield
    return active


for name, function in {
    "plain-scalars": lambda text: text,
    "double-quotes-alone": lambda text: f'"{text}"',
    "single-quotes-alone": lambda text: f"'{text}'",
    "single-quotes-doubled": lambda text: "'" + text.replace("'", "''") + "'",
    "quotes-escaped-backslashes-not": lambda text: '"' + text.replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r") + '"',
    "line-feeds-escaped-returns-not": lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"',
    "quoted-if-it-has-a-colon": lambda text: brf_quoted(text) if re.search(r"[:#\n]", text) else text,
    "literal-blocks": lambda text: "|-\n" + "".join(f"  {line}\n" for line in text.split("\n")).rstrip("\n"),
    "surrogate-pairs": lambda text: json.dumps(text),
    "trimmed": lambda text: brf_quoted(text.strip()),
    "composed": lambda text: brf_quoted(unicodedata.normalize("NFC", text)),
    "compatibility-composed": lambda text: brf_quoted(unicodedata.normalize("NFKC", text)),
    "line-breaks-to-blanks": lambda text: brf_quoted(re.sub(r"[\r\n]+", " ", text)),
    "invisible-characters-removed": lambda text: brf_quoted("".join(c for c in text if unicodedata.category(c) not in ("Cf", "Cc"))),
    "blanks-collapsed": lambda text: brf_quoted(re.sub(" +", " ", text)),
    "cut-at-eighty": lambda text: brf_quoted(text[:80]),
    "html-unescaped": lambda text: brf_quoted(__import__("html").unescape(text)),
    "percent-decoded": lambda text: brf_quoted(__import__("urllib.parse").parse.unquote(text)),
}.items():
    WRONG[name] = quoting(function)
brf_quoted = brf.quoted


def creating(change):
    """A create whose params or output are changed."""
    return lambda: patched("create", lambda old: lambda params, takes: change(old, dict(params), takes))


def with_document(output, document):
    return {**output, "document": document}


WRONG.update({
    "no-word-refused": creating(lambda old, p, t: old({"yes": 0, **p}, t) if p.get("delegator") not in ("no", "null", "~", "1.0", "true") else refuse()),
    "line-breaks-refused": creating(lambda old, p, t: refuse() if any("\n" in v for k, v in p.items() if isinstance(v, str) and k != "body") else old(p, t)),
    "default-bound": creating(lambda old, p, t: old({"maxDepth": 3, **p}, t)),
    "falsy-depth-dropped": creating(lambda old, p, t: old({k: v for k, v in p.items() if v != 0}, t)),
    "times-to-z": creating(lambda old, p, t: old({**p, "timestamp": p["timestamp"].replace("05:55:00+02:00", "03:55:00Z")} if isinstance(p.get("timestamp"), str) else p, t)),
    "id-always-made": creating(lambda old, p, t: old({k: v for k, v in p.items() if k != "id"}, t)),
    "time-always-now": creating(lambda old, p, t: old({k: v for k, v in p.items() if k != "timestamp"}, t)),
    "id-of-the-second": creating(lambda old, p, t: old({"id": "brief-1770000000", **p}, t)),
    "id-of-the-body": creating(lambda old, p, t: old({"id": f"brief-{hash(str(p))}", **p}, t)),
    "parent-always-there": creating(lambda old, p, t: old({"parentId": "none", **p}, t)),
    "delegator-defaulted": creating(lambda old, p, t: old({"delegator": "anonymous", **p, **({"delegator": "anonymous"} if not p.get("delegator") else {})}, t)),
    "body-defaulted": creating(lambda old, p, t: old({**p, "body": p.get("body") or "# Briefing\n"}, t)),
    "body-trimmed-by-line": creating(lambda old, p, t: old({**p, "body": "\n".join(line.rstrip() for line in p.get("body", "").split("\n"))}, t)),
    "body-tabs-expanded": creating(lambda old, p, t: old({**p, "body": p.get("body", "").expandtabs(4)}, t)),
    "body-line-ends-mended": creating(lambda old, p, t: old({**p, "body": re.sub(r"\r\n?", "\n", p.get("body", ""))}, t)),
    "fences-in-the-body-escaped": creating(lambda old, p, t: old({**p, "body": re.sub(r"(?m)^---$", r"\\---", p.get("body", ""))}, t)),
    "extras-left-out": creating(lambda old, p, t: old({k: v for k, v in p.items() if k != "extra"}, t)),
    "trace-written-along": creating(lambda old, p, t: with_document(out := old(p, t), out["document"] + p.get("trace", b""))),
    "file-name-of-any-id": creating(lambda old, p, t: {**(out := old(p, t)), "filename": out["id"] + ".brief.md"}),
    "depths-quoted": creating(lambda old, p, t: with_document(out := old(p, t), re.sub(rb"(Depth: )(\d+)", rb'\1"\2"', out["document"]))),
    "times-unchecked": lambda: patched("moment", lambda old: lambda text, takes=None: lenient(old, text, takes)),
})


def lenient(old, text, takes):
    try:
        return old(text, takes)
    except brf.Refused:
        return (0, "")


def refuse():
    raise brf.Refused("wrong")


memory = {}


def remembering(old):
    def create(params, takes):
        memory.update({k: v for k, v in params.items() if k in ("parentId", "maxDepth", "currentDepth")})
        return old({**memory, **params}, takes)
    return create


WRONG["create-remembers"] = lambda: patched("create", remembering)


def last_wins(old):
    def front_matter(text, takes):
        seen = {}
        for line in text.splitlines():
            if match := re.match(r'"?(\w+)"?:', line):
                seen[match[1]] = line
        return old("\n".join(seen.values()) if len(seen) < len(re.findall(r'(?m)^"?\w+"?:', text)) else text, takes)
    return front_matter


def splits_at_dashes(old):
    def split(document, takes):
        old(document, takes)
        parts = brf.text_of(document).split("---")
        return parts[1], parts[2]
    return split


def last_fence(old):
    def split(document, takes):
        front, body = old(document, takes)
        parts = re.split(r"(?m)^---\r?\n", brf.text_of(document))
        return parts[-2] if len(parts) > 3 else front, parts[-1]
    return split


WRONG.update({
    "last-key-wins": lambda: patched("front_matter", last_wins),
    "split-at-dashes": lambda: patched("split", splits_at_dashes),
    "last-fence": lambda: patched("split", last_fence),
    "bytes-repaired": lambda: mock.patch.object(brf, "text_of", lambda document: document.decode("utf-8", "replace")),
    "second-fence-not-needed": lambda: patched("split", lambda old: lambda d, t: old(d if d.count(b"---\n") > 1 else d + b"---\nx", t)),
    "ids-in-small-letters": lambda: patched("string", lambda old: lambda m, n, t, needed=True: (v := old(m, n, t, needed)) and v.lower()),
    "values-trimmed": lambda: patched("string", lambda old: lambda m, n, t, needed=True: (v := old(m, n, t, needed)) and v.strip()),
    "values-composed": lambda: patched("string", lambda old: lambda m, n, t, needed=True: (v := old(m, n, t, needed)) and unicodedata.normalize("NFC", v)),
    "ids-as-numbers": lambda: patched("string", lambda old: lambda m, n, t, needed=True: numeric(old(m, n, t, needed))),
    "empty-values-taken": lambda: patched("string", lambda old: lambda m, n, t, needed=True: "" if isinstance(m.get(n), brf.Scalar) and m[n].text == "" else old(m, n, t, needed)),
    "missing-values-taken": lambda: patched("string", lambda old: lambda m, n, t, needed=True: "unknown" if n not in m else old(m, n, t, needed)),
    "carriage-returns-kept": lambda: patched("front_matter", lambda old: lambda text, t: old(text.replace("\r\n", '"\r\n') if "\r\n" in text else text, t)),
    "body-of-a-response-trimmed": lambda: patched("response", lambda old: lambda d, t: (r := old(d, t))[:2] + ("\n".join(line.rstrip() for line in r[2].split("\n")),)),
    "response-of-any-brief": lambda: patched("parse_response", lambda old: lambda p, t: old({k: v for k, v in p.items() if k != "brief"}, t)),
    "brief-not-read": lambda: patched("parse_response", lambda old: lambda p, t: old(p if b'id: "' + old({"document": p["document"]}, t)["fields"]["id"].encode() + b'"' not in p.get("brief", b"") else {"document": p["document"]}, t)),
    "extra-dropped": lambda: patched("as_json", lambda old: lambda value: old(value) if isinstance(value, dict) else None),
    "headings-in-code-count": lambda: mock.patch.object(brf, "sections", lambda body: [{"name": n, "text": ""} for n in re.findall(r"(?m)^## +(?:\d+\. +)?(.*)$", body)]),
    "numbers-in-section-names": lambda: mock.patch.object(brf, "sections", lambda body: [{"name": n, "text": ""} for n in re.findall(r"(?m)^## +(.*)$", body)]),
})


def numeric(value):
    try:
        return f"{float(value):g}"
    except (TypeError, ValueError):
        return value


def waits(change):
    return lambda: patched("fan_in", lambda old: lambda params, takes: change(old, dict(params), takes))


def counted(old, p, t):
    out = old(p, t)
    return {**out, "complete": len(p["responses"]) >= len(p["awaiting"])}


def failing(old, p, t):
    out = old(p, t)
    bad = [each["id"] for each in out["received"] if each["status"] != "success"]
    return {**out, "missing": [each for each in p["awaiting"] if each in out["missing"] or each in bad], "complete": out["complete"] and not bad}


heard = []


def remembers_answers(old, p, t):
    heard.extend(each for each in p["responses"] if each not in heard)
    return old({**p, "responses": list(heard)}, t)


WRONG.update({
    "responses-counted": waits(counted),
    "failures-do-not-count": waits(failing),
    "missing-sorted": waits(lambda old, p, t: {**(o := old(p, t)), "missing": sorted(o["missing"])}),
    "missing-in-small-letters": waits(lambda old, p, t: old({**p, "awaiting": [each.lower() for each in p["awaiting"]]}, t)),
    "strangers-not-named": waits(lambda old, p, t: {**old(p, t), "unexpected": []}),
    "strangers-end-the-wait": waits(lambda old, p, t: {**(o := old(p, t)), "complete": not o["missing"] or len(o["unexpected"]) >= len(o["missing"])}),
    "strangers-hold-it-up": waits(lambda old, p, t: {**(o := old(p, t)), "complete": o["complete"] and not o["unexpected"]}),
    "doubles-received-twice": waits(lambda old, p, t: {**(o := old(p, t)), "received": o["received"] * 2 if len(set(p["responses"])) < len(p["responses"]) else o["received"]}),
    "doubles-refused": waits(lambda old, p, t: old(p, t) if len(set(p["responses"])) == len(p["responses"]) else refuse()),
    "nothing-awaited-never-ends": waits(lambda old, p, t: {**(o := old(p, t)), "complete": o["complete"] and bool(p["awaiting"])}),
    "wait-remembers": waits(remembers_answers),
    "broken-responses-count": waits(lambda old, p, t: old({**p, "responses": [good(each, p, t) for each in p["responses"]]}, t)),
})


def good(document, p, t):
    try:
        brf.response(document, t)
        return document
    except brf.Refused:
        return f'---\nid: "{p["awaiting"][-1]}"\nstatus: "success"\ntimestamp: "2026-02-06T04:30:00Z"\n---\nx\n'.encode()


def reads(change):
    return lambda: patched("entries", lambda old: lambda document, takes: change(old, document, takes))


def unique(found):
    return [each for index, each in enumerate(found) if each not in found[:index]]


WRONG.update({
    "nested-alone": lambda: mock.patch.object(brf, "ACTION", re.compile(r"  - \*\*Action\*\*: (.*)")),
    "flat-alone": lambda: mock.patch.object(brf, "ACTION", re.compile(r"- \*\*Action\*\*: (.*)")),
    "entries-as-a-set": reads(lambda old, d, t: unique(old(d, t))),
    "entries-sorted": reads(lambda old, d, t: sorted(old(d, t), key=lambda each: each["timestamp"])),
    "last-entry-lost": reads(lambda old, d, t: old(d, t) if d.endswith(b"\n") or not d else old(d, t)[:-1]),
    "actions-cut": reads(lambda old, d, t: [{**each, "action": each["action"][:256]} for each in old(d, t)]),
    "backticks-removed": reads(lambda old, d, t: [{**each, "action": each["action"].replace("`", "")} for each in old(d, t)]),
    "times-as-z": reads(lambda old, d, t: [{**each, "timestamp": re.sub(r"[+-]\d\d:\d\d$", "Z", each["timestamp"])} for each in old(d, t)]),
    "brief-items-dropped": reads(lambda old, d, t: [{k: v for k, v in each.items() if k != "brief"} for each in old(d, t)]),
    "times-compared-as-text": lambda: patched("moment", lambda old: lambda text, takes=None: old(text, takes) and text),
    "no-warnings": lambda: patched("parse_trace", lambda old: lambda d, t: (old(d, t)[0], [])),
    "entries-composed": reads(lambda old, d, t: [{k: unicodedata.normalize("NFC", v) for k, v in each.items()} for each in old(d, t)]),
    "agents-found-anywhere": lambda: mock.patch.object(brf, "ACTION", re.compile(r"(?:  )?- \*\*Action\*\*: ((?:(?!- \*\*Agent).)*).*")),
})


def merges(change):
    return lambda: patched("merge", lambda old: lambda params, takes: change(old, params, takes))


def adding(function):
    return lambda: mock.patch.object(brf, "added", function)


def whole_trace(p, es):
    text = b""
    for each in es:
        text += f"- **Agent**: `{each['agent']}` @ `{each['timestamp']}`\n  - **Action**: {each['action']}\n".encode()
    return {"trace": text}


def all_entries(p, t):
    out = brf.entries(p["trace"], t)
    for branch in p["branches"]:
        out += brf.entries(brf.added(branch["handed_down"], branch["returned"], t), t)
    return out


WRONG.update({
    "prefix-not-checked": adding(lambda h, r, t: b"".join(r.splitlines(True)[len(h.splitlines()):])),
    "prefix-within-a-line": adding(lambda h, r, t: r[len(h):].lstrip(b"\n") if r.startswith(h) and not r[len(h):].startswith(b" ") else (b"\n".join(r[len(h):].split(b"\n")[1:]) if r.startswith(h) else refuse())),
    "prefix-as-a-set": adding(lambda h, r, t: b"".join(line for line in r.splitlines(True) if line not in h.splitlines(True)) if set(h.splitlines()) <= set(r.splitlines()) else refuse()),
    "prefix-in-small-letters": adding(lambda h, r, t: r[len(h):] if r.lower().startswith(h.lower()) else refuse()),
    "prefix-of-agents-alone": adding(lambda h, r, t: b"".join(r.splitlines(True)[len(h.splitlines()):]) if [x["agent"] for x in brf.entries(h, t)] == [x["agent"] for x in brf.entries(r, t)][:len(brf.entries(h, t))] else refuse()),
    "prefix-composed": adding(lambda h, r, t: r.decode("utf-8", "replace")[len(h.decode()) - (1 if "\u0301" in h.decode() and "\u0301" not in r.decode("utf-8", "replace") else 0):].encode() if unicodedata.normalize("NFC", r.decode("utf-8", "replace")).startswith(unicodedata.normalize("NFC", h.decode()).rstrip("\n")) else refuse()),
    "prefix-must-have-the-break": adding(lambda h, r, t: r[len(h):] if r.startswith(h) and (not h or h.endswith(b"\n")) else refuse()),
    "prefix-of-the-held-trace": merges(lambda old, p, t: old({**p, "branches": [{**b, "handed_down": p["trace"]} for b in p["branches"]]}, t)),
    "empty-return-taken": adding(lambda h, r, t: b"" if not r else ORIGINAL_ADDED(h, r, t)),
    "shorter-return-taken": adding(lambda h, r, t: b"" if h.startswith(r) else ORIGINAL_ADDED(h, r, t)),
    "additions-alone-taken": adding(lambda h, r, t: r if not r.startswith(h[:40]) else ORIGINAL_ADDED(h, r, t)),
    "bad-branches-passed-over": merges(lambda old, p, t: old({**p, "branches": [b for b in p["branches"] if works(old, p, b, t)]}, t)),
    "returned-traces-in-a-row": merges(lambda old, p, t: {"trace": p["trace"] + b"".join(b["returned"] for b in p["branches"])}),
    "last-return-replaces": merges(lambda old, p, t: {"trace": p["branches"][-1]["returned"] if p["branches"] and old(p, t) else p["trace"]}),
    "merged-as-a-set": merges(lambda old, p, t: whole_trace(p, unique(all_entries(p, t)))),
    "sorted-by-time-all": merges(lambda old, p, t: whole_trace(p, sorted(all_entries(p, t), key=lambda each: brf.moment(each["timestamp"])))),
    "additions-sorted-by-time": merges(lambda old, p, t: whole_trace(p, brf.entries(p["trace"], t) + sorted(all_entries(p, t)[len(brf.entries(p["trace"], t)):], key=lambda each: brf.moment(each["timestamp"])))),
    "additions-sorted-as-text": merges(lambda old, p, t: whole_trace(p, brf.entries(p["trace"], t) + sorted(all_entries(p, t)[len(brf.entries(p["trace"], t)):], key=lambda each: each["timestamp"]))),
    "map-by-time": merges(lambda old, p, t: whole_trace(p, list({each["timestamp"]: each for each in all_entries(p, t)}.values()))),
    "branches-known-by-bytes": merges(lambda old, p, t: old({**p, "branches": [b for i, b in enumerate(p["branches"]) if b["returned"] not in [c["returned"] for c in p["branches"][:i]]]}, t)),
    "branches-known-in-small-letters": merges(lambda old, p, t: old({**p, "branches": [{**b, "brief": b["brief"].lower()} for b in p["branches"]]}, t)),
    "branches-not-known": merges(lambda old, p, t: whole_trace(p, all_entries(p, t))),
    "first-branch-alone": merges(lambda old, p, t: old({**p, "branches": p["branches"][:1]}, t)),
    "held-break-not-mended": merges(lambda old, p, t: {"trace": p["trace"] + old({**p, "trace": b""}, t)["trace"]}),
    "held-trace-rewritten": merges(lambda old, p, t: {"trace": old(p, t)["trace"].replace(b"\n  - ", b"\n- ")}),
    "one-entry-a-branch": merges(lambda old, p, t: old({**p, "branches": [{**b, "returned": b["returned"] if brf.added(b["handed_down"], b["returned"], t).count(b"**Agent**") < 2 else b["handed_down"] + b"\n".join(brf.added(b["handed_down"], b["returned"], t).split(b"\n")[:2]) + b"\n"} for b in p["branches"]]}, t)),
    "parents-news-lost": merges(lambda old, p, t: old({**p, "trace": p["branches"][0]["handed_down"] if p["branches"] else p["trace"]}, t)),
})
ORIGINAL_ADDED = brf.added


def works(old, p, b, t):
    try:
        return bool(old({**p, "branches": [b]}, t))
    except brf.Refused:
        return False


def trees(change):
    return lambda: patched("tree", lambda old: lambda documents, takes: change(old, documents, takes))


def nodes(out, change):
    return {"nodes": [change(dict(each)) for each in out["nodes"]]}


def cycles_cut(old, documents, takes):
    try:
        return old(documents, takes)
    except brf.Refused as refused:
        if str(refused) != "a cycle":
            raise
        return {"nodes": []}


def only_short_cycles(old, documents, takes):
    try:
        return old(documents, takes)
    except brf.Refused as refused:
        found = {f["id"]: f.get("parentId") for f in (brf.brief(d, takes)[0] for d in documents)}
        if str(refused) == "a cycle" and not any(found.get(p) == i or p == i for i, p in found.items()):
            return {"nodes": []}
        raise


def in_one_pass(old, documents, takes):
    """Depth from the parents seen so far: right for one order only."""
    out, depth = old(documents, takes), {}
    for document in documents:
        fields = brf.brief(document, takes)[0]
        depth[fields["id"]] = depth.get(fields.get("parentId"), 0) + 1 if "parentId" in fields else 0
    return nodes(out, lambda each: {**each, "depth": depth.get(each["id"], each["depth"])})


def doubles(keep):
    def change(old, documents, takes):
        found = {}
        for document in documents:
            name = brf.brief(document, takes)[0]["id"]
            if keep == "last" or name not in found:
                found[name] = document
        return old(list(found.values()), takes)
    return change


def given_depth(old, documents, takes):
    depth = {f["id"]: f["currentDepth"] for f in (brf.brief(d, takes)[0] for d in documents) if "currentDepth" in f}
    return nodes(old(documents, takes), lambda each: {**each, "depth": depth.get(each["id"], each["depth"])})


def broken_passed_over(old, documents, takes):
    kept = []
    for document in documents:
        with contextlib.suppress(brf.Refused):
            brf.brief(document, takes)
            kept.append(document)
    return old(kept, takes)


WRONG.update({
    "cycles-not-seen": trees(cycles_cut),
    "cycles-of-two-alone": trees(only_short_cycles),
    "depth-in-one-pass": trees(in_one_pass),
    "first-of-two-kept": trees(doubles("first")),
    "last-of-two-kept": trees(doubles("last")),
    "outside-left-out": trees(lambda old, d, t: {"nodes": [each for each in old(d, t)["nodes"] if not each["outside"]]}),
    "outside-refused": trees(lambda old, d, t: refuse() if any(each["outside"] for each in old(d, t)["nodes"]) else old(d, t)),
    "outside-not-said": trees(lambda old, d, t: nodes(old(d, t), lambda each: {**each, "outside": False})),
    "children-of-outside-are-roots": trees(lambda old, d, t: nodes(out := old(d, t), lambda each: {**each, "depth": 0} if each["parent"] in [o["id"] for o in out["nodes"] if o["outside"]] else each)),
    "not-sorted": trees(lambda old, d, t: {"nodes": sorted(old(d, t)["nodes"], key=lambda each: (each["depth"], each["id"]))}),
    "sorted-without-case": trees(lambda old, d, t: {"nodes": sorted(old(d, t)["nodes"], key=lambda each: each["id"].lower())}),
    "depth-as-given": trees(given_depth),
    "depth-from-one": trees(lambda old, d, t: nodes(old(d, t), lambda each: {**each, "depth": each["depth"] + 1})),
    "depth-at-most-two": trees(lambda old, d, t: nodes(old(d, t), lambda each: {**each, "depth": min(each["depth"], 2)})),
    "broken-briefs-passed-over": trees(broken_passed_over),
})

SLOW = {"large-traces", "hostile-documents", "many-briefs"}


def measure(cases, play):
    killers = {}
    for name, active in WRONG.items():
        memory.clear()
        heard.clear()
        noticed = []
        with active():
            for case in cases:
                if case["topic"] in SLOW:
                    continue
                try:
                    fault, _ = play(case, brf.run, brf.READINGS[0])
                except Exception as error:  # noqa: BLE001  (a wrong delegator may crash)
                    fault = repr(error)
                if fault:
                    noticed.append(case["name"])
        for each in noticed:
            killers.setdefault(each, set()).add(name)
        print(f"{len(noticed):4}  {name:34} {', '.join(noticed[:3])}")
    print(f"{len(WRONG)} wrong delegators, {sum(len(each) == 1 for each in killers.values())} cases that one alone fails")
