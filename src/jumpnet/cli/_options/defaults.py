"""The routing of a command that names none, and the words that say why it is that one. Used by verbs that route."""

from __future__ import annotations

from jumpnet.networks import Network
from jumpnet.routings import default_choice

__all__ = ["routing_for"]


def routing_for(net: Network, named: str, vcs: int | None) -> tuple[str, dict[str, str]]:
    """The routing named or left out, and what a row says of a choice among routings that are not the family's own.

    >>> from jumpnet.topology import build
    >>> routing_for(build("torus:4x4"), "", None)
    ('torus.dateline', {})
    """
    if named:
        return named, {}
    name, why = default_choice(net, vcs)
    return name, {"routing_why": why} if why else {}
