"""What is refused is refused before work that it makes vain."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock import dependency
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.ways_to_graph.digits.sets import Layout
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import by_number
from jumpnet.errors import JumpnetError
from jumpnet.routings import _tables, bind
from jumpnet.topology import build


def test_a_table_that_does_not_fit_is_refused_before_packets_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 128 candidates: sets of destinations do not serve, and all ways that are left read the table."""
    bound = bind("minimal:ports=all", build("debruijn:70,n=2"))
    monkeypatch.setattr(_tables, "TABLE_LIMIT_BYTES", 1 << 20)
    for way in ("dependencies_by_digits", "dependencies_by_dimension", "partial_graph", "by_walks"):
        monkeypatch.setattr(dependency, way, lambda *_, way=way: pytest.fail(f"{way} was tried"))
    with pytest.raises(JumpnetError, match=r"minimal on debruijn:70,n=2 needs tables of 0\.0 GiB"):
        prove(bound)


def test_a_table_of_a_routings_own_is_refused_first(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("nue", build("hyperx:4x4"))
    monkeypatch.setattr(_tables, "TABLE_LIMIT_BYTES", 1 << 8)
    monkeypatch.setattr(dependency, "wide", lambda of: pytest.fail("ways were looked for"))
    with pytest.raises(JumpnetError, match=r"nue on hyperx:4x4 needs tables of 0\.0 GiB"):
        prove(bound)


def test_everything_at_some_routers_is_that_of_all() -> None:
    layout = Layout(by_number(build("kautz:2,n=3")), 1)
    assert (layout.everything(12)[[3, 7]] == layout.everything(2)).all()
    assert layout.everything(2).shape == (2, layout.words)
