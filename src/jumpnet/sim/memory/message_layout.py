"""The fields of the rows that a simulation has where packets branch, besides those of `memory.layout`; all int64.

Acknowledges are packets like any other, of a message, at a place of its tree.
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

# How a message is acknowledged.
NO_ACK = 0
DIRECT = 1
"""Every receiver sends an acknowledge of its own to the source."""
COMBINED = 2
"""Acknowledges go back along the tree, one link each, and are counted where the packet branched."""

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
HANDED = 5
"""A terminal has taken the message at a place to make it anew, and is to send it on."""
GATHERED = 6
"""All have acknowledged what a terminal made anew, which is to be told so; the place is where that packet started."""

# What a terminal says of such a message.
ACKNOWLEDGES, COUNTS, SENDS_ON, PASSES_ON = 0, 1, 2, 4
"""It acknowledges what it took at a place, counts an acknowledge, sends on what it made anew, or has heard of all."""


class PlaceRow(NamedTuple):
    """Place of a tree (see `messages.Forest`); the replies of its sinks come after it."""

    router: int
    parent: int
    """Place that it is reached from, -1 where a packet starts."""
    port: int
    """Output port and virtual channel there, by which it is reached."""
    vc: int
    sinks: int
    """Bit x: sink x of the router takes the packet."""
    drops: int
    """1 where the terminals here take the packet without being its receivers."""
    branch: int
    """First of its branches, which are the places after it."""
    branches: int
    back: int
    """Port that leads from its router back to its parent's, -1 where a packet starts."""
    origin: int
    """Where a packet starts that a processor has made anew: the place at which that processor took it; else -1."""
    again: int
    """The other way round: where the packet starts that the processor here makes anew, -1 where it makes none."""


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
    """That of the packet at its source, which its draws are counted by; the caller's where it was posted."""
    plan: int
    """Number of its plan where it was posted from outside."""


class PlanRow(NamedTuple):
    """Plan of messages that are posted from outside."""

    start: int
    """Its first place."""
    places: int
    takers: int
    size: int
    """Which of SIZES its combined messages have: tallies for all its places."""


class TallyRow(NamedTuple):
    """One for each place of each message with combined acknowledges, at `base` + place - `start` of the message."""

    left: int
    """Acknowledges to come."""
    in_unit: int
    """Whether the combining unit counts them."""


MESSAGE_ROW, PLACE_ROW, TALLY_ROW = places(MessageRow), places(PlaceRow), places(TallyRow)
MESSAGE_FIELDS, TALLY_FIELDS = len(MESSAGE_ROW), len(TALLY_ROW)
PLAN_FIELDS = len(PlanRow._fields)
SIZES = 40
"""Messages that were posted have rows for no tallies (size 0) or for 1 << (size - 1)."""
REPLY = len(PlaceRow._fields)
