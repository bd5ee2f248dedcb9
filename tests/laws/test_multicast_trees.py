"""Trees of another run: those of the same network, routing and scheme are taken, others are one line."""

from __future__ import annotations

from typing import Any

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast import trees as module
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.simulate import MulticastResult, simulate_multicasts
from jumpnet.sim.multicast.trees import Trees, trees_for
from jumpnet.topology import build

SHORT = SimConfig(load=0.05, packet_flits="2", flow_control="cut_through", warmup_cycles=100, measure_cycles=600)
CHIP = "chip"


def _trees(spec: str, routing: str = "", vcs: int | None = None, **cast: Any) -> Trees:
    return trees_for(build(spec), routing, SHORT.replace(vcs=vcs), MulticastConfig(**cast))


def _point(spec: str, routing: str = "", trees: Any = None, **settings: Any) -> MulticastResult:
    return simulate_multicasts(spec, routing, SHORT, trees=trees, **{"destinations": 3, **settings})


MESH = "paths of mesh.dimension_order, packets by mesh.dimension_order"
TORUS = "paths of torus.dateline, packets by torus"
OTHERS = {
    "a larger network": (_trees("mesh:8x8"), ("mesh:3x3",), {}, f"mesh:8x8, {MESH}, vcs 1", f"mesh:3x3, {MESH}, vcs 1"),
    "a smaller network": (_trees("mesh:3x3"), ("mesh:8x8",), {}, "mesh:3x3, paths", "mesh:8x8, paths"),
    "a family": (_trees("mesh:4x4"), ("torus:4x4", "torus.dateline"), {}, f"mesh:4x4, {MESH}", f"torus:4x4, {TORUS}"),
    "a routing": (_trees("mesh:4x4"), ("mesh:4x4", "up_down"), {}, MESH, "paths of up_down, packets by up_down"),
    "options": (
        _trees("rdt:4", "rdt.floating:order=ascending"), ("rdt:4", "rdt.floating"), {},
        "paths of rdt.floating:order=ascending, packets", "paths of rdt.floating, packets by rdt.floating,",
    ),
    "the packets' routing": (
        _trees("mesh:4x4", tree_routing="mesh.dimension_order"), ("mesh:4x4", "up_down"),
        {"tree_routing": "mesh.dimension_order"}, f"{MESH}, vcs 1",
        "paths of mesh.dimension_order, packets by up_down, vcs 1",
    ),
    "channels": (_trees("mesh:4x4", vcs=2), ("mesh:4x4",), {"vcs": 3}, f"{MESH}, vcs 2", f"{MESH}, vcs 3"),
    "a scheme": (
        _trees("rdt:4", multicast=CHIP, scheme="SM"), ("rdt:4",), {"multicast": CHIP, "scheme": "LARP"},
        "rdt:4, chip SM, vcs 2", "rdt:4, chip LARP, vcs 2",
    ),
    "rules of the chip": (
        _trees("rdt:4", multicast="chip:change=none"), ("rdt:4",), {"multicast": CHIP},
        "chip:change=none SM,", "chip SM",
    ),
    "a kind": (_trees("rdt:4", multicast=CHIP), ("rdt:4",), {}, "rdt:4, chip SM", "rdt:4, paths of rdt"),
}  # fmt: skip
"""By what differs: the trees, what is simulated, its settings, and both in the line."""


@pytest.mark.parametrize("what", OTHERS)
def test_trees_of_something_else_are_one_line(what: str) -> None:
    trees, asked, settings, found, expected = OTHERS[what]
    with pytest.raises(JumpnetError, match=r"^trees of .* found, those of .* expected$") as refused:
        _point(*asked, trees=trees, **settings)
    before, _, after = str(refused.value).partition(" found, those of ")
    assert found in before and expected in after and before.removeprefix("trees of ") not in after


def test_names_that_mean_something_else_since_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network called as another one, and a scheme whose name was given to another one."""
    trees, net = _trees("mesh:2x3"), build("mesh:3x2").renamed("mesh:2x3")
    with pytest.raises(JumpnetError, match=r"expected \(the same names mean something else\)$"):
        simulate_multicasts(net, "", SHORT, trees=trees, destinations=3)
    chip = _trees("rdt:4", multicast=CHIP)
    made = {**vars(scheme("SM"))}
    again = type(scheme("SM"))(**{key: made[key] for key in scheme("SM").__dataclass_fields__})
    monkeypatch.setattr(module, "scheme", lambda name: again)
    with pytest.raises(JumpnetError, match=r"chip SM, vcs 2 expected \(the same names mean something else\)$"):
        _point("rdt:4", trees=chip, multicast=CHIP)


def test_what_is_no_trees_is_one_line() -> None:
    with pytest.raises(JumpnetError, match=r"^trees 'SM' found, Trees \(as trees_for gives\) expected$"):
        _point("mesh:3x3", trees="SM")


@pytest.mark.parametrize(
    ("spec", "given", "settings"),
    [
        ("mesh:3x3", _trees("mesh:3x3"), {}),
        ("mesh:3x3", _trees("mesh:3x3", "mesh.dimension_order"), {"seed": 3, "destinations": 2}),
        ("mesh:3x3", _trees("mesh:3x3", vcs=1), {"acknowledge": "combined"}),
        ("rdt:4", _trees("rdt:4", multicast=CHIP), {"multicast": CHIP, "scheme": "SM", "sigma": 1.0}),
    ],
)
def test_trees_of_the_same_are_taken_however_they_were_asked_for(
    spec: str, given: Trees, settings: dict[str, Any]
) -> None:
    """And again when they have plans; the point is that of a run that makes its own."""
    points = [_point(spec, trees=trees, **settings) for trees in (None, given, given)]
    assert len(given.plans) > 2
    for point in points[1:]:
        assert point.hash == points[0].hash and point.accepted_load == points[0].accepted_load
        assert (point.times["multicast"] == points[0].times["multicast"]).all() and len(point.times["multicast"]) > 5


def test_points_on_other_trees_have_another_hash() -> None:
    """Where the words of settings are the same too: a scheme by its name, and the kind of trees by its routing's."""
    one, other = (_point("rdt:4", multicast=CHIP, scheme=name) for name in ("SM", "LARP"))
    assert one.hash != other.hash
    named, other = (_point("mesh:3x3", name) for name in ("mesh.dimension_order", "up_down"))
    assert (named.spec, named.config, named.cast) == (other.spec, other.config, other.cast)
    assert named.hash != other.hash


def test_a_saturated_point_says_so_in_its_line() -> None:
    calm, busy = _point("mesh:3x3"), _point("mesh:3x3", load=0.9)
    assert "saturated" not in repr(calm) and busy.saturated
    assert "load 0.9: saturated, accepted_load " in repr(busy)


def test_what_is_no_cast_is_one_line() -> None:
    expected = r"^cast \{'destinations': 1\} found, a MulticastConfig\(destinations=3\) expected$"
    with pytest.raises(JumpnetError, match=expected):
        simulate_multicasts("mesh:3x3", cast={"destinations": 1})  # type: ignore[arg-type]
