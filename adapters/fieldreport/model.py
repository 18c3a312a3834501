"""What the catalogue of the field report is made of."""

from dataclasses import dataclass, field


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
    #: How text gets to the implementation, and what of it does: a sentence or two of Markdown, read off the adapter.
    reads: str = ""
    #: What a reader must know to judge a failure fairly: requirement, or title of a topic, to Markdown. It is printed where
    #: that one fails.
    remarks: dict = field(default_factory=dict)
    #: An endpoint: the command prints its URL on standard output.
    http: bool = False
    #: The name of another adapter with the same implementation behind it, which must get the same verdicts.
    same_as: str | None = None


@dataclass(frozen=True)
class Topic:
    """A row of the matrix.

    Its cases are those that cite one of the requirements and none of `without` (globs). In a role with a chapter they are
    those that no topic before it has, and that cite such a requirement where there are any, and have such an id (`cases`,
    globs, after the role's name) where there are any.
    """

    title: str
    requirements: tuple = ()
    without: tuple = ()
    cases: tuple = ()
    #: What happens where it fails, and what that means for a verifier in another library: Markdown.
    says: str = ""


@dataclass(frozen=True)
class Probe:
    """A document that every implementation of a chapter is asked about, beside the corpus: what it makes of it is shown."""

    title: str
    document: str
    #: What a reader must know of the answers: Markdown.
    says: str = ""


@dataclass(frozen=True)
class Chapter:
    """What stands ahead of a role that is told topic by topic: Markdown, and how its cases call their input."""

    title: str
    opening: str
    document: str
    #: What is said of refusals whose twin is refused too.
    empty_refusals: str = ""
    #: Whether the implementations are laid side by side by the bytes that they sign.
    signs: bool = False
    #: The operation that the probes are asked with, in this order, all to one process.
    operation: str = ""
    probes: tuple = ()
