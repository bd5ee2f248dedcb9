"""Memory: how much is left, and the refusal of a job that would not fit, before it starts.

Whatever allocates with the size of a network calls `require` first: building tables in `topology`, exact figures in
`graph`, the layers above. The limit is what the system says is available, or the environment variable
JUMPNET_MEMORY_LIMIT (bytes) where it is set.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.notices import notice
from jumpnet.spec import is_count

__all__ = [
    "SMALL",
    "available_bytes",
    "left_bytes",
    "machine_bytes",
    "readable",
    "require",
    "require_table",
    "table_bytes",
]

LIMIT_VARIABLE = "JUMPNET_MEMORY_LIMIT"
GROUP = Path("/sys/fs/cgroup")
"""Where Linux says what a container may take."""
SMALL = 1 << 20
"""Bytes of a job that is let pass without asking the system: that takes longer than building a small network."""

MUCH = 1 << 31
"""Bytes of a table that are told before they are taken."""


def available_bytes() -> int:
    """Bytes that a new job may take: JUMPNET_MEMORY_LIMIT, else what the system has available.

    Raises JumpnetError when the variable is not a positive whole number.

    >>> available_bytes() > 0
    True
    """
    text = os.environ.get(LIMIT_VARIABLE)
    if text is not None:
        if not is_count(text) or int(text) == 0:
            raise JumpnetError(f"{LIMIT_VARIABLE}={text!r} found, a positive number of bytes expected")
        return int(text)
    return left_bytes()


def left_bytes() -> int:
    """Bytes that the system has available, or the limit of a container that is nearer.

    >>> 0 < left_bytes() <= machine_bytes()
    True
    """
    found = [machine_bytes()]
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found.append(int(line.split()[1]) * 1024)
        most, taken = (int((GROUP / name).read_text()) for name in ("memory.max", "memory.current"))
        found.append(most - taken + _given_up(GROUP / "memory.stat"))
    except (OSError, ValueError):  # not Linux, or no limit
        pass
    return max(1, min(found))


def _given_up(file: Path) -> int:
    """Bytes of files in memory that a container gives up as soon as somebody wants them."""
    return sum(int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith("inactive_file "))


def machine_bytes() -> int:
    """Bytes of memory of the whole machine, or of the container.

    >>> machine_bytes() > 1 << 20
    True
    """
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    with suppress(OSError, ValueError):
        found.append(int((GROUP / "memory.max").read_text()))
    return min(found)


def readable(count: float) -> str:
    """A number of bytes for a person.

    >>> readable(3_200_000_000), readable(10**400)
    ('3.2 GB', '1,000,000 TB (or more)')
    """
    if count > 10**18:
        return f"{10**6:,} TB (or more)"
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:,.1f} {unit}"


def require(needed: int, what: str) -> None:
    """Refuse a job that would take more than the available memory.

    needed: estimated peak, bytes; up to `SMALL` only JUMPNET_MEMORY_LIMIT can refuse. what: names the job in the
    message. Raises JumpnetError with the estimate.

    >>> require(1000, "a small job")
    """
    if needed <= SMALL and LIMIT_VARIABLE not in os.environ:
        return
    left = available_bytes()
    if needed > left:
        raise JumpnetError(f"{what} needs about {readable(needed)} of memory, {readable(left)} available")


def require_table(routers: int, ports: int, what: str) -> None:
    """Refuse a network as tables that would not fit, as `require` does, and tell of one that takes much memory.

    A few links are enough to name many routers and give one of them a huge degree: each router has a row as long.
    """
    needed, what = table_bytes(routers, ports), f"{what}: a table of {routers} routers with up to {ports} ports"
    require(needed, what)
    if needed > MUCH:
        notice(f"{what} takes about {readable(needed)} of memory, and its time")


def table_bytes(routers: int, ports: int) -> int:
    """Estimated peak, bytes, of building a network as tables: 3 tables of 4 bytes, and temporary copies of 64 bits.

    >>> table_bytes(1000, 4)
    192000
    """
    return routers * (32 * ports + 64)
