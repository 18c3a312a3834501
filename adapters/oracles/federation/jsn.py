"""The profile's JSON decoder with its ceilings, and RFC 8785 (profile, section 6). Standard library only.

Values: dict in document order, list, str, int (exact integers up to 2^53 - 1), float (everything else), bool, None.
"""

import re

CEILINGS = {"bytes": 5_000_000, "depth": 64, "members": 1_000, "items": 10_000, "nodes": 200_000, "string": 100_000,
            "key": 1_000, "number_lexeme": 64}
SAFE = 2**53 - 1
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
SPACE = re.compile(rb"[ \t\n\r]*")
ESCAPES = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x62: "\b", 0x66: "\f", 0x6E: "\n", 0x72: "\r", 0x74: "\t"}


class Denied(Exception):
    """The input is turned down, with the profile's code."""

    def __init__(self, code, at=()):
        super().__init__(code)
        self.code, self.at = code, list(at)


class _Malformed(Exception):
    pass


def bounds(asked):
    """The ceilings, lowered where the caller asks for it."""
    limits = dict(CEILINGS)
    for name, value in (asked or {}).items():
        if name not in CEILINGS:
            raise Denied("unknown_bound")
        if type(value) is not int or not 1 <= value <= CEILINGS[name]:
            raise Denied(f"ceiling:{name}")
        limits[name] = value
    return limits


class _Reader:
    def __init__(self, data, limits):
        self.data, self.at, self.limits, self.nodes = data, 0, limits, 0

    def over(self, name, measure):
        if self.limits is not None and measure > self.limits[name]:
            raise Denied(f"ceiling:{name}")

    def space(self):
        self.at = SPACE.match(self.data, self.at).end()
        return self.data[self.at] if self.at < len(self.data) else -1

    def text(self):
        """A string; `at` is behind its opening quote."""
        parts = []
        while True:
            end = PLAIN.match(self.data, self.at).end()
            try:
                parts.append(self.data[self.at:end].decode("utf-8"))
            except UnicodeDecodeError:
                raise _Malformed from None
            if end >= len(self.data) or self.data[end] < 0x20:
                raise _Malformed
            self.at = end + 1
            if self.data[end] == 0x22:
                return "".join(parts)
            parts.append(self.escape())

    def escape(self):
        kind = self.data[self.at] if self.at < len(self.data) else -1
        self.at += 1
        if kind in ESCAPES:
            return ESCAPES[kind]
        if kind != 0x75:
            raise _Malformed
        unit = self.hex4()
        if 0xD800 <= unit < 0xDC00 and self.data[self.at:self.at + 2] == b"\\u":
            self.at += 2
            low = self.hex4()
            if not 0xDC00 <= low < 0xE000:
                raise _Malformed
            return chr(0x10000 + ((unit - 0xD800) << 10) + low - 0xDC00)
        if 0xD800 <= unit < 0xE000:
            raise _Malformed
        return chr(unit)

    def hex4(self):
        digits = self.data[self.at:self.at + 4]
        if not re.fullmatch(rb"[0-9A-Fa-f]{4}", digits):
            raise _Malformed
        self.at += 4
        return int(digits, 16)

    def token(self, depth):
        """One value. A number comes as its lexeme (bytes): its rules wait until the value is counted."""
        first = self.space()
        if first in (0x7B, 0x5B):
            self.over("depth", depth + 1)
            self.at += 1
            return self.object(depth + 1) if first == 0x7B else self.array(depth + 1)
        if first == 0x22:
            self.at += 1
            return self.text()
        for word, value in ((b"true", True), (b"false", False), (b"null", None)):
            if self.data.startswith(word, self.at):
                self.at += len(word)
                return value
        number = NUMBER.match(self.data, self.at)
        if not number:
            raise _Malformed
        self.at = number.end()
        # What a point or an e begins has to be completed: "1." is no 1 with something behind it.
        open_ends = b".eE" if number.group(1) is None else b"eE"
        if number.group(2) is None and self.data[self.at:self.at + 1] in [bytes([end]) for end in open_ends]:
            raise _Malformed
        return number.group()

    def settle(self, value):
        """The checks on a value that has been counted."""
        self.nodes += 1
        self.over("nodes", self.nodes)
        if isinstance(value, str):
            self.over("string", len(value.encode("utf-8")))
        elif isinstance(value, bytes):
            self.over("number_lexeme", len(value))
            return number(value)
        return value

    def array(self, depth):
        items = []
        if self.space() == 0x5D:
            self.at += 1
            return items
        while True:
            value = self.token(depth)
            mark = self.space()
            self.at += 1
            if mark not in (0x5D, 0x2C):
                raise _Malformed
            self.over("items", len(items) + 1)
            items.append(self.settle(value))
            if mark == 0x5D:
                return items

    def object(self, depth):
        members, count = {}, 0
        if self.space() == 0x7D:
            self.at += 1
            return members
        while True:
            if self.space() != 0x22:
                raise _Malformed
            self.at += 1
            name = self.text()
            if self.space() != 0x3A:
                raise _Malformed
            self.at += 1
            value = self.token(depth)
            mark = self.space()
            self.at += 1
            if mark not in (0x7D, 0x2C):
                raise _Malformed
            count += 1
            self.over("members", count)
            self.over("key", len(name.encode("utf-8")))
            members[name] = self.settle(value)
            if mark == 0x7D:
                if count != len(members):
                    raise Denied("duplicate_member")
                return members


def number(lexeme):
    parts = NUMBER.fullmatch(lexeme)
    if parts.group(1) is None and parts.group(2) is None:
        if len(lexeme) <= 17 and abs(int(lexeme)) <= SAFE:
            return int(lexeme)
        value = float(lexeme)
        if value in (float("inf"), float("-inf")) or spell(value) != lexeme.decode():
            raise Denied("number_not_double_expressible")
        return value
    value = float(lexeme)
    if value in (float("inf"), float("-inf")):
        raise Denied("invalid_number")
    return value


def decode(data, asked=None, bounded=True):
    """The value of a JSON text. Unbounded where a carrier is read, whose ceilings come later."""
    limits = bounds(asked) if bounded else None
    if bounded and len(data) > limits["bytes"]:
        raise Denied("ceiling:bytes")
    reader = _Reader(data, limits)
    try:
        value = reader.token(0)
        if reader.space() != -1:
            raise Denied("trailing_bytes")
        return reader.settle(value)
    except RecursionError:
        raise Denied("ceiling:depth") from None
    except _Malformed:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            raise Denied("invalid_encoding") from None
        raise Denied("invalid_syntax") from None


def spell(value):
    """ECMAScript's Number::toString of a finite double."""
    if value == 0:
        return "0"
    sign, digits, exponent = re.fullmatch(r"(-?)([0-9.]+)(?:e([+-][0-9]+))?", repr(value)).groups()
    whole, _, fraction = digits.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + ("" if fraction == "0" else fraction)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if 0 < point <= 21:
        if len(digits) <= point:
            return sign + digits + "0" * (point - len(digits))
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"


SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def _quoted(text):
    return '"' + re.sub(r'["\\\x00-\x1f]', lambda m: SHORT.get(m[0]) or f"\\u{ord(m[0]):04x}", text) + '"'


def canonical(value):
    """RFC 8785, as bytes."""
    out = []

    def write(value):
        if value is None or isinstance(value, bool):
            out.append({None: "null", True: "true", False: "false"}[value])
        elif isinstance(value, int):
            if abs(value) > SAFE:
                raise Denied("integer_magnitude")
            out.append(str(value))
        elif isinstance(value, float):
            out.append(spell(value))
        elif isinstance(value, str):
            out.append(_quoted(value))
        elif isinstance(value, list):
            out.append("[")
            for index, item in enumerate(value):
                out.append("," if index else "")
                write(item)
            out.append("]")
        else:
            out.append("{")
            for index, name in enumerate(sorted(value, key=lambda name: name.encode("utf-16-be"))):
                out.append(("," if index else "") + _quoted(name) + ":")
                write(value[name])
            out.append("}")

    write(value)
    return "".join(out).encode("utf-8")
