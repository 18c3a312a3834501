"""Writes the field report as Markdown, from `report.json` files, the requirement catalogues and the adapter catalogue."""

import json
import re
import shlex
from fnmatch import fnmatchcase

from .catalogue import REMARKS, TOPICS
from .words import flat, outcome, shown, text

#: Verdicts that say the implementation did not do what the requirement asks.
FAILING = ("fail", "crash", "timeout", "flaky", "adapter-fault", "unsupported")
#: How many further cases of a requirement are named.
NAMED = 6

OPENING = """\
# Field report

What libraries that people use do with Proofmark's corpus. `adapters/field-report.py` installs each library from a lock
file, runs Proofmark on it and writes this document from the reports: every count, input and answer below is from a real
run. To make it again (needs Python 3.11, Node with npm, and Cargo):

```sh
cargo build --release && adapters/field-report.py
```

How to read it:

- **What is judged is a way of use.** Proofmark sends text and gets bytes. Most libraries take values, so a parser stands in
  front of them, the one that their users reach for; each section says which. Some failures are the parser's.
- **A failure is a difference, shown with its source.** Under each requirement is the part of the specification that asks for
  it, how many of its cases failed, the smallest of them, and the command that shows that one again (once the adapter is
  installed, see `adapters/README.md`). Whoever maintains a library and thinks that a case is wrong, or that an adapter
  does not do the library justice: please open an issue.
- **A case counts under every requirement that it tests.** The same case can stand in two places.
- **Where a specification leaves a choice, nothing fails.** The choice is recorded, under *Readings*.
- **The mark follows MUST requirements alone**: one missed requirement is enough to be `non-conformant`, so read the counts too.
"""


def render(results, requirements, date):
    """The whole document. `results`: pairs of an adapter and its report; `requirements`: id to catalogue entry."""
    first = results[0][1]
    lines = [
        *OPENING.splitlines(),
        "",
        f"Date: {date}. Proofmark {text(first['proofmark'])}, corpus `{first['corpus']['digest']}`",
        f"({first['corpus']['cases']} cases), seed {text(first['seed'])}.",
        "",
    ]
    for role in sorted({role["role"] for _, report in results for role in report["roles"]}):
        entries = [(a, r, entry) for a, r in results for entry in r["roles"] if entry["role"] == role]
        lines += [f"## {role}", "", *_marks(entries), *_matrix(role, entries), *_readings(entries, requirements)]
        lines += _remarks(entries, requirements)
        for adapter, report, entry in entries:
            lines += _adapter(adapter, report, entry, entries, requirements)
    return "\n".join(lines).rstrip() + "\n"


def _marks(entries):
    titles = ["implementation", "version", "run on", "mark", "passed", "failed", "recorded", "other", "requirements missed"]
    lines = [_row(titles), _row(["---"] * len(titles))]
    for adapter, report, entry in entries:
        implementation = report["subject"]["implementation"]
        counts = dict(entry["counts"])
        passed, failed, recorded = (counts.pop(verdict, 0) for verdict in ("pass", "fail", "recorded"))
        other = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count) or "none"
        missed = sum(requirement["verdict"] in FAILING for requirement in entry["requirements"])
        cells = [adapter.name, text(implementation["version"]), text(implementation["language"]), text(entry["mark"])]
        cells += [passed, failed, recorded, text(other), f"{missed} of {len(entry['requirements'])}"]
        lines.append(_row(cells))
    return [*lines, "", "The counts are of golden cases.", ""]


def _matrix(role, entries):
    # An implementation that is reached in two ways has one column, as long as the two get the same verdicts.
    columns = [(adapter, entry) for adapter, _, entry in entries if not _same_as_twin(adapter, entry, entries)]
    lines = ["### Side by side", "", "Cases answered as asked, of all cases; **bold** where one was not.", ""]
    lines += [_row(["", *(adapter.name for adapter, _ in columns)]), _row(["---"] * (len(columns) + 1))]
    for topic in TOPICS.get(role, ()):
        ids = ", ".join(topic.requirements) + "".join(f", without {i}" for i in topic.without)
        lines.append(_row([f"{topic.title} ({ids})", *(_cell(topic, entry) for _, entry in columns)]))
    return [*lines, ""]


def _cell(topic, entry):
    cases = [
        case
        for case in entry["cases"]
        if _cites(case, topic.requirements) and not _cites(case, topic.without)
    ]
    good = sum(case["verdict"] not in FAILING for case in cases)
    if not cases:
        return "no case"
    return f"{good} of {len(cases)}" if good == len(cases) else f"**{good} of {len(cases)}**"


def _cites(case, globs):
    return any(fnmatchcase(cited, glob) for cited in case["requirements"] for glob in globs)


def _readings(entries, requirements):
    ids = sorted({reading["requirement"] for _, _, entry in entries for reading in entry["readings"]})
    if not ids:
        return []
    lines = ["### Readings", "", "Where the text admits several answers, the answer is recorded and never failed.", ""]
    lines += [_row(["", *(f"{i}: {text(_title(i, requirements))}" for i in ids)]), _row(["---"] * (len(ids) + 1))]
    for adapter, _, entry in entries:
        taken = {i: sorted({r["reading"] for r in entry["readings"] if r["requirement"] == i and r["reading"]}) for i in ids}
        lines.append(_row([adapter.name, *(text(" and ".join(taken[i]) or "none of those admitted") for i in ids)]))
    return [*lines, ""]


def _remarks(entries, requirements):
    """What holds for several implementations, once."""
    lines = []
    entries = [(a, r, entry) for a, r, entry in entries if not _same_as_twin(a, entry, entries)]
    for requirement, remark in REMARKS.items():
        failing = [entry for _, _, entry in entries if any(_cites(case, (requirement,)) for case in _failing(entry))]
        if failing:
            lines += [f"### {requirement}: {text(_title(requirement, requirements))}", ""]
            lines += [f"Missed by {len(failing)} of the {len(entries)} implementations. {remark}", ""]
    return lines


def _adapter(adapter, report, entry, entries, requirements):
    implementation = report["subject"]["implementation"]
    lines = [f"### {adapter.name} {text(implementation['version'])}", ""]
    if _same_as_twin(adapter, entry, entries):
        return [*lines, f"Every case has the verdict that it has for {adapter.same_as}.", ""]
    if implementation.get("url"):
        lines += [f"<{implementation['url']}>. {adapter.reads}", ""]
    elif adapter.reads:
        lines += [adapter.reads, ""]
    failing = _failing(entry)
    laws = [law for law in entry.get("laws", ()) if law["verdict"] in FAILING]
    findings = (entry.get("hostile") or {}).get("findings", ())
    if not failing and not laws and not findings:
        return [*lines, "Nothing failed.", ""]
    places = {}
    for requirement in sorted({cited for case in failing for cited in case["requirements"]}):
        of_it = [case for case in entry["cases"] if requirement in case["requirements"]]
        lines += _requirement(adapter, requirement, of_it, places, requirements)
    for law in laws:
        lines += [f"**Law `{law['id']}`**: {text(law['verdict'])}.", ""]
        if law.get("counterexample") is not None:
            lines += _fence([json.dumps(law["counterexample"], ensure_ascii=False)])
    if findings:
        lines += [f"The hostile burst of {entry['hostile']['inputs']} inputs had {len(findings)} findings, the first:", ""]
        lines += _fence([json.dumps(findings[0], ensure_ascii=False)])
    return lines


def _requirement(adapter, requirement, of_it, places, requirements):
    """One requirement that failed. `places`: where each case already shown was shown."""
    entry = requirements.get(requirement, {})
    section = f" ({text(entry['section'])})" if entry.get("section") else ""
    bad = sorted((case for case in of_it if case["verdict"] in FAILING), key=lambda case: (size(case), case["id"]))
    kinds = sorted({case["verdict"] for case in bad})
    smallest, *others = bad
    lines = [f"**{requirement}, {text(entry.get('level', ''))}: {text(_title(requirement, requirements))}**{section}.", ""]
    if requirement in adapter.remarks:
        lines += [adapter.remarks[requirement], ""]
    count = f"{len(bad)} of {len(of_it)} cases ({text(', '.join(kinds))})"
    if smallest["id"] in places:
        lines += [f"{count}. The smallest, `{smallest['id']}`, stands under {places[smallest['id']]}.", ""]
    else:
        places[smallest["id"]] = requirement
        lines += [f"{count}. The smallest, `{smallest['id']}`: {text(smallest['why'])}", ""]
        lines += [*_exchange(smallest), *_replay(adapter, smallest["id"])]
    if others:
        names = ", ".join(f"`{case['id'].split('/', 2)[-1]}`" for case in others[:NAMED])
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        lines += [f"Also {names}{more}.", ""]
    return lines


def _exchange(case):
    """Input, expected and got, one a line."""
    document = case["input"].get("document", case["input"]) if isinstance(case["input"], dict) else case["input"]
    lines = [("input", outcome(document)), ("expected", outcome(case["expected"])), ("got", outcome(case["got"]))]
    # Of a wrong refusal or acceptance the reason says nothing that the two lines above it do not.
    if (case["differences"] or case["verdict"] != "fail") and case["reason"] != outcome(case["got"]):
        lines.append(("because", case["reason"]))
    return _fence([f"{label:10}{shown(value)}" for label, value in lines])


def _replay(adapter, case):
    command = shlex.join(adapter.command)
    if adapter.http:
        return ["```sh", f"{command}   # prints its URL", f"proofmark replay {case} --http URL", "```", ""]
    return ["```sh", f"proofmark replay {case} -- {command}", "```", ""]


def _fence(lines):
    """A code block that nothing in it can close."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, 1 + longest)
    return [f"{fence}text", *map(flat, lines), fence, ""]


def _failing(entry):
    return [case for case in entry["cases"] if case["verdict"] in FAILING]


def _same_as_twin(adapter, entry, entries):
    """Whether the other way to the same implementation got the same verdicts."""
    twin = next((e for a, _, e in entries if adapter.same_as and a.name == adapter.same_as), None)
    return twin is not None and verdicts(twin) == verdicts(entry)


def verdicts(entry):
    """Case to verdict: what two ways to the same implementation must agree on."""
    return {case["id"]: case["verdict"] for case in entry["cases"]}


def size(case):
    """How big a failed case's input is, for finding the smallest."""
    return case["input_bytes"]


def _title(requirement, requirements):
    return requirements.get(requirement, {}).get("title", requirement)


def _row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"
