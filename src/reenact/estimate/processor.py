"""What the bits of a search depend on beside its plan: the processor and the libraries that compute for it.

A product of matrices is summed in another order by each kind of processor, and a sine may end in another last digit. A
search that is gone on with elsewhere would end in bits that it has nowhere else. Names say too much, for many
processors compute the same; so some numbers are computed, as a search does, and their digits compared.
"""

from __future__ import annotations

import hashlib
import math
import platform
from functools import cache
from typing import Any, Final

import llvmlite.binding
import numpy as np

from reenact.geometry.one_thread import libraries, one_thread

_SAMPLES, _AXES, _SIZE = 466, 60, 40  # about those of the learned responses at normal effort
DIGITS: Final = "digits"


@cache
def processor() -> dict[str, str]:
    """Names to tell a user, and under `DIGITS` a hash of numbers computed here: equal digits, equal bits.

    As good as a test can be, no proof.
    """
    return {
        "machine": platform.machine(),
        "processor": str(llvmlite.binding.get_host_cpu_name()),
        "linear_algebra": ", ".join(sorted({_name(library) for library in _own()})) or "unknown",
        "libc": " ".join(platform.libc_ver()).strip() or platform.system(),
        DIGITS: _digits(),
    }


def named(facts: dict[str, str]) -> str:
    """Facts of a processor in a few words."""
    return f"{facts.get('processor', 'unknown')} with {facts.get('linear_algebra', 'unknown')}"


def _own() -> list[Any]:
    """The libraries that NumPy computes with; all that are loaded where that cannot be seen."""
    found = list(libraries())
    return [library for library in found if "numpy.libs" in library.filepath] or found


def _name(library: Any) -> str:
    parts = (getattr(library, name, None) for name in ("internal_api", "version", "architecture"))
    return " ".join(str(part) for part in parts if part)


def _digits() -> str:
    """The hash: products, a solution and a spectrum as of responses and plans, and elementary functions."""
    rng = np.random.Generator(np.random.Philox(7))
    known, end = rng.normal(size=(_SAMPLES, _SIZE + _AXES)), rng.normal(size=(_SAMPLES, _SIZE))
    with one_thread():
        gram = known.T @ known
        line = np.linalg.solve(gram + np.eye(len(gram)), known.T @ end)
        form = line.T @ gram @ line
        values, axes = np.linalg.eigh(form)
        computed = [gram, line, form, (axes * values) @ axes.T, known[:33] @ line]
    wide = rng.uniform(-4.0, 4.0, 2000)
    computed += [
        np.sin(wide),
        np.cos(wide),
        np.exp(wide),
        np.arctan2(wide, wide[::-1]),
        np.abs(wide) ** 1.7,
        np.tanh(wide),
    ]
    plain = [f(x) for x in wide.tolist() for f in (math.sin, math.cos, math.exp, math.atan)]
    total = hashlib.sha256(np.array(plain).tobytes())
    for numbers in computed:
        total.update(np.ascontiguousarray(numbers).tobytes())
    return total.hexdigest()[:16]
