"""Dependencies that were found in some other way beside those of the walk over all packets."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.routings import BoundRouting

__all__ = ["assert_equal", "both_ways"]


def both_ways(monkeypatch: pytest.MonkeyPatch, least: str, bound: BoundRouting) -> list[Dependencies]:
    """Those where `least`, the routers from which on another way is taken, is 0, and those of the walk."""
    found = []
    for routers in (0, 1 << 30):
        monkeypatch.setattr(dependency_module, least, routers)
        found.append(dependencies(bound, 1))
    assert found[1].by == "walks"
    return found


def assert_equal(one: Dependencies, other: Dependencies, what: object) -> None:
    """All that both know of the graph is the same."""
    for name in ("bits", "used", "escape"):
        assert (getattr(one, name) == getattr(other, name)).all(), (what, name)
    for name in ("states", "adaptive", "choices", "has_escape", "phased", "whole"):
        assert getattr(one, name) == getattr(other, name), (what, name)
