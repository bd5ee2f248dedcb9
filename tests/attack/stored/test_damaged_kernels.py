"""Real kernels on disk, spoiled in ten ways: each is set aside with a word, and the answer is right."""

from __future__ import annotations

import os
import random
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tiny.jit.test_kernel_cache import Machine

from jumpnet.jit import cache as _kernel_cache
from jumpnet.jit.cache import KernelCache
from jumpnet.jit.decorator import DISABLED

OWN = "from jumpnet.jit.decorator import jit\n@jit\ndef f(x):\n    return 3 * x\nprint(f(7))\n"


def ways(draw: random.Random) -> dict[str, Callable[[bytes], bytes]]:
    """How a file may be spoiled."""

    def flipped(data: bytes, at: int) -> bytes:
        return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]

    return {
        "empty": lambda data: b"",
        "only its mark": lambda data: data[:17],
        "half": lambda data: data[: len(data) // 2],
        "the last byte away": lambda data: data[:-1],
        "a bit of the mark": lambda data: flipped(data, 3),
        "a bit of the checksum": lambda data: flipped(data, 30),
        "a bit of the code": lambda data: flipped(data, draw.randrange(60, len(data))),
        "zeros": lambda data: bytes(len(data)),
        "foreign": lambda data: b"\x80\x04N.",
        "more behind it": lambda data: data + b"more",
    }


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a kernel of one's own, and the cache in which it lies compiled."""
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "own.py").write_text(OWN)
    run(folder)
    return folder


def run(place: Path) -> str:
    """What a process that calls the kernel says on its error stream; its answer is checked."""
    found = subprocess.run(
        [sys.executable, "own.py"], cwd=place, capture_output=True, text=True, check=True,
        env=os.environ | {"JUMPNET_CACHE_DIR": str(place / "cache")},
    )  # fmt: skip
    assert found.stdout == "21\n"
    return found.stderr


def spoiled(place: Path, way: str) -> Path:
    """The kernel in the cache, spoiled."""
    (kernel,) = (place / "cache").rglob("*.kernel")
    kernel.write_bytes(ways(random.Random(way))[way](kernel.read_bytes()))
    return kernel


DAMAGED = "was damaged; it is set aside and compiled again"


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("way", list(ways(random.Random(0))))
def test_a_spoiled_kernel_is_made_again(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file run three times as new, in this process: nothing of a compiled function is kept but on the disk."""
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("JUMPNET_QUIET", raising=False)
    monkeypatch.setattr(_kernel_cache, "_say", _kernel_cache.notice)  # not once a process
    monkeypatch.chdir(tmp_path)

    def said() -> str:
        runpy.run_path("own.py", run_name="__main__")
        found = capsys.readouterr()
        assert found.out == "21\n"
        return found.err

    assert said() == ""
    kernel = spoiled(tmp_path, way)
    assert DAMAGED in said() and kernel.with_suffix(".damaged").is_file()
    assert said() == ""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A usable folder; what is said is not said once a process."""
    monkeypatch.setattr(_kernel_cache, "BUILT_IN", tmp_path / "none")
    monkeypatch.setattr(_kernel_cache, "_say", _kernel_cache.notice)
    monkeypatch.delenv("JUMPNET_QUIET", raising=False)
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    return folder


def test_a_kernel_under_the_name_of_another_is_not_run(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The checksum of the file alone would fit."""
    machine = Machine()
    one, other = (KernelCache(name, lambda: "key", machine.codec(), lambda: cache) for name in ("one", "other"))
    one.save_overload("int64", {"code": 1})
    other.save_overload("int64", {"code": 2})
    files = {path.name.split("-")[0]: path for path in cache.glob("*.kernel")}
    files["one"].replace(files["other"])
    assert other.load_overload("int64", machine) is None
    assert DAMAGED in capsys.readouterr().err and files["other"].with_suffix(".damaged").is_file()


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "huge"])
def test_what_is_no_file_of_a_kernel_is_not_waited_for(
    cache: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Machine()
    kernels = KernelCache("f", lambda: "key", machine.codec(), lambda: cache)
    kernels.save_overload("int64", {"code": 1})
    (file,) = cache.glob("*.kernel")
    if kind == "huge":
        os.truncate(file, 20 << 30)
    else:
        file.unlink()
        {"pipe": os.mkfifo, "device": lambda path: path.symlink_to("/dev/zero"), "folder": os.mkdir}[kind](file)
    assert kernels.load_overload("int64", machine) is None
    assert DAMAGED in capsys.readouterr().err
    kernels.save_overload("int64", {"code": 3})
    assert kernels.load_overload("int64", machine) == {"code": 3}


def test_another_process_makes_it_again_and_says_so(place: Path) -> None:
    spoiled(place, "half")
    assert DAMAGED in run(place)
    assert run(place) == ""


def test_a_folder_that_others_may_write_is_not_read(place: Path) -> None:
    """What is unpickled from it is code."""
    run(place)
    (kernel,) = (place / "cache").rglob("*.kernel")
    kernel.parent.chmod(0o720)
    kernel.write_bytes(b"no kernel")  # would be set aside, were it read
    assert "others may write there, and what is read from it is trusted" in run(place)
    assert kernel.read_bytes() == b"no kernel"
