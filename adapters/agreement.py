#!/usr/bin/env python3
"""Do two canonicalisers write the same bytes? By default: Proofmark's reference and `rfc8785` from PyPI.

    adapters/pypi-rfc8785/.venv/bin/python adapters/agreement.py
    adapters/agreement.py --left 'COMMAND' --right 'COMMAND'      any two adapters

Makes documents from a seed and sends each to both. Every document is one that RFC 8785 has exactly one answer to, so what
the suite holds for a matter of reading, or knows libraries to differ on, is left out: duplicate names, noncharacters,
underflow to zero, and integers beyond 2^53 written as integers (`rfc8785` refuses them). A refusal therefore counts as a
difference. Exit status: 0 all the same, 1 a difference, 2 wrong usage or an adapter that does not answer.
"""

import argparse
import collections
import decimal
import json
import random
import shlex
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "python"))
from proofmark_adapter import read_document  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Where the characters of names and strings come from: (weight, first, last).
PLANES = [
    (6, 0x61, 0x66),  # few letters, so that names share prefixes
    (3, 0x20, 0x7E),
    (2, 0x00, 0x1F),
    (1, 0x7F, 0x9F),
    (2, 0xA0, 0x2FF),
    (1, 0x300, 0x36F),  # combining marks: no normalisation
    (1, 0x2028, 0x2029),
    (2, 0x800, 0xD7FF),
    (4, 0xE000, 0xFDCF),  # sorts after the astral planes in UTF-16, before them in UTF-8
    (3, 0xFDF0, 0xFFFD),
    (3, 0x10000, 0x100FF),
    (3, 0x1F600, 0x1F64F),
    (2, 0x100000, 0x10FFFD),
]

EDGES = [
    *("-0", "0.0", "-0.0e7", "0e+5", "5e-324", "-2.2250738585072014e-308", "1.7976931348623157e308"),
    *("1e21", "999999999999999900000.0", "1e-6", "1e-7", "-9.999999999999999e-7"),
]


class Generator:
    """Documents from one seed, and counts of what they were made of."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counts = collections.Counter()

    def document(self):
        pick = self.random.random()
        depth = 0 if pick < 0.05 else self.random.randint(20, 60) if pick < 0.1 else self.random.randint(1, 6)
        return self.space() + self.value(depth) + self.space()

    def value(self, depth, wide=True):
        kind = self.random.choice(["object", "array"] if depth > 0 else ["number", "string", "number", "literal"])
        self.counts[kind] += 1
        if kind == "number":
            return self.number()
        if kind == "string":
            return self.string(self.text())
        if kind == "literal":
            return self.random.choice(["true", "false", "null"])
        size = self.random.choice([0, 1, 2, 3, 5, 8, 30 if wide else 4])
        # One child goes all the way down, the others end early: deep documents stay small.
        deepest = self.random.randrange(size) if size else None
        values = [
            self.value(depth - 1 if i == deepest else self.random.randint(0, min(depth - 1, 1)), wide=False)
            for i in range(size)
        ]
        if kind == "array":
            return self.enclose("[", values, "]")
        names = set()
        while len(names) < size:
            names.add(self.text())
        self.counts["name"] += size
        shuffled = sorted(names)
        self.random.shuffle(shuffled)
        members = [
            self.string(name) + self.space() + ":" + self.space() + value
            for name, value in zip(shuffled, values)
        ]
        return self.enclose("{", members, "}")

    def enclose(self, opening, items, closing):
        spaced = [self.space() + item + self.space() for item in items]
        return opening + (",".join(spaced) or self.space()) + closing

    def space(self):
        if self.random.random() < 0.8:
            return ""
        return "".join(self.random.choices(" \t\n\r", k=self.random.randint(1, 3)))

    def text(self):
        weights = [weight for weight, _, _ in PLANES]
        planes = self.random.choices(PLANES, weights, k=self.random.choice([0, 1, 1, 2, 3, 5, 20]))
        characters = (self.random.randint(first, last) for _, first, last in planes)
        # The last two code points of each plane are noncharacters.
        return "".join(chr(c) for c in characters if c & 0xFFFE != 0xFFFE)

    def string(self, text):
        return '"' + "".join(self.character(c) for c in text) + '"'

    def character(self, c):
        must = c < " " or c in '"\\'
        pick = self.random.random()
        if c in SHORT_ESCAPES and pick < 0.4:
            return SHORT_ESCAPES[c]
        if must or pick > 0.85:
            self.counts["escape"] += 1
            units = struct.unpack(f">{len(c.encode('utf-16-be')) // 2}H", c.encode("utf-16-be"))
            spelling = self.random.choice(["\\u{:04x}", "\\u{:04X}"])
            return "".join(spelling.format(unit) for unit in units)
        return c

    def number(self):
        kind = self.random.choice(["integer", "small", "bits", "bits", "digits", "tie", "edge"])
        self.counts[f"number: {kind}"] += 1
        if kind == "integer":
            return str(self.random.randint(-(2**53), 2**53))
        if kind == "small":
            return self.respell(decimal.Decimal(self.random.randint(-9999, 9999)).scaleb(self.random.randint(-9, 24)))
        if kind == "edge":
            return self.random.choice(EDGES).replace("e", self.random.choice("eE"))
        double = self.double()
        if kind == "bits":
            return self.respell(decimal.Decimal(repr(double)))
        if kind == "tie":
            # Exactly between two doubles, all its digits written out: rounds to even.
            following = struct.unpack(">d", struct.pack(">q", struct.unpack(">q", struct.pack(">d", double))[0] + 1))[0]
            if following in (float("inf"), float("-inf")):
                return self.respell(decimal.Decimal(double))
            with decimal.localcontext() as exact:
                exact.prec = 1200
                return self.respell((decimal.Decimal(double) + decimal.Decimal(following)) / 2)
        return self.respell(decimal.Decimal(double))

    def double(self):
        """A finite double; half of them of a size that people use, the others of any."""
        if self.random.random() < 0.5:
            return self.random.uniform(-1, 1) * 10.0 ** self.random.randint(-8, 22)
        while True:
            bits = self.random.getrandbits(64)
            if bits >> 52 & 0x7FF != 0x7FF and bits & ~(1 << 63):
                return struct.unpack(">d", struct.pack(">Q", bits))[0]

    def respell(self, number):
        """One of the many spellings of a decimal number; never that of an integer beyond 2^53."""
        sign, digits, exponent = number.as_tuple()
        digits = "".join(map(str, digits))
        minus = "-" if sign else ""
        zeros = "0" * self.random.choice([0, 0, 0, 1, 4])
        if self.random.random() < 0.5 and -30 < exponent < 30:
            # Plainly, with a point.
            whole, part = f"{number:f}".lstrip("-").partition(".")[::2]
            if not part and not zeros and int(whole) <= 2**53:
                return minus + whole
            return f"{minus}{whole}.{part}{zeros or ('' if part else '0')}"
        point = self.random.randint(1, len(digits))
        shift = exponent + len(digits) - point
        whole, part = digits[:point].lstrip("0") or "0", digits[point:] + zeros
        mark = self.random.choice("eE")
        plus = self.random.choice(["", "+"]) if shift >= 0 else "-"
        padding = self.random.choice(["", "", "0", "00"])
        return f"{minus}{whole}{'.' + part if part else ''}{mark}{plus}{padding}{abs(shift)}"


class Adapter:
    """One side, spoken to in lock step."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        hello = self.ask(0, "hello", {"protocol": 1, "proofmark": "0", "suites": {}})["ok"]["implementation"]
        self.name = f"{hello['name']} {hello['version']}"

    def send(self, number, op, params):
        line = json.dumps({"id": number, "op": op, "params": params}, ensure_ascii=False)
        self.process.stdin.write(line.encode("utf-8") + b"\n")
        self.process.stdin.flush()

    def receive(self, number):
        line = self.process.stdout.readline()
        if not line:
            self.give_up(f"ended with status {self.process.wait()}")
        reply = json.loads(line.decode("utf-8"))
        if reply["id"] != number:
            self.give_up(f"answered {reply['id']} to request {number}")
        return reply

    def give_up(self, why):
        print(f"{self.command}: {why}", file=sys.stderr)
        sys.exit(2)

    def ask(self, number, op, params):
        self.send(number, op, params)
        return self.receive(number)


def canonical(reply):
    """The canonical bytes, or the whole reply where it has none."""
    if "ok" in reply:
        return read_document(reply["ok"]["document"])
    return {name: value for name, value in reply.items() if name != "id"}


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--documents", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=8785)
    options.add_argument("--left", default=shlex.join([str(ROOT / "target/release/proofmark"), "serve"]))
    options.add_argument("--right", default=shlex.join([sys.executable, str(ROOT / "adapters/pypi-rfc8785/adapter.py")]))
    options = options.parse_args()

    sides = [Adapter(options.left), Adapter(options.right)]
    generator = Generator(options.seed)
    differences, read, written, first = 0, 0, 0, None
    for number in range(1, options.documents + 1):
        document = generator.document()
        read += len(document.encode("utf-8"))
        for side in sides:
            side.send(number, "jcs.canonicalize", {"document": {"text": document}})
        left, right = (canonical(side.receive(number)) for side in sides)
        if isinstance(left, bytes) and left == right:
            written += len(left)
            continue
        differences += 1
        first = first or (number, document, left, right)

    print(f"{options.documents} documents from seed {options.seed}: {read} bytes read, {written} bytes written alike")
    print("made of " + ", ".join(f"{count} × {what}" for what, count in sorted(generator.counts.items())))
    print(f"{sides[0].name} and {sides[1].name}: {options.documents - differences} the same, {differences} different")
    if first:
        number, document, *answers = first
        print(f"\nthe first difference, document {number}:\n{json.dumps(document)}")
        for side, answer in zip(sides, answers):
            shown = ascii(answer.decode("utf-8", "backslashreplace")) if isinstance(answer, bytes) else json.dumps(answer)
            print(f"\n{side.name}:\n{shown}")
    return 1 if differences or not options.documents else 0


if __name__ == "__main__":
    sys.exit(main())
