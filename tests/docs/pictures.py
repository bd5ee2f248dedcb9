"""The pictures of the written pages, docs/images: what draws each, whether one is stale, and how they are made again.

`docs/images/PAGE-NAME.png` is the `NAME.png` that the commands of PAGE write; others are drawn by the command below.
`python -m tests.docs.pictures` runs those pages and puts the pictures in their places.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.image
import numpy as np

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
DRAWN_BY = {"rdt-16.png": ["draw", "rdt:16", "--out", "rdt-16.png"]}
"""Pictures of no session, with the words of the command that draws them."""
STEP = 0.05
"""A channel of a pixel differs by more than this, of 1: letters are smoothed a little otherwise elsewhere."""
SHARE = 0.002
"""So many of the pixels may differ: a curve, a word or a colour are more."""


def pictures_of(page: Path) -> dict[Path, str]:
    """The committed pictures of a page, and what its commands call them."""
    begin = f"{page.stem}-"
    found = {image: image.name.removeprefix(begin) for image in sorted(IMAGES.glob(f"{begin}*.png"))}
    return {image: name for image, name in found.items() if image.name not in DRAWN_BY}


def stale(committed: Path, drawn: Path) -> str:
    """How a picture differs from what is drawn now; empty where it does not."""
    old, new = (matplotlib.image.imread(file)[..., :3] for file in (committed, drawn))
    again = f"{committed.name} is not what is drawn now; `python -m tests.docs.pictures` makes it again"
    if old.shape != new.shape:
        return f"{again} (of {new.shape[1]} x {new.shape[0]} pixels, not {old.shape[1]} x {old.shape[0]})"
    share = float((np.abs(old - new).max(axis=-1) > STEP).mean())
    return f"{again} ({share:.1%} of the pixels differ)" if share > SHARE else ""


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with this checkout in a folder."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )


def draw(name: str, folder: Path) -> Path:
    """Draw one picture of DRAWN_BY into a folder."""
    done = run(["-m", "jumpnet", *DRAWN_BY[name]], folder)
    assert done.returncode == 0, done.stderr
    return folder / name


def make() -> None:
    """Make every picture again."""
    for page in sorted((ROOT / "docs").glob("*.md")):
        images = pictures_of(page)
        with tempfile.TemporaryDirectory() as folder:
            done = run(["-m", "tests.docs.sessions", str(page)], Path(folder)) if images else None
            assert done is None or done.returncode == 0, done.stdout + done.stderr
            for image, name in images.items():
                shutil.copyfile(Path(folder) / name, image)
                print(image)
    for name in DRAWN_BY:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copyfile(draw(name, Path(folder)), IMAGES / name)
            print(IMAGES / name)


if __name__ == "__main__":
    make()
