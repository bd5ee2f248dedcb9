"""Lists of packets to replay: their columns are whole numbers, one of each packet, or one line says which is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import preset
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import PacketList

COLUMNS: dict[str, Any] = {"cycle": [0, 1, 2], "source": [0, 1, 2], "destination": [1, 2, 3], "flits": [2, 2, 2]}


@pytest.mark.parametrize("name", ["source", "destination", "flits"])
@pytest.mark.parametrize("odd", [[1, 2], [1, 2, 3, 1], [[1, 2, 3]]])
def test_columns_have_a_number_for_each_packet(name: str, odd: Any) -> None:
    """Longer ones were cut in silence."""
    packets = PacketList(**{**COLUMNS, name: np.array(odd)})
    with pytest.raises(JumpnetError, match=f"^{name} of the trace: an array of shape .* found, 3 numbers expected"):
        simulate("mesh:2x2", trace=packets)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_have_whole_numbers(name: str) -> None:
    """Halves were cut off in silence."""
    packets = PacketList(**{**COLUMNS, name: np.array([0.5, 1, 2])})
    with pytest.raises(JumpnetError, match=f"^{name} of the trace is an array of float64, whole numbers expected"):
        simulate("mesh:2x2", trace=packets)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("odd", [None, "x", object()])
def test_columns_are_numbers(name: str, odd: Any) -> None:
    packets = PacketList(**{**COLUMNS, name: odd})
    for run in (
        lambda: simulate("mesh:2x2", trace=packets),
        lambda: Engine(build("mesh:2x2"), None, preset("booksim"), packets),
    ):
        with pytest.raises(JumpnetError, match=f"^{name} of the trace is an array of .*, whole numbers expected"):
            run()


@pytest.mark.parametrize("name", COLUMNS)
def test_what_lies_behind_a_mask_is_no_packet(name: str) -> None:
    packets = PacketList(**{**COLUMNS, name: np.ma.masked_array(COLUMNS[name], [False, True, False])})
    with pytest.raises(JumpnetError, match=f"^{name} of the trace is an array with masked values, whole numbers"):
        simulate("mesh:2x2", trace=packets)


def test_no_packet_goes_to_what_is_no_number() -> None:
    with pytest.raises(JumpnetError, match="destination of the trace is an array of float64"):
        simulate("mesh:2x2", trace=PacketList(**{**COLUMNS, "destination": np.full(3, np.nan)}))


@pytest.mark.parametrize(
    ("name", "odd", "expected"),
    [("source", -1, "0 to 3"), ("destination", 4, "0 to 3"), ("cycle", -1, "0 to"), ("flits", 0, "1 to")],
)
def test_the_number_that_does_not_fit_is_named(name: str, odd: int, expected: str) -> None:
    with pytest.raises(JumpnetError, match=rf"{name} of the trace\[1\] is {odd}, {expected}"):
        simulate("mesh:2x2", trace=PacketList(**{**COLUMNS, name: np.array([2, odd, 1])}))
