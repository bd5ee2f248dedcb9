"""Slow, obvious twins of the wafer kernels: paths as lists of cells, wires as walks in a graph of terminals."""

from __future__ import annotations

from jumpnet.fault.array import WaferArray
from jumpnet.jit.random import draw63, stream_key

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
PAIRS = {0: [], 1: [("W", "E"), ("N", "S")], 2: [("W", "N"), ("S", "E")], 3: [("W", "S"), ("N", "E")]}


def faults_of(array: WaferArray, bad) -> list[tuple[int, int]]:
    """The defective core elements in row order."""
    height, width = array.shape
    return [(x, y) for x in range(height) for y in range(width) if bad[x, y] and array.is_core(x, y)]


def places(array: WaferArray, bad, direction) -> dict[tuple[int, int], tuple[int, int]] | None:
    """Where each logical element is: every fault pushes its element to the next good place, which pushes its own."""
    height, width = array.shape
    on = {
        (i + array.north, j + array.west): (i, j) for i in range(array.rows) for j in range(array.columns)
    }  # place -> logical
    ends = [x * STEPS[d][0] + y * STEPS[d][1] for (x, y), d in zip(faults_of(array, bad), direction, strict=True)]
    for k in sorted(range(len(ends)), key=lambda k: -ends[k]):  # the one nearest to its edge first
        x, y = faults_of(array, bad)[k]
        dx, dy = STEPS[direction[k]]
        moving = on.pop((x, y))
        while moving is not None:
            x, y = x + dx, y + dy
            if not (0 <= x < height and 0 <= y < width):
                return None
            if not bad[x, y]:
                moving, on[x, y] = on.get((x, y)), moving
    return {logical: place for place, logical in on.items()}


def follow(
    array: WaferArray, place, row_switches, column_switches, broken=(), figures=None
) -> dict[tuple[str, int, int], tuple[int, int]]:
    """Where the wire from the east and the south side of each logical element ends, as ('E' or 'S', i, j).

    broken: (kind, row, column, side, track) of broken links, switches and tracks; their joints are left out. figures: a
    dictionary that gets (segments, turns) of each wire: pieces of track and links passed whole, bends in switches.
    """
    height, width = array.shape
    owner = {p: logical for logical, p in place.items()}
    wire: dict[tuple, list[tuple]] = {}

    cut = {("h" if side == "E" else "v", what, x, y) + ((t,) * (what != "link")) for what, x, y, side, t in broken}

    def join(a: tuple, b: tuple, *parts: tuple) -> None:
        if cut.intersection(parts):
            return
        wire.setdefault(a, []).append(b)
        wire.setdefault(b, []).append(a)

    for kind, switches, flip in (("h", row_switches, False), ("v", column_switches, True)):
        gaps, lines, tracks = switches.shape
        for g in range(gaps):
            for x in range(lines):
                here = (x, g) if not flip else (g, x)
                after = (x, (g + 1) % gaps) if not flip else ((g + 1) % gaps, x)
                link = (kind, "link", *here)
                join((kind, "element", here, "far"), (kind, g, x, 0, "W"), link)
                for t in range(tracks):
                    for a, b in PAIRS[int(switches[g, x, t])]:
                        join((kind, g, x, t, a), (kind, g, x, t, b), (kind, "switch", *here, t))
                    if t + 1 < tracks:
                        join((kind, g, x, t, "E"), (kind, g, x, t + 1, "W"), link)
                    if x + 1 < lines:
                        join((kind, g, x, t, "S"), (kind, g, x + 1, t, "N"), (kind, "track", *here, t))
                join((kind, g, x, tracks - 1, "E"), (kind, "element", after, "near"), link)
        for x in range(height):
            for y in range(width):
                if (x, y) not in owner:
                    join((kind, "element", (x, y), "near"), (kind, "element", (x, y), "far"))
    found = {}
    for (i, j), p in place.items():
        for kind, side in (("h", "E"), ("v", "S")):
            before, at, segments, turns = None, (kind, "element", p, "far"), 0, 0
            while True:
                onward = [n for n in wire.get(at, []) if n != before]
                if not onward:
                    break
                before, at = at, onward[0]
                segments += at[3] == "near" or ({before[-1], at[-1]} == {"S", "N"} and before[:4] != at[:4])
                turns += before[:4] == at[:4] and {before[-1], at[-1]} not in ({"W", "E"}, {"N", "S"})
            if figures is not None:
                figures[side, i, j] = segments, turns
            if at[1] == "element" and at[3] == "near" and at[2] in owner:
                found[side, i, j] = owner[at[2]]
    return found


def local(array: WaferArray, bad, outer_first: bool, barred: list[int]) -> list[int]:
    """Directions of the local method, from sets of cells."""
    height, width = array.shape
    faults = faults_of(array, bad)
    chosen: dict[int, int] = {}

    def path(k: int, d: int) -> set[tuple[int, int]]:
        (x, y), (dx, dy) = faults[k], STEPS[d]
        cells = set()
        while 0 <= x < height and 0 <= y < width:
            cells.add((x, y))
            x, y = x + dx, y + dy
        return cells

    def shifted(line: int, position: int, axis: int) -> int:
        """How far the element at a position of a line is shifted along it by the paths chosen so far."""
        total = 0
        for k, d in chosen.items():
            if d % 2 == axis and faults[k][1 - axis] == line:
                at = faults[k][axis]
                total += (d in (1, 2) and at <= position) - (d in (0, 3) and at >= position)
        return total

    def allowed(k: int, d: int) -> bool:
        axis = 1 if d in (1, 3) else 0
        line, p = faults[k][1 - axis], faults[k][axis]
        same = [g for g, e in chosen.items() if (e in (1, 3)) == (axis == 1) and faults[g][1 - axis] == line]
        for g in same:
            if chosen[g] != d and ((faults[g][axis] >= p) if d in (1, 2) else (faults[g][axis] <= p)):
                return False
        cells = path(k, d).union(*(path(g, d) for g in same if chosen[g] == d))
        for g, e in chosen.items():
            if (e in (1, 3)) != (axis == 1) and cells & path(g, e) & {c for c in cells if array.is_core(*c)}:
                return False
        if sum(bad[c] for c in cells if array.is_core(*c)) > sum(not bad[c] for c in cells if not array.is_core(*c)):
            return False
        lines = array.columns if axis == 0 else array.rows
        first = array.west if axis == 0 else array.north
        closed = array.shape[1 - axis] == lines
        for step in (-1, 1):
            beside = line - first + step
            if closed:
                beside %= lines
            if 0 <= beside < lines:
                for c in path(k, d):
                    if array.is_core(*c):
                        own = shifted(line, c[axis], axis) + (1 if d in (1, 2) else -1)
                        if abs(own - shifted(beside + first, c[axis], axis)) > array.tracks:
                            return False
        return True

    def edge(k: int) -> int:
        x, y = faults[k]
        return min(x, y, height - 1 - x, width - 1 - y)

    for k in sorted(range(len(faults)), key=lambda k: edge(k) if outer_first else -edge(k)):
        x, y = faults[k]
        far = (x, width - 1 - y, height - 1 - x, y)
        for d in sorted(range(4), key=lambda d: far[d]):
            if not barred[k] >> d & 1 and allowed(k, d):
                chosen[k] = d
                break
    return [chosen.get(k, -1) for k in range(len(faults))]


def scattered(array: WaferArray, threshold: int, seed: int, wafer: int) -> set[tuple[int, int]]:
    """The defective places of a wafer without clusters: a draw for each, by rows."""
    height, width = array.shape
    key = stream_key(seed, wafer)
    places = [(x, y) for x in range(height) for y in range(width)]
    return {place for k, place in enumerate(places) if int(draw63(key, k)) < threshold}


def clustered(array: WaferArray, threshold: int, seed: int, wafer: int) -> set[tuple[int, int]]:
    """The defective places of a wafer with clusters, in any order."""
    height, width = array.shape
    key = stream_key(seed, wafer)
    found = set()
    for x in range(-1, height + 1):
        for y in range(-1, width + 1):
            counter = 2 * ((x + 1) * (width + 2) + y + 1)
            if int(draw63(key, counter)) < threshold:
                bits = int(draw63(key, counter + 1)) >> 20
                around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
                found |= {c for k, c in enumerate(around) if bits >> k & 1 or c == (x, y)}
    return {(x, y) for x, y in found if 0 <= x < height and 0 <= y < width}


def all_have_places(near: list[set]) -> bool:
    """Whether everyone can have a place of its own out of those near it, by trying all ways."""
    if not near:
        return True
    k = min(range(len(near)), key=lambda n: len(near[n]))
    rest = near[:k] + near[k + 1 :]
    return any(all_have_places([others - {place} for others in rest]) for place in sorted(near[k]))


def fewest_pieces(first: list[int], last: list[int], broken: list[list[int]]) -> int | None:
    """Pieces of track, from a line to the next, on the shortest trails without a common edge that join the links of
    every ring over a gap, None when there are no such trails: each trail of each ring in turn.
    """
    lines, tracks = len(broken), len(broken[0])
    step = {"W": (0, -1), "E": (0, 1), "N": (-1, 0), "S": (1, 0)}
    far, bit = {"W": "E", "E": "W", "N": "S", "S": "N"}, {"W": 1, "E": 2, "N": 4, "S": 8}

    def edge(x: int, t: int, side: str) -> frozenset:
        dx, dt = step[side]
        return frozenset({(x, t, side), (x + dx, t + dt, far[side])})

    def trails(x: int, t: int, enters: str, used: set, to: int):
        """Every trail from a terminal of a switch to the link of line `to` after the gap, as its set of edges."""
        if broken[x][t] & bit[enters]:
            return
        for side in "WENS":
            if side == enters or broken[x][t] & bit[side] or edge(x, t, side) in used:
                continue
            (dx, dt), more = step[side], used | {edge(x, t, side)}
            if side == "E" and t + 1 == tracks:
                if x == to:
                    yield more
            elif 0 <= x + dx < lines and t + dt >= 0:
                yield from trails(x + dx, t + dt, far[side], more, to)

    def wires(r: int, used: set):
        """The edges of every choice of trails for ring r and those after it."""
        if r == len(first):
            yield used
            return
        for more in trails(first[r], 0, "W", used | {edge(first[r], 0, "W")}, last[r]):
            yield from wires(r + 1, more)

    choices = (sum(side == "S" for ends in used for *_, side in ends) for used in wires(0, set()))
    return min(choices, default=None)


def over_gap(states, broken, first: list[int]) -> tuple[list[int], int]:
    """The lines on which the wires that enter a gap on lines `first` leave it, -1 for none, and the pieces of track on
    their way; one switch at a time.
    """
    bit = {"W": 1, "E": 2, "N": 4, "S": 8}
    step = {"W": (0, -1), "E": (0, 1), "N": (-1, 0), "S": (1, 0)}
    found, pieces = [], 0
    for x in first:
        t, enters = 0, "W"
        while 0 <= t < len(states[0]) and 0 <= x < len(states):
            ends = [end for pair in PAIRS[int(states[x][t])] if enters in pair for end in pair if end != enters]
            if not ends or broken[x][t] & (bit[enters] | bit[ends[0]]):
                t = -1
            else:
                x, t = x + step[ends[0]][0], t + step[ends[0]][1]
                enters = {"W": "E", "E": "W", "N": "S", "S": "N"}[ends[0]]
                pieces += enters in "NS"
        found.append(x if t == len(states[0]) else -1)
    return found, pieces
