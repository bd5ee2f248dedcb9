"""Options of machines that would change nothing are refused, from Python as on the command line; the others count."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from tests.attack.drawn.machine_options import OPTIONS, changes_nothing, pairs
from tests.twin.machine.timed.twin import made_trace

from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import chosen_machine, closed_loop
from jumpnet.machine.timed.design import Costs, Design, costs_of
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.machine import run_machine
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import block_of
from jumpnet.machine.traffic import coherence_traffic
from jumpnet.machine.update_pages import measured_pages

TRACE = made_trace([(p, 64, 4, True, 0) for p in range(4)], 4)


def test_every_option_counts() -> None:
    assert [name for name in OPTIONS if changes_nothing(name, None)] == []


def test_options_count_beside_each_other() -> None:
    drawn = Random(1).sample([*pairs()], 20)
    assert [pair for pair in drawn if changes_nothing(*pair)] == []


def test_one_that_counts_for_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPTIONS, "as it is", ({"outstanding": 1}, {}))
    assert changes_nothing("as it is", None, (1,)) and changes_nothing("as it is", "free", (1,))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"hints": True}, "hints found without caches of limited size"),
        ({"hints": True, "caches": (64, 1), "protocol": "dragon"}, "without copies that protocol dragon gives up in"),
        ({"update_pages": frozenset({1})}, "pages in update mode found without protocol mixed"),
        ({"translation": (0, 0)}, "translation 0,0 found without entries of one of its stages at least"),
        ({"pruning": 4, "directory": "line"}, "a pruning cache of 4 entries found without directory page"),
        (
            {"page_entry": "valid_holders", "protocol": "update"},
            "valid_holders found without copies that are taken away",
        ),
        ({"page_entry": "valid_holders", "directory": "line"}, "page entry valid_holders found without directory page"),
    ],
)
def test_parts_without_effect_are_refused_by_both_machines(parts: dict[str, Any], words: str) -> None:
    for machine in (lambda: Functional(4, **parts), lambda: Design(**parts), lambda: coherence_traffic(TRACE, **parts)):
        with pytest.raises(JumpnetError, match=words):
            machine()


@pytest.mark.parametrize("protocol", ["mesi", "moesi", "dragon", "update"])
def test_exclusive_where_no_sole_reader_asks(protocol: str) -> None:
    with pytest.raises(JumpnetError, match="exclusive found without a sole reader that asks before it writes"):
        Functional(4, protocol=protocol, exclusive=True)
    Functional(4, protocol="mixed", exclusive=True)
    assert measured_pages(TRACE, exclusive=True).pages == 1


def test_exclusive_where_every_copy_is_a_link_of_a_list() -> None:
    """A sole reader's line would be dropped without a word: with caches that nothing falls out of, none is dropped."""
    engine = Functional(2, protocol="chained", exclusive=True, directory="line")
    engine.feed(*block_of([1, 1], [64, 64], 4, [False, True]))
    assert engine.machine == {"requests": 1, "fetches": 0}
    for hints, words in ((False, "exclusive found without clean copies that protocol chained"), (True, "hints found")):
        with pytest.raises(JumpnetError, match=words):
            Functional(2, protocol="chained", exclusive=True, directory="line", caches=(64, 1), hints=hints)
    Functional(2, exclusive=True, directory="line", caches=(64, 1), hints=True)


def test_places_without_a_network() -> None:
    with pytest.raises(JumpnetError, match="places of nodes found without a network"):
        coherence_traffic(TRACE, at=np.arange(4))


@pytest.mark.parametrize(
    ("costs", "design", "words"),
    [
        ({"stage_1_cycles": 5}, {"translation": (0, 4)}, "cost stage-1 found without a first stage of translation"),
        ({"stage_2_cycles": 5}, {"translation": (4, 0)}, "cost stage-2 found without a second stage"),
        ({"sync_cycles": 5}, {}, "cost sync found without synchronisation free of messages"),
        ({"barrier_line_cycles": 5}, {}, "cost barrier-line found without a barrier line"),
        ({"forward_cycles": 5}, {}, "cost forward found without multicasts"),
        ({"remake_cycles": 5}, {}, "cost remake found without multicasts under REMAKE"),
        ({"handlers": {"page": 5}}, {}, "cost page found without pages that move"),
        ({"handlers": {"fetch": 5}}, {"protocol": "update"}, "cost fetch found without a protocol"),
        ({"handlers": {"write back": 5}}, {}, "cost write-back found without caches of limited size"),
        ({"handlers": {"lock": 5}}, {"synchronisation": "free"}, "cost lock found without synchronisation by message"),
    ],
)
def test_costs_of_what_is_not_done_are_refused(costs: dict[str, Any], design: dict[str, Any], words: str) -> None:
    with pytest.raises(JumpnetError, match=words):
        run_machine(streams_of(TRACE), costs=Costs(**costs), **design)
    with pytest.raises(JumpnetError, match=words):
        chosen_machine("torus:2x2", costs=Costs(**costs), **design)


@pytest.mark.parametrize("word", ["stage-1=20", "stage-2=20", "sync=20", "barrier-line=1", "forward=1", "remake=0"])
def test_costs_that_are_typed_count_as_given_though_they_hold_anyway(word: str) -> None:
    costs, name = costs_of([word]), word.partition("=")[0]
    assert costs == Costs() and (costs.given(), Costs().given()) == ([name], [])
    with pytest.raises(JumpnetError, match=f"cost {name} found without"):
        run_machine(streams_of(TRACE), costs=costs)
    with pytest.raises(JumpnetError, match="unknown cost 'stage_1'; did you mean 'stage-1'"):
        Costs(typed=frozenset({"stage_1"}))


def test_costs_that_depend_on_the_way_of_multicasts() -> None:
    streams, slow = streams_of(TRACE), {"costs": Costs(spacing_cycles=9)}
    free = {"synchronisation": "free"}
    run_machine(
        streams, entries=Entries(chained=True), protocol="chained", **slow
    )  # those at a barrier are told in turn
    for more, kind in ((free, "chained"), ({"multicast": "full_map"}, "full_map")):
        with pytest.raises(JumpnetError, match="cost spacing found without messages one after another"):
            closed_loop(streams, "torus:2x2", encoding_name=kind, **slow, **more)
    # Routers that branch packets send nothing on themselves but for one without a node, which answers.
    how = {"branches": "routers", "costs": Costs(forward_cycles=9)}
    closed_loop(streams, "rdt:4", multicast="SM", **how)
    with pytest.raises(JumpnetError, match="cost forward found without multicasts whose packets routers take whole"):
        closed_loop(streams, "torus:2x2", multicast="full_map", routing="torus.dimension_order", **how)


def test_what_is_said_twice() -> None:
    with pytest.raises(JumpnetError, match="encoding chained found with multicasts of full_map, one of them expected"):
        chosen_machine("torus:2x2", multicast="full_map", encoding_name="chained")
    with pytest.raises(JumpnetError, match="2 combining entries found without branches 'routers' and acknowledges"):
        chosen_machine("rdt:4", multicast="SM", branches="routers", combining_entries=2)
    with pytest.raises(JumpnetError, match="endpoints queued found without room for few messages or a number"):
        Design(endpoints="queued")
    for networks, of in (("1", "queued"), ("2", "reserved"), ("1", "reserved"), ("2", "queued")):
        with pytest.raises(JumpnetError, match="number of networks whose kinds differ from those of held"):
            Design(networks=networks, endpoints=of)
        Design(networks=networks, endpoints=of, endpoint_room=1)
    # Three are not those of held; of lists from copy to copy held has no two at all.
    assert Design(networks="3", endpoints="reserved").groups != Design(networks="3").groups
    assert len(Design(protocol="chained", networks="2", endpoints="queued").groups) == 2
