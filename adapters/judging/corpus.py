"""What the corpus asks: the requests of its cases, as `proofmark export` prints them."""

import json
import re
import subprocess
from dataclasses import dataclass

#: What a step of a case has in place of what an earlier step answered.
REFERENCE = re.compile(r"\{\{[A-Za-z_][A-Za-z0-9_.-]*\}\}")


@dataclass(frozen=True)
class Request:
    """One request of a case: `expect` is what the corpus asks of the answer."""

    case: str
    operation: str
    params: dict
    expect: dict


def requests(proofmark, suite, operations, corpus=None):
    """Every request of the suite for one of the operations, and how many were left out: those that need an earlier answer."""
    command = [str(proofmark), "export", "--case", f"{suite}/**"]
    if corpus is not None:
        command += ["--corpus", str(corpus)]
    # Lines end with LF alone: strings in them may hold what `splitlines` takes for a line's end.
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split(b"\n")
    found, left_out = [], 0
    for case in map(json.loads, filter(None, lines)):
        for step in case.get("steps", [case]):
            if step.get("operation") not in operations:
                continue
            if any(REFERENCE.search(text) for text in texts(step["params"])):
                left_out += 1
                continue
            found.append(Request(case["id"], step["operation"], step["params"], step["expect"]))
    return found, left_out


def texts(value):
    """Every string in a value; documents that a case builds are no such strings, but seldom hold such a text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
