"""Virtual networks as they are read off the tables, held against the tables run at endpoints with little room."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from tests.agree.endpoints import agrees, keeps
from tests.naive.endpoints import stuck
from tests.naive.networks import partitions
from tests.tiny.protocols import SINGLE

from jumpnet.coherence.networks.joint import shared_networks
from jumpnet.coherence.networks.kinds import ENDPOINTS, kinds_of
from jumpnet.coherence.protocol import protocol, protocols

RUNS = 8
CASES = [(name, e) for name in sorted(protocols()) for e in ENDPOINTS if name != "chained" or e == "queued"]


@pytest.mark.parametrize(("name", "endpoints"), CASES)
def test_messages_stand_still_with_one_network_fewer_and_not_with_enough(name: str, endpoints: str) -> None:
    made = protocol(name)
    enough = shared_networks(made, endpoints)
    always = keeps(enough.kinds, endpoints)
    assert not any(stuck(made, enough.groups, always, seed) for seed in range(RUNS))
    fewer = shared_networks(made, endpoints, str(len(enough.groups) - 1))
    assert any(stuck(made, fewer.groups, always, seed) for seed in range(RUNS))


def test_a_message_from_cache_to_cache_stands_still_in_a_network_of_its_own() -> None:
    """Lists of two lines go through two nodes in turns; where what is passed on can be kept none stands still."""
    made = protocol("chained")
    groups = tuple((kind,) for kind in kinds_of(made).names)
    size = {"nodes": 4, "actions": 2000}
    left = next(filter(None, (stuck(made, groups, lambda kind: False, seed, **size) for seed in range(40))))
    assert sum(message.startswith("Inv to") for message in left) > 2
    assert not any(stuck(made, groups, lambda kind: True, seed, **size) for seed in range(RUNS))


def test_what_is_enough_for_one_kind_of_endpoint_is_not_for_the_next() -> None:
    made = protocol("msi")
    for endpoints, roomier in pairwise(ENDPOINTS):
        shared = shared_networks(made, roomier)
        assert any(stuck(made, shared.groups, keeps(shared.kinds, endpoints), seed) for seed in range(RUNS))


def test_requests_that_stall_close_a_ring_by_themselves() -> None:
    made = protocol("msi")
    rest = "Data DataM Inv InvAck Fetch FetchInv OwnerData PutAck"
    # PutM waits at a busy home for Done, which stands behind it; no chain of messages has the two.
    shared = shared_networks(made, "queued", f"GetS GetM / PutM Done / {rest}")
    assert shared.ring == (("PutM", "Done"),)
    assert any(stuck(made, shared.groups, lambda kind: True, seed) for seed in range(RUNS))


def test_a_ring_of_sends_needs_full_queues_and_one_with_stalls_does_not() -> None:
    made = protocol("msi")
    always = keeps(shared_networks(made).kinds, "held")
    fewer, one = (shared_networks(made, "held", number).groups for number in ("4", "1"))
    # Data and Done share a network: that ends where queues cannot fill. A request stops a Done behind it all the same.
    assert not any(stuck(made, fewer, always, seed, room=1000) for seed in range(RUNS))
    assert any(stuck(made, one, always, seed, room=1000) for seed in range(RUNS))


@pytest.mark.parametrize("endpoints", ENDPOINTS)
def test_messages_stand_still_exactly_where_there_is_a_ring(endpoints: str) -> None:
    kinds = kinds_of(SINGLE)
    found = [partition for count in range(1, 8) for partition in partitions([*kinds.names], count)]
    for groups in Random(endpoints).sample(found, 12):
        assert agrees(SINGLE, kinds, endpoints, groups), groups
