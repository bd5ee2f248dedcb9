"""The extended dependency graph of Duato's condition against the definition, whatever room its walks begin with."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.dependency import extended_set

from jumpnet.analysis.deadlock.conditions import duato
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.walks import walkers
from jumpnet.analysis.deadlock.walks.packet_walk import new_nodes
from jumpnet.analysis.deadlock.walks.walkers import Hashed
from jumpnet.routings import bind
from jumpnet.topology import build


@pytest.mark.parametrize(
    "spec_name", [("mesh:3x3", "mesh.duato"), ("torus:4x3", "torus.duato"), ("hyperx:3x2", "hyperx.adaptive")]
)
@pytest.mark.parametrize("vcs", [1, 2, 3])
def test_extended_dependencies_are_those_of_the_definition(spec_name, vcs):
    bound = bind(spec_name[1], build(spec_name[0]), vcs)
    made = dependencies(bound)
    extended = extended_dependencies(made)
    escape, result = extended_set(bound)
    assert len(extended.channel) == len(escape)
    places = list(np.ndindex(*made.bound.network.neighbor.shape, vcs))
    pairs = zip(*(side.tolist() for side in extended.pairs), strict=True)
    assert {(places[held], places[wanted]) for held, wanted in pairs} == result


def test_extended_dependencies_do_not_depend_on_room(monkeypatch):
    """Walks that begin with room for few states, and are interrupted after each, come to the same graph."""
    made = dependencies(bind("torus.duato", build("torus:4x3")))
    whole, wider = extended_dependencies(made), [0]

    def counted(self, walk, inner=Hashed.wider):
        wider[0] += 1
        return inner(self, walk)

    monkeypatch.setattr(Hashed, "wider", counted)
    monkeypatch.setattr(walkers, "new_nodes", lambda capacity, words: new_nodes(min(capacity, 1 << wider[0]), words))
    monkeypatch.setattr(duato, "SOME_WORDS", 0)
    small = extended_dependencies(made)
    assert wider[0] >= 3 and small.without_escape is whole.without_escape is None
    for part in ("channel", "indptr", "indices"):
        assert np.array_equal(getattr(small, part), getattr(whole, part)), part
