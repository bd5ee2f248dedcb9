"""Virtual networks of protocols: tiny ones argued by hand, the least number as all partitions give it, rings, words."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import networks as naive
from tests.tiny.protocols import AGAIN, NO_DONE, SINGLE, STEPS

from jumpnet.coherence.networks.kinds import ENDPOINTS, Kinds, kinds_of
from jumpnet.coherence.networks.least import least_networks, named_groups, ring_of
from jumpnet.coherence.protocol import protocol, protocols
from jumpnet.errors import JumpnetError

NAMES = sorted(protocols())


def test_waits_through_several_states_of_a_busy_home() -> None:
    kinds = kinds_of(STEPS)
    assert kinds.sends == {
        ("Get", "Inv"), ("Get", "Ask"), ("Get", "Tell"), ("Inv", "InvAck"), ("Ask", "Soon"), ("Tell", "Note"),
        ("InvAck", "Data"), ("Note", "Data"),
    }  # fmt: skip
    assert kinds.stalls == {("Get", b) for b in ("Inv", "Ask", "Tell", "InvAck", "Soon", "Note")}


def test_waits_of_a_tiny_protocol() -> None:
    kinds = kinds_of(SINGLE)
    assert kinds.names == ("Get", "Put", "Done", "Line", "Data", "Back", "PutAck")
    assert (kinds.requests, kinds.to_home) == ({"Get", "Put"}, {"Get", "Put", "Done", "Line"})
    assert kinds.sends == {
        ("Get", "Data"), ("Get", "Back"), ("Put", "PutAck"), ("Data", "Done"), ("Back", "Line"), ("Line", "Data"),
    }  # fmt: skip
    # A home that is busy is waiting for Line, which Back brings, or for Done, which Data does; never for PutAck.
    assert kinds.stalls == {(a, b) for a in ("Get", "Put") for b in ("Back", "Line", "Data", "Done")}
    assert kinds.asked_for == {"Done", "Line", "Data", "PutAck"}


def test_waits_without_the_last_message() -> None:
    kinds = kinds_of(NO_DONE)
    assert ("Data", "Done") not in kinds.sends and "Done" not in kinds.names
    # Data is on its way while the home is not busy any more: nobody waits for it.
    assert kinds.stalls == {(a, b) for a in ("Get", "Put") for b in ("Back", "Line")}
    assert [least_networks(kinds, e).least for e in ENDPOINTS] == [4, 3, 2]


def test_numbers_of_tiny_protocols() -> None:
    found = {e: least_networks(kinds_of(SINGLE), e) for e in ENDPOINTS}
    assert [one.least for one in found.values()] == [5, 3, 2]
    assert found["held"].why == ("Get", "Back", "Line", "Data", "Done")
    assert found["held"].groups == (("Get", "Put"), ("Back",), ("Line",), ("Data",), ("Done", "PutAck"))
    assert found["reserved"].why == ("Get", "Back", "Line")
    assert found["queued"].groups[0] == ("Get", "Put")


def test_a_circle_that_no_number_parts() -> None:
    found = least_networks(kinds_of(AGAIN), "held")
    assert (found.least, found.groups, set(found.why)) == (None, (), {"Get", "Nack"})
    # Where what is sent can be kept nothing waits at all: the home is never busy.
    assert kinds_of(AGAIN).stalls == frozenset()
    assert least_networks(kinds_of(AGAIN), "queued").least == 1
    with pytest.raises(JumpnetError, match=r"again: no number of networks is enough \(Get -> Nack -> Get\)"):
        named_groups(kinds_of(AGAIN), found, "")
    assert named_groups(kinds_of(AGAIN), found, "1") == (kinds_of(AGAIN).names,)


def test_acknowledges_bring_what_the_last_one_does() -> None:
    sends = kinds_of(protocol("moesi")).sends
    # WO: the last acknowledge makes the home grant; WI: answer with the line. WJ waits for the owner as well.
    assert {("InvAck", "Grant"), ("InvAck", "DataM"), ("OwnerData", "DataM")} <= sends
    # A home that lists nobody else turns to `last` at once.
    assert {("GetM", "FetchInv"), ("GetM", "Grant"), ("GetM", "DataM")} <= sends
    assert ("InvAck", "Data") not in sends


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_the_protocols(name: str) -> None:
    kinds = kinds_of(protocol(name))
    held = 7 if name == "limited_update" else 5
    for endpoints, least in zip(ENDPOINTS, (held, 3, 2), strict=True):
        if name == "chained" and endpoints != "queued":  # what is passed on waits for the same of another line
            found = least_networks(kinds, endpoints)
            assert (found.least, found.why) == (None, ("Inv",))
            continue
        waits, found = kinds.waits(endpoints), least_networks(kinds, endpoints)
        assert found.least == least == len(found.groups) == len(found.why)
        assert sorted(name for names in found.groups for name in names) == sorted(kinds.names)
        assert not ring_of(found.groups, waits) and not naive.has_ring(found.groups, waits)
        assert all(pair in waits for pair in zip(found.why, found.why[1:], strict=False))
        for number in range(1, least):
            _is_ring(ring_of(named_groups(kinds, found, str(number)), waits), kinds, found, number, waits)


def _is_ring(ring, kinds, found, number, waits) -> None:
    of = {name: k for k, names in enumerate(named_groups(kinds, found, str(number))) for name in names}
    assert ring and set(ring) <= waits
    assert all(of[b] == of[c] for (_, b), (c, _) in zip(ring, (*ring[1:], ring[0]), strict=True))


def test_any_two_of_the_chain_in_one_network_close_a_ring() -> None:
    for endpoints in ENDPOINTS:
        kinds = kinds_of(protocol("moesi"))
        found = least_networks(kinds, endpoints)
        for a, b in combinations(range(len(found.groups)), 2):
            groups = [*found.groups]
            groups[a] += groups.pop(b)
            assert ring_of(tuple(groups), kinds.waits(endpoints))


@given(st.integers(0, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(_pairs(n)))))
def test_least_as_all_partitions_give_it(drawn) -> None:
    count, pairs = drawn
    names = [f"k{i}" for i in range(count)]
    waits = frozenset((f"k{a}", f"k{b}") for a, b in pairs)
    kinds = Kinds("drawn", tuple(names), frozenset(), frozenset(), waits, frozenset(), frozenset())
    found = least_networks(kinds, "held")
    assert found.least == naive.least(names, set(waits))
    if found.least is None:
        assert all(pair in waits for pair in zip(found.why, (*found.why[1:], found.why[0]), strict=True))
    for groups in naive.partitions(names, max(1, count - 2)):
        assert bool(ring_of(tuple(map(tuple, groups)), waits)) == naive.has_ring(groups, waits)


def _pairs(count: int):
    number = st.integers(0, max(0, count - 1))
    # Mostly upward, so that circles are as rare as what has none.
    return st.tuples(number, number).map(lambda p: p if p == (5, 4) else tuple(sorted(p))).filter(
        lambda p: count > 1 and p[0] != p[1]
    )  # fmt: skip


@pytest.mark.parametrize("name", ["single", "update"])
def test_least_of_a_protocol_as_all_partitions_give_it(name: str) -> None:
    kinds = kinds_of(SINGLE if name == "single" else protocol(name))
    for endpoints in ENDPOINTS:
        assert least_networks(kinds, endpoints).least == naive.least([*kinds.names], set(kinds.waits(endpoints)))


def test_networks_by_name() -> None:
    kinds = kinds_of(SINGLE)
    found = least_networks(kinds, "reserved")
    assert named_groups(kinds, found, "") == found.groups
    assert named_groups(kinds, found, "2") == (("Get", "Put"), ("Done", "Line", "Data", "Back", "PutAck"))
    named = "Get Put/Back, Line/Data Done PutAck"
    assert named_groups(kinds, found, named) == (("Get", "Put"), ("Back", "Line"), ("Data", "Done", "PutAck"))
    for text, why in (
        ("4", "4 networks found, 1 to 3 expected for single"),
        ("Get Put Back Line Data Done / PutAk", "did you mean 'PutAck'"),
        ("Get Put / Back Line Data Done", "networks without PutAck found"),
        ("Get Get / Put Back Line Data Done PutAck", "Get in two networks found"),
        ("Get Put Back Line Data Done PutAck /", "a network without kinds found"),
    ):
        with pytest.raises(JumpnetError, match=why):
            named_groups(kinds, found, text)


def test_messages_that_no_row_takes_are_refused() -> None:
    with pytest.raises(JumpnetError, match="protocol single: no row for Line at the home found"):
        kinds_of(replace(SINGLE, home=SINGLE.home.replace("F   Line ", "F   Lane ")))
    with pytest.raises(JumpnetError, match="protocol single: no row for PutAck at the caches found"):
        kinds_of(replace(SINGLE, cache=SINGLE.cache.replace("E   PutAck    I   drop", "")))
    with pytest.raises(JumpnetError, match="did you mean 'held'"):
        kinds_of(SINGLE).waits("hold")
