"""The part of the field report on a role whose topics are sets of cases: who answers what, and what that comes to."""

import os.path
from base64 import b64decode
from binascii import Error as BinasciiError
from collections import Counter
from fnmatch import fnmatchcase

from .parts import FAILING, NAMED, failing, fence, marks, readings, replay, row, size
from .probes import probed
from .words import apart, flat, outcome, shown, text

#: The longest document that is shown whole.
WHOLE = 1600


def chapter(head, role, topics, entries, requirements, twins, answers):
    """`entries`: adapter, report and the role's part of the report; `twins`: case to its twin; `answers`: of the probes."""
    sorted_out = {adapter.name: _by_topic(topics, entry) for adapter, _, entry in entries}
    lines = [f"## {head.title}", "", f"Role `{role}`.", "", *head.opening.splitlines(), "", *marks(entries)]
    lines += probed(head, [(adapter.name, answers[adapter.name]) for adapter, _, _ in entries if adapter.name in answers])
    lines += [*_matrix(topics, entries, sorted_out), *_empty_refusals(head, entries, twins)]
    lines += _agreement(entries) if head.signs else []
    lines += [*readings(entries, requirements), "### What differs, topic by topic", ""]
    lines += ["Of each topic the smallest case that anybody failed, and everybody's answer to it.", ""]
    told = set()
    for topic in topics:
        lines += _topic(head, topic, entries, sorted_out, told)
    preimages = _answers(entries) if head.signs else {}
    for adapter, report, entry in entries:
        lines += _heading(adapter, report)
        lines += _others(adapter.name, preimages, sorted_out[adapter.name]) if head.signs else []
        lines += _adapter(head, topics, adapter, entry, sorted_out[adapter.name], told)
    return lines


def _by_topic(topics, entry):
    """Topic's title to its cases: every case stands under the first topic that has it."""
    found = {topic.title: [] for topic in topics}
    for case in entry["cases"]:
        topic = next((topic for topic in topics if _belongs(case, topic)), None)
        if topic is None:
            raise ValueError(f"no topic has {case['id']}")
        found[topic.title].append(case)
    return found


def _belongs(case, topic):
    """Whether a case is one of a topic's, as `Topic` says."""

    def cites(globs):
        return any(fnmatchcase(requirement, glob) for requirement in case["requirements"] for glob in globs)

    named = not topic.cases or any(fnmatchcase(_short(case), glob) for glob in topic.cases)
    return named and not cites(topic.without) and (not topic.requirements or cites(topic.requirements))


def _matrix(topics, entries, sorted_out):
    lines = ["### Side by side", "", "Cases answered as asked, of all cases; **bold** where one was not.", ""]
    lines += [row(["", *(adapter.name for adapter, _, _ in entries)]), row(["---"] * (len(entries) + 1))]
    for topic in topics:
        cells = [_cell(sorted_out[adapter.name][topic.title]) for adapter, _, _ in entries]
        if any(cells):
            lines.append(row([topic.title, *cells]))
    return [*lines, "", "Every case stands in one row, that of the first topic that it belongs to.", ""]


def _cell(cases):
    good = sum(case["verdict"] not in FAILING for case in cases)
    if cases and all(case["verdict"] == "unsupported" for case in cases):
        return f"not offered ({len(cases)})"
    count = f"{good} of {len(cases)}" if cases else ""
    return count if good == len(cases) else f"**{count}**"


def _empty_refusals(head, entries, twins):
    """Refusals that say nothing: the subject refuses the twin, which has no fault, as well."""
    counts = {}
    for adapter, _, entry in entries:
        verdict = {case["id"]: case["verdict"] for case in entry["cases"]}
        refused = [case for case, twin in twins.items() if verdict.get(case) == "pass" and verdict.get(twin) in FAILING]
        if refused:
            counts[adapter.name] = (len(refused), Counter(case.split("/")[2] for case in refused))
    if not counts:
        return []
    words = ", ".join(f"{count} of {name}" for name, (count, _) in counts.items())
    places = sorted({f"`{topic}`" for _, (_, found) in counts.items() for topic in found})
    return [
        f"Some of the refusals that count as answered say nothing about the fault in the case, because the same "
        f"{head.document} without that fault, the case's twin, is refused as well: {words}. They are in {', '.join(places)}."
        + head.empty_refusals,
        "",
    ]


def _agreement(entries):
    """How many of the judged documents two subjects make the same bytes of."""
    answers = _answers(entries)
    total = len(next(iter(answers.values())))
    lines = ["### Who signs the same bytes", "", f"Of {total} documents, some of which are no cards, how many got the same"]
    lines += ["answer from two implementations that were asked for the bytes to sign: equal bytes, or a refusal by both.", ""]
    lines += [row(["", *answers]), row(["---"] * (len(answers) + 1))]
    for left, mine in answers.items():
        cells = [sum(mine[case] == other[case] for case in mine) for other in answers.values()]
        lines.append(row([left, *(cell if cell == total else f"**{cell}**" for cell in cells)]))
    return [*lines, ""]


def _others(name, answers, own):
    """Which others sign other bytes than this one, and in which topics."""
    topics = {case["id"]: topic for topic, cases in own.items() for case in cases}
    alike = {}
    for other, theirs in answers.items():
        if other != name:
            differ = {topics[case] for case, answer in theirs.items() if answer != answers[name][case]}
            alike.setdefault(tuple(topic for topic in own if topic in differ), []).append(other)
    lines = [f"- {', '.join(names)}: {'; '.join(differ) or 'nothing'}." for differ, names in alike.items()]
    return ["Where others sign other bytes, or refuse to, so that neither verifies what the other signed:", "", *lines, ""]


def _answers(entries):
    """Of the documents whose bytes everyone was asked for: what each answered."""
    answers = {}
    for adapter, _, entry in entries:
        judged = [case for case in entry["cases"] if case["operation"].endswith("_preimage") and "step" not in case]
        answers[adapter.name] = {case["id"]: _answer(case) for case in judged if case["verdict"] in ("pass", "fail")}
    common = set.intersection(*(set(own) for own in answers.values()))
    return {name: {case: own[case] for case in sorted(common)} for name, own in answers.items()}


def _answer(case):
    """What the subject answered, as far as two answers can differ: of a passed case, that it is the one asked for."""
    if case["verdict"] == "pass":
        return "as asked"
    return "refused" if "refused" in case["got"] else outcome(case["got"])


def _topic(head, topic, entries, sorted_out, told):
    """The topic's smallest failure, and who answers what. `told`: answers that were shown, as case and answer."""
    cases = {adapter.name: {case["id"]: case for case in sorted_out[adapter.name][topic.title]} for adapter, _, _ in entries}
    bad = [case for own in cases.values() for case in own.values() if _missed(case)]
    if not bad:
        return []
    # A preimage shows what is signed; anything else only that it verifies or does not.
    smallest = min(bad, key=lambda case: ("step" in case, "canonical" not in _given(case), *_order(case)))
    lines = [f"#### {topic.title}", ""]
    lines += [topic.says, ""] if topic.says else []
    lines += [f"The smallest, `{smallest['id']}`: {text(smallest['why'])}", ""]
    lines += fence(_document(head, smallest))
    answers = {}
    for name, own in cases.items():
        case = own[smallest["id"]]
        answers.setdefault(outcome(case["got"]) if _missed(case) else None, []).append((name, case))
    for answer, given in answers.items():
        names = "Everyone" if len(given) == len(cases) else ", ".join(name for name, _ in given)
        if answer is None:
            lines += [f"As asked: {names}.", ""]
        else:
            told.add((smallest["id"], answer))
            lines += [f"{names}:", "", *fence(_compared(given[0][1]))]
    return lines


def _given(case):
    """The value that was given, where there is one that has members."""
    given = (case["got"] or {}).get("ok")
    return given if isinstance(given, dict) else {}


def _heading(adapter, report):
    implementation = report["subject"]["implementation"]
    lines = [f"### {adapter.name}", ""]
    if implementation["version"] not in adapter.name:
        lines += [f"Found installed: {text(implementation['version'])}.", ""]
    return [*lines, f"<{implementation['url']}>. {adapter.reads}", ""]


def _adapter(head, topics, adapter, entry, own, told):
    lines = []
    for topic in topics:
        bad = sorted(filter(_missed, own[topic.title]), key=_order)
        if bad:
            lines += _failures(head, topic, adapter, bad, own[topic.title], told)
    absent = sorted({case["operation"] for case in failing(entry) if case["verdict"] == "unsupported"})
    if absent:
        lines += [f"Not offered: {', '.join(f'`{operation}`' for operation in absent)}.", ""]
    for law in entry.get("laws", ()):
        if law["verdict"] in FAILING:
            lines += [f"**Law `{law['id']}`**: {text(law['verdict'])}.", ""]
    findings = (entry.get("hostile") or {}).get("findings", ())
    if findings:
        lines += [f"The hostile burst of {entry['hostile']['inputs']} inputs had {len(findings)} findings.", ""]
    return lines


def _failures(head, topic, adapter, bad, of_it, told):
    """One topic that an implementation missed."""
    smallest, *others = bad
    cited = ", ".join(sorted({requirement for case in bad for requirement in case["requirements"]}))
    kinds = ", ".join(sorted({case["verdict"] for case in bad}))
    count = f"{len(bad)} of {len(of_it)} cases ({text(kinds)}; {cited})"
    lines = [f"**{topic.title}**: {count}. The smallest is `{_short(smallest)}`"]
    if (smallest["id"], outcome(smallest["got"])) in told:
        lines = [lines[0] + ", shown above.", ""]
    else:
        told.add((smallest["id"], outcome(smallest["got"])))
        lines = [f"{lines[0]}: {text(smallest['why'])}", ""]
        lines += fence([*_document(head, smallest), *_compared(smallest)])
    lines += replay(adapter, smallest["id"])
    if others:
        names = ", ".join(f"`{_short(case)}`" for case in others[:NAMED])
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        lines += [f"Also {names}{more}.", ""]
    return lines


def _document(head, case):
    """The document that the case is about: whole, unless it is big or only known at run time. One of several lines is shown
    as such where nothing but its line ends is out of the ordinary."""
    if "step" in case and head.signs:
        return [_labelled(head.document, "what an earlier step signed; the command below shows it")]
    if not case.get("input"):
        return [_labelled(head.document, "one that is known at run time alone; the command below shows it")]
    given = case["input"].get(head.document, case["input"])
    value = _bytes(given["base64"]) if isinstance(given, dict) and given.keys() == {"base64"} else outcome(given)
    if not value:
        return [_labelled(head.document, "(empty)")]
    lines = value.split("\n")
    if 1 < len(lines) and len(value) <= WHOLE and all(flat(line) == line for line in lines):
        return [head.document, *(f"    {line}".rstrip() for line in lines)]
    return [_labelled(head.document, flat(value) if len(value) <= WHOLE else shown(value))]


def _bytes(base64):
    """Bytes that are no UTF-8: those that belong to no character as `\\xff`."""
    try:
        return b64decode(base64, validate=True).decode("utf-8", "backslashreplace")
    except BinasciiError:
        return base64


def _compared(case):
    """Expected and got, a line each, around the first difference."""
    got = outcome(case["got"])
    admitted = case["expected"].get("readings")
    if not admitted:
        return [_labelled(label, value) for label, value in zip(("expected", "got"), apart(outcome(case["expected"]), got))]
    pairs = {reading: apart(outcome(value), got) for reading, value in admitted.items()}
    lines = [_labelled("admitted", f"{expected} ({reading})") for reading, (expected, _) in pairs.items()]
    # Shown as it differs from the reading that comes nearest to it.
    nearest = max(admitted, key=lambda reading: len(os.path.commonprefix([outcome(admitted[reading]), got])))
    return [*lines, _labelled("got", pairs[nearest][1])]


def _labelled(label, value):
    return f"{label:10}{value}"


def _order(case):
    return "step" in case, size(case), case["id"]


def _missed(case):
    return case["verdict"] in FAILING and case["verdict"] != "unsupported"


def _short(case):
    """A case's id without suite and role."""
    return case["id"].split("/", 2)[2]
