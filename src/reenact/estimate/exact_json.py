"""Values as JSON that gives the same bits when it is read: numbers, texts, arrays, and dataclasses made of them.

Floats are written in hexadecimal, arrays as their bytes. A dataclass is written with the names of all its fields; where
it has others by the time it is read, that is an error rather than a guess. What cannot be written is refused.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from importlib import import_module
from typing import Any, Final

import numpy as np

from reenact.errors import InputError

_OWN: Final = "reenact."  # modules whose dataclasses are read
_FLOAT, _ARRAY, _SCALAR, _TUPLE, _DICT, _CLASS, _FIELDS = "float", "array", "scalar", "tuple", "dict", "class", "fields"


def dumps(value: Any) -> str:
    """The value as one line of JSON; TypeError where it holds something else than numbers, texts and their like."""
    text = json.dumps(_packed(value, type(value).__name__), ensure_ascii=False)
    if json.dumps(_packed(loads(text), "again"), ensure_ascii=False) != text:
        raise TypeError(f"a {type(value).__name__} does not come back as it was written")
    return text


def loads(text: str) -> Any:
    """The value behind a line of JSON; InputError where it is none, or of classes that are no longer the same."""
    try:
        return _unpacked(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, ImportError, RecursionError) as error:
        raise InputError(f"cannot be read: {error}") from None


def _packed(value: Any, where: str) -> Any:
    """As plain JSON; where: of the value within the whole, for the error."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return {_FLOAT: value.hex()}
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        numbers = np.ascontiguousarray(value)
        how = _ARRAY if isinstance(value, np.ndarray) else _SCALAR
        return {how: [value.dtype.str, list(value.shape), base64.b64encode(numbers.tobytes()).decode()]}
    if type(value) in (list, tuple):
        items = [_packed(item, f"{where}[{i}]") for i, item in enumerate(value)]
        return items if type(value) is list else {_TUPLE: items}
    if type(value) is dict:
        return {_DICT: [[_packed(k, f"a key of {where}"), _packed(v, f"{where}[{k!r}]")] for k, v in value.items()]}
    kind = type(value)
    if dataclasses.is_dataclass(kind) and kind.__module__.startswith(_OWN):
        own = {f.name: _packed(getattr(value, f.name), f"{where}.{f.name}") for f in _fields(kind)}
        return {_CLASS: f"{kind.__module__}:{kind.__qualname__}", _FIELDS: own}
    raise TypeError(f"{where} is a {kind.__name__}, which cannot be written exactly")


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _FLOAT in value:
        return float.fromhex(value[_FLOAT])
    if _ARRAY in value or _SCALAR in value:
        kind, shape, content = value.get(_ARRAY) or value[_SCALAR]
        numbers = np.frombuffer(base64.b64decode(content), np.dtype(kind)).reshape(shape)
        return numbers.copy() if _ARRAY in value else numbers[()]
    if _TUPLE in value:
        return tuple(_unpacked(item) for item in value[_TUPLE])
    if _DICT in value:
        return {_unpacked(k): _unpacked(v) for k, v in value[_DICT]}
    return _instance(str(value[_CLASS]), {name: _unpacked(own) for name, own in value[_FIELDS].items()})


def _instance(name: str, own: dict[str, Any]) -> Any:
    module, _, path = name.partition(":")
    if not module.startswith(_OWN):
        raise InputError(f"holds a '{name}', which is not ours")
    kind: Any = import_module(module)
    for part in path.split("."):
        kind = getattr(kind, part)
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise InputError(f"holds a '{name}', which is no dataclass")
    expected = {field.name for field in _fields(kind)}
    if differ := sorted(expected ^ own.keys()):
        raise InputError(f"its {path} has other fields than this version's: {', '.join(differ)}")
    return kind(**own)


def _fields(kind: Any) -> list[dataclasses.Field[Any]]:
    """Those that make an instance; others follow from them."""
    return [field for field in dataclasses.fields(kind) if field.init]
