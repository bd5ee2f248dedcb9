"""Build `kernels.wasm`: the simulator, every routing, pattern and process of jumpnet as one WebAssembly module.

    python web/kernels/build.py --out DIR      (needs PyPI's ziglang for its wasm-ld; see web/README.md)

Functions that a run calls by their address are exported under their names (`explore.kernels.names`); the page puts
those that it needs into the module's table. The names table goes along as the custom section `jumpnet`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from capture import Code, entry_code, pointer_code
from fixed import FIELD, first_pages, linked
from narrow import narrow_sets
from target import to_object

from jumpnet.explore.kernels.layout import layout, mark
from jumpnet.explore.kernels.names import ENTRIES, RUNS, called, name_of
from jumpnet.routings import view
from jumpnet.traffic import _pattern, injection_process

STACK_BYTES = 1 << 18
FLOATS = {"rate_of_bernoulli": 1, "rate_of_onoff": 4}
"""Entries whose last arguments are floating-point numbers, and how many."""
WRAPPERS = {
    "relation": (view.compile_relation, view),
    "start": (view.compile_start, view),
    "destination": (_pattern._compile, _pattern),
    "advance": (injection_process._compile, injection_process),
}
"""How each kind of function is wrapped to be called by its address."""
UNUSED = {"sched_yield": "i32"}
"""What the code asks for and never calls here: a run in the page has one thread."""


def codes() -> Iterator[tuple[str, Code, bool]]:
    """Every function of the module: its name, its code, and whether it is called by its address."""
    with narrow_sets():
        for name, (entry, kind) in ENTRIES.items():
            yield name, entry_code(entry, kind, FLOATS.get(name, 0)), False
    for kind, function in called():
        compile_it, where = WRAPPERS[kind]
        yield name_of(function), pointer_code(getattr(compile_it, "__wrapped__", compile_it), where, function), True


def _section(name: str, content: bytes) -> bytes:
    """A custom section of a WebAssembly module."""

    def number(n: int) -> bytes:
        low = n & 127
        return bytes([low]) if n < 128 else bytes([low | 128]) + number(n >> 7)

    words = number(len(name)) + name.encode() + content
    return b"\0" + number(len(words)) + words


def _unused_object(folder: Path, fields: Iterable[str]) -> Path:
    """An object file with what is never called, functions of fields too: the page writes over their calls."""
    import llvmlite.binding as llvm
    from target import FEATURES, LAYOUT, TRIPLE

    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{LAYOUT}"\ndeclare void @llvm.trap()\n'
    kinds = {**UNUSED, **dict.fromkeys(fields, "i64")}
    body = "".join(
        f"define {kind} @{name}() {{\n  call void @llvm.trap()\n  unreachable\n}}\n" for name, kind in kinds.items()
    )
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    made = folder / "unused.o"
    made.write_bytes(machine.emit_object(llvm.parse_assembly(head + body)))
    return made


def _link(objects: list[Path], exports: list[str], out: Path) -> None:
    words = [
        "--no-entry",
        "--export-table",
        "--growable-table",
        "--import-memory",
        "--gc-sections",
        "--emit-relocs",
        "-O2",
    ]
    words += ["-z", f"stack-size={STACK_BYTES}", "--stack-first", "--export=__heap_base", "--export=__stack_pointer"]
    words += [f"--export={name}" for name in exports]
    command = [sys.executable, "-m", "ziglang", "wasm-ld", *words, *map(str, objects), "-o", str(out)]
    subprocess.run(command, check=True)


def build(out: Path, quiet: bool = False) -> dict[str, Any]:
    """Write the module; returns its sizes in bytes."""
    with tempfile.TemporaryDirectory() as made_in:
        folder = Path(made_in)
        objects: list[Path] = []
        exports: list[str] = []
        fields: set[str] = set()
        for number, (name, code, by_address) in enumerate(codes()):
            words, wanted = to_object(code, name, by_address, name in RUNS)
            of_fields = {each for each in wanted if each.startswith(FIELD)}
            if lacking := set(wanted) - of_fields - set(UNUSED):
                raise SystemExit(f"{name} asks for {', '.join(sorted(lacking))}")
            fields |= of_fields
            objects.append(folder / f"{number}.o")
            objects[-1].write_bytes(words)
            exports.append(name)
            if not quiet:
                print(f"{len(words):8} {name}", file=sys.stderr)
        _link([*objects, _unused_object(folder, sorted(fields))], exports, folder / "linked.wasm")
        module, fixed = linked((folder / "linked.wasm").read_bytes())
        told = {"mark": mark(), **layout(), "pages": first_pages(module), "fixed": fixed}
        whole = module + _section("jumpnet", json.dumps(told, separators=(",", ":")).encode())
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(whole)
    return {"bytes": len(whole), "gzipped": len(gzip.compress(whole, 9, mtime=0)), "functions": len(exports)}


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets, and with it that of the code
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=Path(__file__).parent / "kernels.wasm")
    options.add_argument("--quiet", action="store_true")
    chosen = options.parse_args()
    print(json.dumps(build(chosen.out, chosen.quiet)))
