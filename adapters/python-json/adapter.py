"""Adapter for no library at all: what people write when they need "the same bytes" from Python's standard library.

`json.dumps` with sorted keys and compact separators, everything else at its default (so text other than ASCII comes out
escaped). Text gets in as strict UTF-8, read by `json.loads`.
"""

import json
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from proofmark_adapter import canonicalizer, serve  # noqa: E402


def canonicalize(document):
    value = json.loads(document.decode("utf-8"))
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("utf-8")


serve(
    name="json.dumps(sort_keys=True)",
    version=platform.python_version(),
    roles=["jcs/canonicalizer"],
    operations={"jcs.canonicalize": canonicalizer(canonicalize)},
)
