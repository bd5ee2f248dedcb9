"""A command that takes all memory ends with a line, before the system ends it, or another program, without a word."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tests.attack.command_line.command import HANGS

from jumpnet import memory

SMALL = 500 << 20
MAIN = f"""
import jumpnet.cli as cli, jumpnet.cli._command.watch as watch
watch.machine_bytes = lambda: {SMALL}
watch.left_bytes = lambda: max(1, {SMALL} - watch._resident())
cli.main()
"""
"""The command on a machine of so many bytes."""
GROWS = {
    "prepare": """
        import jumpnet

        def prepare(net, vcs):
            kept = []
            while True:
                kept.append(bytes(1 << 20).replace(b"\\0", b"x"))

        @jumpnet.routing("own.grows", summary="x", source="x", prepare=prepare)
        def grows(net, here, head, out):
            return -1
    """,
    "file": """
        kept = []
        while True:
            kept.append(bytes(1 << 20).replace(b"\\0", b"x"))
    """,
}


@pytest.mark.parametrize("where", GROWS)
def test_what_grows_without_end_ends_in_a_line(where: str, tmp_path: Path) -> None:
    file = tmp_path / "grows.py"
    file.write_text(textwrap.dedent(GROWS[where]), encoding="utf-8")
    words = ["--load", str(file), "prove", "torus:4x4", "--routing", "own.grows"]
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *words], capture_output=True, text=True, timeout=HANGS, check=False,
        env=os.environ | {"JUMPNET_QUIET": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (4 * SMALL, 4 * SMALL)),
    )  # fmt: skip
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("jumpnet: memory ran out: ") and " taken, " in done.stderr
    assert done.stderr.count("\n") == 1


def test_files_that_a_container_keeps_in_memory_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "GROUP", tmp_path)
    monkeypatch.delenv("JUMPNET_MEMORY_LIMIT", raising=False)
    for name, text in (("max", "1000"), ("current", "900"), ("stat", "anon 500\ninactive_file 300\nactive_file 7\n")):
        (tmp_path / f"memory.{name}").write_text(text, encoding="utf-8")
    assert memory.machine_bytes() == 1000 and memory.left_bytes() == memory.available_bytes() == 400
