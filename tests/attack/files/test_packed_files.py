"""A packed file in the place of a text: the line says how it is packed, whatever its name ends in."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.files import read_text
from jumpnet.machine.dependence_file import read_dependent
from jumpnet.topology import build
from jumpnet.traffic import read_packets

TEXT = b"id,cycle,source,destination,flits,after\n0,0,0,1,4,\n" * 20
READERS: dict[str, Callable[[Path], object]] = {
    "dependences.csv": read_dependent,
    "packets.csv.gz": lambda path: read_packets(path, 3),
    "net.edgelist": lambda path: build(f"file:{path}"),
    "net.anynet": lambda path: build(f"file:{path}"),
    "study.toml": lambda path: read_text(path, 1000, "a study file expected"),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(("packer", "pack"), [("gzip", gzip.compress), ("bzip2", bz2.compress), ("xz", lzma.compress)])
def test_the_line_says_how_a_file_is_packed(
    name: str, packer: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(pack(TEXT))
    with pytest.raises(JumpnetError) as caught:
        READERS[name](path)
    line = str(caught.value)
    assert f"{name}: packed by {packer}, which is not unpacked here, " in line and line.endswith(" expected")
    assert "\n" not in line


def test_a_damaged_text_is_still_called_so(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"id\n\x1f\x8b\xff")
    with pytest.raises(JumpnetError, match="byte 4 is no UTF-8 text"):
        read_dependent(path)
