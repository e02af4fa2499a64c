"""Native calls and schedules compete against adversaries: what trials cost, and that ranks agree.

ROTA_EXAMPLES=100000 plays so many histories in each of two tests, in place of 300.
"""

import math
import os
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rota._core import Cell

EXAMPLES: Final = int(os.environ.get("ROTA_EXAMPLES", "300"))
MOST_TRIALS_COST: Final = 0.01
ROUNDING_S: Final = 1e-6
MEETINGS: Final = 6.0
"""What a first trial needs besides takes so many."""

# Of a call: by native means and by the schedule, were it that one's turn, on each rank.
Times = Sequence[float]
History = list[tuple[Times, Times]]

SECONDS: Final = st.floats(1e-7, 1e3)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Whatever an adversary likes."""
    ranks = draw(st.integers(1, 3))
    times = st.lists(SECONDS, min_size=ranks, max_size=ranks)
    return draw(st.lists(st.tuples(times, times), min_size=1, max_size=200))


@st.composite
def noisy_histories(draw: st.DrawFn) -> History:
    """Draw heavy-tailed times around two that drift apart or together."""
    noise = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311 - no secrets here
    ranks, calls = draw(st.integers(1, 3)), draw(st.integers(1, 1000))
    tail, drift = draw(st.floats(1.1, 8)), draw(st.floats(0, 0.05))
    ratio = draw(st.floats(0.05, 20))
    history = []
    for _ in range(calls):
        ratio *= noise.lognormvariate(0, drift)
        draws = [[noise.paretovariate(tail) for _ in range(ranks)] for _ in range(2)]
        history.append((draws[0], [ratio * each for each in draws[1]]))
    return history


@dataclass(frozen=True)
class Period:
    """What ranks agreed on, but for rounding: its calls' arms, whether there was a trial, and times."""

    arms: tuple[bool, ...]
    """Was it the schedule's turn?"""
    has_trial: bool
    trial_s: float
    partner_s: float
    all_s: float
    spent_s: float


@dataclass
class Played:
    """A history as it went."""

    arms: list[bool] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)
    is_decided: bool = False

    @property
    def schedules(self) -> int:
        """Count the schedule's turns."""
        return sum(self.arms)


def played(
    history: History,
    meeting_s: float = 0,
    begin: Callable[[float], Cell] = Cell,
    predicted_s: float = 0,
    predicted_meetings: float = 0,
) -> Played:
    """Play it on all its ranks, which differ in nothing but times.

    To meet, or to agree, takes so long; the schedule is predicted to take so long, if it is, and no less than
    so many meetings.
    """
    cells = [begin(MEETINGS) for _ in history[0][0]]
    result = Played()
    paired: list[bool] = []
    for native_s, schedule_s in history:
        turns = {(cell.is_schedule_next(), cell.is_paired()) for cell in cells}
        assert len(turns) == 1
        is_schedule, is_paired = turns.pop()
        result.arms.append(is_schedule)
        for cell in cells:
            cell.expect(predicted_s, predicted_meetings)
        paired.append(is_paired)
        if is_paired:
            spend(cells, meeting_s)
        for cell, seconds in zip(cells, schedule_s if is_schedule else native_s, strict=True):
            cell.took(seconds)
        assert len({cell.is_over for cell in cells}) == 1
        if cells[0].is_over:
            result.periods.append(agreed_period(cells, result.arms[-len(paired) :], paired))
            spend(cells, meeting_s)
            paired = []
    result.is_decided = cells[0].is_decided
    return result


def spend(cells: Sequence[Cell], seconds: float) -> None:
    for cell in cells:
        cell.spent(seconds)


def agreed_period(cells: Sequence[Cell], arms: Sequence[bool], paired: Sequence[bool]) -> Period:
    """Agree as ranks do."""
    taken = [max(each) for each in zip(*(cell.taken for cell in cells), strict=True)]
    outcomes = {(cell.agree(taken), cell.is_on_schedule, cell.is_decided) for cell in cells}
    assert len(outcomes) == 1
    is_first = len(arms) == 1
    assert list(paired) == ([True] if is_first else [paired[0], paired[0]] + [False] * (len(paired) - 2))
    return Period(tuple(arms), paired[0] and not is_first, *(abs(each) / 1e9 for each in taken))


def check_budget(result: Played) -> None:
    """E <= T / 100 before each trial, and so ever after, but for one trial and for agreeing since."""
    cost_s = total_s = most_s = agreeing_s = 0.0
    incumbent = has_tried = False
    first_s = 0.0
    for period in result.periods:
        cost_s = cost_s if period.arms[-1] == incumbent else max(0.0, cost_s)
        incumbent = period.arms[-1]
        assert set(period.arms[1:]) <= {incumbent}
        assert (period.arms[0] != incumbent) == period.has_trial
        if period.has_trial:
            assert cost_s <= MOST_TRIALS_COST * total_s + ROUNDING_S
            cost = period.trial_s - period.partner_s + period.spent_s + first_s
            has_tried, first_s = True, 0.0
            most_s = max(most_s, cost)
            agreeing_s = 0.0
        else:
            cost = period.spent_s
            agreeing_s += cost
            if not has_tried:
                first_s += cost
                cost = 0.0
        cost_s += cost
        total_s += period.all_s
        assert cost_s <= MOST_TRIALS_COST * total_s + most_s + agreeing_s + ROUNDING_S


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    histories(),
    SECONDS,
    st.sampled_from((Cell, Cell.beginning_with_trial)),
    st.just(0.0) | SECONDS,
    st.floats(0, 100),
)
def test_budget_against_an_adversary(
    history: History,
    meeting_s: float,
    begin: Callable[[float], Cell],
    predicted_s: float,
    predicted_meetings: float,
) -> None:
    """Whatever times there are, and predictions, trials cost no more, and ranks agree."""
    check_budget(played(history, meeting_s, begin, predicted_s, predicted_meetings))


@settings(max_examples=EXAMPLES, deadline=None)
@given(noisy_histories(), st.floats(0, 0.5))
def test_budget_in_noise(history: History, meeting_s: float) -> None:
    """The same in long histories, where arms change places."""
    check_budget(played(history, meeting_s))


def steady(native_s: float, schedule_s: float, calls: int) -> History:
    return [([native_s], [schedule_s])] * calls


@pytest.mark.parametrize(
    ("schedule_s", "least", "most"),
    [
        (0.5, 980, 1000),  # wins, but for the second call and what is tried again
        (0.95, 20, 25),  # gains too little, so that trials cost nothing: one in each period
        (1.05, 15, 25),
        (1.5, 10, 25),  # the budget of 1 % is of 20 trials
        (3.0, 2, 2),  # the first may have been disturbed, the second is the last
    ],
)
def test_steady_times(schedule_s: float, least: int, most: int) -> None:
    """Where times are always the same."""
    result = played(steady(1.0, schedule_s, 1000))
    assert least <= result.schedules <= most
    assert result.is_decided == (schedule_s > 2)


def test_periods() -> None:
    """Ranks agree after one call, 2, 4, 8, ... more, and then after every 64, where trials cost nothing."""
    result = played(steady(1.0, 0.95, 400))
    assert [len(period.arms) for period in result.periods[:9]] == [1, 2, 2, 4, 8, 16, 32, 64, 64]


def test_without_a_trial_ranks_hardly_agree() -> None:
    """A period without one lasts about until there may be one again."""
    periods = played(steady(1.0, 1.5, 2000)).periods
    trials = sum(period.has_trial for period in periods)
    assert len(periods) <= 3 * trials


def test_meeting_counts() -> None:
    """Where calls take no longer than to meet, ranks hardly ever do."""
    periods = played(steady(1.0, 0.95, 2000), meeting_s=1.0).periods
    three_times = 3.0  # before both calls of a pair, and to agree
    assert sum(period.spent_s for period in periods) <= MOST_TRIALS_COST * 2000 + 2 * three_times


def test_short_calls_are_left_alone_at_first() -> None:
    """What a first trial needs besides is a hundredth of what calls have taken, or less than a call."""
    short = played(steady(1.0, 0.5, 1000), meeting_s=1.1 / MEETINGS)
    first = short.arms.index(True)
    assert 100 < first < 115
    assert short.schedules > 800
    long = played(steady(1.0, 0.5, 1000), meeting_s=0.9 / MEETINGS)
    assert long.arms.index(True) == 1


@pytest.mark.parametrize(("predicted_s", "is_tried"), [(0.88, False), (0.86, True), (0, True)])
def test_first_trial_only_where_a_gain_is_predicted(predicted_s: float, is_tried: bool) -> None:  # noqa: FBT001
    """Of 1.15 times; nothing predicted is no objection."""
    result = played(steady(1.0, 0.5, 1000), predicted_s=predicted_s)
    assert result.arms[:2] == [False, is_tried]
    assert (result.schedules > 900) == is_tried
    assert is_tried or result.schedules == 0


@pytest.mark.parametrize(("meetings", "is_tried"), [(17.0, True), (18.0, False)])
@pytest.mark.parametrize("predicted_s", [0.0, 0.5])
def test_no_trial_where_rounds_without_data_take_as_long(
    predicted_s: float,
    meetings: float,
    is_tried: bool,  # noqa: FBT001
) -> None:
    """What is predicted of bytes does not count where starts alone take longer."""
    result = played(steady(1.0, 0.5, 1000), 0.05, predicted_s=predicted_s, predicted_meetings=meetings)
    assert (result.schedules > 900) == is_tried
    assert is_tried or result.schedules == 0


def test_promises_are_looked_at_again() -> None:
    """Native calls that become slow are noticed, and until then ranks hardly agree."""
    becomes_slow = steady(1.0, 0.8, 3000) + steady(2.0, 0.8, 3000)
    result = played(becomes_slow, predicted_s=0.9, meeting_s=0.01)
    assert 3000 < result.arms.index(True) < 3000 + 2 * 1024
    assert len([period for period in result.periods if not period.has_trial]) <= 1 + 10 + 6000 / 1024


def test_large_calls_begin_with_a_trial() -> None:
    """Though it takes longer to prepare it."""
    result = played(steady(1.0, 0.45, 100), meeting_s=2.0, begin=Cell.beginning_with_trial)
    assert result.arms[:3] == [True, False, True]
    assert result.schedules > 95


def test_a_slow_first_meeting() -> None:
    """The next one says how long it takes to meet."""
    cell = Cell(MEETINGS)
    cell.spent(5.0)
    cell.took(1.0)
    cell.agree(cell.taken)
    assert cell.is_waiting
    for _ in range(2):
        cell.took(1.0)
    cell.spent(0.1)
    cell.agree(cell.taken)
    assert cell.is_schedule_next()


def test_a_disturbed_first_trial() -> None:
    """A schedule that took long once, and then half of native's time, gets its place."""
    result = played([([1.0], [1.0]), ([1.0], [3.0]), *steady(1.0, 0.5, 998)])
    assert not result.is_decided
    assert result.schedules > 600


def test_incumbent_that_becomes_slow() -> None:
    """A schedule that loses what it had gained goes once three trials have said so."""
    result = played(steady(1.0, 0.5, 500) + steady(1.0, 1.5, 500))
    assert sum(result.arms[650:]) < 20


def test_one_slow_call_changes_nothing() -> None:
    """Of an incumbent that gains, one pair says nothing."""
    history = steady(1.0, 0.5, 1000)
    trials = [call for call, arm in enumerate(played(history).arms) if not arm]
    disturbed = [([0.1], [0.5]) if call == trials[3] else each for call, each in enumerate(history)]
    assert played(disturbed).schedules > 970


@pytest.mark.parametrize("begin", [Cell, Cell.beginning_with_trial])
@pytest.mark.parametrize("schedule_s", [2.0, 3.0])
def test_luck_does_not_last(begin: Callable[[float], Cell], schedule_s: float) -> None:
    """Where calls take half of their time more or less by chance, what is slow has its place a while at most.

    Of 1000 histories of 50 calls, 95 in a hundred.
    """
    chance = random.Random(1)  # noqa: S311 - no secrets here

    def total(history: History) -> float:
        arms = played(history, meeting_s=0.02, begin=begin).arms
        return sum(times[arm][0] for times, arm in zip(history, arms, strict=True))

    def noisy() -> tuple[Times, Times]:
        return [chance.lognormvariate(0, 0.5)], [chance.lognormvariate(0, 0.5) * schedule_s]

    totals = sorted(total([noisy() for _ in range(50)]) for _ in range(1000))
    native = 50 * math.exp(0.5**2 / 2)
    assert totals[950] < 1.25 * native
    assert statistics.mean(totals) < 1.06 * native


def arms_of(cell: Cell, native_s: float, schedule_s: float, calls: int) -> list[bool]:
    """Play so many calls on one rank: whose turn each was, the schedule's or not."""
    arms = []
    for _ in range(calls):
        arms.append(cell.is_schedule_next())
        cell.took(schedule_s if arms[-1] else native_s)
        if cell.is_over:
            cell.agree(cell.taken)
    return arms


def renewed_after(native_s: float, schedule_s: float, calls: int = 100) -> Cell:
    """Come to know the network after so many calls."""
    cell = Cell(MEETINGS)
    arms_of(cell, native_s, schedule_s, calls)
    cell.renew_schedule()
    return cell


def test_a_renewed_schedule_that_does_better_stays() -> None:
    cell = renewed_after(1.0, 0.6)
    assert sum(arms_of(cell, 1.0, 0.4, 1000)) > 980
    assert not cell.is_on_earlier


@pytest.mark.parametrize("renewed_s", [0.8, 1.5, 5.0])
def test_a_renewed_schedule_that_does_worse_goes(renewed_s: float) -> None:
    """After four calls at the most, whether it is still quicker than native calls or not."""
    cell = renewed_after(1.0, 0.6)
    arms_of(cell, 1.0, renewed_s, 4)
    assert cell.is_on_earlier
    assert sum(arms_of(cell, 1.0, 0.6, 1000)) > 970


def test_a_renewed_schedule_that_promises_less_is_not_tried() -> None:
    """By what the earlier one was seen to take."""
    cell = renewed_after(1.0, 0.6)
    cell.foresee(0.5)
    assert not cell.is_on_earlier
    cell.foresee(0.7)
    assert cell.is_on_earlier
    assert sum(arms_of(cell, 1.0, 0.6, 1000)) > 970


def test_what_was_never_tried_does_not_come_back() -> None:
    cell = Cell(MEETINGS)
    cell.renew_schedule()
    cell.foresee(100.0)
    assert not cell.is_on_earlier


def test_a_renewed_schedule_is_not_compared_for_ever() -> None:
    """What becomes slow later is compared with native calls only."""
    cell = renewed_after(1.0, 0.6)
    arms_of(cell, 1.0, 0.5, 300)
    arms_of(cell, 1.0, 0.8, 1000)
    assert not cell.is_on_earlier
    assert cell.is_on_schedule


def test_a_schedule_that_was_given_up_does_not_come_back() -> None:
    """Messages of other sizes may gain where the first ones were hopeless; or are so too."""
    cell = renewed_after(1.0, 3.0, calls=400)
    assert sum(arms_of(cell, 1.0, 0.5, 1000)) > 700
    cell = renewed_after(1.0, 3.0, calls=400)
    arms_of(cell, 1.0, 3.5, 1000)
    assert cell.is_decided
    assert not cell.is_on_earlier
