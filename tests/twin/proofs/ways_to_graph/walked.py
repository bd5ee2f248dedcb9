"""Dependencies that were found in some other way beside those of the walk over all packets."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting
from jumpnet.terms import Array

__all__ = ["assert_equal", "both_ways", "drawn_links", "walked_unless_refused"]


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


def drawn_links(draw: np.random.Generator, routers: int) -> tuple[bool, Array] | None:
    """Whether links go one way, and (links, 2) of them in drawn order, up to two twice; None where none is drawn."""
    directed = bool(draw.integers(2))
    pairs = np.array([(a, b) for a in range(routers) for b in range(routers) if a != b and (directed or a < b)])
    links = pairs[draw.random(len(pairs)) < draw.choice([0.3, 0.5, 0.8])]
    if len(links) == 0:
        return None
    return directed, draw.permutation(np.concatenate([links, links[: int(draw.integers(3))]]))


def walked_unless_refused(bound: BoundRouting) -> Dependencies | None:
    """The graph by following packets; None where that is refused, and other ways refuse it too."""
    try:
        return dependencies(bound, 1, apart=False)
    except JumpnetError:
        with pytest.raises(JumpnetError, match=r"does not deliver|no path from"):
            dependencies(bound)
        return None
