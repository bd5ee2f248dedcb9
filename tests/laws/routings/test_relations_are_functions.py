"""What a user's relation answers follows from what it is given alone: else proofs would be about another one.

All are on a ring whose packets do not go over the wrap-around, unless something tells them to.
"""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import DESTINATION, IN_PORT, KIND, NEXT_STATE, PORT, STATE, VC, Prepared, Routing
from jumpnet.routings.reads import fields_read
from jumpnet.routings.writes import constants_written
from jumpnet.topology import build


def _bound(relation, spec="torus:5", **more):
    return Routing("test.told", relation, **more).bind(build(spec))


def _row(out, here, to, around):
    out[0, PORT] = 0 if to > here or around else 1
    out[0, VC] = out[0, NEXT_STATE] = out[0, KIND] = 0
    return 0 if here == to else 1


def _by_hops(net, here, head, out):
    return _row(out, here, head[DESTINATION], head[6] > 0)


def _by_length(net, here, head, out):
    field = 7
    return _row(out, here, head[DESTINATION], head[field] > 4)


def _by_what_was_there(net, here, head, out):
    kept = np.empty(40, np.int64)
    around = kept[9] == 7703
    kept[9] = 7700 + here
    return _row(out, here, head[DESTINATION], around) + kept.sum() * 0


@pytest.mark.parametrize(
    ("relation", "says"),
    [
        (_by_hops, "header field 6 found, 0 to 5 expected"),
        (_by_length, "index 7 of head found, 0 to 5 expected"),
        pytest.param(
            _by_what_was_there,
            "empty found, which holds what was there before: zeros expected",
            marks=pytest.mark.skipif(DISABLED, reason="nothing is compiled"),
        ),
    ],
)
def test_what_is_another_number_in_a_run_is_refused(relation, says):
    with pytest.raises(JumpnetError, match=says):
        prove(_bound(relation))


def _by_another_call(net, here, head, out):
    to = head[DESTINATION]
    around = out[5, PORT] == 7
    if to == 0 and here == 299:
        out[5, PORT] = 7
    return _row(out, here, to, around)


def _forgets_a_field(net, here, head, out):
    count = _row(out, here, head[DESTINATION], False)
    if head[DESTINATION] == 0 and here == 299:
        out[count, PORT] = out[count, VC] = out[count, KIND] = 0
        count += 1
    return count


def test_rows_are_blank_before_each_call_and_written_after_it():
    """On rings too large for all of their packets to be tried in plain Python."""
    assert prove(_bound(_by_another_call, "torus:301")).verdict == "free"  # it found what another packet had left
    with pytest.raises(JumpnetError, match="candidate 1 has no NEXT_STATE: it is not written"):
        prove(_bound(_forgets_a_field, "torus:301"))


def _positions(net, /, here, head, out):
    out[0][PORT] = 0 if head[DESTINATION] > here or head[IN_PORT] >= 0 else 1
    out[0][VC] = out[0][NEXT_STATE] = out[0][KIND] = 0
    return 0 if here == head[DESTINATION] else 1


def _came(here, by, head):
    return head[IN_PORT]


def _starred(net, here, head, out):
    pair = here, here
    return _row(out, here, head[DESTINATION], _came(*pair, head) >= 0)


@pytest.mark.parametrize("relation", [_positions, _starred])
def test_fields_are_seen_however_the_header_is_named(relation):
    """The proof left out by which channel packets had come."""
    assert IN_PORT in fields_read(relation, 2)
    assert prove(_bound(relation)).verdict == "deadlock"


def _hook(net, /, head, draw, queue):
    head[2] = draw


def _by_table(net, here, head, out):
    return _row(out, here, head[DESTINATION], net.own[0] == 1)


def test_what_is_prepared_otherwise_each_time_is_refused():
    turns = cycle([0, 1])
    bound = _bound(_by_table, prepare=lambda net, options: Prepared(np.array([next(turns)])))
    with pytest.raises(JumpnetError, match="asked again, prepare gives other numbers in own; the same expected"):
        prove(bound)


def _by_draw(net, head, draw, queue):
    head[STATE] = draw


def _in_state_1(net, here, head, out):
    return _row(out, here, head[DESTINATION], head[STATE] == 1)


def test_draws_that_are_others_each_time_are_refused():
    """The proof followed one draw, and a run began packets by two."""
    turns = cycle([1, 2])
    bound = _bound(_in_state_1, start=_by_draw, draws=lambda net, options: next(turns))
    with pytest.raises(JumpnetError, match="asked again, draws gives 2, after 1; the same expected"):
        prove(bound)


def test_what_a_hook_writes_is_seen_likewise():
    assert constants_written(_hook, 1, 2, 3) == {0, 1, 2}
