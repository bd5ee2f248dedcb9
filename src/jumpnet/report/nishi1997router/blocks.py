"""Figures 1, 2, 9, 12 and 15: the machine, its cluster, the chip and its buffer."""

from __future__ import annotations

from jumpnet.report._blocks import buffer_figure, chip_figure, cluster_figure, machine_figure
from jumpnet.report._section import Golden, Progress, Section
from jumpnet.report.nishi1997router._cells import Said, sentences

TITLE = "Figures 1, 2, 9 and 12: machine, cluster, chip and buffer"
ORDER = 5

PREFIX, KEY = "chip", "nishi1997router"
PHOTO = "A photo of the network board, lost in our copy. What the text counts on the board stands under section 5."


def section(golden: Golden, progress: Progress) -> Section:
    """Draw what the model has of them."""
    lost = sentences(
        golden, "A figure that cannot be drawn", f"{KEY}, Figure 15", {"figure_15": Said("photo", PHOTO, stated=True)}
    )
    figures = [
        machine_figure(PREFIX, KEY, 1, "figure_1"),
        cluster_figure(PREFIX, KEY, 2, "figure_2"),
        chip_figure(PREFIX, KEY, 9, "figure_9"),
        buffer_figure(PREFIX, KEY, 12, "figure_12"),
    ]
    return Section(TITLE, TEXT, (lost,), figures)


TEXT = """The pictures of the paper are lost in our copy; its captions and its text are not. What they name is drawn
from the parts of the model: the network of 256 clusters, the links, buffers, crossbar and combining unit of a chip, the
two memories of a link's packet buffer."""
