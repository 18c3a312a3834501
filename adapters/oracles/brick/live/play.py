"""Plays the live cases of the brick suite against an adapter, with the official SDKs' servers instead of Proofmark's own.

    python3 play.py -- ../../../../target/debug/proofmark serve
    python3 play.py -- node invoke.mjs

Expectations and witness are judged here, apart from Proofmark's code. Cases that the SDKs can't play are named, with the
reason. Exit status 1 where a case fails.
"""

import json
import pathlib
import subprocess
import sys
import tomllib

import jsonschema
import witness

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parents[3] / "corpus" / "brick" / "runtime-adapter"


class Lines:
    """A process that answers a line with a line."""

    def __init__(self, command, folder=None):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=folder, text=True, encoding="utf-8")

    def ask(self, value):
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def filled(value, urls):
    if isinstance(value, str):
        for name, url in urls.items():
            value = value.replace("{{servers." + name + ".url}}", url)
        return value
    if isinstance(value, list):
        return [filled(item, urls) for item in value]
    if isinstance(value, dict):
        return {name: filled(item, urls) for name, item in value.items()}
    return value


def subset(wanted, got):
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(name in got and subset(wanted[name], got[name]) for name in wanted)
    if isinstance(wanted, list):
        return isinstance(got, list) and len(wanted) == len(got) and all(map(subset, wanted, got))
    return wanted == got


def judge(expect, reply):
    if "ok" not in reply:
        return [f"not ok: {json.dumps(reply)[:300]}"]
    wanted, output = expect["ok"], reply["ok"]
    if wanted == {"any": True}:
        return []
    if set(wanted) == {"includes"}:
        return [] if subset(wanted["includes"], output) else [f"{output}"]
    assert set(wanted) == {"schema"}, wanted
    errors = jsonschema.Draft202012Validator(wanted["schema"]).iter_errors(output)
    return [f"{error.json_path}: {error.message[:300]}" for error in errors]


def play(case, operation, adapter, servers):
    """What is wrong, or why the case can't be played."""
    started = servers.ask({"start": case["servers"]})
    if "can_not" in started:
        return None, started["can_not"]
    urls = started["urls"]
    wrong = []
    for step in case.get("step", [case]):
        op = step.get("operation", case.get("operation", operation))
        reply = adapter.ask({"id": 1, "op": op, "params": filled(step["params"], urls)})
        wrong += judge(step["expect"], reply)
    requests = servers.ask({"finish": True})["requests"]
    for name, expected in case["witness"].items():
        seen = [witness.Request(raw) for raw in requests if raw["server"] == name]
        wrong += witness.judge(name, filled(expected, urls), seen)
    return wrong, None


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    at = sys.argv.index("--")
    only, command = sys.argv[1:at], sys.argv[at + 1 :]
    adapter = Lines(command)
    servers = Lines(["node", "servers.mjs"], HERE)
    counts = {"pass": 0, "fail": 0, "not played": 0}
    for path in sorted(CORPUS.glob("live-*.toml")):
        topic = tomllib.loads(path.read_text(encoding="utf-8"))
        for case in topic["case"]:
            name = f"{path.stem}/{case['id']}"
            if only and not any(word in name for word in only):
                continue
            wrong, reason = play(case, topic["operation"], adapter, servers)
            verdict = "not played" if reason else "fail" if wrong else "pass"
            counts[verdict] += 1
            if verdict != "pass":
                print(f"{verdict}: {name}", *([reason] if reason else wrong), sep="\n    ")
    adapter.close()
    servers.close()
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    sys.exit(1 if counts["fail"] or not counts["pass"] else 0)


if __name__ == "__main__":
    main()
