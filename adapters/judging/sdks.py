"""The A2A SDKs as judges: what each makes of a card or a request, and what of it was lost on the way."""

import contextlib
import json
import sys
from pathlib import Path

from .subject import Failed, Subject

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from proofmark_adapter import read_document  # noqa: E402

#: Command, and a path that is there once the reader is installed; both below the folder of adapters.
READERS = (
    ("{0}/pypi-a2a-sdk-1.3.0/.venv/bin/python {0}/pypi-a2a-sdk-1.3.0/reader.py", "pypi-a2a-sdk-1.3.0/.venv/bin/python"),
    ("node {0}/npm-a2a-js-sdk-1.3.0/reader.mjs", "npm-a2a-js-sdk-1.3.0/node_modules/@a2a-js/sdk"),
)


def not_installed(adapters):
    return [path.partition("/")[0] for _, path in READERS if not (adapters / path).exists()]


@contextlib.contextmanager
def readers(adapters):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Subject(command.format(adapters), adapters)) for command, _ in READERS]


def complaint(reader, kind, document):
    """Why the SDK does not take the document as what it should be, or `None`."""
    reply = reader.ask("a2a.read", {"type": kind, "document": document})
    if "refused" in reply:
        return reply["refused"].get("message", "refused")
    if "ok" not in reply:
        raise Failed(f"{reader.command}: {json.dumps(reply)}")
    gone = lost(json.loads(read_document(document)), json.loads(read_document(reply["ok"]["document"])))
    return f"read, but not kept: {', '.join(gone[:5])}" if gone else None


def lost(given, kept, at=""):
    """JSON Pointers of what was given and is not in what the SDK writes out again. It may leave out what is empty."""
    if isinstance(given, dict) and isinstance(kept, dict):
        inner = [(f"{at}/{name.replace('~', '~0').replace('/', '~1')}", value, kept.get(name)) for name, value in given.items()]
        return [pointer for where, value, other in inner for pointer in lost(value, other, where)]
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        pairs = enumerate(zip(given, kept))
        return [pointer for index, (value, other) in pairs for pointer in lost(value, other, f"{at}/{index}")]
    if kept is None and given in ("", [], {}, False, 0):
        return []
    return [] if given == kept and isinstance(given, bool) == isinstance(kept, bool) else [at or "everything"]
