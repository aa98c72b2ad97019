"""Fatal engine errors as results: the native loop runs inside a trap, so the user's process stays up.

MuJoCo answers a fatal error (memory exhausted, a broken model) by ending the process unless its log handler takes the
control elsewhere. MuJoCo's own Python functions jump back to the caller and raise; code that calls libmujoco directly
has no such net. We put one up: `call` marks the place with setjmp, and our log handler, on a thread that is inside
`call`, keeps the message and jumps there. Other threads and other messages go to the handler that was there before.
The frames jumped over are ours, hold nothing to release, and the engine's data must not be used again.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

import llvmlite.binding as llvm
import mujoco

from reenact.errors import ReenactError
from reenact.physics.native import library_path

_SLOTS, _SLOT_BYTES = 256, 4096
_TEXT, _TEXT_BYTES, _JUMP = 16, 1024, 2048  # places in a slot; its first word is the thread inside it
_SUBJECT = 8  # offset of the text in mjLogMessage, after two ints

_IR = """
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare i64 @pthread_self()
declare ptr @strncpy(ptr, ptr, i64)
@slots = global [{slots} x [{bytes} x i8]] zeroinitializer, align 64
@previous = global ptr null

define i32 @call(ptr %function, ptr %argument, ptr %slot) {{
entry:
  %self = call i64 @pthread_self()
  %jump = getelementptr i8, ptr %slot, i64 {jump}
  %again = call i32 @_setjmp(ptr %jump) returns_twice
  %first = icmp eq i32 %again, 0
  br i1 %first, label %run, label %caught
run:
  store volatile i64 %self, ptr %slot
  call void %function(ptr %argument)
  store volatile i64 0, ptr %slot
  ret i32 0
caught:
  store volatile i64 0, ptr %slot
  ret i32 1
}}

define void @handle(ptr %message) {{
entry:
  %self = call i64 @pthread_self()
  br label %scan
scan:
  %i = phi i64 [0, %entry], [%next, %more]
  %slot = getelementptr [{slots} x [{bytes} x i8]], ptr @slots, i64 0, i64 %i
  %thread = load volatile i64, ptr %slot
  %ours = icmp eq i64 %thread, %self
  br i1 %ours, label %inside, label %more
more:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, {slots}
  br i1 %end, label %outside, label %scan
inside:
  %level = load i32, ptr %message
  %fatal = icmp eq i32 %level, {fatal}
  br i1 %fatal, label %leap, label %done
leap:
  %text = getelementptr i8, ptr %slot, i64 {text}
  %subject = getelementptr i8, ptr %message, i64 {subject}
  %kept = call ptr @strncpy(ptr %text, ptr %subject, i64 {text_bytes})
  %jump = getelementptr i8, ptr %slot, i64 {jump}
  call void @longjmp(ptr %jump, i32 1)
  unreachable
outside:
  %handler = load ptr, ptr @previous
  %none = icmp eq ptr %handler, null
  br i1 %none, label %done, label %chain
chain:
  call void %handler(ptr %message)
  br label %done
done:
  ret void
}}
"""


class EngineError(ReenactError):
    """The physics engine gave up on a simulation; says why in the engine's words."""


class _Trap:
    """The compiled trap and its slots, one per thread that is inside."""

    def __init__(self) -> None:
        if sys.platform == "win32":
            raise EngineError("the native loop runs on Linux and macOS; on Windows use it inside WSL")
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(
            _IR.format(
                slots=_SLOTS,
                bytes=_SLOT_BYTES,
                jump=_JUMP,
                text=_TEXT,
                text_bytes=_TEXT_BYTES - 1,
                subject=_SUBJECT,
                fatal=_fatal_level(),
            )
        )
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        self._slots = self._engine.get_global_value_address("slots")
        self._free = list(range(_SLOTS))
        self._lock = threading.Lock()
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._call: Any = prototype(self._engine.get_function_address("call"))
        self._install()

    def _install(self) -> None:
        library = ctypes.CDLL(str(library_path()))
        library.mju_setLogHandler.restype = ctypes.c_void_p
        library.mju_setLogHandler.argtypes = [ctypes.c_void_p]
        before = library.mju_setLogHandler(self._engine.get_function_address("handle"))
        ctypes.c_void_p.from_address(self._engine.get_global_value_address("previous")).value = before

    def call(self, function: int, argument: int) -> str | None:
        with self._lock:
            if not self._free:
                raise EngineError(f"more than {_SLOTS} threads simulate at once; use fewer")
            index = self._free.pop()
        slot = self._slots + index * _SLOT_BYTES
        try:
            failed = self._call(function, argument, slot)
            return ctypes.string_at(slot + _TEXT).decode(errors="replace") if failed else None
        finally:
            with self._lock:
                self._free.append(index)


def _fatal_level() -> int:
    from mujoco.introspect.enums import ENUMS

    return int(ENUMS["mjtLogLevel"].values["mjLOG_ERROR"])


_setting_up = threading.Lock()
_trap: _Trap | None = None


def _the_trap() -> _Trap:
    """The one trap of this process; it is never taken down, because the engine keeps the address of its handler."""
    global _trap
    with _setting_up:
        if _trap is None:
            _trap = _Trap()
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(_trap))
        return _trap


def call(function: int, argument: int) -> str | None:
    """Call the C function at an address with one pointer, without Python's lock; the engine's message if it gave up.

    After a message the MjData in use is spoilt: throw it away.
    """
    return _the_trap().call(function, argument)


def explain(message: str, model: mujoco.MjModel) -> EngineError:
    """The engine's message with what a user can do about it."""
    advice = ""
    if "memory" in message or "stack" in message:
        advice = f"; the model reserves {model.narena} bytes, give it more with the MJCF element <size memory=…/>"
    return EngineError(f"the engine gave up: {' '.join(message.split())}{advice}")
