"""Routings of a user's own run in the page by tables: the same routes and the same bits, refused where too large."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Shown
from tests.web.simulator.in_node import answers, node_here

from jumpnet import own
from jumpnet.cli import run_words
from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels import Run, run_image, tabled
from jumpnet.explore.written import page_text, write_page
from jumpnet.registry import users
from jumpnet.routings import bind
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

PHASES = {"warmup_cycles": 200, "measure_cycles": 600}
CASES = [("torus:4x4", "torus.duato", 3), ("torus:4x4", "torus.valiant", None), ("mesh:4x4", "mesh.odd_even", 2)]
"""Escapes; draws of a start hook and routers to visit first; a relation that reads source and state of arrival."""
OWN = """
from jumpnet.routings import DESTINATION, STATE, routing

@routing("mine.any", vcs=2, adaptive=True, summary="any way that leads closer, on the channel of the parity of hops")
def any_way(net, here, head, out):
    count = 0
    for d in range(2):
        side = net.params[d]
        away = net.coord[head[DESTINATION], d] - net.coord[here, d]
        if away != 0:
            out[count, 0] = 2 * d + (away < 0)
            out[count, 1] = head[STATE] & 1
            out[count, 2] = head[STATE] + 5
            out[count, 3] = 0
            count += 1
    return count

def wait(net, head, draw, queue):
    head[STATE] = queue[0]

@routing("mine.waits", start=wait)
def waits(net, here, head, out):
    return 0 if here == head[DESTINATION] else -1
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of routings, known by their names for one test."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(OWN)
    own.load("mine.py")
    yield tmp_path
    users.forget("mine.py")
    own._loaded.pop("mine.py")


def _ways(routes: list[Any]) -> list[Any]:
    """Routes without the states, which are numbers of another kind."""
    return [
        [[hop[0], *([port, vc, kind] for port, vc, _, kind in hop[1:])] for hop in route["hops"]] for route in routes
    ]


def test_a_routing_as_tables_routes_and_runs_as_it_does() -> None:
    jobs = []
    for spec, name, vcs in CASES:
        net = build(spec)
        bound = bind(name, net, vcs)
        pairs = [[k % 16, (7 * k + 3) % 16, 5 * k % bound.draws] for k in range(12)]
        for routing in (bound, tabled.tabled(bound)):
            image = run_image(net, Run(routing), load=0.3, packet_flits="4")
            jobs.append({"image": image, "pairs": pairs, "phases": PHASES})
    got = answers(jobs)
    for (spec, name, vcs), plain, made in zip(CASES, got[::2], got[1::2], strict=True):
        assert _ways(plain["routes"]) == _ways(made["routes"])
        assert {key: plain[key] for key in ("figures", "links", "held", "histograms")} == {
            key: made[key] for key in ("figures", "links", "held", "histograms")
        }
        native = simulate(spec, bind(name, build(spec), vcs), load=0.3, packet_flits="4", **PHASES)
        assert made["figures"]["packet_latency_mean_cycles"] == native.packet_latency_mean_cycles


def test_a_larger_network_runs_by_tables_too() -> None:
    """400 routers: 160,000 states."""
    net = build("torus:20x20")
    made = tabled.tabled(bind("torus.dateline", net))
    assert made.view.own[1] == 160_000
    node_here()
    (got,) = answers([{"image": run_image(net, Run(made), load=0.1, packet_flits="4"), "phases": PHASES}])
    native = simulate(net, "torus.dateline", load=0.1, packet_flits="4", **PHASES)
    assert got["figures"]["packet_latency_mean_cycles"] == native.packet_latency_mean_cycles
    assert got["figures"]["flit_hops"] == native.flit_hops


def test_what_tables_do_not_hold_is_refused(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(JumpnetError, match=r"routing mine\.waits: a start hook that reads queues found"):
        page_text(["mesh:4x4"], "mine.waits")
    with pytest.raises(JumpnetError, match="more than 1,048,576 pairs and draws found"):
        tabled.tabled(bind("torus.valiant", build("torus:16x16")))
    monkeypatch.setattr(tabled, "MOST_STATES", 300)
    with pytest.raises(JumpnetError, match="more than 300 states of packets found"):
        page_text(["mesh:4x4"], "mine.any")


def test_a_routing_of_ones_own_in_the_page(
    mine: Path, shown: Callable[..., Shown], capsys: pytest.CaptureFixture[str]
) -> None:
    """Its route, header and figures are those of the commands that stand below."""
    file = write_page(mine, ["mesh:4x4"], "mine.any").path
    it = shown("net=mesh:4x4&panel=route&routing=mine.any&picked=1.14&route.taken=1.1", file=file)
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('The packet')")
    words = it.page.inner_text("#panel")
    assert "Any way that leads closer" in words and "State\n10" in words  # two hops of 5 each
    it.page.get_by_title("Take first candidates to the end").click()
    rows = it.page.locator("xpath=//h3[.='So far']/following-sibling::*[1]//tbody/tr")
    cells = [row.locator("td").all_text_contents() for row in rows.all()]
    command = shlex.split(it.page.inner_text('code[aria-label="Command"]'))
    assert command[:4] == ["jumpnet", "--load", "mine.py", "route"]
    capsys.readouterr()
    assert run_words([*command[1:], "--json"]) == 0
    hops = json.loads(capsys.readouterr().out)["channels"]
    assert [(hop["port"], hop["vc"]) for hop in hops] == [(int(port), int(vc)) for _, _, port, vc, _ in cells]
    it.go("net=mesh:4x4&panel=simulate&routing=mine.any&load=0.15")
    it.page.get_by_role("button", name="This load alone").click()
    row = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//tbody/tr")
    row.wait_for(timeout=20000)
    cell = row.locator("td").nth(2).text_content()
    assert run_words([*shlex.split(it.page.inner_text('code[aria-label="Command"]'))[1:], "--json"]) == 0
    assert cell == f"{json.loads(capsys.readouterr().out)['packet_latency_mean_cycles']:.2f}" and it.errors == []
