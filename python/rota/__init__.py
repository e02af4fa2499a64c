"""Collective communication with schedules that are provably the best.

>>> from rota import Collective, schedule, verify
>>> broadcast = schedule(Collective.broadcast, "circulant", ranks=17, blocks=40)
>>> broadcast.rounds, broadcast.lower_bound().rounds, verify(broadcast)
(44, 44, [])
"""

from rota._core import (
    Block,
    Collective,
    Effort,
    Message,
    OnReceive,
    Problem,
    Schedule,
    Step,
    Violation,
    algorithms,
    schedule,
    verify,
)

__all__ = [
    "Block",
    "Collective",
    "Effort",
    "Message",
    "OnReceive",
    "Problem",
    "Schedule",
    "Step",
    "Violation",
    "algorithms",
    "schedule",
    "verify",
]
