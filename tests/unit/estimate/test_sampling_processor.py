"""The bits of a search: the same however many threads linear algebra has, and never mixed with another processor's."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import searched_bits
from bending_motion import bending

from reenact.errors import InputError
from reenact.estimate import processor as facts_module
from reenact.estimate.processor import processor
from reenact.estimate.sampling.capture import plan_hash, plan_of
from reenact.estimate.sampling.checkpoint import Checkpoint
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import begin
from reenact.estimate.sampling.sweeps import Sweep
from reenact.estimate.sampling.task import task_of
from reenact.estimate.sampling.threads import Threads
from reenact.estimate.sampling.visit import advanced
from reenact.estimate.spent import Spent
from reenact.world.world import World

OTHER = "Nehalem"  # OpenBLAS's code for it runs on every x86-64 processor since, and sums in another order


def printed(*program: str, **environment: str) -> dict[str, Any]:
    """What a program prints in a process of its own, which finds the modules that tests find."""
    bare = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    env = {**bare, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    done = subprocess.run([sys.executable, *program], env=env, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def test_threads_of_linear_algebra_do_not_change_the_answer() -> None:
    one, two = (printed(searched_bits.__file__, OPENBLAS_NUM_THREADS=number) for number in ("1", "2"))
    assert (one["threads"], two["threads"]) == (1, 2), "the search leaves them as they were"
    assert one["bits"] == two["bits"]
    assert one["processor"] == two["processor"] == processor()


def test_another_kind_of_linear_algebra_is_noticed() -> None:
    here = processor()["linear_algebra"]
    if platform.machine() != "x86_64" or "openblas" not in here or OTHER in here:
        pytest.skip(f"linear algebra here is {here}")
    code = "import json; from reenact.estimate.processor import processor; print(json.dumps(processor()))"
    there = printed("-c", code, OPENBLAS_CORETYPE=OTHER)
    assert OTHER in there["linear_algebra"]
    assert there["digits"] != processor()["digits"]


def test_a_search_of_another_processor_is_not_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(samples=20, save=2, visits=2, horizon=2)
    task = task_of(bending(0.2), World(), settings)
    plan = plan_of(task, settings)
    now = advanced(task, settings, Threads(task.stage), begin(task), Sweep(0, 1), None)
    assert now is not None
    Checkpoint(tmp_path, plan).save(now, Spent())

    renamed = {**plan, "processor": {**processor(), "processor": "another"}}
    assert Checkpoint(tmp_path, renamed).load(begin(task)) is not None, "it computes the same digits"

    facts = {**processor(), "processor": "older", "linear_algebra": "openblas Nehalem", "digits": "0" * 16}
    monkeypatch.setattr("reenact.estimate.sampling.capture.processor", lambda: facts)
    there = Checkpoint(tmp_path, plan_of(task, settings))
    with pytest.raises(InputError, match=r"another kind of processor \(.*; here is older with openblas Nehalem\)") as e:
        there.load(begin(task))
    assert "resume it there, or begin anew" in str(e.value)
    left = there.left()
    assert left is not None
    assert left.hindrance
    assert plan_hash(plan_of(task, settings)) == plan_hash(plan), "what was asked for is the same"


def test_digits_are_of_what_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert facts_module._digits() == processor()["digits"]
    real = facts_module.np.linalg.solve
    monkeypatch.setattr(facts_module.np.linalg, "solve", lambda a, b: real(a, b) * (1.0 + 2.3e-16))
    assert facts_module._digits() != processor()["digits"]
