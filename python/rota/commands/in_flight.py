"""What ``rota simulate`` is told of rounds in flight: the options, and what they say together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from rota import Machines, RandomPauses, Waits
from rota.errors import RotaError
from rota.units import parse_seconds, parse_size

if TYPE_CHECKING:
    from rota import Network


class Wait(StrEnum):
    """What a rank waits for that has nothing to do."""

    oldest = "oldest"
    any = "any"


Rounds = Annotated[
    int | None,
    typer.Option(
        "--in-flight", min=1, help="Play as Rota's executor does, with so many rounds in flight on a rank."
    ),
]
Overhead = Annotated[
    str | None,
    typer.Option(help="In flight: what of a processor each message sent and each received takes: 0.4us."),
]
RendezvousFrom = Annotated[
    str | None, typer.Option(help="In flight: messages of this size and more wait for their receiver: 64KiB.")
]
Handshake = Annotated[
    str | None,
    typer.Option(help="In flight: how long after both are ready such a one leaves: 3us."),
]
Pause = Annotated[
    str | None,
    typer.Option(help="In flight: for how long each rank now and then has no processor: 4ms."),
]
PauseEvery = Annotated[
    str | None, typer.Option(help="In flight: that, once in each so long a time, at a random moment: 0.1s.")
]
Seed = Annotated[int | None, typer.Option(min=0, max=2**63, help="In flight: other pauses for each seed.")]
WaitFor = Annotated[
    Wait | None,
    typer.Option(
        "--wait", help="In flight: a rank waits for its oldest message, as the executor does, or any."
    ),
]


@dataclass(frozen=True)
class InFlight:
    """So many rounds in flight, and what machines are like beside their network."""

    rounds: int
    overhead_s: float
    rendezvous_from: int | None
    handshake_s: float
    pause_s: float | None
    pause_every_s: float | None
    seed: int
    wait: Wait

    def machines(self, network: Network) -> Machines:
        """Return the machines on that network."""
        try:
            return Machines(
                network,
                overhead_s=self.overhead_s,
                rendezvous_from=self.rendezvous_from,
                handshake_s=self.handshake_s,
                pauses=self._pauses(),
                waits=Waits.for_any if self.wait is Wait.any else Waits.for_oldest,
            )
        except ValueError as fault:
            raise RotaError(str(fault)) from fault

    def _pauses(self) -> RandomPauses | None:
        if self.pause_s is None or self.pause_every_s is None:
            return None
        return RandomPauses(self.pause_s, self.pause_every_s, self.seed)


def in_flight(
    rounds: int | None,
    overhead: str | None,
    rendezvous_from: str | None,
    handshake: str | None,
    pause: str | None,
    pause_every: str | None,
    seed: int | None,
    wait: Wait | None,
) -> InFlight | None:
    """Return what the options say; none of them: one round after the other, as the cost model sees it."""
    if rounds is None:
        others = (overhead, rendezvous_from, handshake, pause, pause_every, seed, wait)
        if any(other is not None for other in others):
            raise RotaError(
                "--overhead, --rendezvous-from, --handshake, --pause, --pause-every, --seed and --wait are"
                " for rounds in flight: give --in-flight, such as --in-flight 1"
            )
        return None
    if handshake is not None and rendezvous_from is None:
        raise RotaError(
            "--handshake of which messages: give --rendezvous-from, such as --rendezvous-from 64KiB"
        )
    if (pause is None) != (pause_every is None):
        raise RotaError("--pause and --pause-every go together: --pause 4ms --pause-every 0.1s")
    if seed is not None and pause is None:
        raise RotaError("--seed is for pauses: give --pause and --pause-every too")
    return InFlight(
        rounds,
        _seconds(overhead) or 0.0,
        None if rendezvous_from is None else parse_size(rendezvous_from),
        _seconds(handshake) or 0.0,
        _seconds(pause),
        _seconds(pause_every),
        seed or 0,
        wait or Wait.oldest,
    )


def _seconds(text: str | None) -> float | None:
    return None if text is None else parse_seconds(text)
