"""What a topology family is: a frozen dataclass with parameters, `build()`, `claims()` and `samples`.

One file of `topology/` holds one family (or a few close kin); the folder scan in `topology/__init__.py` finds it.
Used by every family.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self

from jumpnet.errors import JumpnetError
from jumpnet.memory import require, table_bytes
from jumpnet.networks import Implicit, Network
from jumpnet.settings.settings import settings_of, spell
from jumpnet.terms import I64, Array
from jumpnet.topology._own_family import guard_methods

__all__ = ["Claim", "Family"]

Claim = int | Fraction | float


@dataclass(frozen=True)
class Family:
    """Base of all families. Subclasses are frozen dataclasses whose first field is the size in the spec string.

    Field types decide how spec words are read: int, float, bool, str, Sides (or tuple[int, ...]), Literal[...], unions.
    Bounds of one number stand in its type, `Annotated[int, Ge(2)]`; what else does not close `__post_init__` refuses.
    """

    name: ClassVar[str] = ""
    """Family name in spec strings; empty in abstract bases."""
    samples: ClassVar[tuple[str, ...]] = ()
    """Small specs on which the law tests run (claims, ports, automorphisms); cover each variant."""

    def __init_subclass__(cls) -> None:
        """Refuse a field that would hide a method or property of every family; check what methods of a user's give."""
        super().__init_subclass__()
        if not isinstance(cls.name, str):
            raise JumpnetError(f"{cls.__name__}: name {cls.name!r} found, a text expected")
        if not isinstance(cls.samples, tuple | list) or not all(isinstance(spec, str) for spec in cls.samples):
            raise JumpnetError(f"{cls.__name__}: samples {cls.samples!r} found, a tuple of specs expected")
        for field in vars(cls).get("__annotations__", {}):
            if hasattr(Family, field) and field not in ("name", "samples"):
                raise JumpnetError(f"{cls.__name__}: a field named {field!r} found, which every family has already")
        if cls.__module__.partition(".")[0] != "jumpnet":
            guard_methods(cls, Family)

    def __new__(cls, *sizes: Any, **keyed: Any) -> Self:
        """As for any dataclass, with the types of the fields checked."""
        cls._must_be_dataclass()
        settings_of(cls).check(sizes, keyed)
        return super().__new__(cls)

    @classmethod
    def parse(cls, positional: list[str], keyed: dict[str, str]) -> Family:
        """An instance from the words of a spec string."""
        cls._must_be_dataclass()
        known = settings_of(cls)
        known.refuse_unreadable()
        return cls(**known.read(positional, keyed))

    @classmethod
    def _must_be_dataclass(cls) -> None:
        """Refuse a class whose own fields no decorator has read: they would be nobody's settings."""
        for name in vars(cls).get("__annotations__", {}).keys() - {"name", "samples"}:
            if name not in getattr(cls, "__dataclass_fields__", {}):
                said = f"class {cls.__name__} found, @dataclass(frozen=True) before it expected"
                raise JumpnetError(f"family {cls.name}: {said}")

    @property
    def spec(self) -> str:
        """The canonical spec string."""
        return spell(self)

    def build(self) -> Network:
        """The network as arrays."""
        raise JumpnetError(f"family {self.name}: {type(self).__name__} defines no build(), one expected")

    def claims(self) -> Mapping[str, Claim]:
        """Closed forms that must equal the computed figure, e.g. routers, links, degree, diameter.

        Keys are names of `jumpnet.graph.metrics` figures; exact averages are Fractions.
        """
        return {}

    def automorphisms(self, net: Network) -> Iterator[I64]:
        """Generators, as permutations (R,), of the symmetry that `net.orbits` declares; law tests check them."""
        return iter(())

    def halves(self, net: Network) -> Iterator[Array]:
        """Halvings (R,) bool that the structure suggests, for `bisection` to start from; they may be cut badly."""
        return iter(())

    def bisection_width(self) -> tuple[int, str] | None:
        """The bisection width in links by a theorem with its proof, and its source; None where none covers this size.

        As `graph.bisection` counts: halves of the terminals. Never a figure without a proof: the law tests hold it
        against every halving, and `bisection` refuses one outside its own bounds.
        """
        return None

    def implicit(self) -> Implicit | None:
        """The network by a neighbor function, for sizes whose table would not fit; None when not provided."""
        return None

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences on what this size lacks of what its parameters name; shown beside its figures."""
        return ()

    def size(self) -> tuple[int, int] | None:
        """(routers, ports) without building, so that a job too big is refused before it starts; None if unknown."""
        claimed = self.claims()
        if "routers" in claimed and "degree" in claimed:
            return int(claimed["routers"]), int(claimed["degree"])
        return None

    def refuse_too_big(self) -> None:
        """Raise JumpnetError when the table would not fit this machine's memory; says the estimate."""
        size = self.size()
        if size is None:
            return
        routers, ports = size
        require(table_bytes(routers, ports), f"{self.spec}: a table of {routers} routers with {ports} ports")
        if routers >= 2**31:
            raise JumpnetError(f"{self.spec}: {routers} routers found, a table of fewer than 2^31 expected")

    @property
    def attributes(self) -> dict[str, Any]:
        """Parameters by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}
