"""Collective communication with schedules that are provably the best.

>>> from rota import schedule, verify
>>> broadcast = schedule("bcast", "circulant", ranks=17, blocks=40)
>>> broadcast
<Schedule of broadcast: 17 ranks, 40 blocks, 44 rounds>
>>> broadcast.rounds, broadcast.lower_bound().rounds, verify(broadcast)
(44, 44, [])

>>> from rota import Network, simulate
>>> network = Network(latency_s=1e-6, seconds_per_byte=1e-9)
>>> round(simulate(broadcast, network, bytes=40_000).seconds * 1e6, 3)
88.0
>>> from rota import Machines, simulate_in_flight
>>> overlapped = simulate_in_flight(broadcast, Machines(network), bytes=40_000, in_flight=2)
>>> round(overlapped.seconds * 1e6, 3), overlapped.drift
(70.0, 2)

>>> from rota import all_to_many
>>> from rota.patterns import regular
>>> pattern = regular(64, degree=8, seed=1)
>>> exact = all_to_many(pattern, "exact")
>>> exact.rounds, pattern.degree, verify(exact)
(8, 8, [])
"""

from rota import _load  # noqa: F401 - first: whatever else loads the core, is behind it
from rota._core import (
    VERSION,
    AllToManyChoice,
    Block,
    Candidate,
    Collective,
    Combination,
    Effort,
    InFlightSimulation,
    Machines,
    Message,
    Network,
    OnReceive,
    Pattern,
    Problem,
    RandomPauses,
    Schedule,
    Simulation,
    Step,
    Transfer,
    Violation,
    Waits,
    algorithms,
    all_to_many,
    all_to_many_algorithms,
    best_all_to_many,
    bytes_over_links,
    candidates,
    hosts_pattern,
    inter_allgather,
    inter_group,
    least_seconds,
    length_bytes,
    parcels,
    schedule,
    schedule_of_steps,
    simulate,
    simulate_everybody_on_hosts,
    simulate_in_flight,
    simulate_on_hosts,
    solves,
    steps_to_simulate,
    transfers,
    unsynchronised_bytes,
    verify,
    verify_on_ring,
)

__version__ = VERSION

__all__ = [
    "AllToManyChoice",
    "Block",
    "Candidate",
    "Collective",
    "Combination",
    "Effort",
    "InFlightSimulation",
    "Machines",
    "Message",
    "Network",
    "OnReceive",
    "Pattern",
    "Problem",
    "RandomPauses",
    "Schedule",
    "Simulation",
    "Step",
    "Transfer",
    "Violation",
    "Waits",
    "__version__",
    "algorithms",
    "all_to_many",
    "all_to_many_algorithms",
    "best_all_to_many",
    "bytes_over_links",
    "candidates",
    "hosts_pattern",
    "inter_allgather",
    "inter_group",
    "least_seconds",
    "length_bytes",
    "parcels",
    "schedule",
    "schedule_of_steps",
    "simulate",
    "simulate_everybody_on_hosts",
    "simulate_in_flight",
    "simulate_on_hosts",
    "solves",
    "steps_to_simulate",
    "transfers",
    "unsynchronised_bytes",
    "verify",
    "verify_on_ring",
]
