"""`jumpnet protocol`: the transition tables of a coherence protocol, and every state that the model checker reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from jumpnet.cli._files import writable
from jumpnet.cli._networks import network_rows, networks_of, show_networks
from jumpnet.cli._options import AsJson, names_from, not_with, only_with
from jumpnet.cli._output import answer, emit_json, print_rows, printable
from jumpnet.coherence.check import Checked, SearchCheckpoint, check_protocol, checked_words
from jumpnet.coherence.liveness import Liveness, check_liveness
from jumpnet.coherence.murphi.export import murphi_model
from jumpnet.coherence.protocol import Row, protocol, protocols
from jumpnet.coherence.search.checkpoint import EVERY_CPU_SECONDS
from jumpnet.errors import JumpnetError
from jumpnet.graph.links import write_lines

NAME = "protocol"
PANEL = "Machine and coherence"
EXAMPLE = "jumpnet protocol mesi --caches 2 --rows"


def _table(title: str, rows: list[Row]) -> None:
    columns = ["state", "event", "next state", "actions"]
    print_rows(
        title,
        columns,
        [(r.state, r.event, r.following, ", ".join(" ".join(a).strip() for a in r.actions) or "-") for r in rows],
    )


def _row(found: Checked) -> dict[str, Any]:
    table = [
        {"home": home, "caches": names, "states": count, "at_rest": (home, names) in found.at_rest}
        for (home, names), count in found.table.items()
    ]
    return {
        "protocol": found.protocol,
        "caches": found.caches,
        "order": found.order,
        "acknowledges": found.acknowledges,
        "states": found.states,
        "all_states": found.all_states,
        "steps": found.steps,
        "depth": found.depth,
        "fault": found.fault,
        "path": found.path,
        "compact": found.compact,
        "missed": found.missed,
        "unused": found.unused,
        "table": table,
    }


def _ended(found: Liveness) -> dict[str, Any]:
    return {
        "ends": found.ends,
        "states": found.states,
        "steps": found.steps,
        "waits": found.waits,
        "path": found.path,
        "loop": found.loop,
    }


def _show_liveness(found: list[Liveness]) -> None:
    """Whether requests end, and the loops in which one does not."""
    if not found:
        return
    verdicts = {one.protocol: "not asked: a fault" if one.fault else "no" if one.waits else "yes" for one in found}
    print_rows(
        "requests, if whatever may arrive again and again does arrive",
        ["protocol", "states", "steps", "every request ends"],
        [(one.protocol, one.states, one.steps, verdicts[one.protocol]) for one in found],
    )
    for one in found:
        if one.waits:
            print_rows(f"{one.protocol}: the way to a loop", ["step"], [[step] for step in one.path])
            endless = f"{one.protocol}: cache 1 waits in {one.waits}, again and again"
            print_rows(endless, ["step"], [[step] for step in one.loop])


def _show(found: list[Checked]) -> None:
    """The numbers of the searches, and how likely a state was missed where hashes stood for them."""
    one = found[0]
    compact = one.compact > 0
    columns = ["protocol", "states", "caches told apart", "steps", "depth", "fault"]
    print_rows(
        f"{one.caches} caches, order {one.order}, acknowledges {one.acknowledges}"
        + f", {one.compact} bits of a hash for a state" * compact,
        columns + ["a state missed with"] * compact,
        [
            (f.protocol, f.states, f.all_states, f.steps, f.depth, f.fault or "none", *[f"{f.missed:.2g}"] * compact)
            for f in found
        ],
    )


def _checkpoint(
    folder: Path | None, every: float, name: str, caches: int, words: dict[str, str], liveness: bool
) -> SearchCheckpoint | None:
    """Where a search is kept, if anywhere; nothing is made for one that is refused."""
    if folder is None:
        only_with("--checkpoint", {"--checkpoint-every": every != EVERY_CPU_SECONDS and f"{every}"})
        return None
    not_with("--checkpoint", {"--liveness": liveness})
    if not name:
        raise JumpnetError("--checkpoint without a protocol found, one expected: a folder holds one search")
    checked_words(protocol(name), caches, words["order"], words["acknowledges"])
    return SearchCheckpoint(folder, every)


def _export(out: str, name: str, caches: int, order: str, acknowledges: str, others: dict[str, bool]) -> None:
    """Write a protocol as a Murphi model."""
    if not name:
        raise JumpnetError("--export without a protocol found, one expected: a file holds one model")
    if given := next((option for option, was in others.items() if was), ""):
        raise JumpnetError(f"{given} with --export found, which checks and shows nothing; one of the two expected")
    text = murphi_model(protocol(name), caches, order=order, acknowledges=acknowledges)
    if out == "-":
        answer().write(text)
        return
    writable(out)
    write_lines(out, iter(text.splitlines()))
    print(printable(f"{out}: {name}, {caches} caches, order {order}, acknowledges {acknowledges}"))


PROTOCOL = typer.Argument(
    "",
    metavar="NAME",
    help="Protocol: msi, mesi, moesi, update, dragon or mixed; all if left out.",
    autocompletion=names_from("jumpnet.coherence.protocol", "protocols"),
)


def run(
    name: str = PROTOCOL,
    caches: int = typer.Option(3, "--caches", help="Caches that share the line, 1 to 11."),
    order: str = typer.Option(
        "any", "--order", help="Order of messages: any, or fifo (between two nodes they stay in order)."
    ),
    acknowledges: str = typer.Option(
        "single", "--acknowledges", help="Acknowledges: single, or combined in the network."
    ),
    rows: bool = typer.Option(False, "--rows", help="Show the transition tables too."),
    liveness: bool = typer.Option(
        False, "--liveness", help="Ask too whether every request ends; caches told apart, so four at most in practice."
    ),
    compact: int = typer.Option(
        0,
        "--compact",
        metavar="BITS",
        help="Keep 8 to 62 bits of a hash of each state in memory, the states on disk; says how likely one was missed.",
    ),
    checkpoint: Path | None = typer.Option(
        None, "--checkpoint", metavar="FOLDER", help="Folder to keep a long search in, and to go on from."
    ),
    every: float = typer.Option(EVERY_CPU_SECONDS, "--checkpoint-every", help="CPU seconds between two checkpoints."),
    states: bool = typer.Option(False, "--states", help="Show the reachable states of home and caches too."),
    networks: bool = typer.Option(
        False, "--networks", help="Show too the least number of virtual networks, and which kinds may share one."
    ),
    export: str = typer.Option(
        "", "--export", metavar="FILE", help="Check nothing; write a model for Murphi or Rumur. - is standard output."
    ),
    as_json: AsJson = False,
) -> None:
    """Check coherence protocols in all reachable states: no two writers, no stale read, no stuck state."""
    if export:
        others = {"--rows": rows, "--states": states, "--liveness": liveness, "--networks": networks,
                  "--compact": bool(compact), "--checkpoint": checkpoint is not None, "--json": as_json}  # fmt: skip
        _export(export, name, caches, order, acknowledges, others)
        return
    chosen = [protocol(name)] if name else list(protocols().values())
    words = {"order": order, "acknowledges": acknowledges}
    kept = _checkpoint(checkpoint, every, name, caches, words, liveness)
    found = [check_protocol(made, caches, **words, compact=compact, checkpoint=kept) for made in chosen]
    ends = [check_liveness(made, caches, order=order, acknowledges=acknowledges) for made in chosen if liveness]
    shared = [networks_of(made) for made in chosen if networks]
    if as_json:
        more = [{"liveness": _ended(ends[k])} if liveness else {} for k in range(len(found))]
        share = [{"networks": network_rows(shared[k])} if networks else {} for k in range(len(found))]
        emit_json([_row(one) | more[k] | share[k] for k, one in enumerate(found)])
    else:
        for made, one in zip(chosen, found, strict=True):
            if rows:
                _table(f"{made.name}: a cache", list(made.cache_rows.values()))
                _table(f"{made.name}: the home", list(made.home_rows.values()))
            if states:
                print_rows(
                    f"{made.name}: states by home and caches",
                    ["home", "caches", "states", "at rest"],
                    [(h, " ".join(c), n, "yes" if (h, c) in one.at_rest else "") for (h, c), n in one.table.items()],
                )
        _show(found)
        _show_liveness(ends)
        if networks:
            show_networks(shared)
        for one in found:
            if one.fault:
                print_rows(f"{one.protocol}: the way to {one.fault}", ["step"], [[step] for step in one.path])
    if any(one.fault for one in found) or not all(one.ends for one in ends):
        raise typer.Exit(1)
