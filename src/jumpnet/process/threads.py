"""Work shared out to threads: how many there are, and results in order. Kernels let go of Python's lock, so they run at
once. Used wherever an answer is put together from parts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from threading import Thread
from typing import Any, TypeVar

from jumpnet.errors import JumpnetError
from jumpnet.spec import is_count

__all__ = ["asked_threads", "interruptible", "processors", "share", "slices"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def asked_threads() -> int | None:
    """Threads that JUMPNET_THREADS asks for, None where it is not set; JumpnetError where that is no positive number.

    >>> asked_threads() is None or asked_threads() > 0
    True
    """
    text = os.environ.get("JUMPNET_THREADS", "")
    if text and (not is_count(text) or int(text) == 0):
        raise JumpnetError(f"JUMPNET_THREADS={text!r} found, a positive number of threads expected")
    return int(text) if text else None


def processors(jobs: int | None = None, threads: int | None = None) -> int:
    """Threads to use: `threads`, else JUMPNET_THREADS, else all processors of this process; never more than jobs.

    Raises JumpnetError when JUMPNET_THREADS is no positive number.

    >>> processors(jobs=1)
    1
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = threads or asked_threads() or allowed
    return max(1, wanted if jobs is None else min(wanted, jobs))


def share(work: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None) -> list[Result]:
    """work(item) of every item, in their order, so many at a time; the first error is raised, and begins no more.

    An interruption (Ctrl-C) is heard at once, even within a long kernel: the threads do not keep the program alive.
    Costs about 0.1 ms.

    >>> share(abs, [-3, 2, -1])
    [3, 2, 1]
    """
    todo = list(items)
    results: list[Any] = [None] * len(todo)
    errors: list[BaseException] = []
    places = iter(range(len(todo)))

    def run() -> None:
        for k in places:
            if errors:
                return
            try:
                results[k] = work(todo[k])
            except BaseException as error:
                errors.append(error)

    crew = [Thread(target=run, daemon=True) for _ in range(processors(len(todo), threads))]
    try:
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
    except BaseException as error:
        errors.append(error)
        raise
    if errors:
        raise errors[0]
    return results


def slices(many: int, parts: int, step: int = 1) -> list[slice]:
    """So many things in so many parts at most, each but the last a multiple of `step`.

    >>> slices(5, 2)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    one = max(1, -(-many // (parts * step))) * step
    return [slice(first, min(first + one, many)) for first in range(0, many, one)]


def interruptible(work: Callable[[], Result]) -> Result:
    """work(), for one long kernel that an interruption should not wait for.

    >>> interruptible(list)
    []
    """
    return share(lambda call: call(), [work])[0]
