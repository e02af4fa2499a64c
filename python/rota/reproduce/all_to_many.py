"""Ranka, Wang, Fox 1994: Tables 1 to 4 and Figure 10, as printed and as computed here."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

import numpy as np

from rota import Network, Pattern, all_to_many, simulate
from rota._core import unsynchronised_seconds
from rota.patterns import dense, figure7

SAMPLES: Final = 300
"""Patterns for each number of ranks and messages, as in the paper."""

PERMUTATION_MS: Final = {
    16: 0.211,
    64: 0.220,
    256: 0.258,
    1024: 0.422,
    4096: 1.046,
    16384: 3.608,
    65536: 14.013,
    262144: 55.833,
}
"""Table 1: milliseconds of a random permutation on a CM-5 with 32 nodes, by bytes of a message; averages."""

SIMULATED: Final = ("ac", "lp", "gm", "cgm", "exact")
SIZES: Final = (16, 32, 128, 256, 1024, 2048, 8192, 16384, 32768, 65536)
COMMUNICATION_MS: Final[dict[int, dict[str, tuple[float, ...]]]] = {
    4: {
        "ac": (2.110, 2.224, 2.364, 2.729, 4.656, 7.101, 21.936, 41.437, 79.102, 151.997),
        "lp": (3.593, 3.659, 3.829, 4.095, 5.734, 7.920, 21.505, 40.364, 76.538, 146.295),
        "gm": (1.836, 1.853, 1.970, 2.123, 3.137, 4.346, 11.889, 22.498, 43.742, 84.883),
        "cgm": (1.855, 1.861, 1.989, 2.141, 3.122, 4.324, 11.863, 22.413, 43.498, 84.523),
    },
    8: {
        "ac": (3.392, 3.577, 4.202, 5.165, 9.573, 15.379, 50.294, 95.294, 179.563, 324.347),
        "lp": (5.902, 5.989, 6.299, 6.733, 9.613, 13.275, 36.758, 69.690, 133.827, 260.924),
        "gm": (3.420, 3.502, 3.737, 4.041, 5.949, 8.199, 22.377, 42.342, 82.534, 160.129),
        "cgm": (3.452, 3.495, 3.729, 4.068, 5.897, 8.182, 22.337, 42.106, 82.035, 159.560),
    },
    16: {
        "ac": (6.304, 6.813, 8.771, 10.927, 21.427, 34.634, 111.244, 205.605, 402.905, 1233.859),
        "lp": (8.361, 8.526, 9.038, 9.662, 14.181, 19.641, 56.812, 109.885, 214.635, 426.224),
        "gm": (6.415, 6.540, 6.989, 7.591, 11.153, 15.404, 42.092, 79.431, 155.073, 301.124),
        "cgm": (6.551, 6.636, 7.085, 7.720, 11.197, 15.504, 42.301, 79.733, 155.541, 302.868),
    },
    24: {
        "ac": (10.201, 11.085, 14.929, 18.638, 35.360, 55.855, 174.728, 304.736, 676.008, 2362.268),
        "lp": (9.617, 9.715, 10.331, 11.081, 16.569, 23.160, 69.231, 135.531, 266.979, 842.655),
        "gm": (9.289, 9.477, 10.163, 11.035, 16.206, 22.316, 60.896, 115.038, 224.753, 438.658),
        "cgm": (9.465, 9.596, 10.300, 11.204, 16.206, 22.431, 61.182, 115.108, 224.882, 435.817),
    },
}
"""Tables 2 and 3: milliseconds by messages a rank, by algorithm and, as in SIZES, bytes of a message."""

PERMUTATIONS: Final[dict[int, dict[str, float]]] = {
    4: {"lp": 31.0, "gm": 5.64, "cgm": 5.54},
    8: {"lp": 31.0, "gm": 10.26, "cgm": 10.1},
    16: {"lp": 31.0, "gm": 18.58, "cgm": 18.56},
    24: {"lp": 31.0, "gm": 26.56, "cgm": 26.6},
}
"""Tables 2 and 3: the numbers of permutations, by messages a rank and algorithm."""

TABLE_4: Final[dict[tuple[int, int], tuple[float, float]]] = {
    (1, 32): (1.0, 0.6),
    (1, 128): (1.0, 2.8),
    (1, 512): (1.0, 11.0),
    (2, 32): (3.0, 1.4),
    (2, 128): (3.0, 6.0),
    (2, 512): (3.0, 24.1),
    (4, 32): (5.6, 2.6),
    (4, 128): (6.0, 11.6),
    (4, 512): (6.1, 47.3),
    (8, 32): (10.2, 5.0),
    (8, 128): (10.7, 22.4),
    (8, 512): (11.1, 92.3),
    (16, 32): (18.5, 9.9),
    (16, 128): (19.5, 44.2),
    (16, 512): (20.0, 183.3),
    (24, 32): (26.5, 14.9),
    (31, 32): (34.2, 19.9),
    (32, 128): (36.3, 91.0),
    (32, 512): (37.1, 377.5),
    (64, 128): (68.8, 190.0),
    (64, 512): (70.3, 813.6),
    (96, 128): (100.7, 291.7),
    (127, 128): (132.4, 394.9),
    (128, 512): (135.4, 1786.0),
    (256, 512): (263.7, 3892.9),
    (384, 512): (391.2, 6068.9),
    (511, 512): (519.0, 8306.7),
}
"""By messages a rank and ranks: CGM's permutations, and a CM-5 node's milliseconds for scheduling them."""

FIGURE_10: Final = tuple(
    (degree, ranks)
    for ranks in (32, 64, 128, 256, 512, 1024)
    for degree in (2, 4, 8, 12, 16, 20, 24, 28, 31, 36, 40, 43)
    if degree < ranks
)
"""d ln d up to about 150 and past it, as in the figure."""


@dataclass(frozen=True)
class Row4:
    """A cell of Table 4: means over the samples."""

    degree: int
    ranks: int
    paper_permutations: float
    permutations: float
    exact_permutations: float
    paper_ms: float
    scheduling_ms: float

    @property
    def difference(self) -> float:
        """Ours over the paper's, less one."""
        return self.permutations / self.paper_permutations - 1


@dataclass(frozen=True)
class Row23:
    """A row of Tables 2 and 3: milliseconds by algorithm; None where the paper has none."""

    degree: int
    message_bytes: int
    paper_ms: dict[str, float | None]
    simulated_ms: dict[str, float]


@dataclass(frozen=True)
class Point10:
    """A point of Figure 10."""

    degree: int
    ranks: int
    scheduling_s: float

    @property
    def work(self) -> float:
        """The paper's measure of a rank's work, d ln d."""
        return self.degree * math.log(self.degree)


def sampled(ranks: int, degree: int, seed: int, message_bytes: int = 1) -> Pattern:
    """Return one of the paper's patterns: Figure 7's, or, for d = n - 1, the complete exchange.

    Figure 7's own matrix with d = n - 1 loses messages to the diagonal, and has one permutation less than is
    printed; with the complete exchange all that is printed is met.
    """
    if degree == ranks - 1:
        return dense(ranks, message_bytes=message_bytes)
    return figure7(ranks, degree, message_bytes=message_bytes, seed=seed)


@dataclass(frozen=True)
class Timed:
    """A schedule's permutations, and the processor's time for it."""

    permutations: int
    seconds: float


def timed(pattern: Pattern, algorithm: str, seed: int) -> Timed:
    """Schedule, and time it."""
    start_s = time.thread_time()
    schedule = all_to_many(pattern, algorithm, seed=seed)
    return Timed(schedule.rounds, time.thread_time() - start_s)


def row_4(degree: int, ranks: int, samples: int) -> Row4:
    """Compute a cell of Table 4."""
    greedy, exact = [], []
    for seed in range(samples):
        pattern = sampled(ranks, degree, seed)
        greedy.append(timed(pattern, "cgm", seed))
        exact.append(timed(pattern, "exact", seed))
    permutations, paper_ms = TABLE_4[degree, ranks]
    return Row4(
        degree,
        ranks,
        permutations,
        fmean(each.permutations for each in greedy),
        fmean(each.permutations for each in exact),
        paper_ms,
        1e3 * median(each.seconds for each in greedy),
    )


def mean_permutations(degree: int, algorithm: str, samples: int) -> float:
    """Compute a figure of Tables 2 and 3's last lines: 32 ranks."""
    return fmean(
        all_to_many(sampled(32, degree, seed), algorithm, seed=seed).rounds for seed in range(samples)
    )


def fitted_network() -> Network:
    """Return the network tau + M phi that is nearest to Table 1, by the sum of squared relative errors."""
    sizes = np.array(list(PERMUTATION_MS), dtype=float)
    seconds = np.array(list(PERMUTATION_MS.values())) * 1e-3
    model = np.column_stack([np.ones_like(sizes), sizes]) / seconds[:, None]
    (latency_s, seconds_per_byte), *_ = np.linalg.lstsq(model, np.ones_like(seconds), rcond=None)
    return Network(float(latency_s), float(seconds_per_byte))


def row_23(degree: int, message_bytes: int, samples: int) -> Row23:
    """Simulate a row of Tables 2 and 3: the mean over some patterns of 32 ranks."""
    place = SIZES.index(message_bytes)
    paper = COMMUNICATION_MS[degree]
    return Row23(
        degree,
        message_bytes,
        {name: paper[name][place] if name in paper else None for name in SIMULATED},
        {name: 1e3 * _mean_seconds(degree, message_bytes, name, samples) for name in SIMULATED},
    )


def _mean_seconds(degree: int, message_bytes: int, algorithm: str, samples: int) -> float:
    network = fitted_network()

    def seconds(seed: int) -> float:
        pattern = sampled(32, degree, seed, message_bytes)
        schedule = all_to_many(pattern, algorithm, seed=seed)
        # The simulator knows rounds; asynchronous sends have none.
        if algorithm == "ac":
            return unsynchronised_seconds(schedule, network)
        return simulate(schedule, network).seconds

    return fmean(map(seconds, range(samples)))


def point_10(degree: int, ranks: int, samples: int) -> Point10:
    """Measure a point of Figure 10: the least of some times, of a machine that does other things too."""
    patterns = [sampled(ranks, degree, seed) for seed in range(samples)]
    return Point10(degree, ranks, min(timed(each, "cgm", seed).seconds for seed, each in enumerate(patterns)))


def fits_linearly(points: list[Point10]) -> float:
    """Return the part of the variance of time / n that a straight line in d ln d explains."""
    work = np.array([point.work for point in points])
    seconds = np.array([point.scheduling_s / point.ranks for point in points])
    return float(np.corrcoef(work, seconds)[0, 1] ** 2)
