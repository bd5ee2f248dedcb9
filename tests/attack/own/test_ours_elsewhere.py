"""Functions of ours that a user puts together anew, with other numbers or networks: checked as the user's own are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jumpnet import traffic
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.routings import Routing, routing, routings
from jumpnet.topology import build

ELSEWHERE = ("rdt.fault_tolerant", "rdt.partitioned", "rdn.recursive", "star.sort", "clos.nca", "dragonfly.ugal")
"""Made anew without `prepare` and `fits`, on a mesh: the first ended the process, three never ended."""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_relation_of_ours_without_its_numbers_is_refused_in_one_line(name: str) -> None:
    ours = routings()[name]
    made = Routing("own.mine", ours.relation, vcs=2, start=ours.start, draws=ours.draws)
    with pytest.raises(JumpnetError, match=r"^routing own\.mine") as refused:
        path_figures(made.bind(build("mesh:3x5")))
    assert "\n" not in str(refused.value)


def test_what_a_user_makes_of_ours_is_own_and_what_we_make_of_it_stays_so() -> None:
    ours = routings()["torus.dateline"]
    mine = replace(ours, name="own.dateline")
    assert not ours.own and not ours.changed(vcs=3).own
    assert mine.own and mine.changed(vcs=3).own
    assert routing("own.decorated")(ours.relation).own
    assert path_figures(mine.bind(build("torus:3x3"))).maximum == 2


@pytest.mark.parametrize("numbers", [[], [10**6] * 3, [-5]])
def test_a_pattern_of_ours_with_other_numbers_is_refused(numbers: list[int]) -> None:
    ours = traffic.patterns()["transpose"]
    made = traffic.Pattern("mine", ours.destination, lambda net, options: numbers)
    with pytest.raises(JumpnetError, match=r"^traffic pattern mine on torus:3x3, terminal 0"):
        made.bind(build("torus:3x3"))


def test_a_pattern_of_ours_with_the_numbers_of_another_is_own() -> None:
    known = traffic.patterns()
    made = traffic.Pattern("mine", known["transpose"].destination, known["bit_complement"].prepare)
    assert made.own and made.changed(name="theirs").own
    assert not known["transpose"].changed(name="ours").own
