"""Physics-based motion capture: recover the controller behind a recorded motion.

    import reenact

    motion = reenact.fit(reenact.read_clip(reenact.find_clip("walk")))
    take = reenact.follow(motion)
    take = reenact.capture("cartwheel")

The names below are the public ones; each is imported from its module when first used, so `import reenact` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Body": "reenact.body.body",
    "adult": "reenact.body.adult",
    "load_body": "reenact.body.load",
    "dump_body": "reenact.body.toml",
    "SkeletonClip": "reenact.motion.clip",
    "MarkerClip": "reenact.motion.clip",
    "find_clip": "reenact.formats.samples",
    "list_samples": "reenact.formats.samples",
    "read_clip": "reenact.formats.read",
    "Motion": "reenact.motion.motion",
    "fit": "reenact.motion.fit",
    "load_motion": "reenact.formats.motion_npz",
    "save_motion": "reenact.formats.motion_npz",
    "World": "reenact.world.world",
    "load_world": "reenact.world.load",
    "dump_world": "reenact.world.toml",
    "Model": "reenact.physics.model",
    "compile_model": "reenact.physics.model",
    "State": "reenact.physics.state",
    "Trace": "reenact.physics.trace",
    "simulate": "reenact.physics.simulate",
    "rollout_batch": "reenact.physics.rollout",
    "audit_take": "reenact.physics.audit",
    "track_of": "reenact.control.track",
    "follow": "reenact.control.follow",
    "capture": "reenact.execute.capture",
    "rerun_take": "reenact.control.recipe",
    "Take": "reenact.formats.take",
    "read_take": "reenact.formats.take",
    "write_take": "reenact.formats.take",
    "report_html": "reenact.view.report",
    "render_take": "reenact.view.render",
    "ReenactError": "reenact.errors",
    "InputError": "reenact.errors",
}
__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from reenact.body.adult import adult as adult
    from reenact.body.body import Body as Body
    from reenact.body.load import load_body as load_body
    from reenact.body.toml import dump_body as dump_body
    from reenact.control.follow import follow as follow
    from reenact.control.recipe import rerun_take as rerun_take
    from reenact.control.track import track_of as track_of
    from reenact.errors import InputError as InputError
    from reenact.errors import ReenactError as ReenactError
    from reenact.execute.capture import capture as capture
    from reenact.formats.motion_npz import load_motion as load_motion
    from reenact.formats.motion_npz import save_motion as save_motion
    from reenact.formats.read import read_clip as read_clip
    from reenact.formats.samples import find_clip as find_clip
    from reenact.formats.samples import list_samples as list_samples
    from reenact.formats.take import Take as Take
    from reenact.formats.take import read_take as read_take
    from reenact.formats.take import write_take as write_take
    from reenact.motion.clip import MarkerClip as MarkerClip
    from reenact.motion.clip import SkeletonClip as SkeletonClip
    from reenact.motion.fit import fit as fit
    from reenact.motion.motion import Motion as Motion
    from reenact.physics.audit import audit_take as audit_take
    from reenact.physics.model import Model as Model
    from reenact.physics.model import compile_model as compile_model
    from reenact.physics.rollout import rollout_batch as rollout_batch
    from reenact.physics.simulate import simulate as simulate
    from reenact.physics.state import State as State
    from reenact.physics.trace import Trace as Trace
    from reenact.view.render import render_take as render_take
    from reenact.view.report import report_html as report_html
    from reenact.world.load import load_world as load_world
    from reenact.world.toml import dump_world as dump_world
    from reenact.world.world import World as World


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'reenact' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
