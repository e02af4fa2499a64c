"""Collective communication with schedules that are provably the best.

>>> from rota import Collective, schedule, verify
>>> broadcast = schedule(Collective.broadcast, "circulant", ranks=17, blocks=40)
>>> broadcast.rounds, broadcast.lower_bound().rounds, verify(broadcast)
(44, 44, [])

>>> from rota import Network, simulate
>>> network = Network(latency_s=1e-6, seconds_per_byte=1e-9)
>>> round(simulate(broadcast, network, bytes=40_000).seconds * 1e6, 3)
88.0
"""

from rota._core import (
    Block,
    Candidate,
    Collective,
    Effort,
    Message,
    Network,
    OnReceive,
    Problem,
    Schedule,
    Simulation,
    Step,
    Violation,
    algorithms,
    candidates,
    least_seconds,
    schedule,
    simulate,
    solves,
    verify,
)

__all__ = [
    "Block",
    "Candidate",
    "Collective",
    "Effort",
    "Message",
    "Network",
    "OnReceive",
    "Problem",
    "Schedule",
    "Simulation",
    "Step",
    "Violation",
    "algorithms",
    "candidates",
    "least_seconds",
    "schedule",
    "simulate",
    "solves",
    "verify",
]
