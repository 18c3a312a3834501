"""Reads cards and requests with `a2a-sdk` from PyPI, for judging what others wrote: no adapter for a suite.

Over the adapter protocol it offers `a2a.read`, params `type` (`AgentCard` or `SendMessageRequest`) and `document`. The text is
parsed into the SDK's protobuf message as ProtoJSON, which refuses members that it does not know, duplicates, and values of
other types; then the SDK's own check of REQUIRED fields is made. The answer is the message as it writes it out again.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from a2a.types import AgentCard, SendMessageRequest
from a2a.utils.errors import InvalidParamsError
from a2a.utils.proto_utils import validate_proto_required_fields
from google.protobuf.json_format import MessageToDict, Parse

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from proofmark_adapter import Refused, read_document, refusals, serve, write_document  # noqa: E402

TYPES = {"AgentCard": AgentCard, "SendMessageRequest": SendMessageRequest}


def read(params):
    text, kind = read_document(params["document"]), TYPES[params["type"]]
    with refusals():
        message = Parse(text.decode("utf-8"), kind(), ignore_unknown_fields=False)
    try:
        validate_proto_required_fields(message)
    except InvalidParamsError as error:
        missing = "; ".join(f"{detail['field']}: {detail['message']}" for detail in error.data["errors"])
        raise Refused(f"REQUIRED fields: {missing}") from error
    return {"document": write_document(json.dumps(MessageToDict(message), ensure_ascii=False).encode("utf-8"))}


serve(name="PyPI a2a-sdk", version=version("a2a-sdk"), roles=[], operations={"a2a.read": read})
