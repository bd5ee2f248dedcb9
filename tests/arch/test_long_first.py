"""The longest tests are there by the names that they are moved by, and start before all others; some start last."""

from __future__ import annotations

import pytest
from tests.long import LATE, LONG, long_first


def test_the_longest_tests_start_first(request: pytest.FixtureRequest) -> None:
    """In a run of all tests; where few are run, as far as they go."""
    names = [item.nodeid for item in request.session.items]
    assert [long_first(name) for name in names] == sorted(map(long_first, names))
    given = request.config.option
    whole = not (given.keyword or given.markexpr or given.deselect or any("::" in one for one in request.config.args))
    files = {name.partition("::")[0] for name in names if whole}
    for name in (*LONG, *LATE):
        place = LONG.index(name) if name in LONG else len(LONG) + 1
        moved = {long_first(one) for one in names if one.startswith(name)}
        assert moved >= ({place} if name.partition("::")[0] in files else set()) and moved <= {place}, name
