"""Runs of the timed machine whose messages something else than a simulated network carries, cycle by cycle in Python.

What replays a fault carries them at the times of its tables (`own_steps`), and tests at times that they draw.
"""

from __future__ import annotations

from typing import Any, Protocol

from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as kernel
from jumpnet.machine.timed.kernels import turns as turns
from jumpnet.machine.timed.start import grow
from jumpnet.terms import I64

__all__ = ["Carrier", "run_carried"]


class Carrier(Protocol):
    """What carries messages from node to node."""

    @property
    def empty(self) -> bool:
        """Whether no message is on the way."""
        ...

    def post(self, row: I64, source: I64, to: I64, sent: I64, flits: I64) -> None:
        """Take messages (K,), named by `row`, that are sent at cycles `sent`, none before the cycle advanced to."""
        ...

    def advance(self, cycle: int) -> tuple[I64, I64]:
        """Go on to a cycle: rows and cycles of arrival of what arrives by it, none in the cycle of its sending."""
        ...


def run_carried(run: Any, carrier: Carrier) -> None:
    """Run a machine to its end, whose nodes have room for all messages and whose packets do not branch in routers.

    run: a run of `machine`, of which `m`, `leads` and `events` are needed.
    """
    m, now, of = run.m, 0, at.MESSAGE
    run.leads = 1, 1, 1
    kernel.start_all(m.address)
    while True:
        on_the_way = m.count[at.COUNT.out] > 0 or not carrier.empty
        m.count[at.COUNT.horizon] = now + 1 if on_the_way else at.FOREVER
        run.events()
        if not on_the_way and m.count[at.COUNT.out] == 0:
            return
        now = int(m.count[at.COUNT.horizon])
        row = m.due[: int(turns.sort_due(m.address))].copy()
        sent = m.message.reshape(-1, len(of))[row // len(of)]
        carrier.post(row, sent[:, of.source], sent[:, of.to], sent[:, of.sent], sent[:, of.flits])
        row, arrived = carrier.advance(now)
        done = 0
        while (done := kernel.carried(m.address, row, arrived, done)) < len(row):
            grow(m)
