"""A motion from poses alone, as if they had been fitted without an error."""

from __future__ import annotations

import numpy as np

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.contact import Contact
from reenact.motion.fit_report import FitReport
from reenact.motion.motion import Motion

EXACT = FitReport(measured="joint centres", error_cm=0.0, median_error_cm=0.0, greatest_error_cm=0.0)


def made_motion(name: str, body: Body, qpos: Array, contacts: tuple[Contact, ...] = (), rate: float = 120.0) -> Motion:
    """The motion of a body with poses qpos (T, 7 + A); no joint of it was measured."""
    return Motion(
        name=name,
        rate=rate,
        body=body,
        qpos=qpos,
        joint_names=(),
        joints=np.zeros((len(qpos), 0, 3)),
        lift=np.zeros(len(qpos)),
        contacts=contacts,
        report=EXACT,
    )
