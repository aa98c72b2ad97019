"""Injuries for files, text or binary: each takes bytes and a generator and returns bytes."""

from __future__ import annotations

import re

import numpy as np

NUMBERS = (
    b"nan",
    b"inf",
    b"-inf",
    b"1e308",
    b"-1e308",
    b"-1",
    b"0",
    b"999999999999",
    b"1e12",
    b"1e-320",
    b"1.5.2",
    b"0x1F",
    b"",
)
BINARY_WORDS = (b"\xff\xff", b"\x00\x00", b"\xff\x7f", b"\x00\x80", b"\x00\x00\xc0\x7f", b"\x00\x00\x80\xff")
INSERTS = (
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"{",
    b"}",
    b"[" * 2000,
    b"\t",
    b"\r",
    b"\xe9",
    "\u2028".encode(),
    b"#",
    b":",
)


def mutate(data: bytes, rng: np.random.Generator) -> bytes:
    """One to four random injuries."""
    for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
        data = MUTATORS[int(rng.integers(len(MUTATORS)))](data, rng)
    return data


def flip_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    out = bytearray(data)
    for _ in range(int(rng.choice([1, 4, 16]))):
        if out:
            out[int(rng.integers(len(out)))] = int(rng.integers(256))
    return bytes(out)


def flip_front(data: bytes, rng: np.random.Generator) -> bytes:
    """Headers decide most: injure the first part."""
    cut = min(len(data), int(rng.choice([24, 600, 1200])))
    return flip_bytes(data[:cut], rng) + data[cut:]


def truncate(data: bytes, rng: np.random.Generator) -> bytes:
    return data[: int(rng.integers(len(data) + 1))]


def change_lines(data: bytes, rng: np.random.Generator) -> bytes:
    """Delete, double or swap lines."""
    lines = data.split(b"\n")
    i, j = (int(k) for k in rng.integers(len(lines), size=2))
    match int(rng.integers(3)):
        case 0:
            del lines[i]
        case 1:
            lines.insert(i, lines[j])
        case _:
            lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def change_number(data: bytes, rng: np.random.Generator) -> bytes:
    found = list(re.finditer(rb"-?\d+(\.\d+)?(e[+-]?\d+)?", data))
    if not found:
        return data
    match = found[int(rng.integers(len(found)))]
    return data[: match.start()] + NUMBERS[int(rng.integers(len(NUMBERS)))] + data[match.end() :]


def change_digits(data: bytes, rng: np.random.Generator) -> bytes:
    """Other numbers of the same length: mostly still a valid file."""
    out = bytearray(data)
    digits = [i for i, byte in enumerate(out) if 48 <= byte < 58]
    for at in rng.permutation(digits)[: int(rng.choice([1, 10, 100]))] if digits else ():
        out[int(at)] = 48 + int(rng.integers(10))
    return bytes(out)


def delete_token(data: bytes, rng: np.random.Generator) -> bytes:
    found = list(re.finditer(rb"[^\s,]+", data))
    if not found:
        return data
    match = found[int(rng.integers(len(found)))]
    return data[: match.start()] + data[match.end() :]


def repeat_block(data: bytes, rng: np.random.Generator) -> bytes:
    if not data:
        return data
    start = int(rng.integers(len(data)))
    block = data[start : start + int(rng.choice([1, 16, 256, 2048]))]
    return data[:start] + block * int(rng.choice([2, 10, 100])) + data[start:]


def insert_oddity(data: bytes, rng: np.random.Generator) -> bytes:
    at = int(rng.integers(len(data) + 1))
    return data[:at] + INSERTS[int(rng.integers(len(INSERTS)))] + data[at:]


def change_word(data: bytes, rng: np.random.Generator) -> bytes:
    """Overwrite an aligned word with an extreme value."""
    at = 2 * int(rng.integers(max(1, min(len(data), 1600) // 2)))
    word = BINARY_WORDS[int(rng.integers(len(BINARY_WORDS)))]
    return data[:at] + word + data[at + len(word) :]


MUTATORS = (
    flip_bytes,
    flip_front,
    truncate,
    change_lines,
    change_number,
    change_number,
    change_digits,
    delete_token,
    repeat_block,
    insert_oddity,
    change_word,
)
