"""A linear model of the poses of one activity, [V12] Eq. 7: pose = U s + b.

Deviation: U = W⁻¹ V with orthonormal V and a weight for every feature, so that what is nearest is judged by what an
angle is worth (see `train`); with equal weights it is the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.formats.take import Source
from reenact.geometry.rotation import Array
from reenact.priors.encoding import ENCODINGS, Encoding, Pose, decode, encode, feature_names
from reenact.priors.hinges import Hinges, hinges_of, what_differs
from reenact.priors.root import nearest
from reenact.priors.training_clip import TrainingClip

REACH: Final = 4.0  # coefficients are likely within this many standard deviations, [V12] §4.1.2
_ORTHOGONAL = 1e-6  # how far products of the basis' columns may be off 0 and 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseModel:
    """Poses as k coefficients s: `pose(s)` is [V12]'s g(s), `project` its inverse where there is one."""

    name: str  # the activity
    body: str  # name of the body it was trained on
    hinges: Hinges
    encoding: Encoding
    basis: Array  # V (D, k), orthonormal columns, of weighted vectors W x
    weights: Array  # diagonal of W (D,)
    offset: Array  # b (D,)
    sigma: Array  # (k,) standard deviations of the coefficients in training
    variance: float  # share of the training poses' variance that the basis keeps
    mirrored: bool  # whether every training pose was also seen in a mirror
    clips: tuple[TrainingClip, ...]  # what it was trained on

    def __post_init__(self) -> None:
        """Refuse numbers that do not make a model."""
        where = f"pose model '{self.name}'"
        if self.encoding not in ENCODINGS:
            raise InputError(f"{where}: encoding is '{self.encoding}', expected one of: {', '.join(ENCODINGS)}")
        rows, columns = len(feature_names(self.hinges, self.encoding)), len(self.sigma)
        shapes = {"basis": (rows, columns), "weights": (rows,), "offset": (rows,), "sigma": (columns,)}
        if not 1 <= columns <= rows:
            raise InputError(f"{where}: {columns} components, expected 1 to {rows}")
        for field, shape in shapes.items():
            values = getattr(self, field)
            if values.shape != shape:
                raise InputError(f"{where}: {field} has shape {values.shape}, expected {shape}")
            if not np.isfinite(values).all():
                raise InputError(f"{where}: {field} holds numbers that are not finite")
        for field in ("weights", "sigma"):
            if not (getattr(self, field) > 0.0).all():
                raise InputError(f"{where}: {field} must be positive, got {float(getattr(self, field).min()):g}")
        if not 0.0 < self.variance <= 1.0:
            raise InputError(f"{where}: variance is {self.variance:g}, expected a share above 0 and up to 1")
        if np.abs(self.basis.T @ self.basis - np.eye(columns)).max() > _ORTHOGONAL:
            raise InputError(f"{where}: the basis' columns are not orthonormal")

    @property
    def size(self) -> int:
        """Number of coefficients k."""
        return len(self.sigma)

    @property
    def bounds(self) -> tuple[Array, Array]:
        """Least and greatest likely coefficients (k,) and (k,), ∓4σ."""
        return -REACH * self.sigma, REACH * self.sigma

    @property
    def shares(self) -> Array:
        """Part of the training poses' whole variance that each component keeps, (k,)."""
        return np.asarray(self.sigma**2 / np.sum(self.sigma**2) * self.variance)

    def encode(self, qpos: ArrayLike) -> Array:
        """Poses (*batch, 7 + A) as vectors (*batch, D), see `encoding`."""
        return encode(qpos, self.encoding, self.hinges)

    def project(self, qpos: ArrayLike) -> Array:
        """Coefficients s = VᵀW(x − b) (*batch, k) of the model's poses nearest to poses (*batch, 7 + A)."""
        return np.asarray(((self.encode(qpos) - self.offset) * self.weights) @ self.basis)

    def pose(self, s: ArrayLike) -> Pose:
        """The poses g(s) of coefficients (*batch, k): angles (*batch, A) within the limits and the root's tilt."""
        return decode(self.vector(s), self.encoding, self.hinges)

    def vector(self, s: ArrayLike) -> Array:
        """U s + b (*batch, D) of coefficients (*batch, k), [V12] Eq. 7."""
        return np.asarray(self._checked(s) @ self.basis.T / self.weights + self.offset)

    def penalty(self, s: ArrayLike) -> Array:
        """How far coefficients (*batch, k) are outside ∓4σ, added up, (*batch,); [V12] §5, prior."""
        low, high = self.bounds
        values = self._checked(s)
        return np.asarray(np.sum(np.maximum(0.0, values - high) + np.maximum(0.0, low - values), axis=-1))

    def reconstruct(self, qpos: ArrayLike) -> Array:
        """The model's poses (*batch, 7 + A) nearest to given ones, at their places and as near to their headings."""
        poses = np.array(qpos, float)
        angles, tilt = self.pose(self.project(poses))
        return np.concatenate([poses[..., :3], nearest(tilt, poses[..., 3:7]), angles], axis=-1)

    def on(self, body: Body) -> PoseModel:
        """The model for a body with the same hinges, within that body's limits; any other body is refused."""
        hinges = hinges_of(body)
        if different := what_differs(self.hinges, hinges):
            raise InputError(
                f"pose model '{self.name}' belongs to the hinges of body '{self.body}'; "
                f"body '{body.name}' has {different}"
            )
        return replace(self, hinges=hinges)

    def keep(self, count: int) -> PoseModel:
        """The same model with its first components alone."""
        if not 1 <= count <= self.size:
            raise InputError(f"pose model '{self.name}' has {self.size} components, cannot keep {count}")
        kept = float(np.sum(self.shares[:count]))
        return replace(self, basis=self.basis[:, :count], sigma=self.sigma[:count], variance=kept)

    def require_unseen(self, source: Source) -> None:
        """Raise where the model was trained on a file: figures of it would say nothing. [V12] tests on other trials."""
        for clip in self.clips:
            if clip.is_same(source):
                alias = "" if clip.source.name == source.name else f" (as {clip.source.name})"
                names = ", ".join(c.source.name for c in self.clips)
                raise InputError(
                    f"pose model '{self.name}' was trained on {source.name}{alias}; "
                    f"test it on a recording that is none of: {names}"
                )

    def _checked(self, s: ArrayLike) -> Array:
        values = np.asarray(s, float)
        if values.shape[-1:] != (self.size,):
            raise InputError(
                f"coefficients have shape {values.shape}, expected (..., {self.size}) of pose model '{self.name}'"
            )
        if not np.isfinite(values).all():
            raise InputError(f"coefficients of pose model '{self.name}' are not finite")
        return values
