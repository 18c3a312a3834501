"""The part of the catalogue on signed AgentCards: the A2A SDKs, and the topics of `federation/host`. Data only."""

from .model import Adapter, Chapter, Topic

HOST = ("federation/host",)

JSON_PARSE = "A strict `TextDecoder` and `JSON.parse` read the text"
PYTHON = (
    "`bytes.decode` and `json.loads` read the text, `parse_agent_card` makes a protobuf message of it, as the SDK's client "
    "does; `a2a.utils.signing` signs and verifies"
)
JS = f"{JSON_PARSE}; `canonicalizeAgentCard`, `generateAgentCardSignature` and `verifyAgentCardSignature` get"
INSTANCES = f"{JS} what `AgentCard.fromJSON` makes of the value, the type that they are declared to take."

WORKED = "The specification's worked example"
ASCII = "Text beyond ASCII"
PLANES = "Members across planes"
SCHEME_NAMES = "Names of security schemes beyond ASCII"
NUMBERS = "Number spelling in `params`"
REQUIRED = "REQUIRED empty values"
OPTIONAL = "Optional texts set to nothing"
ELEMENTS = "Empty elements and map entries"
SCHEMES = "`securitySchemes`, filled in"
STRUCTS = "Struct contents"
NOTHING = "Cards with nothing in them"
NO_CARD = "Duplicate names, and what is no card"
HEADERS = "`alg`, `kid` and the rest of the protected header"
FORMS = "The signature's own text and bytes"
KEYS = "Keys and `jku`"
MIXED = "Cards with something of every rule"
TAMPERED = "A signed card changed, or other bytes signed"
READINGS = "Readings"
REST = "Everything else about cards"
PROFILE = "The profile's mapping and events"

CHAPTER = Chapter(
    title="AgentCards signed with the A2A SDKs",
    document="card",
    empty_refusals=(
        " What an SDK's own signature does and does not cover is in the companion, where every SDK verifies cards that it "
        "signed itself."
    ),
    signs=True,
    opening="""\
Two versions of each of the two SDKs whose releases sign AgentCards. `@a2a-js/sdk` has two rows a version: it is handed plain
JSON in one, and `AgentCard` instances in the other, since users meet both and they differ.

The profile that is asked for is the specification's: A2A, section 8.4.1, and RFC 8785. It says which fields of a card are
signed: an `optional` field that was set stays even at its default, a REQUIRED field always stays, and any other field at its
default is left out. The SDKs have one canonical form and no choice of profile.

[Who verifies whose cards](card-matrix.md) is the companion: every implementation signs the same cards and verifies those of
all others, and signed cards are edited to see what the signature covers.

- **Implementations that give different bytes for a card do not verify each other's signatures on it**, and two that give the
  same bytes for two different cards cannot tell them apart under one signature. That is what a difference below comes to.
- **`incomplete` is no complaint.** The role asks a host for more than cards: the profile's mapping, and its rules on events.
  The SDKs do not set out to do either; those cases are `unsupported`, and the mark says no more than that the role is not
  covered.
""",
)

TOPICS = (
    Topic(
        WORKED,
        cases=("card-fields/worked-example",),
        says=(
            "Section 8.4.1 of A2A takes a fragment of a card through its own rule and prints what comes out: the REQUIRED "
            "`description` and `skills` stay while they are empty. All of the SDKs drop both. A verifier that follows the "
            "printed example does not accept an SDK's signature on that card, and the SDKs do not accept one that was "
            "made by it."
        ),
    ),
    Topic(
        ASCII,
        cases=(
            "card-canonical/escapes",
            "card-canonical/non-ascii",
            "card-canonical/not-normalised",
            "card-canonical/latin-letter",
            "card-canonical/surrogate-pair",
        ),
        says=(
            "RFC 8785 writes characters beyond ASCII as themselves, in UTF-8. `a2a-sdk` 1.1.2 signs `json.dumps`' escapes "
            "instead (a2a-python issue 1174, repaired since). A card with one accented letter that it signed is not "
            "verified by 1.3.0 of the same SDK, nor by either JS version, and the other way round."
        ),
    ),
    Topic(
        PLANES,
        cases=("card-structs/member-order",),
        says=(
            "RFC 8785 sorts names by UTF-16 code units, so that U+1F600 stands before U+FF01. `a2a-sdk` 1.1.2 sorts by "
            "code point. With such names in `params` it and the others sign members in different orders."
        ),
    ),
    Topic(
        SCHEME_NAMES,
        cases=("card-canonical/map-keys-order", "card-verified/non-ascii", "card-signing/content-beyond-ascii"),
        says=(
            "The names of security schemes are keys of a map, sorted and written like any name. `a2a-sdk` 1.1.2 differs "
            "by its escapes and its order; the instance form of `@a2a-js/sdk` differs because it signs no scheme at all, "
            "see below."
        ),
    ),
    Topic(
        NUMBERS,
        cases=(
            "card-structs/numbers",
            "card-structs/zero",
            "card-verified/number-in-another-spelling",
            "card-canonical/number-large",
            "card-canonical/unique-in-struct",
        ),
        says=(
            "A Struct holds doubles, and RFC 8785 spells them as ECMAScript does: `1` and `0.000001`. `a2a-sdk` 1.1.2 "
            "signs Python's `1.0` and `1e-06`, so that a single whole number in `params` is enough: no other SDK version "
            "verifies its signature on such a card."
        ),
    ),
    Topic(
        REQUIRED,
        cases=(
            "card-fields/name-empty-stays",
            "card-fields/description-empty-stays",
            "card-fields/supportedinterfaces-empty-stays",
            "card-fields/version-empty-stays",
            "card-fields/capabilities-empty-stays",
            "card-fields/defaultinputmodes-empty-stays",
            "card-fields/defaultoutputmodes-empty-stays",
            "card-fields/skills-empty-stays",
            "card-messages/*-required-empty-stay",
            "card-messages/interface-*-empty-stays",
            "card-messages/provider-*-empty-stays",
            "card-messages/skill-*-empty-stays",
            "card-messages/skill-second-is-normalised-too",
            "card-messages/capabilities-extensions-empty-goes",
        ),
        says=(
            "Section 8.4.1 has REQUIRED fields stay at any value, `capabilities: {}` and `skills: []` among them, which "
            "ordinary cards have. Every SDK version drops them before it signs (A2A issue 2122; a2a-js issue 627). Among "
            "the SDKs such cards verify, with the field there or gone; between an SDK and a verifier that keeps to "
            "section 8.4.1 they do not, in either direction."
        ),
    ),
    Topic(
        OPTIONAL,
        cases=("card-fields/documentationurl-empty-stays", "card-fields/iconurl-empty-stays"),
        says=(
            "Fields marked `optional` stay where they were set, even to their default. All SDK versions do that for "
            "`false` and none for the empty text, so that an empty `iconUrl` can be added or taken away under their "
            "signatures."
        ),
    ),
    Topic(
        ELEMENTS,
        cases=(
            "card-fields/array-elements-stay",
            "card-messages/interface-empty-element-stays",
            "card-messages/extension-all-defaults-leaves-an-element",
            "card-messages/requirement-*",
            "card-messages/skill-requirement-is-normalised-too",
            "card-messages/scopes-entry-with-empty-text-stays",
        ),
        says=(
            "Elements of a list and entries of a map are no fields and have no default to be left out at. All SDK "
            'versions drop those that are empty, and what became empty by that. So `"securityRequirements": [{"schemes": '
            '{"k": {"list": []}}}]`, the usual way to ask for scheme `k` without scopes, has the signed bytes of no '
            "requirement at all: it can be taken off a signed card, or put on one, and every SDK still verifies the card."
        ),
    ),
    Topic(
        SCHEMES,
        cases=(
            *(f"card-messages/{scheme}-*" for scheme in ("apikey", "httpauth", "openid", "mtls", "oauth2")),
            *(f"card-messages/{flow}-*" for flow in ("authorizationcode", "clientcredentials", "devicecode", "implicit")),
            "card-messages/password-*",
            "card-messages/scheme-arms-side-by-side",
            "card-fields/every-field-of-the-card",
            "card-fields/signatures-as-a-scheme-name-stay",
        ),
        says=(
            "Handed an `AgentCard` instance, `@a2a-js/sdk` reads it once more as if it were JSON and does not know its "
            "own type again: every security scheme is lost before the card is signed (a2a-js issue 663). A card with "
            "schemes that was signed from an instance is not verified from plain JSON, not even by the same version, nor "
            "by Python; and where both sides use instances, schemes can be added, exchanged and taken away under the "
            "signature."
        ),
    ),
    Topic(
        STRUCTS,
        cases=("card-structs/*", "card-fields/signatures-within-params-stay", "card-signing/struct-survives"),
        says=(
            "The rule of section 8.4.1 speaks of fields of messages. What stands inside a Struct, an extension's "
            "`params`, is data; A2A does not say so in words. All SDK versions go through it too: null, empty texts, "
            "arrays and objects among the parameters are not signed, and can be added and taken away."
        ),
    ),
    Topic(
        NOTHING,
        cases=(
            "card-fields/empty-card",
            "card-fields/every-default-at-once",
            "card-canonical/empty-object-at-the-root",
        ),
        says=(
            "Where they leave nothing of a card, Python signs `null` and JS signs `{}`: of all the cards here the only "
            "ones for which 1.3.0 of the two SDKs give different bytes. They are of no use to anyone, so little hangs on "
            "it."
        ),
    ),
    Topic(
        HEADERS,
        cases=("card-headers/*",),
        says=(
            "An unsigned `alg` of `none`, a foreign or missing `alg` or `kid`, unknown critical headers: refused by all. "
            "`@a2a-js/sdk` accepts one that it should not: with `b64: false` (RFC 7797) in the protected header the "
            "payload is to be signed as it is, and the SDK hands its JWS library the encoded payload all the same. A "
            "verifier that knows `b64`, or refuses it as section 4.1.11 of RFC 7515 asks of those that do not, takes no "
            "such signature."
        ),
    ),
    Topic(
        FORMS,
        cases=("card-signature-forms/*",),
        says=(
            "Section 5.2 of RFC 7515 has base64url decoded with no line breaks, white space or other additional "
            "characters in it, padding included. The SDKs leave decoding to their JWS libraries, which are more lenient, "
            "so one signature has several spellings: what one verifier accepts a stricter one refuses. What is signed is "
            "not touched by it."
        ),
    ),
    Topic(
        KEYS,
        cases=("card-keys/*",),
        says=(
            "The SDKs ask the user for a key, by `kid` and `jku`, and use what they are handed; nothing is fetched. The "
            "two cases that differ are about what the user hands over: a JWK with padding, which the key libraries read, "
            "and two keys of one `kid`, of which the adapters, like PyJWT's own client for key sets, take the first. "
            "Neither says anything about what one SDK verifies of another."
        ),
    ),
    Topic(
        NO_CARD,
        cases=(
            "card-canonical/duplicate-*",
            "card-canonical/trailing-*",
            "card-canonical/lone-surrogate",
            "card-canonical/number-too-large",
            "card-canonical/nan",
            "card-canonical/not-*",
            "card-canonical/nothing",
            "card-canonical/*-at-the-root",
            "card-signing/card-*",
        ),
        says=(
            "Of two equal names the parsers in front of the SDKs keep the last, without a word, so that two readers can "
            "see two cards under one signature. The JS functions also take what is no card at all, an array or a text, "
            "and sign it as `{}`, and write `1e400`, which `JSON.parse` reads as Infinity, as `null`."
        ),
    ),
    Topic(
        MIXED,
        cases=(
            "card-verified/defaults-*",
            "card-wrong-bytes/preimage",
            "card-wrong-bytes/sdk-form",
            "card-signing/content-is-left-alone",
        ),
        says=(
            "One card that has empty REQUIRED and optional values, a requirement without scopes and a Struct with empty "
            "data, signed over the bytes of section 8.4.1, which no SDK version verifies; in `sdk-form`, over the bytes "
            "that 1.3.0 of the SDKs signs, which `a2a-sdk` 1.3.0 and both versions of `@a2a-js/sdk` do verify, from plain "
            "JSON."
        ),
    ),
    Topic(TAMPERED, cases=("card-tampered/*", "card-wrong-bytes/*")),
    Topic(
        READINGS,
        cases=("card-readings/*", "card-sdk/*", "card-verify-readings/*"),
        says=(
            "Cases where the text leaves a choice. They cost no mark; one that stands here got an answer that is none of "
            "those that are admitted so far. What was recorded of the others is under *Readings*."
        ),
    ),
    Topic(REST, cases=("card-*",)),
    Topic(PROFILE, cases=("*",)),
)

ADAPTERS = (
    Adapter(
        name="PyPI `a2a-sdk` 1.1.2",
        folder="pypi-a2a-sdk-1.1.2",
        install="python",
        command=("adapters/pypi-a2a-sdk-1.1.2/.venv/bin/python", "adapters/pypi-a2a-sdk-1.1.2/adapter.py"),
        roles=HOST,
        reads=f"{PYTHON} what `json.dumps` writes with sorted keys.",
    ),
    Adapter(
        name="PyPI `a2a-sdk` 1.3.0",
        folder="pypi-a2a-sdk-1.3.0",
        install="python",
        command=("adapters/pypi-a2a-sdk-1.3.0/.venv/bin/python", "adapters/pypi-a2a-sdk-1.3.0/adapter.py"),
        roles=HOST,
        reads=f"{PYTHON} what its own canonicaliser writes.",
    ),
    Adapter(
        name="npm `@a2a-js/sdk` 1.0.1",
        folder="npm-a2a-js-sdk-1.0.1",
        install="npm",
        command=("node", "adapters/npm-a2a-js-sdk-1.0.1/adapter.mjs"),
        roles=HOST,
        reads=f"{JS} the value.",
    ),
    Adapter(
        name="npm `@a2a-js/sdk` 1.0.1 (instances)",
        folder="npm-a2a-js-sdk-1.0.1",
        install="npm",
        command=("node", "adapters/npm-a2a-js-sdk-1.0.1/adapter.mjs", "--form", "instance"),
        roles=HOST,
        reads=INSTANCES,
    ),
    Adapter(
        name="npm `@a2a-js/sdk` 1.3.0",
        folder="npm-a2a-js-sdk-1.3.0",
        install="npm",
        command=("node", "adapters/npm-a2a-js-sdk-1.3.0/adapter.mjs"),
        roles=HOST,
        reads=f"{JS} the value.",
    ),
    Adapter(
        name="npm `@a2a-js/sdk` 1.3.0 (instances)",
        folder="npm-a2a-js-sdk-1.3.0",
        install="npm",
        command=("node", "adapters/npm-a2a-js-sdk-1.3.0/adapter.mjs", "--form", "instance"),
        roles=HOST,
        reads=INSTANCES,
    ),
)
