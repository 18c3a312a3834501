"""Holds corpus/brief against the rules of its form and against this oracle.

`python3 check_corpus.py` (or with another repository root as argument; `--front-matter` prints what yaml_1_2.mjs reads). Every case is played with the oracle's own readings,
and then with each other reading by itself (`VARIANTS`): a case that is no reading must come out alike by all of them, or it
would ask for more than the text does. Large documents are played with the oracle's own readings alone. Hostile documents, where any answer is right, are checked for their form alone.
"""

import dataclasses
import json
import pathlib
import re
import sys
import tomllib
import urllib.parse
from collections import Counter, defaultdict

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import brief  # noqa: E402
import corpus  # noqa: E402  (documents and their pieces)
import front  # noqa: E402
from document import Choices  # noqa: E402

VARIANTS = [Choices()] + [dataclasses.replace(Choices(), **{name: value}) for name, value in (
    ("around", "skipped"), ("fence", "no-fence"), ("blank", "trimmed"), ("plain", "refused"), ("plain", "value"), ("time", "read"),
    ("version", "refused"), ("version", "read"), ("edge", "read"), ("edge", "root"), ("depth", "refused"), ("depth", "read"),
    ("sub_depth", "depth-0"), ("graph", "read"), ("status", "refused"), ("form", "flat"), ("stray", "ignored"), ("stray", "kept"),
    ("bound", "one-more"), ("count", "left-out"), ("forged", "refused"), ("order", "branch"), ("chain", "kept"), ("answers", "first"))]
KEYS = corpus.KEYS | {"claims"}
STEP = {"operation", "params", "expect", "save", "restart", "times", "distinct"}
FORMS = {"equals", "includes", "bytes", "sha256", "schema", "any"}
BESIDE = {"lacks", "front_matter", "front_matter_lacks", "front_matter_body"}


def expectation(raw):
    """An `expect` with its documents built; schemas stay as they are."""
    if "readings" in raw:
        return {"readings": {name: expectation(each) for name, each in raw["readings"].items()}}
    if "ok" not in raw:
        return raw
    return {"ok": {name: value["$json"] and json.loads(value["$json"]) if name == "schema" and value.keys() == {"$json"}
                   else value if name in BESIDE | {"schema"} else resolve(value) for name, value in raw["ok"].items()}}


def resolve(value):
    """Documents become bytes, in JSON that is spelled in a string too."""
    if isinstance(value, dict) and value.keys() == {"$json"}:
        return resolve(json.loads(value["$json"]))
    if isinstance(value, dict) and not value.keys() in ({"text"}, {"base64"}, {"build"}):
        return {name: resolve(item) for name, item in value.items()}
    return [resolve(item) for item in value] if isinstance(value, list) else corpus.resolve(value)


def cases(root):
    for path in sorted((root / "corpus/brief").glob("*/*.toml")):
        topic = tomllib.loads(path.read_text(encoding="utf-8"))
        if extra := topic.keys() - {"operation", "about", "case"}:
            raise ValueError(f"{path}: unknown keys {extra}")
        prefix = f"brief/{path.parent.name}/{path.stem}"
        for raw in topic["case"]:
            steps = raw.get("step") or [{"params": raw["params"], "expect": raw["expect"]}]
            for extra in (raw.keys() - KEYS, *(step.keys() - STEP for step in steps)):
                if extra:
                    raise ValueError(f"{path}: {raw['id']}: unknown keys {extra}")
            default, twin = raw.get("operation", topic.get("operation")), raw.get("twin")
            yield dict(raw, id=f"{prefix}/{raw['id']}", topic=prefix, role=f"brief/{path.parent.name}",
                       twin=twin if twin is None or "/" in twin else f"{prefix}/{twin}", steps=[
                           dict(step, operation=step.get("operation", default), raw=step["params"],
                                expect=expectation(step["expect"])) for step in steps])


# --- Form ---

def form(root, all_cases):
    text = (root / "suites/brief/requirements.toml").read_text(encoding="utf-8")
    known = {requirement["id"]: requirement for requirement in tomllib.loads(text)["requirement"]}
    schema = json.loads((root / "suites/brief/operations.schema.json").read_text(encoding="utf-8"))
    validators = {name: jsonschema.Draft202012Validator({"$defs": schema["$defs"], **operation["params"]})
                  for name, operation in schema["operations"].items()}
    by_id, cited, whys, same = {}, defaultdict(Counter), Counter(), defaultdict(list)
    faults = []
    for case in all_cases:
        if case["id"] in by_id:
            faults.append(f"{case['id']}: id twice")
        if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+){3}", case["id"]):
            faults.append(f"{case['id']}: no plain id")
        by_id[case["id"]] = case
        whys[case["topic"], case["why"]] += 1
        if not case.get("step"):
            same[case["steps"][0]["operation"] + repr(case["steps"][0]["raw"] if "build" in repr(case["steps"][0]["raw"])
                                                      else resolve(case["steps"][0]["raw"]))].append(case["id"])
        for requirement in case["requirements"]:
            if requirement not in known:
                faults.append(f"{case['id']}: cites {requirement}, which is unknown")
            elif case["role"] not in known[requirement]["roles"]:
                faults.append(f"{case['id']}: {requirement} does not bind {case['role']}")
            cited[requirement][case["role"].split("/")[1] + " " + next(iter(case["steps"][-1]["expect"]))] += 1
        for step in case["steps"]:
            if step["operation"] not in validators:
                faults.append(f"{case['id']}: no operation {step['operation']}")
            elif "{{" not in repr(step["raw"]) and "build" not in repr(step["raw"]):
                faults += [f"{case['id']}: params: {error.message[:100]}"
                           for error in validators[step["operation"]].iter_errors(wire(resolve(step["raw"])))]
            faults += [f"{case['id']}: {what}" for what in malformed(step["expect"])]
    for case in all_cases:
        cites = [known[name] for name in case["requirements"] if name in known]
        robust = [requirement.get("kind") == "robustness" for requirement in cites]
        kinds = [next(iter(step["expect"])) for step in case["steps"]]
        if not case["why"].strip() or not case["source"].strip() or not case["requirements"]:
            faults.append(f"{case['id']}: no why, no source or no requirement")
        if kinds[-1] == "refused" and not all(robust) and (case["twin"] is None) == ("no_twin" not in case):
            faults.append(f"{case['id']}: a refusal has a twin or a reason for none")
        if case["twin"] is not None:
            twin = by_id.get(case["twin"])
            if twin is None or any(next(iter(step["expect"])) != "ok" for step in twin["steps"]):
                faults.append(f"{case['id']}: twin {case['twin']} is no accepting case")
        readings = [requirement for requirement in cites if requirement["level"] == "reading"]
        named = {name for step in case["steps"] for name in step["expect"].get("readings", {})}
        if len(readings) > 1 or bool(named) != (len(readings) == 1) and not (named and any(robust)):
            faults.append(f"{case['id']}: readings and reading requirements do not go together")
        if readings and named - set(readings[0]["readings"]):
            faults.append(f"{case['id']}: {named} are not readings of {readings[0]['id']}")
    faults += [f"{topic}: a why {count} times: {why}" for (topic, why), count in whys.items() if count > 1]
    faults += [f"same operation and params: {ids}" for ids in same.values() if len(ids) > 1]
    return faults, known, cited, schema


def malformed(expect):
    if len(expect) != 1:
        yield "not one expectation"
    for each in expect.get("readings", {}).values():
        yield from malformed(each)
    if "readings" in expect and len(expect["readings"]) < 2:
        yield "one reading"
    if "ok" in expect:
        if len(expect["ok"].keys() & FORMS) != 1 or expect["ok"].keys() - FORMS - BESIDE:
            yield f"not one form of ok: {list(expect['ok'])}"
        if "schema" in expect["ok"]:
            try:
                jsonschema.Draft202012Validator.check_schema(expect["ok"]["schema"])
            except jsonschema.SchemaError as error:
                yield f"schema: {error.message}"


# --- Answers ---

def wire(value):
    """Documents as they travel."""
    import base64
    if isinstance(value, bytes):
        try:
            return {"text": value.decode()}
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {name: wire(item) for name, item in value.items()}
    return [wire(item) for item in value] if isinstance(value, list) else value


def includes(wanted, got, as_set=False):
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(name in got and includes(item, got[name], name in ("received", "unexpected", "matches"))
                                             for name, item in wanted.items())
    if isinstance(wanted, list) and as_set:
        rest = list(got)
        for each in wanted:
            found = next((index for index, item in enumerate(rest) if includes(each, item)), None)
            if found is None:
                return False
            rest.pop(found)
        return True
    if isinstance(wanted, list):
        return isinstance(got, list) and len(wanted) == len(got) and all(map(includes, wanted, got))
    return wanted == got and isinstance(wanted, bool) == isinstance(got, bool)


def ok(wanted, output, schema):
    import hashlib
    documents = [item for item in output.values() if isinstance(item, bytes)]
    if "lacks" in wanted:
        shown = json.dumps(wire(output), ensure_ascii=False)
        if any(word in shown or word in urllib.parse.unquote(shown) for word in wanted["lacks"]):
            return False
    if wanted.keys() & {"front_matter", "front_matter_lacks", "front_matter_body"}:
        data = output["document"] if "document" in output else documents[0]
        found = re.match(r"---[ \t]*\r?\n(.*?)^---[ \t]*\r?(?:\n|\Z)(.*)\Z", data.decode(), re.DOTALL | re.MULTILINE)
        if not found:
            return False
        try:
            members = front.as_json(front.read(found[1], False))
        except front.Refused:
            return False
        if not includes(wanted.get("front_matter", {}), members) or members.keys() & set(wanted.get("front_matter_lacks", ())):
            return False
        if "front_matter_body" in wanted and wanted["front_matter_body"].strip("\r\n") != found[2].strip("\r\n"):
            return False
    how = next(iter(wanted.keys() & FORMS))
    value = wanted[how]
    if how == "any":
        return True
    if how == "bytes":
        return documents == [value]
    if how == "sha256":
        return hashlib.sha256(documents[0]).hexdigest() == value
    if how == "includes":
        return includes(value, output)
    if how == "equals":
        sets = {"received", "unexpected", "matches"}
        return value.keys() == output.keys() and all(
            sorted(map(repr, value[name])) == sorted(map(repr, output[name])) if name in sets else value[name] == output[name]
            for name in value)
    shown = wire({name: json.loads(item) if name == "request" else item for name, item in output.items()})
    return jsonschema.Draft202012Validator({"$defs": schema["$defs"], **value}).is_valid(shown)


def fits(expect, reply, schema):
    kind, wanted = next(iter(expect.items()))
    if kind == "refused":
        return "refused" in reply
    return "ok" in reply and ok(wanted, reply["ok"], schema)


def fill(value, saved):
    if isinstance(value, str) and "{{" in value:
        if found := re.fullmatch(r"\{\{([^{}]+)\}\}", value):
            return look(found[1], saved)
        return re.sub(r"\{\{([^{}]+)\}\}", lambda found: str(look(found[1], saved)), value)
    if isinstance(value, dict):
        return {name: fill(item, saved) for name, item in value.items()}
    return [fill(item, saved) for item in value] if isinstance(value, list) else value


def look(path, saved):
    name, *rest = path.split(".")
    found = saved[name]
    for part in rest:
        found = found[int(part)] if isinstance(found, list) else found[part]
    return found


def played(case, choices, schema):
    """None, or what the oracle says instead."""
    saved, reading = {}, None
    for index, step in enumerate(case["steps"], 1):
        params = fill(step["raw"], saved) if "{{" in repr(step["raw"]) else step["raw"]
        params = resolve(params)
        seen = set()
        for _ in range(step.get("times", 1)):
            try:
                reply = brief.run(step["operation"], params, choices)
            except Exception as error:  # the oracle itself is at fault
                return f"{case['id']} step {index}: {error!r}"
            if "distinct" in step and "ok" in reply:
                seen.add(repr(look("x." + step["distinct"].strip("/").replace("/", "."), {"x": reply["ok"]})))
        if "distinct" in step and len(seen) != step.get("times", 1):
            return f"{case['id']} step {index}: {len(seen)} different answers"
        expect = fill(step["expect"], saved) if "{{" in repr(step["expect"]) else step["expect"]
        if "readings" in expect:
            admitted = {name for name, one in expect["readings"].items() if fits(one, reply, schema)}
            reading = admitted if reading is None else reading & admitted
            good = bool(reading)
        else:
            good = fits(expect, reply, schema)
        if not good:
            return f"{case['id']} step {index}: {str(wire(reply))[:400]}, expected {str(expect)[:300]}"
        if "refused" in reply and "save" in step:
            return None
        if "save" in step:
            saved[step["save"]] = reply["ok"]
    return None


def front_matters(all_cases):
    """What a YAML 1.2 library must make of the front matter of the delegatee's briefs, for yaml_1_2.mjs."""
    for case in all_cases:
        for step in case["steps"]:
            if case["role"] != "brief/delegatee" or step["operation"] != "brief.parse" or "{{" in repr(step["raw"]):
                continue
            kind, wanted = next(iter(step["expect"].items()))
            found = re.match(rb"---[ \t]*\r?\n(.*?)^---[ \t]*\r?(?:\n|\Z)", resolve(step["raw"])["document"], re.DOTALL | re.MULTILINE)
            mapping = {"BRF-DOC-2", "BRF-DOC-3"} & set(case["requirements"])
            if found and (kind == "ok" or kind == "refused" and mapping):
                values = wanted.get("includes", {})
                yield {"id": case["id"], "front": found[1].decode("utf-8", "replace"), "refused": kind == "refused",
                       "values": values.get("fields", {}) | values.get("extra", {})}


def main():
    paths = [each for each in sys.argv[1:] if not each.startswith("--")]
    root = pathlib.Path(paths[0]) if paths else HERE.parents[2]
    if "--front-matter" in sys.argv:
        print(json.dumps(list(front_matters(cases(root)))))
        return 0
    all_cases = list(cases(root))
    faults, known, cited, schema = form(root, all_cases)
    robust = {name for name, requirement in known.items() if requirement.get("kind") == "robustness"}
    ours = [case for case in all_cases if not set(case["requirements"]) <= robust]
    for case in ours:
        told = {}
        big = len(repr([step["raw"] for step in case["steps"]])) > 50_000 or "times" in repr(case["steps"])
        for choices in VARIANTS[:1] if big else VARIANTS:
            if (what := played(case, choices, schema)) and what not in told:
                told[what] = choices
        for what, choices in told.items():
            changed = {name: value for name, value in dataclasses.asdict(choices).items() if value != getattr(Choices(), name)}
            faults.append(f"{changed or 'own readings'}: {what}")
    for name, requirement in known.items():
        print(f"  {name:12} {requirement['level']:8} {dict(cited[name])}")
    print(f"{len(all_cases)} cases, {dict(Counter(case['role'] for case in all_cases))}; {len(ours)} held against the oracle in "
          f"{len(VARIANTS)} ways, {len(all_cases) - len(ours)} hostile ones by their form")
    print(f"without a case: {[name for name in known if not cited[name]]}")
    for fault in faults:
        print(f"FAULT  {fault}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
