"""A fitted motion on disk: one .npz without pickle, the body's TOML inside, so that it stands alone."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from reenact.body.toml import dump_body, parse_body
from reenact.errors import InputError
from reenact.formats.replace_file import replace_file
from reenact.motion.contact import Contact
from reenact.motion.fit_report import FitReport
from reenact.motion.motion import Motion

FORMAT: Final = "reenact-motion"
VERSION: Final = 1
_ARRAYS: Final = ("qpos", "joints", "lift")
_GREATEST: Final = 4 << 30  # of an unpacked file [bytes]


class _Header(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    format: str
    version: int
    name: str
    rate: float
    joint_names: list[str]
    contacts: list[Contact]
    report: dict[str, Any]


def save_motion(path: Path | str, motion: Motion) -> None:
    """Write a motion; the file appears whole or not at all."""
    report = {field: getattr(motion.report, field) for field in FitReport.__slots__}
    header = _Header(
        format=FORMAT,
        version=VERSION,
        name=motion.name,
        rate=motion.rate,
        joint_names=list(motion.joint_names),
        contacts=list(motion.contacts),
        report={key: dict(value) if hasattr(value, "items") else value for key, value in report.items()},
    )
    texts = {"header": msgspec.json.encode(header).decode(), "body": dump_body(motion.body)}
    packed = io.BytesIO()
    arrays: dict[str, Any] = {key: np.array(text) for key, text in texts.items()}
    arrays |= {key: getattr(motion, key) for key in _ARRAYS}
    np.savez_compressed(packed, **arrays)
    replace_file(path, packed.getvalue())


def load_motion(path: Path | str) -> Motion:
    """Read a motion that `save_motion` wrote."""
    path = Path(path)
    try:
        content = _unpack(path)
        header = msgspec.json.decode(str(content["header"]), type=_Header)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, msgspec.MsgspecError, KeyError) as error:
        raise InputError(f"not a fitted motion: {_cause(error)}", path=path) from None
    if header.format != FORMAT or header.version > VERSION:
        raise InputError(
            f"got format '{header.format}' version {header.version}, expected '{FORMAT}' up to {VERSION}", path=path
        )
    body = parse_body(str(content["body"]), path)
    try:
        return Motion(
            name=header.name,
            rate=header.rate,
            body=body,
            joint_names=tuple(header.joint_names),
            contacts=tuple(header.contacts),
            report=msgspec.convert(header.report, FitReport),
            **{key: np.asarray(content[key], np.float64) for key in _ARRAYS},
        )
    except (InputError, msgspec.ValidationError, TypeError, ValueError) as error:
        raise InputError(f"a broken motion: {error}", path=path) from None


def _unpack(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:  # the sizes claimed, before anything is unpacked
        if sum(entry.file_size for entry in archive.infolist()) > _GREATEST:
            raise ValueError(f"it would unpack to more than {_GREATEST >> 30} GiB")
    with np.load(path, allow_pickle=False) as stored:
        missing = [key for key in ("header", "body", *_ARRAYS) if key not in stored]
        if missing:
            raise ValueError(f"it lacks {', '.join(missing)}; it holds {', '.join(stored) or 'nothing'}")
        return {key: stored[key] for key in stored}


def _cause(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
