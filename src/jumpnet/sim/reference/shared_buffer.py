"""A buffer that the virtual channels of a port share, as whoever sends into it keeps account of it.

Slots are counted as flits are sent and credits come back, as in BookSim 2; the kernel counts them anew each time.
"""

from __future__ import annotations

from jumpnet.sim.config.sim_config import SimConfig

__all__ = ["SharedBuffer"]


class SharedBuffer:
    """Slots of an input port with so many virtual channels."""

    def __init__(self, config: SimConfig, vcs: int) -> None:
        self.c, self.size, parts = config, config.lane_flits(vcs), config.parts_of_a_port(vcs)
        self.part = [max(i for i in range(parts) if i * vcs // parts <= v) for v in range(vcs)]
        self.flits, self.kept = [0] * vcs, [0] * vcs
        """Of each channel, flits whose credits are not back, and slots that its packet keeps without one."""
        self.used = [0] * parts
        """Slots of each part that are taken, its own first."""
        self.shared, self.shared_size = 0, self.size - parts * config.private_flits
        """Slots beyond what parts have of their own: taken, and all."""
        self.held: dict[int, int] = {}
        """Channels that packets hold, and the step since when."""

    def take(self, v: int, t: int) -> None:
        """A packet gets channel v in step t."""
        self.held[v] = t

    def send(self, v: int, is_tail: bool) -> None:
        """A flit is sent into channel v."""
        self.flits[v] += 1
        if self.kept[v]:
            self.kept[v] = 0
        else:
            self.used[self.part[v]] += 1
            self.shared += int(self.used[self.part[v]] > self.c.private_flits)
        if is_tail:
            del self.held[v]

    def free(self, v: int) -> None:
        """A credit of channel v is back."""
        self.flits[v] -= 1
        if v in self.held and self.flits[v] == 0:
            self.kept[v] = 1
            return
        self.used[self.part[v]] -= 1
        self.shared -= int(self.used[self.part[v]] >= self.c.private_flits)

    def most(self, t: int) -> int:
        """Flits that a channel may have, by the channels that packets held before step t."""
        active = sum(since < t for since in self.held.values())
        if self.c.buffer_policy == "limited":
            return self.c.held_flits or self.size
        if self.c.buffer_policy == "dynamic":
            return self.size // max(1, active)
        return self.size >> max(0, active - 1).bit_length() if self.c.buffer_policy == "shifting" else self.size

    def is_full(self, v: int, t: int) -> bool:
        """Whether channel v gets no flit in step t."""
        if self.flits[v] >= self.most(t):
            return True
        own_full = self.used[self.part[v]] >= self.c.private_flits
        return not self.kept[v] and own_full and self.shared >= self.shared_size
