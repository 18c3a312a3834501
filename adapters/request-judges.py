#!/usr/bin/env python3
"""Do the A2A SDKs take the requests in which a subject sends briefs, responses and traces?

    adapters/request-judges.py                          Proofmark's reference, with target/release/proofmark
    adapters/request-judges.py --subject 'COMMAND'      any adapter that offers `brief.to_a2a`
    adapters/request-judges.py --adapters FOLDER        the SDKs are installed in another copy of this folder

Asks the subject for requests with `brief.to_a2a`: with the params of every case of the corpus that is not to be refused, and
some thousand times with briefs that the subject wrote around odd values from a seed (`brief.create`), with odd traces and
without. Every request goes to both SDKs (installed as README.md says). `a2a-sdk` from PyPI parses it into its
`SendMessageRequest`, which refuses unknown members and values of other types, and makes its own check of REQUIRED fields.
`@a2a-js/sdk` from npm has no validation: it reads and writes the request, and nothing may be lost or changed. What each writes
out again must carry the document and the trace that were given, byte for byte.

Exit status: 0 both take every request; 1 one of them does not, or there was no request; 2 wrong usage or a process that does
not answer.
"""

import argparse
import collections
import json
import shlex
import subprocess
import sys
from pathlib import Path

from judging import sdks
from judging.corpus import requests
from judging.odd import Odd
from judging.subject import Failed, Subject

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def main():
    options = arguments()
    adapters = options.adapters.resolve()
    missing = sdks.not_installed(adapters)
    if missing:
        print(f"not installed in {adapters}: {', '.join(missing)}", file=sys.stderr)
        return 2
    command = options.subject or shlex.join([str(options.proofmark.resolve()), "serve"])
    try:
        asked, left_out = [], 0
        if not options.no_corpus:
            asked, left_out = requests(options.proofmark, "brief", ("brief.to_a2a",), options.corpus)
        with Subject(command, ROOT) as subject, sdks.readers(adapters) as readers:
            return judged(subject, readers, asked, left_out, options)
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 2


def arguments():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--proofmark", type=Path, default=ROOT / "target/release/proofmark", help="the binary")
    options.add_argument("--subject", help="its command, run from the root (default: proofmark serve)")
    options.add_argument("--adapters", type=Path, default=HERE, help="where the SDKs are installed")
    options.add_argument("--corpus", type=Path, help="cases from this folder instead of those in the binary")
    options.add_argument("--no-corpus", action="store_true", help="generated values alone")
    options.add_argument("--documents", type=int, default=2000, help="how many are sent with generated values")
    options.add_argument("--seed", type=int, default=1202)
    options.add_argument("--show", type=int, default=10, help="how many differences are shown")
    return options.parse_args()


def generated(subject, options):
    """Params with briefs around odd values, and the traces that go with some of them."""
    odd = Odd(options.seed)
    for _ in range(options.documents):
        params = {"delegator": odd.name(), "delegatee": odd.name(), "body": odd.body()}
        reply = subject.ask("brief.create", params)
        if "ok" not in reply:
            continue
        sent = {"document": reply["ok"]["document"]}
        if odd.chance(0.5):
            sent["trace"] = {"text": f"- **Agent**: `agent-a` @ `2026-02-06T03:55:00Z`\n  - **Action**: {odd.text()}\n"}
        yield sent


def judged(subject, readers, asked, left_out, options):
    """Prints what was found; the exit status."""
    accepted = [(request.case, request.params) for request in asked if "refused" not in request.expect]
    of_corpus = len(accepted)
    accepted += [(f"generated {number}", params) for number, params in enumerate(generated(subject, options), 1)]
    written, refused, taken, differences = 0, collections.Counter(), collections.Counter(), []
    first = {}
    for place, params in accepted:
        reply = subject.ask("brief.to_a2a", params)
        if "ok" not in reply:
            kind = next(iter(reply))
            refused[kind] += 1
            first.setdefault(kind, (place, reply))
            continue
        written += 1
        for reader in readers:
            said = complaint(reader, params, reply["ok"]["request"])
            taken[reader.name] += said is None
            if said is not None:
                differences.append((place, reader.name, said, reply["ok"]["request"]))
    print(f"{subject.name}: {len(accepted)} requests asked for, {of_corpus} of them by the corpus, seed {options.seed}")
    if left_out:
        print(f"not asked: {left_out} requests of cases that need an earlier answer")
    for kind, count in refused.items():
        print(f"no request: {count}, {kind}; the first, {first[kind][0]}: {json.dumps(first[kind][1])[:400]}")
    for reader in readers:
        print(f"{reader.name}: takes {taken[reader.name]} of {written} requests")
    for place, name, said, request in differences[: options.show]:
        print(f"\n{place}, {name}: {said}\n{json.dumps(request)[:1500]}")
    print(f"differences: {len(differences)}")
    return 1 if differences or not written else 0


def complaint(reader, params, request):
    """Why the SDK does not take the request, or what it does not find in it of document and trace; or `None`."""
    said = sdks.complaint(reader, "SendMessageRequest", request)
    if said is not None:
        return said
    reply = reader.ask("a2a.read", {"type": "SendMessageRequest", "document": request})
    kept = json.loads(sdks.read_document(reply["ok"]["document"]))
    parts = [part.get("text", "").encode("utf-8") for part in kept.get("message", {}).get("parts", ())]
    if parts[:1] != [sdks.read_document(params["document"])]:
        return "the text of the first part is not the document"
    if "trace" in params and sdks.read_document(params["trace"]) not in parts[1:]:
        return "no further part has the trace as its text"
    return None


if __name__ == "__main__":
    sys.exit(main())
