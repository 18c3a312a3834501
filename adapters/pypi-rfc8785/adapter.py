"""Adapter for `rfc8785` from PyPI.

Text gets in as its users do it: the bytes are decoded as strict UTF-8 and read by `json.loads` with its defaults.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import rfc8785

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from proofmark_adapter import canonicalizer, serve  # noqa: E402


def canonicalize(document):
    return rfc8785.dumps(json.loads(document.decode("utf-8")))


serve(
    name="rfc8785",
    version=version("rfc8785"),
    url="https://github.com/trailofbits/rfc8785.py",
    roles=["jcs/canonicalizer"],
    operations={"jcs.canonicalize": canonicalizer(canonicalize)},
)
