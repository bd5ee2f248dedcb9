"""Reader of plain edge lists: `u v` or `u v cycles` on each line, any words as names.

Comments start with # or %. Two kinds of comment are understood, as `jumpnet export` writes them: `# directed`, and
`# router NAME terminals T sinks S` (the counts may be left out). Used by the family `file`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from jumpnet.topology._linkfile import LinkFile

__all__ = ["read_edgelist"]


def _comment(file: LinkFile, words: list[str], lines_read: int) -> None:
    """The two comments that say something."""
    if words == ["directed"]:
        if lines_read:
            file.fail("'# directed' found after the first link, before it expected")
        file.directed = True
    if len(words) in (2, 4, 6) and words[0] == "router" and words[2::2] in ([], ["terminals"], ["terminals", "sinks"]):
        router = file.router(words[1])
        if len(words) > 2:
            file.terminals[router] = file.endpoints(words[3])
        if len(words) > 4:
            file.sinks[router] = file.endpoints(words[5])


def _weight(file: LinkFile, words: list[str]) -> int:
    """The latency in what follows the two names; 0 when there is none."""
    if not words or words == ["{}"]:  # NetworkX writes empty attributes so
        return 0
    if len(words) > 1:
        file.fail(f"{len(words) + 2} words found, 'u v' or 'u v cycles' expected")
    number = words[0]
    whole, dot, rest = number.partition(".")
    return file.cycles(whole if dot and rest.strip("0") == "" else number)


def read_edgelist(path: Path, lines: list[str]) -> LinkFile:
    """Parse the lines of an edge list; raises JumpnetError with `path:line`.

    A pair that is given again in the same order is a parallel link. In a two-way list a pair given in both orders is
    one link, and the two lines may give each direction its own latency; otherwise it is the same both ways. A line with
    one name is a router without links.
    """
    file = LinkFile(path)
    given: dict[tuple[int, int], list[int]] = {}
    read = 0
    for file.line, line in enumerate(lines, 1):
        words = line.split()
        if not words:
            continue
        if words[0][0] in "#%":
            _comment(file, [words[0].lstrip("#%"), *words[1:]] if words[0] not in "#%" else words[1:], read)
            continue
        read += 1
        if len(words) == 1 and "," in words[0]:
            file.fail(f"{file.shown(words[0])} found, 'u v' expected; an adjacency matrix has format=matrix or .csv")
        here = file.router(words[0])
        if len(words) == 1:
            continue
        there = file.router(words[1])
        cycles = _weight(file, words[2:])
        if here == there:
            file.fail(f"a link from {file.shown(words[0])} to itself found, two routers expected")
        if file.directed:
            file.link(here, there, cycles)
        else:
            given.setdefault((here, there), []).append(cycles)
    done: Counter[tuple[int, int]] = Counter()
    for (here, there), cycles_there in given.items():
        if done[there, here]:
            continue
        done[here, there] += 1
        cycles_back = given.get((there, here), [])
        for i in range(max(len(cycles_there), len(cycles_back))):
            one = cycles_there[i] if i < len(cycles_there) else cycles_back[i]
            other = cycles_back[i] if i < len(cycles_back) else one
            file.link(here, there, one, other)
    return file
