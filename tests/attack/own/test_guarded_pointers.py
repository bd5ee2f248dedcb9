"""Guards of one's own compiled functions: channels that are none, errors, fields of a header that are put back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.own.strict import RAISED
from jumpnet.routings import bind
from jumpnet.routings._guarded import guard_outlook, guard_relation, guard_start
from jumpnet.routings.view import (
    HEADER_FIELDS,
    INTERMEDIATE,
    KIND,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    ROUTING_FIELDS,
    STATE,
    VC,
)
from jumpnet.topology import build

pytestmark = pytest.mark.skipif(DISABLED, reason="nothing is compiled")

BOUND = bind("torus.dateline", build("torus:4x4"))  # it keeps what lies at the addresses
VIEW = BOUND.view
PORTS, VCS = 4, VIEW.vcs


def asked(pointer: Any, head: np.ndarray, rows: np.ndarray, here: int = 3) -> int:
    """What a relation's pointer answers."""
    return int(pointer.ctypes(VIEW.address, here, head.ctypes.data, rows.ctypes.data))


def relation(net, here, head, out):
    """Rows as the header says: how many, and port and channel of the last."""
    for k in range(head[0]):
        out[k, PORT] = out[k, VC] = out[k, NEXT_STATE] = out[k, KIND] = 0
    if head[0] > 0:
        out[head[0] - 1, PORT], out[head[0] - 1, VC] = head[1], head[STATE]
    return head[0] + net.neighbor[here, 0] * 0


def test_a_channel_that_is_none_an_index_out_of_range_and_an_error_before_are_raised() -> None:
    guarded, outlook = guard_relation(relation), guard_outlook(relation)
    rows = np.zeros((MAX_CANDIDATES, 4), np.int64)
    for count, port, vc, fine in (
        (0, 0, 0, True), (2, PORTS - 1, VCS - 1, True), (2, PORTS, 0, False), (2, -1, 0, False), (2, 0, VCS, False),
        (2, 0, -1, False), (MAX_CANDIDATES, 1, 0, True), (MAX_CANDIDATES, PORTS, 0, False),
    ):  # fmt: skip
        head = np.zeros(HEADER_FIELDS, np.int64)
        head[0], head[1], head[STATE] = count, port, vc
        assert asked(guarded, head, rows) == (count if fine else RAISED), (count, port, vc)
        assert asked(outlook, head, rows) == count
        head[INTERMEDIATE] = RAISED
        assert asked(guarded, head, rows) == RAISED
    head = np.zeros(HEADER_FIELDS, np.int64)
    for pointer in (guarded, outlook):
        head[0] = MAX_CANDIDATES + 1
        assert asked(pointer, head, rows) == RAISED
        head[0] = 0
        assert asked(pointer, head, rows, here=10**6) == RAISED


def writes_all(net, head, draw, queue):
    """Every field of the header that is its routing's, and more where `draw` says so."""
    for k in range(ROUTING_FIELDS + draw):
        head[k] = 70 + k


@pytest.mark.parametrize(("draw", "middle"), [(0, 70 + INTERMEDIATE), (1, RAISED)])
def test_what_a_start_hook_may_not_write_is_put_back(draw: int, middle: int) -> None:
    start = guard_start(writes_all)
    head, queue = np.arange(HEADER_FIELDS), np.zeros(max(1, VIEW.queues), np.int64)
    start.ctypes(VIEW.address, head.ctypes.data, draw, queue.ctypes.data)
    expected = np.arange(HEADER_FIELDS)
    expected[[STATE, INTERMEDIATE]] = 70 + STATE, middle
    assert head.tolist() == expected.tolist()
