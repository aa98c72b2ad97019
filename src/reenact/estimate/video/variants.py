"""First poses that look much the same to a camera and are not: limbs taken for each other, near taken for far.

From one side a silhouette tells neither which leg is the near one nor whether someone turns towards the camera or away
from it. What a descent cannot reach is therefore tried from the beginning.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.body.mirror import mirror_pose
from reenact.estimate.video.swaps import LIMBS, exchanged
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.tree import tree_of
from reenact.observe.camera import Camera

AS_IS: Final = "as is"
EXCHANGED: Final = "legs and arms exchanged"
MIRRORED: Final = "mirrored in depth"
BOTH: Final = "exchanged and mirrored"
VARIANTS: Final = (AS_IS, EXCHANGED, MIRRORED, BOTH)
SIDED: Final = (AS_IS, BOTH)  # in which the limbs that are seen where they are keep their sides


def variant(body: Body, pose: Array, camera: Camera, name: str) -> Array:
    """A pose (7 + A,) as one of VARIANTS."""
    out = np.array(pose, float)
    if name in (MIRRORED, BOTH):
        out = mirrored_in_depth(body, out, camera)
    if name in (EXCHANGED, BOTH):
        for limb in LIMBS:
            out = exchanged(tree_of(body), out[None], limb, 0, 1)[0]
    return out


def mirrored_in_depth(body: Body, poses: Array, camera: Camera) -> Array:
    """Poses (…, 7 + A), each reflected across the upright plane through its root that faces the camera.

    Seen from far away both have the same silhouette. Limbs change sides, as in a mirror.
    """
    sight = np.arctan2(camera.turn[2, 1], camera.turn[2, 0])  # heading of the line of sight
    back = rotation.from_axis_angle([0.0, 0.0, 1.0], 0.5 * np.pi - sight)  # which brings it to +y
    turned = np.array(poses, float)
    turned[..., :3] = 0.0
    turned[..., 3:7] = rotation.multiply(back, turned[..., 3:7])
    image = mirror_pose(body, turned)
    image[..., :3] = np.asarray(poses)[..., :3]
    image[..., 3:7] = rotation.multiply(rotation.conjugate(back), image[..., 3:7])
    return image
