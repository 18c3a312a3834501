"""Checks the form of a suite's corpus: `python3 structure.py` (or with another repository root as argument).

Unique ids; no operation with the same parameters twice; every refusal has a twin that exists and is accepted, or says why
it has none; sources and whys are there, and no why is repeated more than three times in a topic; only known requirements
are cited; every must is cited, from a role that it names; readings are the requirement's own; profiles answer every case
of their reading.
"""

import hashlib
import json
import pathlib
import sys
import tomllib
from collections import Counter, defaultdict

import corpus


def fingerprint(case):
    def plain(value):
        if isinstance(value, bytes):
            return {"bytes": hashlib.sha256(value).hexdigest()}
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        return value

    return case["operation"] + json.dumps(plain(case["params"]), sort_keys=True)


def check(root, suite):
    known = {r["id"]: r for r in tomllib.loads((root / f"suites/{suite}/requirements.toml").read_text())["requirement"]}
    cases = list(corpus.from_toml(root / "corpus" / suite))
    by_id, faults = {}, []
    same, whys = defaultdict(list), defaultdict(list)
    cited = defaultdict(Counter)
    for case in cases:
        if case["id"] in by_id:
            faults.append(f"{case['id']}: id twice")
        by_id[case["id"]] = case
        same[fingerprint(case)].append(case["id"])
        whys[case["topic"], case["why"]].append(case["id"])
        kind = next(iter(case["expect"]))
        for requirement in case["requirements"]:
            if requirement not in known:
                faults.append(f"{case['id']}: cites {requirement}, which is unknown")
                continue
            cited[requirement][kind] += 1
            if case["role"] not in known[requirement]["roles"]:
                faults.append(f"{case['id']}: {requirement} does not name {case['role']}")
    for case in cases:
        robust = all(known[r].get("kind") == "robustness" for r in case["requirements"])
        if not case["why"].strip() or not case["source"].strip():
            faults.append(f"{case['id']}: no why or no source")
        if len(case["expect"]) != 1:
            faults.append(f"{case['id']}: not one expectation")
        if "refused" in case["expect"] and not robust:
            if ("twin" in case) == ("no_twin" in case):
                faults.append(f"{case['id']}: a refusal has a twin or a reason for none")
        if "twin" in case:
            twin = by_id.get(case["twin"])
            if twin is None:
                faults.append(f"{case['id']}: twin {case['twin']} is missing")
            elif "ok" not in twin["expect"] or twin["operation"] != case["operation"]:
                faults.append(f"{case['id']}: twin {case['twin']} is no accepting case of the operation")
        if "readings" in case["expect"] and not robust:
            own = [r for r in case["requirements"] if known[r]["level"] == "reading"]
            if len(own) != 1 or set(case["expect"]["readings"]) - set(known[own[0]]["readings"]):
                faults.append(f"{case['id']}: readings are not those of one reading requirement")
    faults += [f"same operation and parameters: {ids}" for ids in same.values() if len(ids) > 1]
    faults += [f"one why in {len(ids)} cases: {ids}" for ids in whys.values() if len(ids) > 3]
    for requirement in known.values():
        if requirement["level"] == "must" and not cited[requirement["id"]]:
            faults.append(f"{requirement['id']}: a must without a case")
        for profile in requirement.get("profile", []):
            asked = {i for i, c in by_id.items() if requirement["id"] in c["requirements"]}
            short = {i.rsplit("/", 1)[1]: i for i in asked}
            answered = {short.get(name, name) for name in profile["answers"]}
            if asked != answered:
                faults.append(f"{requirement['id']}: profile {profile['name']} misses or invents {asked ^ answered}")
    roles = Counter(case["role"] for case in cases)
    kinds = Counter(next(iter(case["expect"])) for case in cases)
    print(f"{suite}: {len(cases)} cases, {dict(roles)}, {dict(kinds)}, most used why: {max(map(len, whys.values()))} times")
    for name in known:
        print(f"  {name:12} {dict(cited[name])}")
    return faults


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    faults = check(root, "jcs")
    for fault in faults:
        print(f"FAULT  {fault}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
