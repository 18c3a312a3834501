"""Holds corpus/brick/manifest-validator against the rules of its form and against this oracle.

`python3 check_corpus.py` (or with another repository root as argument). It prints every difference and ends with 1 if there
is one. For each case:

* the oracle answers as expected, under every admitted answer to every open question that the case is not about, so that no
  second question is in the way; and a case of a must also where the hardening (duplicates, lone surrogates, control
  characters) is left out;
* of a refusal the oracle finds exactly one fault, but for the cases in `SEVERAL`;
* of readings, each one named comes of some answer to the reading's question.

And of the form: ids, sources, whys, twins that are accepted, requirements that bind the role, readings' names, no operation
with the same parameters twice, profiles that answer every case of their reading, every must of the role cited.
"""

import hashlib
import json
import pathlib
import re
import sys
import tomllib
from collections import Counter, defaultdict

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import corpus  # noqa: E402  (the loader's pieces and documents)
from manifest import validate  # noqa: E402

ROLE = "brick/manifest-validator"
KEYS = corpus.KEYS | {"claims"}
# Each open question, and another answer to it than the oracle's own.
QUESTIONS = {"BRK-R-1": ["skipped"], "BRK-R-2": ["refused"], "BRK-R-3": ["absent"], "BRK-R-4": ["accepted"],
             "BRK-R-5": ["accepted"], "BRK-R-6": ["accepted"], "BRK-R-7": ["refused"], "BRK-R-8": ["refused"],
             "BRK-R-9": ["accepted"], "BRK-R-10": ["warned"], "BRK-R-11": ["refused"], "BRK-R-12": ["accepted"],
             "BRK-R-13": ["accepted", "uri"], "BRK-R-14": ["accepted"], "BRK-R-15": ["off"], "BRK-R-18": ["warned"],
             "BRK-R-23": ["refused"]}
HARDENING = [{"BRK-R-21": "last"}, {"BRK-R-21": "first"}, {"halves": "kept"}, {"controls": "kept"}]
ANSWERS = QUESTIONS | {"BRK-R-21": ["first", "last"]}
# Refusals in which one thing at fault is several faults to the oracle, with the reason.
SEVERAL = {
    "top-level/empty-object": "all four members are missing",
    "agent/empty-object": "all four members are missing",
    "a2a/neither": "both are missing",
    "capabilities/entry-empty-object": "both members are missing",
    "appendix-a/no-mcp-servers": "the member taken out has two tools, and a reference leads to each",
    "appendix-a/no-skills-0-id": "the id taken out is referred to",
    "appendix-a/no-mcp-servers-0-id": "the id taken out is referred to",
    "appendix-a/no-mcp-servers-0-allowed-tools": "a tool of the list taken out is referred to",
}
# Cases that the oracle answers otherwise, with the reason.
EXPLAINED = {}


def cases(root):
    for path in sorted((root / "corpus" / ROLE).glob("*.toml")):
        topic = tomllib.loads(path.read_text(encoding="utf-8"))
        if extra := topic.keys() - {"operation", "about", "case"}:
            raise ValueError(f"{path}: unknown keys {extra}")
        prefix = f"{ROLE}/{path.stem}"
        for raw in topic["case"]:
            if extra := raw.keys() - KEYS:
                raise ValueError(f"{path}: {raw['id']}: unknown keys {extra}")
            steps = raw.get("step") or [{"params": raw["params"], "expect": raw["expect"]}]
            twin = raw.get("twin")
            yield dict(raw, id=f"{prefix}/{raw['id']}", topic=prefix,
                       twin=twin if twin is None or "/" in twin else f"{prefix}/{twin}",
                       steps=[dict(step, operation=step.get("operation", topic["operation"]),
                                   params=corpus.resolve(step["params"])) for step in steps])


def answer(step, choices):
    params = step["params"]
    return validate(params["manifest"], params.get("resources"), choices)


def fits(expect, outcome):
    if "refused" in expect:
        at = expect["refused"].get("at")
        return outcome.refused and (at is None or at in [place for place, _ in outcome.faults])
    if outcome.refused:
        return False
    ok, warned = expect["ok"], [place for place, _ in outcome.warnings]
    if "includes" in ok:
        wanted = ok["includes"]
        return (all(warning["at"] in warned for warning in wanted.get("warnings", []))
                and set(wanted.get("unsupported_extensions", [])) <= set(outcome.extensions))
    if "schema" in ok:
        asked = ok["schema"]["properties"]["warnings"]
        if "not" in asked:
            return asked["not"]["contains"]["properties"]["at"]["const"] not in warned
        pattern = asked["contains"]["properties"]["at"]["pattern"]
        return any(re.search(pattern, place) for place in warned)
    return ok == {"any": True}


def differences(case, levels):
    reading = next((r for r in case["requirements"] if levels[r] == "reading"), None)
    robust = case["requirements"] == ["BRK-ROB-1"]
    worlds = [{}] + [{name: other} for name, others in QUESTIONS.items() if name != reading for other in others]
    if "must" in (levels[r] for r in case["requirements"]):
        worlds += [world for world in HARDENING if reading not in world]
    if any(len(step["params"]["manifest"]) > 100_000 for step in case["steps"]):
        worlds = worlds[:1]
    for world in worlds:
        for number, step in enumerate(case["steps"]):
            expect = step["expect"]
            if robust:
                if not any(fits(each, answer(step, world)) for each in expect["readings"].values()):
                    yield f"{world}: fits no reading"
            elif "readings" in expect:
                choices = [{}, *({reading: other} for other in ANSWERS[reading])]
                answers = [answer(step, {**world, **choice}) for choice in choices]
                for name, each in expect["readings"].items():
                    if not any(fits(each, outcome) for outcome in answers):
                        yield f"{world}: step {number}: nothing gives {name}: {[(o.faults, o.warnings) for o in answers]}"
                for outcome in answers:
                    if not any(fits(each, outcome) for each in expect["readings"].values()):
                        yield f"{world}: step {number}: fits no reading: {outcome.faults or outcome.warnings}"
            else:
                outcome = answer(step, world)
                if not fits(expect, outcome):
                    got = outcome.faults or ("ok", outcome.warnings, outcome.extensions)
                    yield f"{world}: expected {json.dumps(expect)}, got {got}"
                short = case["id"].removeprefix(ROLE + "/")
                if not world and outcome.refused and len(outcome.faults) != 1 and short not in SEVERAL:
                    yield f"several faults: {outcome.faults}"
                if not world and short in SEVERAL and len(outcome.faults) == 1:
                    yield "one fault, and it is listed among those of several"


def fingerprint(params):
    def plain(value):
        if isinstance(value, bytes):
            return {"bytes": hashlib.sha256(value).hexdigest()}
        return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value
    return json.dumps(plain(params), sort_keys=True)


def form(root, all_cases):
    text = (root / "suites/brick/requirements.toml").read_text(encoding="utf-8")
    known = {requirement["id"]: requirement for requirement in tomllib.loads(text)["requirement"]}
    by_id, same, whys = {}, defaultdict(list), defaultdict(list)
    for case in all_cases:
        short = case["id"].removeprefix(ROLE + "/")
        if case["id"] in by_id:
            yield f"{short}: id twice"
        by_id[case["id"]] = case
        if not re.fullmatch(r"[a-z0-9-]+/[a-z0-9-]+", short):
            yield f"{short}: an id is of small letters, digits and hyphens"
        whys[case["topic"], case["why"]].append(short)
        if len(case["steps"]) == 1:
            same[fingerprint(case["steps"][0]["params"])].append(short)
        if not case["why"].strip() or not case["source"].strip():
            yield f"{short}: no why or no source"
        for requirement in case["requirements"]:
            if requirement not in known or ROLE not in known[requirement]["roles"]:
                yield f"{short}: {requirement} is unknown or does not bind the role"
        readings = [r for r in case["requirements"] if known[r]["level"] == "reading"]
        for step in case["steps"]:
            expect = step["expect"]
            if len(expect) != 1 or expect.keys() - {"ok", "refused", "readings"}:
                yield f"{short}: not one expectation"
            if "readings" in expect and case["requirements"] != ["BRK-ROB-1"]:
                if len(readings) != 1 or expect["readings"].keys() - known[readings[0]]["readings"].keys():
                    yield f"{short}: readings are not those of one reading"
            elif readings and "readings" not in expect:
                yield f"{short}: cites a reading and expects none"
    for case in all_cases:
        refusal = "refused" in case["steps"][-1]["expect"]
        if refusal and (case["twin"] is None) == ("no_twin" not in case):
            yield f"{case['id']}: a refusal has a twin or a reason for none"
        if case["twin"] is not None:
            twin = by_id.get(case["twin"])
            if twin is None or "ok" not in twin["steps"][-1]["expect"]:
                yield f"{case['id']}: its twin {case['twin']} is missing or not one that must be accepted"
    yield from (f"the same parameters: {ids}" for ids in same.values() if len(ids) > 1)
    yield from (f"one why in a topic: {ids}" for ids in whys.values() if len(ids) > 1)
    cited = Counter(r for case in all_cases for r in case["requirements"])
    for requirement in known.values():
        if requirement["roles"] == [ROLE] and requirement["level"] == "must" and not cited[requirement["id"]]:
            yield f"{requirement['id']}: no case"
        for profile in requirement.get("profile", []):
            asked = {i.rsplit("/", 1)[1] for i, case in by_id.items() if requirement["id"] in case["requirements"]}
            if asked != set(profile["answers"]):
                yield f"{requirement['id']}: profile {profile['name']} misses or invents {asked ^ set(profile['answers'])}"
    levels = {name: requirement["level"] for name, requirement in known.items()}
    order = ["must", "should", "reading"]
    print("level   ", dict(Counter(min((levels[r] for r in case["requirements"]), key=order.index) for case in all_cases)))
    print("expected", dict(Counter(next(iter(case["steps"][-1]["expect"])) for case in all_cases)))
    print("topics  ", dict(Counter(case["topic"].rsplit("/", 1)[1] for case in all_cases)))
    print("cited   ", dict(sorted(cited.items())))


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[2]
    all_cases = list(cases(root))
    known = tomllib.loads((root / "suites/brick/requirements.toml").read_text(encoding="utf-8"))["requirement"]
    levels = {requirement["id"]: requirement["level"] for requirement in known}
    wrong = list(form(root, all_cases))
    for case in all_cases:
        short = case["id"].removeprefix(ROLE + "/")
        found = list(differences(case, levels))
        if bool(found) == (short in EXPLAINED):
            continue
        wrong += [f"{short}: {what}" for what in found] or [f"{short}: explained, and no longer different"]
    for what in wrong:
        print(f"DIFFERENT  {what}"[:400])
    print(f"{len(all_cases)} cases, {len(wrong)} differences, {len(EXPLAINED)} explained")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
