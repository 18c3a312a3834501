"""Signed AgentCards with `a2a-sdk` from PyPI, whichever version is installed.

A card gets in as the SDK's own client lets it in: strict UTF-8, `json.loads` with its defaults, then `parse_agent_card`,
which rewrites what it knows of older versions, ignores members it does not know, and makes a protobuf message of the rest.
It comes out as `MessageToDict` gives it, which is also what the SDK's server sends of a card without an interface of
version 0.3.

The SDK has one canonical form and no notion of profiles, and its verifier tells that some signature is valid, not which. So
after it has accepted the card, each signature is put to it once more, alone.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from a2a.client.card_resolver import parse_agent_card
from a2a.types import AgentCard
from a2a.utils import signing
from google.protobuf.json_format import MessageToDict
from jwt import PyJWK, PyJWKClientError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from proofmark_adapter import Refused, read_document, refusals, serve, write_document  # noqa: E402

#: A user must say which algorithms a verifier takes: the two that the SDK's documentation names, and EdDSA.
ALGORITHMS = ["ES256", "RS256", "EdDSA"]


def read_card(params):
    document = read_document(params["card"])
    with refusals():
        return parse_agent_card(json.loads(document.decode("utf-8")))


def preimage(params):
    card = read_card(params)
    with refusals():
        # The signer and the verifier call nothing else; there is no public name for it.
        canonical = signing._canonicalize_agent_card(card).encode("utf-8")
    return {"canonical": write_document(canonical)}


def sign(params):
    card = read_card(params)
    header = {"alg": params["alg"], "kid": params["kid"], "typ": params.get("typ", "JOSE")}
    with refusals():
        signed = signing.create_agent_card_signer(PyJWK.from_dict(params["key"]), header)(card)
        text = json.dumps(MessageToDict(signed), ensure_ascii=False, separators=(",", ":"))
    return {"card": write_document(text.encode("utf-8"))}


def verify(params):
    card, keys = read_card(params), params["keys"]

    def key(kid, _jku):
        # As PyJWT's own client for key sets does it, except that nothing is ever fetched.
        for jwk in keys:
            if kid is not None and jwk.get("kid") == kid:
                return PyJWK.from_dict(jwk)
        raise PyJWKClientError(f"no key is named {kid!r}")

    verifier = signing.create_signature_verifier(key, ALGORITHMS)
    with refusals():
        verifier(card)
    return {"verified": [index for index in range(len(card.signatures)) if alone(verifier, card, index)]}


def alone(verifier, card, index):
    single = AgentCard()
    single.CopyFrom(card)
    del single.signatures[:]
    single.signatures.append(card.signatures[index])
    try:
        with refusals():
            verifier(single)
    except Refused:
        return False
    return True


def serve_cards():
    serve(
        name="a2a-sdk",
        version=version("a2a-sdk"),
        url="https://github.com/a2aproject/a2a-python",
        roles=["federation/host"],
        operations={
            "federation.card_preimage": preimage,
            "federation.card_sign": sign,
            "federation.card_verify": verify,
        },
    )
