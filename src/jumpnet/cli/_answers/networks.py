"""What `jumpnet protocol --networks` says: the least number of virtual networks, who shares which, why not fewer."""

from __future__ import annotations

from typing import Any

from jumpnet.cli._command.output import print_rows
from jumpnet.coherence.networks.kinds import ENDPOINTS, kinds_of
from jumpnet.coherence.networks.least import Networks, least_networks
from jumpnet.coherence.protocol import Protocol

__all__ = ["network_rows", "networks_of", "show_networks"]


def networks_of(protocol: Protocol) -> list[Networks]:
    """The least number for each kind of endpoint."""
    kinds = kinds_of(protocol)
    return [least_networks(kinds, endpoints) for endpoints in ENDPOINTS]


def network_rows(found: list[Networks]) -> list[dict[str, Any]]:
    """The same as `--json` has it."""
    return [
        {"endpoints": one.endpoints, "least": one.least, "groups": one.groups, "why_not_fewer": one.why}
        for one in found
    ]


def show_networks(found: list[list[Networks]]) -> None:
    """The same for a person: a table of all protocols, then who shares which network.

    No two kinds of a chain may share one: each waits for the next.
    """
    print_rows(
        "least number of virtual networks",
        ["protocol", "endpoints", "networks", "chain"],
        [
            (one.protocol, one.endpoints, one.least or "none is enough", " -> ".join(_chain(one)))
            for each in found
            for one in each
        ],
    )
    for each in found:
        for one in each:
            if one.groups:
                title = f"{one.protocol}, endpoints {one.endpoints}: kinds of each network"
                print_rows(title, ["network", "kinds"], [(k, " ".join(names)) for k, names in enumerate(one.groups)])


def _chain(found: Networks) -> tuple[str, ...]:
    return found.why if found.least is not None else (*found.why, *found.why[:1])
