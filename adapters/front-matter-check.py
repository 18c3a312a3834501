#!/usr/bin/env python3
"""Do `python-frontmatter` and `gray-matter` read the briefs and responses that a subject writes?

    adapters/front-matter-check.py                          Proofmark's reference, with target/release/proofmark
    adapters/front-matter-check.py --subject 'COMMAND'      any adapter that offers `brief.create`
    adapters/front-matter-check.py --adapters FOLDER        the two readers are installed in another copy of this folder

Asks the subject for documents with `brief.create`, `brief.respond` and `brief.delegate`, some thousand times with odd values
from a seed, and with the params of every case of the corpus. Each document goes to both libraries (installed as README.md
says), and both must find in it the values that were asked for, no member that documents with plain values do not have as well,
and the body, blank lines around it aside. Where the subject refuses to write, there is nothing to read: those are counted.

Two things are the libraries' own, and left out: `python-frontmatter` cannot give a member named `content`, `handler` or `self`,
and takes CRLF for LF. Exit status: 0 all the same; 1 a difference, or nothing was written; 2 wrong usage or a process that
does not answer.
"""

import argparse
import collections
import contextlib
import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from judging.corpus import requests
from judging.odd import Odd
from judging.subject import Failed, Subject

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
OPERATIONS = ("brief.create", "brief.respond", "brief.delegate")
#: Of what is asked for, what stands in the document under the same name.
WRITTEN = {
    "brief.create": (
        *("id", "protocolVersion", "delegator", "delegatee", "timestamp", "parentId", "maxDepth", "currentDepth"),
    ),
    "brief.respond": ("status", "timestamp"),
    "brief.delegate": ("id", "delegator", "delegatee", "timestamp"),
}
PLAIN = {
    "delegator": "agent-a",
    "delegatee": "agent-b",
    "body": "# Briefing: X\n\nText.\n",
    "timestamp": "2026-02-06T03:55:00Z",
}
#: What `python-frontmatter` cannot have as a member: parameters of its own.
TAKEN = ("content", "handler", "self")


@dataclass
class Reader:
    """One library: how to start it, what shows that it is installed, and what it does to the text around the body."""

    command: str
    installed: str
    body: callable
    #: Members that it cannot have.
    taken: tuple = ()
    subject: Subject = None
    read: int = 0
    left_out: int = 0


READERS = (
    Reader(
        "{0}/pypi-python-frontmatter/.venv/bin/python {0}/pypi-python-frontmatter/adapter.py",
        "pypi-python-frontmatter/.venv/bin/python",
        # It takes CRLF for LF twice over, so that CR CR LF is one as well.
        lambda text: re.sub(r"\r+\n", "\n", text).strip(),
        taken=TAKEN,
    ),
    Reader(
        "node --experimental-permission --allow-fs-read={0}/ {0}/npm-gray-matter/adapter.mjs",
        "npm-gray-matter/node_modules/gray-matter",
        lambda text: text.strip("\r\n"),
    ),
)


@dataclass
class Tally:
    asked: collections.Counter = field(default_factory=collections.Counter)
    written: collections.Counter = field(default_factory=collections.Counter)
    refused: collections.Counter = field(default_factory=collections.Counter)
    differences: list = field(default_factory=list)
    reasons: dict = field(default_factory=dict)


def main():
    options = arguments()
    options.adapters = options.adapters.resolve()
    missing = [r.installed.partition("/")[0] for r in READERS if not (options.adapters / r.installed).exists()]
    if missing:
        print(f"not installed in {options.adapters}: {', '.join(missing)}", file=sys.stderr)
        return 2
    command = options.subject or shlex.join([str(options.proofmark.resolve()), "serve"])
    try:
        from_corpus, left_out = ([], 0)
        if not options.no_corpus:
            from_corpus, left_out = requests(options.proofmark, "brief", OPERATIONS, options.corpus)
        with contextlib.ExitStack() as stack:
            subject = stack.enter_context(Subject(command, ROOT))
            for reader in READERS:
                reader.subject = stack.enter_context(Subject(reader.command.format(options.adapters), options.adapters))
            tally = Tally()
            usual = usual_members(subject)
            for request in from_corpus:
                judge(subject, request.operation, request.params, usual, tally, request.case)
            for number, (operation, params) in enumerate(generated(subject, options), 1):
                judge(subject, operation, params, usual, tally, f"generated {number}")
            return told(subject, tally, len(from_corpus), left_out, options)
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 2


def arguments():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--proofmark", type=Path, default=ROOT / "target/release/proofmark", help="the binary")
    options.add_argument("--subject", help="its command, run from the root (default: proofmark serve)")
    options.add_argument("--adapters", type=Path, default=HERE, help="where the readers are installed")
    options.add_argument("--corpus", type=Path, help="cases from this folder instead of those in the binary")
    options.add_argument("--no-corpus", action="store_true", help="generated values alone")
    options.add_argument("--documents", type=int, default=3000, help="how many are asked for with generated values")
    options.add_argument("--seed", type=int, default=1202)
    options.add_argument("--show", type=int, default=10, help="how many differences are shown")
    return options.parse_args()


def generated(subject, options):
    """Requests with odd values. Responses and sub-briefs are to briefs that the subject wrote itself."""
    odd = Odd(options.seed)
    held = []
    for _ in range(options.documents):
        if held and odd.chance(0.3):
            params = {"brief": odd.one_of(held), "timestamp": "2026-02-07T00:00:00Z", "body": odd.body()}
            if odd.chance(0.5):
                yield "brief.respond", {**params, "status": "success" if odd.chance(0.5) else odd.name()}
            else:
                names = {"delegator": odd.name(), "delegatee": odd.name()}
                yield "brief.delegate", {**params, **names, "trace": {"text": ""}, "action": "Delegated."}
            continue
        params = {"delegator": odd.name(), "delegatee": odd.name(), "body": odd.body()}
        params |= {name: odd.name() for name in ("id", "parentId") if odd.chance(0.5)}
        params |= {"timestamp": PLAIN["timestamp"]} if odd.chance(0.5) else {}
        params |= {"maxDepth": 9, "currentDepth": odd.up_to(8)} if odd.chance(0.3) else {}
        names = {odd.name() for _ in range(odd.up_to(3))} - {*WRITTEN["brief.create"], "status"}
        params |= {"extra": {name: odd.text() for name in sorted(names)}} if names else {}
        yield "brief.create", params
        reply = subject.ask("brief.create", params)
        # A few are enough to answer to.
        if "ok" in reply and len(held) < 200:
            held.append(reply["ok"]["document"])


def usual_members(subject):
    """What the subject writes beside what it was asked for: the members of documents with plain values.

    Kept apart where depths are in play. A `parentId` that was not asked for makes a sub-brief of a root, and is never usual.
    """
    usual = {}
    trace, later = {"text": ""}, {"timestamp": PLAIN["timestamp"]}
    briefs = [{}, {"maxDepth": 9, "currentDepth": 1}, {"maxDepth": 9, "currentDepth": 1, "parentId": "p"}]
    for more in briefs:
        brief = plain(subject, "brief.create", {**PLAIN, **more}, usual)
        if brief is None:
            raise Failed(f"{subject.command}: no brief with plain values, so there is nothing to judge")
        plain(subject, "brief.respond", {"brief": brief, "status": "success", "body": "# Response: X\n", **later}, usual)
        plain(subject, "brief.delegate", {**PLAIN, "brief": brief, "trace": trace, "action": "Delegated."}, usual)
    return usual


def plain(subject, operation, params, usual):
    reply = subject.ask(operation, params)
    if "ok" not in reply:
        return None
    for reader in READERS:
        found = {*(members(reader, reply["ok"]["document"]) or {})} - ({"parentId"} if operation == "brief.create" else set())
        usual.setdefault((operation, deep(params)), set()).update(found)
    return reply["ok"]["document"]


def deep(params):
    """Whether depths are asked for, or stand in the brief that is held, as far as any reader can have it."""
    held = [members(reader, params["brief"]) or {} for reader in READERS] if "brief" in params else [params]
    return any(name in found for found in held for name in ("maxDepth", "currentDepth"))


def judge(subject, operation, params, usual, tally, place):
    """Asks for one document, and has both libraries read it."""
    tally.asked[operation] += 1
    reply = subject.ask(operation, params)
    if "ok" not in reply:
        kind = next(iter(reply))
        if kind == "fault":
            tally.differences.append((place, operation, params, f"the subject failed: {json.dumps(reply)}"))
        tally.refused[f"{operation}: {kind}"] += 1
        tally.reasons.setdefault(f"{operation}: {kind}", []).append((place, params, reply))
        return
    tally.written[operation] += 1
    expected = {name: params[name] for name in WRITTEN[operation] if name in params}
    expected |= params.get("extra", {})
    if operation == "brief.create":
        expected.setdefault("id", reply["ok"].get("id"))
    for reader in READERS:
        if expected.keys() & {*reader.taken}:
            reader.left_out += 1
            continue
        said = difference(reader, reply["ok"]["document"], operation, params, expected, usual)
        if said is None:
            reader.read += 1
        else:
            tally.differences.append((place, operation, params, f"{reader.subject.name}: {said}\n{shown(reply)}"))


def difference(reader, document, operation, params, expected, usual):
    reply = reader.subject.ask("brief.parse", {"document": document})
    if "ok" not in reply:
        return f"does not read it: {json.dumps(reply)}"
    found = {**reply["ok"]["fields"], **reply["ok"]["extra"]}
    if operation != "brief.create":
        # A response answers the brief, and a sub-brief hangs on it: by the id that the same library finds in the brief.
        # An id that the library made something else of than text is one that the brief's author did not write as text.
        held = (members(reader, params["brief"]) or {}).get("id")
        if isinstance(held, str):
            expected = expected | {"id" if operation == "brief.respond" else "parentId": held}
    for name, value in expected.items():
        if name not in found:
            return f"finds no member {name!r}"
        if found[name] != value or type(found[name]) is not type(value):
            return f"finds {name!r} = {found[name]!r}, and asked for was {value!r}"
    depths = deep(params)
    more = found.keys() - expected.keys() - usual.get((operation, depths), usual.get((operation, not depths), set()))
    if more:
        return f"finds members that nobody asked for: {sorted(more)!r}"
    body = reply["ok"]["body"].get("text")
    if body is None or reader.body(body) != reader.body(params["body"]):
        return f"finds the body {body!r}, and asked for was {params['body']!r}"
    return None


def members(reader, document):
    reply = reader.subject.ask("brief.parse", {"document": document})
    return {**reply["ok"]["fields"], **reply["ok"]["extra"]} if "ok" in reply else None


def shown(reply):
    return f"document: {json.dumps(reply['ok']['document'])[:1500]}"


def told(subject, tally, of_corpus, left_out, options):
    """Prints what was found; the exit status."""
    asked, written = tally.asked.total(), tally.written.total()
    print(f"{subject.name}: {asked} documents asked for, {of_corpus} of them by cases of the corpus, seed {options.seed}")
    if left_out:
        print(f"not asked: {left_out} requests of cases that need an earlier answer")
    print("written: " + (", ".join(f"{count} by {name}" for name, count in sorted(tally.written.items())) or "none"))
    for kind, count in sorted(tally.refused.items()):
        print(f"not written: {count}, {kind}; the shortest:")
        place, params, reply = min(tally.reasons[kind], key=lambda reason: len(json.dumps(reason[1])))
        print(f"  {place}: {json.dumps(params)[:400]}\n  {json.dumps(reply)[:400]}")
    for reader in READERS:
        left_out = f", {reader.left_out} with members that it cannot have left out" if reader.left_out else ""
        print(f"{reader.subject.name}: {reader.read} of {written} read as they were asked for{left_out}")
    for place, operation, params, said in tally.differences[: options.show]:
        print(f"\n{place}, {operation}: {said}\nparams: {json.dumps(params)[:1500]}")
    print(f"differences: {len(tally.differences)}")
    return 1 if tally.differences or not written else 0


if __name__ == "__main__":
    sys.exit(main())
