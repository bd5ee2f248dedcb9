"""Virtual channels of a run: the preset's least number, what the routing needs, what contradicts a bound routing."""

from __future__ import annotations

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.sim.config import preset
from jumpnet.sim.multicast.trees import Trees
from jumpnet.sim.resolve.by_routing import bound_with
from jumpnet.sim.simulate import simulate
from jumpnet.study.point import resolve
from jumpnet.topology import build

SHORT = {"load": 0.02, "warmup_cycles": 0, "measure_cycles": 100}


def test_table_iv_gives_two_channels_and_the_rdt_the_three_that_it_needs() -> None:
    got = {
        spec: simulate(spec, name="yang2001", **SHORT).config.vcs
        for spec in ("torus:4x4", "hypercube:4", "rdt:16", "mesh:4x4")
    }
    assert got == {"torus:4x4": 2, "hypercube:4": 2, "rdt:16": 3, "mesh:4x4": 2}
    assert simulate("hypercube:4", name="booksim", **SHORT).config.vcs == 1
    assert simulate("hypercube:4", name="yang2001", vcs=1, **SHORT).config.vcs == 1


def test_what_contradicts_a_bound_routing_is_refused() -> None:
    net = build("rdt:16")
    bound = bind("rdt.deadlock_free", net, 4)
    with pytest.raises(JumpnetError, match=r"vcs 2 found, 4 expected: rdt.deadlock_free is bound with so many"):
        simulate(net, bound, vcs=2, **SHORT)
    assert simulate(net, bound, vcs=4, **SHORT).config.vcs == 4
    assert simulate(net, bound, **SHORT).config.vcs == 4
    cube = build("hypercube:4")
    with pytest.raises(JumpnetError, match=r"bound with vcs 1 found, at least 2 expected by least_vcs"):
        simulate(cube, bind("hypercube.ecube", cube, 1), name="yang2001", **SHORT)


def test_too_few_for_the_routing_are_refused() -> None:
    with pytest.raises(JumpnetError, match=r"vcs 2 found, at least 3 expected by routing rdt.deadlock_free"):
        simulate("rdt:16", name="yang2001", vcs=2, **SHORT)


def test_studies_and_multicasts_have_as_many() -> None:
    settings = preset("yang2001")
    assert settings.vcs is None
    least = {"least_vcs": settings.least_vcs}
    assert [resolve({"network": spec, **least}, 0.1)["vcs"] for spec in ("hypercube:4", "rdt:16")] == [2, 3]
    assert Trees(build("mesh:4x4"), "paths", least_vcs=2).vcs == 2
    assert Trees(build("mesh:4x4"), "paths").vcs == 1
    assert Trees(build("rdt:16"), "chip", least_vcs=5).vcs == 5
    assert bound_with("hypercube.ecube", build("hypercube:4"), 1, 2).vcs == 1
