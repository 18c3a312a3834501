"""Writes the field report as Markdown, from `report.json` files, the requirement catalogues and the adapter catalogue."""

import json
from fnmatch import fnmatchcase

from .catalogue import CHAPTERS, REMARKS, TOPICS
from .chapter import chapter
from .parts import FAILING, NAMED, exchange, failing, fence, marks, readings, replay, row, size, title
from .words import text

OPENING = """\
# Field report

What libraries that people use do with Proofmark's corpus. `adapters/field-report.py` installs each library from a lock
file, runs Proofmark on it and writes this document from the reports: every count, input and answer below is from a real
run. To make it again (needs Linux, Python 3.11, Node with npm, and Cargo):

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
- **Where a specification leaves a choice, every answer that it admits is right.** The choice is recorded, under *Readings*.
- **The mark follows MUST requirements**, and choices where an answer is none of those admitted: one missed requirement is enough
  to be `non-conformant`, so read the counts too. `incomplete` is who does not offer every operation of the role.

It has a part on canonicalisers of JSON, one on [signed AgentCards](#agentcards-signed-with-the-a2a-sdks), and one on
[briefs read with front-matter libraries](#briefs-read-with-front-matter-libraries).
"""


def render(results, requirements, date, twins, answers):
    """The whole document.

    `results`: pairs of an adapter and its report; `requirements`: id to catalogue entry; `twins`: case to its twin; `answers`:
    adapter's name to role to what it answered to the probes of the role's chapter.
    """
    first = results[0][1]
    lines = [
        *OPENING.splitlines(),
        "",
        f"Date: {date}. Proofmark {text(first['proofmark'])}, corpus `{first['corpus']['digest']}`",
        f"({first['corpus']['cases']} cases), seed {text(first['seed'])}.",
        "",
    ]
    for role in dict.fromkeys(role["role"] for _, report in results for role in report["roles"]):
        entries = [(a, r, entry) for a, r in results for entry in r["roles"] if entry["role"] == role]
        if role in CHAPTERS:
            asked = {name: of_roles[role] for name, of_roles in answers.items() if role in of_roles}
            lines += chapter(CHAPTERS[role], role, TOPICS[role], entries, requirements, twins, asked)
            continue
        lines += [f"## {role}", "", *marks(entries), *_matrix(role, entries), *readings(entries, requirements)]
        lines += _remarks(entries, requirements)
        for adapter, report, entry in entries:
            lines += _adapter(adapter, report, entry, entries, requirements)
    return "\n".join(lines).rstrip() + "\n"


def _matrix(role, entries):
    # An implementation that is reached in two ways has one column, as long as the two get the same verdicts.
    columns = [(adapter, entry) for adapter, _, entry in entries if not _same_as_twin(adapter, entry, entries)]
    lines = ["### Side by side", "", "Cases answered as asked, of all cases; **bold** where one was not.", ""]
    lines += [row(["", *(adapter.name for adapter, _ in columns)]), row(["---"] * (len(columns) + 1))]
    for topic in TOPICS.get(role, ()):
        ids = ", ".join(topic.requirements) + "".join(f", without {i}" for i in topic.without)
        lines.append(row([f"{topic.title} ({ids})", *(_cell(topic, entry) for _, entry in columns)]))
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


def _remarks(entries, requirements):
    """What holds for several implementations, once."""
    lines = []
    entries = [(a, r, entry) for a, r, entry in entries if not _same_as_twin(a, entry, entries)]
    for requirement, remark in REMARKS.items():
        missed = [entry for _, _, entry in entries if any(_cites(case, (requirement,)) for case in failing(entry))]
        if missed:
            lines += [f"### {requirement}: {text(title(requirement, requirements))}", ""]
            lines += [f"Missed by {len(missed)} of the {len(entries)} implementations. {remark}", ""]
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
    failed = failing(entry)
    laws = [law for law in entry.get("laws", ()) if law["verdict"] in FAILING]
    findings = (entry.get("hostile") or {}).get("findings", ())
    if not failed and not laws and not findings:
        return [*lines, "Nothing failed.", ""]
    places = {}
    for requirement in sorted({cited for case in failed for cited in case["requirements"]}):
        of_it = [case for case in entry["cases"] if requirement in case["requirements"]]
        lines += _requirement(adapter, requirement, of_it, places, requirements)
    for law in laws:
        lines += [f"**Law `{law['id']}`**: {text(law['verdict'])}.", ""]
        if law.get("counterexample") is not None:
            lines += fence([json.dumps(law["counterexample"], ensure_ascii=False)])
    if findings:
        lines += [f"The hostile burst of {entry['hostile']['inputs']} inputs had {len(findings)} findings, the first:", ""]
        lines += fence([json.dumps(findings[0], ensure_ascii=False)])
    return lines


def _requirement(adapter, requirement, of_it, places, requirements):
    """One requirement that failed. `places`: where each case already shown was shown."""
    entry = requirements.get(requirement, {})
    section = f" ({text(entry['section'])})" if entry.get("section") else ""
    bad = sorted((case for case in of_it if case["verdict"] in FAILING), key=lambda case: (size(case), case["id"]))
    kinds = sorted({case["verdict"] for case in bad})
    smallest, *others = bad
    lines = [f"**{requirement}, {text(entry.get('level', ''))}: {text(title(requirement, requirements))}**{section}.", ""]
    if requirement in adapter.remarks:
        lines += [adapter.remarks[requirement], ""]
    count = f"{len(bad)} of {len(of_it)} cases ({text(', '.join(kinds))})"
    if smallest["id"] in places:
        lines += [f"{count}. The smallest, `{smallest['id']}`, stands under {places[smallest['id']]}.", ""]
    else:
        places[smallest["id"]] = requirement
        lines += [f"{count}. The smallest, `{smallest['id']}`: {text(smallest['why'])}", ""]
        lines += [*exchange(smallest), *replay(adapter, smallest["id"])]
    if others:
        names = ", ".join(f"`{case['id'].split('/', 2)[-1]}`" for case in others[:NAMED])
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        lines += [f"Also {names}{more}.", ""]
    return lines


def _same_as_twin(adapter, entry, entries):
    """Whether the other way to the same implementation got the same verdicts."""
    twin = next((e for a, _, e in entries if adapter.same_as and a.name == adapter.same_as), None)
    return twin is not None and verdicts(twin) == verdicts(entry)


def verdicts(entry):
    """Case to verdict: what two ways to the same implementation must agree on."""
    return {case["id"]: case["verdict"] for case in entry["cases"]}
