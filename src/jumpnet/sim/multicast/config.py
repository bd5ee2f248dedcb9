"""Settings of multicast in a simulation: how many packets are multicasts, to whom, how sent and how answered.

They stand beside those of `SimConfig`, with other names, so that one list of `--set KEY=VALUE` serves both.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from jumpnet.settings.model import Model


class MulticastConfig(Model):
    """Every setting of multicast; frozen, unknown names refused. Raises JumpnetError in one line.

    >>> MulticastConfig(destinations=4, acknowledge="combined").combining_entries
    4
    """

    multicast: str = "paths"
    """Trees: `paths` of the routing, on any network, or `chip`, the bit-map schemes on RDTs (see `trees`)."""
    tree_routing: str = ""
    """Routing whose paths make the trees of `paths`, when the routing of the other packets gives choices."""
    scheme: str = ""
    """Bit-map scheme of `chip`: SM, LPRA, LARP, LARP:path, REMAKE or full."""
    multicast_share: float = Field(default=1.0, ge=0.0, le=1.0)
    """Part of the created packets that are multicasts; the others go to one destination by the traffic pattern."""
    destinations: int = Field(default=8, ge=1)
    """Terminals that a multicast is for."""
    sigma: float = Field(default=0.0, ge=0.0)
    """Standard deviation of their offsets from the source in x and y (RDTs); 0 means anywhere, uniformly."""
    destination_sets: int = Field(default=2, ge=1, le=1 << 20)
    """Different sets of destinations of each source, which takes them in turn."""
    repeated: bool = False
    """Whether a multicast is sent as one packet to each destination, instead of one that branches."""
    acknowledge: Literal["none", "direct", "combined"] = "none"
    """How receivers answer. Packets to one destination answer directly."""
    ack_flits: int = Field(default=3, ge=1, le=10**6)
    """Length of an acknowledge."""
    ack_delay_cycles: int = Field(default=0, ge=0, le=10**6)
    """From the receipt of a tail to the creation of the acknowledge by a terminal."""
    combining_entries: int = Field(default=4, ge=0, le=10**6)
    """Combining buffers of a router; where none is free a terminal counts."""
    remake_cycles: int = Field(default=0, ge=0, le=10**6)
    """Under REMAKE, from the receipt of a tail to the creation of the packet with the new map by a terminal."""

    def replace(self, **changes: Any) -> MulticastConfig:
        """A checked copy with changes; raises JumpnetError."""
        return MulticastConfig(**{**self.model_dump(), **changes})
