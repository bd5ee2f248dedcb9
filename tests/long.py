"""Tests that take long by themselves start first, so that none of them is left for one worker at the end.

Where it was measured: `docs/measurements/tests.md`. Those that read what mypy found beside them start last, when it has
ended. The order of all others stays.
"""

from __future__ import annotations

__all__ = ["LATE", "LONG", "long_first"]

LONG = (
    "tests/docs/test_manual_built.py::test_the_manual_is_built_without_a_warning",
    "tests/attack/own/test_functions.py::test_what_misbehaves_is_refused_in_one_line_and_what_behaves_passes",
    "tests/docs/test_manual.py::test_sessions_run[tour]",
    "tests/papers/verdicts/test_verdicts.py::test_a_section_is_as_committed_and_computes_without_what_is_printed",
)
"""How the names of the longest begin, the longest first."""

LATE = (
    "tests/docs/test_installed.py::test_a_type_checker_sees_the_types",
    "tests/laws/test_python_face.py::test_type_checkers_find_wrong_names_and_values",
)
"""Those that read what mypy found."""


def long_first(name: str) -> int:
    """Where a test of this name starts, among all; those of one number as they stand.

    >>> long_first("tests/docs/test_manual.py::test_sessions_run[tour]"), long_first("tests/x.py::test_y")
    (2, 4)
    """
    return next((place for place, long in enumerate(LONG) if name.startswith(long)), len(LONG) + (name in LATE))
