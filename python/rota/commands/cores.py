"""Work that commands spread over all cores."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from rota.commands.output import tracked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def on_all_cores(
    work: Callable[[_Task], _Result], tasks: Sequence[_Task], description: str
) -> Iterator[_Result]:
    """Generate the results in the order of tasks, with a progress bar on a terminal.

    What has not begun when something goes wrong, or the user interrupts, is not begun any more.
    """
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        yield from tracked(pool.map(work, tasks), description, len(tasks))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
