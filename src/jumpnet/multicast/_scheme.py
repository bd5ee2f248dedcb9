"""What a bit-map scheme is: how the maps of a header are made, the rule by which a router reads them, and how many
routers receive the message.

One file of `multicast/` holds one scheme. The rule is a pure function of status, mode and map, as in the router chip
(nishi1997router section 4.2.3), so that the chip's bit-map generator and the trees here are driven by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import numpy as np

from jumpnet.api.public import named
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED, jit, open_i64
from jumpnet.jit.linked import kernel, pointer
from jumpnet.jit.refusal import why_not_compiled
from jumpnet.own.hooks import call_hook
from jumpnet.own.strict import RAISED, frozen, strict, whole_number
from jumpnet.own.trial import place, shown, whole
from jumpnet.own.whose import is_own, made_outside
from jumpnet.terms import I64

__all__ = ["Digits", "Maps", "Scheme", "call_count", "popcount", "unpack"]

Digits = tuple[int, ...]
"""Digits of one destination, rank 0 first."""

Maps = Mapping[tuple[int, Digits], int]
"""Bit-maps of a header, bit i = child i, by (rank, node). node is () where all nodes of a rank share one map, else the
digits of the node from the top rank down."""


Local = Literal["path", "subtree"]


@named
@dataclass(frozen=True, eq=False)
class Scheme:
    """A way to send one message to many routers down the fat tree, with maps in its header."""

    name: str
    """Registered name, e.g. `SM`."""
    maps: Callable[[Sequence[Digits]], Maps]
    """`maps(digits)`: the header for the destinations' digit strings (all of one length, the ranks in use)."""
    rule: Callable[[int, bool, bool, int], int]
    """`rule(bit_map, local, starts, every) -> children`: what a router forwards to, as a mask. `local`: the router is
    local to the source, in the sense of the field `local`; `starts`: the multicast starts here; `every`: all
    children."""
    count: Callable[..., int]
    """`count(digits, sets, top, stride, fanout) -> receivers`: closed form over packed digits; plain integer Python
    that also compiles."""
    header_bits: Callable[[int, int], int]
    """`header_bits(ranks, fanout)`: bits of the maps in a header or a directory entry."""
    per_node: bool = False
    """Whether each node of a rank has a map of its own."""
    remakes: int | None = None
    """Lowest rank at which every router where a multicast starts hands the packet to its processor, which makes a new
    header and starts it again (`remaking`); None where no processor has a part in it."""
    local: Local = "path"
    """Which routers are local to the source: those on the path to it (reached by M only), or the whole subtree, of the
    router where the multicast starts, that holds it (reached by M first). The start itself always is."""
    source: str = ""
    """Where the definition comes from."""
    summary: str = ""
    """One line for a list."""

    def __post_init__(self) -> None:
        self.__dict__["_outside"] = made_outside()
        who, functions = f"multicast scheme {self.name}", ("maps", "rule", "count", "header_bits")
        for name in functions:
            if not callable(getattr(self, name)):
                raise JumpnetError(f"{who}: {name} {shown(getattr(self, name))} found, a function expected")
        if not isinstance(self.per_node, bool):
            raise JumpnetError(f"{who}: per_node {shown(self.per_node)} found, True or False expected")
        if self.local not in get_args(Local):
            raise JumpnetError(f"{who}: local {shown(self.local)} found, path or subtree expected")
        if self.remakes is not None and (not whole(self.remakes) or self.remakes < 0):
            raise JumpnetError(f"{who}: remakes {shown(self.remakes)} found, a rank from 0 or None expected")

    def read(self, maps: Maps, rank: int, node: Digits) -> int:
        """The map that a router of `rank` reads; 0 where the header has none."""
        return maps.get((rank, node if self.per_node else ()), 0)

    def is_local(self, node: Digits) -> bool:
        """Whether a node of the tree, by its digits from the top rank down, is local to the source.

        >>> from jumpnet.multicast import scheme
        >>> [scheme(name).is_local((0, 3)) for name in ("LARP", "LARP:path")]
        [True, False]
        """
        return not any(node if self.local == "path" else node[:1])

    def forwards(self, maps: Maps, rank: int, node: Digits, top: int, every: int) -> int:
        """The children that a router serves under a header, as a mask: its rule asked with its map and its place.

        >>> from jumpnet.multicast import scheme
        >>> sm = scheme("SM")
        >>> sm.forwards(sm.maps([(1, 0), (2, 3)]), 1, (), 1, 0xFF)
        9
        """
        about = self.read(maps, rank, node), self.is_local(node), rank == top, every
        if not self.own:
            return self.rule(*about)
        mask = call_hook(f"multicast scheme {self.name}", "rule", self.rule, *about, own=True)
        if not whole(mask) or not 0 <= mask <= every:
            raise JumpnetError(f"multicast scheme {self.name}: rule gives {shown(mask)}, 0 to {every} expected")
        return int(mask)

    def header(self, digits: Sequence[Digits]) -> Maps:
        """The maps for the destinations' digit strings; an error in a user's own function is one line."""
        made: Maps = call_hook(f"multicast scheme {self.name}", "maps", self.maps, digits, own=self.own)
        if self.own and not isinstance(made, Mapping):
            raise JumpnetError(f"multicast scheme {self.name}: maps gives {shown(made)}, a mapping expected")
        return made

    def refuse_unreached(self, destinations: Iterable[int], receivers: Iterable[int]) -> None:
        """Raise JumpnetError where a scheme of a user's own leaves a destination out."""
        if self.own and (missing := set(destinations).difference(receivers)):
            raise JumpnetError(f"multicast scheme {self.name}: destination {min(missing)} is not reached")

    @cached_property
    def pointer(self) -> Any:
        """The closed form for kernels: `call_count(scheme.pointer, digits, k, top, stride, fanout)`."""
        try:
            return _compile(self.count, self.own)
        except Exception as error:
            if not self.own or isinstance(error, JumpnetError):
                raise
            reason = why_not_compiled(error, self.count)
            raise JumpnetError(f"multicast scheme {self.name} does not compile: {reason}") from None

    @cached_property
    def own(self) -> bool:
        """Whether a function of it comes from outside the package, or ours were put together there: it is then tried
        first (`_checked`), and its closed form kept to its digits."""
        functions = self.maps, self.rule, self.count, self.header_bits
        return bool(self.__dict__["_outside"]) or any(map(is_own, functions))

    def refuse_fault(self, found: I64) -> None:
        """Raise JumpnetError where the closed form has ended in an error among these numbers of receivers."""
        if self.own and found.size and found.min() < -1:
            reason = "the closed form raises an error, divides by zero or reads past its digits"
            if found.min() != RAISED:
                reason = f"{found.min()} receivers given, 0 or more expected"
            raise JumpnetError(f"multicast scheme {self.name}: {place(self.count)}: {reason}")


@lru_cache(maxsize=1 << 12)
def unpack(packed: int, ranks: int, stride: int) -> Digits:
    """The digits of a packed string, rank 0 first.

    >>> unpack(0b101_010, 2, 3)
    (2, 5)
    """
    return tuple((packed >> (stride * r)) & ((1 << stride) - 1) for r in range(ranks))


@kernel
def popcount(mask):
    """Number of bits of a mask of few bits.

    >>> popcount(0b1011)
    3
    """
    bits = 0
    while mask:
        mask &= mask - 1
        bits += 1
    return bits


if DISABLED:

    def _compile(count: Callable[..., int], own: bool) -> Any:
        def enter(digits, k, top, stride, fanout):
            try:
                return count(frozen(digits[:k]), k, top, stride, fanout)
            except Exception:
                return RAISED

        return enter if own else count

    def call_count(count: Any, digits: Any, k: int, top: int, stride: int, fanout: int) -> int:
        """Receivers for the first k strings of `digits`."""
        return count(digits, k, top, stride, fanout)

else:
    SIGNATURE = "int64(int64, int64, int64, int64, int64)"

    def _compile(count: Callable[..., int], own: bool) -> Any:
        return _guarded(count) if own else _plain(count)

    def _guarded(count: Callable[..., int]) -> Any:
        compiled = strict(count)

        def enter(address, k, top, stride, fanout):
            try:
                return whole_number(compiled(frozen(open_i64(address, k)), k, top, stride, fanout))
            except Exception:
                return RAISED

        return pointer(SIGNATURE, enter, count)

    def _plain(count: Callable[..., int]) -> Any:
        compiled = kernel(count, inline=True, allocates=True)

        def enter(address, k, top, stride, fanout):
            return compiled(open_i64(address, k), k, top, stride, fanout)

        return pointer(SIGNATURE, enter, count)

    @jit(inline="always")
    def call_count(count, digits, k, top, stride, fanout):
        """Receivers for the first k strings of `digits`."""
        return count(np.int64(digits.ctypes.data), k, top, stride, fanout)
