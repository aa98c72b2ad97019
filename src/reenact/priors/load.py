"""Find a pose model by the name it is bundled under or by its file; keep one."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Final

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.formats.replace_file import replace_file
from reenact.formats.text_file import decode, read_bytes
from reenact.priors.file import dump_model, parse_model
from reenact.priors.identity import IDENTITY, identity
from reenact.priors.model import PoseModel

BUNDLED: Final = Path(__file__).parent / "data"
MOST_BYTES: Final = 10_000_000


def bundled_models() -> tuple[str, ...]:
    """Names of the activities whose models come with the package; all belong to the body "adult"."""
    return tuple(sorted(path.stem for path in BUNDLED.glob("*.toml")))


def load_model(name_or_path: str | Path) -> PoseModel:
    """A model from a TOML file, or a bundled one by name such as "walk", for the body that it was trained on."""
    path = Path(name_or_path)
    if str(name_or_path) in bundled_models() and not path.is_file():
        path = BUNDLED / f"{name_or_path}.toml"
    if not path.is_file():
        names = (*bundled_models(), IDENTITY)
        close = difflib.get_close_matches(str(name_or_path), names, n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        raise InputError(
            f"no pose model '{name_or_path}': neither a file nor a bundled model; {hint}there are: {', '.join(names)}"
        )
    return parse_model(decode(read_bytes(path, limit=MOST_BYTES), path, expected="a pose model in TOML"), path)


def model_for(name_or_path: str | Path, body: Body) -> PoseModel:
    """A model for a body, within its limits: a file, a bundled name, or "identity" for the one without activity."""
    if str(name_or_path) == IDENTITY and not Path(name_or_path).is_file():
        return identity(body)
    return load_model(name_or_path).on(body)


def save_model(path: Path | str, model: PoseModel) -> None:
    """Write a model as TOML, making its folder where needed."""
    replace_file(path, dump_model(model))
