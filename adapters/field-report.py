#!/usr/bin/env python3
"""Runs Proofmark on every adapter for a real library, and writes `docs/field-report.md` from the reports.

    adapters/field-report.py                      everything, with target/release/proofmark
    adapters/field-report.py --only 'pypi-*'      some adapters; prints the document instead of replacing the file
    adapters/field-report.py --from FOLDER        no run: renders reports of an earlier one again

Needs Python 3.11, Node with npm, and Cargo. Adapters are installed from their lock files into a scratch copy of `adapters/`.
Exit status: 0 written; 1 an adapter or its run failed (a library that does not conform is no failure: it is the news), or
two ways to one implementation got different verdicts; 2 wrong usage.
"""

import argparse
import contextlib
import datetime
import json
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from fnmatch import fnmatchcase
from itertools import takewhile
from pathlib import Path

from fieldreport import probes
from fieldreport.catalogue import ADAPTERS, CHAPTERS
from fieldreport.install import install
from fieldreport.render import render, verdicts

ROOT = Path(__file__).resolve().parent.parent
#: Of a run, the exit statuses that come with a judgement.
JUDGED = (0, 1)


def main():
    options = arguments()
    chosen = [a for a in ADAPTERS if not options.only or any(fnmatchcase(a.folder, glob) for glob in options.only)]
    if not chosen:
        print("no adapter has such a name", file=sys.stderr)
        return 2
    reports = options.reports or options.scratch / "reports"
    if options.rendered_from:
        reports = options.rendered_from
    else:
        run_all(chosen, options, reports)
    results = [(adapter, json.loads((reports / slug(adapter) / "report.json").read_text("utf-8"))) for adapter in chosen]
    document = render(results, requirements(), options.date, twins(), answers(chosen, reports))
    if options.only:
        sys.stdout.write(document)
    else:
        (ROOT / "docs/field-report.md").write_text(document, "utf-8")
    return disagreements(results)


def arguments():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--proofmark", type=Path, default=ROOT / "target/release/proofmark", help="the binary")
    options.add_argument("--only", action="append", metavar="GLOB", help="folders of adapters")
    options.add_argument("--scratch", type=Path, default=ROOT / "target/field-report", help="where adapters are installed")
    options.add_argument("--reports", type=Path, help="where the reports are kept (default: in the scratch folder)")
    options.add_argument("--from", dest="rendered_from", type=Path, metavar="FOLDER", help="a --reports folder")
    options.add_argument("--date", default=datetime.date.today().isoformat())
    options.add_argument("--seed", default="8785")
    return options.parse_args()


def run_all(chosen, options, reports):
    adapters = options.scratch / "adapters"
    shutil.copytree(ROOT / "adapters", adapters, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*IGNORED))
    installed = set()
    for adapter in chosen:
        if adapter.folder not in installed:
            install(adapter, adapters)
            installed.add(adapter.folder)
        started = time.monotonic()
        run(adapter, options, reports / slug(adapter))
        probe(adapter, options, reports / slug(adapter))
        print(f"{adapter.name}: run in {time.monotonic() - started:.1f} s", file=sys.stderr)


IGNORED = ("node_modules", ".venv", "target", "__pycache__", "oracles")


def run(adapter, options, folder):
    """One run of the binary. An earlier report is gone before: a run that writes none must not find it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    roles = [argument for role in adapter.roles for argument in ("--role", role)]
    # A library is not slow because the machine is busy: far more time than any of them needs.
    limits = ["--timeout", "120s", "--seed", options.seed]
    command = [options.proofmark.resolve(), "run", *roles, *limits, "--report", folder.resolve()]
    with subject(adapter, options.scratch) as arguments:
        with open(folder / "terminal.txt", "wb") as terminal:
            done = subprocess.run([*command, *arguments], cwd=options.scratch, stdout=terminal, stderr=subprocess.STDOUT)
    if done.returncode not in JUDGED:
        sys.stderr.write((folder / "terminal.txt").read_text("utf-8", "replace")[-4000:])
        print(f"exit status {done.returncode}: no judgement", file=sys.stderr)
        sys.exit(1)


def probe(adapter, options, folder):
    """Asks the adapter what the chapters of its roles ask beside the corpus; kept beside the report."""
    asked = {role: CHAPTERS[role] for role in adapter.roles if role in CHAPTERS and CHAPTERS[role].probes}
    given = {role: probes.ask(head, shlex.join(adapter.command), options.scratch) for role, head in asked.items()}
    if given:
        (folder / "probes.json").write_text(json.dumps(given, indent=1), "utf-8")


def answers(chosen, reports):
    """What each adapter answered to those questions, of those that were asked any: adapter's name to role to answers."""
    kept = {adapter.name: reports / slug(adapter) / "probes.json" for adapter in chosen}
    return {name: json.loads(path.read_text("utf-8")) for name, path in kept.items() if path.exists()}


@contextlib.contextmanager
def subject(adapter, scratch):
    """The arguments that name the subject; an endpoint lives as long as the context."""
    if not adapter.http:
        yield ["--", *adapter.command]
        return
    with subprocess.Popen(adapter.command, cwd=scratch, stdout=subprocess.PIPE) as server:
        try:
            yield ["--http", server.stdout.readline().decode("utf-8").strip()]
        finally:
            server.terminate()


def slug(adapter):
    """A folder's name for the adapter's report: its own folder and the options of its command, as two can share a folder."""
    options = takewhile(lambda part: f"/{adapter.folder}/" not in part, reversed(adapter.command))
    options = reversed(list(options))
    return "-".join([adapter.folder, *(option.removeprefix("--") for option in options)])


def requirements():
    """Every requirement by id, for titles and sections."""
    catalogues = [tomllib.loads(path.read_text("utf-8")) for path in sorted(ROOT.glob("suites/*/requirements.toml"))]
    return {entry["id"]: entry for catalogue in catalogues for entry in catalogue["requirement"]}


def twins():
    """Of every case that has one, the twin: the case that must be accepted for the refusal to mean something."""
    found = {}
    for path in sorted(ROOT.glob("corpus/*/*/*.toml")):
        place = path.relative_to(ROOT / "corpus").with_suffix("").parts
        for case in tomllib.loads(path.read_text("utf-8")).get("case", ()):
            if "twin" in case:
                # A twin is named within its own topic, or from further up.
                given = case["twin"].split("/")
                found["/".join([*place, case["id"]])] = "/".join([*place[: 4 - len(given)], *given])
    return found


def disagreements(results):
    """1 where an adapter got another verdict than the one with the same implementation behind it."""
    by_name = {adapter.name: report for adapter, report in results}
    status = 0
    for adapter, report in results:
        twin = by_name.get(adapter.same_as)
        for mine, other in zip(report["roles"], twin["roles"] if twin else ()):
            for case in sorted(set(verdicts(mine).items()) ^ set(verdicts(other).items())):
                print(f"{adapter.name} and {adapter.same_as} differ: {' '.join(case)}", file=sys.stderr)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
