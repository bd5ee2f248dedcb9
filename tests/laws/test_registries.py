"""What a registry answers without loading every file is what it answers with all of them."""

from __future__ import annotations

import sys

import pytest

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.registry import NEEDS, Registry, instances, users
from jumpnet.routings import Routing, default_routing, routings
from jumpnet.routings._foreign import foreign_choice
from jumpnet.topology import Family, build, families
from jumpnet.traffic import Pattern, patterns


def _fresh() -> Registry[Routing]:
    return Registry("routing", "jumpnet.routings", instances(Routing), above=["jumpnet.chip.routing"])


def test_an_entry_is_found_in_the_file_of_its_name_and_in_others() -> None:
    known = routings()
    assert "rdt.chip" in known  # in a file of another package
    for name, routing in known.items():
        assert _fresh().get(name) is routing


def test_an_entry_of_a_user_goes_before_that_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "extended", users.extended)
    monkeypatch.setattr(users, "origins", dict(users.origins))
    registry, mine = Registry("pattern", "jumpnet.traffic", instances(Pattern)), patterns()["uniform"]
    registry.add("transpose", mine)
    assert registry.get("transpose") is mine


def _refusal(registry: Registry[Routing], name: str) -> str:
    with pytest.raises(JumpnetError) as stop:
        registry.get(name)
    return str(stop.value)


@pytest.mark.parametrize("name", ["torsu.dateline", "torus", "_torus", "torus_dateline", "torus/dateline", ""])
def test_a_wrong_name_is_refused_as_when_all_files_are_loaded(name: str) -> None:
    whole = _fresh()
    whole.all()
    assert _refusal(_fresh(), name) == _refusal(whole, name)


@pytest.mark.parametrize("family", families().values(), ids=lambda family: family.name)
def test_the_default_routing_is_the_one_that_says_so(family: type[Family], monkeypatch: pytest.MonkeyPatch) -> None:
    net = build(family.samples[0])
    said = [name for name, k in routings().items() if net.family in k.default_for and k.fits(net) is None]
    monkeypatch.setattr(sys.modules["jumpnet.routings"], "_registry", _fresh())
    assert default_routing(net) == (said[0] if said else foreign_choice(net)[0])


@pytest.mark.parametrize(
    ("spec", "routing", "traffic", "said"),
    [
        ("king:8", None, "uniform", "unknown family 'king'"),
        ("torus:4x4", "xyzzy", "uniform", "unknown routing 'xyzzy'"),
        ("torus:4x4", None, "zzzz", "unknown traffic pattern 'zzzz'"),
    ],
)
def test_a_name_with_no_near_one_may_be_in_a_file_of_ones_own(
    spec: str, routing: str | None, traffic: str, said: str
) -> None:
    with pytest.raises(JumpnetError) as caught:
        jumpnet.simulate(spec, routing, load=0.1, traffic=traffic)
    assert str(caught.value).startswith(said) and str(caught.value).endswith(f"; one of your own needs {NEEDS}")
    with pytest.raises(JumpnetError) as caught:
        jumpnet.simulate("tours:4x4", load=0.1)
    assert "did you mean 'torus'?" in str(caught.value) and "--load" not in str(caught.value)
