"""Parts of a timed machine that do not go together, and costs of what it does not do: refused. Called by `machine`."""

from __future__ import annotations

from jumpnet.coherence.rules import codes as rule
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.coherence.store import pair_of
from jumpnet.coherence.without_effect import refuse_unused
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import BRANCHES, Design
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.trees import Trees, require_makers

__all__ = ["check_together"]


def check_together(design: Design, trees: Trees | None, entries: Entries | None, nodes: int | None = None) -> None:
    """Raise JumpnetError for parts that do not go together, and for costs of what the machine does not do.

    nodes: of the machine; None where they are not known yet.
    """
    refuse_unused(
        (
            design.acknowledges == "combined",
            "acknowledges 'combined'",
            trees,
            "multicast: they are combined in its trees",
        ),
        (design.branches != BRANCHES[0], f"branches {design.branches!r}", trees, "multicast: nothing else branches"),
    )
    if design.endpoint_room and design.branches != BRANCHES[0]:
        found = "room for few messages found with multicasts that routers branch"
        raise JumpnetError(f"{found}, which have one virtual network: packets, and two networks at least, expected")
    if trees is not None and entries is not None:
        raise JumpnetError("multicast trees and entries to be told one after another found, one of them expected")
    _check_entries(design, entries)
    if trees is not None and nodes is not None:
        require_makers(trees, nodes)
    _refuse_unused_costs(design, trees, entries, nodes)


def _check_entries(design: Design, entries: Entries | None) -> None:
    """Raise JumpnetError for entries that the other parts have no use for."""
    if entries is not None and (entries.pointers or entries.chained) and (design.pruning or design.lists_holders):
        what = "pruning caches" if design.pruning else "pages that list their holders"
        raise JumpnetError(f"pointers or a list found with {what}, entries that list everybody expected")
    if entries is not None and entries.pointers and entries.chained:
        raise JumpnetError("pointers and a list found, one of them expected")
    if design.migrates and entries is not None and entries.pointers:
        raise JumpnetError("pages that migrate found with pointers, entries that list everybody expected")
    evicts, least = entries is not None and entries.evicts, design.rules.pointers
    if evicts != (least > 0):
        found = f"protocol {design.protocol}" + ("" if evicts else " without such entries")
        raise JumpnetError(f"{found} found, entries that take a copy for another and the protocol limited go together")
    if entries is not None and evicts and entries.pointers < least:
        raise JumpnetError(f"{entries.pointers} pointers found, at least {least} expected under {design.protocol}")
    if evicts and design.directory == "page":
        raise JumpnetError("directory page found with entries that take copies, line expected: a page has many lines")


def _fetches_lines(design: Design) -> bool:
    """Whether the home fetches lines from their owners: whoever is told of a request brings the line."""
    rows = rules_of(design.tables).rows
    return bool((rows & (rule.FETCHES | rule.TELLS) == rule.FETCHES).any())


def _refuse_unused_costs(design: Design, trees: Trees | None, entries: Entries | None, nodes: int | None) -> None:
    """Raise JumpnetError for costs of what this machine does not do."""
    one, two = pair_of("translation", design.translation)
    by_message = design.synchronisation != "free"
    heard = design.caches and (design.hints or design.tables.gives_up(in_silence=False))
    # Packets branch at their nodes; where routers branch them, arrivals at a barrier that are combined still do, and a
    # router without a node answers itself.
    by_nodes = design.branches == BRANCHES[0] or (design.acknowledges == "combined" and by_message)
    forwards = trees and (by_nodes or nodes is None or trees.reach > nodes)
    in_turn = trees is None and (entries is None or not entries.chained or by_message)
    fetches, forward = _fetches_lines(design), "multicasts whose packets routers take whole and send on"
    needs: dict[str, tuple[object, str]] = {
        "stage-1": (one, "a first stage of translation"), "stage-2": (two, "a second stage of translation"),
        "barrier-line": (design.synchronisation == "line", "a barrier line"),
        "sync": (not by_message, "synchronisation free of messages"), "forward": (forwards, forward),
        "remake": (trees and trees.remakes, "multicasts under REMAKE"), "page": (design.migrates, "pages that move"),
        "spacing": (in_turn, "messages one after another"),
        **dict.fromkeys(("fetch", "owners-data"), (fetches, "a protocol whose copies may be dirty beside readers")),
        **dict.fromkeys(("write-back", "write-back-done"), (heard, "caches of limited size and dirty copies or hints")),
        **dict.fromkeys(("lock", "grant", "unlock", "barrier", "release"), (by_message, "synchronisation by message")),
    }  # fmt: skip
    refuse_unused(*((True, f"cost {name}", *needs[name]) for name in design.costs.given() if name in needs))
