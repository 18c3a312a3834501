"""What the field report is about: the adapters that it runs and the topics that it lays side by side. Data only."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Adapter:
    """One real implementation behind an adapter.

    `install` is a kind known to `install.py`; it works in `adapters/<folder>`. `command` is run from the folder above
    `adapters`, so that it reads the same in the report as a reader would type it.
    """

    name: str
    folder: str
    install: str
    command: tuple
    roles: tuple
    #: An endpoint: the command prints its URL on standard output.
    http: bool = False
    #: The name of another adapter with the same implementation behind it, which must get the same verdicts.
    same_as: str | None = None


@dataclass(frozen=True)
class Topic:
    """A column of the matrix: the cases that cite one of the requirements or have one of the ids (globs)."""

    title: str
    requirements: tuple = ()
    cases: tuple = ()


JCS = ("jcs/canonicalizer",)

ADAPTERS = (
    Adapter(
        name="npm `canonicalize`",
        folder="npm-canonicalize",
        install="npm",
        command=("node", "adapters/npm-canonicalize/adapter.mjs"),
        roles=JCS,
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
    ),
    Adapter(
        name="PyPI `jcs`",
        folder="pypi-jcs",
        install="python",
        command=("adapters/pypi-jcs/.venv/bin/python", "adapters/pypi-jcs/adapter.py"),
        roles=JCS,
    ),
    Adapter(
        name="crates.io `serde_jcs`",
        folder="crate-serde-jcs",
        install="cargo",
        command=("adapters/crate-serde-jcs/target/release/adapter",),
        roles=JCS,
    ),
    Adapter(
        name="crates.io `serde_json_canonicalizer`",
        folder="crate-serde-json-canonicalizer",
        install="cargo",
        command=("adapters/crate-serde-json-canonicalizer/target/release/adapter",),
        roles=JCS,
    ),
    Adapter(
        name="no library: Node's `JSON`",
        folder="node-json",
        install="nothing",
        command=("node", "adapters/node-json/adapter.mjs"),
        roles=JCS,
    ),
    Adapter(
        name="no library: Python's `json`",
        folder="python-json",
        install="nothing",
        command=("python3", "adapters/python-json/adapter.py"),
        roles=JCS,
    ),
)

#: Per role, the columns of its matrix.
TOPICS = {
    "jcs/canonicalizer": (
        Topic("Text beyond ASCII", requirements=("JCS-STR-1", "JCS-STR-2")),
        Topic("Lone surrogates", requirements=("JCS-STR-3",)),
        Topic("Names across planes", requirements=("JCS-ORD-1",)),
        Topic("Float spelling", requirements=("JCS-NUM-1",)),
        Topic("Integers beyond 2^53", requirements=("JCS-NUM-3",)),
        Topic("Overflow and NaN", requirements=("JCS-NUM-2",)),
        Topic("Duplicate names", requirements=("JCS-DUP-1",)),
        Topic("Ill-formed input", requirements=("JCS-SYN-1",)),
        Topic("Magic names", requirements=("JCS-MAG-1",)),
        Topic("100 levels", requirements=("JCS-DEEP-2",)),
        Topic("1,000 levels and more", requirements=("JCS-DEEP-1",)),
        Topic("Big documents", requirements=("JCS-BIG-1",)),
    ),
}
