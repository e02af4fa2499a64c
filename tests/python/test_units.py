from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rota.errors import RotaError
from rota.units import format_rate, format_seconds, format_size, parse_rate, parse_size


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [
        ("0", 0),
        ("64", 64),
        ("64B", 64),
        ("1KiB", 1024),
        ("1.5 MiB", 3 << 19),
        ("16mib", 1 << 24),
        ("1MB", 10**6),
        ("2kB", 2000),
        ("3TiB", 3 << 40),
    ],
)
def test_sizes_are_read(text: str, size_bytes: int) -> None:
    assert parse_size(text) == size_bytes


@pytest.mark.parametrize("text", ["", "B", "iB", "-1", "1K", "1.5", "1e6", "1 KiB/s", "1iB", "nan", "16 M"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(RotaError, match="is no size: write bytes as"):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "rate_bits_per_s"),
    [
        ("200mbit", 200_000_000),
        ("200Mbit/s", 200_000_000),
        ("1gbit", 10**9),
        ("2.5 Gbit/s", 2_500_000_000),
        ("25MB/s", 200_000_000),
        ("1KiB/s", 8192),
        ("64bit", 64),
    ],
)
def test_rates_are_read(text: str, rate_bits_per_s: int) -> None:
    assert parse_rate(text) == rate_bits_per_s


@pytest.mark.parametrize(
    "text", ["", "0mbit", "-1mbit", "200", "200mbps", "200Mb/s", "25mb/s", "1ibit", "fast", "0.1bit"]
)
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(RotaError, match="is no rate: write it as"):
        parse_rate(text)


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (3 << 19, "1.5 MiB"),
        (1 << 30, "1 GiB"),
        (1 << 50, "1024 TiB"),
    ],
)
def test_sizes_are_written(size_bytes: int, text: str) -> None:
    assert format_size(size_bytes) == text


@pytest.mark.parametrize(
    ("rate", "text"), [(200e6, "200 Mbit/s"), (1e9, "1 Gbit/s"), (1500, "1.5 kbit/s"), (1, "1 bit/s")]
)
def test_rates_are_written(rate: float, text: str) -> None:
    assert format_rate(rate) == text


@pytest.mark.parametrize(
    ("time_s", "text"),
    [
        (0, "0 ns"),
        (12.34, "12.3 s"),
        (0.0123, "12.3 ms"),
        (1e-6, "1 µs"),
        (671.089e-3, "671 ms"),
        (inf, "never"),
    ],
)
def test_times_are_written(time_s: float, text: str) -> None:
    assert format_seconds(time_s) == text


@given(st.integers(0, 1 << 44))
def test_a_written_size_is_read_as_nearly_the_same(size_bytes: int) -> None:
    # The text has three digits, more only where the whole number has more.
    assert parse_size(str(size_bytes)) == size_bytes
    assert format_size(size_bytes).endswith("B")
