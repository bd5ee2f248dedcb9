"""The extended dependency graph of Duato's condition against the definition, whatever room its walks begin with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.naive.dependency import extended_set

from jumpnet.analysis.deadlock.conditions import duato
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.walks import walkers
from jumpnet.analysis.deadlock.walks.packet_walk import new_nodes
from jumpnet.analysis.deadlock.walks.walkers import Hashed
from jumpnet.routings import Routing, bind
from jumpnet.routings.view import DESTINATION, ESCAPE, KIND, NEXT_STATE, NORMAL, PORT, VC
from jumpnet.topology import build


def up_a_row(net, here, head, out):
    """Up a row by channel 0, an escape, and at router 2 alone by channel 1 as well, which is none."""
    if here == head[DESTINATION]:
        return 0
    out[0, PORT], out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, 0, ESCAPE
    out[1, PORT], out[1, VC], out[1, NEXT_STATE], out[1, KIND] = 0, 1, 0, NORMAL
    return 2 if here == 2 else 1


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


def test_what_is_asked_for_behind_an_escape_is_no_dependency_of_those_before():
    """Packets to router 4 of a row alone; escape r is that from router r to r + 1.

    One that took an escape asks for the next: 0 for 1, 1 for 2, 2 for 3. Only by router 2 may it go on and take none,
    so after 1 it may come to ask for 3, too. One that took 0 comes to router 2 by 1 alone: 0 waits for 1, no other.
    """
    last = np.array([0, 0, 0, 0, 1], np.int32)
    row = replace(build("mesh:5"), spec="row to its end", terminals=1 - last, sinks=last, orbits=None)
    made = dependencies(Routing("row.up", up_a_row, 2, source="made here", summary="made here").bind(row))
    expected = {(0, 1), (1, 2), (1, 3), (2, 3)}
    escape, result = extended_set(made.bound)
    assert escape == {(r, 0, 0) for r in range(4)}
    assert result == {((held, 0, 0), (wanted, 0, 0)) for held, wanted in expected}
    extended = extended_dependencies(made)
    places = list(np.ndindex(*row.neighbor.shape, 2))
    at = [places[channel][0] for channel in extended.channel]
    pairs = zip(*(side.tolist() for side in extended.pairs), strict=True)
    assert at == [0, 1, 2, 3] and {(places[held][0], places[wanted][0]) for held, wanted in pairs} == expected


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
