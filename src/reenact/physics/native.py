"""The engine as seen from compiled code: its functions, its data, and a way to call a function by its address.

Functions marked `native` become C functions (numba cfuncs) whose addresses can be handed around at run time; they call
libmujoco directly, hold no Python lock, and are cached on disk. They must not allocate or raise.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

import llvmlite.binding as llvm
import mujoco
import numba
from llvmlite import ir
from numba.core import ccallback
from numba.extending import intrinsic

from reenact.physics import native_cache
from reenact.physics.layout import EngineLayoutError, struct_layout, verify

types: Any = numba.types  # numba describes only some of it to type checkers


def library_path() -> Path:
    """The shared library of the installed MuJoCo."""
    folder = Path(mujoco.__file__).parent
    found = sorted(p for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll") for p in folder.glob(pattern))
    if not found:
        raise EngineLayoutError(f"no MuJoCo library in {folder}; reinstall the package mujoco")
    return found[0]


llvm.load_library_permanently(str(library_path()))

_DATA = struct_layout("mjData")
_CONTACT = struct_layout("mjContact")
verify(_DATA, _CONTACT)

# Offsets as plain integers, which compiled code takes in as constants.
_at = _DATA.offsets
D_TIME, D_NCON, D_NE, D_NF, D_NL, D_WARNING = (int(_at[k]) for k in ("time", "ncon", "ne", "nf", "nl", "warning"))
D_QPOS, D_QVEL, D_WARMSTART, D_CTRL = (int(_at[k]) for k in ("qpos", "qvel", "qacc_warmstart", "ctrl"))
D_QFRC_APPLIED, D_XFRC_APPLIED, D_QFRC_ACTUATOR = (
    int(_at[k]) for k in ("qfrc_applied", "xfrc_applied", "qfrc_actuator")
)
D_XPOS, D_XMAT, D_XIPOS, D_CVEL, D_COM = (int(_at[k]) for k in ("xpos", "xmat", "xipos", "cvel", "subtree_com"))
D_XAXIS = int(_at["xaxis"])
D_CONTACT, D_EFC_ID, D_EFC_TYPE = (int(_at[k]) for k in ("contact", "efc_id", "efc_type"))
D_EFC_AREF, D_EFC_FORCE, D_EFC_BOUND = (int(_at[k]) for k in ("efc_aref", "efc_force", "efc_frictionloss"))
C_SIZE = int(_CONTACT.size)
C_POS, C_FRAME, C_FRICTION = (int(_CONTACT.offsets[k]) for k in ("pos", "frame", "friction"))
C_GEOM, C_DIM, C_ADDRESS = (int(_CONTACT.offsets[k]) for k in ("geom", "dim", "efc_address"))
FRICTION_ROW = int(mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF)
LIMIT_ROW = int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT)
WARNINGS = len(mujoco.mjtWarning.__members__) - 1  # the last member counts the others
if struct_layout("mjWarningStat").offsets != {"lastinfo": 0, "number": 4}:
    raise EngineLayoutError(f"MuJoCo {mujoco.__version__} counts warnings in another form than expected")

_step = types.void(types.int64, types.int64)
mj_step = types.ExternalFunction("mj_step", _step)
mj_step1 = types.ExternalFunction("mj_step1", _step)
mj_step2 = types.ExternalFunction("mj_step2", _step)
mj_kinematics = types.ExternalFunction("mj_kinematics", _step)
mj_comPos = types.ExternalFunction("mj_comPos", _step)
mj_reset = types.ExternalFunction("mj_resetData", _step)

DOUBLES = types.CPointer(types.float64)
INTS = types.CPointer(types.int64)


def _pointer_to(number: Any) -> Any:
    def typed(typing_context: Any, address: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(types.CPointer(number)))

        return types.CPointer(number)(types.int64), build

    return typed


# Pointers from addresses: doubles(address)[3] is the fourth double there.
doubles: Any = intrinsic(_pointer_to(types.float64))
longs: Any = intrinsic(_pointer_to(types.int64))
ints: Any = intrinsic(_pointer_to(types.int32))
words: Any = intrinsic(_pointer_to(types.uint64))


def _load_of(number: Any) -> Any:
    def typed(typing_context: Any, base: Any, offset: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = builder.add(args[0], args[1])
            value = builder.load(builder.inttoptr(address, context.get_value_type(types.CPointer(number))))
            return context.cast(builder, value, number, types.int64)

        return types.int64(types.int64, types.int64), build

    return typed


# What a struct at address `base` stores `offset` bytes in: a pointer as an address, or a 32-bit integer.
pointer_at: Any = intrinsic(_load_of(types.int64))
int_at: Any = intrinsic(_load_of(types.int32))


def _call_control(
    typing_context: Any, function: Any, sense: Any, table: Any, params: Any, memory: Any, target: Any
) -> Any:
    address = types.int64

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = context.get_value_type(DOUBLES)
        form = ir.FunctionType(ir.VoidType(), [pointer] * 5)
        callee = builder.inttoptr(args[0], form.as_pointer())
        builder.call(callee, [builder.inttoptr(a, pointer) for a in args[1:]])
        return context.get_dummy_value()

    return types.void(address, address, address, address, address, address), build


# Call the control function at an address with five addresses of doubles.
call_control: Any = intrinsic(_call_control)

_OPTIONS = {"error_model": "numpy"}  # no exceptions: dividing by zero gives inf, as in C

F = TypeVar("F", bound=Callable[..., None])


class Native(Generic[F]):
    """A Python function and its compiled twin; compiled at the first use of `address`, then kept on disk."""

    def __init__(self, function: F, signature: Any) -> None:
        self.python: F = function
        self._signature = signature
        self._compiled: Any = None

    @property
    def address(self) -> int:
        """Address of the compiled C function."""
        if self._compiled is None:
            compiled: Any = ccallback.CFunc(
                self.python, (self._signature.args, self._signature.return_type), locals={}, options=_OPTIONS
            )
            with suppress(RuntimeError):  # typed into a console: no source file to check a cache against
                compiled._cache = native_cache.NativeCache(self.python)
            compiled.compile()
            self._compiled = compiled
        return int(self._compiled.address)


def native(signature: Any) -> Callable[[F], Native[F]]:
    """Mark a function for compilation to a C function of this numba signature."""

    def wrap(function: F) -> Native[F]:
        return Native(function, signature)

    return wrap
