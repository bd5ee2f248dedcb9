"""A protocol as a model in the language of Murphi, for a model checker that shares no code with ours.

The model has the caches, the home, the channels and the network's order of `coherence.check`, and its faults of safety:
so Rumur counts the same states, as `all_states` without reduction by symmetry and as `states` with an exhaustive one.
Whether all becomes quiescent is not checked by the model. Called by `cli`, tests and notebooks.
"""

from __future__ import annotations

from jumpnet.coherence.check import model_of
from jumpnet.coherence.murphi import caches as of_caches
from jumpnet.coherence.murphi import channels, homes
from jumpnet.coherence.murphi.words import Words, indented, quoted
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.model import MOST_WAITING

__all__ = ["murphi_model"]


def murphi_model(protocol: Protocol, caches: int = 2, *, order: str = "any", acknowledges: str = "single") -> str:
    """The text of the model.

    caches: 1 to 11. order, acknowledges: as `check_protocol` has them. Raises JumpnetError for other words and for a
    row that is not one. The language is Murphi's (dill1992protocol).

    >>> from jumpnet.coherence.protocol import protocol
    >>> print(*murphi_model(protocol("msi"), 3).splitlines()[5:7], sep="\\n")
    const
      CACHES: 3;
    """
    model = model_of(protocol, caches, order, acknowledges)
    words, in_order = Words(protocol, model.combined), model.in_order
    name = " ".join(protocol.name.split())
    return "\n".join(
        [
            f"-- Coherence protocol {name}: {caches} caches and one line, order {order}, acknowledges {acknowledges}.",
            "-- Written from its tables by `jumpnet protocol --export`. A read that hits changes nothing, which is no",
            "-- deadlock: rumur --deadlock-detection off, cmurphi -ndl. Of the values of the line the newest completed",
            "-- write is fresh, one that is being made known is next, and all others are stale.",
            "",
            *_declarations(words, caches, in_order),
            *[line for channel in words.channels for line in channels.procedures(channel, in_order)],
            *of_caches.written(words),
            *homes.procedures(words),
            *of_caches.by_themselves(words),
            *of_caches.arrivals(words),
            *homes.arrivals(words),
            *homes.by_itself(words),
            *_start(words),
            *_invariants(words, model.unserved),
        ]
    )


def _declarations(words: Words, caches: int, in_order: bool) -> list[str]:
    fields = [channels.field(channel, in_order) for channel in words.channels]
    return [
        "const",
        f"  CACHES: {caches};",
        "  stale: 0;",
        "  fresh: 1;",
        "  next: 2;",
        "",
        "type",
        "  Node: scalarset (CACHES);",
        "  Value: stale..next;",
        "  Owes: enum { nothing, reading, writing };",
        f"  {f'Place: 0..{MOST_WAITING - 1}' if in_order else f'Count: 0..{MOST_WAITING}'};",
        f"  CacheState: enum {{ {', '.join(words.cache.values())} }};",
        f"  HomeState: enum {{ {', '.join(words.home.values())} }};",
        *indented([channels.type_of(channel, in_order) for channel in words.channels]),
        "",
        "var",
        "  node: array [Node] of record",
        *indented(["state: CacheState;", "value: Value;", "owes: Owes;"], 2),
        *indented(["listed: boolean;", "owner: boolean;", "waits: boolean;", *fields], 2),
        "  end;",
        "  home: record",
        *indented(["state: HomeState;", "due: 0..CACHES;", "memory: Value;"], 2),
        *indented(["joined: boolean;"] if words.combined else [], 2),
        "  end;",
        "",
        "function Aged(v: Value; commit: boolean): Value;",
        "begin",
        "  if commit & v = next then return fresh; endif;",
        "  return stale;",
        "endfunction;",
        "",
    ]


def _start(words: Words) -> list[str]:
    first = next(iter(words.cache.values())), next(iter(words.home.values()))
    return [
        "startstate",
        "begin",
        "  clear node;",
        "  clear home;",
        f"  for n: Node do node[n].state := {first[0]}; endfor;",
        f"  home.state := {first[1]};",
        "  home.memory := fresh;",
        "endstartstate;",
        "",
    ]


def _invariants(words: Words, unserved: dict[str, str]) -> list[str]:
    readable = _in(words, words.protocol.readable)
    writable = _in(words, words.protocol.writable & words.protocol.readable)
    lines = []
    if words.protocol.pointers:
        lines += [
            'invariant "the home lists no more nodes than it has pointers"',
            f"  {_at_most(words.protocol.pointers)};",
            "",
        ]
    for state, event in unserved.items():
        what = quoted(f"there is a row for a processor's {event} at a cache in {state}")
        lines += [f"invariant {what}", f"  forall n: Node do node[n].state != {words.cache[state]} endforall;", ""]
    if readable:
        stale = f"({readable}) -> node[n].value != stale"
        lines += ['invariant "no stale value can be read"', f"  forall n: Node do {stale} endforall;", ""]
    if writable:
        beside = f"({writable}) & n != k -> !({readable.replace('[n]', '[k]')})"
        lines += [
            'invariant "no writer beside another copy"',
            f"  forall n: Node do forall k: Node do {beside} endforall endforall;",
            "",
        ]
    return lines


def _at_most(pointers: int) -> str:
    """No more than so many nodes are listed: of one more any two are the same."""
    names = [f"n{k}" for k in range(pointers + 1)]
    all_listed = " & ".join(f"node[{name}].listed" for name in names)
    same = " | ".join(f"{a} = {b}" for i, a in enumerate(names) for b in names[:i])
    begin, end = "".join(f"forall {n}: Node do " for n in names), " endforall" * len(names)
    return f"{begin}{all_listed} -> {same}{end}"


def _in(words: Words, states: frozenset[str]) -> str:
    return " | ".join(f"node[n].state = {words.cache[state]}" for state in words.cache if state in states)
