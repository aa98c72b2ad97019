"""The model of many machines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.execute.scaling import Costs, Machines, engine_seconds, request_seconds, search_seconds

COSTS = Costs(engine=50e-6, latency=1e-3, message=0.5e-3, between=2e-3, bytes_out=600.0, row_bytes=1400)
FREE = replace(COSTS, latency=0.0, message=0.0, between=0.0, bytes_out=0.0)
ONE = Machines(cores=1, cores_each=1, bandwidth=np.inf, delay=0.0)


def test_one_core_without_a_network_is_the_engine_alone() -> None:
    requests = [(350, 12), (50, 10)]
    assert search_seconds(FREE, ONE, requests) == pytest.approx(engine_seconds(COSTS, requests), rel=1e-12)
    assert engine_seconds(COSTS, requests) == pytest.approx(50e-6 * (350 * 12 + 50 * 10))


def test_free_messages_scale_up_to_a_candidate_per_core() -> None:
    cluster = Machines(cores=160, cores_each=16, bandwidth=np.inf, delay=0.0)
    assert request_seconds(FREE, cluster, 16000, 12) == pytest.approx(16000 * 12 * 50e-6 / 160, rel=0.1)
    assert request_seconds(FREE, cluster, 1, 12) == pytest.approx(12 * 50e-6)


def test_each_cost_adds_its_share() -> None:
    cluster = Machines(cores=16, cores_each=16, bandwidth=1e8, delay=0.2e-3)
    free = request_seconds(FREE, replace(cluster, bandwidth=np.inf, delay=0.0), 64, 12)
    assert request_seconds(COSTS, cluster, 64, 12) == pytest.approx(free + 1.2e-3 + 0.5e-3 + 64 * 2000 / 1e8)
    assert search_seconds(COSTS, cluster, [(64, 12)] * 3) == pytest.approx(
        3 * (request_seconds(COSTS, cluster, 64, 12) + 2e-3)
    )
