"""Arrays as short text for a web page: 16-bit steps where that is fine enough, single precision elsewhere, base64."""

from __future__ import annotations

import base64
import json
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

NOTHING: Final = -32768  # stands for NaN
STEPS: Final = 65534  # from -32767 to 32767


def packed(values: ArrayLike, resolution: float | None = None) -> dict[str, Any]:
    """An array for `decode` in data.js: {"type", "shape", "scale", "offset", "data"}.

    Floats become 16-bit integers spread over their range; where a step would exceed `resolution` (in the array's own
    unit) they stay single precision. Integers become 32-bit integers, those of 8 bits without sign stay so.
    """
    array = np.asarray(values)
    if array.dtype == np.uint8:
        return _text(array, "u8", 1.0, 0.0)
    if array.dtype.kind in "iu":
        return _text(array.astype("<i4"), "i32", 1.0, 0.0)
    array = array.astype(float)
    known = array[np.isfinite(array)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    scale = (high - low) / STEPS or 1.0
    if resolution is not None and scale > resolution:
        return _text(array.astype("<f4"), "f32", 1.0, 0.0)
    offset = 0.5 * (low + high)
    steps = np.where(np.isfinite(array), np.round((np.nan_to_num(array) - offset) / scale), NOTHING)
    return _text(steps.astype("<i2"), "i16", scale, offset)


def unpacked(text: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The array of a `packed` one, as data.js decodes it."""
    kind = {"u8": "u1", "i16": "<i2", "i32": "<i4", "f32": "<f4"}[text["type"]]
    raw = np.frombuffer(base64.b64decode(text["data"]), kind).reshape(text["shape"])
    values = raw * text["scale"] + text["offset"]
    return np.where(raw == NOTHING, np.nan, values) if text["type"] == "i16" else np.asarray(values, float)


def json_for_script(value: Any) -> str:
    """JSON that is safe between <script> tags: nothing in it can end the element or begin another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _text(array: np.ndarray[Any, Any], kind: str, scale: float, offset: float) -> dict[str, Any]:
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return {"type": kind, "shape": list(array.shape), "scale": scale, "offset": offset, "data": data}
