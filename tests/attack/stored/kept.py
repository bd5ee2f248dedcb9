"""Spoils kept checkpoints and kernels: `python -m tests.attack.stored.kept --checkpoints 500 --kernels 140`.

A checkpoint has one to four numbers of its arrays changed, its digest set right, and another key; one of ten has a bit
flipped instead. A kernel is spoiled in one of ten ways, and run in a process that has not seen it. Right is a line, and
the answer of a run that found no file. Exit status 1 when anything else came.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import runpy
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from tests.attack.stored import test_checkpoints as checkpoints
from tests.attack.stored.test_damaged_kernels import DAMAGED, OWN, ways

from jumpnet import _seal
from jumpnet.errors import JumpnetError
from jumpnet.jit import cache
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.simulate import simulate


def kept_checkpoint(path: Path) -> bytes:
    """A checkpoint as a run leaves it."""
    with pytest.MonkeyPatch.context() as patch:
        checkpoints._stopping(patch)
        with contextlib.suppress(checkpoints._Stopped):
            simulate("torus:4x4", checkpoint=Checkpoint(path, 0.0), **checkpoints.SETTINGS)
    return path.read_bytes()


def of_checkpoint(path: Path, whole: bytes, seed: int) -> str:
    """What going on from a spoiled checkpoint comes to."""
    draw = random.Random(f"checkpoint {seed}")
    path.write_bytes(whole)
    if draw.random() < 0.1:
        data = bytearray(whole)
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        path.write_bytes(data)
    else:
        body = _seal.sealed(path, _seal.owners_key(), "a checkpoint expected")
        for _ in range(draw.choice([1, 1, 2, 4])):
            body = checkpoints._forged(body, draw)
        with path.open("w+b") as file:
            file.write(body)
            _seal.put_seal(file, draw.randbytes(32))
    try:
        checkpoints._go_on(path)
    except JumpnetError as error:
        return "refused in one line" if "\n" not in str(error) else f"several lines: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "went on"


def of_kernel(folder: Path, seed: int) -> str:
    """What calling a kernel comes to whose file is spoiled."""
    draw = random.Random(f"kernel {seed}")
    found: dict[str, Any] = ways(draw)
    (kernel,) = folder.rglob("*.kernel")
    kernel.write_bytes(found[draw.choice(list(found))](kernel.read_bytes()))
    said, out = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(out):
        try:
            runpy.run_path(str(folder / "own.py"), run_name="__main__")
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    right = out.getvalue() == "21\n" and said.getvalue().count(DAMAGED) == 1
    return "made again with a word" if right else f"{out.getvalue()!r}, {said.getvalue()!r}"


def main() -> int:
    """Attack what the options name, and say what came."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--checkpoints", type=int, default=50)
    options.add_argument("--kernels", type=int, default=20)
    options.add_argument("--seed", type=int, default=0, help="Other seeds, other files.")
    given = options.parse_args()
    came: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        path, folder = Path(place) / "c", Path(place) / "kernels"
        whole = kept_checkpoint(path)
        came.update(of_checkpoint(path, whole, given.seed + k) for k in range(given.checkpoints))
        folder.mkdir()
        (folder / "own.py").write_text(OWN)
        quiet = mock.patch.object(cache, "_say", cache.notice)  # else once a process
        with quiet, mock.patch.dict(os.environ, JUMPNET_CACHE_DIR=str(folder / "cache")):
            os.environ.pop("JUMPNET_QUIET", None)
            with contextlib.redirect_stdout(None):
                runpy.run_path(str(folder / "own.py"), run_name="__main__")
            came.update(of_kernel(folder, given.seed + k) for k in range(given.kernels))
    for words, count in sorted(came.items()):
        print(f"{count} {words}")
    return 0 if came.keys() <= {"refused in one line", "made again with a word"} else 1


if __name__ == "__main__":
    sys.exit(main())
