"""Mutated body files: a body or one line, never a traceback."""

import numpy as np

from reenact.body.load import load_body
from reenact.body.toml import dump_body, parse_body
from reenact.errors import BodyError

JUNK = [
    "nan",
    "-inf",
    "1e400",
    "''",
    "[]",
    "{}",
    "true",
    "[[1]]",
    '"left"',
    "-1",
    "{ a = 1 }",
    "[nan, 1, 2]",
    "2020-01-01",
]


def mutated(text, rng):
    """One of: a value replaced by junk, a line dropped, a line doubled, a cut, a character changed."""
    lines = text.split("\n")
    i = int(rng.integers(len(lines)))
    match rng.integers(5):
        case 0:
            key, equals, _ = lines[i].partition(" = ")
            lines[i] = key + equals + str(rng.choice(JUNK))
        case 1:
            del lines[i]
        case 2:
            lines.insert(int(rng.integers(len(lines))), lines[i])
        case 3:
            return text[: int(rng.integers(20, len(text)))] if len(text) > 20 else text
        case _:
            at = int(rng.integers(len(text) + 1))
            return text[:at] + chr(int(rng.integers(32, 300))) + text[at + 1 :]
    return "\n".join(lines)


def complaint(text):
    """The message of the error that a text gives, or None."""
    try:
        parse_body(text, "fuzz.toml")
    except BodyError as error:
        return str(error)
    return None


def test_mutated_files_give_a_body_or_one_line():
    rng = np.random.default_rng(7)
    errors = 0
    for name in ("human50", "adult"):
        text = dump_body(load_body(name))
        for _ in range(150):
            broken = text
            for _ in range(int(rng.integers(1, 4))):
                broken = mutated(broken, rng)
            message = complaint(broken)
            if message is not None:
                assert message.startswith("fuzz.toml:")
                assert "\n" not in message
                errors += 1
    assert errors > 100
