"""The options that say which network is meant; without them, the one for which Rota chooses anyway."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from rota import Network
from rota._core import default_network
from rota.errors import RotaError
from rota.units import format_rate, format_seconds, parse_rate, parse_seconds

_DEFAULT: Final = default_network()

Latency = Annotated[
    str | None,
    typer.Option(
        help="What a message takes besides its bytes: 3us, 1.5ms."
        f" Default: {format_seconds(_DEFAULT.latency_s).replace('µ', 'u')}."
    ),
]
Rate = Annotated[
    str | None,
    typer.Option(
        help=f"The rate of a port: 10gbit, 25MB/s. Default: {format_rate(8 / _DEFAULT.seconds_per_byte)}."
    ),
]
Combine = Annotated[
    str | None,
    typer.Option(
        help="The rate at which bytes are combined: 20GB/s."
        f" Default: {format_rate(8 / _DEFAULT.seconds_per_combined_byte)}."
    ),
]


def network_of(
    latency: str | None, rate: str | None, combine: str | None = None, seconds_per_byte: float | None = None
) -> Network:
    """Return the network that the options describe; RotaError where they describe none."""
    if seconds_per_byte is None:
        seconds_per_byte = _DEFAULT.seconds_per_byte if rate is None else 8 / parse_rate(rate)
    elif rate is not None:
        raise RotaError("--rate and --seconds-per-byte say the same: give one of them")
    try:
        return Network(
            _DEFAULT.latency_s if latency is None else parse_seconds(latency),
            seconds_per_byte,
            _DEFAULT.seconds_per_combined_byte if combine is None else 8 / parse_rate(combine),
        )
    except ValueError as fault:
        raise RotaError(str(fault)) from fault


def network_words(network: Network) -> str:
    """Return a network in a few words."""
    if not network.seconds_per_byte:
        return "network not measured"
    return f"latency {format_seconds(network.latency_s)}, {format_rate(8 / network.seconds_per_byte)}"
