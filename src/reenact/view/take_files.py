"""The files of a take that a view needs, opened as they stand on disk."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeFiles:
    """A take's model, what it did, what it was measured against, and what is known about it."""

    folder: Path
    xml: str  # model.xml
    model: mujoco.MjModel
    motion: Arrays  # motion.npz
    reference: Arrays | None  # reference.npz
    facts: dict[str, Any]  # take.json

    @property
    def name(self) -> str:
        """What to call it in a title: its folder."""
        return self.folder.resolve().name


def open_take(folder: Path | str) -> TakeFiles:
    """Read take.json, model.xml, motion.npz and, where there is one, reference.npz."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError("no such take: expected a folder with take.json, model.xml and motion.npz", path=folder)
    xml = _text(folder / "model.xml")
    try:
        model = mujoco.MjModel.from_xml_string(xml)
    except ValueError as error:
        raise InputError(f"MuJoCo cannot load it: {str(error).splitlines()[0]}", path=folder / "model.xml") from None
    motion = _arrays(folder / "motion.npz")
    _check_motion(motion, model, folder / "motion.npz")
    reference = _arrays(folder / "reference.npz") if (folder / "reference.npz").exists() else None
    return TakeFiles(
        folder=folder, xml=xml, model=model, motion=motion, reference=reference, facts=_facts(folder / "take.json")
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError("the take lacks this file", path=path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from None


def _facts(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", path=path, line=error.lineno) from None
    if not isinstance(facts, dict):
        raise InputError(f"expected a JSON object, got {type(facts).__name__}", path=path)
    return facts


def _arrays(path: Path) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise InputError("the take lacks this file", path=path) from None
    except (OSError, ValueError, zipfile.BadZipFile, EOFError) as error:
        raise InputError(f"not a NumPy archive: {error}", path=path) from None


def _check_motion(motion: Arrays, model: mujoco.MjModel, path: Path) -> None:
    missing = [name for name in ("time", "qpos") if name not in motion]
    if missing:
        raise InputError(f"lacks {', '.join(missing)}; there are: {', '.join(motion) or 'none'}", path=path)
    frames = len(motion["time"])
    if frames == 0:
        raise InputError("holds no frames", path=path)
    if motion["qpos"].shape != (frames, model.nq):
        got = motion["qpos"].shape
        raise InputError(f"qpos has shape {got}, expected {(frames, model.nq)} by model.xml and time", path=path)
    if not np.isfinite(motion["qpos"]).all():
        raise InputError("qpos holds values that are not finite", path=path)
