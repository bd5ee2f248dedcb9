"""Traffic that the page prepares by itself, with parameters, is what Python prepares, or both refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.web.conftest import Shown
from tests.web.simulator.in_node import answers, evaluated, runs_of

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels.names import name_of
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import bind, patterns

NETS = (
    "torus:4x4",
    "torus:5x5",
    "torus:6x4",
    "mesh:3x2x2",
    "cmesh:4x4",
    "hypercube:6",
    "rdt:8",
    "fly:2,n=3",
    "torus:1x3",
)
SPECS = (
    "uniform:self=1", "uniform:self=2", "hotspot", "hotspot:count=3,seed=9", "hotspot:count=99",
    "hotspot:nodes=1-2-0,weights=5-2", "hotspot:nodes=1-2-1", "hotspot:nodes=0-2,weights=1-0",
    "hotspot:nodes=3-17", "hotspot:weights=3",
    "hotspot:seed=18446744073709", "local", "local:sigma=0.3", "local:sigma=1.7", "local:sigma=0", "random_permutation",
    "random_permutation:seed=12", "transpose", "transpose:by=coordinates", "transpose:by=rows",
    "permutation:to=1-x-0-2-1-x-0-2-1-x-0-2-7-8-9-10", "permutation:to=2-1-x", "permutation:to=x-x-x", "permutation",
    "permutation:to=9-0-1", "permutation:to=y-0-1", "matrix:rows=0-1-2/3-0-0/0-0-0", "matrix:rows=0-0-0/0-0-0/0-0-0",
    "matrix:rows=0-1/1-0", "matrix:rows=0-1000001-2/3-0-0/0-0-0", "matrix", "hotspot:nodse=3",
    "hotspot:nodes=1-2,count=abc",
    "hotspot:nodes=1-2,seed=2.5", "local:sigma=3", "local:sigma=x",
    "local:sigma=.5", "local:sigma=1e0", "local:sigma=2.E-1", "local:sigma=1e",
    "hotspot:seed=1,seed=2", "uniform:self=0,self=1",
)  # fmt: skip
OWN = "permutation:to=5-x-7-0-1-2-3-4"
MATRIX = "matrix:rows=0-3-1-0/1-0-0-0/0-0-0-0/1-1-1-0"


def _told(spec: str, on: str) -> object:
    """What Python prepares, as JSON has it; None where it refuses."""
    try:
        bound = bind(spec, build(on))
    except JumpnetError:
        return None
    return [name_of(bound.pattern.destination), list(map(str, bound.own.tolist())), bound.draws]


def test_what_is_prepared_is_what_python_prepares() -> None:
    nets = []
    for spec in NETS:
        net = build(spec)
        told = {"spec": spec, "routers": net.routers, "dims": net.coord.shape[1]}
        nets.append(told | {key: getattr(net, key).ravel().tolist() for key in ("coord", "terminals", "sinks")})
    program = f"""part => {json.dumps(nets)}.map((told) => {{
      const numbers = (key) => [key, Int32Array.from(told[key])];
      const net = {{...told, ...Object.fromEntries(["coord", "terminals", "sinks"].map(numbers))}};
      return {json.dumps(SPECS)}.map((spec) => {{
        try {{
          const made = part.prepared(spec, net, []);
          return [made.destination, [...made.own].map(String), made.draws];
        }} catch (error) {{
          if (!(error instanceof part.RunError)) throw error;
          return null;
        }}
      }});
    }})"""
    found = evaluated('{ prepared } from "./src/sim/patterns"; export { RunError } from "./src/sim/types"', program)
    for on, got in zip(NETS, found, strict=True):
        for spec, each in zip(SPECS, got, strict=True):
            assert each == _told(spec, on), (on, spec)
    assert sum(each is not None for got in found for each in got) > 80


def test_every_parameter_of_every_pattern_is_here() -> None:
    found = evaluated('{ PARAMETERS } from "./src/sim/patterns"', "part => part.PARAMETERS")
    for name, each in patterns().items():
        if name == "worst":  # rests on the routing, and on an assignment that Python solves
            continue
        told = {key: str(value[0] if isinstance(value, tuple) else value) for key, value in each.options.items()}
        assert {one["key"]: one["initial"] for one in found.get(name, [])} == told, name


@pytest.mark.parametrize(("spec", "traffic"), [("torus:4x2", OWN), ("mesh:2x2", MATRIX)])
def test_a_run_with_traffic_of_ones_own_is_that_of_simulate(spec: str, traffic: str) -> None:
    phases: dict[str, Any] = {"warmup_cycles": 200, "measure_cycles": 600, "drain": False}
    page = {**runs_of(build(spec)), "which": {"traffic": traffic}, "set": {"load": 0.3, "packet_flits": 3}}
    (got,) = answers([{**page, "phases": phases}])
    result = simulate(spec, traffic=traffic, load=0.3, packet_flits="3", **phases)
    for name in ("packets", "flit_hops", "accepted_load", "packet_latency_mean_cycles", "channel_load_max"):
        assert got["figures"][name] == result.figures[name], name


def test_a_permutation_and_hot_spots_are_typed(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&panel=simulate")
    page = it.page
    page.get_by_label("Traffic").select_option("hotspot")
    page.get_by_label("Terminals").fill("3, 7 19")
    page.get_by_label("Terminals").press("Enter")
    page.wait_for_selector("[role=alert]:has-text('terminal 19 found, 0 to 15 expected')")
    assert it.part().endswith("traffic=hotspot")  # what does not suit changes nothing
    page.get_by_label("Terminals").fill("3, 7 9")
    page.get_by_label("Terminals").press("Enter")
    page.wait_for_function("() => location.hash.endsWith('traffic=hotspot:nodes=3-7-9')")
    page.get_by_label("Traffic").select_option("permutation")
    area = page.get_by_label("Destinations")
    area.wait_for()
    assert area.input_value().split() == [str(15 - t) for t in range(16)]
    area.fill("1 2 3 0\n5 6 7 4\n9 10 11 8\n13 14 15 x")
    page.get_by_role("button", name="Use it").click()
    to = "1-2-3-0-5-6-7-4-9-10-11-8-13-14-15-x"
    page.wait_for_function("to => location.hash.endsWith(to)", arg=to)
    assert f"--traffic permutation:to={to}" in page.inner_text('code[aria-label="Command"]')
    assert f'traffic="permutation:to={to}"' in page.inner_text('code[aria-label="Python"]') and it.errors == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("traffic=hotspot:nodes=99", "hotspot: terminal 99 found, 0 to 15 expected; traffic is uniform now."),
        ("traffic=hotspot&faults.routers=5", "only uniform traffic runs here; traffic is uniform now."),
    ],
)
def test_a_link_with_traffic_that_does_not_suit_is_told(more: str, said: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&panel=simulate&{more}")
    it.page.wait_for_selector(f"#panel :text('{said}')")
    assert "traffic" not in it.part() and it.errors == []
