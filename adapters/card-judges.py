#!/usr/bin/env python3
"""Do the A2A SDKs take the cards that a subject projects from BRICK manifests?

    adapters/card-judges.py                          Proofmark's reference, with target/release/proofmark
    adapters/card-judges.py --subject 'COMMAND'      any adapter that offers `brick.project`
    adapters/card-judges.py --adapters FOLDER        the SDKs are installed in another copy of this folder

Every manifest that the corpus has projected, where it is to be accepted or the text leaves that open, and the example of the
draft's Appendix A, go to the subject; every card that comes back goes to both SDKs (installed as README.md says). `a2a-sdk` from
PyPI parses it into its protobuf message, which refuses unknown members and values of other types, and makes its own check of
REQUIRED fields. `@a2a-js/sdk` from npm has no validation: it reads and writes the card, and nothing may be lost or changed.

Exit status: 0 both take every card; 1 one of them does not, or Appendix A or everything else gave no card; 2 wrong usage or a
process that does not answer.
"""

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path

from judging import sdks
from judging.corpus import requests
from judging.subject import Failed, Subject

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

APPENDIX_A = {
    "brickVersion": "0.5",
    "agent": {
        "id": "https://agents.example.org/customer-support",
        "name": "Customer Support",
        "description": "Answers subscription questions and checks channel availability",
        "version": "1.0.0",
    },
    "goals": ["Resolve subscription support questions"],
    "instructions": [{"id": "project-guidance", "uri": "./AGENTS.md"}],
    "skills": [{"id": "subscription-help", "uri": "./skills/subscription-help/SKILL.md"}],
    "mcpServers": [
        {
            "id": "billing",
            "transport": "streamable-http",
            "endpoint": "https://billing.example.org/mcp",
            "allowedTools": ["lookup_subscription"],
        },
        {
            "id": "catalog",
            "transport": "streamable-http",
            "endpoint": "https://catalog.example.org/mcp",
            "allowedTools": ["find_channel"],
        },
    ],
    "capabilities": [
        {
            "id": "subscription-help",
            "description": "Check a subscription and find channels",
            "inputs": ["customer_reference", "channel_name"],
            "outputs": ["availability_status"],
            "skillRefs": ["subscription-help"],
            "toolRefs": ["billing:lookup_subscription", "catalog:find_channel"],
            "advertise": True,
        },
    ],
    "a2a": {"enabled": True, "endpoint": "https://agents.example.org/a2a", "protocolVersion": "1.0"},
}


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
            asked, left_out = requests(options.proofmark, "brick", ("brick.project",), options.corpus)
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
    options.add_argument("--no-corpus", action="store_true", help="Appendix A alone")
    options.add_argument("--show", type=int, default=10, help="how many differences are shown")
    return options.parse_args()


def judged(subject, readers, asked, left_out, options):
    """Prints what was found; the exit status."""
    accepted = [request for request in asked if "refused" not in request.expect]
    cards, absent = {}, []
    for request in accepted:
        reply = subject.ask("brick.project", request.params)
        if "ok" in reply:
            cards[request.case, len(cards)] = reply["ok"]["card"]
        else:
            absent.append((request, reply))
    print(f"{subject.name}: {len(asked)} manifests are projected by the corpus, {len(accepted)} of them are not to be refused")
    print(f"cards: {len(cards)}; no card: {len(absent)}")
    if left_out:
        print(f"not asked: {left_out} requests of cases that need an earlier answer")
    # Where the text leaves it open, a refusal is an answer. Elsewhere the run of the suite fails it, and it is no card here.
    owed = [(request, reply) for request, reply in absent if "readings" not in request.expect]
    for request, reply in owed[: options.show]:
        print(f"no card of {request.case}: {json.dumps(reply)[:400]}")
    differences = []
    for reader in readers:
        said = [(case, card, sdks.complaint(reader, "AgentCard", card)) for (case, _), card in cards.items()]
        bad = [(case, card, complaint) for case, card, complaint in said if complaint is not None]
        print(f"{reader.name}: takes {len(said) - len(bad)} of {len(said)} cards")
        differences += [(reader.name, *rest) for rest in bad]
    differences += appendix_a(subject, readers)
    for name, case, card, complaint in differences[: options.show]:
        print(f"\n{case}, {name}: {complaint}\n{json.dumps(card, ensure_ascii=False)[:1500]}")
    print(f"differences: {len(differences)}")
    empty = not cards and not options.no_corpus
    return 1 if differences or empty else 0


def appendix_a(subject, readers):
    """Prints the lines of the draft's own example; the complaints about it."""
    reply = subject.ask("brick.project", {"manifest": {"text": json.dumps(APPENDIX_A)}})
    if "ok" not in reply:
        print(f"the example of Appendix A: no card, {json.dumps(reply)[:400]}")
        return [(subject.name, "the example of Appendix A", reply, "no card")]
    card = reply["ok"]["card"]
    said = [(reader.name, sdks.complaint(reader, "AgentCard", card)) for reader in readers]
    for name, complaint in said:
        print(f"the example of Appendix A: {name} {'takes its card' if complaint is None else 'does not take its card'}")
    print(f"  {json.dumps(card, ensure_ascii=False)[:1500]}")
    return [(name, "the example of Appendix A", card, complaint) for name, complaint in said if complaint is not None]


if __name__ == "__main__":
    sys.exit(main())
