"""Adapter for `jcs` from PyPI.

Text gets in as its users do it: the bytes are decoded as strict UTF-8 and read by `json.loads` with its defaults.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import jcs

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from proofmark_adapter import canonicalizer, serve  # noqa: E402


def canonicalize(document):
    return jcs.canonicalize(json.loads(document.decode("utf-8")))


serve(
    name="jcs",
    version=version("jcs"),
    url="https://github.com/titusz/jcs",
    roles=["jcs/canonicalizer"],
    operations={"jcs.canonicalize": canonicalizer(canonicalize)},
)
