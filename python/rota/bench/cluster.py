"""One's own cluster as a benchmark sees it: the ranks that a launcher starts, and what their links carry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from rota.bench.place import Place, Site
from rota.errors import RotaError
from rota.lab import Link
from rota.launch import Job, own_job, own_words
from rota.launcher import Launcher, Output, captured
from rota.library import Abi, bench_path

if TYPE_CHECKING:
    from collections.abc import Callable

LINKS: Final = "links"
"""The word by which the measuring program finds out about hosts and links."""


def links_job(abi: Abi, launcher: Launcher) -> Job:
    """Return the job that finds out which ranks share a host, and what the hosts' links carry."""
    return own_job(abi, [str(bench_path(abi)), LINKS], launcher.install)


def cluster_site(abi: Abi, launcher: Launcher, rate_bits_per_s: float | None) -> Site:
    """Find out where the launcher starts ranks; limits are those of the rate, or of what links carry.

    Raise RotaError if the job fails.
    """

    def capture(job: Job) -> Output:
        return captured(launcher.command(job))

    found = _found(links_job(abi, launcher), capture)
    measured: list[float] = found["bits_per_s"]
    host_of_rank: list[int] = found["host_of_rank"]
    rates = tuple(rate if rate_bits_per_s is None else rate_bits_per_s for rate in measured)
    links = tuple(Link(round(rate), carried, carried) for rate, carried in zip(rates, measured, strict=True))
    place = Place(tuple(host_of_rank), rates, " ".join(launcher.words))
    return Site(place, links, capture, launcher.install)


def _found(job: Job, capture: Callable[[Job], Output]) -> dict[str, Any]:
    output = capture(job)
    line = next((line for line in output.stdout.splitlines() if line.startswith("{")), None)
    if output.status != 0 or line is None:
        raise RotaError(
            f"the launcher's first job ended with status {output.status}: {own_words(output.stderr)}"
        )
    found: dict[str, Any] = json.loads(line)
    return found
