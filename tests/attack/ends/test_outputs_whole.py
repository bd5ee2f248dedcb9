"""What a command writes takes the place of an older file when it is whole, and not before."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from tests.attack.command_line.verbs import say

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.files import replaced, write_bytes

OTHERS = {
    "files.py",
    "_seal.py",
    "jit/cache.py",
    "cli/_command/report.py",
    "report/_kept.py",
    "report/_verdicts.py",
    "cli/_command/surroundings.py",
    "cli/_command/output.py",
    "coherence/search/state_storage.py",
    "cli/new.py",
}
"""Files that write by other means: what they write is kept aside until it is whole too, is never read back by a
person, is refused where it is there already, or belongs to the checkout."""
WRITES = re.compile(
    r"""\.write_(text|bytes)\(|open\([^)]*["'][rbt]*[wax+][bt+]*["']|\.to_parquet\((?!place)|np\.save\((?!place)"""
)
WORDS = {
    "draw torus:4x4 --out OUT.svg": "OUT.svg",
    "export torus:4x4 --format graphml --out OUT": "OUT",
    "simulate torus:4x4 --load 0.1 --cycles 60 --events OUT": "OUT",
    "prove torus:4x4 --certificate OUT.cert.gz": "OUT.cert.gz",
    "prove torus:4x4 --certificate OUT.npy": "OUT.npy",
    "prove torus:4x4 --routing torus.dimension_order --draw OUT.svg": "OUT.svg",
    "protocol msi --caches 2 --export OUT": "OUT",
    "workload lu:n=8 --out OUT.parquet": "OUT.parquet",
    "explore torus:4x4 --out PAGE": "PAGE/index.html",
}
OLDER = f'<title>jumpnet</title>\n<meta name="sources" content="{"0" * 32}">precious'
"""A page of jumpnet, as a new one takes the place of no other file; the others take that of any."""


def _new_files(monkeypatch: pytest.MonkeyPatch, made: Callable[[Path], IO[bytes]]) -> None:
    """What opens a file that is not there yet."""
    opened: Any = Path.open

    def asked(path: Path, *mode: Any, **more: Any) -> Any:
        return made(path) if mode == ("xb",) else opened(path, *mode, **more)

    monkeypatch.setattr(Path, "open", asked)


def test_nothing_is_written_but_through_one_door() -> None:
    source = Path(jumpnet.__file__).parent
    found = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if WRITES.search(re.sub(r"(>>>|\.\.\.) .*", "", path.read_text(encoding="utf-8")))
    }
    assert not found - OTHERS


@pytest.mark.parametrize("words", WORDS)
def test_a_full_disk_leaves_the_older_file(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / WORDS[words]
    place.parent.mkdir(exist_ok=True)
    place.write_text(OLDER)
    monkeypatch.chdir(tmp_path)
    _new_files(monkeypatch, lambda path: Path("/dev/full").open("wb"))  # noqa: SIM115 - the writer closes it
    said = say(words.split())
    assert said.status == 2 and "no space left on device" in said.err, said
    assert place.read_text() == OLDER


@pytest.mark.parametrize("end", [KeyboardInterrupt, JumpnetError("cannot be said"), RuntimeError, OSError(28, "full")])
def test_whatever_ends_the_work_nothing_else_is_left(end: BaseException, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(JumpnetError if isinstance(end, OSError) else BaseException), replaced(tmp_path / "a") as file:
        file.write(b"new")
        raise end
    assert (tmp_path / "a").read_text() == "old" and os.listdir(tmp_path) == ["a"]


def test_a_link_and_rights_stay(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    write_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o640


def test_what_nothing_may_replace_is_written_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_bytes("/dev/null", b"new")
    assert Path("/dev/null").is_char_device()
    (tmp_path / "a").write_text("old")
    os.link(tmp_path / "a", tmp_path / "b")
    write_bytes(tmp_path / "a", b"new")
    assert (tmp_path / "b").read_text() == "new"
    (tmp_path / "b").unlink()

    def refused(path: Path) -> IO[bytes]:
        raise PermissionError(13, "no new file in this folder")

    _new_files(monkeypatch, refused)
    write_bytes(tmp_path / "a", b"in place")
    assert (tmp_path / "a").read_bytes() == b"in place"
    with pytest.raises(JumpnetError, match="file that can be written expected"):
        write_bytes("a\0b", b"")


def test_a_page_that_is_refused_makes_no_folder(tmp_path: Path) -> None:
    assert say(["explore", "nope:3", "--out", str(tmp_path / "page")]).status == 2
    assert not (tmp_path / "page").exists()


@pytest.mark.parametrize("words", ["protocol msi --caches 2 --export -", "export torus:4x4 --out -"])
def test_what_goes_to_the_standard_output_is_there(words: str) -> None:
    said = say(words.split())
    assert said.status == 0 and not said.err and len(said.out) > 1000


def test_a_dash_that_names_no_file_moves_no_answer(tmp_path: Path) -> None:
    said = say(["draw", "torus:4x4", "--title", "-", "--out", str(tmp_path / "a.svg")])
    assert (said.status, said.err) == (0, "") and said.out.endswith("a.svg: torus:4x4\n")
