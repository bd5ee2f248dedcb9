"""The proof of deadlock freedom of a routing on a network, with a certificate, or a cycle that violates the condition.

Sources: Dally and Seitz 1987 (an acyclic channel dependency graph suffices, and is necessary without choices); Duato
1993 (escape channels); Carrion et al. 1997 (bubbles, see `bubble`). Called by `cli/prove` and users.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.as_made import seal
from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies, rings_hold
from jumpnet.analysis.deadlock.conditions.duato import MEMORY_LIMIT_BYTES, bytes_needed, extended_dependencies
from jumpnet.analysis.deadlock.conditions.escape_numbers import is_large, numbered_escapes, steps
from jumpnet.analysis.deadlock.cycles.numbers_by_class import numbers_by_class, numbers_by_port
from jumpnet.analysis.deadlock.cycles.order import numbering, order_or_cycle
from jumpnet.analysis.deadlock.cycles.translated import classes_that_follow, translated_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies, require_made_of
from jumpnet.analysis.deadlock.how import ALL_WAYS, HOW
from jumpnet.analysis.deadlock.kept import keep
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.proof import (
    AMONG,
    ESCAPE_RINGS,
    LONGER,
    NO_RINGS,
    RINGS,
    SHORTEST,
    Condition,
    Proof,
    Verdict,
    named_hops,
)
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.start_hooks.followed import SOME, Seen, start_seen
from jumpnet.analysis.deadlock.waiting.knots import has_knot, knot_without_walks, may_circle
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint
from jumpnet.analysis.deadlock.walks.walkers import leaves_home_out
from jumpnet.analysis.deadlock.ways_to_graph.orbits.representatives import representative_channels
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting, believed
from jumpnet.terms import I64

__all__ = ["of_more", "prove", "proved", "with_home_left_out"]

MANY_DEPENDENCIES = 1 << 24
"""From so many on, numbers by kinds of channels are tried first."""

LONG_STEPS = 1 << 26
"""Words of sets from which on a knot that is seen without the extended graph is the answer (ten seconds and more)."""

NUMBERED = "Duato's condition: numbers of the escape channels ascend along every way between them, in every state"
CYCLE = "Duato's condition fails: cycle in the extended dependency graph of the escape channels"
KNOT = "cycle in the channel dependency graph, and packets can wait in a knot"
HOME = "; packets for the router where they enter, which go by drawn ones and may close a cycle, were not followed"
DECLARED = "; {} as the routing declares, and not seen of all packets"
WITHOUT = "Duato's condition fails: router {} has no escape candidate to {}"


@public
def prove(
    bound: BoundRouting,
    threads: int | None = None,
    progress: Progress = silent,
    made: Dependencies | None = None,
    checkpoint: ProofCheckpoint | None = None,
) -> Proof:
    """Whether a routing can deadlock: a certificate that a separate checker accepted, or a shortest cycle.

    The dependency graph of all reachable states is acyclic: free. Else, with candidates marked ESCAPE: free when every
    reachable packet has one and their extended dependency graph is acyclic (Duato). Of a routing made for bubble flow
    control: free, under that flow control, when its cycles are rings entered with bubbles. Else not proved: `deadlock`
    when packets can wait in a knot, which without choices is any cycle, also one of packets to some destinations only
    (large networks, `Routing.least_cycle`; where following all would take minutes perhaps not a shortest, as `method`
    says). Raises JumpnetError when a packet is not delivered, or a user's start hook does with its queues what is not
    followed (`start_hooks`), and for `made` of another routing. Cost: see `dependencies`; a few seconds for 4096
    routers.
    `progress(done, total)` is called from time to time, from 0 again in each search.
    `made`: its dependencies, if they are computed already. `checkpoint`: saves a long proof in a file and resumes from
    there.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> prove(bind("torus.dateline", build("torus:5x5"))).deadlock_free
    True
    >>> [hop.vc for hop in prove(bind("torus.dateline", build("torus:5x5"), vcs=1)).cycle]
    [0, 0, 0, 0, 0]
    """
    return proved(bound, threads, progress, made, checkpoint)[0]


def proved(
    bound: BoundRouting,
    threads: int | None = None,
    progress: Progress = silent,
    made: Dependencies | None = None,
    checkpoint: ProofCheckpoint | None = None,
) -> tuple[Proof, Dependencies]:
    """The same with the dependencies that decided, from which `explain` and `replay_deadlock` need no search again."""
    bound.confirm()
    net, vcs = bound.network, bound.vcs
    if made is not None:
        require_made_of(bound, made)
    seen = start_seen(bound) if bound.own else Seen()
    follow = partial(dependencies, bound, threads, progress=progress, checkpoint=checkpoint)
    made, number, holds = _deciding(made or follow(beyond=True), follow, threads, progress, checkpoint)
    circles = False
    if number is not None:
        method = "acyclic channel dependency graph" + of_more(made)
        found = _Answer(method, np.tile(number, made.shared_by), checked=made.accept(number))
    else:
        circles = may_circle(made, threads, progress, checkpoint)
        by = _by_rings if bound.routing.bubble else _by_channels
        found = holds or by(made, threads, progress, checkpoint)
        if found.number is None and found.cycle is None:
            found = replace(found, cycle=_shortest_cycle(made))
    assert found.number is None or found.checked, "the checker refused our own certificate"
    free, trusted = found.number is not None, believed(bound)
    proof = Proof(
        spec=net.spec,
        routing=bound.name,
        vcs=vcs,
        verdict=_verdict(made, found, seen.gap, progress),
        method=found.method
        + (DECLARED.format(" and ".join(trusted)) if trusted else "")
        + (SOME if free and seen.some else ""),
        adaptive=made.adaptive,
        channels=made.channels,
        dependencies=made.count,
        states=made.states,
        cycle=None if free or found.cycle is None else named_hops(net, vcs, found.cycle),
        certificate=found.number,
        certificate_checked=found.checked,
        escape_channels=found.escapes,
        escape_dependencies=found.between,
        may_circle=circles,
        condition=found.condition,
        basis=made.basis,
        network=net,
        bound=bound,
    )
    proof = seal(with_home_left_out(proof, bound))
    keep(proof, made)
    return proof, made


def with_home_left_out(proof: Proof, bound: BoundRouting) -> Proof:
    """A proof, `unproved` where it is free without packets home that were not followed; no certificate holds them."""
    if not (proof.deadlock_free and leaves_home_out(bound)):
        return proof
    method = proof.method + HOME
    return replace(proof, verdict="unproved", method=method, certificate=None, certificate_checked=False)


def _verdict(made: Dependencies, found: _Answer, gap: str | None, progress: Progress) -> Verdict:
    """What was found; gap: why only a deadlock is an answer, which is raised else."""
    if found.number is None and _deadlocks(made, found, progress):
        return "deadlock"
    if gap is not None:
        raise JumpnetError(gap)
    return "unproved" if found.number is None else "free"


def _deciding(
    made: Dependencies, follow: Callable[[], Dependencies], *means: *_Means
) -> tuple[Dependencies, I64 | None, _Answer | None]:
    """The dependencies that decide, numbers of channels that ascend along them, and a condition that more packets meet.

    The routing's own decide, and those of packets to some destinations, whose cycle is the routing's. Larger graphs
    decide where they have no cycle, or where a condition holds of all their packets; a cycle may be of packets that
    there are not, so the routing's own packets are followed then. Without numbers and condition there is a cycle.
    """
    number = _numbers(made)
    if number is not None or made.whole or made.to is not None:
        return made, number, None
    packets = made.kinds is not None or made.cover is not None or made.phased
    holds = _by_more(made, *means) if packets else None
    if holds is not None:
        return made, None, holds
    own = follow()
    return own, _numbers(own), None


def _numbers(made: Dependencies) -> I64 | None:
    """Numbers of the channels that ascend along all dependencies, None where there is a cycle; one a row of bits.

    Of graphs that are too long to be listed quickly, numbers by kinds of channels where these have an order.
    """
    bound = made.bound
    if made.pieces is not None:
        return made.number
    if made.alike:
        return numbering(*unpack(made.bits, made.row_base))
    if made.by == "translation" and made.count >= MANY_DEPENDENCIES:
        return numbers_by_port(bound.network.ports * bound.vcs, made.bits, made.base)
    if made.number is not None or made.count < MANY_DEPENDENCIES:
        return numbering(*made.rows) if made.number is None else made.number
    by_kind = numbers_by_class(bound.network, bound.vcs, made.bits, made.base)
    if by_kind is None and made.short_cycle is not None:
        return None
    return numbering(*made.rows) if by_kind is None else by_kind


def _deadlocks(made: Dependencies, found: _Answer, progress: Progress) -> bool:
    """Whether packets can wait in a knot, where no condition holds; of bubbles a knot says nothing."""
    return not made.bound.routing.bubble and (found.knot or has_knot(made, progress))


def _shortest_cycle(made: Dependencies) -> I64 | None:
    """A shortest cycle; no list of the dependencies is made where they look alike from every router."""
    if made.by == "translation" or made.alike:
        net, vcs = made.bound.network, made.bound.vcs
        return translated_cycle(net.neighbor, vcs, classes_that_follow(made.bits, net.ports * vcs))
    if made.count >= MANY_DEPENDENCIES and made.short_cycle is not None:
        return made.short_cycle
    return order_or_cycle(*made.rows, partial(representative_channels, made.bound.network, made.bits)).cycle


@dataclass(frozen=True, eq=False)
class _Answer:
    """The outcome of one of the conditions."""

    method: str
    number: I64 | None
    """The certificate, None when the condition does not hold."""
    condition: Condition = "acyclic"
    knot: bool = False
    """Whether packets were seen to wait in a knot."""
    escapes: int | None = None
    """Escape channels, and the dependencies between them, by Duato's condition."""
    between: int | None = None
    cycle: I64 | None = None
    """A cycle that violates the condition, where it gives one."""
    checked: bool = False


def of_more(made: Dependencies) -> str:
    """What a graph contains, where it is larger than the routing's."""
    if made.among is not None:
        return (HOW[made.by].more if made.by == "digits" else ALL_WAYS if made.phased else "") + AMONG + made.among
    return "" if made.whole else HOW[made.by].more


_Means = tuple[int | None, Progress, ProofCheckpoint | None]
"""Threads, progress callback, checkpoint."""


def _by_more(made: Dependencies, *means: *_Means) -> _Answer | None:
    """A condition that holds of kinds or products which hold all packets; None where these have to be followed."""
    if made.bound.routing.bubble:
        return _rings(made, means[1])
    quick = numbered_escapes(made, *means) if made.has_escape else None
    return (
        None
        if quick is None
        else _Answer(NUMBERED, quick.number, "escape", escapes=int(made.escape.sum()), checked=True)
    )


def _by_channels(made: Dependencies, *means: *_Means) -> _Answer:
    """The condition that looks at channels alone, whatever the flow control.

    Packets to some destinations are followed on only where they can wait in a knot, which no escape channel mends.
    """
    if made.has_escape and made.to is None:
        return _by_duato(made, *means)
    of = ""
    if made.to is not None:
        of = f" of {made.of_some}"
        of += SHORTEST if made.at_least is None else LONGER.format(made.at_least)
    return _Answer("cycle in the channel dependency graph" + of, None)


def _by_rings(made: Dependencies, *means: *_Means) -> _Answer:
    """The condition of bubble flow control: all cycles are rings that packets enter leaving room for one more."""
    found = _rings(made, means[1]) or _by_channels(made, *means)
    return found if found.number is not None else replace(found, method=NO_RINGS, condition="rings")


def _rings(made: Dependencies, progress: Progress) -> _Answer | None:
    """The condition of all channels, or of the escape channels where every packet has one; None where neither holds."""
    number = rings_hold(marked_dependencies(made, progress))
    if number is not None:
        return _Answer(RINGS, number, "rings", checked=True)
    found = escape_dependencies(made, progress) if made.has_escape else None
    number = None if found is None else rings_hold(found[0])
    if found is None or number is None:
        return None
    marked, escape = found
    escapes, between = int(escape.sum()), len(marked.holder)
    return _Answer(
        ESCAPE_RINGS, np.where(escape, number, -1), "escape-rings", escapes=escapes, between=between, checked=True
    )


def _by_duato(made: Dependencies, *means: *_Means) -> _Answer:
    """Duato's condition: every packet has an escape candidate, and their extended dependency graph is acyclic."""
    quick = numbered_escapes(made, *means) if is_large(made) else None
    answer = partial(_Answer, condition="escape")
    if quick is not None:
        answer = partial(answer, escapes=int(made.escape.sum()))
        if quick.without_escape is not None:
            return answer(WITHOUT.format(*quick.without_escape), None)
        if quick.cycle is not None:
            return answer(CYCLE, None, cycle=quick.cycle)
        return answer(NUMBERED, quick.number, checked=True)
    much = bytes_needed(made) > MEMORY_LIMIT_BYTES or steps(made) > LONG_STEPS
    if much and knot_without_walks(made):
        return answer(KNOT, None, knot=True, escapes=int(made.escape.sum()))
    extended = extended_dependencies(made, means[1])
    order = extended.order(len(made.used))
    answer = partial(answer, escapes=len(extended.channel), between=len(extended.indices))
    if extended.without_escape is not None:
        return answer(WITHOUT.format(*extended.without_escape), None)
    if order.number is None:
        return answer(CYCLE, None, cycle=order.cycle)
    how = "Duato's condition: acyclic extended dependency graph of the escape channels"
    return answer(how, order.number, checked=True)
