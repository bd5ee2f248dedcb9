"""Virtual channels by the next output: what has no part for each output is refused, by the kernels and their twin."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting, bind
from jumpnet.sim.config import SimConfig, config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build


def _fast(bound: BoundRouting, config: SimConfig) -> None:
    Engine(bound.network, bound, config).advance(50)


def _slow(bound: BoundRouting, config: SimConfig) -> None:
    Simulation(bound.network, bound, config).run(50)


@pytest.mark.parametrize("vcs", [2, 8])
def test_too_few_channels_for_each_output_are_refused(vcs: int) -> None:
    """Of two a router's five outputs have no part each; of eight, four are the route's."""
    config = config_from({"channels_by_next_output": True, "vcs": vcs, "load": 0.2})
    with pytest.raises(JumpnetError, match=r"channels_by_next_output .* at least 5 of each route expected"):
        Engine(build("torus:4x4"), "torus.dateline", config).advance(50)


OTHERWISE = [("mesh:3x3x3", "minimal:ports=all", 7), ("mesh:4x4", "mesh.duato", 8), ("torus:4", "torus.bubble", 3)]
"""Several outputs; marks of escapes; marks of rings that are entered."""


@pytest.mark.parametrize(("spec", "routing", "vcs"), OTHERWISE)
def test_candidates_that_differ_by_more_than_their_channels_have_no_parts(spec: str, routing: str, vcs: int) -> None:
    """Else packets went by ports that no candidate names, and what is free of deadlock was not."""
    bubble = {"flow_control": "cut_through", "packet_flits": "1"} if routing == "torus.bubble" else {}
    config = config_from({"channels_by_next_output": True, "vcs": vcs, "load": 0.5, **bubble})
    for run in (_fast, _slow):
        with pytest.raises(JumpnetError, match=r"channels_by_next_output with candidates .*that differ by more"):
            run(bind(routing, build(spec), vcs), config)


def test_what_is_proved_is_not_proved_where_classes_have_parts() -> None:
    """The part of packets that leave is one of all channels, and overlaps with those of the second class."""
    bound = bind("hypercube.valiant", build("hypercube:2"), 16)
    config = {"packet_flits": "1", "buffer_flits": 1, "load": 0.5, "traffic": "uniform:self=1", "seed": 232, "vcs": 16}
    engine = Engine(
        bound.network, bound, config_from({**config, "vc_allocation_delay_cycles": 2, "channels_by_next_output": True})
    )
    engine.advance(700)
    assert prove(bound, 1).deadlock_free and find_deadlock(engine)
