"""Builds the signatures of JCS-R-4 (`corpus/jcs/verifier/points.toml`): `python3 points.py` prints them as JSON lines.

Each has an id, a document {"n":i} (i counted up until the hash k = SHA-512(R || A || M) has the residue that the case
needs), a public key, a signature, and the answers of the three profiles, worked out by `edwards.py`.
"""

import json
from base64 import urlsafe_b64encode

from edwards import (B, IDENTITY, L, P, PROFILES, add, encode, expand, multiply, negate, order, self_test, sha512_scalar,
                     torsion)

SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
SCALAR = expand(SEED)[0]
KEY = encode(multiply(SCALAR, B))
NONCE = 8 * 1234567 + 1

SIGN = 1 << 255


def encoding(y, sign=0):
    return (y | sign << 255).to_bytes(32, "little")


# The six encodings of small-order points that RFC 8032's decoding refuses.
NON_CANONICAL = {
    "identity-with-sign": encoding(1, 1),
    "identity-plus-p": encoding(P + 1),
    "identity-plus-p-with-sign": encoding(P + 1, 1),
    "order-2-with-sign": encoding(P - 1, 1),
    "order-4-plus-p": encoding(P),
    "order-4-plus-p-with-sign": encoding(P, 1),
}


def documents():
    n = 0
    while True:
        yield b'{"n":%d}' % n
        n += 1


def search(key, r_bytes, wanted):
    """The first document whose k fits, and k."""
    for document in documents():
        k = sha512_scalar(r_bytes, key, document)
        if wanted(k):
            return document, k


def scalar(s):
    return (s % L).to_bytes(32, "little")


def build():
    """Yields (id, document, key, signature)."""
    points = torsion()
    r_bytes = encode(multiply(NONCE, B))
    # A of small order, k a multiple of its order: kA vanishes, and (rB, r) is a signature that anyone can make.
    for index, point in enumerate(points):
        key = encode(point)
        document, _ = search(key, r_bytes, lambda k: k % 8 == 0)
        yield f"small-order-key-{index}", document, key, r_bytes + scalar(NONCE)
    # The same with k odd: the equation holds after multiplication by 8 only.
    key = encode(points[1])
    document, _ = search(key, r_bytes, lambda k: k % 2 == 1)
    yield "small-order-key-cofactored-only", document, key, r_bytes + scalar(NONCE)
    for name, key in NON_CANONICAL.items():
        document, _ = search(key, r_bytes, lambda k: k % 4 == 0)
        yield f"non-canonical-key-{name}", document, key, r_bytes + scalar(NONCE)
    # R of small order under an honest key: S = ka.
    for index, name in ((0, "identity"), (4, "order-2"), (2, "order-4"), (1, "order-8")):
        small = encode(points[index])
        document, k = search(KEY, small, lambda _: True)
        yield f"small-order-r-{name}", document, KEY, small + scalar(k * SCALAR)
    for name, small in NON_CANONICAL.items():
        document, k = search(KEY, small, lambda _: True)
        yield f"non-canonical-r-{name}", document, KEY, small + scalar(k * SCALAR)
    # A honest plus a point of order 8.
    mixed = add(multiply(SCALAR, B), points[1])
    key = encode(mixed)
    document, k = search(key, r_bytes, lambda k: k % 8 == 0)
    yield "mixed-order-key-exact", document, key, r_bytes + scalar(NONCE + k * SCALAR)
    document, k = search(key, r_bytes, lambda k: k % 8 == 4)
    yield "mixed-order-key-cofactored-only", document, key, r_bytes + scalar(NONCE + k * SCALAR)
    # R with a part of small order, under an honest key.
    mixed_r = encode(add(multiply(NONCE, B), points[4]))
    document, k = search(KEY, mixed_r, lambda _: True)
    yield "mixed-order-r-cofactored-only", document, KEY, mixed_r + scalar(NONCE + k * SCALAR)
    # Both mixed, their small parts cancelling out: R = rB - kT.
    mixed_r = encode(add(multiply(NONCE, B), negate(multiply(3, points[1]))))
    document, k = search(key, mixed_r, lambda k: k % 8 == 3)
    yield "mixed-order-key-and-r-exact", document, key, mixed_r + scalar(NONCE + k * SCALAR)
    # R of small order that a mixed A cancels: exact, with a small-order R.
    small = encode(negate(multiply(5, points[1])))
    document, k = search(key, small, lambda k: k % 8 == 5)
    yield "small-order-r-mixed-order-key-exact", document, key, small + scalar(k * SCALAR)
    # Everything of small order: a "signature" of zeros over any document.
    key = encode(IDENTITY)
    document, _ = search(key, key, lambda _: True)
    yield "small-order-key-and-r", document, key, key + scalar(0)
    key, small = encode(points[4]), encode(points[4])
    document, _ = search(key, small, lambda k: k % 2 == 1)
    yield "order-2-key-and-r", document, key, small + scalar(0)


def text(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def main():
    self_test()
    for name, document, key, signature in build():
        answers = {profile: "accepted" if verify(key, document, signature) else "refused"
                   for profile, verify in PROFILES.items()}
        print(json.dumps({"id": name, "document": document.decode(), "public_key": text(key),
                          "signature": text(signature), "answers": answers}))


if __name__ == "__main__":
    main()
