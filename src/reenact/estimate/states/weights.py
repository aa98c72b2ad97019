"""The weights of the objective, [V12] Eq. 8, all in one place, each with its reason.

    E = squares + PRIOR · outside + CONTACT · changes + EFFORT · effort

Squares are the mean squared marker distance, Eq. 10: its root is a distance that one can see. Deviation: stability past
the end, Eq. 11, is weighed of videos alone (`estimate/video/seen_window.py`). Of a recording that ends at rest a state
to stand in is found instead (`hold.py`): that the last pose is kept for a while after the end keeps no body up.

Every term is in cm². The paper prints none of its λ, and one number: 10,000 for a state with more than one change of
contact, beside a sum of squares over all frames and markers. Here squares are means over frames and markers, so that a
weight means the same for a clip of any length and a body of any number of segments. For scale: a machine that fits
well costs 3 to 10 cm², one that stumbles 50, one that falls thousands.
"""

from __future__ import annotations

from typing import Final

# Of the mean mismatch of silhouettes over ΔT past a video's end, Eq. 11, beside that of its frames. The end is held as
# well as the video is followed; as both are means, a short ΔT weighs no less for being short.
STABILITY: Final = 1.0

# Of what lies outside the uniform priors, §5, added up as it is: seconds, α, radians, coefficients of a pose model. A
# target 0.1 rad beyond its range or a state 0.1 s too long costs 1 cm², a tenth to a third of a good fit: a search
# goes there only where that pays at once. An α is hardly ever charged: 0.3 instead of 0.2 costs 1 cm² too.
PRIOR: Final = 10.0  # [cm²] per unit

# Of a change of contact beyond the first in a state, §5. Deviation: each is counted, where the paper charges a state
# once and so much that it is out of the question; so a search that begins with a stumble is led to fewer of them. A
# stumble of ten changes costs 3 cm², as much as a good fit.
CONTACT: Final = 0.3  # [cm²] each

# Of the mean over steps and hinges of (torque / bound)² (`physics/effort.py`), the bounds being those of [V12]'s rule
# whatever the body's own are, so that a weight means the same of a strong body and of a weak one. A machine that fits
# well has 0.003 to 0.01: at 1000 that is 3 to 10 cm², as much as the fit. Zero: only the recording is followed, as in
# the paper; over a whole clip lower torques were bought with likeness (docs/notes/states.md).
EFFORT: Final = 0.0  # [cm²]

# Where a run is given up: the mean squared marker distance [m²]. Who is 40 cm off at every marker lies on the ground.
# Each missing frame is charged this, which is more than any that was run, so that to last longer is always better.
GIVE_UP: Final = 0.16
