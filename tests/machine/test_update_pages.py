"""The choice of pages by update: no other choice takes fewer packets, and a run with it takes as many as foretold."""

from __future__ import annotations

from itertools import combinations

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.traffic import coherence_traffic
from jumpnet.machine.update_pages import measured_pages
from jumpnet.machine.workload import workload

PAGE = 4096


def _trace():
    """Page 0 goes from a writer to readers, page 1 is written on by one, page 2 both, page 3 is private."""
    rows = (
        [(p, 0, False) for p in (0, 1, 2)] + [(p, PAGE, False) for p in (1, 2)] + [(p, 2 * PAGE, False) for p in (0, 3)]
    )
    for _ in range(5):
        rows += [(0, 0, True), (1, 0, False), (2, 0, False), (1, PAGE, True), (3, 3 * PAGE, True)]
        rows += [(0, 2 * PAGE, True), (3, 2 * PAGE, False), (0, 2 * PAGE, True), (0, 2 * PAGE, True)]
    proc, address, write = zip(*rows, strict=True)
    return Trace("four pages", 4, lambda: iter([block_of(proc, address, 4, write)]))


@pytest.mark.parametrize("directory", ["line", "page"])
@pytest.mark.parametrize("multicast", [False, True])
def test_no_choice_is_better(directory, multicast) -> None:
    found = measured_pages(_trace(), directory=directory, multicast=multicast)
    assert 0 < len(found.update_pages) < found.pages == 4
    tried = {}
    for chosen in (pages for k in range(5) for pages in combinations(range(4), k)):
        run = coherence_traffic(_trace(), directory=directory, protocol="mixed", update_pages=chosen)
        tried[chosen] = run.packets_multicast if multicast else run.packets
    assert min(tried.values()) == tried[found.update_pages] == found.packets
    assert (tried[()], tried[0, 1, 2, 3]) == (found.invalidate_packets, found.update_packets)
    assert 0 < found.gain < 1


def test_a_program_gains() -> None:
    trace = workload("radix:processors=32,n=1024").trace()
    found = measured_pages(trace, clusters_of=4, directory="line", multicast=True)
    run = coherence_traffic(trace, clusters_of=4, directory="line", protocol="mixed", update_pages=found.update_pages)
    assert run.packets_multicast == found.packets < min(found.invalidate_packets, found.update_packets)


SETTINGS = {
    "hints": True, "exclusive": True, "page_entry": "valid_holders", "pruning": 4, "pointers": 2, "evicts": True,
    "translation": (4, 4), "clusters_of": 2, "placement": "round-robin", "caches": (256, 2),
}  # fmt: skip
"""What a machine may have, with what it is set to."""


def _taken(machine) -> bool:
    try:
        coherence_traffic(_trace(), protocol="mixed", update_pages=[0], **machine)
    except JumpnetError:
        return False
    return True


def test_every_machine_that_runs_mixed_can_choose() -> None:
    """Also with what counts only where copies are taken away: alone, in pairs and three together."""
    tried = [dict(chosen) for k in (1, 2, 3) for chosen in combinations(SETTINGS.items(), k)]
    right = [machine for machine in tried if _taken(machine)]
    assert {name for machine in right for name in machine} == set(SETTINGS) and len(right) < len(tried)
    for machine in right:
        assert measured_pages(_trace(), **machine).pages == 4, machine


def test_pages_that_list_their_holders_choose_otherwise() -> None:
    trace = workload("water:processors=8").trace()
    cleared, holders = (measured_pages(trace, page_entry=entry) for entry in ("never_cleared", "valid_holders"))
    assert cleared.update_pages != holders.update_pages and cleared.update_packets == holders.update_packets
    again = {"protocol": "mixed", "page_entry": "valid_holders", "update_pages": holders.update_pages}
    assert coherence_traffic(trace, **again).packets == holders.packets < cleared.packets


def test_pages_that_list_their_holders_hear_hints_by_update_too() -> None:
    """Without the entry by update node 1, which has given its line up, would be told of every write."""
    proc, write = [0, 1, 1] + [0] * 9, [False, False, False] + [True] * 9
    trace = Trace("given up", 2, lambda: iter([block_of(proc, [0, 0, PAGE, *[0] * 9], 4, write)]))
    hints = {"hints": True, "caches": (32, 1)}
    told, untold = (measured_pages(trace, page_entry=e, **hints) for e in ("never_cleared", "valid_holders"))
    assert untold.update_packets < told.update_packets


def test_a_page_that_takes_as_many_packets_either_way_is_kept_by_invalidation() -> None:
    """Node 1 reads a line of node 0, which writes it: asked and answered, told and acknowledged, by either protocol."""
    trace = Trace("one word", 2, lambda: iter([block_of([0, 1, 0], [0, 0, 0], 4, [False, False, True])]))
    found = measured_pages(trace)
    assert (found.update_pages, found.invalidate_packets, found.update_packets) == ((), 4, 4)


def test_a_protocol_beside_the_choice_is_refused() -> None:
    with pytest.raises(JumpnetError, match="protocol 'update' found, none expected"):
        measured_pages(_trace(), protocol="update")
