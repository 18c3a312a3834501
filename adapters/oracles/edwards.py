"""Ed25519 in plain big-integer arithmetic, for building signatures that no library will make.

Nothing here is constant-time or fast, and none of it may sign anything real. It exists so that the cases of
`corpus/jcs/verifier/points.toml` can be built, and judged by the three published sets of verification rules, without
asking the implementation under test. `self_test` holds it against RFC 8032's vectors.
"""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1)


def add(a, b):
    """The complete addition law of the curve, in affine coordinates."""
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2 % P
    x3 = (x1 * y2 + x2 * y1) * pow(1 + t, P - 2, P)
    y3 = (y1 * y2 + x1 * x2) * pow(1 - t, P - 2, P)
    return x3 % P, y3 % P


def negate(a):
    return -a[0] % P, a[1]


def multiply(n, a):
    total = IDENTITY
    while n:
        if n & 1:
            total = add(total, a)
        a = add(a, a)
        n >>= 1
    return total


def x_from_y(y):
    """A square root for x, or None where y is not on the curve."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * SQRT_MINUS_1 % P
    return x if x * x % P == square else None


def encode(a):
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


def decode(data, lenient):
    """A point, or None. Lenient decoding reduces y >= p and ignores the sign where x is 0, as ref10 and ZIP 215 do."""
    if len(data) != 32:
        return None
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P and not lenient:
        return None
    y %= P
    x = x_from_y(y)
    if x is None or (x == 0 and sign and not lenient):
        return None
    return (-x % P if x & 1 != sign else x), y


B = (x_from_y(4 * pow(5, P - 2, P) % P), 4 * pow(5, P - 2, P) % P)
B = B if B[0] % 2 == 0 else negate(B)


def torsion():
    """The eight points of small order: the multiples of one of order eight."""
    y = 2
    while True:
        x = x_from_y(y)
        if x is not None:
            candidate = multiply(L, (x, y))
            if multiply(4, candidate) != IDENTITY:
                return [multiply(i, candidate) for i in range(8)]
        y += 1


def order(a):
    return next(n for n in (1, 2, 4, 8) if multiply(n, a) == IDENTITY)


def sha512_scalar(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def expand(seed):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    return scalar, digest[32:]


def public_key(seed):
    return encode(multiply(expand(seed)[0], B))


def sign(seed, message, domain=b""):
    """RFC 8032, section 5.1.6; `domain` is dom2(...) for the variants with a context or a prehash."""
    scalar, prefix = expand(seed)
    key = encode(multiply(scalar, B))
    r = sha512_scalar(domain, prefix, message)
    r_bytes = encode(multiply(r, B))
    k = sha512_scalar(domain, r_bytes, key, message)
    return r_bytes + ((r + k * scalar) % L).to_bytes(32, "little")


def dom2(flag, context):
    return b"SigEd25519 no Ed25519 collisions" + bytes([flag, len(context)]) + context


def parts(signature):
    return signature[:32], int.from_bytes(signature[32:], "little")


def verify_zip215(key, message, signature):
    """ZIP 215: lenient decoding of A and R, S < L, the equation multiplied by the cofactor."""
    r_bytes, s = parts(signature)
    a, r = decode(key, True), decode(r_bytes, True)
    if len(signature) != 64 or a is None or r is None or s >= L:
        return False
    k = sha512_scalar(r_bytes, key, message)
    rest = add(multiply(s, B), negate(add(r, multiply(k, a))))
    return multiply(8, rest) == IDENTITY


def verify_ref10(key, message, signature):
    """ref10: lenient decoding of A, S < L, and R compared as bytes with the encoding of sB - kA."""
    r_bytes, s = parts(signature)
    a = decode(key, True)
    if len(signature) != 64 or a is None or s >= L:
        return False
    k = sha512_scalar(r_bytes, key, message)
    return encode(add(multiply(s, B), negate(multiply(k, a)))) == r_bytes


def verify_strict(key, message, signature):
    """As ref10, and neither A nor R may be of small order."""
    a, r = decode(key, True), decode(signature[:32], True)
    if a is None or r is None or IDENTITY in (multiply(8, a), multiply(8, r)):
        return False
    return verify_ref10(key, message, signature)


PROFILES = {"strict": verify_strict, "ref10": verify_ref10, "zip215": verify_zip215}


def self_test():
    """RFC 8032, sections 7.1 (TEST 2), 7.2 (foo) and 7.3 (TEST abc)."""
    seed = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    expected = (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert sign(seed, b"\x72").hex() == expected
    for verify in PROFILES.values():
        assert verify(public_key(seed), b"\x72", bytes.fromhex(expected))
        assert not verify(public_key(seed), b"\x73", bytes.fromhex(expected))
    seed = bytes.fromhex("0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6")
    expected = (
        "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a"
        "8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d"
    )
    message = bytes.fromhex("f726936d19c800494e3fdaff20b276a8")
    assert sign(seed, message, dom2(0, b"foo")).hex() == expected
    seed = bytes.fromhex("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42")
    expected = (
        "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41"
        "31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406"
    )
    assert sign(seed, hashlib.sha512(b"abc").digest(), dom2(1, b"")).hex() == expected
    assert [order(p) for p in torsion()] == [1, 8, 4, 8, 2, 8, 4, 8]


if __name__ == "__main__":
    self_test()
    print("edwards.py agrees with RFC 8032's vectors")
