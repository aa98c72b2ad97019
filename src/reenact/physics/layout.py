"""Where the engine's C structs keep their fields: offsets by the C rules, proven against the Python API at import."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from mujoco.introspect import ast_nodes
from mujoco.introspect.structs import STRUCTS

from reenact.errors import ReenactError

_SIZES = {
    "mjtNum": 8,
    "mjtSize": 8,
    "double": 8,
    "size_t": 8,
    "uint64_t": 8,
    "uintptr_t": 8,
    "int": 4,
    "float": 4,
    "mjtBool": 1,
    "mjtByte": 1,
    "char": 1,
}


class EngineLayoutError(ReenactError):
    """The installed MuJoCo does not lay out its data as described: the native loop would read the wrong memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Byte offsets of a struct's fields, and its size."""

    offsets: dict[str, int]
    size: int
    alignment: int


def struct_layout(name: str) -> Layout:
    """Offsets of the named MuJoCo struct under the C rules of natural alignment on a 64-bit machine."""
    offsets: dict[str, int] = {}
    end, widest = 0, 1
    for field in STRUCTS[name].fields:
        size, alignment = _size_and_alignment(field.type)
        start = -(-end // alignment) * alignment
        offsets[field.name] = start
        end, widest = start + size, max(widest, alignment)
    return Layout(offsets=offsets, size=-(-end // widest) * widest, alignment=widest)


def _size_and_alignment(kind: Any) -> tuple[int, int]:
    if isinstance(kind, ast_nodes.PointerType):
        return 8, 8
    if isinstance(kind, ast_nodes.ArrayType):
        size, alignment = _size_and_alignment(kind.inner_type)
        return size * int(np.prod(kind.extents)), alignment
    if kind.name in _SIZES:
        return _SIZES[kind.name], _SIZES[kind.name]
    if kind.name in STRUCTS:
        inner = struct_layout(kind.name)
        return inner.size, inner.alignment
    raise EngineLayoutError(f"MuJoCo {mujoco.__version__} describes a field of unknown type '{kind.name}'")


_PROBE = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
<body pos="1 0 .08"><freejoint/><geom size=".1"/>
<body><joint name="j" axis="0 1 0" frictionloss="1"/><geom size=".05" pos=".3 0 0"/></body></body>
</worldbody><actuator><motor joint="j"/></actuator></mujoco>"""


def verify(data_layout: Layout, contact_layout: Layout) -> None:
    """Compare what the offsets say with what MuJoCo's Python API says, on a small scene with contacts and friction."""
    model = mujoco.MjModel.from_xml_string(_PROBE)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    data.time = 0.123456789
    data.warning[4].number = 41
    base, at = data._address, data_layout.offsets
    wrong = [name for name in _POINTERS if _read(base + at[name], np.uint64) != getattr(data, name).ctypes.data]
    wrong += [
        name for name in ("ncon", "ne", "nf", "nl", "nefc") if _read(base + at[name], np.int32) != getattr(data, name)
    ]
    if _read(base + at["time"], np.float64) != 0.123456789:
        wrong.append("time")
    if _read(base + at["warning"] + 4 * struct_layout("mjWarningStat").size + 4, np.int32) != 41:
        wrong.append("warning")
    wrong += _wrong_in_contacts(data, _read(base + at["contact"], np.uint64), contact_layout)
    if wrong or data.ncon < 2:
        raise EngineLayoutError(
            f"MuJoCo {mujoco.__version__} keeps {', '.join(wrong) or 'its contacts'} elsewhere than its description "
            "says; reenact's native loop cannot run on it. Install another 4.x release"
        )


_POINTERS = (
    *(
        "qpos",
        "qvel",
        "ctrl",
        "qfrc_applied",
        "xfrc_applied",
        "qacc_warmstart",
        "qfrc_actuator",
        "xpos",
        "xquat",
        "xmat",
    ),
    *("xipos", "cvel", "subtree_com", "efc_type", "efc_id", "efc_force", "efc_aref", "efc_frictionloss"),
)
_IN_CONTACT: tuple[tuple[str, Any, int], ...] = (
    *(("dist", np.float64, 1), ("pos", np.float64, 3), ("frame", np.float64, 9), ("friction", np.float64, 5)),
    *(("geom", np.int32, 2), ("dim", np.int32, 1), ("efc_address", np.int32, 1)),
)


def _wrong_in_contacts(data: mujoco.MjData, first: int, layout: Layout) -> list[str]:
    wrong = []
    for k, contact in enumerate(data.contact[: data.ncon]):
        for name, kind, count in _IN_CONTACT:
            wrong += _differs(first + k * layout.size + layout.offsets[name], kind, count, name, getattr(contact, name))
    return wrong


def _differs(address: int, kind: Any, count: int, name: str, expected: Any) -> list[str]:
    width = np.dtype(kind).itemsize
    got = [_read(address + i * width, kind) for i in range(count)]
    return [] if np.array_equal(got, np.ravel(expected)) else [f"contact.{name}"]


def _read(address: int, kind: Any) -> Any:
    buffer = (ctypes.c_char * np.dtype(kind).itemsize).from_address(int(address))
    return np.frombuffer(buffer, dtype=kind)[0]
