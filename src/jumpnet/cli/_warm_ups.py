"""What `jumpnet compile` runs so that every kernel is compiled once: small commands, and every registered function.

    python -m jumpnet.cli._warm_ups GROUP

runs one group in one process, and prints a line after each step. A kernel that is left out here is compiled when it is
first used.
"""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from jumpnet.errors import JumpnetError

if TYPE_CHECKING:
    from jumpnet.networks import Network
    from jumpnet.routings import Routing

__all__ = ["COMMANDS", "GROUPS", "routing_functions", "run_group", "steps"]

LARGEST = 4096
"""Routers of a network that functions are bound to."""
SMALL = "--set warmup_cycles=100 --set measure_cycles=200 --set batch_cycles=20"
SHORT = "--set warmup_cycles=100 --set measure_cycles=200"
COMMANDS: dict[str, tuple[str, ...]] = {
    "simulator": (
        f"simulate torus:8x8 --load 0.2 {SMALL} --set allocator=islip",
        f"simulate rdt:8 --load 0.05 {SMALL} --multicast chip --compare",
        f"simulate torus:8x8 --load 0.3 {SMALL}",
        f"simulate rdt:8 --load 0.3 {SMALL}",
        f"simulate mesh:8x8 --load 0.2 {SMALL} --set vcs=1 --threads 2",
        f"simulate torus:4x4 --load 0.2 {SMALL} --set vcs=8",
        *(f"simulate {grid} --load 0.1 {SHORT} --packet-flits 1" for grid in ("torus:4x4", "mesh:20x20 --set vcs=2")),
        f"simulate torus:4x4 --load 0.1 {SHORT} --packet-flits 1 --set vcs=8",
        *(f"simulate torus:4x4 --load 0.3 {SHORT} --set vcs={vcs}" for vcs in (2, 8)),
        f"simulate torus:4x4 --load 0.05 {SMALL} --multicast paths",
    ),
    "proofs": (
        "prove torus:8x8", "prove rdt:16", "prove torus:4x4 --routing torus.dimension_order",
        "prove random:20,d=3,seed=1", "prove random:20,d=3,seed=1 --vcs 1", "prove random:2000,d=4,seed=1",
        "prove mesh:4x4 --least-vcs", "prove hypercube:4 --routing hypercube.duato", "prove rdt:8 --multicast chip",
        "prove rdn:7x7,k=1", "prove torus:16x16x16 --routing torus.duato", "prove torus:8x8 --routing torus.romm",
        "prove torus:8x8 --routing torus.bubble --vcs 1", "prove hyperx:8x8 --routing hyperx.adaptive --vcs 1",
        "prove rdt:16 --routing rdt.duato", "prove prdt:32 --routing rdt.duato",
        "prove torus:4x4 --certificate warm.cert", "prove mesh:4x4 --routing up_down --then mesh.dimension_order",
        "degrade rdt:8 --faults 0,1 --seeds 1 --no-simulate", "route rdt:16 1,2 5,9",
        "new routing warm", "--load warm.py prove torus:4x4 --routing warm",
        f"simulate mesh:4x4 --load 0.1 {SMALL} --set vcs=2 --routing lash --fault cycle=150,link=1-2 --reroute lash",
        f"simulate torus:4x4 --load 0.1 {SMALL} --fault cycle=150,link=1-2 --reroute lash",
        f"simulate torus:8x8 --load 0.2 {SMALL} --traffic hotspot",
        f"simulate torus:8x8 --load 0.9 {SMALL} --traffic worst:routing=torus.dateline",
    ),
    "machine": (
        "machine workload:lu,n=16,processors=4 --network torus:2x2",
        "machine workload:lu,n=16,processors=4 --network rdt:8 --encoding SM --caches 1K,2 --directory line",
        "machine workload:lu,n=16,processors=4 --protocol update --translation 8,16 --pruning 4 --network rdt:8",
        "machine workload:lu,n=16,processors=16 --clusters-of 4 --network rdt:4 --encoding SM",
        "machine workload:lu,n=16,processors=16 --clusters-of 4 --network rdt:4 --place best",
        "machine workload:lu,n=16,processors=4 --network rdt:8 --timed",
        "machine workload:lu,n=16,processors=4 --network rdt:8 --timed --multicast --acknowledges combined",
        "machine workload:lu,n=16,processors=4 --network rdt:8 --timed --encoding SM --multicast --branches routers",
        "machine workload:lu,n=16,processors=4 --network rdt:8 --timed --protocol update --outstanding 2",
        "machine workload:lu,n=16,processors=4 --network rdt:8 --timed --networks 2 --endpoint-room 4",
        "workload barnes:bodies=8,steps=1 --processors 4",
        "workload fft:m=4 --processors 4", "workload gas:molecules=16,steps=1,side=4 --processors 4",
        "workload grid:n=8,sweeps=1 --processors 4", "workload radix:n=64,bits=4,passes=1 --processors 4",
        "workload water:molecules=16,steps=1 --processors 4",
    ),
    "exact": (
        "protocol mesi --caches 2 --liveness",
        "metrics torus:8x8 rdt:16 debruijn:2,n=6 rdt:32 --structure",
        "metrics torus:64x64x64 hypercube:17 rdn:5x5,k=2",
        "search rdt:16 --top 3", "draw rdt:8 --out warm.svg",
    ),
    "chip": (
        "chip load rdt:16 --clocks 50",
        "chip trace rdt:16 --source 0 --to 1 --to 20", "chip trace rdt:16 --scheme REMAKE --source 0 --to 1 --to 20",
        "multicast rdt:16 --scheme all --source 5,7 --to 6,7 --to 9,3 --cycles",
        "multicast torus:4x4 --source 0 --broadcast bfs",
    ),
    "wafers": (
        "reconfigure srt2d:16 --density 0.03 --seed 4",
        "reconfigure torus:8x8 --method all --wafers 20 --density 0.02",
        "reconfigure torus:8x8 --method exact --tracks 2 --density 0.05 --link-density 0.01",
    ),
}  # fmt: skip
"""Groups of commands, each run in one process, the longest first: what two commands share is typed once a process. The
simulator's first two compile what machines and chips need too, before these come to it: they would type it all again.
Runs with faults, and the last two with `proofs`, which saturate and look for a hint, ask for proofs."""


def _made(name: str, bind: Callable[..., object], *words: object) -> object:
    """Something of what `bind` makes. What is bound compiles nothing before it is asked for its pointers."""
    return getattr(bind(*words), name)


def routing_functions(routing: Routing, net: Network) -> Iterator[Callable[[], object]]:
    """The functions of a routing that a verb may ask for, and the tables that it prepares."""
    for name in ("pointer", "start_pointer", "outlook_pointer", "escape_class_pointer", "view"):
        yield partial(_made, name, routing.bind, net)


def _registered() -> tuple[Any, ...]:
    """Every routing, pattern, process and bit-map scheme."""
    from jumpnet.multicast import schemes
    from jumpnet.routings import routings
    from jumpnet.traffic import patterns, processes

    return tuple(thing for registry in (routings, patterns, processes, schemes) for thing in registry().values())


def _functions() -> Iterator[list[Callable[[], object]]]:
    """The functions of each of these, bound to a small network that it fits."""
    from jumpnet.routings import Routing
    from jumpnet.topology import build, families
    from jumpnet.traffic import Pattern

    nets = [build(spec) for family in families().values() for spec in family.samples[:1]]
    small = [net for net in nets if net.routers <= LARGEST]
    for thing in _registered():
        if isinstance(thing, Routing):
            fitting = islice((net for net in small if thing.misfit(net) is None), 1)
            yield [made for net in fitting for made in routing_functions(thing, net)]
        elif isinstance(thing, Pattern):
            yield [partial(_made, "pointer", thing.bind, net) for net in small]
        else:
            yield [partial(getattr, thing, "pointer")]


GROUPS = (*COMMANDS, "functions")


def steps(group: str) -> int:
    """How many lines `run_group` prints."""
    return len(_registered()) if group == "functions" else len(COMMANDS[group])


def _tell(words: str) -> None:
    """A line that says what has been done."""
    print(words, flush=True)


def run_group(group: str, tell: Callable[[str], None] = _tell) -> int:
    """Run the commands of a group, their output thrown away; how many failed. `tell` is called after each step."""
    from jumpnet.cli import run_words

    failed = 0
    for bound in _functions() if group == "functions" else ():
        for compiles in bound:
            with contextlib.suppress(JumpnetError):  # it does not fit that network
                compiles()
        tell(group)
    for command in COMMANDS.get(group, ()):
        why = ""
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                run_words(shlex.split(command))
            except (JumpnetError, OSError) as error:
                why = str(error)
            except Exception as error:  # also the option parser's: the others go on, and the caller is told
                why = f"{type(error).__name__}: {error}"
        tell(command)
        if why:
            failed += 1
            sys.stderr.write(f"jumpnet {command}: {why}\n")
    return failed


if __name__ == "__main__":
    sys.exit(run_group(sys.argv[1]))
