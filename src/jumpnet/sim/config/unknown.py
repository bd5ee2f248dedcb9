"""What is said of a name that is no setting of a run: what BookSim's is called here, what a command's is, the nearest.

Used wherever settings come in: by `SimConfig`, and by every function that takes them as keywords beside others.
"""

from __future__ import annotations

from collections.abc import Iterable

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.sim.config.parameters import BOOKSIM

__all__ = ["refuse_unknown"]

IN_COMMANDS = {"preset": "name", "cycles": "measure_cycles"}
"""Options of the command line that are called otherwise in Python, though another name may be more like them."""
OF_SIMULATE = ("checkpoint", "threads", "trace")
"""What `simulate` takes beside settings, and runs of other kinds may not."""


def refuse_unknown(names: Iterable[str], settings: Iterable[str], beside: Iterable[str] = ()) -> None:
    """Raise JumpnetError for the first name that is neither a setting nor what a function takes `beside` them.

    >>> refuse_unknown(["vcs", "num_vcs"], ["vcs", "destinations"])
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: unknown setting 'num_vcs'; BookSim's num_vcs is 'vcs' here
    >>> refuse_unknown(["vcs", "thread"], ["vcs"], ["threads"])
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: unknown setting 'thread'; did you mean 'threads'?
    """
    known = {*settings, *beside}
    for name in names:
        if name in known:
            continue
        ours = next((ours for ours, theirs in BOOKSIM.items() if theirs == name and ours in known), None)
        if ours is not None:
            raise JumpnetError(f"unknown setting {name!r}; BookSim's {name} is {ours!r} here")
        if IN_COMMANDS.get(name) in known:
            raise JumpnetError(f"unknown setting {name!r}; did you mean {IN_COMMANDS[name]!r}?")
        if name in OF_SIMULATE:
            raise JumpnetError(f"unknown setting {name!r}; `simulate` takes it beside its settings")
        raise unknown_name("setting", name, known)
