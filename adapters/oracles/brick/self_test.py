"""Holds this oracle's reader against Python's own: `python3 self_test.py`.

Every document of corpus/brick that is no larger than 100,000 bytes is read by both. Python's json is strict once NaN and the
infinities are turned down; it takes the last of two members with one name and keeps lone surrogates, of which the reader
here only tells. Deep documents are beyond it and left out.
"""

import json
import pathlib
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import corpus  # noqa: E402
from reader import NotJson, Number, Object, read  # noqa: E402


def no(word):
    raise ValueError(word)


def plain(value):
    """The value as Python's json gives it, numbers as they were spelled."""
    if isinstance(value, Object):
        return {name: plain(item) for name, item in value.members().items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return ("number", value.spelling) if isinstance(value, Number) else value


def theirs(data):
    number = lambda spelling: ("number", spelling)  # noqa: E731
    try:
        return True, json.loads(data.decode("utf-8"), parse_constant=no, parse_int=number, parse_float=number)
    except ValueError:
        return False, None


def ours(data):
    try:
        return True, plain(read(data).value)
    except NotJson:
        return False, None


def documents(root):
    for path in sorted((root / "corpus/brick").glob("*/*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            for step in case.get("step") or [case]:
                manifest = step["params"].get("manifest")
                if isinstance(manifest, dict):
                    yield f"{path.parent.name}/{path.stem}/{case['id']}", corpus.resolve(manifest)


def main():
    count, wrong, deep = 0, [], 0
    for name, data in documents(HERE.parents[2]):
        if not isinstance(data, bytes) or len(data) > 100_000:
            continue
        try:
            expected = theirs(data)
        except RecursionError:
            deep += 1
            continue
        count += 1
        if ours(data) != expected:
            wrong.append(name)
    for name in wrong:
        print(f"DIFFERENT  {name}")
    print(f"{count} documents read alike, {len(wrong)} not, {deep} too deep for Python's reader")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
