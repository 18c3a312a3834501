#!/usr/bin/env python3
"""Who verifies whose AgentCards? Every implementation signs the same cards, and every one verifies what the others signed.

    adapters/card-matrix.py --out FILE                   the A2A SDKs and the reference
    adapters/card-matrix.py --reference 'COMMAND'        another reference (default: target/release/proofmark serve)
    adapters/card-matrix.py --no-reference               the SDKs alone
    adapters/card-matrix.py --adapters FOLDER            adapters installed in another copy of this folder

Each adapter must be installed (see README.md). Writes Markdown: who verifies whose cards, which two do not understand each
other, and which parts of a signed card can be changed under its signature. Exit status: 0 written, whatever it says; 1 an
adapter failed, or a control did; 2 wrong usage or an adapter that is not installed.
"""

import argparse
import contextlib
import json
import shlex
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
#: Seconds for one answer.
PATIENCE = 60

PYTHON = "{0}/pypi-a2a-sdk-{1}/.venv/bin/python {0}/pypi-a2a-sdk-{1}/adapter.py"
NODE = "node {0}/npm-a2a-js-sdk-{1}/adapter.mjs"
#: Name in the tables, command, and a path that is there once the adapter is installed.
SDKS = [
    *(("Python", PYTHON, version, "pypi-a2a-sdk-{}/.venv/bin/python") for version in ("1.1.2", "1.3.0")),
    *(
        (name, NODE + form, version, "npm-a2a-js-sdk-{}/node_modules/@a2a-js/sdk")
        for version in ("1.0.1", "1.3.0")
        for name, form in (("JS", ""), ("JS instance", " --form instance"))
    ),
]

#: The key of RFC 7515, appendix A.3, and that of RFC 8037, appendix A.1.
KEYS = {
    "ES256": {
        "kty": "EC",
        "crv": "P-256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
    },
    "EdDSA": {
        "kty": "OKP",
        "crv": "Ed25519",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    },
}
#: Keys that signed nothing: of RFC 7517, appendix A.1, and of RFC 8032, section 7.1, test 2.
STRANGERS = {
    "ES256": {
        "kty": "EC",
        "crv": "P-256",
        "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
    },
    "EdDSA": {"kty": "OKP", "crv": "Ed25519", "x": "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"},
}


#: Members of a card, and their values as JSON.
PLAIN = {
    "name": '"Translator"',
    "description": '"Translates."',
    "version": '"1.0.0"',
    "supportedInterfaces": '[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]',
    "capabilities": '{"streaming":true}',
    "defaultInputModes": '["text/plain"]',
    "defaultOutputModes": '["text/plain"]',
    "skills": '[{"id":"t","name":"Translate","description":"Any text.","tags":["language"]}]',
}
EXAMPLE = {
    "name": '"Example Agent"',
    "description": '""',
    "capabilities": '{"streaming":false,"pushNotifications":false,"extensions":[]}',
    "skills": "[]",
}
KEY_SCHEME = '{"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}}'
NO_SCOPES = '[{"schemes":{"k":{"list":[]}}}]'
OAUTH = '{"o":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"tokenUrl":"https://id.example/token","scopes":{}}}}}}'


def params(text):
    return {"capabilities": '{"extensions":[{"uri":"https://agent.example/ext","params":' + text + "}]}"}


#: Name of a card, what it has in place of, or beside, the members of the first one, and what it tells.
VARIANTS = [
    ("plain", {}, "nothing special: everyone should agree"),
    ("worked-example", EXAMPLE, "the fragment that A2A, section 8.4.1, works through; it has no other members"),
    ("beyond-ascii", {"name": '"Übersetzer €"', "description": '"Cafe\u0301 \U0001f600"'}, "text beyond ASCII"),
    ("planes", params('{"\U0001f600":"a","\uff01":"b"}'), "names that UTF-16 and code points order differently"),
    ("numbers", params('{"a":0.000001,"b":1.0,"c":1e21,"d":0.0000001,"e":-0}'), "numbers of a Struct, in other spellings"),
    ("struct-data", params('{"a":null,"b":"","c":[],"d":{},"e":["","x"]}'), "empty values in a Struct, where they are data"),
    ("optional-false", {"capabilities": '{"streaming":false}'}, "an optional field set to its default"),
    ("optional-empty", {"iconUrl": '""'}, "an optional string set to its default"),
    ("required-empty", {"description": '""', "skills": "[]"}, "REQUIRED fields that are empty"),
    ("no-capabilities", {"capabilities": "{}"}, "a REQUIRED message that is set and empty"),
    ("written-default", {"securityRequirements": "[]"}, "a field at its default, written out"),
    ("scheme", {"securitySchemes": KEY_SCHEME}, "a security scheme"),
    ("no-scopes", {"securitySchemes": KEY_SCHEME, "securityRequirements": NO_SCOPES}, "the scheme is required, no scopes"),
    ("mutual-tls", {"securitySchemes": '{"m":{"mtlsSecurityScheme":{}}}'}, "a scheme that is set and empty"),
    ("oauth", {"securitySchemes": OAUTH}, "a REQUIRED map that is empty"),
    ("unknown-member", {"vendorNote": '"hello"'}, "a member that the schema does not name"),
]


#: What the text says of the cards on which the reference and an SDK part, and who keeps to it.
RULINGS = {
    "worked-example": (
        "the section prints what is to come out, with `description` and `skills`, and the reference signs those bytes; the "
        "SDKs leave the two out. **The reference.**"
    ),
    "beyond-ascii": "the section asks for RFC 8785, which writes UTF-8 and no escapes. **The reference.**",
    "planes": "the section asks for RFC 8785, which sorts names by UTF-16 code units. **The reference.**",
    "numbers": "the section asks for RFC 8785, which spells numbers as ECMAScript does. **The reference.**",
    "struct-data": (
        "the rule is about fields of messages, and members of a Struct are none. The text does not say in words that they "
        "stay, but has no rule by which they would go. **The reference**, by what the rule covers."
    ),
    "optional-empty": "an `optional` field that was set stays, even at its default. **The reference.**",
    "required-empty": "REQUIRED fields stay at any value. **The reference.**",
    "no-capabilities": "`capabilities` is REQUIRED, and stays. **The reference.**",
    "scheme": "a field with a value is signed. **The reference**, and with it the SDKs that are not named here.",
    "no-scopes": (
        "`list` is a plain repeated field and goes when it is empty. What holds it are an entry of a map and an element of a "
        "list, which are no fields: there is no rule by which they go with it. **The reference.**"
    ),
    "mutual-tls": (
        "the text is silent on a message that is set and empty, and the corpus records what is done with it. The reference "
        "keeps it, as protobuf knows it from one that was not set; the SDKs drop it and the scheme's entry with it. **Open.**"
    ),
    "oauth": "`scopes` is REQUIRED in this flow, and stays while it is empty. **The reference.**",
    "unknown-member": (
        "the text is silent on what of it is signed (section 5.7 has readers ignore it), and the corpus records it. The "
        "reference signs cards as they were received; the SDKs drop what they do not know. **Open.**"
    ),
}


def written(members):
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


#: Name of a card, and its text.
CARDS = [(name, written(own if own is EXAMPLE else {**PLAIN, **own})) for name, own, _ in VARIANTS]


def removed(*path):
    def edit(document):
        *parents, last = path
        for step in parents:
            document = document[step]
        del document[last]

    return edit


def replaced(value, *path):
    def edit(document):
        *parents, last = path
        for step in parents:
            document = document[step]
        document[last] = value

    return edit


PARAMS = ("capabilities", "extensions", 0, "params")
TOKEN = ("securitySchemes", "o", "oauth2SecurityScheme", "flows", "clientCredentials", "tokenUrl")
#: What is done to a signed card: words, the card's name, and the edit.
EDITS = [
    ("take away the security requirement", "no-scopes", removed("securityRequirements")),
    ("add a security requirement", "scheme", replaced([{"schemes": {"k": {"list": []}}}], "securityRequirements")),
    ("take away the mutual-TLS scheme", "mutual-tls", removed("securitySchemes", "m")),
    ("take away the API-key scheme", "scheme", removed("securitySchemes", "k")),
    ("add an API-key scheme", "plain", replaced(json.loads(KEY_SCHEME), "securitySchemes")),
    ("point the OAuth token URL elsewhere", "oauth", replaced("https://evil.example/token", *TOKEN)),
    ("take away an empty REQUIRED `description`", "required-empty", removed("description")),
    ("take away an empty REQUIRED `skills`", "required-empty", removed("skills")),
    ("take away an empty `capabilities`", "no-capabilities", removed("capabilities")),
    ("take away an optional `iconUrl` that is empty", "optional-empty", removed("iconUrl")),
    ("take away a null in `params`", "struct-data", removed(*PARAMS, "a")),
    ("take away an empty string in an array of `params`", "struct-data", removed(*PARAMS, "e", 0)),
    ("add an empty object to `params`", "struct-data", replaced({}, *PARAMS, "new")),
    ("take away an unknown member", "unknown-member", removed("vendorNote")),
    ("add an unknown member", "plain", replaced("hello", "vendorNote")),
]


RULED = (
    "Who is right, by A2A, section 8.4.1: the card is signed as RFC 8785 writes it, without its signatures; an `optional`",
    "field that was set stays even at its default, a REQUIRED field stays at any value, and any other field at its default",
    "goes.",
)


class Failed(Exception):
    """An adapter did not answer as the protocol asks."""


class Subject:
    """One implementation behind its adapter."""

    def __init__(self, name, command, folder):
        self.command = shlex.join(command)
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.asked = 0
        hello = self.ask("hello", {"protocol": 1, "proofmark": "card-matrix", "suites": {}})
        try:
            self.name = f"{name} {hello['ok']['implementation']['version']}"
        except KeyError:
            raise Failed(f"{self.command}: no hello, but {json.dumps(hello)}") from None

    def ask(self, operation, params):
        self.asked += 1
        request = json.dumps({"id": self.asked, "op": operation, "params": params}) + "\n"
        patience = threading.Timer(PATIENCE, self.process.kill)
        patience.start()
        try:
            self.process.stdin.write(request.encode("utf-8"))
            self.process.stdin.flush()
            reply = json.loads(self.process.stdout.readline())
        except (OSError, ValueError) as error:
            raise Failed(f"{self.command}: no answer to {operation}: {error}") from error
        finally:
            patience.cancel()
        if reply.get("id") != self.asked or not reply.keys() & {"ok", "refused"}:
            raise Failed(f"{self.command}: {operation}: {json.dumps(reply)}")
        return reply

    def sign(self, text, algorithm):
        """The card as the signer writes it out, or why it does not sign."""
        params = {"card": {"text": text}, "key": KEYS[algorithm], "kid": algorithm, "alg": algorithm}
        reply = self.ask("federation.card_sign", params)
        if "refused" in reply:
            return None, reply["refused"].get("message", "refused")
        return reply["ok"]["card"]["text"], None

    def verifies(self, text, keys=KEYS):
        public = [{**{n: v for n, v in key.items() if n != "d"}, "kid": kid} for kid, key in keys.items()]
        reply = self.ask("federation.card_verify", {"card": {"text": text}, "keys": public})
        return reply.get("ok", {}).get("verified") == [0]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


@dataclass(frozen=True)
class Signed:
    """A card that was really signed: as its signer writes it out, and as it was given with the signature put in."""

    signer: Subject
    card: str
    algorithm: str
    written: str
    given: str


def sign_all(subjects):
    """Every card signed by everyone with every algorithm, and who did not sign what."""
    signed, unsigned = [], []
    for subject in subjects:
        for name, text in CARDS:
            for algorithm in KEYS:
                written, why = subject.sign(text, algorithm)
                if written is None:
                    unsigned.append(f"{subject.name} does not sign `{name}` with {algorithm}: {why}")
                    continue
                signature = json.dumps(json.loads(written)["signatures"], ensure_ascii=False)
                given = f'{text[:-1]},"signatures":{signature}}}'
                signed.append(Signed(subject, name, algorithm, written, given))
    return signed, unsigned


def verify_all(signed, subjects, form):
    """Names of the verifiers of each signed card, in one of its two forms."""
    return {entry: {s.name for s in subjects if s.verifies(getattr(entry, form))} for entry in signed}


def edited(entry, edit):
    document = json.loads(entry.given)
    edit(document)
    return json.dumps(document, ensure_ascii=False)


def controls(signed, subjects):
    """What must never verify: a card whose name was changed, and a card with another key under the same name."""
    lines = []
    for entry in signed:
        if entry.card != "plain":
            continue
        changed = json.loads(entry.written)
        changed["name"] = "Somebody Else"
        for subject in subjects:
            if subject.verifies(json.dumps(changed)):
                lines.append(f"{subject.name} verifies a changed card of {entry.signer.name}, {entry.algorithm}")
            if subject.verifies(entry.written, STRANGERS):
                lines.append(f"{subject.name} verifies a card of {entry.signer.name} with a stranger's key")
    return lines


def matrix(verdicts, subjects):
    """The table, and under it which cards failed."""
    lines = [row(["signed by \\ verified by", *(s.name for s in subjects)]), row(["---"] * (len(subjects) + 1))]
    which = {}
    for signer in subjects:
        mine = {entry: names for entry, names in verdicts.items() if entry.signer is signer}
        cells, alike = [signer.name], {}
        for verifier in subjects:
            bad = [entry for entry, names in mine.items() if verifier.name not in names]
            count = f"{len(mine) - len(bad)} of {len(mine)}"
            cells.append(f"**{count}**" if bad else count)
            if bad:
                alike.setdefault(cards(bad), []).append(verifier.name)
        lines.append(row(cells))
        for bad, verifiers in alike.items():
            which.setdefault(bad, {}).setdefault(tuple(verifiers), []).append(signer.name)
    for bad, ways in which.items():
        lines += ["", f"{bad}:", ""]
        lines += [f"- signed by {listed(by)}, not verified by {listed(verifiers)}" for verifiers, by in ways.items()]
    return [*lines, *([] if which else ["", "Everyone verifies everything."]), ""]


def same(left, right):
    return all(left[entry] == right[entry] for entry in left)


def cards(entries):
    """Names of cards, with the algorithm where only one of them is meant."""
    algorithms = {}
    for entry in entries:
        algorithms.setdefault(entry.card, []).append(entry.algorithm)
    names = [f"`{name}`" + ("" if len(of) == len(KEYS) else f" ({', '.join(of)})") for name, of in algorithms.items()]
    return ", ".join(names)


def strangers(verdicts, subjects):
    """Pairs that each verify their own signatures on a card, and not each other's."""
    by_card = {}
    for entry, names in verdicts.items():
        by_card.setdefault(entry.card, {}).setdefault(entry.signer.name, []).append(names)
    pairs = {}
    for index, left in enumerate(subjects):
        for right in subjects[index + 1 :]:
            both = [
                (name, believed(signers, left, right), believed(signers, right, left))
                for name, signers in by_card.items()
                if believed(signers, left, left) and believed(signers, right, right)
            ]
            found = [
                ("neither verifies the other's", [name for name, there, back in both if not there and not back]),
                ("the second does not verify the first's", [name for name, there, back in both if back and not there]),
                ("the first does not verify the second's", [name for name, there, back in both if there and not back]),
            ]
            words = "; ".join(f"{words} {', '.join(f'`{name}`' for name in names)}" for words, names in found if names)
            pair = f"{left.name} and {right.name}"
            pairs.setdefault(words or "each verifies the other's on all those cards", []).append(pair)
    return [f"- {'; '.join(names)}: {words}." for words, names in pairs.items()]


def rulings(verdicts, subjects, reference):
    """Who is right by the text, for the cards on which the reference and an SDK do not understand each other."""
    lines = []
    for name, _, _ in VARIANTS:
        signers = {}
        for entry, names in verdicts.items():
            if entry.card == name:
                signers.setdefault(entry.signer.name, []).append(names)
        apart = [
            subject.name
            for subject in subjects
            if not (believed(signers, subject, reference) and believed(signers, reference, subject))
        ]
        if apart:
            everyone = len(apart) == len(subjects) - 1
            lines.append(f"- `{name}`, the reference and {'every SDK' if everyone else ', '.join(apart)}: {RULINGS[name]}")
    return lines


def believed(signers, signer, verifier):
    """Whether the verifier takes the signer's signatures on a card, with every algorithm."""
    names = signers.get(signer.name, [])
    return len(names) == len(KEYS) and all(verifier.name in some for some in names)


def edits(signed, subjects):
    lines = [row(["edit", "card", *(s.name for s in subjects)]), row(["---"] * (len(subjects) + 2))]
    for words, name, edit in EDITS:
        cells = [words, f"`{name}`"]
        for subject in subjects:
            mine = [e for e in signed if e.signer is subject and e.card == name and subject.verifies(e.given)]
            survived = [subject.verifies(edited(entry, edit)) for entry in mine]
            cells.append("no signature" if not mine else "**valid**" if any(survived) else "refused")
        lines.append(row(cells))
    return lines


def row(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def listed(names):
    names = list(names)
    return ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else names[0]


def document(subjects, reference):
    """The Markdown, and the controls that failed. `reference`: the one of the subjects that is no SDK, if any."""
    signed, unsigned = sign_all(subjects)
    wrong = controls(signed, subjects)
    as_written = verify_all(signed, subjects, "written")
    as_given = verify_all(signed, subjects, "given")
    ruled = [] if reference is None else ["## Where the reference and an SDK part", "", *RULED, ""]
    ruled += [] if reference is None else [*rulings(as_given, subjects, reference), ""]
    lines = [
        "# Who verifies whose AgentCards",
        "",
        f"{len(CARDS)} cards, each signed with {' and '.join(KEYS)} by every implementation and verified by every one,",
        "through their adapters. A count is of signatures, from a real run: `adapters/card-matrix.py` made this document.",
        "*Python* is `a2a-sdk`, *JS* is `@a2a-js/sdk`; *JS instance* is the same SDK, handed `AgentCard` instances instead",
        "of plain JSON. What the differences are, byte for byte: the [field report](field-report.md).",
        "",
        "## As the signer writes the card out",
        "",
        "Python, and JS from an instance, write out a card without most of what is empty in it and without what they do not",
        "know: what is verified is then the card without those members.",
        "",
        *matrix(as_written, subjects),
        "## As the card was given, with the signature put in",
        "",
        "The same signatures, on the JSON that the signer was given: what happens where a card is kept in a file, or passed",
        "on by something that does not drop what is empty.",
        "",
        *(["Every verdict is as above.", ""] if same(as_written, as_given) else matrix(as_given, subjects)),
        "## Pairs that do not understand each other",
        "",
        "Each of the two verifies its own signature on the card, as it was given; the other's it does not.",
        "",
        *strangers(as_given, subjects),
        "",
        *ruled,
        "## What can be changed under one signature",
        "",
        "The implementation signs the card and verifies it, on the JSON that it was given; then the card is edited, and it",
        "verifies the card again. **valid**: the signature does not cover what was changed.",
        "",
        *edits(signed, subjects),
        "",
        "## The cards",
        "",
        "What each has in place of, or beside, the members of the first one:",
        "",
        *(f"- `{name}`: {tells}. `{written(own or PLAIN)}`" for name, own, tells in VARIANTS),
        "",
    ]
    if unsigned:
        lines += ["## Not signed", "", *(f"- {line}." for line in unsigned), ""]
    lines += ["## Controls", "", *(f"- {line}." for line in wrong)]
    if not wrong:
        lines.append("Nobody verifies `plain` after its name was changed, nor with a stranger's key under the same `kid`.")
    return "\n".join(lines) + "\n", wrong


def main():
    options = arguments()
    commands, missing = [], set()
    for name, command, version, installed in SDKS:
        commands.append((name, [part.format(options.adapters, version) for part in shlex.split(command)], ROOT))
        folder, _, _ = installed.format(version).partition("/")
        if not (options.adapters / installed.format(version)).exists():
            missing.add(folder)
    if missing:
        print(f"not installed in {options.adapters}: {', '.join(sorted(missing))}", file=sys.stderr)
        return 2
    if not options.no_reference:
        commands.append(("reference", shlex.split(options.reference), ROOT))
    try:
        with contextlib.ExitStack() as stack:
            subjects = []
            for command in commands:
                subjects.append(Subject(*command))
                stack.callback(subjects[-1].close)
            text, wrong = document(subjects, None if options.no_reference else subjects[-1])
    except (Failed, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if options.out:
        options.out.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    for line in wrong:
        print(f"control: {line}", file=sys.stderr)
    return 1 if wrong else 0


def arguments():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--reference", default="target/release/proofmark serve", help="its command, run from the root")
    options.add_argument("--no-reference", action="store_true", help="the SDKs alone")
    options.add_argument("--adapters", type=lambda text: Path(text).resolve(), default=HERE, help="where they are installed")
    options.add_argument("--out", type=Path, help="the file to write (default: standard output)")
    return options.parse_args()


if __name__ == "__main__":
    sys.exit(main())
