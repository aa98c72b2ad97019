"""Drawing without a screen: an OpenGL context from EGL or OSMesa, whichever there is, and MuJoCo's renderer on it.

MuJoCo binds its own choice of OpenGL when it is first imported, which is too early to be told. So the context is made
here, from the backend's own module, whatever was imported before.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from typing import Any, Final, Self

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.errors import ReenactError

MAX_GEOMS: Final = 20_000
_EGL_PLATFORM_DEVICE: Final = 0x313F
_ADVICE: Final = "on Debian or Ubuntu: apt install libegl1 libgl1 (or libosmesa6)"


class RenderError(ReenactError):
    """This machine cannot draw without a screen."""


class Offscreen:
    """A picture of `width` × `height` pixels that MuJoCo draws into; use as a context manager."""

    def __init__(self, model: mujoco.MjModel, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._gl = _gl_context(width, height)
        self._gl.make_current()
        self.scene = mujoco.MjvScene(model, maxgeom=MAX_GEOMS)
        self._target = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150.value)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self._target)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._target.free()
        self._gl.free()

    def pixels(self) -> NDArray[np.uint8]:
        """The present scene, (height, width, 3) from the top row down."""
        self._gl.make_current()
        rectangle = mujoco.MjrRect(0, 0, self.width, self.height)
        picture = np.empty((self.height, self.width, 3), np.uint8)
        mujoco.mjr_render(rectangle, self.scene, self._target)
        mujoco.mjr_readPixels(picture, None, rectangle, self._target)
        return picture[::-1]


def backend() -> str:
    """Which OpenGL to use: what MUJOCO_GL says, else EGL where it works, else OSMesa; elsewhere than Linux GLFW."""
    chosen = os.environ.get("MUJOCO_GL", "").strip().lower()
    if chosen in ("egl", "osmesa", "glfw", "cgl"):
        return chosen
    if sys.platform == "darwin":
        return "cgl"
    if not sys.platform.startswith("linux"):
        return "glfw"
    if egl_devices() > 0:
        return "egl"
    if _library("libOSMesa.so.8") or _library("libOSMesa.so"):
        return "osmesa"
    if os.environ.get("DISPLAY"):
        return "glfw"
    raise RenderError(f"rendering needs EGL or OSMesa and this machine has neither; {_ADVICE}")


def egl_devices() -> int:
    """How many EGL devices can be initialised here, counting no further than the first; 0 where there is no EGL."""
    egl = _library("libEGL.so.1")
    if egl is None:
        return 0
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    pointers = [egl.eglGetProcAddress(name) for name in (b"eglQueryDevicesEXT", b"eglGetPlatformDisplayEXT")]
    if not all(pointers):
        return 0
    integers, address = ctypes.POINTER(ctypes.c_int), ctypes.c_void_p
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.POINTER(address), integers)(pointers[0])
    display_of = ctypes.CFUNCTYPE(address, ctypes.c_uint, address, integers)(pointers[1])
    initialise = ctypes.CFUNCTYPE(ctypes.c_uint, address, integers, integers)(("eglInitialize", egl))
    devices, count = (address * 16)(), ctypes.c_int()
    if not query(16, devices, ctypes.byref(count)):
        return 0
    for device in devices[: count.value]:
        display = display_of(_EGL_PLATFORM_DEVICE, device, None)
        if display and initialise(display, None, None):
            return 1
    return 0


def _library(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def _gl_context(width: int, height: int) -> Any:
    """A context of the chosen backend, not yet current."""
    name = backend()
    try:
        module = importlib.import_module(f"mujoco.{name}")
        return module.GLContext(width, height)
    except (ImportError, RuntimeError, AttributeError, OSError) as error:
        raise RenderError(f"cannot draw with {name.upper()}: {error}; {_ADVICE}") from None
