"""Values of odd types given in Python: one line of bounded length each, whatever their own words are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind

NET = jumpnet.network("torus:4x4")
ODD: list[Any] = [10**5000, "a" * 10**6, np.ma.array([1], mask=[1]), NET.net, np.zeros((50, 50)), "one\ntwo"]
"""A number that Python does not write, and what is written in many letters or lines."""
CALLS: dict[str, Callable[[Any], object]] = {
    "load": lambda value: NET.simulate(load=value),
    "vcs": lambda value: NET.simulate(load=0.1, vcs=value),
    "packet_flits": lambda value: NET.simulate(load=0.1, packet_flits=value),
    "prove": lambda value: NET.prove(None, value),
    "route": lambda value: NET.route(value, 1),
    "router_at": lambda value: NET.net.router_at(value),
    "spec": lambda value: NET.renamed(value) if not isinstance(value, str) else jumpnet.network(value),
}


@pytest.mark.parametrize("number", range(len(ODD)))
@pytest.mark.parametrize("name", CALLS)
def test_an_odd_value_is_one_line(name: str, number: int) -> None:
    """Some ended in a ValueError or an AttributeError, others repeated a million letters or all of an array."""
    with pytest.raises(JumpnetError) as error:
        CALLS[name](ODD[number])
    assert "\n" not in str(error.value) and len(str(error.value)) < 5000


def test_virtual_channels_of_eight_bits_are_as_many() -> None:
    """They wrapped round in products: so many of them were a ValueError, or other figures."""
    assert bind("torus.dateline", NET.net, np.int8(3)).vcs == 3
    assert type(bind("torus.dateline", NET.net, np.int8(3)).vcs) is int
    assert NET.prove(None, np.int8(3)).rows() == NET.prove(None, 3).rows()


def test_routers_as_numbers_and_pairs() -> None:
    assert NET.net.router_at(7) == 7 and NET.net.router_at((1, 2)) == NET.net.router_at("1,2")
