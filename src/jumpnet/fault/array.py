"""The physical array: an N x M core of elements, spare lines on chosen sides, tracks and switches between elements.

Source: inoguchi1996srt, section 5.1 and Figure 9 (one spare line on each side, one or two tracks, four-state
switches), after Kung, Jean and Chan 1989. Read by every file of `fault` about arrays and by the layers above.

Coordinates are physical (row, column) from the north-west corner, spares included. Between neighbouring columns, and
round the torus from the last to the first, lies a gap with `tracks` vertical tracks; every horizontal link crosses
them, with one switch at each crossing. The same holds with rows and columns exchanged. An element that is not used,
faulty or spare, conducts straight through (west-east and north-south): the usual assumption about faulty elements.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.memory import require

__all__ = ["CROSS", "EAST", "NORTH", "OPEN", "SIDES", "SOUTH", "STATES", "WEST", "WN_SE", "WS_NE", "WaferArray"]

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
SIDES = "NESW"
OPEN, CROSS, WN_SE, WS_NE = 0, 1, 2, 3
STATES = ("open", "cross", "wn_se", "ws_ne")
"""The four states of a switch: nothing joined; west-east and north-south; west-north and south-east; west-south and
north-east. Switches of vertical links have the same states with rows and columns exchanged."""
MAX_TRACKS = 16
MAX_SIDE = 1 << 14


@public
@dataclass(frozen=True)
class WaferArray:
    """An array of (rows + spares) x (columns + spares) elements for a torus of rows x columns.

    >>> WaferArray(16, 16).shape
    (18, 18)
    """

    rows: int
    """Logical rows N."""
    columns: int
    """Logical columns M."""
    north: int = 1
    """Spare rows above the core."""
    east: int = 1
    """Spare columns right of the core."""
    south: int = 1
    """Spare rows below the core."""
    west: int = 1
    """Spare columns left of the core."""
    tracks: int = 1
    """Tracks in each gap: 1 for single-track switches, 2 for double-track ones."""

    def __post_init__(self) -> None:
        if not (2 <= self.rows <= MAX_SIDE and 2 <= self.columns <= MAX_SIDE):
            raise JumpnetError(f"an array of {self.rows}x{self.columns} found, sides of 2 to {MAX_SIDE} expected")
        if not 1 <= self.tracks <= MAX_TRACKS:
            raise JumpnetError(f"{self.tracks} tracks found, 1 to {MAX_TRACKS} expected")
        for spares in (self.north, self.east, self.south, self.west):
            if not 0 <= spares <= min(self.rows, self.columns):
                raise JumpnetError(
                    f"{spares} spare lines on a side found, 0 to {min(self.rows, self.columns)} expected"
                )
        height, width = self.shape
        require(height * width * (48 + 4 * self.tracks), f"an array of {height}x{width} elements")

    @staticmethod
    def around(rows: int, columns: int, spares: int = 1, sides: str = SIDES, tracks: int = 1) -> WaferArray:
        """An array with the same number of spare lines on each of the sides named by the letters N, E, S, W.

        >>> WaferArray.around(8, 8, 1, "ES").shape
        (9, 9)
        """
        named = sides.upper()
        if not named or set(named) - set(SIDES) or len(set(named)) != len(named):
            raise JumpnetError(f"sides {sides!r} found, some of the letters N, E, S, W expected, e.g. ES")
        north, east, south, west = (spares * (side in named) for side in SIDES)
        return WaferArray(rows, columns, north, east, south, west, tracks)

    @property
    def shape(self) -> tuple[int, int]:
        """Physical rows and columns."""
        return self.rows + self.north + self.south, self.columns + self.east + self.west

    @property
    def most_spares(self) -> int:
        """Largest number of spare lines on one side."""
        return max(self.north, self.east, self.south, self.west)

    @property
    def switches(self) -> int:
        """Number of switches: one for each link and track."""
        height, width = self.shape
        return 2 * height * width * self.tracks

    @property
    def area_ratio(self) -> float:
        """Elements of the array for each element of the core; tracks and switches are not counted.

        >>> WaferArray(8, 8).area_ratio
        1.5625
        """
        height, width = self.shape
        return height * width / (self.rows * self.columns)

    def is_core(self, row: int, column: int) -> bool:
        """Whether a physical place lies in the core."""
        return self.north <= row < self.north + self.rows and self.west <= column < self.west + self.columns
