"""The part of the catalogue on briefs: front-matter libraries, and the topics of `brief/delegatee`. Data only."""

from .model import Adapter, Chapter, Probe, Topic

DELEGATEE = ("brief/delegatee",)

DUPLICATES = """\
---
id: "brief-a4b1c8"
protocolVersion: "1.2.0"
delegator: "agent-one"
delegatee: "agent-two"
delegatee: "agent-three"
timestamp: "2026-02-06T03:55:00Z"
---
# Briefing: Two delegatees
"""

CHAPTER = Chapter(
    title="Briefs read with front-matter libraries",
    document="document",
    operation="brief.parse",
    opening="""\
A brief is YAML front matter and a Markdown body, so whoever needs to read one reaches for a library that reads such
documents. None of those here knows of Brief, and none sets out to: they are asked what a program gets that takes one for its
parser and adds no line of its own. The adapters fill in nothing and repair nothing. Of Brief's operations they offer
`brief.parse` alone.

- **Few differences are faults of a library**: crashes, time-outs, and where it parts from YAML. The others are what a program
  that reads briefs must add to it.
- **None checks that members are there**, or of what type they are: a document without front matter, or without some of the
  members, is read, and what is missing is missing.
- **`incomplete` is no complaint.** The role asks for answers, traces and delegation as well; those cases are `unsupported`.
- **Sections and titles** are not a front-matter library's business. They are given as none.
- **A row says how many cases, not why.** A refusal counts as asked for whatever reason it was made. What happens to a document
  is shown first, from questions beside the corpus.
""",
    probes=(
        Probe("Two `delegatee` lines", DUPLICATES, "YAML 1.2.2, section 3.2.1.3: the keys of a mapping are unique."),
        Probe(
            "The same document again",
            DUPLICATES,
            "`gray-matter` keeps what it has read by its text, and does so before it parses it. A document that it refused is "
            "read without a complaint when it comes a second time, as one that has no front matter.",
        ),
        Probe(
            "A `---js` fence",
            '---js\n{ id: "brief-a4b1c8", delegatee: ["agent", 6 * 7].join("-"), ran: typeof process }\n---\n# Briefing: Code\n',
            "`agent-42` is nowhere in the document: whoever answers it has run what the document's author wrote, with the "
            "rights of the program that reads it. The adapter for `gray-matter` runs without the right to write files, to "
            "start programs or to use the network; a program that uses it has no such bounds.",
        ),
        Probe(
            "An alias",
            '---\nid: &same "brief-a4b1c8"\nparentId: *same\n---\n# Briefing: Alias\n',
            "Whether a brief may hold aliases is open. A reader that follows them needs a bound on what they grow to.",
        ),
        Probe(
            "A date without quotes",
            "---\nid: brief-a4b1c8\ntimestamp: 2026-02-06T05:55:00+02:00\n---\n# Briefing: Date\n",
            "Where the rules of YAML 1.1 make a date of it, what was written is gone: its spelling, and with `js-yaml` its "
            "offset too.",
        ),
        Probe(
            "30 February, without quotes",
            "---\nid: brief-a4b1c8\ntimestamp: 2026-02-30T03:55:00Z\n---\n# Briefing: No such day\n",
        ),
        Probe(
            "Fences inside the body",
            '---\nid: "brief-a4b1c8"\n---\n# Briefing: Fences\n\n---\nid: "brief-evil"\n---\n\nAfter.\n',
        ),
        Probe(
            "A front matter that never ends",
            '---\nid: "brief-a4b1c8"\n# Briefing: No second fence\n',
            "Where the end of the text is taken for the second fence, the heading is a comment of YAML.",
        ),
    ),
)

#: What every answer that is a brief must have.
WHOLE = "a document is read only where the answer has the members that every brief has, as texts"

TOPICS = (
    Topic(
        "Answers, traces and delegation: operations that no front-matter library has",
        cases=(
            *("responding/*", "delegating/*", "trace-*/*", "hostile-traces/*", "*/trace-*", "opacity/append-*"),
            *("opacity/bound-spent-*", "opacity/response-*", "opacity/sub-brief-*"),
        ),
    ),
    Topic("Duplicate keys", requirements=("BRF-DOC-3",)),
    Topic(
        "`---js` fences",
        cases=("fences/language-*", "hostile-documents/javascript-*"),
        says=(
            "Where `gray-matter` refuses, it is because the front matter is no JavaScript: it was handed to `eval`. The case of "
            "the two whose front matter is JavaScript ends the process that reads it. The others take the document for one "
            "without front matter."
        ),
    ),
    Topic(
        "Aliases, tags and merge keys",
        requirements=("BRF-R-9", "BRF-SEC-1"),
        says=f"In cases where anything may be answered as long as an answer comes, {WHOLE}.",
    ),
    Topic(
        "Unquoted dates and other scalars",
        requirements=("BRF-R-3", "BRF-R-4", "BRF-FM-6"),
        says=(
            "What is admitted for such a member is a text or a refusal. A library that gives a number, a boolean or nothing "
            "leaves it to its user to do either."
        ),
    ),
    Topic("A fence inside the body, and the body itself", requirements=("BRF-DOC-4", "BRF-R-2")),
    Topic("Fences missing, and front matter that is no mapping", requirements=("BRF-DOC-1", "BRF-DOC-2", "BRF-R-1")),
    Topic("UTF-8 and line ends", requirements=("BRF-DOC-5", "BRF-DOC-6")),
    Topic("Members missing, empty or of another type", requirements=("BRF-FM-*", "BRF-R-5", "BRF-R-6", "BRF-R-7", "BRF-R-8")),
    Topic("Titles, sections and empty bodies", requirements=("BRF-BODY-*",)),
    Topic(
        "Hostile documents",
        requirements=("BRF-ROB-*",),
        says=(
            f"Anything may be answered as long as an answer comes, but {WHOLE}. So most of what is counted here is a document "
            "without front matter that is taken for a body. A process that ended is told as `crash`, one that said nothing "
            "for two minutes as `timeout`."
        ),
    ),
    Topic("Several briefs read by one process", cases=("*",)),
)

ADAPTERS = (
    Adapter(
        name="PyPI `python-frontmatter`",
        folder="pypi-python-frontmatter",
        install="python",
        command=("adapters/pypi-python-frontmatter/.venv/bin/python", "adapters/pypi-python-frontmatter/adapter.py"),
        roles=DELEGATEE,
        reads="`bytes.decode` reads the text, `frontmatter.loads` takes it apart, and PyYAML's safe loader reads the YAML.",
    ),
    Adapter(
        name="npm `gray-matter`",
        folder="npm-gray-matter",
        install="npm",
        command=(
            *("node", "--experimental-permission", "--allow-fs-read=adapters/"),
            "adapters/npm-gray-matter/adapter.mjs",
        ),
        roles=DELEGATEE,
        reads=(
            "The text is decoded with replacement characters, as `matter.read` does it, and goes to `matter` without options, "
            "which keeps its cache on; `js-yaml` 3 reads the YAML."
        ),
    ),
    Adapter(
        name="npm `front-matter`",
        folder="npm-front-matter",
        install="npm",
        command=("node", "adapters/npm-front-matter/adapter.mjs"),
        roles=DELEGATEE,
        reads=(
            "The text is decoded with replacement characters, as its documentation has files read, and goes to the library "
            "without options; `js-yaml` 3 reads the YAML."
        ),
    ),
    Adapter(
        name="crates.io `gray_matter`",
        folder="crate-gray-matter",
        install="cargo",
        # It writes out what aliases stand for, and a few lines of them are more than any machine has.
        command=("prlimit", "--as=2147483648", "adapters/crate-gray-matter/target/release/adapter"),
        roles=DELEGATEE,
        reads=(
            "`String::from_utf8` reads the text, `Matter::<YAML>` parses it into a `serde_json::Value`, and `yaml-rust2` reads "
            "the YAML. It may have 2 GiB of memory."
        ),
    ),
)
