"""Worker processes on the machines of a cluster: hired where there are processors, checked, let go when lost."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from reenact.estimate.sampling.evaluate import Setup, Stage
from reenact.execute.session import ClusterError, import_ray
from reenact.execute.trial import needed, trial
from reenact.execute.worker import envelope, packed

THREADS_EACH = 16  # of a worker at most: few workers mean few messages, small ones find a place beside other work
LOOK = 2.0  # [s] between looks for machines without a worker
MUSTER = 60.0  # [s] until somebody must have joined
GRACE = 5.0  # [s] for the others, after the first


@dataclass(slots=True, kw_only=True, eq=False)
class Member:
    """A worker process."""

    actor: Any
    node: str  # Ray's name of the machine
    threads: int
    host: str = ""
    process: int = 0
    busy: int = 0  # parts sent and not yet answered


class Crew:
    """The workers of one setup."""

    def __init__(self, setup: Setup, stage: Stage, *, threads_each: int = THREADS_EACH) -> None:
        self._ray = import_ray()
        self._kind = self._ray.remote(envelope())
        self._setup = self._ray.put(packed(setup))
        self._needed = needed()
        self._trial = trial(stage)
        self._threads_each = threads_each
        self._looked = self._staffed = -math.inf
        self.members: list[Member] = []
        self.joining: dict[Any, Member] = {}  # by the reference to what they will say
        self.left_out: dict[str, str] = {}  # machine: its host, of those that may compute other bits
        self._refused = ""  # why, where one of them could be mended

    @property
    def threads(self) -> int:
        """Of all workers together."""
        return sum(member.threads for member in self.members)

    def muster(self) -> None:
        """Hire everywhere and wait until all have joined; late ones join during the work.

        Other versions are refused, for that can be mended. Machines whose processor computes other last digits are left
        out, as are late ones that do not fit for either reason.
        """
        begun = time.monotonic()
        self.look()
        while self.joining or not (self.members or self.left_out):
            waited = time.monotonic() - begun
            if waited > (GRACE if self.members or self._refused else MUSTER):
                break
            self.greet(timeout=0.2)
            self.look()
        if self._refused or not self.members:
            raise ClusterError(self._refused or self._why_nobody())

    def look(self) -> None:
        """Hire on machines that have processors and no worker, let go on those that are gone; every some seconds."""
        now = time.monotonic()
        if self.members:
            self._staffed = now
        elif now - self._staffed > MUSTER and math.isfinite(self._staffed):
            raise ClusterError("all workers of the cluster were lost, and none came back within a minute")
        if now - self._looked < LOOK:
            return
        self._looked = now
        alive = {node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in self._ray.nodes() if node["Alive"]}
        for member in [m for m in self.members if m.node not in alive]:
            self.dismiss(member)  # a machine may go without a word
        for node, processors in alive.items():
            if node not in self.left_out:
                self._staff(node, processors)

    def greet(self, timeout: float) -> None:
        """Take in those who have joined, waiting so long for one [s]."""
        if not self.joining:
            time.sleep(timeout)
            return
        ready, _ = self._ray.wait(list(self.joining), num_returns=1, timeout=timeout)
        for reference in ready:
            self.welcome(reference)

    def welcome(self, reference: Any) -> None:
        """Take in a worker that has spoken, if it runs the same versions and computes the same bits."""
        member = self.joining.pop(reference)
        try:
            said = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise ClusterError(f"a worker cannot open the setup: {error.cause!r}") from error
        except self._ray.exceptions.RayError:
            self.dismiss(member)  # its machine went away
            return
        member.host, member.process = said["host"], said["process"]
        if said["versions"] == self._needed and said["trial"] == self._trial:
            self.members.append(member)
            return
        if said["versions"] != self._needed:
            self._refused = self._other_versions(member, said["versions"])
        self.left_out[member.node] = member.host
        self.dismiss(member)

    def dismiss(self, member: Member) -> None:
        """End a worker; what it was doing fails."""
        if member in self.members:
            self.members.remove(member)
        self._ray.kill(member.actor)

    def dissolve(self) -> None:
        """End all workers."""
        for member in [*self.members, *self.joining.values()]:
            self._ray.kill(member.actor)
        self.members, self.joining = [], {}

    def describe(self) -> str:
        """Who works, in words."""
        machines = len({member.node for member in self.members})
        words = f"{self.threads} core{'s' * (self.threads > 1)} of {machines} machine{'s' * (machines > 1)}"
        if not self.left_out:
            return words
        hosts = ", ".join(sorted(set(self.left_out.values())))
        return f"{words}; left out, because they compute other last digits: {hosts}"

    def _staff(self, node: str, processors: int) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        wanted = shares(processors, self._threads_each)
        for member in [*self.members, *self.joining.values()]:
            if member.node == node and member.threads in wanted:
                wanted.remove(member.threads)
        for threads in wanted:
            place = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
            actor = self._kind.options(num_cpus=threads, max_restarts=0, scheduling_strategy=place).remote()
            said = actor.join.remote(list(self._needed), self._setup, self._needed, threads)
            self.joining[said] = Member(actor=actor, node=node, threads=threads)

    def _other_versions(self, member: Member, found: dict[str, str]) -> str:
        differ = [name for name in self._needed if found[name] != self._needed[name]]
        there = ", ".join(f"{name} {found[name]}" for name in differ)
        here = ", ".join(f"{name} {self._needed[name]}" for name in differ)
        return f"{member.host} of the cluster has {there}, and here is {here}: install the same everywhere"

    def _why_nobody(self) -> str:
        if self.left_out:
            hosts = ", ".join(sorted(set(self.left_out.values())))
            return f"no machine of the cluster computes the same bits as this one ({hosts}): other processors"
        free = self._ray.available_resources().get("CPU", 0.0)
        total = self._ray.cluster_resources().get("CPU", 0.0)
        return f"no worker could start within {MUSTER:.0f} s: {free:g} of the cluster's {total:g} processors are free"


def shares(processors: int, most: int) -> list[int]:
    """Processors of one machine shared out evenly among workers of at most so many threads."""
    workers = math.ceil(processors / most)
    return [(processors + i) // workers for i in range(workers)]
