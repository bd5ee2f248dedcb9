"""The figures of a result, computed once more from the record of every flit's events, by class and by batch."""

from __future__ import annotations

import re
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jumpnet.errors import UnforeseenError
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.measure import measure
from jumpnet.sim.measure.statistics import half_width, percentile
from jumpnet.sim.memory import layout as at
from jumpnet.sim.outside import Outside
from jumpnet.sim.saturation import find_saturation, search_load
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import PacketList

END = 4000
SETTINGS: dict[str, Any] = {"load": 0.03, "packet_flits": "1", "reply_flits": 3, "events": True, "vcs": 2,
                            "warmup_cycles": 0, "measure_cycles": END, "batch_cycles": 200}  # fmt: skip


def _packets(events: np.ndarray) -> dict[tuple[int, int, int], tuple[list[int], list[int]]]:
    """Cycles in which the flits of each packet (source, number, class) enter and arrive, in order."""
    found: dict[tuple[int, int, int], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for cycle, kind, source, number, message_class, _, _, _ in events.tolist():
        if kind in (at.EVENT_ENTER, at.EVENT_ARRIVE):
            found[source, number, message_class][kind == at.EVENT_ARRIVE].append(cycle)
    return found


def test_figures_by_class_are_those_of_the_events() -> None:
    """Single-flit requests at a low load enter when they are created, or a cycle later; each has its reply."""
    result = simulate("torus:4x4", "torus.dateline", **SETTINGS)
    assert result.drained and result.events is not None
    packets = _packets(result.events)
    requests = [p for key, p in packets.items() if key[2] == 0 and p[0][0] < END]
    assert result.request_packets == result.reply_packets == len(requests) > 1500
    network = [arrive[-1] - enter[0] for enter, arrive in requests]
    assert result.request_network_latency_mean_cycles == pytest.approx(np.mean(network), abs=1e-9)
    waited = result.request_packet_latency_mean_cycles - result.request_network_latency_mean_cycles
    assert 0.0 < waited < 0.1  # for a flit of a reply
    assert result.request_flit_latency_mean_cycles == result.request_network_latency_mean_cycles
    assert result.request_network_latency_p90_cycles == percentile(np.bincount(network), 0.9)
    assert result.reply_flit_latency_mean_cycles < result.reply_network_latency_mean_cycles
    assert result.reply_network_latency_mean_cycles < result.reply_packet_latency_mean_cycles
    assert result.reply_hops_mean == result.request_hops_mean  # the way back is as long
    both = result.request_packets + result.reply_packets
    mean = (result.request_packet_latency_mean_cycles + result.reply_packet_latency_mean_cycles) / 2
    assert result.packets == both and result.packet_latency_mean_cycles == pytest.approx(mean)
    counts = result.distributions()
    assert sum(counts["packet_latency_histogram"]) == both
    replies = np.array(counts["reply_packet_latency_histogram"])
    assert result.reply_packet_latency_mean_cycles == pytest.approx(replies @ np.arange(replies.size) / both * 2)
    assert result.request_flit_latency_p95_cycles == percentile(np.bincount(network), 0.95)
    assert result.request_flit_latency_max_cycles == max(network)
    flits = np.array(counts["reply_flit_latency_histogram"])
    assert flits.sum() == 3 * result.reply_packets
    assert result.reply_flit_latency_mean_cycles == pytest.approx(flits @ np.arange(flits.size) / flits.sum())


def test_every_flit_of_a_packet_alone_takes_as_long_as_its_head() -> None:
    """Sixty flits in a trace, more than the settings' sixteen and than the buffers hold: head 3 + 3 x 4 + 2 cycles."""
    packet = PacketList(*(np.array([n]) for n in (0, 0, 2, 60)))
    result = simulate("torus:6", "torus.dateline", trace=packet)
    assert result.distributions()["flit_latency_histogram"] == [0] * 17 + [60]
    assert result.flit_latency_mean_cycles == result.flit_latency_p50_cycles == result.flit_latency_max_cycles == 17
    assert result.network_latency_max_cycles == 17 + 59


def test_the_window_is_as_long_as_it_says() -> None:
    """At full load with packets of one flit every terminal creates and gets one in each cycle."""
    settings = {"traffic": "neighbor", "load": 1.0, "packet_flits": "1", "vcs": 8, "warmup_cycles": 50}
    for cycles in (40, 41):
        result = simulate("torus:4", "torus.dateline", measure_cycles=cycles, **settings)
        assert (result.packets, result.accepted_load) == (4 * cycles, 1.0)


def test_a_trace_is_measured_whole_and_names_the_point() -> None:
    columns = [np.array(c) for c in ([0, 700, 40_000], [0, 1, 2], [2, 3, 1], [4, 1, 2])]
    found = [
        simulate("torus:4", "torus.dateline", trace=PacketList(*columns[:3], flits))
        for flits in (columns[3], np.ones(3, int))
    ]
    assert [(r.packets, r.measured_cycles, r.warmup_cycles) for r in found] == [(3, 40_001, 0)] * 2
    row = found[0].row()
    assert row["traffic"] == f"trace:{found[0].trace}" and row["injection"] == row["packet_flits"] == "trace"
    assert len({*(r.hash for r in found), simulate("torus:4", measure_cycles=40_001, warmup_cycles=0).hash}) == 3
    burst = simulate("torus:4", "torus.dateline", trace=PacketList(*(np.array([n] * 2000) for n in (0, 1, 2, 6))))
    assert burst.drained and burst.packets == 2000 and burst.packet_latency_max_cycles > 6 * 2000
    late = simulate("torus:4", "torus.dateline", trace=PacketList(*columns), warmup_cycles=600)
    assert (late.packets, late.measured_cycles) == (2, 39_401)


def test_packets_posted_from_outside_leave_no_latencies_of_flits() -> None:
    """They may be of any length, and nobody asks for them."""
    network = Outside(build("torus:4x4"), "torus.dimension_order", config_from({"vcs": 2, "packet_flits": "1"}))
    network.post(*(np.array([n]) for n in (7, 0, 2, 10, 100)))
    network.advance(300)
    assert [row.tolist() for row in network.take()] == [[7], [10], [10 + 116]]
    assert not network.engine.state.flit.any()


def test_bands_are_those_of_the_events() -> None:
    """Batch means over everything delivered in a batch: network latency, flit latency, accepted load."""
    engine = Engine(build("torus:4x4"), "torus.dateline", config_from({**SETTINGS, "load": 0.1}))
    result = measure(engine)
    network, flit, accepted = np.zeros((3, 20, 2))
    for (_, _, message_class), (enter, arrive) in _packets(engine.events()).items():
        if len(arrive) == (3 if message_class else 1) and arrive[-1] < END:
            batch = arrive[-1] // 200
            network[batch] += arrive[-1] - enter[0], 1
            flit[batch] += sum(arrive) - sum(enter), len(arrive)
    for cycle, kind, *_ in engine.events().tolist():
        if kind == at.EVENT_ARRIVE and cycle < END + 3:
            batch = (cycle - 3) // 200  # it won the switch three cycles before
            accepted[batch] += 1, 0
    assert result.network_latency_half_width_cycles == pytest.approx(half_width(network[:, 0] / network[:, 1]))
    assert result.flit_latency_half_width_cycles == pytest.approx(half_width(flit[:, 0] / flit[:, 1]))
    assert result.accepted_load_half_width == pytest.approx(half_width(accepted[:, 0] / 200 / 16))
    assert result.accepted_load == pytest.approx(accepted[:, 0].sum() / END / 16)


def test_replies_that_pile_up_are_saturation() -> None:
    """Requests of 2 flits at 0.1 are easy, their replies of 9 flits are 0.45 flits a cycle: too many for this torus."""
    settings = {"packet_flits": "2", "reply_flits": 9, "warmup_cycles": 1000, "measure_cycles": 9000}
    assert not simulate("torus:8x8", "torus.dateline", load=0.02, **settings).saturated
    result = simulate("torus:8x8", "torus.dateline", load=0.1, **settings)
    assert result.saturated and result.source_lag > 0.02


def test_buffers_by_rank_follow_from_loads_by_littles_law() -> None:
    """A flit that meets no other stays in a link's buffer 5 cycles: link, routing, two allocations, crossbar."""
    settings: dict[str, Any] = {"packet_flits": "1", "warmup_cycles": 200, "measure_cycles": 3000, "batch_cycles": 1}
    found = simulate("rdt:8", load=0.02, seed=2, **settings)
    assert found.channel_load_by_rank.keys() == found.buffer_occupancy_by_rank_flits.keys() == {0, 1}
    for rank, load in found.channel_load_by_rank.items():
        assert found.buffer_occupancy_by_rank_flits[rank] * found.config.vcs / load == pytest.approx(5.05, abs=0.05)
        assert found.channel_load_max_by_rank[rank] > load
    net = build("rdt:8")
    channels = np.bincount(net.class_rank[net.link_class[net.neighbor >= 0]])
    for by_rank, mean in (
        (found.channel_load_by_rank, found.channel_load_mean),
        (found.buffer_occupancy_by_rank_flits, found.buffer_occupancy_mean_flits),
    ):
        assert np.dot([by_rank[0], by_rank[1]], channels) / channels.sum() == pytest.approx(mean, rel=1e-12)
    assert max(found.channel_load_max_by_rank.values()) == found.channel_load_max == np.nanmax(found.channel_load)
    flits = found.channel_load[np.isfinite(found.channel_load)] * 3000  # whole ones, over the measured cycles
    assert abs(flits - flits.round()).max() < 1e-9 and flits.sum() > 1000
    assert np.nanmean(found.channel_buffer) == pytest.approx(found.buffer_occupancy_mean_flits, rel=1e-12)


def test_a_router_without_links_is_a_crossbar() -> None:
    """A butterfly of one stage: nothing crosses a link, and the figures of channels are empty."""
    found = simulate("fly:4,n=1", load=0.2, packet_flits="1", warmup_cycles=100, measure_cycles=500)
    assert found.packets > 0 and found.hops_mean == 1.0
    assert found.channel_load_by_rank == {} and not np.isfinite(found.channel_load).any()


def test_a_search_for_saturation_halves_the_gap() -> None:
    """Of a network that is full at 0.31, and accepts less beyond: 0.1, 0.2, 0.4, then 0.3, 0.35 and 0.325."""

    def point(load: float) -> Any:
        return SimpleNamespace(load=load, saturated=load > 0.31, accepted_load=load if load <= 0.31 else 0.29)

    found = search_load(point, 0.1, 0.1)
    assert [p.load for p in found.points] == pytest.approx([0.1, 0.2, 0.3, 0.325, 0.35, 0.4])
    assert (found.load, found.saturated_load, found.throughput) == pytest.approx((0.3, 0.325, 0.3))


def test_a_search_for_saturation_remembers_its_points(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings: dict[str, Any] = {"packet_flits": "1", "measure_cycles": 500, "warmup_cycles": 100, "resolution": 0.3}
    said: list[float] = []
    ring = "torus:4", "torus.dateline"
    first = find_saturation(*ring, memory=tmp_path, progress=lambda done, load: said.append(load), **settings)
    assert len(said) == len(first.points) == len(list(tmp_path.glob("*.json")))
    with monkeypatch.context() as patch:
        patch.setattr("jumpnet.sim.saturation.simulate", None)
        again = find_saturation(*ring, memory=tmp_path, **settings)
        assert (again.load, again.saturated_load, again.throughput) == (
            first.load,
            first.saturated_load,
            first.throughput,
        )
        for mine, theirs in zip(first.points, again.points, strict=True):
            np.testing.assert_equal(theirs.figures, mine.figures)
        for other in ({"seed": 9}, {"traffic": "transpose"}):
            with pytest.raises(UnforeseenError, match="TypeError"):
                find_saturation(*ring, memory=tmp_path, **settings | other)
    for damaged in ("{", '{"figures": []}', '{"spec": "", "routing": "", "config": {}, "figures": {}}'):
        for path in tmp_path.glob("*.json"):
            path.write_text(damaged, encoding="utf-8")
        assert find_saturation(*ring, memory=tmp_path, **settings).load == first.load
    for path in tmp_path.glob("*.json"):  # one figure that still reads well
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r'("accepted_load": )0', r"\g<1>9", text), encoding="utf-8")
        assert path.read_text(encoding="utf-8") != text
    assert find_saturation(*ring, memory=tmp_path, **settings).load == first.load
