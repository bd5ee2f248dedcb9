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


def test_a_protocol_beside_the_choice_is_refused() -> None:
    with pytest.raises(JumpnetError, match="protocol 'update' found, none expected"):
        measured_pages(_trace(), protocol="update")
