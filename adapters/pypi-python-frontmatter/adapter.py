"""Adapter for `python-frontmatter` from PyPI, as somebody would use it to read briefs: it offers `brief.parse` alone.

A document gets in as a message does: the bytes are decoded as strict UTF-8, and `frontmatter.loads` gets the text. It has YAML
read by PyYAML's safe loader. What the library gives is the answer:

- `fields` are those members that Brief names and the library found, with the values that it made of them; `extra` is all
  others; `body` is the content. A member that is missing is missing: the library checks none, and nothing is filled in. One
  that is null is left out of `fields`, since that is how replies say that there is none.
- Where it finds no front matter, it says that there is none and that everything is content. So does the answer.
- Only an exception of the library is a refusal.
- `root` is what a program would ask of the metadata: whether `parentId` is there. `sections` and `warnings` are empty and
  `title` is absent, because the library has nothing of the kind.

A date that YAML made, and anything else that JSON has no form for, is given as `str()` spells it. A value that JSON cannot
spell out (it holds itself, is nested deeper than a reply can be, or grows beyond all bounds when its aliases are written
out) is left out of the answer.
"""

import math
import sys
from importlib.metadata import version
from pathlib import Path

import frontmatter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from proofmark_adapter import read_document, refusals, serve, write_document  # noqa: E402

FIELDS = ("id", "protocolVersion", "delegator", "delegatee", "timestamp", "parentId", "maxDepth", "currentDepth")
#: The most nodes, and levels, of a value that is spelt out.
NODES, LEVELS = 100_000, 200


def parse(params):
    document = read_document(params["document"])
    with refusals():
        post = frontmatter.loads(document.decode("utf-8"))
    values = {str(name): spelt(value) for name, value in post.metadata.items() if extent(value) is not None}
    return {
        "fields": {name: values[name] for name in FIELDS if values.get(name) is not None},
        "extra": {name: value for name, value in values.items() if name not in FIELDS},
        "root": post.get("parentId") is None,
        "body": write_document(post.content.encode("utf-8")),
        "sections": [],
        "warnings": [],
    }


def extent(value, known=None, level=0):
    """How many nodes a value has when it is spelt out; `None` where it cannot be."""
    known = {} if known is None else known
    if not isinstance(value, (dict, list, tuple, set)):
        return 1
    if id(value) not in known:
        # What is met again before it is done holds itself.
        known[id(value)] = None
        if level == LEVELS:
            return None
        inner = [*value.values()] if isinstance(value, dict) else [*value]
        sizes = [extent(part, known, level + 1) for part in inner]
        if None not in sizes and sum(sizes) < NODES:
            known[id(value)] = 1 + sum(sizes)
    return known[id(value)]


def spelt(value):
    if isinstance(value, dict):
        return {str(name): spelt(part) for name, part in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [spelt(part) for part in value]
    if value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


serve(
    name="python-frontmatter",
    version=version("python-frontmatter"),
    url="https://github.com/eyeseast/python-frontmatter",
    roles=["brief/delegatee"],
    operations={"brief.parse": parse},
)
