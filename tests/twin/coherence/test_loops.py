"""Fair loops are those of the definition; all requests end under every protocol, and one that starves is found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.naive.loops import fair_states
from tests.tiny.protocols import SINGLE

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.liveness import STANDS_STILL, check_liveness
from jumpnet.coherence.protocol import Protocol, protocol, protocols
from jumpnet.coherence.search.loops import Steps, fair, loop_from
from jumpnet.coherence.search.model import Model
from jumpnet.coherence.search.states import States
from jumpnet.errors import JumpnetError

GRAPHS = st.lists(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), max_size=3), min_size=7, max_size=7)


def _steps(graph: list[list[tuple[int, int]]]) -> Steps:
    flat = [step for steps in graph for step in steps]
    first = np.concatenate([[0], np.cumsum([len(steps) for steps in graph])])
    target, arrived = (np.array([step[k] for step in flat], np.int32) for k in (0, 1))
    return Steps(first.astype(np.int64), target, arrived)


def _is_fair_loop(steps: Steps, among: set[int], root: int, loop: list[int]) -> bool:
    """Steps follow each other from the root back to it, and every kind that may arrive on the way does."""
    source, here, states, does = steps.source, root, [root], set()
    for step in loop:
        assert source[step] == here
        here = int(steps.target[step])
        states.append(here)
        does.add(int(steps.arrived[step]))
    may = {int(k) for s in states for k in steps.arrived[steps.first[s] : steps.first[s + 1]] if k}
    return here == root and set(states) <= among and may <= does


@settings(max_examples=150, deadline=None)
@given(GRAPHS, st.sets(st.integers(0, 6), min_size=1))
@example([[(1, 1)], [(0, 2), (2, 3)], [], [], [], [], []], {0, 1})  # 3 may arrive in 1, and never does inside
@example([[(1, 1)], [(0, 2), (2, 2)], [], [], [], [], []], {0, 1})  # 2 does, by another step
@example([[(1, 0), (2, 1)], [(0, 0)], [(2, 0)], [], [], [], []], {0, 1, 2})  # 1 starves in 0; 2 stands still
@example([[(1, 1), (3, 2)], [(2, 1)], [(1, 1), (0, 1)], [], [], [], []], {0, 1, 2})  # taken apart: 1 and 2 are left
def test_fair_loops_are_those_of_the_definition(graph: list[list[tuple[int, int]]], among: set[int]) -> None:
    steps, mask = _steps(graph), np.isin(np.arange(7), sorted(among))
    component = fair(steps, mask)
    assert set(np.flatnonzero(component >= 0).tolist()) == fair_states(dict(enumerate(graph)), among)
    for root in np.flatnonzero(component >= 0).tolist():
        inside = component == component[root]
        assert _is_fair_loop(steps, set(np.flatnonzero(inside).tolist()), root, loop_from(steps, inside, root))


@pytest.mark.parametrize("name", sorted(protocols()))
@pytest.mark.parametrize(("order", "acknowledges"), [("any", "single"), ("fifo", "combined")])
def test_every_request_ends(name: str, order: str, acknowledges: str) -> None:
    words = {"order": order, "acknowledges": acknowledges}
    found = check_liveness(protocol(name), 3, **words)
    assert found.ends and (found.fault, found.waits, found.path, found.loop) == ("", "", (), ())
    assert found.states == check_protocol(protocol(name), 3, **words).all_states


@pytest.mark.parametrize("name", ["dragon", "mixed"])
def test_steps_are_those_of_the_rules(name: str) -> None:
    """Between states told apart: the same ways on, with the same kinds of messages, as the model has."""
    model = Model(protocol(name), 2, name == "mixed", name == "mixed", in_place=True)
    states = States(model, 2)
    assert states.reach() == ("", 0)
    first, target, arrived = states.edges()
    for number in range(states.count):
        ways = list(model.steps(states.state(number)))
        part = slice(first[number], first[number + 1])
        assert [states.state(after) for after in target[part]] == [way.after for way in ways]
        assert arrived[part].tolist() == [states.arrival(way) for way in ways]
        assert [bool(kind) for kind in arrived[part]] == [way.delivers for way in ways]


TURNS_AWAY = Protocol(
    "turns away",
    SINGLE.cache
    + """
    R   PutAck    R   send Get
    W   PutAck    W   send Get
    """,
    SINGLE.home
    + """
    D   Get       D   ack
    D   Put       P   store, release, ack
    D   Put-      D   ack
    P   Done      U   -
    """,
)
"""While the line is on its way to one node the home sends others away, and they ask again."""


def test_a_request_that_is_turned_away_for_ever_is_found() -> None:
    """All comes to rest when nobody asks any more, so it is no fault of safety; but two nodes may keep out a third."""
    assert [check_protocol(TURNS_AWAY, caches).fault for caches in (1, 2, 3)] == ["", "", ""]
    assert check_liveness(TURNS_AWAY, 1).ends
    found = check_liveness(TURNS_AWAY, 2)
    assert not found.ends and found.fault == "" and found.waits == "R"
    assert found.path == ("read at a cache in I (cache 1): home U, caches R I",)
    assert "Get at the home in D (cache 1): home D, caches R R" in found.loop
    assert "PutAck at a cache in R (cache 1): home D, caches R R" in found.loop
    assert all(" caches R " in step for step in found.loop)
    assert found.loop[-1].endswith(found.path[-1].split(": ")[1])  # back where it began
    waits = replace(TURNS_AWAY, home=TURNS_AWAY.home.replace("D   Get       D   ack\n", ""))
    assert check_protocol(waits, 2).fault.startswith("no row for Get")  # D serves Put, so it is not busy


def test_a_request_that_nobody_answers_waits_where_all_stands_still() -> None:
    made = protocol("update")
    wrong = replace(made, home=made.home.replace("DV  Done  V   -", "DV  Done  DV  -"))
    found = check_liveness(wrong, 1)
    assert (found.waits, found.loop) == ("SW", (STANDS_STILL,))  # the home has served the read, and nobody since
    assert [step.split(" at ")[0] for step in found.path] == ["read", "GetS", "Data", "write", "Done"]


def test_a_fault_of_safety_ends_the_search() -> None:
    made = protocol("msi")
    kept = made.cache.replace("S   Inv       I   send InvAck, drop", "S   Inv       S   send InvAck")
    wrong = replace(made, cache=kept)
    found = check_liveness(wrong, 2)
    assert (found.fault, found.waits, found.ends, found.loop) == ("a stale value can be read in S", "", False, ())
    assert len(found.path) == len(check_protocol(wrong, 2).path)
    with pytest.raises(JumpnetError, match="12 caches found"):
        check_liveness(made, 12)
