"""Whether proofs follow all that a start hook of a user's own may do with its queues.

Walks start packets with no queue crowded, with each alone, and with all but each; later they go by the relation alone.
A hook may tell more apart: two queues that are crowded together, or one of three flits. One that `revises` may do more
than to take candidates away, or take all, or the escapes. So it is run on queues of which nothing is known
(`unknown_queues`), and what it sets must be among what is followed. Called by `prove` and `changeover`; hooks of the
package are held to it by the tests.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple, cast

import numpy as np

from jumpnet.analysis.deadlock.start_hooks.reckoned import reckoned
from jumpnet.analysis.deadlock.start_hooks.unknown_queues import with_any_queues
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.waiting.witnesses import crowded
from jumpnet.analysis.deadlock.walks.packet_states import Section, sections
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.jit.decorator import DISABLED
from jumpnet.own.trial import place, read_only, reason_of
from jumpnet.routings import BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.routings.view import (
    ESCAPE,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    KIND,
    ROUTING_FIELDS,
    SOURCE,
    STATE,
    View,
    new_head,
    new_out,
)
from jumpnet.terms import I64

__all__ = ["SOME", "start_not_followed", "start_seen"]

MOST_CALLS = 1 << 17
"""Calls of the hook at sources, and states at later routers, a few seconds; some packets where there are more."""

DRAWN, LENGTHS = 8, np.array([0, 1, 2, 7, 64, 1 << 20])
"""Queues for which the compiled hook is asked too, of these lengths: in a few numbers, of 8 or 16 bits, plain Python
reckons otherwise."""

SOME = "; what its start hook may do by its queues was looked at for some packets, not for all"
MORE = "gets candidates in STATE {} that it did not have; fewer of the same"
UNREAD = (
    "what the hook does with its queues cannot be told from its text; functions of a file or a cell expected, of steps "
    "with single whole numbers"
)

Hook = Callable[..., Any]
Start = tuple[int, int]
"""STATE and INTERMEDIATE."""


class Seen(NamedTuple):
    """What is known of a start hook."""

    gap: str | None = None
    """Why a proof that packets cannot deadlock would say too much, in a line; None where walks follow all that was
    looked at."""
    some: bool = False
    """Whether there were too many packets to look at all of them."""


def _as_compiled(view: View) -> View:
    """A view as compiled functions have it: they reckon with 64 bits, whatever the array, and see no address."""
    arrays: dict[str, Any] = {name: read_only(getattr(view, name).astype(np.int64)) for name in view._fields[:7]}
    return view._replace(**arrays, address=0)


def _set(view: View, hook: Hook, head: I64, draw: int, queue: Any) -> Start:
    """What the hook sets in a header like this."""
    head = head.copy()
    hook(view, head[:ROUTING_FIELDS], draw, queue)
    return int(head[STATE]), int(head[INTERMEDIATE])


def _may_set(view: View, hook: Hook, head: I64, draw: int) -> set[Start]:
    """What it may set, however long the queues are; raises Unfit."""
    return set(with_any_queues(lambda queue: _set(view, hook, head, draw, queue), view.queues))


def _many_and_room(bound: BoundRouting, job: Job) -> tuple[int, int]:
    """How many packets begin in different ways, and how many are looked at."""
    every = len(job.sources) * int((bound.network.sinks > 0).sum()) * int(bound.draws)
    return every, max(1, MOST_CALLS // (job.queues + 2))


def _packets(bound: BoundRouting, job: Job) -> Iterator[tuple[int, int, int]]:
    """Source, destination and draw of all packets, or of those drawn; last those to the router where they enter."""
    sources, sinks = job.sources, np.flatnonzero(bound.network.sinks > 0)
    every, room = _many_and_room(bound, job)
    numbers = range(every) if every <= room else np.random.default_rng(4).integers(0, every, room).tolist()
    for home, number in product((False, True), numbers):
        pair, draw = divmod(number, int(bound.draws))
        source, sink = int(sources[pair // len(sinks)]), int(sinks[pair % len(sinks)])
        if (source == sink) is home:
            yield source, sink, draw


def _caller(pointer: Any) -> Callable[..., Any]:
    """A compiled function of a view, whole numbers and arrays, called as runs call it."""
    if DISABLED:
        return cast(Callable[..., Any], pointer)
    call = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 5)(pointer.address)
    return lambda view, *given: call(view.address, *(g.ctypes.data if isinstance(g, np.ndarray) else g for g in given))


def _compiled(bound: BoundRouting) -> Callable[[I64, int, I64], Start]:
    """The hook as runs call it: what it sets in a header, by a draw and queues."""
    call = _caller(bound.start_pointer)

    def set_in(head: I64, draw: int, queue: I64) -> Start:
        """(STATE, INTERMEDIATE) that the hook sets."""
        head = head.copy()
        call(bound.view, head, draw, queue)
        return int(head[STATE]), int(head[INTERMEDIATE])

    return set_in


def _at_sources(bound: BoundRouting, hook: Hook, job: Job) -> str | None:
    """What is not followed of packets that begin.

    What the hook sets in plain Python, whatever the queues, and in compiled code for some that are drawn.
    """
    view, compiled, chance = _as_compiled(bound.view), _compiled(bound), np.random.default_rng(5)
    queues = [crowded(busy, view.queues) for busy in range(job.queues)]
    for source, sink, draw in _packets(bound, job):
        about, head = f"a packet from {source} to {sink}", new_head(source, sink)
        try:
            drawn = {compiled(head, draw, queue) for queue in chance.choice(LENGTHS, (DRAWN, view.queues))}
            followed = {_set(view, hook, head, draw, queue) for queue in queues}
            more = (_may_set(view, hook, head, draw) | drawn) - followed
        except Unfit:
            return f"what becomes of {about} by its queues cannot be told; a hook that compares sums of them expected"
        except Exception as error:
            if source != sink:
                return f"{about}: {reason_of(error)}"
            continue  # a run in which its packet comes ends there
        if more:
            state, inter = min(more)
            return (
                f"STATE {state}, INTERMEDIATE {inter} may be set for {about}, and no proof starts with that; a hook "
                "expected that sets whatever it may with no queue crowded, with one alone, or with all but one"
            )
    return None


def _asked(bound: BoundRouting) -> Callable[[int, I64], set[tuple[int, ...]]]:
    """The relation as runs call it: the candidates of a packet at a router."""
    call = _caller(bound.pointer)

    def ask(here: int, head: I64) -> set[tuple[int, ...]]:
        """The candidates as rows (port, vc, next state, kind)."""
        head, out = head.copy(), new_out()
        count = call(bound.view, here, head, out)
        return {tuple(row) for row in out[: max(0, int(count))].tolist()}

    return ask


def _escapes(candidates: set[tuple[int, ...]]) -> bool:
    return any(row[KIND] & ESCAPE for row in candidates)


def _lacks(offered: set[tuple[int, ...]], left: set[tuple[int, ...]]) -> str:
    """What is wrong with the candidates that a revision leaves of those that were offered; empty where nothing is."""
    if not left <= offered:
        return MORE
    if offered and not left:
        return "has no candidate left in STATE {}; one of those that it had"
    return "loses its escape in STATE {}; one of those that it had" if _escapes(offered) > _escapes(left) else ""


def _entered(section: Section, into: I64 | None) -> list[list[int]]:
    """Channels and the states of packets that come by them; into (R, k): those that lead to each router, by any of
    which a packet may have come that begins there (-1: fewer than k), None where packets begin at terminals."""
    ways = section.ways[:, [1, 3]]
    if into is not None:
        begun = np.flatnonzero(section.begins)
        more = np.stack([into[section.router[begun]].reshape(-1), begun.repeat(into.shape[1])], axis=1)
        ways = np.concatenate([ways, more[more[:, 0] >= 0]])
    found: list[list[int]] = np.unique(ways, axis=0).tolist()
    return found


def _channels_into(bound: BoundRouting) -> I64:
    """(R, k) the channels that lead to each router, as far as there are k; -1 after the last."""
    net = bound.network
    channel = np.flatnonzero(np.repeat(net.neighbor >= 0, bound.vcs))
    to = net.neighbor.reshape(-1)[channel // bound.vcs]
    order, many = np.argsort(to, kind="stable"), np.bincount(to, minlength=net.routers)
    into = np.full((net.routers, int(many.max(initial=0))), -1)
    into[np.arange(into.shape[1]) < many[:, None]] = channel[order]
    return into


def _on_the_way(bound: BoundRouting, hook: Hook, job: Job, anew: bool) -> Seen:
    """What is not followed of packets that a hook looks at again at later routers, and, where heads are routed `anew`,
    where they stand."""
    net, view, ask, calls = bound.network, _as_compiled(bound.view), _asked(bound), 0
    reads = frozenset[int]() if bound.routing.start is None else fields_read(bound.routing.start, 1)
    job, into = job._replace(by_source=job.by_source or SOURCE in reads), _channels_into(bound) if anew else None
    order = np.random.default_rng(4).permutation(np.flatnonzero(net.sinks > 0))  # not the first ones, of too many
    for section in sections(bound, job, order):
        if calls > MOST_CALLS:
            return Seen(some=True)
        entered = _entered(section, into)
        for channel, after in entered:
            here, (state, inter, _) = int(section.router[after]), section.key[after].tolist()
            head = new_head(max(section.source, 0), section.sink)
            head[[STATE, INTERMEDIATE]] = state, inter
            head[[IN_PORT, IN_VC]] = net.far_port.reshape(-1)[channel // bound.vcs], channel % bound.vcs
            about = f"a packet to {section.sink} in STATE {state} at router {here}"
            try:
                changed = _may_set(view, hook, head, here) - {(state, inter)}
            except Unfit:
                return Seen(f"what becomes of {about} cannot be told; a hook that compares sums of queues expected")
            offered = ask(here, head) if changed else set()
            for now, other in sorted(changed):
                head[STATE] = now
                left = ask(here, head)
                lacks = _lacks(offered, left) if other == inter else MORE
                if lacks:
                    return Seen(f"{about} {lacks.format(now)} expected")
        calls += len(entered)
    return Seen()


def start_not_followed(bound: BoundRouting, anew: Job | None = None) -> str | None:
    """Why a proof that packets cannot deadlock would say too much, in a line: `start_seen` without the rest.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> start_not_followed(bind("torus.ugal", build("torus:3x3")))
    """
    return start_seen(bound, anew).gap


def start_seen(bound: BoundRouting, anew: Job | None = None) -> Seen:
    """Whether walks follow all that a start hook may do.

    anew: of packets that begin wherever their heads stand, what walks share. Cost: a few seconds at most. Where there
    are too many packets, some are looked at.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> start_seen(bind("torus.ugal", build("torus:3x3")))
    Seen(gap=None, some=False)
    """
    job, start = job_of(bound) if anew is None else anew, bound.routing.start
    if start is None or (job.queues == 1 and not bound.routing.revises):
        return Seen()
    where = f"{bound.name} on {bound.network.spec}: {place(start)}"
    try:
        hook = reckoned(start)
    except Unfit:
        return Seen(f"{where}: {UNREAD}")
    every, room = _many_and_room(bound, job)
    later = Seen()
    with np.errstate(divide="raise", over="ignore", invalid="ignore"):  # as `trial` has it
        why = _at_sources(bound, hook, job) if job.queues > 1 else None
        if why is None and bound.routing.revises:
            later = _on_the_way(bound, hook, job, anew is not None)
    why = why or later.gap
    return Seen(None if why is None else f"{where}: {why}", later.some or (job.queues > 1 and every > room))
