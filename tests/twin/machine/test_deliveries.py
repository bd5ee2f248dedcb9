"""Deliveries of tables of messages equal those of each message by itself, under every encoding and any placement."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.coherence.encoding import Encoding, EntryBits, encoding, encodings
from jumpnet.coherence.functional import MessageSets
from jumpnet.errors import JumpnetError
from jumpnet.machine.traffic import Deliveries, routers_of

NETWORK, NODES = "prdt:16", 100


def _sets(seed, count=60):
    draw = np.random.default_rng(seed)
    words = np.zeros((count, 2), np.uint64)
    for row in words:
        for node in draw.choice(NODES, draw.integers(1, 9), replace=False):
            row[node // 64] |= np.uint64(1 << int(node % 64))
    return MessageSets(draw.integers(0, NODES, count), words, draw.integers(1, 50, count))


def _naive(used, at, part):
    """(multicasts, receivers, unnecessary, evicted), one message at a time."""
    totals = np.zeros(4, np.int64)
    for home, nodes, count in part:
        holders = tuple(int(at[node]) for node in nodes if node != home)
        if holders:
            sent = used.message(NETWORK, int(at[home]), holders)
            totals += count * np.array([1, sent.receivers, sent.unnecessary, sent.evicted])
    return totals.tolist()


@pytest.mark.parametrize("name", sorted(encodings()))
@pytest.mark.parametrize("placed", [False, True])
def test_all_at_once_as_one_by_one(name, placed) -> None:
    at = routers_of(NODES, NETWORK, np.random.default_rng(5).permutation(256)[:NODES] if placed else None)
    made, used = Deliveries(encoding(name), NETWORK, at), encoding(name)
    parts = [_sets(1), _sets(2)]
    for part in parts:
        made.add(part)
    found = [made.multicasts, made.receivers, made.unnecessary, made.evicted]
    assert found == np.sum([_naive(used, at, part) for part in parts], axis=0).tolist()
    assert made.multicasts > 1000


def test_an_encoding_of_ones_own_is_asked_for_each_message() -> None:
    def deliver(spec, home, holders):
        return encoding("full_map").deliver(spec, home, holders)

    at = routers_of(NODES, NETWORK)
    one = Deliveries(Encoding("own", EntryBits, deliver), NETWORK, at)
    two = Deliveries(encoding("full_map"), NETWORK, at)
    for made in (one, two):
        made.add(_sets(3))
    assert (one.multicasts, one.receivers, one.unnecessary) == (two.multicasts, two.receivers, two.unnecessary)


def test_entries_that_do_not_know_their_destinations_tell_everybody() -> None:
    plain = _sets(4)
    lost = np.arange(len(plain.home)) % 3 == 0
    part = MessageSets(plain.home, plain.destinations, plain.count, lost)
    at = routers_of(NODES, NETWORK)
    made = Deliveries(encoding("limited_broadcast"), NETWORK, at)
    made.add(part)
    receivers = unnecessary = broadcasts = 0
    for (home, nodes, count), everybody in zip(part, lost.tolist(), strict=True):
        told = [node for node in nodes if node != home]
        if told:
            # Those that are known have few enough destinations, or go to everybody by their number.
            by_number = encoding("limited_broadcast").message(NETWORK, home, tuple(told)).receivers
            reached = 255 if everybody else by_number
            receivers += count * reached
            unnecessary += count * (reached - len(told))
            broadcasts += count * everybody
    assert (made.receivers, made.unnecessary, made.broadcasts) == (receivers, unnecessary, broadcasts)
    assert broadcasts > 0


def test_a_broadcast_reaches_all_but_its_home() -> None:
    sent = encoding("limited_broadcast").message(NETWORK, 3, tuple(range(4, 11)))
    assert (sent.receivers, sent.unnecessary) == (255, 248)


def test_what_pointers_cannot_name_is_given_up() -> None:
    kept, full = (encoding("limited_evicting").message(NETWORK, 3, tuple(range(4, 4 + k))) for k in (6, 8))
    assert (kept.receivers, kept.evicted) == (6, 0)
    assert (full.receivers, full.evicted) == (6, 2)


def test_bad_places() -> None:
    for nodes, at, found in (
        (257, None, "257 nodes found, at most the 256 routers of prdt:16"),
        (2, [0, 0], "different routers from 0 to 255"),
        (2, [0, 256], "different routers from 0 to 255"),
        (2, "x", "places of 2 nodes expected"),
        (2, [0, 1, 2], "places of 2 nodes expected"),
    ):
        with pytest.raises(JumpnetError, match=found):
            routers_of(nodes, NETWORK, at)
