"""`reenact doctor`: what works on this machine, and what to do about what does not."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from reenact.cli import terminal
from reenact.errors import install

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_ENGINE = """
import mujoco
xml = '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
model = mujoco.MjModel.from_xml_string(xml)
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
print("stepped")
"""
_COMPILE = """
from reenact.physics.native_cache import cache_folder
print(cache_folder())
"""
_RENDER = """
import mujoco
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><light pos="0 0 3"/><geom size="1"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
with mujoco.Renderer(model, 64, 64) as renderer:
    renderer.update_scene(data)
    assert renderer.render().max() > 0, "an empty picture"
print("rendered")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    advice: str = ""  # what to do where it is missing
    essential: bool = False  # without it nothing works


def doctor() -> int:
    """Say what works on this machine: engine, cores, rendering without a screen, browser, extras, weights, disk.

    Each line is ok or missing, and says what to do. The exit code is 2 where something essential is missing.

    Example: reenact doctor
    """
    table = terminal.table("", "what", "found", "what to do")
    broken = False
    for finding in findings():
        mark = "[green]ok[/]" if finding.ok else "[red]missing[/]"
        advice = "" if finding.ok else finding.advice
        table.add_row(mark, finding.name, terminal.escape(finding.detail), terminal.escape(advice))
        broken |= finding.essential and not finding.ok
    terminal.show(table)
    return 2 if broken else 0


def findings() -> Iterator[Finding]:
    """All checks, in order; those that may crash run in a process of their own."""
    yield _python()
    yield Finding(name="processor", ok=True, detail=f"{_cores()} cores, {platform.machine()}, {platform.system()}")
    yield _engine()
    yield _compiler_cache()
    yield _rendering()
    yield _browser()
    yield _extra("view", "viser", "the browser page of `reenact view`")
    yield _extra("video", "av", "mp4 of `reenact render`, video of `reenact silhouettes`")
    yield _extra("video", "PIL", "gif and png of `reenact render`")
    yield _extra("network", "ai_edge_litert", "`--by network`, and joints followed in video")
    yield _weights()
    yield _extra("cluster", "ray", "`reenact capture --cluster`")
    yield _disk()


def _python() -> Finding:
    return Finding(
        name="Python",
        ok=sys.version_info >= (3, 11),
        detail=platform.python_version(),
        advice="install Python 3.11 or newer",
        essential=True,
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _engine() -> Finding:
    try:
        found = version("mujoco")
    except PackageNotFoundError:
        return Finding(
            name="MuJoCo", ok=False, detail="not installed", advice="pip install 'mujoco>=4,<5'", essential=True
        )
    cause = _fails(_ENGINE, {})
    detail = f"{found}, steps" if cause is None else f"{found}, but {cause}"
    advice = "reinstall it: pip install --force-reinstall mujoco"
    return Finding(name="MuJoCo", ok=cause is None, detail=detail, advice=advice, essential=True)


def _compiler_cache() -> Finding:
    folder, cause = _outcome(_COMPILE, {})
    advice = "set REENACT_CACHE_DIR to a folder you may write; else every start compiles for some seconds"
    kept = cause is None and Path(folder).parent != Path(tempfile.gettempdir())  # made for this run alone
    return Finding(name="compiler cache", ok=kept, detail=cause or folder, advice=advice)


def _rendering() -> Finding:
    causes = []
    for backend in ("egl", "osmesa"):
        cause = _fails(_RENDER, {"MUJOCO_GL": backend, "PYOPENGL_PLATFORM": backend})
        if cause is None:
            return Finding(name="rendering without a screen", ok=True, detail=backend.upper())
        causes.append(f"{backend.upper()}: {cause}")
    advice = "Debian, Ubuntu: apt install libegl1 libgl1; `reenact render` needs it, all else works without"
    return Finding(name="rendering without a screen", ok=False, detail="; ".join(causes), advice=advice)


def _browser() -> Finding:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    advice = "only the tests need it (apt install chromium); any browser shows the page and the report"
    return Finding(name="Chromium", ok=found is not None, detail=found or "not found", advice=advice)


def _extra(extra: str, module: str, purpose: str) -> Finding:
    ok = importlib.util.find_spec(module) is not None
    advice = f"{install(extra)} for {purpose}"
    return Finding(name=f"extra '{extra}'", ok=ok, detail=f"{module} {'' if ok else 'not '}installed", advice=advice)


def _weights() -> Finding:
    from reenact.observe.network.weights import ALL, missing, weights_folder

    absent = len(missing())
    detail = f"{len(ALL) - absent} of {len(ALL)} files in {weights_folder()}"
    advice = "`reenact network fetch`, 9 MB, for the extra 'network'"
    return Finding(name="pose network's weights", ok=not absent, detail=detail, advice=advice)


def _disk() -> Finding:
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    advice = "takes need a few MB each, movies more: free some space"
    return Finding(name="disk here", ok=free > 0.5, detail=f"{free:.1f} GB free", advice=advice)


def _fails(code: str, environment: dict[str, str]) -> str | None:
    """Why a piece of Python fails in a process of its own; None where it does not."""
    return _outcome(code, environment)[1]


def _outcome(code: str, environment: dict[str, str]) -> tuple[str, str | None]:
    """What a piece of Python prints in a process of its own, and why it fails or None."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", "no answer within 60 s"
    if done.returncode == 0:
        return done.stdout.strip(), None
    if done.returncode < 0:
        return "", f"crashed with signal {-done.returncode}"
    lines = done.stderr.strip().splitlines()
    return "", lines[-1][:100] if lines else f"exit code {done.returncode}"
