"""Where the adult's joints and landmarks lie in the rest pose, from the tables' lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.anthropometrics import Person
from reenact.body.foot import Foot, foot_of
from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class AdultFrame:
    """Points (3,) [m] of the middle and the left side, from the midpoint between the hip joints."""

    hip: Array
    navel: Array
    xiphoid: Array
    cervicale: Array
    vertex: Array
    neck: Array
    shoulder: Array
    elbow: Array
    wrist: Array
    fingertip: Array
    knee: Array
    ankle: Array
    heel: Array
    ball: Array
    toe_tip: Array
    ankle_height: float  # above the sole [m]
    foot: Foot

    @property
    def hip_height(self) -> float:
        """Height of the hip joints above the sole [m]."""
        return self.ankle_height - float(self.ankle[2])


def adult_frame(who: Person) -> AdultFrame:
    """Lay the segments of [B09] Table 4 end to end so that the vertex stands exactly at the stature.

    Deviation: laid on one vertical line, the men's segments leave 2.22 % of the stature between malleolus and sole,
    where the living have about 3.9 %: the tables join landmarks that do not lie above each other, and the cervicale is
    a point on the skin of the back. So the trunk leans back to the cervicale and the head forward to the vertex by the
    horizontal distances of the data file, every length stays the table's, and the ankle takes what is left: 3.5 %
    of a man's stature, 4.5 % of a woman's. Joints of the neck and shoulders lie halfway from the cervicale to the
    vertex's plumb line, the neck at the cervicale's height.
    """
    stature = who.stature
    lower, mid, upper = (who.segment(name).length for name in ("lower_trunk", "mid_trunk", "upper_trunk"))
    back, forward = who.frame("cervicale_behind_hip"), who.frame("vertex_before_cervicale")
    trunk = lower + mid + upper
    up = np.array([-back / trunk, 0.0, np.sqrt(1.0 - (back / trunk) ** 2)])  # along the trunk
    cervicale = trunk * up
    head = who.segment("head_neck").length
    vertex = cervicale + np.array([forward, 0.0, np.sqrt(head**2 - forward**2)])
    throat = cervicale[0] + 0.5 * forward

    down = np.array([0.0, 0.0, -1.0])
    hip = np.array([0.0, who.frame("hip_half_width"), 0.0])
    knee = hip + who.segment("thigh").length * down
    ankle = knee + who.segment("shank").length * down
    ankle_height = float(stature - vertex[2] + ankle[2])

    shoulder = cervicale - who.frame("shoulder_below_cervicale") * up
    shoulder = np.array([throat, who.frame("shoulder_half_width"), shoulder[2]])
    elbow = shoulder + who.segment("upper_arm").length * down
    wrist = elbow + who.segment("forearm").length * down

    foot = foot_of(who)
    heel = ankle + np.array([-foot.ankle, 0.0, 0.5 * foot.toe_height - ankle_height])
    return AdultFrame(
        hip=hip,
        navel=lower * up,
        xiphoid=(lower + mid) * up,
        cervicale=cervicale,
        vertex=vertex,
        neck=np.array([throat, 0.0, cervicale[2]]),
        shoulder=shoulder,
        elbow=elbow,
        wrist=wrist,
        fingertip=wrist + who.frame("hand_length") * down,
        knee=knee,
        ankle=ankle,
        heel=heel,
        ball=heel + np.array([foot.ball, 0.0, 0.0]),
        toe_tip=heel + np.array([foot.length, 0.0, 0.0]),
        ankle_height=ankle_height,
        foot=foot,
    )
