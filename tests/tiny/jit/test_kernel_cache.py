"""Kept kernels: found again, never stale, never from a damaged file or from a folder where others may write."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from jumpnet.jit import cache as _kernel_cache
from jumpnet.jit import decorator as _jit
from jumpnet.jit import lock as _kernel_lock
from jumpnet.jit.cache import Codec, KernelCache
from jumpnet.jit.processor import V3, V4, levels_of
from jumpnet.jit.sources import content_key, source_key


class Machine:
    """Stands for Numba's target: kernels are dicts, and what they are compiled for is one word."""

    levels: tuple[str, ...] = ()
    processor = "zen"

    def refresh(self) -> None:
        """Nothing to do."""

    def codec(self, versions: str = "1") -> Codec:
        return Codec(
            lambda: versions, pickle.dumps, dict, lambda context, reduced: reduced, lambda made: made.get("keep", True),
            lambda: self.processor, lambda: self.levels,
        )  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(_kernel_cache, "BUILT_IN", tmp_path / "built in")
    for remembered in (_kernel_cache._say, _kernel_cache.not_owned, _kernel_cache._made_by):
        remembered.cache_clear()
    return tmp_path / "kernels"


def kept(
    folder: Path, key: str | None = "k", machine: Machine | None = None, versions: str = "1", shared: bool = False
) -> KernelCache:
    return KernelCache("a.<b>", lambda: key, (machine or Machine()).codec(versions), lambda: folder, shared)


def test_a_kernel_is_found_by_all_that_it_rests_on(folder: Path) -> None:
    kept(folder).save_overload("(i8,)", {"code": 1})
    assert kept(folder).load_overload("(i8,)", Machine()) == {"code": 1}
    other = Machine()
    other.processor = "skylake"
    for cache in (kept(folder, key="edited"), kept(folder, machine=other), kept(folder, versions="2")):
        assert cache.load_overload("(i8,)", Machine()) is None
    assert kept(folder).load_overload("(f8,)", Machine()) is None
    assert folder.stat().st_mode & 0o077 == 0
    kept(folder).flush()
    assert list(folder.iterdir()) == []


def test_what_has_no_stable_name_is_not_kept(folder: Path) -> None:
    for cache, signature, made in (
        (kept(folder, key=None), "(i8,)", {}),
        (kept(folder), "<function f at 0x7f>", {}),
        (kept(folder), "(i8,)", {"keep": False}),
    ):
        cache.save_overload(signature, made)
        assert cache.load_overload(signature, Machine()) is None
    disabled = kept(folder)
    disabled.disable()
    disabled.save_overload("(i8,)", {})
    assert not folder.exists() or list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "spoil",
    [lambda d: b"", lambda d: d[:40], lambda d: d[:-1], lambda d: d[:60] + b"\0" + d[61:], lambda d: b"x" + d[1:]],
)
def test_a_damaged_file_is_set_aside_with_a_word(folder: Path, spoil, capfd: pytest.CaptureFixture[str]) -> None:
    kept(folder).save_overload("(i8,)", {"code": list(range(50))})
    (path,) = folder.iterdir()
    path.write_bytes(spoil(path.read_bytes()))
    assert kept(folder).load_overload("(i8,)", Machine()) is None
    assert "damaged" in capfd.readouterr().err
    assert [p.suffix for p in folder.iterdir()] == [".damaged"]
    kept(folder).save_overload("(i8,)", {"code": 2})
    assert kept(folder).load_overload("(i8,)", Machine()) == {"code": 2}


def test_a_device_in_the_place_of_a_kernel_is_not_read(folder: Path) -> None:
    assert _kernel_cache._bytes_of(Path("/dev/zero")) == b""


def test_a_folder_that_cannot_be_used_is_named_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file")
    for _ in range(2):
        kept(folder).save_overload("(i8,)", {})
        assert kept(folder).load_overload("(i8,)", Machine()) is None
    said = capfd.readouterr().err
    assert said.count("\n") == 1 and str(folder) in said and "JUMPNET_CACHE_DIR" in said


def test_where_others_may_write_nothing_is_read(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kept(folder).save_overload("(i8,)", {})
    folder.chmod(0o777)
    _kernel_cache.not_owned.cache_clear()
    assert kept(folder).load_overload("(i8,)", Machine()) is None
    assert "others may write" in capfd.readouterr().err


def test_a_file_under_the_name_of_another_kernel_is_none(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kept(folder).save_overload("(i8,)", {"code": 1})
    (one,) = folder.iterdir()
    other = kept(folder, key="other")
    other.save_overload("(i8,)", {"code": 2})
    (two,) = set(folder.iterdir()) - {one}
    one.replace(two)
    assert other.load_overload("(i8,)", Machine()) is None
    assert "was damaged" in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
def test_from_a_folder_of_another_owner_nothing_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    kept(folder).save_overload("(i8,)", {"code": 1})
    _kernel_cache.not_owned.cache_clear()
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert kept(folder).load_overload("(i8,)", Machine()) is None
    assert "others may write" in capfd.readouterr().err


def test_kernels_that_came_with_the_package_are_found_by_level(folder: Path) -> None:
    machine = Machine()
    machine.processor = "v3"
    kept(folder, machine=machine).save_overload("(i8,)", {"code": 3})
    folder.rename(_kernel_cache.BUILT_IN)
    machine.processor, machine.levels = "zen", ("v4", "v3")
    assert kept(folder, machine=machine).load_overload("(i8,)", machine) == {"code": 3}
    machine.levels = ("v4",)
    assert kept(folder, machine=machine).load_overload("(i8,)", machine) is None


def test_kernels_that_came_with_the_package_run_with_another_numba(folder: Path) -> None:
    class Code(Machine):
        def codec(self, versions: str = "1") -> Codec:
            return super().codec(versions)._replace(made_by=lambda maker: maker, rebuild=self.rebuild)

        @staticmethod
        def rebuild(prepare: Callable[[], None], kernel: dict[str, object]) -> dict[str, object]:
            if kernel.get("needs"):
                prepare()
            return kernel

    machine = Code()
    for signature, kernel in (("(i8,)", {"code": 1}), ("(i4,)", {"code": 2, "needs": True})):
        kept(folder, machine=machine).save_overload(signature, kernel)
    folder.rename(_kernel_cache.BUILT_IN)
    (_kernel_cache.BUILT_IN / "made_by").write_text("1", encoding="utf-8")
    machine.levels = (machine.processor,)

    def load(versions: str, signature: str, by: Machine) -> object:
        return kept(folder, machine=by, versions=versions).load_overload(signature, lambda: None)

    assert load("2", "(i8,)", machine) == {"code": 1} == load("1", "(i8,)", machine)
    assert load("2", "(i4,)", machine) is None, "it needs what only its own Numba has"
    assert load("1", "(i4,)", machine) == {"code": 2, "needs": True}
    assert len(list(_kernel_cache.BUILT_IN.glob("*.kernel"))) == 2, "nothing was taken for damaged"
    pickled = Machine()
    pickled.levels = (pickled.processor,)
    assert load("2", "(i8,)", pickled) is None, "what is Numba's own form is for that Numba"


def test_levels_of_processors() -> None:
    assert levels_of(V4, "x86_64") == ("x86-64-v4", "x86-64-v3")
    assert levels_of(V3, "AMD64") == ("x86-64-v3",)
    assert levels_of((), "x86_64") == () and levels_of((), "arm64") == ("generic",)


def test_a_users_function_is_told_by_all_that_it_reads(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "helper_of_mine.py").write_text("SIZE = 3\ndef step(x):\n    return x + SIZE\n")
    (tmp_path / "mine_alone.py").write_text(
        "from helper_of_mine import step\nimport numpy as np\nTABLE = np.arange(4)\n"
        "def make(k):\n    def f(x, y=1):\n        return step(x) * k + TABLE[0] + y\n    return f\n"
    )
    mine = importlib.import_module("mine_alone")
    helper = importlib.import_module("helper_of_mine")
    before = content_key(mine.make(2))
    assert before == content_key(mine.make(2)) != content_key(mine.make(3))
    monkeypatch.setattr(helper, "SIZE", 4)
    assert content_key(mine.make(2)) != before
    monkeypatch.setattr(helper, "SIZE", 3)
    mine.TABLE[0] = 9
    assert content_key(mine.make(2)) != before
    mine.TABLE[0] = 0
    function = mine.make(2)
    function.__defaults__ = (5,)
    assert content_key(function) != before
    monkeypatch.setattr(mine, "TABLE", object())
    with pytest.raises(TypeError, match="no stable bytes"):
        content_key(mine.make(2))


HELD = """
import enum
import further_of_mine as further
class Way(enum.IntEnum):
    UP = {up}
class Rule:
    LEFT = {left}
    @staticmethod
    def turn(x):
        return x + {turn}
def step(x):
    return further.SIZE * x
"""
READS = ("held.further.SIZE", "held.further.step(x)", "held.Way.UP", "held.Rule.LEFT", "held.Rule.turn(x)")


@pytest.mark.parametrize("read", READS)
def test_what_is_read_by_way_of_modules_and_classes_is_told(tmp_path, monkeypatch, read: str) -> None:
    """The text of a user's file says nothing of what stands further away."""

    def key(size: int = 0, step: int = 0, up: int = 0, left: int = 0, turn: int = 0) -> str:
        further, held = ModuleType("further_of_mine"), ModuleType("held_of_mine")
        monkeypatch.setitem(sys.modules, "further_of_mine", further)
        exec(f"SIZE = {size}\ndef step(x): return x + {step}", further.__dict__)
        exec(HELD.format(up=up, left=left, turn=turn), held.__dict__)
        known: dict[str, Any] = {"__name__": "own", "held": held}
        exec(f"def f(x): return {read}", known)
        return content_key(known["f"])

    changed = ({"size": 1}, {"step": 1}, {"up": 1}, {"left": 1}, {"turn": 1})[READS.index(read)]
    assert key() == key() != key(**changed)


def test_modules_that_name_each_other_have_a_key(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = ModuleType("one_of_mine"), ModuleType("two_of_mine")
    one.two, two.one, two.SIZE = two, one, 3  # type: ignore[attr-defined]
    known: dict[str, Any] = {"__name__": "own", "one": one}
    exec("def f(x): return one.two.one.two.SIZE", known)
    before = content_key(known["f"])
    two.SIZE = 4  # type: ignore[attr-defined]
    assert content_key(known["f"]) != before


def test_a_file_is_told_by_what_it_imports(tmp_path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("from jumpnet.topology._torus import torus_port\n")
    two.write_text("from jumpnet.topology._mesh import mesh_port\n")
    assert len({source_key(str(one)), source_key(str(two)), source_key(np.__file__)}) == 3


OVERLOADED = """
from numba.extending import overload
def g(x):
    return x
@overload(g)
def _compiled(x):
    return lambda x: {factor} * x
def f(x):
    return g(x)
"""


def _function_of(path: Path, text: str) -> Any:
    """The function f of a file."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    known: dict[str, Any] = {"__name__": "own"}
    exec(compile(text, str(path), "exec"), known)
    return known["f"]


def _wrapper(factor: int) -> Any:
    return lambda x: factor * x


@pytest.mark.skipif(_jit.DISABLED, reason="nothing is compiled")
def test_each_part_of_the_key_of_a_kernel_counts(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is equal: the function, what it was made of, the rest of its file, and how kernels are made."""

    def key(function: Any, source: Any) -> str:
        made = _jit.kept_for(function, source, Machine().codec())
        assert made is not None
        found = made._key()
        assert found is not None
        return found

    plain, other = (_function_of(tmp_path / name / "own.py", f"def f(x):\n    return {name} * x\n") for name in "23")
    assert key(plain, plain) == key(plain, plain)
    assert key(_wrapper(2), plain) == key(_wrapper(2), plain) != key(_wrapper(3), plain)
    monkeypatch.setattr(_jit, "source_key", lambda file: "the same")  # but what they read differs
    assert key(_wrapper(2), plain) != key(_wrapper(2), other)
    monkeypatch.undo()
    # What stands for g in compiled code is named by nothing that f names: the file alone tells.
    texts = (_function_of(tmp_path / f"o{factor}" / "own.py", OVERLOADED.format(factor=factor)) for factor in (2, 3))
    two, three = texts
    assert content_key(two) == content_key(three)
    assert key(two, two) != key(three, three)
    before = key(plain, plain)
    monkeypatch.setattr(_jit, "source_key", lambda file: "edited" if file == _jit.__file__ else source_key(file))
    assert key(plain, plain) != before


SCRIPT = """
import own
print(own.f(1))
"""


@pytest.mark.parametrize("place", ["cache", "/dev/null"])
def test_an_edit_never_runs_old_code(tmp_path, place: str) -> None:
    """In processes of their own: the constant that a kernel calls for lies in another file."""
    (tmp_path / "own.py").write_text(
        "from jumpnet.jit.decorator import jit\nfrom other import g\n@jit\ndef f(x):\n    return g(x)\n"
    )
    where = place if place.startswith("/") else str(tmp_path / place)
    environment = os.environ | {"JUMPNET_CACHE_DIR": where, "PYTHONDONTWRITEBYTECODE": "1"}
    for factor in (2, 3):
        (tmp_path / "other.py").write_text(
            f"from jumpnet.jit.decorator import jit\n@jit\ndef g(x):\n    return {factor} * x\n"
        )
        for _ in range(2):
            run = subprocess.run(
                [sys.executable, "-c", SCRIPT],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            assert int(run.stdout) == factor
    assert not list(tmp_path.rglob("*.nbi")) and not list(tmp_path.rglob("*.nbc"))
    made = list((tmp_path / "cache").rglob("*.kernel"))
    assert len(made) == (4 if place == "cache" else 0), "g and f, before and after the edit"


WAITS = """
import sys
from pathlib import Path
from tests.tiny.jit.test_kernel_cache import Machine, kept

cache = kept(Path(sys.argv[1]), shared=True)
print("asks", flush=True)
found = cache.load_overload("(i8,)", Machine())
print(found, flush=True)
"""


def _asking(folder: Path) -> subprocess.Popen[str]:
    made = subprocess.Popen(
        [sys.executable, "-c", WAITS, str(folder)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
    )
    assert made.stdout is not None
    assert made.stdout.readline() == "asks\n"
    return made


@pytest.mark.skipif(_kernel_lock.fcntl is None, reason="no locks of files on this system")
def test_a_kernel_that_one_process_compiles_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks meanwhile reads what was compiled; who asks when nobody compiles any more compiles, once."""
    mine = kept(folder, shared=True)
    assert mine.load_overload("(i8,)", Machine()) is None
    assert mine.load_overload("(i8,)", Machine()) is None  # a process does not wait for itself
    other = _asking(folder)
    with pytest.raises(subprocess.TimeoutExpired):
        other.wait(0.5)
    mine.save_overload("(i8,)", {"code": 1})
    assert other.communicate()[0] == "{'code': 1}\n"
    assert [path.suffix for path in folder.iterdir()] == [".kernel"]
    mine.flush()
    gone = _asking(folder)
    assert gone.communicate()[0] == "None\n"  # it ended without having compiled: its lock is free
    assert mine.load_overload("(i8,)", Machine()) is None
    monkeypatch.setattr(_kernel_lock, "_held", {})  # as another process that does not wait longer than it must
    monkeypatch.setattr(_kernel_lock, "LONGEST_S", 0.1)
    assert kept(folder, shared=True).load_overload("(i8,)", Machine()) is None
