"""How fast links are, by the times of messages between two hosts: steady where it is links that are slow."""

import pytest
from rota._core import pace_of

BYTES = 512 * 1024


def seconds(bits_per_s: float) -> float:
    return 8 * BYTES / bits_per_s


@pytest.mark.parametrize(
    ("bits_per_s", "pace"),
    [(1e8, "slow"), (2e8, "slow"), (1e9, "medium"), (2.5e9, "medium"), (1e10, "fast"), (4e11, "fast")],
)
@pytest.mark.parametrize("overhead", [1.0, 1.3])
def test_rates_that_links_have(bits_per_s: float, pace: str, overhead: float) -> None:
    """Messages take a little longer than their bytes."""
    assert pace_of(BYTES, [overhead * seconds(bits_per_s)] * 4) == pace


def test_the_fastest_counts() -> None:
    """A link is never faster than it is; a rank may lose its processor."""
    assert pace_of(BYTES, [1.0, 2.0, seconds(8e9), 0.5]) == "fast"


def test_slow_links_are_steady() -> None:
    """Where messages take long, but not equally long, it is not the links that take time."""
    steady = [seconds(1e9) * factor for factor in (1.0, 1.1, 1.2, 1.4, 4.0)]
    assert pace_of(BYTES, steady) == "medium"
    assert pace_of(BYTES, [seconds(2e9) * factor for factor in (1.0, 2.0, 3.0, 5.0)]) == "fast"


def test_one_message() -> None:
    assert pace_of(BYTES, [seconds(2e8)]) == "slow"


def test_no_messages() -> None:
    with pytest.raises(ValueError, match="no messages"):
        pace_of(BYTES, [])
