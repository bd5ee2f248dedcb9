"""A saturated run names a routing that may carry more, and only one that may: by exact loads and a proof."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from jumpnet.analysis import hint as module
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.loads import channel_loads
from jumpnet.cli import main
from jumpnet.routings import Routing, bind
from jumpnet.sim.config import SimConfig, preset
from jumpnet.sim.resolve.bubble import refusal
from jumpnet.sim.result import hint_of
from jumpnet.sim.saturation import find_saturation
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import bind as bind_traffic

QUICK = {"warmup_cycles": 300, "measure_cycles": 900, "packet_flits": "2", "drain": False}


def _runs(routing: Routing) -> bool:
    """Whether a routing runs under the usual settings."""
    return refusal(routing, SimConfig()) is None


def _hint(spec: str, routing: str, offered: float = 0.2, **settings: object) -> str | None:
    return hint_of(bind(routing, build(spec)), preset("booksim", **settings), offered)


def test_adversarial_traffic_on_a_dragonfly_by_hand() -> None:
    """All 8 terminals of a group of dragonfly:2 send over one link, load 8; by random groups at most 2."""
    said = _hint("dragonfly:2", "dragonfly.minimal", traffic="bad_dragonfly")
    assert said == (
        "dragonfly.valiant has a largest channel load of 2.00 against 8.00 of dragonfly.minimal: it may carry up to "
        "0.50 instead of 0.12 (try --routing dragonfly.valiant, 3 virtual channels)"
    )
    assert _hint("dragonfly:2", "dragonfly.valiant", traffic="bad_dragonfly") is None


@pytest.mark.parametrize(
    ("spec", "routing", "traffic"),
    [("random:64,d=4,seed=1", "up_down", "uniform"), ("hypercube:6", "hypercube.ecube", "transpose"),
     ("rdt:8", "up_down", "uniform")],
)  # fmt: skip
def test_what_is_named_is_free_of_deadlock_and_the_least_loaded(spec: str, routing: str, traffic: str) -> None:
    net = build(spec)
    said = _hint(spec, routing, traffic=traffic)
    assert said is not None
    name = said.split()[0]
    bound, pattern = bind(name, net), bind_traffic(traffic, net)
    assert prove(bound).deadlock_free and not prove(bound).adaptive
    loads = [channel_loads(bind(one, net), pattern).maximum for one in (name, routing)]
    assert re.findall(r"load of (\S+) against (\S+) of", said) == [tuple(f"{load:.2f}" for load in loads)]
    assert f"{bound.vcs} virtual channel" in said


def test_no_load_is_told_where_both_could_carry_all() -> None:
    """dateline fills its busiest channel of torus:4x4 to 0.8 of the load: neither bound is below a whole flit."""
    said = _hint("torus:4x4", "torus.dateline")
    assert said is not None and "against 0.80 of torus.dateline (try --routing" in said and "instead" not in said


def test_nothing_is_named_that_could_not_carry_the_load_either() -> None:
    assert _hint("dragonfly:2", "dragonfly.minimal", 0.49, traffic="bad_dragonfly") is not None
    assert _hint("dragonfly:2", "dragonfly.minimal", 0.51, traffic="bad_dragonfly") is None


def test_nothing_is_said_where_the_loads_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices at the source or on the way, replies, and networks that would take long."""
    assert _hint("dragonfly:2", "dragonfly.ugal", traffic="bad_dragonfly") is None
    assert _hint("random:30,d=4,seed=1", "up_down:ports=all") is None
    assert _hint("random:30,d=4,seed=1", "up_down") is not None
    assert _hint("random:30,d=4,seed=1", "up_down", reply_flits=4) is None
    monkeypatch.setattr(module, "MOST_ROUTERS", 29)
    assert _hint("random:30,d=4,seed=1", "up_down") is None


@pytest.mark.parametrize("traffic", ["uniform", "uniform:self=1"])
@pytest.mark.parametrize(
    "spec", ["mesh:4x6", "torus:5x4", "fattree:2,n=3", "dragonfly:2", "debruijn:2,n=4", "fly:2,n=3"]
)
def test_no_routing_loads_channels_less_than_a_cut_does(spec: str, traffic: str) -> None:
    """Also where routers have no terminals, several, or receive only."""
    net = build(spec)
    pattern = bind_traffic(traffic, net)
    least = module.least_load(net, pattern)
    found = [channel_loads(one, pattern).maximum for one in module.others(net, _runs) if one.draws == 1]
    assert found and min(found) > least * (1 - module.ROUNDING)
    exact = spec == "mesh:4x6"
    assert not exact or min(found) == pytest.approx(least)


def test_routings_are_not_looked_at_where_a_cut_rules_all_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dimension order loads the middle of a mesh with what crosses it, and no more; `up_down` does not."""
    assert _hint("mesh:6x6", "up_down") is not None
    monkeypatch.setattr(module, "others", lambda net, runs: pytest.fail("asked for others"))
    assert _hint("mesh:6x6", "mesh.dimension_order") is None


def test_a_routing_that_can_deadlock_is_never_named() -> None:
    """On a ring `minimal` loads channels as the dateline does; nothing but routings with a cycle is as good."""
    said = _hint("torus:5x5", "up_down")
    assert said is not None and said.split()[0] not in ("minimal", "torus.dimension_order")
    free = {"torus.dimension_order", "minimal"}
    assert not any(prove(bind(name, build("torus:5x5"))).deadlock_free for name in free)


def test_a_run_and_a_search_carry_it() -> None:
    beyond = simulate("dragonfly:2", "dragonfly.minimal", traffic="bad_dragonfly", load=0.3, **QUICK)
    assert beyond.saturated and beyond.hint is not None and beyond.hint.startswith("dragonfly.valiant has")
    below = simulate("dragonfly:2", "dragonfly.minimal", traffic="bad_dragonfly", load=0.05, **QUICK)
    assert not below.saturated and below.hint is None
    found = find_saturation("dragonfly:2", "dragonfly.minimal", traffic="bad_dragonfly", resolution=0.2, **QUICK)
    assert Fraction(1, 20) < found.load < Fraction(1, 8) and found.hint == beyond.hint
    assert find_saturation("complete:4", resolution=0.5, **QUICK).hint is None


@pytest.mark.parametrize("more", [["--load", "0.3"], ["--find-saturation", "--fresh"]], ids=lambda words: words[0])
def test_the_command_shows_it(
    more: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["dragonfly:2", "--routing", "dragonfly.minimal", "--traffic", "bad_dragonfly", "--packet-flits", "2"]
    sets = ["--set", "warmup_cycles=200", "--set", "measure_cycles=500", "--set", "drain=false"]

    def said(*last: str) -> str:
        monkeypatch.setattr("sys.argv", ["jumpnet", "simulate", *words, *sets, *more, *last])
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().out

    hint = json.loads(said("--json"))["hint"]
    assert hint.startswith("dragonfly.valiant has a largest channel load of 2.00 against 8.00")
    assert said().endswith(f"hint: {hint}\n")
