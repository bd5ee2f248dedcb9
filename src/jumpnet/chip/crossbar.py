"""The 10 x 11 crossbar: who drives which output, and the round robin arbiter of each output.

Source: nishi1997router sections 4.1 and 4.2.3. One input drives every output it was granted with the same flits; an
output belongs to a packet from its first flit to its last. The next owner is chosen in the clock in which the last
flit passes, so that packets follow each other without a gap. Choices A1 to A5 of docs/decisions/0050. Used by `chip`.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.chip.buffer import PacketBuffer
from jumpnet.chip.links import FLIT, LAST, LINKS, OUTPUTS, TAG

__all__ = ["Crossbar", "RoundRobin", "Transfer"]


class RoundRobin:
    """Serves its requesters in turn.

    >>> arbiter = RoundRobin(3)
    >>> [arbiter.grant({0, 1, 2}), arbiter.grant({0, 1, 2}), arbiter.grant({0, 1}), arbiter.grant({2})]
    [0, 1, 0, 2]
    """

    def __init__(self, requesters: int) -> None:
        self.requesters = requesters
        self.last = requesters - 1

    def grant(self, asking: set[int]) -> int:
        """The next one after the last one served."""
        for k in range(1, self.requesters + 1):
            i = (self.last + k) % self.requesters
            if i in asking:
                self.last = i
                return i
        raise ValueError("nobody asks")


@dataclass
class Transfer:
    """One pass of a packet through the crossbar."""

    buffer: PacketBuffer
    way: int
    outputs: dict[int, int]
    """Virtual channel on each output."""
    tag: int | None = None
    """Tag flit that goes ahead."""
    position: int = 0

    @property
    def ends_next(self) -> bool:
        """Whether its last flit passes in the next clock for certain."""
        return self.tag is None and self.buffer.is_last(self.position) and self.buffer.available(self.position)

    def pull(self) -> tuple[int, int] | None:
        """The next flit and its strobe, or None for a bubble."""
        if self.tag is not None:
            flit, self.tag = self.tag, None
            return flit, TAG
        k = self.position
        if not self.buffer.available(k):
            return None
        self.position += 1
        return self.buffer.read(k, self.way), LAST if self.buffer.is_last(k) else FLIT


class Crossbar:
    """What is connected."""

    def __init__(self) -> None:
        self.arbiters = [RoundRobin(LINKS) for _ in range(OUTPUTS)]
        self.transfer: list[Transfer | None] = [None] * LINKS
        """The pass that each input sends."""
        self.owner: list[int | None] = [None] * OUTPUTS
        """The input that drives each output."""

    def connect(self, link: int, transfer: Transfer) -> None:
        """An input starts to drive its outputs."""
        for output in transfer.outputs:
            if self.owner[output] is not None:
                raise AssertionError(f"output {output} has two owners")
            self.owner[output] = link
        self.transfer[link] = transfer

    def release(self, link: int) -> None:
        """The pass of an input has ended."""
        transfer = self.transfer[link]
        assert transfer is not None
        for output in transfer.outputs:
            self.owner[output] = None
        self.transfer[link] = None

    def vc_on(self, output: int) -> int | None:
        """The virtual channel that an output is sending on, None when it is free."""
        link = self.owner[output]
        transfer = None if link is None else self.transfer[link]
        return None if transfer is None else transfer.outputs[output]
