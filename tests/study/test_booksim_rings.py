"""BookSim configurations of tori with sides of two and odd numbers of channels, and what is said of their deadlocks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.start_hooks.followed import Seen
from jumpnet.jit.linked import kernel
from jumpnet.routings import KIND, NORMAL, BoundRouting, bind, routings
from jumpnet.sim.simulate import simulate
from jumpnet.study.booksim._deadlocks import can_deadlock
from jumpnet.study.booksim._language import settings
from jumpnet.study.booksim._meaning import meaning
from jumpnet.study.booksim.run import statistics

RANGES = (
    "use_read_write=1; num_vcs=6; read_request_begin_vc=0; read_request_end_vc=2; write_request_begin_vc=0; "
    "write_request_end_vc=2; read_reply_begin_vc=3; read_reply_end_vc=5; write_reply_begin_vc=3; write_reply_end_vc=5;"
)


@pytest.mark.parametrize(
    ("text", "spec", "routing"),
    [
        ("k=2; n=3; routing_function=dim_order;", "torus:2x2x2,double=true", "torus.booksim"),
        ("k=2; n=2; routing_function=min_adapt;", "torus:2x2,double=true", "torus.min_adapt_booksim:asks=beside"),
        ("k=4; n=2; routing_function=dim_order; num_vcs=5;", "torus:4x4", "torus.booksim:middle=shared"),
        ("k=4; n=2; routing_function=min_adapt; num_vcs=2;", "torus:4x4", "torus.booksim"),
        ("k=4; n=2; routing_function=valiant; num_vcs=7;", "torus:4x4", "torus.valiant_booksim"),
        (f"k=4; n=2; routing_function=dim_order; {RANGES}", "torus:4x4", "torus.booksim:middle=shared"),
        (
            "k=4; n=2; routing_function=dim_order; num_vcs=9; noq=1; routing_delay=0;",
            "torus:4x4",
            "torus.booksim:middle=unmarked",
        ),
        ("topology=mesh; k=4; n=2; routing_function=min_adapt; num_vcs=1;", "mesh:4x4", "mesh.dimension_order"),
        ("topology=mesh; k=4; n=2; routing_function=romm; num_vcs=3;", "mesh:4x4", "mesh.romm_booksim"),
        ("topology=mesh; k=4; n=2; routing_function=romm; num_vcs=4;", "mesh:4x4", "mesh.romm"),
        (f"topology=mesh; k=4; n=2; routing_function=xy_yx; {RANGES}", "mesh:4x4", "mesh.o1turn_booksim"),
        (
            "topology=mesh; k=4; n=2; routing_function=adaptive_xy_yx; num_vcs=3;",
            "mesh:4x4",
            "mesh.o1turn_adaptive_booksim",
        ),
        ("topology=mesh; k=4; n=2; routing_function=valiant; num_vcs=3;", "mesh:4x4", "mesh.valiant_booksim"),
        ("k=4; n=2; routing_function=dim_order_bal; num_vcs=3;", "torus:4x4", "torus.balanced_booksim:middle=shared"),
        ("k=4; n=2; routing_function=dim_order_bal; num_vcs=2;", "torus:4x4", "torus.balanced_booksim"),
        ("k=3; n=2; routing_function=dim_order_ni; num_vcs=9;", "torus:3x3", "torus.noninterfering"),
        ("k=3; n=2; routing_function=chaos; num_vcs=1;", "torus:3x3", "torus.dimension_order"),
        ("topology=mesh; k=3; n=2; routing_function=chaos; num_vcs=1;", "mesh:3x3", "mesh.dimension_order"),
        ("topology=mesh; k=3; n=2; routing_function=planar_adapt;", "mesh:3x3", "mesh.planar_adapt_booksim"),
        ("topology=cmesh; k=4; n=2; c=4; routing_function=dor;", "cmesh:4x4", "cmesh.express"),
        ("topology=qtree; k=4; n=3; routing_function=nca;", "threetier:4,aggregation=1,core=1", "threetier.nca"),
        ("topology=tree4; k=4; n=3; routing_function=nca;", "threetier:4", "threetier.nca"),
        ("topology=tree4; k=4; n=3; routing_function=anca;", "threetier:4", "threetier.nca:up=first"),
    ],
)
def test_sides_of_two_have_two_links_and_halves_of_an_odd_number_share_a_channel(
    text: str, spec: str, routing: str
) -> None:
    found, config = meaning(settings("topology=torus; " + text))
    assert (found.network.spec, found.routing) == (spec, routing)
    bound = bind(routing, found.network, config.vcs)
    assert bound.vcs == config.vcs >= bound.needed


@pytest.fixture(autouse=True)
def _hooks_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Routings without marks are the package's but for these: what a user's start hook may do is not looked at."""
    monkeypatch.setattr("jumpnet.analysis.deadlock.prove.start_seen", lambda bound: Seen())
    monkeypatch.setattr("jumpnet.routings._checked.MOST_CALLS", 300)


def escapes_unmarked(relation: Callable[..., int]) -> Callable[..., int]:
    """The relation with its escapes as channels like any other."""
    marked = kernel(relation)

    def unmarked(net, here, head, out):
        count = marked(net, here, head, out)
        for k in range(count):
            out[k, KIND] = NORMAL
        return count

    return unmarked


def without_escape(bound: BoundRouting) -> BoundRouting:
    """The same, with what is marked as an escape not marked: what is known of it where heads stand behind others."""
    name, _, words = bound.name.partition(":")
    options = dict(word.split("=") for word in words.split(",") if word)
    known = routings()[name]
    values = {key: (options.get(key, value[0]), *value) for key, value in known.options.items()}
    plain = replace(known, name="plain", relation=escapes_unmarked(known.relation), options=values)
    return bind(plain, bound.network, bound.vcs)


@pytest.mark.parametrize("function", ["dim_order", "dim_order_bal", "min_adapt", "valiant"])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_what_is_said_of_tori_is_what_proofs_find(function: str, k: int) -> None:
    """Nothing is said of what is free without an escape, and something of all else unless a buffer holds one packet."""
    for vcs in (2, 3, 4, 5):
        if (function, vcs) in (("min_adapt", 3), ("valiant", 2), ("valiant", 3)):
            continue  # refused
        text = f"topology=torus; k={k}; n=1; routing_function={function}; num_vcs={vcs};"
        found, config = meaning(settings(text))
        bound = bind(found.routing, found.network, vcs)
        plain = bound if function == "valiant" else without_escape(bound)
        assert (can_deadlock(found, config) is None) == prove(plain).deadlock_free, text
        apart = meaning(settings(text + "wait_for_tail_credit=1;"))
        assert (can_deadlock(*apart) is None) == prove(bound).deadlock_free, text


FLAT = "topology=flatfly; c=1; xr=1; yr=1; "


@pytest.mark.parametrize(
    "text",
    [
        *(f"topology=mesh; k={k}; n={n}; routing_function={name}; " for name in ("romm", "xy_yx", "adaptive_xy_yx")
          for k, n in ((1, 2), (4, 1), (2, 2), (3, 2), (2, 3))),
        "topology=cmesh; k=2; n=2; c=4; routing_function=xy_yx_no_express; ",
        *(f"topology=cmesh; k={k}; n=2; c=4; routing_function=xy_yx; " for k in (2, 4)),
        *(f"{FLAT} k={k}; n={n}; x={x}; y={x}; routing_function={name}; " for name in ("xyyx", "adaptive_xyyx")
          for k, n, x in ((4, 1, 2), (2, 2, 2), (3, 2, 3))),
        *(f"{FLAT} k={k}; n={n}; x={x}; y={x}; routing_function={name}; " for name in ("valiant", "ugal")
          for k, n, x in ((4, 1, 2), (9, 1, 3), (2, 2, 2), (3, 2, 3))),
    ],
)  # fmt: skip
def test_what_is_said_of_shared_middle_channels_is_what_proofs_find(text: str) -> None:
    """As of tori: something where there is a cycle once escapes are not marked, unless a buffer holds one packet."""
    for vcs in (2, 3, 5):
        found, config = meaning(settings(f"{text} num_vcs={vcs};"))
        bound = bind(found.routing, found.network, vcs)
        assert prove(bound).deadlock_free
        assert (can_deadlock(found, config) is None) == prove(without_escape(bound)).deadlock_free, vcs
        assert can_deadlock(*meaning(settings(f"{text} num_vcs={vcs}; wait_for_tail_credit=1;"))) is None


def test_what_is_said_of_quarters_of_channels_is_what_proofs_find() -> None:
    """As of shared middle channels; with odd numbers no escape is known, and something is said unless they wait."""
    text = f"{FLAT} k=3; n=2; x=3; y=3; routing_function=ugal_xyyx; "
    for vcs in (4, 5, 6):
        found, config = meaning(settings(f"{text} num_vcs={vcs};"))
        proof = prove(without_escape(bind(found.routing, found.network, vcs)))
        assert (can_deadlock(found, config) is None) == proof.deadlock_free, vcs


@pytest.mark.parametrize(
    "text",
    [
        *(f"topology=torus; k={k}; n=1; routing_function=chaos; num_vcs=1;" for k in (3, 4, 5)),
        "topology=torus; k=4; n=2; routing_function=dim_order_ni; num_vcs=16;",
        "topology=mesh; k=3; n=2; routing_function=planar_adapt; num_vcs=4;",
        "topology=cmesh; k=4; n=2; c=4; routing_function=dor; num_vcs=1;",
        "topology=tree4; k=4; n=3; routing_function=nca; num_vcs=1;",
        "topology=qtree; k=4; n=3; routing_function=nca; num_vcs=1;",
        "topology=flatfly; k=3; n=2; c=1; x=3; y=3; xr=1; yr=1; routing_function=xyyx; num_vcs=2;",
        "topology=mesh; k=4; n=2; routing_function=dor; num_vcs=3;",
        "topology=mesh; k=4; n=2; routing_function=min_adapt; num_vcs=3;",
        "topology=mesh; k=3; n=2; routing_function=valiant; num_vcs=2;",
        "topology=mesh; k=3; n=2; routing_function=romm; num_vcs=2;",
        "topology=mesh; k=3; n=2; routing_function=xy_yx; num_vcs=2;",
        "topology=mesh; k=3; n=2; routing_function=adaptive_xy_yx; num_vcs=2;",
        "topology=cmesh; k=2; n=2; c=4; routing_function=xy_yx_no_express; num_vcs=2;",
        "topology=fly; k=2; n=2; routing_function=dest_tag; num_vcs=1;",
        "topology=fattree; k=2; n=2; routing_function=nca; num_vcs=1;",
        "topology=fattree; k=2; n=2; routing_function=anca; num_vcs=1;",
        "topology=flatfly; k=3; n=2; c=1; x=3; y=3; xr=1; yr=1; routing_function=ran_min; num_vcs=1;",
        "topology=flatfly; k=3; n=2; c=1; x=3; y=3; xr=1; yr=1; routing_function=valiant; num_vcs=2;",
        "topology=flatfly; k=3; n=2; c=1; x=3; y=3; xr=1; yr=1; routing_function=ugal; num_vcs=2;",
        "topology=dragonflynew; k=1; n=1; routing_function=min; num_vcs=2;",
        "topology=dragonflynew; k=1; n=1; routing_function=ugal; num_vcs=3;",
    ],
)
def test_what_is_said_of_the_others_is_what_proofs_find(text: str) -> None:
    found, config = meaning(settings(text))
    bound = bind(found.routing, found.network, config.vcs)
    plain = without_escape(bound) if "min_adapt" in found.routing else bound
    assert (can_deadlock(found, config) is None) == prove(plain).deadlock_free


def test_heads_behind_other_packets_close_a_ring_by_the_middle_channel() -> None:
    """What is said is run into: 8x8, three channels, one flit; not where a buffer holds one packet at a time."""
    text = "topology=torus; k=8; n=2; routing_function=dim_order; num_vcs=3; traffic=tornado; injection_rate=0.9;"
    text += "vc_buf_size=4; sim_type=throughput; max_samples=20;"
    for wait, ring in (("0", True), ("1", False)):
        found, config = meaning(settings(text + f"wait_for_tail_credit={wait};"))
        assert (can_deadlock(found, config) is not None) is ring
        result = simulate(found.network, found.routing, config)
        assert result.deadlocked is ring
        assert not ring or any(vc == 1 for _, _, vc in result.deadlock)
        assert statistics(result).startswith("WARNING: Possible network deadlock.\n") is ring


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("k=4; n=2; num_vcs=3; vc_buf_size=1; packet_size=1;", True),
        ("k=4; n=2; num_vcs=3; vc_buf_size=1; packet_size=2;", False),
        ("k=4; n=2; num_vcs=3; vc_buf_size=2; packet_size=2;", True),
        ("k=4; n=2; num_vcs=3; vc_buf_size=2; packet_size=3;", False),
        ("k=6; n=1; num_vcs=3; vc_buf_size=1; packet_size=2;", True),
        ("k=4; n=2; num_vcs=4; vc_buf_size=2; packet_size=2; routing_function=min_adapt;", True),
        ("k=4; n=2; num_vcs=4; vc_buf_size=2; packet_size=3; routing_function=min_adapt;", False),
    ],
)
def test_a_ring_closes_only_where_a_packet_fits_into_the_buffers_on_its_way(text: str, fits: bool) -> None:
    """Where it is said some seed comes to a deadlock in 28,000 cycles; where packets are a flit too long none does."""
    text = "topology=torus; routing_function=dim_order; vc_allocator=separable_input_first;" + text
    text += "use_noc_latency=0; injection_rate_uses_flits=1; injection_rate=0.9;"
    text += "sim_type=throughput; max_samples=14; sample_period=2000;"
    runs = [meaning(settings(text + f"seed={seed};")) for seed in (1, 2)]
    assert [can_deadlock(*run) is not None for run in runs] == [fits, fits]
    assert any(simulate(found.network, found.routing, config).deadlocked for found, config in runs) is fits


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("packet_size={{3,9}};", True),
        ("packet_size={{4,9}};", False),
        ("packet_size={{3,9}}; packet_size_rate={{0,1}};", False),
        ("classes=2; packet_size={9,3}; injection_rate={0.1,0.1};", True),
        (f"{RANGES} read_request_size=4; write_request_size=5; read_reply_size=6; write_reply_size=3;", True),
        (f"{RANGES} read_request_size=4; write_request_size=5; read_reply_size=6; write_reply_size=4;", False),
    ],
)
def test_the_shortest_packet_decides(words: str, said: bool) -> None:
    text = "topology=torus; k=5; n=2; routing_function=dim_order; num_vcs=3; vc_buf_size=3;"
    assert (can_deadlock(*meaning(settings(text + words))) is not None) is said


def test_the_verb_says_in_a_line_that_packets_can_deadlock(tmp_path: Path) -> None:
    (tmp_path / "t.cfg").write_text(
        "topology=torus; k=4; n=2; routing_function=dim_order; num_vcs=3; injection_rate=0.02; sample_period=500;"
    )
    command = [sys.executable, "-c", "from jumpnet.cli import main; main()", "booksim", str(tmp_path / "t.cfg")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = [line for line in done.stderr.splitlines() if "deadlock" in line]
    assert len(said) == 1 and "t.cfg: torus.booksim:middle=shared can deadlock where wait_for_tail" in said[0]
    quiet = subprocess.run([*command, "num_vcs=2"], capture_output=True, text=True, check=True)
    assert "deadlock" not in quiet.stderr
