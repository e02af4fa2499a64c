"""SimGrid's links: the channels that each is, by its sharing policy, and which of them a route crosses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.platforms.builder import at
from rota.platforms.numbers import shortened
from rota.platforms.routes import Channel

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from rota.platforms.xml_tree import Element


@dataclass(frozen=True)
class Pipe:
    """A link: its channel each way, the same one where it is not split."""

    up: Channel
    down: Channel


def pipe_of(name: str, cost: Fraction, policy: str) -> Pipe:
    """Return a link of this sharing policy; RotaError if there is no such policy."""
    match policy.upper():
        case "SHARED":
            channel = Channel(name, cost)
            return Pipe(channel, channel)
        case "FATPIPE":
            channel = Channel(name, cost, is_shared=False)
            return Pipe(channel, channel)
        case "SPLITDUPLEX" | "FULLDUPLEX":
            return Pipe(Channel(f"{name}_UP", cost), Channel(f"{name}_DOWN", cost))
        case _:
            raise RotaError(f"sharing_policy {shortened(policy)!r}; SHARED, SPLITDUPLEX and FATPIPE are read")


def pipe_named(name: str, pipes: Mapping[str, Pipe]) -> Pipe:
    """Return a link, or what the name of one direction of a split link stands for."""
    pipe = pipes.get(name)
    if pipe is not None:
        return pipe
    stem, _, direction = name.rpartition("_")
    split = pipes.get(stem)
    if split is None or direction not in ("UP", "DOWN") or split.up is split.down:
        raise RotaError(f"there is no link {shortened(name)}; name one that there is")
    return split if direction == "UP" else Pipe(split.down, split.up)


def channels_of(route: Element, pipes: Mapping[str, Pipe]) -> tuple[tuple[Channel, ...], tuple[Channel, ...]]:
    """Return the channels that a route crosses, and those of the way back."""
    there: list[Channel] = []
    back: list[Channel] = []
    for part in route.named("link_ctn"):
        with at(part.place):
            pipe = pipe_named(part.required("id"), pipes)
            direction = part.attributes.get("direction", "NONE")
            if direction not in ("UP", "DOWN", "NONE"):
                raise RotaError(f"direction {shortened(direction)!r}; write UP or DOWN")
        there.append(pipe.down if direction == "DOWN" else pipe.up)
        back.append(pipe.up if direction == "DOWN" else pipe.down)
    return tuple(there), tuple(reversed(back))
