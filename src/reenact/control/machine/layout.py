"""Where a state machine's numbers stand in the rows that its compiled control function reads.

The table holds what all candidates of a search share: the graph, the body's limbs, and what a motion is scored against.
The params of a candidate hold one row per state. The memory holds where the machine stands.
"""

from __future__ import annotations

from typing import Final

# Head of the table: counts and settings, then where its blocks begin.
STATES, ROW, GROUPS, LEGS, PARTS, LAW, SHARE, LEVEL, DWELL, PATIENCE, ROOT_BY = range(11)
KIND, NEXT, EARLY, EARLY_NEXT, EARLY_WHEN, GROUP_OF, PART_OF, LEG, WATCH = range(11, 20)
HEAD: Final = 20

# Kinds of a state's end, in the block KIND; others: 1 + the part whose contact ends it. The block EARLY holds the part
# whose contact ends it too, or NEVER, EARLY_NEXT where that leads, and EARLY_WHEN three times [s] of each state: from
# when on it counts, and from when to when it is due, or NEVER.
NEVER, ON_TIME = -1, 0

# What turns the root.
STANDING_HIP, SWING_THIGH = 0, 1

# Laws of the balance feedback.
PAPER, DEVIATION = 0, 1

# A leg's block.
LEG_FOOT, LEG_HIP, LEG_PART, LEG_AXES = 0, 1, 2, 3
LEG_PITCH, LEG_PITCH_SIGN, LEG_ROLL, LEG_ROLL_SIGN, LEG_TWIST, LEG_KNEE = 12, 13, 14, 15, 16, 17
LEG_WIDTH: Final = 18

# A state's row in the params; then G gains, the root's orientation (4), A angles, reactions: A numbers [rad/m] for each
# way to fall, in the order of `falling.WAYS`, and answers: A for each cue, in the order of `cues.CUES`. USUAL: what the
# cues are as a rule.
SECONDS, PLACE, SPEED, BLEND, NOMINAL_PLACE, NOMINAL_SPEED, ANKLE, LEAN, ASIDE = 0, 1, 2, 3, 4, 6, 8, 10, 12
LEAN_ASIDE, INWARD, SOLE, HURRY, USUAL = 14, 16, 17, 18, 22
FALLS, CUES = 4, 7  # how many
GAINS: Final = USUAL + CUES

# The memory. Bit p of TOUCHING and LIFTED stands for part p. AWAY: steps that each foot has been off the ground.
# LANDED: the leg whose foot came down last, as STANCE has it. CLOCK: steps since the state was entered, more where it
# hurries, and HASTE: how much more of the next. FEET: where their middle was at the last step, on the ground, known
# while both bear; GLIDE: how fast it goes [m/s]. LANDINGS: how often another foot came down than the one before.
# FEEL: how far it falls each way, then its cues; FELT: sums of these over the steps.
STATE, ENTERED, CHANGES, EXCESS, STANCE, BEGUN, HEADING, TOUCHING, LIFTED = range(9)
COP, COP_KNOWN, THIGHS, SWITCHES, AWAY, LANDED, CLOCK, HASTE, FEET, FEET_KNOWN = 9, 11, 12, 18, 19, 21, 22, 23, 24, 26
GLIDE, LANDINGS, FEEL = 27, 29, 30
FELT: Final = FEEL + FALLS + CUES
SCORE: Final = FELT + FALLS + CUES
SCORES: Final = 4  # numbers kept by a watch
ENTRY: Final = SCORE + SCORES  # then: step at which each state was last entered


def row_width(groups: int, axes: int) -> int:
    """Numbers of a state in the params."""
    return answers_at(groups, axes) + CUES * axes


def root_at(groups: int) -> int:
    """Where the root's orientation stands in a state's row."""
    return GAINS + groups


def pose_at(groups: int) -> int:
    """Where the angles stand in a state's row."""
    return GAINS + groups + 4


def reactions_at(groups: int, axes: int) -> int:
    """Where the reactions stand in a state's row."""
    return pose_at(groups) + axes


def answers_at(groups: int, axes: int) -> int:
    """Where the answers to cues stand in a state's row."""
    return reactions_at(groups, axes) + FALLS * axes


def memory_size(states: int) -> int:
    """Numbers of memory."""
    return ENTRY + states
