"""Many short cases in one test: what a test costs beside what it does is more than each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["each_of"]


def each_of(cases: Iterable[Any]) -> Callable[[Callable[[Any], None]], Callable[[], None]]:
    """A test of one argument, done for all of these in turn. What fails names its case, and the others are done too.

    >>> @each_of([2, 4, 6])
    ... def test_even(number):
    ...     assert number % 2 == 0
    >>> test_even()
    >>> test_even.one(3)
    Traceback (most recent call last):
    ...
    AssertionError
    """
    every = list(cases)
    assert every, "no case"

    def turned(test: Callable[[Any], None]) -> Callable[[], None]:
        def whole() -> None:
            wrong = []
            for case in every:
                try:
                    test(case)
                except Exception as error:
                    error.add_note(f"{test.__name__}: {case!r}")
                    wrong.append(error)
            if wrong:
                raise ExceptionGroup(f"{len(wrong)} of {len(every)} cases", wrong)

        whole.__name__, whole.__doc__, whole.__module__ = test.__name__, test.__doc__, test.__module__
        whole.one = test  # type: ignore[attr-defined]
        return whole

    return turned
