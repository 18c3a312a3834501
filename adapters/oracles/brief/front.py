"""Front matter: one YAML mapping, read from PyYAML's events with the suite's rules above them.

PyYAML is a YAML 1.1 parser and is used for the grammar alone. What YAML 1.2 changed is settled here: NEL, LS and PS are no
line breaks (they are hidden from the parser and put back), and plain scalars get their types by the core schema of YAML
1.2.2, section 10.3.2.
"""

import functools
import re

import yaml

HIDDEN = {0x85: "\ue085", 0x2028: "\ue928", 0x2029: "\ue929"}
SHOWN = {ord(mark): chr(code) for code, mark in HIDDEN.items()}
NULL = re.compile(r"(?:null|Null|NULL|~|)\Z")
BOOL = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")
INT = re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z")
FLOAT = re.compile(r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")


class Refused(Exception):
    pass


class Plain(str):
    """An unquoted scalar."""

    @property
    def kind(self):
        for name, pattern in (("null", NULL), ("bool", BOOL), ("int", INT), ("float", FLOAT)):
            if pattern.match(self):
                return name
        return "str"


@functools.lru_cache(maxsize=64)
def read(text, graph):
    """The mapping as [(key, value)] with str, Plain, lists and dicts; graph: whether YAML's graphs and tags are read."""
    try:
        events = list(yaml.parse(text.translate(HIDDEN), Loader=yaml.Loader))
    except (yaml.YAMLError, ValueError) as error:
        raise Refused(f"no YAML: {error}") from error
    if any(isinstance(event, yaml.DocumentStartEvent) and event.explicit for event in events):
        raise Refused("a directive or a second document")
    if len([event for event in events if isinstance(event, yaml.DocumentStartEvent)]) != 1:
        raise Refused("not one document")
    if not graph and any(isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) or getattr(event, "tag", None)
                         for event in events):
        raise Refused("an anchor, an alias or a tag")
    value = Builder(events[2:], graph).value()
    if not isinstance(value, dict):
        raise Refused("no mapping")
    return value


class Builder:
    def __init__(self, events, graph):
        self.events, self.graph, self.anchors, self.at, self.size = events, graph, {}, 0, 0

    def value(self):
        event = self.events[self.at]
        self.at += 1
        self.size += 1
        if self.size > 100_000:
            raise Refused("too much of it")
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise Refused("an alias of nothing")
            self.size += self.anchors[event.anchor][1]
            return self.anchors[event.anchor][0]
        before = self.size
        if event.tag not in (None, "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            raise Refused("a tag")
        if isinstance(event, yaml.ScalarEvent):
            text = event.value.translate(SHOWN)
            made = Plain(text) if event.style is None and event.tag is None else text
        elif isinstance(event, yaml.SequenceStartEvent):
            made = []
            while not isinstance(self.events[self.at], yaml.SequenceEndEvent):
                made.append(self.value())
            self.at += 1
        else:
            made, merged = {}, []
            while not isinstance(self.events[self.at], yaml.MappingEndEvent):
                key = self.value()
                if not isinstance(key, str):
                    raise Refused("a key that is no scalar")
                value = self.value()
                if isinstance(key, Plain) and key == "<<":
                    if not self.graph:
                        raise Refused("a merge key")
                    merged += value if isinstance(value, list) else [value]
                elif str(key) in made:
                    raise Refused(f"{key} stands twice")
                else:
                    made[str(key)] = value
            self.at += 1
            for each in merged:
                if not isinstance(each, dict):
                    raise Refused("a merge of what is no mapping")
                made = {**each, **made}
        if event.anchor:
            self.anchors[event.anchor] = (made, self.size - before)
        return made


def as_json(value):
    """As JSON, unquoted scalars by the core schema."""
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, Plain):
        if value.kind == "null":
            return None
        if value.kind == "bool":
            return value.lower() == "true"
        if value.kind == "int":
            return int(value, 0) if value[:2] in ("0x", "0o") else int(value)
        if value.kind == "float" and "." in value[:2] + value and value.strip("+-").lower() not in (".inf", ".nan"):
            return float(value)
    return str(value)
