"""Ways of more hops than 15 bits hold: routed, or refused in one line, never "does not deliver"."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import _tables, bind
from jumpnet.routings.minimal import MINIMAL
from jumpnet.routings.view import new_head, new_out
from jumpnet.topology import build


@pytest.fixture
def path() -> Network:
    return build("mesh:9")


def test_tables_of_hops_refuse_what_they_cannot_hold(path: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _tables.distances(path).max() == 8
    monkeypatch.setattr(_tables, "FAR", 8)  # stands for 2**15 - 1, whose table takes 2 GB
    with pytest.raises(JumpnetError, match="mesh:9: 8 hops or more to router 0 found"):
        _tables.distances(path)
    with pytest.raises(JumpnetError, match="9 routers found, at most 8 expected"):
        _tables.up_down_distances(path, np.arange(9))


@pytest.mark.parametrize("least", [1, 32_760, 32_767, 46_000])
def test_minimal_reads_all_16_bits(path: Network, least: int) -> None:
    """As in a part of mesh:40000: the destination lies `least` hops behind the end of this path."""
    hops = np.arange(9)[None, :].repeat(9, axis=0) + least
    view = bind("minimal", path).view._replace(table=hops.astype(np.uint16).view(np.int16))
    out = new_out()
    for here in range(1, 9):
        assert MINIMAL.relation(view, here, new_head(8, 0), out) == 1
        assert path.neighbor[here, out[0, 0]] == here - 1


def test_no_way_stays_no_way() -> None:
    one_way = build("kautz:2,n=2,directed=true")
    table = _tables.long_distances(one_way)
    assert (table.view(np.uint16) < 10).all()
    cut = np.full(table.shape, _tables.LONG_FAR, np.uint16).view(np.int16)
    view = bind("minimal", one_way).view._replace(table=cut)
    assert MINIMAL.relation(view, 1, new_head(1, 0), new_out()) == -1
