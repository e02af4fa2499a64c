"""Work that commands spread over all cores."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from rota.commands.output import tracked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_AHEAD: Final = 64
"""So many tasks of each core wait for it: of all there may be more than memory holds."""


def on_all_cores(
    work: Callable[[_Task], _Result], tasks: Iterable[_Task], count: int, description: str
) -> Iterator[_Result]:
    """Generate the results of `count` tasks, in their order, with a progress bar on a terminal.

    What has not begun when something goes wrong, or the user interrupts, is not begun any more.
    """
    cores = os.cpu_count() or 1
    pool = ThreadPoolExecutor(cores)
    try:
        yield from tracked(_results(pool, work, tasks, _AHEAD * cores), description, count)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _results(
    pool: Executor, work: Callable[[_Task], _Result], tasks: Iterable[_Task], most: int
) -> Iterator[_Result]:
    begun: deque[Future[_Result]] = deque()
    for task in tasks:
        begun.append(pool.submit(work, task))
        if len(begun) == most:
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()
