"""Pieces of the field report that every role's part is made of, as lines of Markdown."""

import json
import re
import shlex

from .words import flat, outcome, shown, text

#: Verdicts that say the implementation did not do what the requirement asks.
FAILING = ("fail", "crash", "timeout", "flaky", "adapter-fault", "unsupported")
#: How many further cases of a requirement are named.
NAMED = 6


def marks(entries):
    titles = ["implementation", "version", "run on", "mark", "passed", "failed", "recorded", "other", "requirements missed"]
    lines = [row(titles), row(["---"] * len(titles))]
    for adapter, report, entry in entries:
        implementation = report["subject"]["implementation"]
        counts = dict(entry["counts"])
        passed, failed, recorded = (counts.pop(verdict, 0) for verdict in ("pass", "fail", "recorded"))
        other = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count) or "none"
        missed = sum(requirement["verdict"] in FAILING for requirement in entry["requirements"])
        cells = [adapter.name, text(implementation["version"]), text(implementation["language"]), text(entry["mark"])]
        cells += [passed, failed, recorded, text(other), f"{missed} of {len(entry['requirements'])}"]
        lines.append(row(cells))
    return [*lines, "", "The counts are of golden cases.", ""]


def readings(entries, requirements):
    ids = sorted({reading["requirement"] for _, _, entry in entries for reading in entry["readings"]})
    if not ids:
        return []
    lines = ["### Readings", "", "Where the text admits several answers, the answer is recorded. It fails only where it is none of them.", ""]
    lines += [row(["", *(f"{i}: {text(title(i, requirements))}" for i in ids)]), row(["---"] * (len(ids) + 1))]
    for adapter, _, entry in entries:
        taken = {i: sorted({r["reading"] for r in entry["readings"] if r["requirement"] == i and r["reading"]}) for i in ids}
        lines.append(row([adapter.name, *(text(" and ".join(taken[i]) or "none of those admitted") for i in ids)]))
    return [*lines, ""]


def exchange(case):
    """Input, expected and got, one a line."""
    document = case["input"].get("document", case["input"]) if isinstance(case["input"], dict) else case["input"]
    lines = [("input", outcome(document)), ("expected", outcome(case["expected"])), ("got", outcome(case["got"]))]
    # Of a wrong refusal or acceptance the reason says nothing that the two lines above it do not.
    if (case["differences"] or case["verdict"] != "fail") and case["reason"] != outcome(case["got"]):
        lines.append(("because", case["reason"]))
    return fence([f"{label:10}{shown(value)}" for label, value in lines])


def replay(adapter, case):
    command = shlex.join(adapter.command)
    if adapter.http:
        return ["```sh", f"{command}   # prints its URL", f"proofmark replay {case} --http URL", "```", ""]
    return ["```sh", f"proofmark replay {case} -- {command}", "```", ""]


def fence(lines):
    """A code block that nothing in it can close."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, 1 + longest)
    return [f"{fence}text", *map(flat, lines), fence, ""]


def failing(entry):
    return [case for case in entry["cases"] if case["verdict"] in FAILING]


def size(case):
    """How big a failed case's input is, for finding the smallest."""
    return case["input_bytes"]


def title(requirement, requirements):
    return requirements.get(requirement, {}).get("title", requirement)


def row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"
