"""Holds corpus/brick/runtime-adapter and corpus/brick/a2a-projection against the rules of their form and this oracle.

`python3 check_corpus.py [root]`. Topics that begin with live- need servers and are not of this oracle. Every case is answered
once for each set of choices: by the defaults, by every open question answered the other way, and by all of them at once. What
expects one answer must get it whichever way they are answered; where readings are admitted, one of them must fit all steps,
and each of them should be what some set of choices gives.
"""

import copy
import json
import pathlib
import re
import sys
import tomllib
from collections import Counter, defaultdict
from urllib.parse import unquote

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]
import corpus  # noqa: E402  (the loader's pieces)
import runtime  # noqa: E402

ROLES = ("runtime-adapter", "a2a-projection")
KEYS = corpus.KEYS | {"claims"}
STEP_KEYS = {"operation", "params", "expect", "save", "restart", "times", "distinct"}
OTHER = {"BRK-R-1": ["skipped"], "BRK-R-2": ["refused"], "BRK-R-3": ["absent"], "BRK-R-4": ["accepted"],
         "BRK-R-5": ["accepted"], "BRK-R-6": ["accepted"], "BRK-R-7": ["refused"], "BRK-R-8": ["refused"],
         "BRK-R-9": ["accepted"], "BRK-R-10": ["warned"], "BRK-R-11": ["refused"], "BRK-R-12": ["accepted"],
         "BRK-R-13": ["accepted", "uri"], "BRK-R-14": ["accepted"], "BRK-R-15": ["off"],
         "BRK-R-16": ["all-own-ids", "some-same-ids", "some-own-ids"], "BRK-R-17": ["copied"], "BRK-R-18": ["left-out"],
         "BRK-R-19": ["card"], "BRK-R-20": ["not-reported", "refused"], "BRK-R-21": ["first", "last"], "halves": ["passed"],
         "controls": ["passed"], "BRK-R-22": ["refused"], "BRK-R-23": ["refused"], "escapes": ["passed"]}
SINGLE = [{name: other} for name, others in OTHER.items() for other in others]
CHOICES = [{}, *SINGLE, *({name: others[-1] for name, others in OTHER.items()} | {"BRK-R-21": which}
                          for which in ("refused", "first", "last"))]
# Cases of a should hold by its own choice alone.
FIXED = {"BRK-JSON-2": {"BRK-R-21": "refused"}, "BRK-JSON-4": {"halves": "refused"}, "BRK-ID-4": {"controls": "refused"},
         "BRK-RES-9": {"escapes": "refused"}}


def cases(root):
    for path in sorted(path for role in ROLES for path in (root / "corpus/brick" / role).glob("*.toml")):
        if path.stem.startswith("live-"):
            continue
        topic = tomllib.loads(path.read_text(encoding="utf-8"))
        if extra := topic.keys() - {"operation", "about", "case"}:
            raise ValueError(f"{path}: unknown keys {extra}")
        prefix = f"brick/{path.parent.name}/{path.stem}"
        for raw in topic["case"]:
            if extra := raw.keys() - KEYS:
                raise ValueError(f"{path}: {raw['id']}: unknown keys {extra}")
            if ("step" in raw) == ("params" in raw):
                raise ValueError(f"{path}: {raw['id']}: params or steps")
            steps = raw.get("step") or [{"params": raw["params"], "expect": raw["expect"]}]
            for step in steps:
                if extra := step.keys() - STEP_KEYS:
                    raise ValueError(f"{path}: {raw['id']}: unknown keys {extra}")
            twin = raw.get("twin")
            yield dict(raw, id=f"{prefix}/{raw['id']}", topic=prefix, role=f"brick/{path.parent.name}",
                       twin=twin if twin is None or "/" in twin else f"{prefix}/{twin}",
                       steps=[dict(step, operation=step.get("operation", raw.get("operation", topic["operation"]))) for step in steps])


def sent(value):
    """Params as they are sent: documents in their wire form."""
    if isinstance(value, dict):
        if value.keys() & {"text", "base64", "build"} and len(value) == 1:
            return runtime.document(corpus.resolve(value))
        if value.keys() == {"$json"}:
            return json.loads(value["$json"])
        return {name: sent(item) for name, item in value.items()}
    return [sent(item) for item in value] if isinstance(value, list) else value


def bytes_of(value):
    """Params as the oracle takes them: documents as bytes."""
    return {**value, "manifest": corpus.resolve(value["manifest"]),
            **({"resources": {uri: corpus.resolve(item) for uri, item in value["resources"].items()}} if "resources" in value else {})}


def form(root, all_cases, schema):
    text = (root / "suites/brick/requirements.toml").read_text(encoding="utf-8")
    known = {requirement["id"]: requirement for requirement in tomllib.loads(text)["requirement"]}
    faults, by_id, whys, same, cited = [], {}, Counter(), defaultdict(list), Counter()
    for case in all_cases:
        if case["id"] in by_id or not re.fullmatch(r"[a-z0-9-]+", case["id"].rsplit("/", 1)[1]):
            faults.append(f"{case['id']}: id twice, or not plain")
        by_id[case["id"]] = case
        whys[case["topic"], case["why"]] += 1
    for case in all_cases:
        def tell(what, case=case):
            faults.append(f"{case['id']}: {what}")

        cites = [known[name] for name in case["requirements"] if name in known]
        for name in case["requirements"]:
            if name not in known:
                tell(f"{name} is unknown")
            elif case["role"] not in known[name]["roles"]:
                tell(f"{name} does not bind {case['role']}")
        if not case["why"].strip() or not case["source"].strip() or not cites:
            tell("no why, no source or no requirement")
        readings = [requirement for requirement in cites if requirement["level"] == "reading"]
        if len(readings) > 1:
            tell("two readings")
        level = next((level for level in ("must", "should", "reading") if any(c["level"] == level for c in cites)), None)
        cited[case["role"], level] += 1
        for name in case["requirements"]:
            cited[name] += 1
        named = {name for step in case["steps"] for name in step["expect"].get("readings", {})}
        if readings and not named <= set(readings[0]["readings"]):
            tell(f"{sorted(named)} are not readings of {readings[0]['id']}")
        robust = any(requirement.get("kind") == "robustness" for requirement in cites)
        if bool(readings) != bool(named) and not robust:
            tell("readings and a requirement that is one go together")
        last = case["steps"][-1]["expect"]
        if "refused" in last and not robust and (case["twin"] is None) == ("no_twin" not in case):
            tell("a refusal has a twin or a reason for none")
        if case["twin"] is not None:
            twin = by_id.get(case["twin"])
            if twin is None or any("ok" not in step["expect"] for step in twin["steps"]):
                tell(f"twin {case['twin']} is no accepting case")
        if len(case["steps"]) == 1:
            same[case["steps"][0]["operation"] + json.dumps(sent(case["steps"][0]["params"]), sort_keys=True)].append(case["id"])
        for step in case["steps"]:
            params = schema["operations"].get(step["operation"], {}).get("params")
            if params is None:
                tell(f"no operation {step['operation']}")
            elif error := jsonschema.exceptions.best_match(
                    jsonschema.Draft202012Validator({**params, "$defs": schema["$defs"]}).iter_errors(sent(step["params"]))):
                tell(f"params: {error.message[:200]}")
            if len(step["expect"]) != 1:
                tell("not one expectation")
    faults += [f"{topic}: a why {times} times: {why}" for (topic, why), times in whys.items() if times > 1]
    faults += [f"same operation and params: {ids}" for ids in same.values() if len(ids) > 1]
    return faults, known, cited


def strings(value):
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, str):
        yield value


def fits(expect, reply, schema, saved):
    if "refused" in expect:
        return "refused" in reply
    if "ok" not in reply:
        return False
    output, wanted = reply["ok"], dict(expect["ok"])
    if isinstance(output, dict) and "card" in output:
        output = {**output, "card": json.loads(output["card"])}
    for canary in wanted.pop("lacks", []):
        for text in strings(output):
            if canary in text or canary in unquote(text):
                return False
    (how, value), = wanted.items()
    if how == "any":
        return True
    if how == "schema":
        return jsonschema.Draft202012Validator({**sent(value), "$defs": schema["$defs"]}).is_valid(output)
    value = fill(value, saved)
    if how == "includes":
        return all(all(any(part.items() <= item.items() for item in output[name]) for part in parts) for name, parts in value.items())
    if how == "equals":
        return value == {name: item for name, item in output.items() if name in value} and value.keys() == output.keys()
    raise ValueError(how)


def fill(value, saved):
    if isinstance(value, str) and (found := re.fullmatch(r"\{\{([^.}]+)\.([^}]+)\}\}", value)):
        item = saved[found[1]][found[2]]
        return json.loads(item) if isinstance(item, bytes) else item
    if isinstance(value, dict):
        return {name: fill(item, saved) for name, item in value.items()}
    return value


def follows(case, choices, schema, answer=runtime.answer):
    """The readings that fit every step (None where no step has any), or a text that says what goes wrong."""
    saved, left = {}, None
    for number, step in enumerate(case["steps"], 1):
        reply = answer(step["operation"], bytes_of(step["params"]), choices)
        expect = step["expect"]
        if "readings" in expect:
            fit = {name for name, one in expect["readings"].items() if fits(one, reply, schema, saved)}
            left = fit if left is None else left & fit
            if not left:
                return f"step {number}: {str(reply)[:160]} fits no reading"
        elif not fits(expect, reply, schema, saved):
            return f"step {number}: {str(reply)[:160]}, expected {str(expect)[:120]}"
        if "save" in step and "ok" in reply:
            saved[step["save"]] = reply["ok"]
    return left


def agrees(case, schema):
    """What the oracle says instead, by which choices; and the readings that no choices give."""
    fixed = {}
    for name in case["requirements"]:
        fixed |= FIXED.get(name, {})
    named, reached, wrong = {name for step in case["steps"] for name in step["expect"].get("readings", {})}, set(), {}
    robust = all(name == "BRK-ROB-1" for name in case["requirements"])
    for choices in CHOICES[:1] if robust else CHOICES:
        result = follows(case, choices | fixed, schema)
        if isinstance(result, str):
            wrong.setdefault(result, choices)
        elif result:
            reached |= result
    return wrong, set() if robust else named - reached


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[3]
    schema = json.loads((root / "suites/brick/operations.schema.json").read_text(encoding="utf-8"))
    all_cases = list(cases(root))
    faults, known, cited = form(root, all_cases, schema)
    unreached = []
    for case in all_cases:
        wrong, never = agrees(case, schema)
        for what, choices in list(wrong.items())[:2]:
            faults.append(f"{case['id']}: by {choices if len(choices) < 4 else 'all the other way'}: {what}")
        unreached += [f"{case['id']}: no choices of the oracle give {sorted(never)}"] if never else []
    topics = Counter(case["topic"] for case in all_cases)
    for topic, count in topics.items():
        print(f"  {count:4} {topic}")
    for role in ROLES:
        print(f"brick/{role}: " + ", ".join(f"{cited[f'brick/{role}', level]} {level}" for level in ("must", "should", "reading")))
    uncited = [name for name, requirement in known.items()
               if not cited[name] and {f"brick/{role}" for role in ROLES} & set(requirement["roles"])]
    print(f"requirements of these roles without a case here: {uncited}")
    for note in unreached:
        print(f"note   {note}")
    for fault in faults:
        print(f"FAULT  {fault}")
    print(f"{len(all_cases)} cases, {len(CHOICES)} sets of choices, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
