from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rota.errors import RotaError
from rota.ranges import LARGEST, parse_rank_range

numbers = st.integers(1, LARGEST)


@given(numbers, numbers)
def test_a_range_has_both_its_ends(one: int, other: int) -> None:
    first, last = sorted((one, other))
    assert parse_rank_range(f"{first}..{last}") == range(first, last + 1)


@given(numbers)
def test_a_number_is_a_range(number: int) -> None:
    assert parse_rank_range(str(number)) == range(number, number + 1)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0..5", "begins below 1"),
        ("0", "begins below 1"),
        ("5..2", "write 2..5"),
        ("2..2147483648", "beyond 2147483647"),
        ("", "no range"),
        ("-3", "no range"),
        ("2...5", "no range"),
        ("2..", "no range"),
        ("..7", "no range"),
        ("two", "no range"),
        ("1e3", "no range"),
        ("\u0663", "no range"),
    ],
)
def test_what_is_no_range_is_refused(text: str, fault: str) -> None:
    with pytest.raises(RotaError, match=fault):
        parse_rank_range(text)


@given(st.text())
def test_any_text_is_a_range_or_refused(text: str) -> None:
    with suppress(RotaError):
        assert parse_rank_range(text)
