"""Derives the expected values of the jcs corpus again, from libraries that know nothing of Proofmark.

    python3 cross_check.py --corpus ../../corpus/jcs        reads the TOML files
    proofmark export | python3 cross_check.py               reads the exported lines (or a file named instead)

canonical bytes   rfc8785 (PyPI, over Python's json) and canonicalize (npm, over JSON.parse)
digests           hashlib, over those bytes
signatures        cryptography (OpenSSL), PyNaCl (libsodium) and Node's crypto
JCS-R-4           edwards.py by each profile's rules; OpenSSL speaks for ref10, libsodium for strict, @noble/curves for zip215
refusals          a strict reader made of Python's json: UTF-8, duplicates, surrogates, overflow, literals

Exit status 1 on any disagreement that is not explained.
"""

import argparse
import base64
import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys
import tomllib
from collections import Counter

import nacl.signing
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

import corpus
import edwards

HERE = pathlib.Path(__file__).resolve().parent
BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


class Refused(Exception):
    pass


def pairs(members):
    seen = {}
    for name, value in members:
        if name in seen:
            raise Refused(f"duplicate name {name!r}")
        seen[name] = value
    return seen


def constant(word):
    raise Refused(f"{word} is no JSON")


def number(text):
    # Integers go through a double as ECMAScript's do: rfc8785 refuses every integer beyond 2^53, exact or not.
    value = float(text)
    if math.isinf(value):
        raise Refused(f"{text[:30]} overflows")
    return value


def canonical(document):
    """The canonical bytes by Python's json and rfc8785, or Refused."""
    try:
        value = json.loads(document.decode("utf-8"), parse_int=number, parse_float=number, parse_constant=constant,
                           object_pairs_hook=pairs)
        return rfc8785.dumps(value)
    except (ValueError, rfc8785.CanonicalizationError) as error:
        raise Refused(str(error)) from error


def unbase64(text, length):
    """Strict base64url without padding, of exactly so many bytes."""
    if not BASE64URL.fullmatch(text) or len(text) % 4 == 1:
        raise Refused("not base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(data) != length:
        raise Refused(f"{len(data)} bytes")
    return data


def b64(data):
    return base64.b64encode(data).decode()


class Node:
    """oracle.mjs, one request after the other."""

    def __init__(self):
        self.process = subprocess.Popen(["node", "oracle.mjs"], cwd=HERE, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def ask(self, op, **data):
        request = {"op": op, **{key: b64(value) for key, value in data.items()}}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Check:
    def __init__(self, profiles):
        self.node = Node()
        self.profiles = profiles
        self.counts = Counter()
        self.faults = []

    def agree(self, what):
        self.counts[what] += 1

    def fault(self, case, text):
        self.faults.append(f"{case['id']}: {text}")

    def bytes_of(self, document):
        """Both libraries' canonical bytes, which must be the same."""
        python = canonical(document)
        answer = self.node.ask("canonicalize", document=document)
        if "ok" not in answer:
            raise AssertionError(f"canonicalize fails: {answer}")
        node = base64.b64decode(answer["ok"])
        if node != python:
            raise AssertionError(f"libraries differ: {python[:80]!r}, {node[:80]!r}")
        return python

    def same_bytes(self, case, expect, document):
        got = self.bytes_of(document)
        if "bytes" in expect:
            right = expect["bytes"] == got
        else:
            digest = hashlib.sha256(got)
            encoded = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
            right = expect["sha256"] in (digest.hexdigest(), encoded)
        if right:
            self.agree("canonical bytes: two libraries agree with the expectation")
        else:
            self.fault(case, f"expected {str(expect)[:120]}, libraries {got[:120]!r}")

    def refused(self, case, work):
        try:
            work()
        except Refused:
            self.agree(f"{case['operation']} refusals: the strict reader refuses")
        else:
            self.fault(case, "expected to be refused, but the strict reader reads it")

    def canonicalize(self, case):
        document, expect = case["params"]["document"], case["expect"]
        deep = "JCS-DEEP-1" in case["requirements"]
        if "ok" in expect:
            self.same_bytes(case, expect["ok"], document)
        elif "refused" in expect:
            if deep:
                self.counts["explained: deeper than the libraries read, reasoned by hand"] += 1
                return
            self.refused(case, lambda: canonical(document))
        else:
            for name, branch in expect["readings"].items():
                if "ok" not in branch:
                    continue
                if deep:
                    self.counts["explained: deeper than the libraries read, reasoned by hand"] += 1
                    continue
                mark = b"\xef\xbb\xbf"
                self.same_bytes(case, branch["ok"], document.removeprefix(mark) if name == "skipped" else document)

    def digest(self, case):
        document, expect = case["params"]["document"], case["expect"]
        if "refused" in expect:
            self.refused(case, lambda: canonical(document))
            return
        digest = hashlib.sha256(self.bytes_of(document)).digest()
        if expect["ok"]["equals"] == {"sha256": base64.urlsafe_b64encode(digest).rstrip(b"=").decode()}:
            self.agree("digests: hashlib agrees")
        else:
            self.fault(case, "digest differs")

    def sign(self, case):
        params, expect = case["params"], case["expect"]
        if "refused" in expect:
            self.refused(case, lambda: (unbase64(params["seed"], 32), canonical(params["document"])))
            return
        seed, message = unbase64(params["seed"], 32), self.bytes_of(params["document"])
        openssl = Ed25519PrivateKey.from_private_bytes(seed)
        sodium = nacl.signing.SigningKey(seed)
        signatures = {openssl.sign(message), sodium.sign(message).signature,
                      base64.b64decode(self.node.ask("sign", message=message, seed=seed)["ok"]),
                      unbase64(expect["ok"]["equals"]["signature"], 64)}
        keys = {openssl.public_key().public_bytes_raw(), bytes(sodium.verify_key),
                unbase64(expect["ok"]["equals"]["public_key"], 32)}
        if len(signatures) == len(keys) == 1:
            self.agree("signatures: three libraries agree")
        else:
            self.fault(case, "signatures or keys differ")

    def opinions(self, key, message, signature):
        """Who accepts: profile by its own rules, and the libraries."""
        seen = {profile: verify(key, message, signature) for profile, verify in edwards.PROFILES.items()}
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
            seen["OpenSSL"] = True
        except Exception:
            seen["OpenSSL"] = False
        try:
            nacl.signing.VerifyKey(key).verify(message, signature)
            seen["libsodium"] = True
        except Exception:
            seen["libsodium"] = False
        data = {"message": message, "signature": signature, "key": key}
        seen["Node"] = self.node.ask("verify", **data).get("ok", False)
        seen["noble"] = self.node.ask("zip215", **data).get("ok", False)
        return seen

    def verify(self, case):
        params, expect = case["params"], case["expect"]
        try:
            key, signature = unbase64(params["public_key"], 32), unbase64(params["signature"], 64)
            message = canonical(params["document"])
            if "ok" in expect:
                self.bytes_of(params["document"])
        except Refused as error:
            if "refused" in expect:
                self.agree("jcs.verify refusals: the strict reader refuses")
            else:
                self.fault(case, f"expected to be accepted, but {error}")
            return
        seen = self.opinions(key, message, signature)
        if "readings" in expect:
            name = case["id"].rsplit("/", 1)[1]
            for profile, answers in self.profiles.items():
                answer = answers.get(name) or answers.get(case["id"])
                if answer != ("accepted" if seen[profile] else "refused"):
                    self.fault(case, f"{profile} lists {answer}, its rules say {seen[profile]}")
            for library, profile in (("OpenSSL", "ref10"), ("Node", "ref10"), ("libsodium", "strict"),
                                     ("noble", "zip215")):
                if seen[library] != seen[profile]:
                    self.fault(case, f"{library} differs from {profile}")
            self.agree("JCS-R-4: rules and libraries agree with the profiles")
        elif set(seen.values()) == {"ok" in expect}:
            self.agree(f"jcs.verify: three rule sets and four libraries {'accept' if 'ok' in expect else 'refuse'}")
        else:
            self.fault(case, f"expected {'ok' if 'ok' in expect else 'refused'}, got {seen}")

    def run(self, case):
        work = {"jcs.canonicalize": self.canonicalize, "jcs.digest": self.digest, "jcs.sign": self.sign,
                "jcs.verify": self.verify}[case["operation"]]
        try:
            work(case)
        except (AssertionError, Refused, KeyError, ValueError) as error:
            self.fault(case, f"{type(error).__name__}: {error}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("export", nargs="?", help="file with exported lines; standard input where left out")
    arguments.add_argument("--corpus", help="folder of TOML topics, instead of exported lines")
    arguments.add_argument("--requirements", default=HERE.parents[1] / "suites/jcs/requirements.toml")
    options = arguments.parse_args()
    edwards.self_test()
    requirements = tomllib.loads(pathlib.Path(options.requirements).read_text(encoding="utf-8"))["requirement"]
    points = next(r for r in requirements if r["id"] == "JCS-R-4")
    check = Check({profile["name"]: profile["answers"] for profile in points["profile"]})
    if options.corpus:
        cases = corpus.from_toml(options.corpus)
    else:
        lines = open(options.export, encoding="utf-8") if options.export else sys.stdin
        cases = corpus.from_export(lines, "jcs")
    total = 0
    for case in cases:
        if case["suite"] == "jcs":
            total += 1
            check.run(case)
    for what, count in sorted(check.counts.items()):
        print(f"{count:5}  {what}")
    for text in check.faults:
        print(f"UNEXPLAINED  {text}")
    print(f"{total} cases, {len(check.faults)} unexplained")
    return 1 if check.faults or not total else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main())
