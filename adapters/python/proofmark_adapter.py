"""Proofmark's adapter protocol, version 1, for implementations in Python.

Copy this file beside your adapter, or import it from here. It needs Python 3.8 and nothing else. An adapter
says who it is, which roles it claims and which operations it offers:

    from proofmark_adapter import canonicalizer, serve

    serve(
        name="my-library", version="1.2.3",
        roles=["jcs/canonicalizer"],
        operations={"jcs.canonicalize": canonicalizer(my_library.canonicalize)},
    )

An operation is a function from the request's params to the value of `ok`. It raises `Refused` where the
implementation read the input and turned it down; any other exception is a fault of the adapter. Never judge or
correct in an adapter: what the implementation does is the answer.

All text is UTF-8, whatever the locale says, since only byte streams are read and written.
"""

import base64
import contextlib
import json
import platform
import sys

PROTOCOL = 1


class Refused(Exception):
    """The implementation read the input and turned it down."""

    def __init__(self, message=None, code=None, at=None):
        super().__init__(message)
        members = {"code": code, "at": at, "message": message}
        self.members = {name: plain(value) for name, value in members.items() if value is not None}


@contextlib.contextmanager
def refusals(*kinds):
    """Answers exceptions of the implementation (all of them, or the kinds given) as a refusal.

    Wrap the call of the implementation alone, so that a mistake in the adapter stays a fault. An exception is how
    Python turns an input down, and RecursionError is one: a process that dies is not.
    """
    try:
        yield
    except kinds or Exception as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


def plain(text):
    """A message as a reply may carry it: not endless, and without lone surrogates."""
    return str(text)[:1000].encode("utf-8", "replace").decode("utf-8")


def read_document(document):
    """The bytes of a document as it travels in params: `{"text": …}` or `{"base64": …}`."""
    if "text" in document:
        return document["text"].encode("utf-8")
    return base64.b64decode(document["base64"], validate=True)


def write_document(content):
    """A document for a reply, from bytes: as text where they are UTF-8, else as base64."""
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def canonicalizer(canonicalize):
    """The operation `jcs.canonicalize`, from a function that takes bytes and gives bytes."""

    def operation(params):
        document = read_document(params["document"])
        # `repeat` is asked for by benchmarks alone: do the whole work that often, answer once.
        for _ in range(params.get("repeat", 1)):
            with refusals():
                canonical = canonicalize(document)
        return {"document": write_document(canonical)}

    return operation


def echo(params):
    """The operation `echo`: proves that any bytes get through the adapter unharmed."""
    return {"document": write_document(read_document(params["document"]))}


def serve(name, version, roles, operations, language=None, url=None, in_flight=32):
    """Answers requests, one a line, until the input closes.

    `in_flight` is how many requests may be under way at once. One thread that answers line by line can promise any
    number: what it has not read yet waits in the pipe.
    """
    implementation = {"name": name, "version": version, "language": language or f"Python {platform.python_version()}"}
    if url:
        implementation["url"] = url

    def hello(_params):
        return {"protocol": PROTOCOL, "implementation": implementation, "roles": roles, "in_flight": in_flight}

    offered = {"hello": hello, "echo": echo, **operations}
    # Whatever the implementation prints must not get between the replies.
    replies, sys.stdout = sys.stdout.buffer, sys.stderr
    for line in sys.stdin.buffer:
        reply = answer(line, offered)
        replies.write(json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
        # At once: an answer held back behind a slow request would look slow itself.
        replies.flush()


def answer(line, offered):
    """The reply to one line."""
    try:
        request = json.loads(line.decode("utf-8"))
        number, name, params = request["id"], request["op"], request.get("params", {})
        if isinstance(number, bool) or not isinstance(number, int) or not isinstance(name, str):
            raise TypeError("id is a number and op a string")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        return {"id": None, "fault": {"message": plain(f"no request: {type(error).__name__}: {error}")}}
    if name not in offered:
        return {"id": number, "unsupported": {"what": plain(name)}}
    try:
        return {"id": number, "ok": offered[name](params)}
    except Refused as refused:
        return {"id": number, "refused": refused.members}
    except Exception as error:
        return {"id": number, "fault": {"message": plain(f"{type(error).__name__}: {error}")}}
