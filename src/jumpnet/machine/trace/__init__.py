"""Memory traces: a file reads one format, or those of text; `open_trace` finds it by a file's name or is told.

>>> sorted(formats())
['csv', 'din', 'din-proc', 'drmemtrace', 'lackey', 'parquet']
"""

from __future__ import annotations

from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular
from jumpnet.machine.records import SPACE_BITS, Block, Format, Trace, block_of, within_bounds
from jumpnet.registry import Registry, instances

__all__ = ["SPACE_BITS", "Block", "Format", "Trace", "block_of", "formats", "open_trace"]


_registry: Registry[Format] = Registry("trace format", __name__, instances(Format))


def formats() -> dict[str, Format]:
    """Every trace format by name."""
    return _registry.all()


def open_trace(path: str | Path, format_name: str = "") -> Trace:
    """Open a trace file, or a folder of one file per thread where the format has that.

    `workload:NAME,key=value,...` is the trace of a program that ships with jumpnet (`machine.workload`).
    format_name: a registered format; by default the file's ending decides, and a folder is drmemtrace. Raises
    JumpnetError when there is no such file, the ending is unknown, or the head of the file is not the format's. The
    records are read, and checked, when `blocks()` is iterated: what one access, and all on average, touch has bounds.

    >>> open_trace("missing.parquet")
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: no trace file 'missing.parquet' found
    """
    if str(path).startswith("workload:"):
        from jumpnet.machine.workload import open_workload  # here, because workloads are traces themselves

        if format_name:
            raise JumpnetError(f"--format {format_name} found with {str(path)!r}, which is no file: none expected")
        return open_workload(str(path).removeprefix("workload:"))
    place = Path(path)
    if not place.exists():
        raise JumpnetError(f"no trace file {str(path)!r} found")
    used = _registry.get(format_name) if format_name else _format_of(place)
    if place.is_dir():
        if not used.folders:
            raise JumpnetError(f"{place.name}: a folder found, a {used.name} file expected")
        packed = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
        return within_bounds(used.open(place), packed)
    must_be_regular(place, f"a {used.name} file expected")
    return within_bounds(used.open(place), place.stat().st_size)


def _format_of(place: Path) -> Format:
    """The format that a name's ending tells."""
    for found in formats().values():
        if any(place.name.endswith(ending) for ending in found.endings):
            return found
    if place.name.endswith(".bz2"):
        raise JumpnetError(
            f"{place.name}: netrace holds packets, not loads and stores; jumpnet simulate --trace reads it"
        )
    if place.is_dir():
        return _registry.get("drmemtrace")
    known = sorted(ending for f in formats().values() for ending in f.endings)
    raise JumpnetError(f"{place.name}: unknown ending, one of {', '.join(known)} or --format expected")
