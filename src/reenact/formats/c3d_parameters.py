"""Header and parameter section of a C3D file, read with every bound checked (The C3D File Format User Guide)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.geometry.rotation import Array

BLOCK: Final = 512  # bytes
MAGIC: Final = 0x50
_PROCESSORS: Final[dict[int, str]] = {84: "intel", 85: "dec", 86: "mips"}
_ITEM_SIZE: Final[dict[int, int]] = {-1: 1, 1: 1, 2: 2, 4: 4}

Value = tuple[float, ...] | tuple[str, ...]
Bytes = NDArray[np.uint8]


@dataclass(slots=True, kw_only=True)
class C3dHeader:
    """What the first block and the parameters say; nothing of it is believed before it is checked against the size."""

    processor: str
    points: int
    analog_per_frame: int
    first_frame: int
    last_frame: int
    scale: float
    data_block: int
    rate: float
    parameters: dict[tuple[str, str], Value] = field(default_factory=dict)  # ("POINT", "RATE") → values

    def text(self, group: str, name: str) -> str:
        """First string of a parameter, stripped; "" where absent."""
        value = self.parameters.get((group, name), ())
        return value[0].strip() if value and isinstance(value[0], str) else ""

    def number(self, group: str, name: str) -> float | None:
        """First number of a parameter."""
        value = self.parameters.get((group, name), ())
        return float(value[0]) if value and not isinstance(value[0], str) else None


class _Decoder:
    """Integers and floats of one processor's byte order."""

    def __init__(self, processor: str) -> None:
        self.processor = processor

    def int16(self, data: bytes, at: int, count: int = 1) -> Array:
        return decode_integers(np.frombuffer(data, np.uint8, 2 * count, at), self.processor)

    def uint16(self, data: bytes, at: int) -> int:
        return int(self.int16(data, at)[0]) % 65536

    def float32(self, data: bytes, at: int, count: int = 1) -> Array:
        with np.errstate(all="ignore"):
            return decode_floats(np.frombuffer(data, np.uint8, 4 * count, at), self.processor)


def decode_integers(raw: Bytes, processor: str) -> Array:
    """Signed 16-bit integers of bytes (2·n,) as numbers (n,)."""
    return np.asarray(raw.view(">i2" if processor == "mips" else "<i2"), float)


def decode_floats(raw: Bytes, processor: str) -> Array:
    """32-bit floats of bytes (4·n,) as numbers (n,): IEEE in either order, or VAX as DEC machines wrote them."""
    if processor == "dec":
        words = raw.view("<u2").reshape(-1, 2)[:, ::-1]  # VAX keeps the high word first
        return np.asarray(np.ascontiguousarray(words).view("<f4").reshape(-1), float) / 4.0
    return np.asarray(raw.view(">f4" if processor == "mips" else "<f4"), float)


def parse_header(data: bytes, path: Path) -> C3dHeader:
    """Header block and all parameters."""
    if len(data) < 2 * BLOCK or data[1] != MAGIC:
        raise InputError("is not a C3D file: the second byte is not 0x50, or it is shorter than two blocks", path=path)
    section = (data[0] - 1) * BLOCK
    if section < BLOCK or section + 4 > len(data):
        raise InputError(f"parameters should begin in block {data[0]}, which is not in the file", path=path)
    processor = _PROCESSORS.get(data[section + 3])
    if processor is None:
        raise InputError(f"processor type {data[section + 3]}, expected 84, 85 or 86", path=path)
    decoder = _Decoder(processor)
    header = C3dHeader(
        processor=processor,
        points=decoder.uint16(data, 2),
        analog_per_frame=decoder.uint16(data, 4),
        first_frame=decoder.uint16(data, 6),
        last_frame=decoder.uint16(data, 8),
        scale=float(decoder.float32(data, 12)[0]),
        data_block=decoder.uint16(data, 16),
        rate=float(decoder.float32(data, 20)[0]),
    )
    _parse_parameters(data, section, decoder, header, path)
    return header


def _parse_parameters(data: bytes, section: int, decoder: _Decoder, header: C3dHeader, path: Path) -> None:
    """Walk the chain of groups and parameters; each record says how far away the next one is."""
    groups: dict[int, str] = {}
    found: list[tuple[int, str, Value]] = []
    end = min(len(data), section + max(1, data[section + 2]) * BLOCK)
    at = section + 4
    while at + 2 <= end:
        length, group = abs(_int8(data[at])), _int8(data[at + 1])
        if length == 0 or group == 0:
            break
        name_at, link_at = at + 2, at + 2 + length
        if link_at + 2 > end:
            raise InputError("a parameter runs past the parameter section", path=path)
        name = data[name_at:link_at].decode("latin-1").upper().strip()
        link = decoder.uint16(data, link_at)
        if group < 0:
            groups[-group] = name
        else:
            found.append((group, name, _value(data, link_at + 2, end, decoder, path, name)))
        if link == 0:
            break
        at = link_at + link
    for group, name, value in found:
        header.parameters.setdefault((groups.get(group, ""), name), value)


def _value(data: bytes, at: int, end: int, decoder: _Decoder, path: Path, name: str) -> Value:
    """Strings or numbers of one parameter."""
    if at + 2 > end:
        raise InputError(f"parameter {name[:40]!r} is cut off", path=path)
    kind, dimensions = _int8(data[at]), data[at + 1]
    sizes = list(data[at + 2 : at + 2 + dimensions])
    start = at + 2 + dimensions
    count = 1
    for size in sizes:
        count *= size
    if kind not in _ITEM_SIZE or dimensions > 7 or start + count * _ITEM_SIZE[kind] > end:
        raise InputError(f"parameter {name[:40]!r} has a size or type that does not fit in its section", path=path)
    if kind == -1:
        width = sizes[0] if sizes else 1
        text = data[start : start + count].decode("latin-1")
        return tuple(text[i : i + width] for i in range(0, count, width)) if width else ()
    if kind == 1:
        return tuple(float(_int8(byte)) for byte in data[start : start + count])
    if kind == 2:
        return tuple(float(v) for v in decoder.int16(data, start, count)) if count else ()
    return tuple(float(v) for v in decoder.float32(data, start, count)) if count else ()


def _int8(byte: int) -> int:
    return byte - 256 if byte > 127 else byte
