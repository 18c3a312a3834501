"""Odd values from a seed: what people and programs put where a name or a sentence was meant."""

import random

#: Texts that YAML, Markdown or somebody's regular expression may take for something else.
TEXTS = (
    *("no", "yes", "on", "off", "true", "False", "null", "Null", "~", "", " ", "  two  ", "\t", "tab\there", "1"),
    *("0", "-1", "1.0", "1e3", "0x1f", "0o17", "0b11", "017", "1_000", "+1", ".5", ".inf", "-.INF", ".nan"),
    *("12:30:45", "2026-02-06", "2026-02-06T03:55:00Z", "2026-02-30", "a: b", "a: b # c", "a:b", "key:", ": x"),
    *("#", "# x", "x #y", "x # y", "---", "--- ", "...", "\n---\n", 'x\n---\ndelegatee: "evil"\n---\n'),
    *("x\nid: evil", "x\r\nid: evil", "x\rid: evil", "-", "- x", "-x", "?", "? x", "!", "!!str x"),
    *("!!python/object/apply:x []", "!!js/function 'x'", "&a", "&a b", "*a", "* a", "<<", "=", "%YAML 1.2", "@x"),
    *("`x`", "|", "|-\n  x", ">", "> x", "[", "]", "[a]", "{", "}", "{a: b}", "{{a}}", ",", ", a", "'", "''"),
    *("it's", '"', '""', 'say "x"', "\\", "\\n", "\\u0041", "\\x41", "x\\", '\\"', "'\"", "$(x)", "${x}"),
    *("<!-- x -->", "\n", "x\n", "\nx", "x\n\ny", "x\n y", "x \n y", "line\nline\n", "\r\n", "x\r", "\x00"),
    *("x\x00y", "\x07", "\x1b[31m", "\x7f", "\x80", "\x85", "x\x85y", "\x9f", "\xa0", "\xad", "\u200b", "\u2028"),
    *("x\u2028y", "\u2029", "\ufeff", "\ufeffx", "x\ufeff", "\u202eabc", "\u2066x\u2069", "\u0301", "cafe\u0301"),
    *("\xdcn\xefc\xf6d\xe9", "\u65e5\u672c", "\ue000", "\ufffd", "\ufffe", "\uffff", "\U0001f600", "\U0001fffe"),
    *("\U000e0041", "\U0010ffff", "capability:x", "capability:a:b", "agent one", "agent/two", "../x", "C:\\x"),
    *("x" * 200, "x y " * 60, "```", "***", "__proto__", "constructor", "toString", "id", "status", "self"),
)

#: Where the characters of a text come from: (weight, first, last).
PLANES = (
    (10, 0x20, 0x7E),
    (2, 0x00, 0x1F),
    (1, 0x7F, 0x9F),
    (2, 0xA0, 0x2FF),
    (1, 0x2000, 0x206F),
    (1, 0x3040, 0xD7FF),
    (1, 0xE000, 0xFFFF),
    (1, 0x10000, 0x10FFFF),
)
#: What stands often in such texts.
MARKS = "\n\n\n\r:#-'\"\\ !&*{}[],|>%@`~="


class Odd:
    """A source of odd values."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        """Any text, the empty one among them."""
        pick = self.random.random()
        if pick < 0.5:
            return self.random.choice(TEXTS)
        if pick < 0.6:
            return self.random.choice(TEXTS) + self.random.choice(TEXTS)
        weights = [weight for weight, _, _ in PLANES]
        planes = self.random.choices(PLANES, weights, k=self.random.choice([1, 2, 3, 8, 30]))
        letters = [chr(self.random.randint(first, last)) for _, first, last in planes]
        return "".join(self.random.choice(MARKS) if self.random.random() < 0.3 else letter for letter in letters)

    def name(self):
        """A text that says something: not empty, and not white space alone."""
        while True:
            text = self.text()
            if text.strip():
                return text

    def body(self):
        """A Markdown body with a heading, and odd lines after it."""
        lines = [self.text() for _ in range(self.random.choice([0, 1, 3, 10]))]
        return "\n".join(["# Briefing: X", "", *lines, "Done."]) + self.random.choice(["", "\n", "\n\n", "  \n"])

    def chance(self, probability):
        return self.random.random() < probability

    def one_of(self, values):
        return self.random.choice(values)

    def up_to(self, most):
        return self.random.randint(0, most)
