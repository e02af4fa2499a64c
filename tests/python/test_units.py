from contextlib import suppress
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rota._core import memory_in_variable, rate_in_variable, size_in_variable

from rota.errors import RotaError
from rota.units import (
    TOO_MANY,
    format_rate,
    format_seconds,
    format_size,
    parse_bandwidth,
    parse_flops,
    parse_rate,
    parse_seconds,
    parse_size,
    parse_speed,
)


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
        ("1K", 1000),
        ("16 M", 16_000_000),
        ("1Mi", 1 << 20),
        ("1e6", 10**6),
        ("1.5e3 kB", 1_500_000),
    ],
)
def test_sizes_are_read(text: str, size_bytes: int) -> None:
    assert parse_size(text) == size_bytes


@pytest.mark.parametrize(
    "text", ["", "B", "iB", "-1", "1.5", "1e-6", "1 KiB/s", "1iB", "nan", "1 000", "1/2", "0x10", "1Mbit"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(RotaError, match="is no size: write bytes as"):
        parse_size(text)


@pytest.mark.parametrize("text", ["1Mb", "64b", "64 kb", "1gigab"])
def test_what_may_be_bits_is_no_size(text: str) -> None:
    with pytest.raises(RotaError, match=f"'{text}' may be bits: write bytes as 64, 1KiB, 16MiB or 1MB"):
        parse_size(text)
    assert size_in_variable(text) is memory_in_variable(text) is None


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
        ("10Gbps", 10**10),
        ("10gbps", 10**10),
        ("10GBps", 8 * 10**10),
        ("1e9bit", 10**9),
        ("1gigabit", 10**9),
        ("200", 200),
        ("1e10", 10**10),
    ],
)
def test_rates_are_read(text: str, rate_bits_per_s: int) -> None:
    assert parse_rate(text) == rate_bits_per_s


@pytest.mark.parametrize(
    "text",
    ["", "0mbit", "-1mbit", "200M", "1e9k", "200Mb/s", "200MBPS", "3us", "25mb/s", "1ibit", "fast", "0.1bit"],
)
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(RotaError, match="is no rate: write it as"):
        parse_rate(text)


@pytest.mark.parametrize("text", ["1e16bit", "9007199254740992", "10Ebit", "1e999"])
def test_a_rate_that_floats_do_not_count_is_refused(text: str) -> None:
    with pytest.raises(RotaError, match="is too large: stay below 9007 Tbit/s"):
        parse_rate(text)


WORDS = (
    *(
        "",
        " ",
        "0",
        "00",
        "1",
        "64",
        "-1",
        "+1",
        "1.",
        ".5",
        ".",
        "1.5",
        "0.5",
        "1e3",
        "1E3",
        "1e+3",
        "1e-3",
        "1e",
    ),
    *("1e3k", "1e3e", "1e1234", "1e999", "1e-999", "1500e-1", "1e 3", "1 e3", "1e3.5", "0x10", "inf", "nan"),
    *(
        "1_000",
        "1,5",
        "1 000",
        "1/2",
        "٣",
        "1\u00a0KiB",
        " 1 KiB ",
        "\t1\nKiB",
        "1\x1fKiB",
        "0" * 230 + "1",
        "0" * 241,
    ),
    *(
        "1k",
        "1K",
        "1ki",
        "1Ki",
        "1KI",
        "1kB",
        "1kb",
        "1KiB",
        "1kib",
        "1KIB",
        "1kiB",
        "1iB",
        "1kilo",
        "1KILOB",
        "1kiloB",
    ),
    *(
        "1EiB",
        "1E",
        "1EB",
        "1eb",
        "0.001EB",
        "1Y",
        "1YiB",
        "1e-24Y",
        "1zettab",
        "1kk",
        "1kB/s",
        "1B",
        "1b",
        "1BB",
    ),
    *(
        "9007199254740991",
        "9007199254740992",
        "8191.9999999999999TiB",
        "8PiB",
        "0.1KiB",
        "0.5KiB",
        "0.00048828125Mi",
    ),
    *(
        "10gbit",
        "10Gbit",
        "10GBit",
        "10GBIT",
        "10Gbit/s",
        "10gbit/S",
        "10Gbps",
        "10GBps",
        "10GBPS",
        "10Gb/s",
        "10GB/s",
    ),
    *(
        "25MB/s",
        "25mb/s",
        "25MiB/s",
        "1KiBps",
        "1bit",
        "0.5bit",
        "1.5bit",
        "2.5bit",
        "0.49bit",
        "0.1B/s",
        "10G",
        "1bps",
    ),
    *(
        "2.5 Gbit/s",
        "2.5G bit",
        "1gigabit",
        "1Gibit",
        "1/s",
        "1 /s",
        "1B/",
        "1B//s",
        "3us",
        "1bit ",
        "bit",
        "fast",
    ),
)
ALPHABET = "0123456789.eE+- kKMGiIBbts/p"


def same_in_variables(text: str) -> None:
    """What an option takes, a variable takes for the same; what it refuses, that refuses too."""
    for parse, read, least in ((parse_size, size_in_variable, 0), (parse_rate, rate_in_variable, 1)):
        found = read(text)
        if found is None or not least <= found < TOO_MANY:
            with pytest.raises(RotaError):
                parse(text)
        else:
            assert parse(text) == found


@pytest.mark.parametrize("text", WORDS)
def test_variables_and_options_have_one_grammar(text: str) -> None:
    same_in_variables(text)


@given(
    st.from_regex(
        r"[0-9]{0,3}\.?[0-9]{0,3}([eE][+-]?[0-9]{1,2})? ?[a-zA-Z]{0,5}(it|B|ps)?(/s)?", fullmatch=True
    )
)
def test_variables_and_options_have_one_grammar_of_quantities(text: str) -> None:
    same_in_variables(text)


@given(st.text(ALPHABET, max_size=12))
def test_variables_and_options_have_one_grammar_of_whatever(text: str) -> None:
    same_in_variables(text)


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [("1", 1 << 20), ("1.5", 3 << 19), ("0.1", None), ("16MiB", 1 << 24), ("16M", 16_000_000), ("16B", 16)],
)
def test_memory_is_counted_in_mebibytes(text: str, size_bytes: int | None) -> None:
    assert memory_in_variable(text) == size_bytes


@pytest.mark.parametrize(
    ("text", "time_s"),
    [
        ("3us", 3e-6),
        ("3 µs", 3e-6),
        ("1.5ms", 1.5e-3),
        ("20ns", 2e-8),
        ("2s", 2.0),
        ("3e-6", 3e-6),
        ("0", 0.0),
    ],
)
def test_times_are_read(text: str, time_s: float) -> None:
    assert parse_seconds(text) == time_s


@pytest.mark.parametrize("text", ["", "us", "3kus", "-3us", "3 Ms", "3u", "nan", "inf", "3min"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(RotaError, match="is no time: write it as"):
        parse_seconds(text)


@pytest.mark.parametrize(
    ("text", "flops"),
    [("10Mflop", 10**7), ("1e6", 10**6), ("2gigaflops", 2 * 10**9), ("98.095Mf", 98_095_000)],
)
def test_flops_are_read(text: str, flops: int) -> None:
    assert parse_flops(text) == flops == parse_speed(text)


@pytest.mark.parametrize(
    ("text", "bytes_per_s"), [("125MBps", 125_000_000), ("1Gbps", 125_000_000), ("1e6", 10**6)]
)
def test_bandwidths_are_read(text: str, bytes_per_s: int) -> None:
    assert parse_bandwidth(text) == bytes_per_s


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_size, parse_rate, parse_seconds, parse_bandwidth, parse_speed, parse_flops):
        with suppress(RotaError):
            assert parse(text) >= 0


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
    ("rate", "text"),
    [
        (200e6, "200 Mbit/s"),
        (1e9, "1 Gbit/s"),
        (8 / (8 / 1e9) - 1e-3, "1 Gbit/s"),
        (1500, "1.5 kbit/s"),
        (1, "1 bit/s"),
    ],
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
