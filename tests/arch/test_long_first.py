"""Tests that are moved are there by the names that they are moved by, and stand where they are to start."""

from __future__ import annotations

import pytest
from tests.arch.sources import ROOT
from tests.long import BESIDE, FIRST, in_order


def _begins(name: str, starts: tuple[str, ...]) -> bool:
    return any(name.startswith(start) for start in starts)


def test_names_are_there_and_stand_in_order(request: pytest.FixtureRequest) -> None:
    """In a run of all tests; where few are run, as far as they go."""
    names = [item.nodeid for item in request.session.items]
    given = request.config.option
    whole = not (given.keyword or given.markexpr or given.deselect or any("::" in one for one in request.config.args))
    files = {name.partition("::")[0] for name in names}
    for start in (*FIRST, *BESIDE):
        file = start.partition("::")[0]
        assert (ROOT / file).exists(), f"{start} is not there"
        asked = any(one.startswith(file) for one in files) if whole else False
        assert not asked or any(name.startswith(start) for name in names), f"{start} is no test"
    first = [name for name in names if _begins(name, FIRST)]
    assert first == [name for name in names if not _begins(name, BESIDE)][: len(first)]


def test_each_of_two_workers_begins_with_its_own() -> None:
    """The second one begins in the middle, as `pytest-xdist` shares tests out."""
    others = [f"tests/x.py::test_{number}" for number in range(20)]
    beside = [f"{start}test_a.py::test_a" if start.endswith("/") else f"{start}_more" for start in BESIDE]
    names = [*beside[::-1], *others[:9], *FIRST[::-1], *others[9:]]
    found = [names[number] for number in in_order(names)]
    assert sorted(found) == sorted(names)
    assert found[: len(FIRST)] == list(FIRST)
    assert found[len(names) // 2 :][: len(BESIDE)] == beside
    assert [name for name in found if name in others] == others


def test_in_fewer_than_they_are_none_is_lost() -> None:
    for names in ([], list(BESIDE), list(FIRST), [BESIDE[0]]):
        assert sorted(in_order(names)) == list(range(len(names)))
