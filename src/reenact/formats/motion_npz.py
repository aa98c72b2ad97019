"""A fitted motion on disk: one .npz without pickle, the body's TOML inside, so that it stands alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from reenact.body.toml import dump_body, parse_body
from reenact.errors import InputError
from reenact.formats.npz_file import NpzHeader, packed_npz, read_npz
from reenact.formats.replace_file import replace_file
from reenact.motion.contact import Contact
from reenact.motion.fit_report import FitReport
from reenact.motion.motion import Motion

FORMAT: Final = "reenact-motion"
VERSION: Final = 1
_ARRAYS: Final = ("qpos", "joints", "lift")


class _Header(NpzHeader):
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
    arrays = {key: getattr(motion, key) for key in _ARRAYS}
    replace_file(path, packed_npz(header, body=np.array(dump_body(motion.body)), **arrays))


def load_motion(path: Path | str) -> Motion:
    """Read a motion that `save_motion` wrote."""
    path = Path(path)
    header, content = read_npz(path, _Header, ("body", *_ARRAYS), what="a fitted motion", kind=FORMAT, version=VERSION)
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
