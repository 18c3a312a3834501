"""Values of a report in words: outcomes, documents, and text that Markdown leaves alone."""

import json
import re
import unicodedata

#: The longest value that is shown whole, and how much of a longer one is.
WHOLE, HEAD = 240, 100
#: How an excerpt in a report ends.
EXCERPT = re.compile(r"… \((\d+) bytes\)$")


def outcome(value):
    """An outcome or a document as people say it; anything unknown as JSON."""
    match value:
        case str():
            return value
        case {"text": str(document), **rest} if not rest:
            return document
        case {"ok": {"bytes": {"text": str(document)}, **rest}} if not rest:
            return document
        case {"ok": {"document": {"text": str(document)}, **rest}} if not rest:
            return document
        case {"ok": {"sha256": str(digest), **rest}} if not rest:
            return f"bytes with the SHA-256 {digest}"
        case {"refused": {**members}}:
            said = " ".join(str(members[name]) for name in ("code", "message") if members.get(name))
            return f"refused: {said}" if said else "refused"
        case {"timeout": str(limit), **rest} if not rest:
            return f"no answer within {limit}"
        case {"readings": {**readings}}:
            return " or ".join(outcome(admitted) for admitted in readings.values())
    return json.dumps(value, ensure_ascii=False)


def shown(value):
    """A value on one line: what cannot be seen is named, what is long is cut and says so."""
    excerpt = EXCERPT.search(value)
    if not excerpt and len(value) <= WHOLE:
        return flat(value)
    whole = f"{excerpt[1]} bytes" if excerpt else f"{len(value)} characters"
    return f"{flat(value[:HEAD])} … ({whole} in all)"


def flat(value):
    """Text without anything that cannot be seen."""
    return "".join(map(_visible, value))


def text(value):
    """Words from a report as plain Markdown text."""
    words = " ".join(flat("".join(" " if c.isspace() else c for c in str(value))).split())
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", words)


def _visible(c):
    if c.isprintable() and not unicodedata.combining(c) and unicodedata.category(c) != "Co":
        return c
    return f"‹U+{ord(c):04X}›"
