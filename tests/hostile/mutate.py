# SPDX-License-Identifier: Apache-2.0
"""Files as accidents and attackers change them. Everything follows from the random generator that is passed in."""
import json
import re
import struct

import seeds

NUMBERS = [b"0", b"-1", b"1", b"2", b"3", b"255", b"65536", b"2147483647", b"4294967295", b"18446744073709551616", b"-0.0",
           b"1e-45", b"1e-300", b"1e17", b"1e38", b"1e99", b"1e308", b"1e999", b"nan", b"inf", b"0x10", b"1,5", b"1" * 400]
WORDS = [struct.pack("<I", w) for w in (0, 1, 0x7F, 0xFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)] + [
    struct.pack("<f", f) for f in (1e-45, 1e-30, 1e18, 3e38, float("inf"), float("nan"), -1.0)]
PIECES = [b"\0", b"\xff", b"\n", b" ", b"\"", b"{", b"}", b"[", b"]", b"null", b"\\u0000", b"\x1b[2J", b"\xc3\x28", b"=1+1", b"/", b"//"]


def _range(random, data, longest=64):
    begin = random.randrange(len(data) + 1)
    return begin, min(len(data), begin + random.randint(1, longest))


def _flip(random, data):
    out = bytearray(data)
    for _ in range(random.randint(1, 4)):
        out[random.randrange(len(out))] ^= 1 << random.randrange(8)
    return bytes(out)


def _cut(random, data):
    return data[:random.randrange(len(data))]


def _delete(random, data):
    begin, end = _range(random, data)
    return data[:begin] + data[end:]


def _repeat(random, data):
    begin, end = _range(random, data, 200)
    return data[:end] + data[begin:end] * random.choice((1, 2, 50, 1000)) + data[end:]


def _insert(random, data):
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(PIECES) * random.choice((1, 1, 300)) + data[at:]


def _number(random, data):
    found = list(re.finditer(rb"-?\d[\d.]*(?:e-?\d+)?", data))
    if not found:
        return _flip(random, data)
    at = random.choice(found)
    return data[:at.start()] + random.choice(NUMBERS) + data[at.end():]


def _word(random, data):
    if len(data) < 4:
        return _insert(random, data)
    at = random.randrange(len(data) // 4) * 4
    return data[:at] + random.choice(WORDS) + data[at + 4:]


def _swap(random, data):
    parts = re.split(rb"(\s+|,)", data)
    if len(parts) < 3:
        return _flip(random, data)
    a, b = random.randrange(len(parts)), random.randrange(len(parts))
    parts[a], parts[b] = parts[b], parts[a]
    return b"".join(parts)


TEXT = (_flip, _cut, _delete, _repeat, _insert, _number, _number, _number, _swap, _swap)
BINARY = (_flip, _cut, _delete, _repeat, _insert, _word, _word, _word)


def _changed(random, data, ways):
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(ways)(random, data or b"0")
    return data


def text(random, data):
    return _changed(random, data, TEXT)


def binary(random, data):
    return _changed(random, data, BINARY)


VALUES = [None, True, 0, -1, 1, 2, 3, 1000000, 4294967296, 0.5, -1e-300, 1e17, 1e38, 1e99, 1e308, "", "x", "Arm", "SCALAR", "VEC4", [], {}]


def _members(value):
    """Every list and object of a document, with the keys of its members."""
    if isinstance(value, (list, dict)):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from _members(value[key])


def document(random, data):
    """JSON that stays JSON: a value is changed, removed, moved or repeated. Else as text."""
    try:
        root = json.loads(data)
    except ValueError:
        return text(random, data)
    for _ in range(random.choice((1, 1, 2))):
        places = list(_members(root))
        if not places or random.random() < 0.2:
            return text(random, json.dumps(root).encode())
        holder, key = random.choice(places)
        way = random.randrange(5)
        if way == 0:
            del holder[key]
        elif way == 1 and isinstance(holder, list):
            holder += [holder[key]] * random.choice((1, 2, 500))
        elif way == 2:
            other, there = random.choice(places)
            holder[key] = json.loads(json.dumps(other[there]))
        else:
            holder[key] = random.choice(VALUES)
    return json.dumps(root).encode()


def mixed(random, data):
    """For a text header before binary data."""
    return _changed(random, data, TEXT + BINARY)


def glb(random, data):
    """One chunk, in a container that fits; or the whole file."""
    if len(data) < 20 or random.random() < 0.3:
        return binary(random, data)
    content, rest = seeds.split_glb(data)
    if random.random() < 0.7:
        content = document(random, content)
    else:
        rest = binary(random, rest or b"0")
    return seeds.join_glb(content, rest)
