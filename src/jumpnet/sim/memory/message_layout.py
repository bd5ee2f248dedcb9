"""The fields of the rows that a simulation has where packets branch, besides those of `memory.layout`; all int64.

Kernels take rows by name (`memory.rows`). Acknowledges are packets like any other, of a message, at a place of its
tree.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.sim.memory.fields import places

# Roles of a packet.
DATA = 0
UP_ACK = 1
"""Acknowledge from a place to its parent: one link."""
LOCAL_ACK = 2
"""From a terminal to the combining unit of its own router, or to the terminal there that counts."""
FINAL = 3
"""From the combining unit of the source's router to the source."""
ONE_ACK = 4
"""Acknowledge of one receiver, all the way to the source by a plan of its own."""

# What is reported of a message that was posted from outside (`multicast.outside`).
ALONE = 0
"""A packet to one destination has arrived."""
TAKEN = 1
"""A terminal has taken the message at a place, and is to acknowledge it where asked."""
TAKEN_LAST = 2
"""The same of a message without acknowledges, by the last terminal."""
COUNTED = 3
"""An acknowledge that a terminal is to count for a place has arrived."""
ACKNOWLEDGED = 4
"""All have acknowledged, which the source knows."""


class PlaceRow(NamedTuple):
    """Place of a tree (see `messages.Forest`); the replies of its sinks come after it."""

    router: int
    parent: int
    port: int
    vc: int
    sinks: int
    drops: int
    branch: int
    branches: int
    back: int
    origin: int
    again: int


class MessageRow(NamedTuple):
    """Message."""

    created: int
    start: int
    """First place of its plan, -1 for a packet that the routing takes to terminal `to_terminal`."""
    flits: int
    ack: int
    base: int
    """Its first tally."""
    last_arrival: int
    acknowledged: int
    to_come: int
    received: int
    source: int
    following: int
    """Next message of its terminal."""
    to_terminal: int
    number: int
    """That of the packet at its source, which its draws are counted by."""


class TallyRow(NamedTuple):
    """One for each place of each message with combined acknowledges, at `base` + place - `start` of the message."""

    left: int
    """Acknowledges to come."""
    in_unit: int
    """Whether the combining unit counts them."""


MESSAGE_ROW, TALLY_ROW = places(MessageRow), places(TallyRow)
MESSAGE_FIELDS, TALLY_FIELDS = len(MESSAGE_ROW), len(TALLY_ROW)
REPLY = len(PlaceRow._fields)
