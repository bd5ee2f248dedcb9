"""Each thing that can be wrong with a candidate of a user's relation is one line that names it."""

from __future__ import annotations

import re

import pytest

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.routings import Routing

ROWS = {
    "a port beyond": ((9, 0, 0, 0), "names port 9, which is not there: 0 to 1 expected"),
    "a port below": ((-1, 0, 0, 0), "names port -1, which is not there"),
    "a port without a link": ((1, 0, 0, 0), "names port 1, where no link is"),
    "a channel beyond": ((0, 7, 0, 0), "names virtual channel 7, which is not there: 0 to 1 expected"),
    "a channel below": ((0, -1, 0, 0), "names virtual channel -1, which is not there"),
    "a kind beyond": ((0, 0, 0, 64), "has KIND 64, 0 to 3 expected"),
}


@pytest.mark.parametrize(("row", "words"), ROWS.values(), ids=ROWS)
def test_a_wrong_candidate_is_one_line(row: tuple[int, ...], words: str) -> None:
    def relation(net, here, head, out):
        if here == head[1]:
            return 0
        if here != 0:
            out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 1, 0, 0, 0
        else:
            out[0, 0], out[0, 1], out[0, 2], out[0, 3] = row
        return 1

    with pytest.raises(JumpnetError, match=re.escape(words)) as error:
        jumpnet.network("mesh:4").prove(Routing(name="own.row", relation=relation, vcs=2))
    assert "\n" not in str(error.value) and "router 0" in str(error.value)


@pytest.mark.parametrize("written", [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)])
def test_a_field_that_is_not_written_is_one_line(written: tuple[int, ...]) -> None:
    def relation(net, here, head, out):
        if here == head[1]:
            return 0
        for field in written:
            out[0, field] = 0
        return 1

    with pytest.raises(JumpnetError, match=r"candidate 0 has no (PORT|VC|NEXT_STATE|KIND): it is not written"):
        jumpnet.network("mesh:4").prove(Routing(name="own.hole", relation=relation, vcs=2))
