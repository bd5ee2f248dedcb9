"""The bit-map generator and formats: requirements X1, X8, F1 to F5, B1 to B14, S8, E1 of the router chip."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumpnet.chip.bitmap import DOWN, SAME, Header, bitmap, image
from jumpnet.chip.configuration import HOP, RANK, USER_VC, wire
from jumpnet.chip.decode import decode
from jumpnet.chip.links import COMBINE, DIRECTIONS, LINKS, MBP0, MBP1, UPPER, names
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import (
    ADDRESS,
    CHANGE,
    FLIT_1,
    FLIT_2,
    FLIT_3,
    FLIT_BITS,
    HERE,
    LARP,
    LONGEST,
    LPRA,
    REMAKE,
    ROUTE,
    START,
    STATUSES,
    STEP_1,
    TAG_FLIT,
    Ack,
    Packet,
    Tag,
    status_name,
    total_flits,
    unpack,
)
from jumpnet.chip.parity import good, vertical
from jumpnet.chip.walk import changes_rank, cyclic, everywhere, first, onward, reachable, without_wraps
from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme
from jumpnet.multicast.children import FIGURE_7_ORDER, figure_7
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree

maps = st.tuples(*[st.integers(0, 255)] * 4)
bodies = st.lists(st.integers(0, 2**FLIT_BITS - 1), max_size=11).map(tuple)
packets = st.builds(
    Packet, st.integers(0, 4), maps, st.integers(0, 3), st.integers(0, 4), st.integers(0, 1), st.integers(0, 1),
    st.integers(0, 1), st.none() | st.integers(0, 2**16 - 1), bodies,
)  # fmt: skip
acks = st.builds(Ack, st.integers(0, 2**16 - 1), st.integers(0, 15), *[st.integers(0, 1)] * 2, st.integers(0, 511))


@pytest.mark.chip("F2", "E1")
@given(packets | acks)
def test_what_is_packed_is_parsed_and_header_flits_have_even_parity(packet: Any) -> None:
    flits = packet.flits()
    assert type(packet).parse(flits) == packet
    assert all(good(flit) for flit in flits[:3]) and all(0 <= flit < 2**FLIT_BITS for flit in flits)
    assert decode(" ".join(f"{flit:05x}" for flit in flits))[-1]["meaning"].startswith("good")
    for k, bit in product(range(3), range(FLIT_BITS)):
        flipped = [flit ^ (1 << bit if k == i else 0) for i, flit in enumerate(flits)]
        with pytest.raises(JumpnetError):
            type(packet).parse(flipped)


@pytest.mark.chip("X1")
def test_sixteen_flits_are_hard() -> None:
    for key, most in ((None, 12), (1, 11)):
        assert len(Packet(0, (1, 0, 0, 0), key=key, body=(0,) * most).flits()) == LONGEST
        with pytest.raises(JumpnetError, match=f"at most {most} expected"):
            Packet(0, (1, 0, 0, 0), key=key, body=(0,) * (most + 1)).flits()


@pytest.mark.chip("F1")
def test_both_slices_see_every_routing_field() -> None:
    """Two slices with the same header and different bodies make the same moves."""
    net = ChipNetwork("rdt:4", slices=2)
    low = message(net.wiring.where, 0, 6, body=(1, 2, 3)).flits()
    high = message(net.wiring.where, 0, 6, body=(9, 8, 7)).flits()
    net.mbps[0].send([a | b << FLIT_BITS for a, b in zip(low, high, strict=True)])
    net.run_until(lambda: net.idle)
    (arrived,) = net.mbps[6].deliveries
    assert [flit >> FLIT_BITS for flit in arrived.flits[3:6]] == [9, 8, 7]
    assert not net.errors() and not arrived.damage


@pytest.mark.chip("F3")
def test_formats_fill_eighteen_bits_without_overlap(golden: Any) -> None:
    for fields in (FLIT_1, FLIT_2, FLIT_3, ADDRESS, ROUTE, TAG_FLIT):
        masks = [field.most << field.low for field in fields]
        assert sum(masks) == 2**FLIT_BITS - 1
    claims = golden("nishi1997router")["claims"]
    assert int(claims["link_bits"]["value"]) == FLIT_BITS
    assert {f.name: f.bits for f in ROUTE}["body"] == int(claims["acknowledge_body_bits"]["value"])
    assert len(Ack(1).flits()) == int(claims["acknowledge_flits"]["value"])
    assert len(STATUSES) == 8


@pytest.mark.chip("F4", "B4", "B6")
@pytest.mark.parametrize("spec", ["rdt:4", "rdt:8", "rdt:16", "rdt:32"])
@pytest.mark.parametrize("name", ["SM", "LPRA", "LARP", "LARP:path"])
def test_copies_reach_the_receivers_of_the_scheme_once_each(spec: str, name: str) -> None:
    """Against the walk of `multicast.tree`, which knows no headers; a message to one is SM with one receiver."""
    wiring = wire(spec, name)
    where = wiring.where
    for k in range(24):
        source = k * 37 % where.routers
        pool = where.members(source, k % (where.top + 1)).tolist()
        to = sorted({pool[(k + 1) * j * 13 % len(pool)] for j in range(1, 1 + k % 4 + 1)})
        todo, got = [first(wiring, source, multicast_packet(where, name, source, to))], Counter[int]()
        while todo:
            visit = todo.pop()
            got[visit.router] += visit.decision.sink == 1 << MBP0
            todo.extend(onward(wiring, visit))
        assert +got == Counter(multicast_tree(where, scheme(name), source, to).receivers)
        if len(to) == 1 and name == "SM":
            assert +got == Counter(to)


@pytest.mark.chip("F5", "B10")
def test_lengths_count_the_flits_and_a_header_that_leads_nowhere_has_no_output() -> None:
    assert total_flits(0, 0) == len(Packet(0, (1, 0, 0, 0)).flits()) == 4
    registers = wire("rdt:16").registers[0]
    nowhere = bitmap(Header(*Packet(0, (0, 0, 0, 0)).flits()[:3]), MBP0, registers)
    assert nowhere is not None and nowhere.outputs == 0


@pytest.mark.chip("B1", "B2", "B3", "B13")
def test_a_rank_serves_eight_children_once_over_centre_and_south() -> None:
    """Every subset of the map, on the base torus; the southern link serves all that lie south."""
    wiring = wire("rdt:16")
    where = wiring.where
    router = 5 * 16 + 5
    for mask in range(1, 256):
        visit = first(wiring, router, Packet(0, (mask, 0, 0, 0)))
        south = any(mask >> FIGURE_7_ORDER.index(c) & 1 for c in ("S", "SE", "SW", "SS"))
        assert visit.decision.same >> DIRECTIONS.index("S") & 1 == south
        todo, got = [visit], []
        while todo:
            v = todo.pop()
            got += [v.router] if v.decision.sink else []
            todo.extend(onward(wiring, v))
            assert v.router == router or not v.decision.same >> v.link & 1
        moves = {
            "N": (0, -1),
            "E": (1, 0),
            "W": (-1, 0),
            "S": (0, 1),
            "M": (0, 0),
            "SE": (1, 1),
            "SW": (-1, 1),
            "SS": (0, 2),
        }
        wanted = [where.moved(router, *moves[c]) for k, c in enumerate(FIGURE_7_ORDER) if mask >> k & 1]
        assert sorted(got) == sorted(wanted)


@pytest.mark.chip("B6")
@pytest.mark.parametrize("spec", ["rdt:16", "rdt:32"])
def test_broadcast_is_set_on_the_child_m_of_the_start_and_kept_below(spec: str) -> None:
    """Under LARP every header below M of the start says BROADCAST, and no other does."""
    wiring = wire(spec)
    where, kept = wiring.where, 0
    for k in range(12):
        source = k * 37 % where.routers
        far, near = (where.members(source, top).tolist() for top in (where.top, 0))
        packet = multicast_packet(where, "LARP", source, [near[k % 8], *far[k::97]], top=where.top)
        todo = [(first(wiring, source, packet), False)]
        while todo:
            visit, below = todo.pop()
            shown = unpack(FLIT_1, visit.header.flit_1)
            assert (status_name(LARP, shown["status"]) == "BROADCAST") == below
            assert status_name(LPRA, shown["status"]) != "BROADCAST"
            kept += below
            for ahead in onward(wiring, visit):
                rank = unpack(FLIT_1, ahead.header.flit_1)["rank"]
                todo.append((ahead, below or (shown["status"] == START and rank < shown["rank"])))
    assert kept > 100


@pytest.mark.chip("B5", "B12", "S8")
def test_base_hops_take_their_own_channel_and_only_they_turn_back() -> None:
    """A copy leaves by the link it came by only when the next rank starts after a base hop."""
    wiring = wire("rdt:16")
    turns = 0
    for visit in reachable(wiring, everywhere(wiring)).values():
        d = visit.decision
        if visit.link < MBP0 and (d.same | d.down) >> visit.link & 1:
            turns += 1
            assert changes_rank(visit.header.flit_1) and d.down >> visit.link & 1
        for ahead in onward(wiring, visit):
            started = ahead.header.flit_1 >> 12 & 7 != START
            if changes_rank(ahead.header.flit_1) and started and ahead.link == DIRECTIONS.index("W"):
                assert ahead.header.flit_1 >> 17 & 1 == 1
    assert turns > 0


@pytest.mark.chip("B12")
@pytest.mark.parametrize("spec", ["rdt:8", "rdt:16"])
def test_multicasts_cannot_deadlock_and_can_without_the_change_of_channel(spec: str) -> None:
    wiring = wire(spec)
    assert not cyclic(wiring)
    assert cyclic(without_wraps(wiring))


@pytest.mark.chip("B7")
def test_remake_hands_every_level_to_the_mbp() -> None:
    wiring = wire("rdt:16")
    centre = next(r for r in range(256) if wiring.registers[r, RANK] == 1)
    sent = first(wiring, centre, Packet(1, (0x02, 0xFF, 0, 0), REMAKE))
    assert names(sent.decision.outputs) == "E1"
    (ahead,) = onward(wiring, sent)
    assert names(ahead.decision.outputs) == "M0"


@pytest.mark.chip("B8", "B9")
@given(maps, st.integers(1, 4))
def test_maps_move_up_a_rank_between_passes(given_maps: tuple[int, int, int, int], rank: int) -> None:
    flits = Packet(rank, given_maps).flits()[:3]
    same = [image(k, SAME, *flits, given_maps[0], STEP_1, 0) for k in range(3)]
    down = [image(k, DOWN, *flits, -1, CHANGE, 0) for k in range(3)]
    assert Packet.parse([*same, 0]).maps == given_maps
    moved = Packet.parse([*down, 0])
    assert moved.maps == (*given_maps[1:], 0xFF) and moved.rank == rank - 1


@pytest.mark.chip("B11")
def test_in_user_selection_mode_the_sender_chooses_the_channel() -> None:
    registers = wire("rdt:16").registers[16].copy()
    registers[USER_VC] = 1
    for vc in (0, 1):
        header = Header(*Packet(0, (0b1111, 0, 0, 0), vc=vc).flits()[:3])
        found = bitmap(header, MBP0, registers)
        assert found is not None and found.vc_1 == (found.same if vc else 0)


@pytest.mark.chip("B14")
def test_a_header_bit_names_the_mbp() -> None:
    net = ChipNetwork("rdt:4")
    for mbp in (0, 1):
        net.mbps[0].send(message(net.wiring.where, 0, 5, mbp=mbp).flits())
    net.run_until(lambda: net.idle)
    assert [d.link for d in net.mbps[5].deliveries] == [MBP0, MBP1]


@pytest.mark.chip("X8")
def test_a_fifth_rank_is_refused_or_broadcast_to() -> None:
    where = territories("rdt:128")
    near = set(where.members(0, 3).tolist())
    far = next(r for r in where.members(0, 4).tolist() if r not in near)
    with pytest.raises(JumpnetError, match="top rank 4 found"):
        message(where, 0, far)
    flits = multicast_packet(where, "SM", 0, [far], broadcast_below=True).flits()[:3]
    for rank in (3, 2, 1, 0):
        flits = [image(k, DOWN, *flits, -1, CHANGE, 0) for k in range(3)]
        shown = unpack(FLIT_1, flits[0])
        assert shown["rank"] == rank and (shown["map"] == 0xFF) == (rank == 0)


@pytest.mark.chip("S1")
def test_ten_links() -> None:
    wiring = wire("rdt:16")
    assert LINKS == 10 and UPPER == len(DIRECTIONS) == 4 and COMBINE == 10 and HERE == 15
    linked = wiring.peer >= 0
    assert linked[:, :4].all() and not linked[:, MBP0:].any()
    back = wiring.peer[wiring.peer[linked], wiring.peer_link[linked]]
    assert (back == linked.nonzero()[0]).all()
    assert (wiring.registers[:, HOP + 1] != 15).sum() == (wiring.registers[:, RANK] != 1).sum()


def test_the_vertical_parity_and_the_tag() -> None:
    assert vertical(()) == 0 and vertical((3, 3)) == 0
    assert Tag.parse(Tag(5, 1, 0x7FF, 1).flit()) == Tag(5, 1, 0x7FF, 1)
    assert unpack(FLIT_1, Packet(2, (figure_7(1), 0, 0, 0)).flits()[0])["map"] == 0b10000
