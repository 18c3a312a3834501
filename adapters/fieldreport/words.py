"""Values of a report in words: outcomes, documents, and text that Markdown leaves alone."""

import json
import re
import unicodedata

#: The longest value that is shown whole, and how much of a longer one is.
WHOLE, HEAD = 240, 100
#: Of two long values, how much is shown before their first difference, and after.
BEFORE, AFTER = 60, 100
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
        case {"ok": {"canonical": {"text": str(document)}, **rest}} if not rest:
            return document
        case {"ok": {"fields": {**fields}, "extra": {**extra}, "body": {"text": str(body)}}}:
            members = json.dumps({**fields, **extra}, ensure_ascii=False)
            return f"read: {members} and the body {json.dumps(body, ensure_ascii=False)}"
        case {"ok": {"verified": [*indices]}} | {"ok": {"equals": {"verified": [*indices]}}}:
            return "verified: " + (", ".join(f"signature {index}" for index in indices) or "no signature")
        case {"ok": {"sha256": str(digest), **rest}} if not rest:
            return f"bytes with the SHA-256 {digest}"
        case {"refused": {**members}}:
            said = " ".join(str(members[name]) for name in ("code", "message") if members.get(name))
            return f"refused: {said}" if said else "refused"
        case {"ok": {"any": True, **rest}} if not rest:
            return "an answer, whatever it says"
        case {"ok": {"includes": {**members}, **rest}} if not rest:
            return f"an answer with {json.dumps(members, ensure_ascii=False)}"
        case {"crash": str(end), **rest} if not rest:
            return f"the process ended: {end}"
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


def apart(expected, got):
    """Both values on a line each; where they are long, the part around the first difference."""
    if max(len(expected), len(got)) <= WHOLE or EXCERPT.search(expected) or EXCERPT.search(got):
        return shown(expected), shown(got)
    pairs = enumerate(zip(expected, got))
    first = next((index for index, (left, right) in pairs if left != right), min(len(expected), len(got)))
    return _around(expected, first), _around(got, first)


def _around(value, index):
    start = max(0, index - BEFORE)
    end = start + BEFORE + AFTER
    if start == 0 and end >= len(value):
        return flat(value)
    middle = ("… " if start else "") + flat(value[start:end]) + (" …" if end < len(value) else "")
    return f"{middle} ({len(value)} characters in all)"


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
