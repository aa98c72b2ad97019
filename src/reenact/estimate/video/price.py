"""What a track costs, made comparable between tracks of the same masks with other bodies and other pose models.

A track's own cost is that of its poses with its own body and model, so two things are missing where tracks compete. A
body that is let off being unlikely explains masks the better for it: how far its flesh is from that of the body as told
counts by the same normal distributions by which poses and flesh are solved together. And a model that holds for more
poses gives each of them less: what a pose of its activity usually costs is taken off, as in the contest of models.
"""

from __future__ import annotations

from reenact.body.body import Body
from reenact.estimate.video.flesh import flesh_of
from reenact.estimate.video.likely import likely
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.track import Track
from reenact.priors.model import PoseModel


def price(track: Track, model: PoseModel, told: Body, settings: Settings) -> float:
    """A track's cost to compare with those of others; model: its own, told: the body that all of them began with."""
    flesh = flesh_of(told)
    usual = likely(model.on(track.body), settings.poses).usual
    return track.cost - usual * len(track.poses) + flesh.cost(flesh.numbers(track.body))
