"""Documents that every implementation of a chapter is asked about after its run, and what each makes of them."""

from judging.subject import Failed, Subject

from .parts import fence
from .words import flat, outcome

#: How much of an answer is shown.
LONGEST = 400


def ask(head, command, folder):
    """What one implementation answers to each probe of a chapter, all of them asked of one process.

    A process that ends, or says nothing for a minute, is told as that, and another one is asked the rest.
    """
    answers, subject = [], None
    for probe in head.probes:
        try:
            subject = subject or Subject(command, folder)
            answers.append(subject.ask(head.operation, {head.document: {"text": probe.document}}))
        except Failed as failed:
            answers.append({"failed": str(failed).partition(": ")[2]})
            subject = None
    if subject:
        subject.__exit__()
    return answers


def probed(head, answers):
    """The probes and the answers, as lines of Markdown. `answers`: pairs of a name and that implementation's answers."""
    if not head.probes or not answers:
        return []
    lines = ["### What each makes of it", "", "Asked beside the corpus, all to one process and in this order.", ""]
    for index, probe in enumerate(head.probes):
        lines += [f"#### {probe.title}", "", *([probe.says, ""] if probe.says else [])]
        lines += fence(probe.document.splitlines())
        alike = {}
        for name, given in answers:
            alike.setdefault(_told(given[index]), []).append(name)
        lines += [line for said, names in alike.items() for line in (f"{', '.join(names)}:", "", *fence([said]))]
    return lines


def _told(reply):
    """An answer on one line; of a long one the beginning."""
    said = f"no answer: {reply['failed']}" if "failed" in reply else outcome(reply)
    words = flat(said if "ok" in reply else " ".join(said.split()))
    return words if len(words) <= LONGEST else f"{words[:LONGEST]} …"
