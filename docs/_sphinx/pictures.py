"""Pictures of the gallery: files that a script writes are shown as Matplotlib's figures are, in the package's look."""

from __future__ import annotations

import shutil
from pathlib import Path

import matplotlib.pyplot
from sphinx_gallery.scrapers import figure_rst

from jumpnet.plot.figure import STYLE


def look(gallery_conf, script) -> None:
    """Before and after each script: figures closed, the look as in the package's own pictures."""
    matplotlib.pyplot.close("all")
    matplotlib.pyplot.rcdefaults()
    matplotlib.pyplot.rcParams.update({**STYLE, "figure.facecolor": "white", "savefig.dpi": 160})


def written(block, block_vars, gallery_conf) -> str:
    """The pictures that a block has written beside the script, moved to where Sphinx wants them."""
    names = []
    for file in sorted(Path(block_vars["src_file"]).parent.glob("*.png")):
        names.append(next(block_vars["image_path_iterator"]))
        shutil.move(file, names[-1])
    return figure_rst(names, gallery_conf["src_dir"])
