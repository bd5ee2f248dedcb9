"""The order of a whole run: what compiles for all others starts first, what takes long before what is short.

Two workers begin with half of the tests each. The first begins with the commands of `jumpnet compile`, in one process,
which types what kernels share once, and goes on with what compiles the simulator's longest other kernel; all others,
and the processes that they start, find kernels on the disk then. The second begins with what is long and needs few
kernels of jumpnet: it would compile the same a second time. What is not named here is done folder by folder. Where it
was measured: `docs/measurements/tests.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["BESIDE", "FIRST", "in_order"]

FIRST = (
    "tests/cli/test_warm_ups.py::test_every_group_runs",
    "tests/twin/sim/test_sim_allocators.py::test_kernel_equals_reference",
    "tests/docs/test_manual.py::test_sessions_run[tour]",
    "tests/papers/verdicts/test_verdicts.py::test_a_section_is_as_committed_and_computes_without_what_is_printed",
    "tests/tiny/jit/test_starts_without_numba.py::test_what_was_run_once_runs_without_numba",
)
"""How the names of those begin that the first worker begins with."""

BESIDE = (
    "tests/docs/test_manual_built.py::test_the_manual_is_built_without_a_warning",
    "tests/attack/own/test_functions.py::test_what_misbehaves_is_refused_in_one_line_and_what_behaves_passes",
    "tests/arch/",
    "tests/docs/test_own_page.py",
    "tests/papers/page/",
    "tests/attack/files/",
    "tests/attack/stored/",
    "tests/attack/own/",
)
"""Likewise of the second one: some two minutes."""


def _place(name: str, among: Sequence[str]) -> int | None:
    return next((place for place, start in enumerate(among) if name.startswith(start)), None)


def in_order(names: Sequence[str]) -> list[int]:
    """Numbers of tests of these names, in the order in which they start; of one kind as they stand.

    >>> in_order(["tests/x.py::test_y", "tests/arch/test_a.py::test_a", f"{FIRST[1]}", "tests/x.py::test_z"])
    [2, 0, 1, 3]
    """
    first, beside, others = [], [], []
    for number, name in enumerate(names):
        if (place := _place(name, FIRST)) is not None:
            first.append((place, number))
        elif (place := _place(name, BESIDE)) is not None:
            beside.append((place, number))
        else:
            others.append(number)
    ahead, half = [number for _, number in sorted(first)] + others, len(names) // 2
    return [*ahead[:half], *(number for _, number in sorted(beside)), *ahead[half:]]
