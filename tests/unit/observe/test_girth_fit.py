"""A body's girth from masks: what was changed is found again; what cannot be seen stays."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.girth import with_girths
from reenact.body.scale import segment_lengths
from reenact.errors import BodyError, InputError
from reenact.observe.girth_fit import FittedGirth, SeenPoses, fit_girth
from reenact.observe.projection import projection_of
from reenact.observe.projection_table import pack
from reenact.view.bench_silhouette import random_camera, side_view

BODY = adult()


def seen_of(shown: object, count: int = 16) -> list[SeenPoses]:
    """A walk seen from the side and from somewhere else, and the masks of another body in the same poses."""
    side, poses = side_view(count)
    cameras = [side.camera, projection_of(BODY, random_camera(np.random.default_rng(8))).camera]
    return [
        SeenPoses(
            projection=projection_of(BODY, camera, (160, 90)),
            poses=poses,
            masks=pack(projection_of(shown, camera, (160, 90)).silhouettes(poses)),  # type: ignore[arg-type]
        )
        for camera in cameras
    ]


def test_girths_are_found_again() -> None:
    truth = {"thigh": 1.25, "abdomen": 1.3, "upper_arm": 0.8, "shank": 0.85}
    factors = {
        f"{name}{end}": f for name, f in truth.items() for end in (("",) if name == "abdomen" else ("_left", "_right"))
    }
    fitted: FittedGirth = fit_girth(BODY, seen_of(with_girths(BODY, factors)))
    assert fitted.before > 0.05
    assert fitted.after < 0.3 * fitted.before
    assert fitted.factors["upper_arm"] < 1.0  # mostly before the trunk in these views: its way is seen, not how far
    for name, factor in truth.items():
        if name == "upper_arm":
            continue
        assert fitted.factors[name] == pytest.approx(factor, rel=0.12), name
    for name in ("head", "forearm", "thorax"):
        assert fitted.factors[name] == pytest.approx(1.0, rel=0.12), name
    assert fitted.body.mass == pytest.approx(BODY.mass)
    assert segment_lengths(fitted.body) == pytest.approx(segment_lengths(BODY))


def test_a_taller_person_is_told_from_a_thicker_one() -> None:
    tall = adult(height=1.06 * BODY.stature, mass=BODY.mass * 1.06**3)
    fitted = fit_girth(BODY, _standing_taller(tall), size=True)
    assert fitted.body.stature == pytest.approx(tall.stature, rel=0.015)
    assert fitted.body.mass == pytest.approx(BODY.mass)
    assert fitted.after < 0.5 * fitted.before


def _standing_taller(tall: object) -> list[SeenPoses]:
    side, poses = side_view(8)
    taller = poses.copy()
    taller[:, 2] *= 1.06
    mask = projection_of(tall, side.camera, (160, 90)).silhouettes(taller)  # type: ignore[arg-type]
    return [SeenPoses(projection=side, poses=poses, masks=pack(mask))]


def test_thicker_shapes_keep_joints_and_lengths() -> None:
    thick = with_girths(BODY, {"thigh_left": 1.5})
    old, new = BODY.segment("thigh_left"), thick.segment("thigh_left")
    capsule = next((a, b) for a, b in zip(old.shapes, new.shapes, strict=True) if a.kind == "capsule")
    assert capsule[1].size[0] == pytest.approx(1.5 * capsule[0].size[0])
    assert capsule[1].size.sum() == pytest.approx(capsule[0].size.sum())
    bulge = next((a, b) for a, b in zip(old.shapes, new.shapes, strict=True) if a.kind == "ellipsoid")
    assert bulge[1].size == pytest.approx(bulge[0].size * [1.5, 1.5, 1.0])
    assert (new.mass, new.offset.tolist()) == (old.mass, old.offset.tolist())
    assert thick.segment("thigh_right").shapes == BODY.segment("thigh_right").shapes


def test_what_cannot_be_fitted() -> None:
    with pytest.raises(InputError, match="no poses"):
        fit_girth(BODY, [])
    with pytest.raises(BodyError, match="girth factor is 9"):
        with_girths(BODY, {"thigh_left": 9.0})
    with pytest.raises(BodyError, match="no segment 'tail'"):
        with_girths(BODY, {"tail": 1.1})
