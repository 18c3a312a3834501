"""A strict reader of JSON texts: RFC 8259 to the letter, UTF-8 only, and it tells what other readers pass over.

Objects come out as lists of (name, value) pairs in `Object`, so that two members with one name are both there. It walks with
a stack of its own: a hundred thousand levels are no deeper for Python than one.
"""

import re

WORD = re.compile(r'true|false|null')
NUMBER = re.compile(r'-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?')
PLAIN = re.compile(r'"[^"\\\x00-\x1f]*"')
SPACE = re.compile(r'[ \t\n\r]*')
ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|(.))', re.S)
SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
HALF = re.compile("[\ud800-\udfff]")


class NotJson(Exception):
    """The bytes are no JSON text."""


class Number:
    """A number, kept as it was spelled: the format has no place for one, and its digits may be many."""

    def __init__(self, spelling):
        self.spelling = spelling


class Object:
    """An object: its members in order, and by name under the rule for two of one name."""

    def __init__(self):
        self.pairs = []

    def members(self, duplicates="last"):
        pairs = self.pairs if duplicates != "first" else reversed(self.pairs)
        return dict(pairs)

    def doubled(self):
        return len({name for name, _ in self.pairs}) != len(self.pairs)


class Text:
    """What came of one text: its value, and whether a name stands twice or half a surrogate pair alone anywhere."""

    def __init__(self, value, doubled, halves):
        self.value, self.doubled, self.halves = value, doubled, halves


def read(data, mark="refused"):
    """The JSON text of `data`. `mark`: whether a byte order mark in front is `refused` or `skipped`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"no UTF-8 at byte {error.start}") from None
    if mark == "skipped" and text.startswith("\ufeff"):
        text = text[1:]
    return _Reader(text).whole()


class _Reader:
    def __init__(self, text):
        self.text, self.at, self.doubled, self.halves = text, 0, False, False

    def space(self):
        self.at = SPACE.match(self.text, self.at).end()

    def take(self, mark):
        if self.text.startswith(mark, self.at):
            self.at += 1
            return True
        return False

    def string(self):
        if found := PLAIN.match(self.text, self.at):
            self.at = found.end()
            return found.group()[1:-1]
        # In pieces, since the pattern of the whole keeps a place for every character.
        start, text, at = self.at, self.text, self.at + 1
        if not text.startswith('"', start):
            raise NotJson(f"no string at {start}")
        piece = re.compile(r'[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})')
        while found := piece.match(text, at):
            at = found.end()
        if not text.startswith('"', at):
            raise NotJson(f"a string from {start} that does not end")
        self.at = at + 1
        value = ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else SHORT.get(m[2], m[2]), text[start + 1:at])
        value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        self.halves = self.halves or HALF.search(value) is not None
        return value

    def name(self):
        self.space()
        name = self.string()
        self.space()
        if not self.take(":"):
            raise NotJson(f"no colon at {self.at}")
        return name

    def scalar(self):
        if self.text.startswith('"', self.at):
            return self.string()
        if found := WORD.match(self.text, self.at):
            self.at = found.end()
            return {"true": True, "false": False, "null": None}[found.group()]
        if found := NUMBER.match(self.text, self.at):
            self.at = found.end()
            return Number(found.group())
        raise NotJson(f"no value at {self.at}")

    def whole(self):
        stack = []  # of (container, the name under which a value is wanted)
        while True:
            self.space()
            if self.take("{"):
                value = Object()
                self.space()
                if not self.take("}"):
                    stack.append((value, self.name()))
                    continue
            elif self.take("["):
                value = []
                self.space()
                if not self.take("]"):
                    stack.append((value, None))
                    continue
            else:
                value = self.scalar()
            while stack:
                into, name = stack.pop()
                if isinstance(into, list):
                    into.append(value)
                else:
                    into.pairs.append((name, value))
                self.space()
                if self.take(","):
                    stack.append((into, None if isinstance(into, list) else self.name()))
                    break
                if not self.take("]" if isinstance(into, list) else "}"):
                    raise NotJson(f"neither a comma nor an end at {self.at}")
                if not isinstance(into, list):
                    self.doubled = self.doubled or into.doubled()
                value = into
            else:
                self.space()
                if self.at != len(self.text):
                    raise NotJson(f"more after the value, at {self.at}")
                return Text(value, self.doubled, self.halves)
