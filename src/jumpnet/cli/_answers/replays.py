"""What `jumpnet protocol --replay` says: the way to a fault, cycle by cycle, in the machine with time."""

from __future__ import annotations

from typing import Any

from jumpnet.cli._command.output import print_rows, printable
from jumpnet.coherence.check import Checked
from jumpnet.coherence.protocol import Protocol
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.counterexample import Replayed, replay_fault

__all__ = ["Replayed", "replay_row", "replayed", "show_replay"]


def replayed(made: Protocol, found: Checked) -> Replayed | str | None:
    """The replay of a fault, or why there is none; None where there is no fault."""
    if not found.fault:
        return None
    try:
        return replay_fault(made, found)
    except JumpnetError as error:
        return f"not replayed: {error}"


def replay_row(found: Replayed | str | None) -> dict[str, Any] | str | None:
    """The same as `--json` has it."""
    if not isinstance(found, Replayed):
        return found
    return {
        "fault": found.fault,
        "cycle": found.cycle,
        "steps": [step._asdict() for step in found.steps],
        "accesses": found.accesses,
        "messages": [message._asdict() for message in found.messages],
        "own": found.own,
    }


def show_replay(found: Replayed | str | None, caches: int) -> None:
    """The same for a person."""
    if isinstance(found, str):
        print(printable(found))
    if not isinstance(found, Replayed):
        return
    columns = ["cycle", "step", "home", *(f"cache {k}" for k in range(1, caches + 1))]
    steps = [(step.cycle, step.what, step.home, *step.caches) for step in found.steps]
    print_rows(f"{found.protocol}: in cycle {found.cycle} of the machine with time {found.fault}", columns, steps)
    who = [*(f"processor {k}" for k in range(1, caches + 1)), "home"]
    does = zip(who, found.accesses, strict=True)
    print_rows("what each does", ["", "accesses to the line"], [(name, said) for name, said in does if said])
    rows = [(m.event, who[m.source - 1], who[m.to - 1], m.sent, m.arrived) for m in found.messages]
    print_rows("messages between nodes", ["message", "from", "to", "sent in", "arrived in cycle"], rows)
    print(printable(found.own))
