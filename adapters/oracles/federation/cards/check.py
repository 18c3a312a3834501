"""Holds corpus/federation/host against the rules of its form and against this oracle.

`python3 check.py` (or with another repository root as argument). Every expectation is what the oracle answers, by
whichever reading; cases that cite no reading come out alike by all of them. With `--table`, where a2a-sdk 1.3.0 is
installed, fields.tsv is made again from its descriptor and the bytes of profile sdk come from the SDK itself.
"""

import json
import pathlib
import re
import sys
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import cards  # noqa: E402
import check_corpus  # noqa: E402
import host  # noqa: E402
import sig  # noqa: E402

READINGS = [{}, {"unknown": "dropped"}, {"empty": "dropped"}, {"null": "refused"}]
OPEN = object()


def fits_schema(schema, value):
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool}
    rules = {
        "type": lambda wanted: isinstance(value, kinds[wanted]),
        "required": lambda names: all(name in value for name in names),
        "properties": lambda each: all(fits_schema(one, value[name]) for name, one in each.items() if name in value),
        "items": lambda one: all(fits_schema(one, item) for item in value),
        "contains": lambda one: any(fits_schema(one, item) for item in value),
        "allOf": lambda each: all(fits_schema(one, value) for one in each),
        "minItems": lambda least: len(value) >= least, "maxItems": lambda most: len(value) <= most,
        "uniqueItems": lambda _: len(set(value)) == len(value), "enum": lambda values: value in values,
        "const": lambda wanted: value == wanted, "pattern": lambda wanted: re.search(wanted, value) is not None}
    return all(rules[name](rule) for name, rule in schema.items())


def included(wanted, got):
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(name in got and included(item, got[name]) for name, item in wanted.items())
    if isinstance(wanted, list):
        return isinstance(got, list) and len(got) == len(wanted) and all(map(included, wanted, got))
    return type(wanted) is type(got) and wanted == got


def fits(expect, reply):
    how = next(iter(expect["ok"].items()), None) if "ok" in expect else None
    if how and "ok" in reply and how[0] == "schema":
        return fits_schema(how[1], reply["ok"])
    if how and "ok" in reply and how[0] == "includes":
        return included(how[1], reply["ok"])
    return check_corpus.fits(expect, reply)


def faults_of(case):
    cites_a_reading = any(name.startswith("FED-R-") for name in case["requirements"])
    answers = set()
    for reading in READINGS:
        saved = {}
        for index, step in enumerate(case["steps"], 1):
            reply = host.run(step["operation"], check_corpus.fill(step["params"], saved), **reading)
            admitted = step["expect"].get("readings", {"": step["expect"]})
            names = [name for name, one in admitted.items() if fits(one, reply)]
            if len(names) != 1:
                yield f"{case['id']} step {index} {reading}: {str(reply)[:300]} fits {names} of {str(admitted)[:300]}"
                return
            answers.add(names[0])
            if "save" in step:
                saved[step["save"]] = reply["ok"]
    if cites_a_reading and "FED-R-5" not in case["requirements"] and len(answers) != 2:
        yield f"{case['id']}: no reading tells it from another: {answers}"


def fields_covered(all_cases):
    """Which fields stand in a card at their default and at a value, where a preimage or a reading of it is expected."""
    seen = Counter()

    def walk(message, value):
        for name, item in value.items() if isinstance(value, dict) else []:
            if (row := cards.FIELDS[message].get(name)) is None:
                continue
            seen[message, name, "default" if item in ("", [], {}) or item is False else "value"] += 1
            inner = row["type"].removeprefix("map<string,").removesuffix(">")
            if inner in cards.FIELDS and item is not None:
                for one in item.values() if row["map"] else item if row["repeated"] else [item]:
                    walk(inner, one)

    for case in all_cases:
        for step in case["steps"]:
            if step["operation"] == "federation.card_preimage" and "refused" not in step["expect"]:
                if isinstance(step["params"]["card"], bytes):
                    walk("AgentCard", cards.read(step["params"]["card"]))
    return seen


def against_the_sdk(all_cases):
    from a2a.types import AgentCard
    from a2a.utils import signing
    from google.protobuf.json_format import ParseDict
    for case in all_cases:
        for step in case["steps"]:
            if step["operation"] == "federation.card_preimage" and step["params"]["profile"] == "sdk":
                made = signing._canonicalize_agent_card(ParseDict(json.loads(step["params"]["card"]), AgentCard()))
                if made.encode() != step["expect"]["readings"]["sdk"]["ok"]["bytes"]:
                    yield f"{case['id']}: the SDK signs {made}"
    seen, rows = {}, {(message, name): row for message, fields in cards.FIELDS.items() for name, row in fields.items()}

    def walk(descriptor):
        if descriptor.name in seen or descriptor.full_name.startswith("google."):
            return
        seen[descriptor.name] = True
        for field in descriptor.fields:
            options = str(field.GetOptions())
            yield (descriptor.name, field.json_name), ("REQUIRED" in options or "field_behavior]: 2" in options)
            if field.message_type is not None:
                target = field.message_type
                if target.GetOptions().map_entry:
                    target = target.fields_by_name["value"].message_type
                if target is not None:
                    yield from walk(target)

    found = dict(walk(AgentCard.DESCRIPTOR))
    for key in found.keys() ^ rows.keys():
        yield f"fields.tsv and the descriptor differ about {key}"
    for key in found.keys() & rows.keys():
        if found[key] != rows[key]["required"]:
            yield f"fields.tsv: {key} REQUIRED is {rows[key]['required']}"


def anchors():
    """The oracle's own footing: two published JWS, and the specification's worked example."""
    edwards = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    yield "RFC 8037, appendix A.4", cards.holds(
        edwards, "EdDSA", cards.signing_input("eyJhbGciOiJFZERTQSJ9", b"Example of Ed25519 signing"), sig.unb64(
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
    curve = {"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
             "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
    claims = b'{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}'
    yield "RFC 7515, appendix A.3", cards.holds(
        curve, "ES256", cards.signing_input("eyJhbGciOiJFUzI1NiJ9", claims), sig.unb64(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"))
    fragment = (b'{"name":"Example Agent","description":"","capabilities":{"streaming":false,"pushNotifications":false,'
                b'"extensions":[]},"skills":[]}')
    yield "A2A, section 8.4.1", cards.preimage(fragment) == (
        b'{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}')


def main():
    arguments = [word for word in sys.argv[1:] if word != "--table"]
    root = pathlib.Path(arguments[0]) if arguments else HERE.parents[3]
    every = list(check_corpus.cases(root))
    faults, known, cited = check_corpus.form(root, every)
    faults += [f"the oracle misses {name}" for name, held in anchors() if not held]
    ours = [case for case in every if case["role"] == "federation/host"]
    for case in ours:
        faults += faults_of(case)
    seen = fields_covered(ours)
    for message, fields in cards.FIELDS.items():
        for name, row in fields.items():
            for which in ("value", "default"):
                is_arm = row["oneof"] and which == "default"
                if not seen[message, name, which] and message != "AgentCardSignature" and not is_arm:
                    faults.append(f"no case has {message}.{name} at a {which}")
    if "--table" in sys.argv:
        faults += against_the_sdk(ours)
    for topic, count in sorted(Counter(case["topic"] for case in ours).items()):
        print(f"  {count:4} {topic}")
    for name, requirement in known.items():
        count = sum(name in case["requirements"] for case in ours)
        if count or "federation/host" in requirement["roles"]:
            print(f"  {name:12} {requirement['level']:8} {count}")
    print(f"{len(ours)} cases of the host")
    for fault in faults:
        print(f"FAULT  {fault}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
