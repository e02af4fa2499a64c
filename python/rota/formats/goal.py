"""A schedule as GOAL, the text that LogGOPSim's txt2bin reads: what each rank sends and receives, after what.

    rank 1 {
    r0: recv 4096b from 0 tag 0
    s1: send 4096b to 2 tag 1
    s1 requires r0
    }

A rank begins a round when its own messages of the round before are done, as in Rota's model; a message's
tag is its round. Combining is a calculation of so many nanoseconds.

Source: T. Hoefler, C. Siebert, A. Lumsdaine, Group Operation Assembly Language, 2009.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rota import OnReceive, transfers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota import Network, Schedule, Step


def goal_of(schedule: Schedule, network: Network, size_bytes: int) -> Iterator[str]:
    """Generate the text, a line at a time: `size_bytes` as for `rota.simulate`. O(p rounds)."""
    sizes = {(one.round, one.sender): one.bytes for one in transfers(schedule, network, size_bytes)}
    yield f"num_ranks {schedule.problem.ranks}\n"
    for rank in range(schedule.problem.ranks):
        yield f"\nrank {rank} {{\n"
        before: list[str] = []
        for number, step in enumerate(schedule.steps(rank)):
            doing = dict(_doing(step, rank, number, sizes))
            combined_ns = _combined_ns(step, network, sizes.get((number, step.receive.peer), 0))
            yield from (f"{label}: {what}\n" for label, what in doing.items())
            yield from (f"{label} requires {earlier}\n" for label in doing for earlier in before)
            if combined_ns:
                yield f"c{number}: calc {combined_ns}\n"
                yield f"c{number} requires r{number}\n"
            before = [*doing, *([f"c{number}"] if combined_ns else [])] or before
        yield "}\n"


def _doing(
    step: Step, rank: int, number: int, sizes: dict[tuple[int, int], int]
) -> Iterator[tuple[str, str]]:
    """Generate the messages of a step that have bytes, each with its label."""
    if step.send.blocks and sizes[number, rank]:
        yield f"s{number}", f"send {sizes[number, rank]}b to {step.send.peer} tag {number}"
    if step.receive.blocks and sizes[number, step.receive.peer]:
        size = sizes[number, step.receive.peer]
        yield f"r{number}", f"recv {size}b from {step.receive.peer} tag {number}"


def _combined_ns(step: Step, network: Network, received_bytes: int) -> int:
    if not step.receive.blocks or step.on_receive == OnReceive.store:
        return 0
    return round(received_bytes * network.seconds_per_combined_byte * 1e9)
