"""The committed drawings, `tests/golden/drawings.jsonl`: what each picture of the report shows, in short.

`jumpnet paper --record` writes the file beside the verdicts; `jumpnet paper --check` and the tests compare it: another
label, colour, place or line is seen, and recorded after the picture was looked at again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jumpnet.plot.describe import described
from jumpnet.report._report import Computed
from jumpnet.report._verdicts import Row

__all__ = ["drawing_file", "drawing_rows"]


def drawing_file(folder: Path) -> Path:
    """The file of the drawings below the golden files."""
    return folder / "drawings.jsonl"


def drawing_rows(part: Computed) -> Iterator[Row]:
    """The pictures of a section as the lines of the file."""
    for figure in part.section.figures:
        drawn = figure.described or described(figure.draw)
        yield {"paper": part.key, "section": part.name, "piece": f"drawing {figure.name}", **drawn}
