"""The worst permutation for a routing, against all permutations of small networks, and channel loads of large ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from jumpnet.analysis.loads import channel_loads
from jumpnet.analysis.routes.paths import route
from jumpnet.errors import JumpnetError
from jumpnet.graph.exchange import from_edges
from jumpnet.routings import BoundRouting, bind, default_routing, routings
from jumpnet.sim.batches import send_batches
from jumpnet.sim.multicast.simulate import simulate_multicasts
from jumpnet.sim.simulate import simulate
from jumpnet.study.point import resolve
from jumpnet.topology import build
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import worst
from jumpnet.traffic.worst import by_two_phases, worst_case


def _heaviest(spec: str, name: str) -> float:
    """The largest channel load of any permutation of routers with one terminal: all of them tried."""
    bound = bind(name, build(spec))
    n, ports = bound.network.routers, bound.network.ports
    crossed = np.zeros((n, n, n * ports))
    for source in range(n):
        for destination in range(n):
            for draw in range(bound.draws if source != destination else 0):
                for hop in route(bound, source, destination, draw):
                    crossed[source, destination, hop.router * ports + hop.port] += 1 / bound.draws
    everyone = np.arange(n)
    return max(float(crossed[everyone, list(way)].sum(axis=0).max()) for way in permutations(range(n)))


@pytest.mark.parametrize(
    ("spec", "name"),
    [("mesh:5", "mesh.dimension_order"), ("torus:6", "torus.dateline"), ("mesh:2x3", "mesh.dimension_order"),
     ("torus:6", "torus.valiant"), ("mesh:2x3", "up_down"), ("random:6,d=3,seed=2", "nue"),
     ("dragonfly:1", "dragonfly.valiant"), ("mesh:2x3", "mesh.romm")],
)  # fmt: skip
def test_no_permutation_of_a_small_network_is_worse(spec: str, name: str) -> None:
    bound = bind(name, build(spec))
    found = worst_case(bound)
    assert found.load == pytest.approx(_heaviest(spec, name))
    loads = channel_loads(bound, bind_traffic(f"worst:routing={name}", bound.network))
    assert loads.load[found.router, found.port] == pytest.approx(loads.maximum) == pytest.approx(found.load)


@pytest.mark.parametrize(
    ("spec", "name", "load"),
    [("torus:8x8", "torus.dateline", 4.0), ("mesh:8x8", "mesh.dimension_order", 7.0),
     ("torus:8x8", "torus.valiant", 2.5), ("hypercube:6", "hypercube.ecube", 4.0),
     ("dragonfly:2", "dragonfly.minimal", 8.0), ("fattree:2,n=3", "fattree.nca", 4.0),
     ("rdt:8", "rdt.deadlock_free", 13.0)],
)  # fmt: skip
def test_the_permutation_loads_its_channel_as_said(spec: str, name: str, load: float) -> None:
    """A group of a dragonfly sends by one link; seven of a mesh's row turn into one column; no others load more."""
    net = build(spec)
    pattern = bind_traffic(f"worst:routing={name}", net)
    assert sorted(pattern.own.tolist()) == list(range(net.endpoints))
    bound = bind(name, net)
    assert channel_loads(bound, pattern).maximum == pytest.approx(load)
    for seed in (1, 2, 3):
        other = bind_traffic(f"random_permutation:seed={seed}", net)
        assert channel_loads(bound, other).maximum <= load + 1e-9


def test_a_run_saturates_at_the_bound_of_its_worst_traffic() -> None:
    """A channel load of 4 leaves each terminal a flit in four cycles at most: less is held, more is not."""
    short = {"packet_flits": "1", "buffer_flits": 16, "warmup_cycles": 1000, "measure_cycles": 3000, "drain": False}
    low, high = (
        simulate("torus:8x8", "torus.dateline", traffic="worst:routing=torus.dateline", load=load, **short)
        for load in (0.1, 0.28)
    )
    assert not low.saturated and high.saturated


def test_a_routing_with_options_can_be_named() -> None:
    net = build("rdt:8")
    found = bind_traffic("worst:routing=rdt.floating:order=ascending", net)
    assert found.own.tolist() == worst_case(bind("rdt.floating:order=ascending", net)).destinations.tolist()


def test_alone_it_is_the_worst_for_the_routing_of_the_run() -> None:
    short: dict[str, Any] = {"load": 0.05, "packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 50}
    result = simulate("torus:4x4", "torus.duato", traffic="worst", **short)
    assert result.config.traffic == "worst:routing=torus.duato"
    config = resolve({"network": "torus:4x4", "routing": "torus.duato", "traffic": "worst", **short}, 0.05)
    assert config["traffic"] == "worst:routing=torus.duato"
    assert send_batches("torus:4x4", "torus.duato", traffic="worst", packets=2).config.traffic == config["traffic"]
    casts = simulate_multicasts("torus:4x4", "torus.duato", traffic="worst", multicast_share=0.0, **short)
    assert casts.config.traffic == config["traffic"]
    assert casts.packet_latency_mean_cycles == result.packet_latency_mean_cycles
    net = build("random:20,d=4,seed=1")
    alone = bind_traffic("worst", net)
    assert alone.own.tolist() == worst_case(bind(default_routing(net), net)).destinations.tolist()


def test_alone_it_is_refused_for_a_routing_that_its_name_does_not_mean() -> None:
    other = replace(routings()["torus.dateline"], relation=routings()["torus.dimension_order"].relation)
    for routing in (other, replace(other, name="not.registered")):
        with pytest.raises(JumpnetError, match=f"^worst: routing {routing.name} found, which is not registered"):
            simulate("torus:4x4", routing, traffic="worst")


def test_terminals_of_unlike_routers_are_matched_themselves() -> None:
    net = build("mesh:4")
    bound = bind(
        "up_down",
        replace(net, terminals=np.array([2, 1, 1, 3]), sinks=np.array([2, 1, 1, 3]), orbits=None, spec="mine"),
    )
    found = worst_case(bound)
    at, heaviest = bound.network.terminal_router, 0
    for way in permutations(range(7)):
        # of a line: as many as cross the middle of it, from the left or from the right
        heaviest = max(heaviest, *(sum(at[s] <= k < at[d] for s, d in enumerate(way)) for k in range(3)))
    assert found.load == heaviest == 3
    assert sorted(found.destinations.tolist()) == list(range(7))
    assert channel_loads(bound, bind_traffic("worst:routing=up_down", bound.network)).maximum == 3


def _heaviest_of_terminals(bound: BoundRouting) -> float:
    """The largest channel load of any way for senders to send to different sinks: all of them tried, hop by hop."""
    net = bound.network
    from_, to = net.terminal_router.tolist(), net.sink_router.tolist()
    crossed = np.zeros((len(from_), len(to), net.routers * net.ports))
    for source, sink in product(range(len(from_)), range(len(to))):
        for draw in range(bound.draws if from_[source] != to[sink] else 0):
            for hop in route(bound, from_[source], to[sink], draw):
                crossed[source, sink, hop.router * net.ports + hop.port] += 1 / bound.draws
    if len(from_) > len(to):
        crossed = crossed.transpose(1, 0, 2)
    few, many = crossed.shape[:2]
    return max(float(crossed[range(few), list(way)].sum(axis=0).max()) for way in permutations(range(many), few))


ONE_WAY = [(0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (2, 6), (6, 5)]


@pytest.mark.parametrize(
    ("terminals", "sinks"),
    [([2, 2, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 2, 0]), ([1, 3, 0, 0, 0, 0, 0], [0, 0, 0, 1, 2, 1, 0]),
     ([1, 2, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 1, 1]), ([2, 3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2, 0]),
     ([1, 1, 0, 0, 0, 0, 0], [0, 0, 0, 2, 1, 2, 0])],
)  # fmt: skip
def test_terminals_that_only_send_or_only_receive(terminals: list[int], sinks: list[int]) -> None:
    """Alike and unlike routers, one that does both, fewer sinks than senders, and more."""
    net = from_edges(ONE_WAY, directed=True)
    bound = bind("lash", replace(net, terminals=np.array(terminals), sinks=np.array(sinks)))
    found = worst_case(bound)
    assert found.load == pytest.approx(_heaviest_of_terminals(bound))
    sent = found.destinations[found.destinations >= 0]
    assert len(found.destinations) == sum(terminals) and len(sent) == min(sum(terminals), sum(sinks))
    assert len(set(sent.tolist())) == len(sent) and sent.max() < sum(sinks)
    if sum(terminals) == sum(sinks):
        loads = channel_loads(bound, bind_traffic("worst:routing=lash", bound.network))
        assert loads.load[found.router, found.port] == pytest.approx(loads.maximum) == pytest.approx(found.load)


@pytest.mark.parametrize(("spec", "load"), [("fly:2,n=2", 2), ("fly:2,n=3", 2), ("fly:2,n=5", 4), ("fly:4,n=3", 4)])
def test_of_a_butterfly_half_of_the_digits_meet_in_one_channel(spec: str, load: int) -> None:
    """k senders behind each stage and k sinks fewer before it: k to the power of half the stages, rounded down."""
    net = build(spec)
    found = worst_case(bind("fly.destination_tag", net))
    assert found.load == load and sorted(found.destinations.tolist()) == list(range(net.endpoints))
    if net.endpoints <= 8:
        assert found.load == _heaviest_of_terminals(bind("fly.destination_tag", net))
    assert channel_loads(bind("fly.destination_tag", net), bind_traffic("worst", net)).maximum == load


def test_of_an_adaptive_routing_it_says_once_what_counts(capsys: pytest.CaptureFixture[str]) -> None:
    worst._destinations.cache_clear()
    worst._say_of_first_candidates.cache_clear()
    for spec in ("torus:4x4", "torus:5x5"):
        bind_traffic("worst:routing=torus.duato", build(spec))
    line = "jumpnet: worst: of torus.duato, an adaptive routing, the loads are those of first candidates alone\n"
    assert capsys.readouterr().err == line


@pytest.mark.parametrize("spec", ["torus:4x4", "torus:5", "mesh:3x3", "hypercube:3", "hyperx:3x3"])
def test_by_way_of_a_random_router_all_permutations_are_alike(spec: str) -> None:
    """As the heaviest matchings say, for every routing of ours that goes by any router."""
    net = build(spec)
    names = [name for name, one in routings().items() if one.two_phases is True and one.fits(net) is None]
    for name in names:
        bound = bind(name, net)
        quick, found = by_two_phases(bound), worst_case(bound)
        assert quick.load == pytest.approx(found.load), name
        assert sorted(quick.destinations.tolist()) == list(range(net.endpoints))
    assert names


def test_of_a_large_torus_by_way_of_a_random_router() -> None:
    """Twice uniform traffic: 32 routers in a row, ties go up, so (1 + .. + 16) / 32 hops up in each of two phases."""
    found = worst_case(bind("torus.valiant", build("torus:32x32")))
    assert found.load == pytest.approx(2 * 17 / 4)


def test_what_is_refused() -> None:
    with pytest.raises(JumpnetError, match="routing r:a=1,b=2 with several options found, worst:routing=NAME expected"):
        worst.worst_for("worst", "r:a=1,b=2")
    with pytest.raises(JumpnetError, match="unknown routing 'nocturnal'"):
        bind_traffic("worst:routing=nocturnal", build("torus:4x4"))
    with pytest.raises(JumpnetError, match=r"worst: \d+ routes found on torus:128x128, at most 16777216 expected"):
        bind_traffic("worst:routing=torus.dateline", build("torus:128x128"))


def test_a_permutation_is_found_once_for_a_network_and_a_routing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def count(bound: BoundRouting) -> worst.Worst:
        asked.append(bound.name)
        return worst_case(bound)

    monkeypatch.setattr(worst, "worst_case", count)
    worst._destinations.cache_clear()
    found = [bind_traffic("worst:routing=mesh.dimension_order", build("mesh:3x3")).own for _ in range(3)]
    assert asked == ["mesh.dimension_order"] and found[0].tolist() == found[2].tolist()
    found[0][:] = 0  # a copy: the next one is whole
    assert bind_traffic("worst:routing=mesh.dimension_order", build("mesh:3x3")).own.tolist() == found[2].tolist()
    bind_traffic("worst:routing=up_down", build("mesh:3x3"))
    bind_traffic("worst:routing=mesh.dimension_order", build("mesh:3x4"))
    assert asked == ["mesh.dimension_order", "up_down", "mesh.dimension_order"]


def test_routes_are_followed_once_but_for_the_first_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the hops of one chunk of routes does for the next, whose routes are as long in a torus."""
    bound, calls, follow = bind("torus.dateline", build("torus:6x6")), [], worst.channels_of
    whole = worst_case(bound)

    def count(*args: Any) -> None:
        calls.append(len(args[2]))
        follow(*args)

    monkeypatch.setattr(worst, "channels_of", count)
    monkeypatch.setattr(worst, "CHUNK", 36 * 6)
    found = worst_case(bound)
    assert calls == [6 * 35] * 7  # of six chunks, the first twice
    assert found.load == whole.load and found.destinations.tolist() == whole.destinations.tolist()


def test_memory_is_asked_for_the_hops_that_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 12 pairs of a mesh of four in a row: 20 hops, of 16 bytes."""
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "1000000")
    bound = bind("mesh.dimension_order", build("mesh:4"))
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "319")
    with pytest.raises(JumpnetError, match="worst: 20 hops of routes on mesh:4 needs about 320 bytes of memory, 319"):
        worst_case(bound)
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "320")
    assert worst_case(bound).load == 2.0
