"""The two networks, run on the processor by LiteRT (the extra `network`); one picture in, tensors out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.errors import MissingExtraError
from reenact.formats.video import Picture
from reenact.observe.network import detection, landmarks
from reenact.observe.network.detection import Person, people_in
from reenact.observe.network.landmarks import Landmarks, landmarks_of
from reenact.observe.network.region import Region, cropped, whole
from reenact.observe.network.weights import DETECTION, LANDMARK, Weights, path_of
from reenact.silence import silent_stderr


class Network:
    """Finds people in a picture, and looks at one of them closely."""

    def __init__(self, threads: int = 1) -> None:
        """Load the weights; errors say which extra or which command is missing."""
        self._detector = _Model(DETECTION, threads)
        self._landmarker = _Model(LANDMARK, threads)

    def people(self, image: Picture) -> list[Person]:
        """Everybody in a picture (H, W, 3), best first."""
        seen = whole(image.shape[1], image.shape[0])
        shown = 2.0 * cropped(image, seen, detection.INPUT, beyond="constant") - 1.0
        answers, logits = self._detector(shown)
        return people_in(answers[0], logits[0, :, 0], seen)

    def landmarks(self, image: Picture, region: Region) -> Landmarks:
        """The person in a region of a picture (H, W, 3)."""
        return landmarks_of(self._landmarker(cropped(image, region, landmarks.INPUT)), region)


class _Model:
    """One file of weights, ready to run."""

    def __init__(self, weights: Weights, threads: int) -> None:
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError:
            raise MissingExtraError("network", "looking at a video with the pose network") from None
        path = str(path_of(weights))
        with silent_stderr():  # the engine remarks on how it computes
            self._run: Any = Interpreter(model_path=path, num_threads=threads)
            self._run.allocate_tensors()
        self._in = self._run.get_input_details()[0]["index"]
        self._out = [each["index"] for each in self._run.get_output_details()]

    def __call__(self, shown: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """The tensors that answer a picture (n, n, 3)."""
        self._run.set_tensor(self._in, shown[None].astype(np.float32))
        self._run.invoke()
        return [np.asarray(self._run.get_tensor(index)) for index in self._out]
