"""What more processors would give: a model of a search on a cluster, from costs measured here.

A search asks one request after the other, for each depends on what the last one found. Spread over a cluster a request
takes, added up as if nothing overlapped:

    latency + messages · cost of a message + bytes / bandwidth + candidates of the busiest thread · cost of a candidate

and between requests the search itself works on one core. All but the last term grow or stay when cores are added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reenact.execute.crew import shares
from reenact.execute.parts import size_of_part


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What was measured here."""

    engine: float  # [s] of one core for one step of one candidate
    latency: float  # [s] of an empty call and its answer
    message: float  # [s] that a part and its answer keep the asking process
    between: float  # [s] of the search itself per request
    bytes_out: float  # per candidate: its share of start states, and its displacement
    row_bytes: int  # of an end state


@dataclass(frozen=True, slots=True, kw_only=True)
class Machines:
    """A cluster that was not there to be measured."""

    cores: int
    cores_each: int  # of one machine
    bandwidth: float  # [bytes/s] of the asking machine
    delay: float  # [s] that the network adds to a call and its answer

    @property
    def workers(self) -> int:
        """One per machine here, for a machine of 16 cores has one."""
        return math.ceil(self.cores / self.cores_each)


def request_seconds(costs: Costs, machines: Machines, candidates: int, steps: int) -> float:
    """Time of one request [s]."""
    workers = machines.workers
    size = size_of_part(candidates, costs.row_bytes, workers, machines.cores)
    parts = math.ceil(candidates / size)
    threads = max(shares(machines.cores, machines.cores_each))
    busiest = [(candidates + i) // parts for i in reversed(range(parts))][::workers]  # its parts, the larger ones
    waves = sum(math.ceil(part / threads) for part in busiest)
    travel = candidates * (costs.bytes_out + costs.row_bytes) / machines.bandwidth
    return costs.latency + machines.delay + parts * costs.message + travel + waves * steps * costs.engine


def search_seconds(costs: Costs, machines: Machines, requests: Sequence[tuple[int, int]]) -> float:
    """Time of a search [s]; requests: candidates and steps of each."""
    return sum(request_seconds(costs, machines, n, steps) + costs.between for n, steps in requests)


def engine_seconds(costs: Costs, requests: Sequence[tuple[int, int]]) -> float:
    """Time of the engine alone on one core [s]."""
    return costs.engine * sum(n * steps for n, steps in requests)
