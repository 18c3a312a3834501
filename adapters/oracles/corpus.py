"""Reads the golden corpus on its own: TOML files or the lines of `proofmark export`, both into the same shape.

A case is a dict with id, suite, role, topic, operation, requirements, why, source, twin, no_twin, params, expect, where
every document has become bytes. It shares no code with the loader of the engine, so that a fault in the one shows in the
other.
"""

import base64
import json
import pathlib
import tomllib

KEYS = {"id", "requirements", "why", "twin", "no_twin", "source", "operation", "params", "expect", "step", "servers",
        "witness"}


def piece(p):
    kinds = {"text", "base64", "hex", "repeat", "count"} & p.keys()
    if len(kinds) != 1:
        raise ValueError(f"a piece is of one kind: {p}")
    kind = kinds.pop()
    if kind == "text":
        return p["text"].encode()
    if kind == "base64":
        return base64.b64decode(p["base64"], validate=True)
    if kind == "hex":
        return bytes.fromhex(p["hex"])
    if kind == "repeat":
        return p.get("join", "").join([p["repeat"]] * p["times"]).encode()
    start, width = p.get("from", 0), p.get("width", 0)
    numbers = (str(n).zfill(width) for n in range(start, start + p["times"]))
    return p.get("join", "").join(p["count"].replace("{n}", n) for n in numbers).encode()


def resolve(value):
    """Documents become bytes; everything else stays."""
    if isinstance(value, dict):
        if value.keys() == {"text"}:
            return value["text"].encode()
        if value.keys() == {"base64"}:
            return base64.b64decode(value["base64"], validate=True)
        if value.keys() == {"build"}:
            return b"".join(map(piece, value["build"]))
        if value.keys() == {"$json"}:
            return json.loads(value["$json"])
        return {key: resolve(item) for key, item in value.items()}
    if isinstance(value, list):
        return [resolve(item) for item in value]
    return value


def from_toml(folder):
    folder = pathlib.Path(folder)
    for path in sorted(folder.glob("*/*.toml")):
        topic = tomllib.loads(path.read_text(encoding="utf-8"))
        if extra := topic.keys() - {"operation", "about", "case"}:
            raise ValueError(f"{path}: unknown keys {extra}")
        for raw in topic["case"]:
            if extra := raw.keys() - KEYS:
                raise ValueError(f"{path}: {raw['id']}: unknown keys {extra}")
            prefix = f"{folder.name}/{path.parent.name}/{path.stem}"
            case = dict(raw, id=f"{prefix}/{raw['id']}", suite=folder.name, role=f"{folder.name}/{path.parent.name}",
                        topic=prefix, operation=raw.get("operation", topic["operation"]),
                        params=resolve(raw["params"]), expect=resolve(raw["expect"]))
            if "twin" in raw and "/" not in raw["twin"]:
                case["twin"] = f"{prefix}/{raw['twin']}"
            yield case


def from_export(lines, suite):
    """The cases of one suite: those of others may be several requests, which have their params apart."""
    for line in lines:
        if line.strip() and (raw := json.loads(line))["suite"] == suite:
            yield dict(raw, topic=raw["id"].rsplit("/", 1)[0], params=resolve(raw["params"]),
                       expect=resolve(raw["expect"]))
