"""A Proofmark adapter: puts your implementation in front of `proofmark`, one line in, one line out.

    proofmark check -- python3 adapter.py     is this adapter sound?
    proofmark run -- python3 adapter.py       does the implementation conform?

It needs nothing but Python's standard library. Change the parts marked YOURS.
"""

import base64
import json
import sys

# YOURS: who you are, and the roles you claim (`proofmark list` names them all).
HELLO = {
    "protocol": 1,
    "implementation": {"name": "my-implementation", "version": "0.0.0", "language": "Python"},
    "roles": ["jcs/canonicalizer"],
}


class Refused(Exception):
    """The implementation read the input and turned it down. That is an answer; any other exception is a fault."""


def canonicalize(document):
    """Bytes in, bytes out, or `Refused`."""
    # YOURS: call your implementation here. This stand-in is what people write first, and it fails many cases.
    try:
        value = json.loads(document.decode("utf-8"))
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise Refused(str(error)) from error


# A document travels as {"text": …}, or as {"base64": …} where its bytes are not UTF-8. Always work on the bytes.


def read_document(document):
    if "text" in document:
        return document["text"].encode("utf-8")
    return base64.b64decode(document["base64"])


def write_document(content):
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def op_canonicalize(params):
    # Benchmarks ask for the same work several times over; everyone else asks once.
    for _ in range(params.get("repeat", 1)):
        canonical = canonicalize(read_document(params["document"]))
    return {"document": write_document(canonical)}


def op_echo(params):
    return {"document": write_document(read_document(params["document"]))}


# YOURS: one entry for every operation of the roles you claim. Each takes params and returns the value of "ok".
OPERATIONS = {"hello": lambda params: HELLO, "echo": op_echo, "jcs.canonicalize": op_canonicalize}


def answer(line):
    try:
        request = json.loads(line.decode("utf-8"))
        number, name, params = request["id"], request["op"], request.get("params", {})
        if type(number) is not int or type(name) is not str:
            raise TypeError
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {"id": None, "fault": {"message": "this line is no request"}}
    if name not in OPERATIONS:
        return {"id": number, "unsupported": {"what": name}}
    try:
        return {"id": number, "ok": OPERATIONS[name](params)}
    except Refused as refused:
        return {"id": number, "refused": {"message": str(refused)}}
    except Exception as error:
        return {"id": number, "fault": {"message": repr(error)}}


# Bytes, not text: the locale must not decide what a request says. Print to standard error if you print at all.
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(json.dumps(answer(line), ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()
