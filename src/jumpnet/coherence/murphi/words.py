"""The words of a protocol as identifiers of a Murphi model, and which messages go through which channel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from jumpnet.coherence.protocol import Protocol

__all__ = ["Channel", "Words", "indented", "quoted"]


def indented(lines: list[str], by: int = 1) -> list[str]:
    """Lines further to the right, two places each.

    >>> indented(["a", "b"])
    ['  a', '  b']
    """
    return ["  " * by + line for line in lines]


def quoted(text: str) -> str:
    """A string of Murphi, without what would end it.

    >>> print(quoted('no row for "X"'))
    "no row for 'X'"
    """
    return '"' + text.replace("\\", "/").replace('"', "'") + '"'


def _identifiers(prefix: str, words: list[str]) -> dict[str, str]:
    """An identifier for each word; apart also where letters small and large are one."""
    found: dict[str, str] = {}
    taken = set()
    for word in words:
        made = base = prefix + re.sub(r"[^0-9A-Za-z]", "_", word)
        k = 2
        while made.lower() in taken:
            made, k = f"{base}_{k}", k + 1
        taken.add(made.lower())
        found[word] = made
    return found


@dataclass(frozen=True)
class Channel:
    """One of the three ways between a node and the home, or the way from other nodes."""

    name: str
    """Of the record's field: `down`, `asked`, `up` or `side`."""
    messages: dict[str, str]
    """Identifier of each message that may be in it."""
    lines: tuple[str, ...]
    """Identifiers of those that carry the line."""

    @property
    def type(self) -> str:
        """The Murphi type of its messages, which its procedures are called after as well."""
        return self.name.capitalize()

    def value(self, name: str) -> str:
        """What stands for the value of the line where message `name` is taken."""
        return "v" if name in self.lines else "fresh"


@dataclass(frozen=True)
class Words:
    """A protocol with the names that its Murphi model gives to things."""

    protocol: Protocol
    combined: bool
    """Acknowledges are joined in the network: none is in a channel."""

    @cached_property
    def cache(self) -> dict[str, str]:
        """Identifier of each state of a cache, the first one first."""
        rows = self.protocol.cache_rows.values()
        return _identifiers("c_", list(dict.fromkeys(state for row in rows for state in (row.state, row.following))))

    @cached_property
    def home(self) -> dict[str, str]:
        """Identifier of each state of the home, the first one first."""
        rows = self.protocol.home_rows.values()
        return _identifiers("h_", list(dict.fromkeys(state for row in rows for state in (row.state, row.following))))

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that some message uses, from the home first."""
        home = [action for row in self.protocol.home_rows.values() for action in row.actions]
        rows = self.protocol.cache_rows.values()
        sent = [m for row in rows for name, m in row.actions if name in ("send", "pass")]
        requests = self.protocol.requests
        answers = [m for m in sent if m not in requests and not (self.combined and m.endswith("Ack"))]
        down = [message or "PutAck" for name, message in home if message or name == "ack"]
        made = [
            self._channel("down", down),
            self._channel("asked", [m for m in sent if m in requests]),
            self._channel("up", answers),
            self._channel("side", sorted(self.protocol.passed)),
        ]
        return tuple(channel for channel in made if channel.messages)

    def _channel(self, name: str, messages: list[str]) -> Channel:
        words = _identifiers(name[0] + "_", list(dict.fromkeys(messages)))
        return Channel(name, words, tuple(words[m] for m in words if m in self.protocol.lines))

    def channel(self, name: str) -> Channel | None:
        """The channel of that name, None where nothing ever is in it."""
        return next((channel for channel in self.channels if channel.name == name), None)
