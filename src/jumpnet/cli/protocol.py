"""`jumpnet protocol`: the transition tables of a coherence protocol, and every state that the model checker reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from jumpnet.cli._answers.networks import network_rows, networks_of, show_networks
from jumpnet.cli._answers.replays import Replayed, replay_row, replayed, show_replay
from jumpnet.cli._command.output import answer, emit_json, print_rows, printable
from jumpnet.cli._options.files import picture, writable
from jumpnet.cli._options.protocol import Asked, Keeping, Modelled
from jumpnet.cli._options.shared import AsJson, names_from
from jumpnet.coherence.chart import chart_of
from jumpnet.coherence.check import Checked, check_protocol
from jumpnet.coherence.liveness import Liveness, check_liveness
from jumpnet.coherence.murphi.export import murphi_model
from jumpnet.coherence.protocol import Protocol, Row, protocol, protocols
from jumpnet.errors import JumpnetError
from jumpnet.graph.links import write_lines
from jumpnet.notices import notice

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


def _row(made: Protocol, found: Checked) -> dict[str, Any]:
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
        "chart": [step._asdict() for step in chart_of(made, found)],
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


def _export(name: str, model: Modelled, others: dict[str, bool], out: str) -> None:
    """Write a protocol as a Murphi model."""
    if not name:
        raise JumpnetError("--export without a protocol found, one expected: a file holds one model")
    if given := next((option for option, was in others.items() if was), ""):
        raise JumpnetError(f"{given} with --export found, which checks and shows nothing; one of the two expected")
    text = murphi_model(protocol(name), model.caches, **model.words)
    if out == "-":
        answer().write(text)
        return
    writable(out)
    write_lines(out, iter(text.splitlines()))
    print(printable(f"{out}: {name}, {model.caches} caches, order {model.order}, acknowledges {model.acknowledges}"))


def _draw(made: Protocol, found: Checked, file: Path) -> None:
    """Write the picture of the way to a fault, if there is one."""
    if not found.fault:
        notice(f"{file} is not written: no fault was found, so there is no way to draw")
        return
    from jumpnet.plot.messages import draw_messages

    draw_messages(made, found, file)


PROTOCOL = typer.Argument(
    "",
    metavar="NAME",
    help="Protocol, such as msi, mesi or chained (jumpnet list protocol); all if left out.",
    autocompletion=names_from("jumpnet.coherence.protocol", "protocols"),
)


def run(
    model: Modelled,
    asked: Asked,
    keeping: Keeping,
    name: str = PROTOCOL,
    as_json: AsJson = False,
) -> None:
    """Check coherence protocols in all reachable states: no two writers, no stale read, no stuck state."""
    if asked.export:
        others = {"--rows": asked.rows, "--states": asked.states, "--liveness": asked.liveness,
                  "--networks": asked.networks, "--replay": asked.replay, "--compact": bool(keeping.compact),
                  "--draw": asked.draw is not None,
                  "--checkpoint": keeping.checkpoint is not None, "--json": as_json}  # fmt: skip
        _export(name, model, others, asked.export)
        return
    if asked.draw is not None:
        picture(asked.draw)
        if not name:
            raise JumpnetError("--draw without a protocol found, one expected: a picture has one way")
    chosen = [protocol(name)] if name else list(protocols().values())
    compact, kept = keeping.compact, keeping.folder(name, model, asked)
    shared = [networks_of(made) for made in chosen if asked.networks]
    found = [check_protocol(made, model.caches, **model.words, compact=compact, checkpoint=kept) for made in chosen]
    ends = [check_liveness(made, model.caches, **model.words) for made in chosen if asked.liveness]
    again = [replayed(made, one) if asked.replay else None for made, one in zip(chosen, found, strict=True)]
    if as_json:
        more = [{"liveness": _ended(ends[k])} if asked.liveness else {} for k in range(len(found))]
        share = [{"networks": network_rows(shared[k])} if asked.networks else {} for k in range(len(found))]
        timed = [{"replay": replay_row(again[k])} if asked.replay else {} for k in range(len(found))]
        emit_json([_row(chosen[k], one) | more[k] | share[k] | timed[k] for k, one in enumerate(found)])
    else:
        _show_tables(chosen, found, asked)
        _show(found)
        _show_liveness(ends)
        if asked.networks:
            show_networks(shared)
        for made, one, replay in zip(chosen, found, again, strict=True):
            if one.fault and not isinstance(replay, Replayed):
                columns = ["step", "home", *(f"cache {k}" for k in range(1, one.caches + 1))]
                steps = [(step.what, step.home, *step.caches) for step in chart_of(made, one)]
                print_rows(f"{one.protocol}: the way to {one.fault}", columns, steps)
            show_replay(replay, one.caches)
    if asked.draw is not None:
        _draw(chosen[0], found[0], asked.draw)
    if any(one.fault for one in found) or not all(one.ends for one in ends):
        raise typer.Exit(1)


def _show_tables(chosen: list[Protocol], found: list[Checked], asked: Asked) -> None:
    """The protocols' tables, and those of their states, as asked."""
    for made, one in zip(chosen, found, strict=True):
        if asked.rows:
            _table(f"{made.name}: a cache", list(made.cache_rows.values()))
            _table(f"{made.name}: the home", list(made.home_rows.values()))
        if asked.states:
            print_rows(
                f"{made.name}: states by home and caches",
                ["home", "caches", "states", "at rest"],
                [(h, " ".join(c), n, "yes" if (h, c) in one.at_rest else "") for (h, c), n in one.table.items()],
            )
