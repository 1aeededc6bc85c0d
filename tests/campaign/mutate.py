"""Changes to files: of bytes, of words, of numbers, of length, and between two files."""

import gzip
import re

NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
WORD = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|\s+|.", re.DOTALL)
EXTREMES = [
    b"0", b"-0", b"1", b"-1", b"2", b"127", b"128", b"255", b"256", b"65535", b"65536", b"2147483647", b"2147483648",
    b"-2147483648", b"4294967295", b"4294967296", b"9007199254740993", b"9223372036854775807", b"9223372036854775808",
    b"-9223372036854775809", b"18446744073709551615", b"18446744073709551616", b"1e308", b"1.8e308", b"1e309", b"-1e309",
    b"5e-324", b"1e-324", b"2.2250738585072014e-308", b"1e-45", b"3.5e38", b"0.1", b"0.9999999999999999", b"1.0000000000000002",
    b"1e-17", b"1e999999999", b"1e-999999999", b"inf", b"-inf", b"nan", b"0x10", b"1_000", b"00012", b"1e", b".5", b"5.",
    b"1/3", b"1/0", b"?", b"9" * 400, b"0." + b"0" * 400 + b"1",
]
BYTES = [b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b"\x1b[2J", b"\xc3", b"\xe2\x80\xae", b"\"", b"`", b"'", b",", b";"]


def flip(rng, data, _other):
    """A few bytes become others."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8, 32])):
        if data:
            at = rng.randrange(len(data))
            data[at] = rng.choice([rng.randrange(256), data[at] ^ (1 << rng.randrange(8)), 0, 255])
    return bytes(data)


def cut(rng, data, _other):
    """The file ends early, or begins late."""
    at = rng.randrange(len(data) + 1)
    return data[:at] if rng.random() < 0.7 else data[at:]


def drop(rng, data, _other):
    """A stretch is missing."""
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice([1, 2, 4, 16, 100]):]


def repeat(rng, data, _other):
    """A stretch is there many times."""
    at = rng.randrange(len(data) + 1)
    piece = data[at:at + rng.choice([1, 3, 10, 60])]
    return data[:at] + piece * rng.choice([2, 3, 20, 300]) + data[at:]


def insert(rng, data, _other):
    """Bytes that texts seldom have."""
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(BYTES) * rng.choice([1, 1, 1, 50]) + data[at:]


def number(rng, data, _other):
    """Some numbers become extreme ones."""
    places = list(NUMBER.finditer(data))
    for place in sorted(rng.sample(places, min(len(places), rng.choice([1, 1, 2, 5]))), key=lambda m: -m.start()):
        data = data[:place.start()] + rng.choice(EXTREMES) + data[place.end():]
    return data


def words(rng, data, _other):
    """Words are exchanged, doubled or left out."""
    pieces = WORD.findall(data)
    for _ in range(rng.choice([1, 1, 2, 6])):
        if len(pieces) > 1:
            a, b = rng.randrange(len(pieces)), rng.randrange(len(pieces))
            way = rng.random()
            if way < 0.4:
                pieces[a], pieces[b] = pieces[b], pieces[a]
            elif way < 0.7:
                pieces[a] = pieces[b]
            else:
                del pieces[a]
    return b"".join(pieces)


def lines(rng, data, _other):
    """Lines are exchanged, doubled or left out."""
    rows = data.splitlines(keepends=True)
    if len(rows) > 1:
        a, b = rng.randrange(len(rows)), rng.randrange(len(rows))
        way = rng.random()
        if way < 0.4:
            rows[a], rows[b] = rows[b], rows[a]
        elif way < 0.7:
            rows.insert(a, rows[b])
        else:
            del rows[a]
    return b"".join(rows)


def splice(rng, data, other):
    """The head of one file and the tail of another."""
    return data[:rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1):]


WAYS = [flip, cut, drop, repeat, insert, number, number, number, words, words, lines, splice]


def mutate(rng, data, other):
    """One to four changes; of what is gzipped, mostly of what is inside."""
    zipped = data[:2] == b"\x1f\x8b"
    if zipped and rng.random() < 0.7:
        data = gzip.decompress(data)
    else:
        zipped = False
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = rng.choice(WAYS)(rng, data, other)
    return gzip.compress(data, 1, mtime=0) if zipped else data
