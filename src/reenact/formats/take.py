"""A take: one finished capture as a folder that other programs rely on, written whole or not at all.

| file | holds |
| --- | --- |
| take.json | format, version, what it was made from and how, status, metrics, pushes; sha256 of the other files |
| controller.json | the controller: with body and world it makes the motion again |
| model.xml | MJCF of body and world as simulated |
| motion.npz | what the simulation did |
| reference.npz | what it is measured against |
| motion.bvh | the simulated motion |
| body.toml, world.toml | who moved and where, as they can be loaded again |
| report.html | one page to look at; made from the others, so not hashed |
| motion.smoothed.bvh | only where asked for: the motion filtered for the eye, no longer what physics did; not hashed |
| observed/ | only of takes from video: what was seen, see `formats.observed`, with hashes of its own |
"""

from __future__ import annotations

import hashlib
import io
import os
import shlex
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.npz_file import packed_arrays
from reenact.formats.observed import FOLDER, Observed, observed_files
from reenact.formats.replace_folder import replace_folder, sweep
from reenact.formats.writable import refuse_unwritable

FORMAT = "reenact-take"
VERSION = 1
HASHED = ("controller.json", "model.xml", "motion.npz", "reference.npz", "motion.bvh", "body.toml", "world.toml")
SMOOTHED = "motion.smoothed.bvh"
SMOOTHED_HZ = "smoothed_copy_not_simulated_hz"  # the metric of a take that has one
OURS = frozenset({"take.json", "report.html", SMOOTHED, FOLDER, *HASHED})  # all others are the user's

Status = Literal["ok", "fell", "diverged", "stopped"]
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file a take was made from."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeInfo:
    """What take.json says about how a take came to be and how it ended.

    `status` tells how the simulation ended, `done` whether the motion was done: a body that stepped off its beam went
    on to the end ("ok") and did not do the motion.
    """

    input: Source
    method: str  # e.g. "track"
    seed: int
    body: str  # name
    world: str  # name
    versions: dict[str, str]  # of reenact and of what the result depends on
    wall_seconds: float
    core_seconds: float
    status: Status
    reason: str = ""  # in words, where the status is not "ok" or the motion was judged and not done
    metrics: dict[str, Any] = field(default_factory=dict)  # names carry their unit: "joint_error_cm"
    pushes: list[dict[str, Any]] = field(default_factory=list)  # external forces applied on purpose

    @property
    def done(self) -> bool | None:
        """Whether the motion was done, as `metrics["success"]` tells; None where that was not judged."""
        success = self.metrics.get("success")
        return success and self.status == "ok" if isinstance(success, bool) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """A finished capture; see `docs/takes.md` for the arrays."""

    info: TakeInfo
    controller: dict[str, Any]
    model_xml: str
    motion: Arrays  # time (N+1,), qpos (N+1,nq), qvel (N+1,nv), torque (N,nv) or ctrl (N,nu), …
    reference: Arrays  # time (T,), joints (T,J,3) world [m], joint_names (J,), qpos (T,nq)
    motion_bvh: str
    body_toml: str
    world_toml: str

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together."""
        _need(self.motion, "motion.npz", ("time", "qpos", "qvel"))
        _need(self.reference, "reference.npz", ("time", "joints", "joint_names"))
        frames = len(self.motion["time"])
        if frames < 1:
            raise InputError("motion.npz: no frames")
        if "torque" not in self.motion and "ctrl" not in self.motion:
            raise InputError("motion.npz: neither 'torque' nor 'ctrl' is recorded")
        for name, rows in (("qpos", frames), ("qvel", frames), ("torque", frames - 1), ("ctrl", frames - 1)):
            if name in self.motion and (self.motion[name].ndim != 2 or len(self.motion[name]) != rows):
                raise InputError(f"motion.npz: '{name}' has shape {self.motion[name].shape}, expected ({rows}, n)")
        expected = (len(self.reference["time"]), len(self.reference["joint_names"]), 3)
        if self.reference["joints"].shape != expected:
            raise InputError(f"reference.npz: 'joints' has shape {self.reference['joints'].shape}, expected {expected}")
        for file, arrays in (("motion.npz", self.motion), ("reference.npz", self.reference)):
            for name, values in arrays.items():
                if values.dtype.hasobject:
                    raise InputError(f"{file}: '{name}' holds Python objects, expected plain numbers or text")

    @property
    def seconds(self) -> float:
        """Length of the simulated motion [s]."""
        return float(self.motion["time"][-1] - self.motion["time"][0])


def write_take(
    folder: Path | str, take: Take, *, report_html: str | None = None, observed: Observed | None = None
) -> None:
    """Write a take to `folder`, replacing the take that is there; a folder that is not a take is refused.

    `observed` is what a take from video was made from. Killed at any moment, the folder is the old take or the new one,
    whole. Files in it that are not a take's own stay.
    """
    folder = Path(folder)
    refuse_foreign(folder)
    files = {
        "controller.json": _json(take.controller),
        "model.xml": take.model_xml.encode(),
        "motion.npz": packed_arrays(**take.motion),
        "reference.npz": packed_arrays(**take.reference),
        "motion.bvh": take.motion_bvh.encode(),
        "body.toml": take.body_toml.encode(),
        "world.toml": take.world_toml.encode(),
    }
    head = {"format": FORMAT, "version": VERSION, **msgspec.to_builtins(take.info)}
    head["files"] = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    if report_html is not None:
        files["report.html"] = report_html.encode()
    if observed is not None:
        files |= {f"{FOLDER}/{name}": content for name, content in observed_files(observed).items()}
    replace_folder(folder, {**files, "take.json": _json(head)}, ours=OURS)


def read_take(folder: Path | str, *, controller: dict[str, Any] | None = None) -> Take:
    """Read a take and check every file against its recorded hash.

    controller: one that takes the place of the take's own, which then need not be there nor as it was.
    """
    folder = Path(folder)
    if not folder.exists():
        sweep(folder, ours=OURS)  # a killed writer may have moved it aside
    while True:
        before = _identity(folder)
        try:
            return _read(folder, controller)
        except InputError:
            if before == _identity(folder):
                raise  # else the take was replaced while being read


def is_take(path: Path | str) -> bool:
    """Whether a path is a folder that says it is a take."""
    return (Path(path) / "take.json").is_file()


def require_take(folder: Path) -> None:
    """Refuse a path that is not a folder with a take.json."""
    if not folder.exists():
        raise InputError("no such take; `reenact capture walk -o TAKE` makes one", path=folder)
    if not is_take(folder):
        raise InputError("not a take: expected a folder with take.json", path=folder)


def refuse_foreign(folder: Path) -> None:
    """Refuse a place where a take cannot be written without touching files that are not a take's."""
    if folder.is_symlink():
        raise InputError("is a symbolic link; give the folder it points to", path=folder)
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file; a take is a folder", path=folder)
    if folder.is_dir() and not is_take(folder) and any(folder.iterdir()):
        raise InputError(
            "holds other files and is not a take, so it is left alone; choose an empty or new folder", path=folder
        )
    refuse_unwritable(folder)


def refuse_itself(output: Path, take: Path) -> None:
    """Refuse to write what is made of a take in its place."""
    if output.resolve() == take.resolve():
        raise InputError("-o is the take itself; say another folder", path=output)


def sha256_of(path: Path) -> str:
    """Hash of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def changed_files(folder: Path) -> tuple[str, ...]:
    """Names of a take's files that are no longer what was written, as far as its head tells."""
    hashes = _object(_bytes(folder, "take.json"), folder / "take.json").get("files")
    hashes = hashes if isinstance(hashes, dict) else {}
    there = [name for name in HASHED if name in hashes and (folder / name).is_file()]
    return tuple(name for name in there if sha256_of(folder / name) != hashes[name])


def _read(folder: Path, controller: dict[str, Any] | None) -> Take:
    require_take(folder)
    head = _object(_bytes(folder, "take.json"), folder / "take.json")
    _check_version(head, folder / "take.json")
    try:
        info = msgspec.convert(head, TakeInfo)
        hashes = msgspec.convert(head.get("files"), dict[str, str])
    except msgspec.ValidationError as error:
        raise InputError(str(error), path=folder / "take.json") from None
    content = {
        name: _checked(folder, name, hashes) for name in HASHED if controller is None or name != "controller.json"
    }
    try:
        return Take(
            info=info,
            controller=controller or _object(content["controller.json"], folder / "controller.json"),
            model_xml=_text(content, "model.xml", folder),
            motion=_arrays(content["motion.npz"], folder / "motion.npz"),
            reference=_arrays(content["reference.npz"], folder / "reference.npz"),
            motion_bvh=_text(content, "motion.bvh", folder),
            body_toml=_text(content, "body.toml", folder),
            world_toml=_text(content, "world.toml", folder),
        )
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(error.cause, path=folder) from None


def _check_version(head: dict[str, Any], path: Path) -> None:
    if head.get("format") != FORMAT:
        raise InputError(f"format is {head.get('format')!r}, expected {FORMAT!r}", path=path)
    version = head.get("version")
    if not isinstance(version, int) or version < 1:
        raise InputError(f"version is {version!r}, expected a whole number from 1", path=path)
    if version > VERSION:
        raise InputError(
            f"version {version} is newer than this reenact reads (up to {VERSION}); update reenact", path=path
        )


def _checked(folder: Path, name: str, hashes: dict[str, str]) -> bytes:
    if name not in hashes:
        raise InputError(f"take.json records no hash of {name}", path=folder / "take.json")
    content = _bytes(folder, name)
    if hashlib.sha256(content).hexdigest() != hashes[name]:
        way_out = f"; `reenact replay {shlex.quote(str(folder))} -o NEW` makes a take of one edited by hand"
        raise InputError(
            "differs from the hash in take.json: damaged or edited since it was written"
            + (way_out if name == "controller.json" else ""),
            path=folder / name,
        )
    return content


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except FileNotFoundError:
        raise InputError("missing from the take", path=folder / name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=folder / name) from None


def _text(content: dict[str, bytes], name: str, folder: Path) -> str:
    try:
        return content[name].decode()
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", path=folder / name) from None


def _object(content: bytes, path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(content, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not a JSON object: {error}", path=path) from None


def _arrays(content: bytes, path: Path) -> dict[str, NDArray[Any]]:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (ValueError, OSError, EOFError, KeyError, AttributeError, zipfile.BadZipFile) as error:
        raise InputError(f"not a readable npz archive: {error}", path=path) from None


def _json(value: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _need(arrays: Arrays, file: str, names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in arrays]
    if missing:
        raise InputError(f"{file}: lacks {', '.join(missing)}; it holds {', '.join(arrays) or 'nothing'}")


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        stat = os.stat(folder)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
