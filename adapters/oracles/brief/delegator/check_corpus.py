"""Holds corpus/brief/delegator against the rules of its form and against this oracle.

`python3 check_corpus.py` (or with another repository root as argument). Form: keys, ids, whys, sources, twins, readings,
operations and members that exist. Values: each case is played with every set of answers to the open questions
(`brf.READINGS`); what is no reading must fit by all of them, what is one must fit one of the readings by each, and readings
that no set shows are named. `python3 check_corpus.py --wrong` plays the corpus to the wrong delegators of wrong.py instead.
"""

import base64
import importlib.util
import json
import pathlib
import sys
import tomllib
from collections import Counter

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
import corpus  # noqa: E402  (documents and their pieces)
import brf  # noqa: E402
import wrong  # noqa: E402

SPEC = importlib.util.spec_from_file_location("judge", HERE / "brf.py")
judge = importlib.util.module_from_spec(SPEC)  # the judge's own copy, that no wrong delegator changes
SPEC.loader.exec_module(judge)

ROOT = HERE.parents[3]
ROLE = "brief/delegator"
KEYS = corpus.KEYS | {"claims"}
STEP_KEYS = {"operation", "params", "expect", "save", "restart", "times", "distinct"}
BESIDE = {"lacks", "front_matter", "front_matter_lacks", "front_matter_body"}
ONE_OF = {"equals", "includes", "bytes", "sha256", "schema", "any"}


def resolve(value):
    """Documents to bytes, `$json` to its value, in params and in what is compared."""
    if isinstance(value, dict) and value.keys() == {"$json"}:
        return resolve(json.loads(value["$json"]))
    if isinstance(value, dict) and value.keys() in ({"text"}, {"base64"}, {"build"}):
        return corpus.resolve(value)
    if isinstance(value, dict):
        return {key: resolve(item) for key, item in value.items()}
    return [resolve(item) for item in value] if isinstance(value, list) else value


def load(root):
    for path in sorted((root / "corpus" / ROLE).glob("*.toml")):
        topic = tomllib.loads(path.read_text(encoding="utf-8"))
        if topic.keys() - {"operation", "about", "case"}:
            raise ValueError(f"{path}: unknown keys")
        for raw in topic["case"]:
            steps = raw.get("step") or [{"params": raw.get("params"), "expect": raw.get("expect")}]
            default = raw.get("operation", topic["operation"])
            yield dict(raw, name=f"{path.stem}/{raw['id']}", topic=path.stem,
                       steps=[dict(step, operation=step.get("operation", default)) for step in steps])


# The form

def alternatives(expect):
    return expect["readings"] if "readings" in expect else {"": expect}


def accepts(case):
    return all("ok" in step["expect"] for step in case["steps"])


def form(root, cases):
    known = {each["id"]: each for each in tomllib.loads((root / "suites/brief/requirements.toml").read_text(encoding="utf-8"))["requirement"]}
    schema = json.loads((root / "suites/brief/operations.schema.json").read_text(encoding="utf-8"))
    roles = {each["id"]: each for each in tomllib.loads((root / "suites/brief/roles.toml").read_text(encoding="utf-8"))["role"]}
    by_name, same, whys, faults, cited = {}, {}, Counter(), [], Counter()
    for case in cases:
        name = case["name"]
        if name in by_name:
            faults.append(f"{name}: id twice")
        by_name[name] = case
        whys[case["topic"], case["why"]] += 1
        if extra := case.keys() - KEYS - {"name", "topic", "steps"}:
            faults.append(f"{name}: unknown keys {extra}")
        if not set(case["id"]) <= set("abcdefghijklmnopqrstuvwxyz0123456789-"):
            faults.append(f"{name}: id")
        if not case["why"].strip() or not case["source"].strip() or not case["requirements"]:
            faults.append(f"{name}: no why, source or requirement")
        for requirement in case["requirements"]:
            cited[requirement] += 1
            if ROLE not in known.get(requirement, {"roles": []})["roles"]:
                faults.append(f"{name}: {requirement} is unknown or does not bind the role")
        cites = [known[each] for each in case["requirements"] if each in known]
        robust = [each.get("kind") == "robustness" for each in cites]
        offered = roles["delegator"]["operations"] + [op for claim in case.get("claims", []) for op in roles[claim.split("/")[1]]["operations"]]
        named, saved = set(), set()
        for step in case["steps"]:
            if step.keys() - STEP_KEYS or step["operation"] not in offered:
                faults.append(f"{name}: step's keys or operation: {step['operation']}")
            operation = schema["operations"][step["operation"]]
            spelled = json.dumps(step["params"])
            for used in {part.split("}}")[0].split(".")[0] for part in spelled.split("{{")[1:]} - saved:
                faults.append(f"{name}: {used} was not saved")
            if "{{" not in spelled:
                faults += [f"{name}: params: {fault.message[:90]}" for fault in jsonschema.Draft202012Validator(
                    {"$defs": schema["$defs"], **operation["params"]}).iter_errors(wire(resolve(step["params"])))]
            if len(step["expect"]) != 1:
                faults.append(f"{name}: one expectation")
            if "readings" in step["expect"]:
                named |= step["expect"]["readings"].keys()
            for expect in alternatives(step["expect"]).values():
                if "ok" in expect:
                    if len(expect["ok"].keys() & ONE_OF) != 1 or expect["ok"].keys() - ONE_OF - BESIDE:
                        faults.append(f"{name}: ok is not one of its kinds")
                    for kind in ("equals", "includes"):
                        if extra := expect["ok"].get(kind, {}).keys() - operation["output"]["properties"].keys():
                            faults.append(f"{name}: {extra} is no output of {step['operation']}")
                    if "schema" in expect["ok"]:
                        jsonschema.Draft202012Validator.check_schema(schema_of(expect["ok"]["schema"]))
                elif expect != {"refused": {}}:
                    faults.append(f"{name}: expectation")
            if "save" in step:
                saved.add(step["save"])
        last = case["steps"][-1]["expect"]
        if "refused" in last and not all(robust) and ("twin" in case) == ("no_twin" in case):
            faults.append(f"{name}: a refusal has a twin or a reason for none")
        readings = [each for each in cites if each["level"] == "reading"]
        if len(readings) > 1 or bool(named) != bool(readings) and not (named and any(robust)):
            faults.append(f"{name}: readings and reading requirements do not go together")
        if readings and named - readings[0]["readings"].keys():
            faults.append(f"{name}: {named} are not readings of {readings[0]['id']}")
        if len(case["steps"]) == 1:
            key = json.dumps([case["steps"][0]["operation"], case["steps"][0]["params"]], sort_keys=True)
            if key in same:
                faults.append(f"{name}: the same request as {same[key]}")
            same[key] = name
    for case in cases:
        if "twin" in case:
            twin = by_name.get(case["twin"] if "/" in case["twin"] else f"{case['topic']}/{case['twin']}")
            if twin is None or not accepts(twin):
                faults.append(f"{case['name']}: its twin {case['twin']} is no accepting case")
    faults += [f"{topic}: a why {count} times: {why}" for (topic, why), count in whys.items() if count > 1]
    faults += [f"{name} is tested by no case" for name, each in known.items() if ROLE in each["roles"] and name not in cited]
    return faults, known


# The values

def schema_of(value):
    return json.loads(value["$json"]) if value.keys() == {"$json"} else value


def wire(value):
    """As it goes over the line: bytes as documents."""
    if isinstance(value, bytes):
        try:
            return {"text": value.decode()}
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: wire(item) for key, item in value.items()}
    return [wire(item) for item in value] if isinstance(value, list) else value


SETS = {"received", "unexpected"}


def included(wanted, got, whole, name=None):
    if isinstance(wanted, dict) and isinstance(got, dict):
        return all(key in got and included(item, got[key], whole, key) for key, item in wanted.items()) and (not whole or wanted.keys() == got.keys())
    if isinstance(wanted, list) and isinstance(got, list):
        if name in SETS:
            return (not whole or len(wanted) == len(got)) and all(any(included(one, each, whole) for each in got) for one in wanted)
        return len(wanted) == len(got) and all(included(one, each, whole) for one, each in zip(wanted, got))
    return type(wanted) is type(got) and wanted == got


def strings(value):
    if isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def fits(expect, reply, saved):
    if "refused" in expect:
        return "refused" in reply
    if "ok" not in reply:
        return False
    output, ok = reply["ok"], expect["ok"]
    if any(word in text for word in ok.get("lacks", []) for text in strings(output)):
        return False
    if ok.keys() & {"front_matter", "front_matter_lacks", "front_matter_body"}:
        try:
            front, body = judge.split(output["document"], judge.READINGS[0])
            members = judge.as_json(judge.front_matter(front, judge.READINGS[0]))
        except judge.Refused:
            return False
        if not included(ok.get("front_matter", {}), members, False) or set(ok.get("front_matter_lacks", [])) & members.keys():
            return False
        if "front_matter_body" in ok and body.strip("\r\n") != ok["front_matter_body"].strip("\r\n"):
            return False
    if "schema" in ok:
        return jsonschema.Draft202012Validator(schema_of(ok["schema"])).is_valid(wire(output))
    for kind in ("equals", "includes"):
        if kind in ok:
            return included(fill(resolve(ok[kind]), saved), output, kind == "equals")
    return True


def fill(value, saved):
    if isinstance(value, str) and value.startswith("{{") and value.endswith("}}"):
        for part in value[2:-2].split("."):
            saved = saved[part]
        return saved
    if isinstance(value, dict):
        return {key: fill(item, saved) for key, item in value.items()}
    return [fill(item, saved) for item in value] if isinstance(value, list) else value


def play(case, run, takes):
    """`(None, readings)` where it fits, else what was answered instead."""
    saved, fitting = {}, None
    for number, step in enumerate(case["steps"], 1):
        params = fill(resolve(step["params"]), saved)
        seen = set()
        for _ in range(min(step.get("times", 1), 200)):
            reply = run(step["operation"], params, takes)
            if "distinct" in step and "ok" in reply:
                value = reply["ok"][step["distinct"][1:]]
                if value in seen:
                    return f"step {number}: {value} twice", None
                seen.add(value)
            names = {name for name, expect in alternatives(step["expect"]).items() if fits(expect, reply, saved)}
            if not names:
                return f"step {number}: {str(reply)[:260]}, expected {str(step['expect'])[:260]}", None
        if "readings" in step["expect"]:
            fitting = names if fitting is None else fitting & names
            if not fitting:
                return f"step {number}: another reading than before", None
        if "save" in step:
            if "ok" not in reply:
                break
            saved[step["save"]] = reply["ok"]
    return None, fitting or set()


def main():
    root = next((pathlib.Path(each) for each in sys.argv[1:] if not each.startswith("-")), ROOT)
    cases = list(load(root))
    faults, known = form(root, cases)
    levels, topics, shown, undecided = Counter(), Counter(), {}, []
    order = ["must", "should", "reading"]
    for case in cases:
        topics[case["topic"]] += 1
        levels[min((known[each]["level"] for each in case["requirements"] if each in known), key=order.index)] += 1
    for fault in faults:
        print("FORM ", fault)
    if "--wrong" in sys.argv:
        wrong.measure(cases, play)
        return
    bad = 0
    for case in cases:
        names = {name for step in case["steps"] if "readings" in step["expect"] for name in step["expect"]["readings"]}
        for number, takes in enumerate(brf.READINGS):
            try:
                fault, fitting = play(case, brf.run, takes)
            except Exception as error:  # noqa: BLE001  (told, with its case)
                fault, fitting = repr(error), None
            if fault:
                bad += 1
                print(f"VALUE {case['name']} by set {number}: {fault}")
            else:
                shown.setdefault(case["name"], set()).update(fitting)
        if names - shown.get(case["name"], set()):
            undecided.append(f"{case['name']}: {', '.join(sorted(names - shown.get(case['name'], set())))}")
    print(f"{len(cases)} cases {dict(levels)}; {len(faults)} faults of form, {bad} of value")
    print(f"readings that no set of the oracle gives: {len(undecided)}")
    if "-v" in sys.argv:
        print("\n".join(undecided))
        print(dict(topics))
    sys.exit(1 if faults or bad else 0)


if __name__ == "__main__":
    main()
