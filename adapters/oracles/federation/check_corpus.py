"""Holds corpus/federation against the rules of its form and against this oracle.

`python3 check_corpus.py` (or with another repository root as argument). Ids, twins, sources and whys as in every corpus,
no why twice in a topic; and every expectation of the codec, the issuer and the receiver is what the oracle answers, by
whichever reading. The host's operations are not of this oracle and are counted apart.
"""

import json
import pathlib
import sys
import tomllib
from collections import Counter, defaultdict

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import corpus  # noqa: E402  (the loader's pieces and documents)
import fed  # noqa: E402

READINGS = [("refused", "container"), ("passed", "container"), ("refused", "path")]  # of FED-R-3 and FED-R-1
HOST = {"federation." + name for name in ("mapping", "card_preimage", "card_sign", "card_verify", "observe")}


def cases(root):
    for path in sorted((root / "corpus/federation").glob("*/*.toml")):
        topic = tomllib.loads(path.read_text(encoding="utf-8"))
        if extra := topic.keys() - {"operation", "about", "case"}:
            raise ValueError(f"{path}: unknown keys {extra}")
        prefix = f"federation/{path.parent.name}/{path.stem}"
        for raw in topic["case"]:
            if extra := raw.keys() - corpus.KEYS:
                raise ValueError(f"{path}: {raw['id']}: unknown keys {extra}")
            steps = raw.get("step") or [{"params": raw["params"], "expect": raw["expect"]}]
            default = raw.get("operation", topic["operation"])
            yield dict(raw, id=f"{prefix}/{raw['id']}", topic=prefix, role=f"federation/{path.parent.name}",
                       twin=in_full(prefix, raw.get("twin")), steps=[
                           dict(step, operation=step.get("operation", default), params=corpus.resolve(step["params"]),
                                expect=corpus.resolve(step["expect"])) for step in steps])


def in_full(prefix, twin):
    return twin if twin is None or "/" in twin else f"{prefix}/{twin}"


def plain(value):
    """Comparable: documents stay bytes, members have no order, 1 equals 1.0."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def form(root, all_cases):
    text = (root / "suites/federation/requirements.toml").read_text(encoding="utf-8")
    known = {requirement["id"]: requirement for requirement in tomllib.loads(text)["requirement"]}
    by_id, cited, whys, same = {}, defaultdict(Counter), Counter(), defaultdict(list)
    faults = []
    for case in all_cases:
        if case["id"] in by_id:
            faults.append(f"{case['id']}: id twice")
        by_id[case["id"]] = case
        whys[case["topic"], case["why"]] += 1
        if len(case["steps"]) == 1:
            same[case["steps"][0]["operation"] + repr(plain(case["steps"][0]["params"]))].append(case["id"])
        for requirement in case["requirements"]:
            if requirement not in known:
                faults.append(f"{case['id']}: cites {requirement}, which is unknown")
            elif case["role"] not in known[requirement]["roles"]:
                faults.append(f"{case['id']}: {requirement} does not bind {case['role']}")
            cited[requirement][case["role"].split("/")[1] + " " + next(iter(case["steps"][-1]["expect"]))] += 1
    for case in all_cases:
        cites = [known[name] for name in case["requirements"] if name in known]
        robust = all(requirement.get("kind") == "robustness" for requirement in cites)
        kinds = [next(iter(step["expect"])) for step in case["steps"]]
        if not case["why"].strip() or not case["source"].strip() or not case["requirements"]:
            faults.append(f"{case['id']}: no why, no source or no requirement")
        if any(len(step["expect"]) != 1 for step in case["steps"]):
            faults.append(f"{case['id']}: not one expectation")
        if kinds[-1] == "refused" and not robust and (case["twin"] is None) == ("no_twin" not in case):
            faults.append(f"{case['id']}: a refusal has a twin or a reason for none")
        if case["twin"] is not None:
            twin = by_id.get(case["twin"])
            if twin is None or any(next(iter(step["expect"])) != "ok" for step in twin["steps"]):
                faults.append(f"{case['id']}: twin {case['twin']} is no accepting case")
        readings = [requirement for requirement in cites if requirement["level"] == "reading"]
        named = {name for step in case["steps"] for name in step["expect"].get("readings", {})}
        if bool(named) != (len(readings) == 1) and not (named and robust):
            faults.append(f"{case['id']}: readings and reading requirements do not go together")
        if readings and named - set(readings[0]["readings"]):
            faults.append(f"{case['id']}: {named} are not readings of {readings[0]['id']}")
    faults += [f"{topic}: a why {count} times: {why}" for (topic, why), count in whys.items() if count > 1]
    faults += [f"same operation and params: {ids}" for ids in same.values() if len(ids) > 1]
    return faults, known, cited


def fits(expect, reply):
    import base64
    import hashlib
    kind, wanted = next(iter(expect.items()))
    if kind == "refused":
        codes = wanted.get("codes") or ([wanted["code"]] if "code" in wanted else None)
        return "refused" in reply and (codes is None or reply["refused"]["code"] in codes)
    if "ok" not in reply:
        return False
    output, (how, value) = reply["ok"], next(iter(wanted.items()))
    documents = [item for item in output.values() if isinstance(item, bytes)]
    if how == "any":
        return True
    if how == "bytes":
        return documents == [value]
    if how == "sha256":
        digest = hashlib.sha256(documents[0]).digest()
        return value in (digest.hex(), base64.urlsafe_b64encode(digest).rstrip(b"=").decode())
    if how == "includes":
        return all(output.get(name) == item for name, item in value.items())
    if set(value) == {"carrier"}:
        return json.loads(value["carrier"]) == json.loads(output["carrier"])
    return how == "equals" and plain(value) == plain(output)


def fill(value, saved):
    if isinstance(value, str) and value.startswith("{{") and value.endswith("}}"):
        name, *path = value[2:-2].split(".")
        found = saved[name]
        for part in path:
            found = found[part]
        return found
    if isinstance(value, dict):
        return {name: fill(item, saved) for name, item in value.items()}
    if isinstance(value, list):
        return [fill(item, saved) for item in value]
    return value


def agrees(case):
    """None, or what the oracle says instead."""
    saved = {}
    for index, step in enumerate(case["steps"], 1):
        expect, params = step["expect"], fill(step["params"], saved)
        replies = [fed.run(step["operation"], params, *readings) for readings in READINGS]
        admitted = expect["readings"].values() if "readings" in expect else [expect]
        reply = next((each for each in replies if not any(fits(one, each) for one in admitted)), replies[0])
        good = any(fits(one, reply) for one in admitted)
        if not good:
            return f"{case['id']} step {index}: {str(reply)[:300]}, expected {str(expect)[:300]}"
        if "save" in step:
            saved[step["save"]] = reply["ok"]
    return None


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[2]
    all_cases = list(cases(root))
    faults, known, cited = form(root, all_cases)
    ours = [case for case in all_cases if not HOST & {step["operation"] for step in case["steps"]}]
    faults += filter(None, map(agrees, ours))
    for name, requirement in known.items():
        print(f"  {name:12} {requirement['level']:8} {dict(cited[name])}")
    print(f"{len(all_cases)} cases, {dict(Counter(case['role'] for case in all_cases))}; {len(ours)} held against the oracle")
    missing = [name for name, requirement in known.items() if requirement["level"] == "must" and not cited[name]]
    print(f"musts without a case: {missing}")
    for fault in faults:
        print(f"FAULT  {fault}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
