"""What the field report is about: the adapters that it runs and the topics that it lays side by side. Data only."""

from . import briefs, cards
from .model import Adapter, Topic

JCS = ("jcs/canonicalizer",)

#: What is true of more than one implementation: requirement to Markdown, printed once, ahead of the single ones.
REMARKS = {
    "JCS-DUP-1": (
        "None of the libraries reads text. A JSON parser stands in front of each, keeps the last of several equal names and "
        "drops the others without a word; the library is handed a value in which nothing is left to refuse. So the verdict "
        "is one on the pair of parser and library, not on the library. RFC 8785 wants input without duplicate names (section "
        "3.1), and has applications that check signatures verify that before all else (section 5): neither half of these "
        "pairs does it for them."
    ),
}

JSON_PARSE = cards.JSON_PARSE
JSON_LOADS = "`bytes.decode` and `json.loads`, with its defaults, read the text"
FROM_SLICE = "`serde_json::from_slice` reads the text into a `Value`"

ADAPTERS = (
    Adapter(
        name="npm `canonicalize`",
        folder="npm-canonicalize",
        install="npm",
        command=("node", "adapters/npm-canonicalize/adapter.mjs"),
        roles=JCS,
        reads=f"{JSON_PARSE}; `canonicalize` writes the value.",
    ),
    Adapter(
        name="npm `canonicalize`, over HTTP",
        folder="npm-canonicalize",
        install="npm",
        command=("node", "adapters/npm-canonicalize/adapter.mjs", "--http"),
        roles=JCS,
        http=True,
        same_as="npm `canonicalize`",
    ),
    Adapter(
        name="PyPI `rfc8785`",
        folder="pypi-rfc8785",
        install="python",
        command=("adapters/pypi-rfc8785/.venv/bin/python", "adapters/pypi-rfc8785/adapter.py"),
        roles=JCS,
        reads=f"{JSON_LOADS}; `rfc8785.dumps` writes the value.",
        remarks={
            "JCS-NUM-3": (
                "`rfc8785` refuses a Python `int` beyond ±(2^53 − 1) on purpose, and writes the same value right where it "
                "is a `float`. `json.loads` makes an `int` of every number without fraction and exponent. RFC 8785 "
                "recommends that range to applications, and says with it that the recommendation does not touch the "
                "algorithm (appendix B, notes 1 and 2); its own table has such numbers, and canonical output has them too, "
                "so that here some canonical documents cannot be read again."
            ),
        },
    ),
    Adapter(
        name="PyPI `jcs`",
        folder="pypi-jcs",
        install="python",
        command=("adapters/pypi-jcs/.venv/bin/python", "adapters/pypi-jcs/adapter.py"),
        roles=JCS,
        reads=f"{JSON_LOADS}; `jcs.canonicalize` writes the value.",
    ),
    Adapter(
        name="crates.io `serde_jcs`",
        folder="crate-serde-jcs",
        install="cargo",
        command=("adapters/crate-serde-jcs/target/release/adapter",),
        roles=JCS,
        reads=f"{FROM_SLICE}; `serde_jcs::to_vec` writes it.",
    ),
    Adapter(
        name="crates.io `serde_json_canonicalizer`",
        folder="crate-serde-json-canonicalizer",
        install="cargo",
        command=("adapters/crate-serde-json-canonicalizer/target/release/adapter",),
        roles=JCS,
        reads=f"{FROM_SLICE}; `serde_json_canonicalizer::to_vec` writes it.",
    ),
    Adapter(
        name="no library: Node's `JSON`",
        folder="node-json",
        install="nothing",
        command=("node", "adapters/node-json/adapter.mjs"),
        roles=JCS,
        reads=f"{JSON_PARSE}, every object is copied with its keys sorted, and `JSON.stringify` writes the copy.",
    ),
    Adapter(
        name="no library: Python's `json`",
        folder="python-json",
        install="nothing",
        command=("python3", "adapters/python-json/adapter.py"),
        roles=JCS,
        reads=f"{JSON_LOADS}; `json.dumps` writes the value, with sorted keys and without spaces, else with its defaults.",
    ),
    *cards.ADAPTERS,
    *briefs.ADAPTERS,
)

#: Of roles that are told topic by topic.
CHAPTERS = {"federation/host": cards.CHAPTER, "brief/delegatee": briefs.CHAPTER}

#: Per role, the rows of its matrix.
TOPICS = {
    "jcs/canonicalizer": (
        Topic("Text beyond ASCII", ("JCS-STR-1", "JCS-STR-2")),
        Topic("Lone surrogates", ("JCS-STR-3",)),
        Topic("Names across planes", ("JCS-ORD-1",)),
        Topic("Float spelling", ("JCS-NUM-1",), without=("JCS-NUM-3",)),
        Topic("Integers beyond 2^53", ("JCS-NUM-3",)),
        Topic("NaN, Infinity, overflow", ("JCS-NUM-2",)),
        Topic("Duplicate names", ("JCS-DUP-1",)),
        Topic("Ill-formed input", ("JCS-SYN-1",)),
        Topic("Magic names", ("JCS-MAG-1",)),
        Topic("Canonical input", ("JCS-IDM-1",)),
        Topic("100 levels", ("JCS-DEEP-2",)),
        Topic("1,000 levels and more", ("JCS-DEEP-1",)),
        Topic("Big documents", ("JCS-BIG-1",)),
    ),
    "federation/host": cards.TOPICS,
    "brief/delegatee": briefs.TOPICS,
}
