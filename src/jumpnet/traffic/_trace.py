"""Packets recorded in a file: one line a packet, `cycle source destination flits`, read within limits and written.

Fields are separated by commas, tabs or spaces; `#` starts a comment; a first line of names is allowed.
Called by `cli/simulate` and users.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.files import read_text, write_bytes
from jumpnet.spec import plain
from jumpnet.traffic.injection_process import PacketList

__all__ = ["read_packets", "write_packets"]

MAX_FILE_BYTES = 2**31
MAX_CYCLE = 2**39
MAX_FLITS = 1_000_000
NAMES = ["cycle", "source", "destination", "flits"]


@public
def read_packets(path: str | Path, terminals: int) -> PacketList:
    """The packets of a file for a network with `terminals` terminals.

    Raises JumpnetError with `file:line` for anything but four whole numbers within the network.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "packets.txt")
    ...     _ = path.write_text("0 0 3 5  # cycle, source, destination, flits\\n")
    ...     read_packets(path, 4).destination
    array([3], dtype=int32)
    """
    text = read_text(path, MAX_FILE_BYTES, "a list of packets expected", "ascii")
    limits = (MAX_CYCLE, terminals - 1, terminals - 1, MAX_FLITS)
    packets: list[list[int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words or (not packets and words == NAMES):
            continue
        if not packets and words[:2] == ["id", NAMES[0]]:
            raise JumpnetError(
                f"{path}:{number}: packets that wait for each other found, --dependences expected for them"
            )
        try:
            values = [int(plain(word)) for word in words]
        except ValueError:
            values = []
        if len(values) != 4:
            raise JumpnetError(f"{path}:{number}: {line.strip()[:60]!r} found, cycle source destination flits expected")
        for name, value, low, high in zip(NAMES, values, (0, 0, 0, 1), limits, strict=True):
            if not low <= value <= high:
                raise JumpnetError(f"{path}:{number}: {name} {value} found, {low} to {high} expected")
        packets.append(values)
    table = np.array(packets, np.int64).reshape(-1, 4)
    return PacketList(table[:, 0], *(table[:, k].astype(np.int32) for k in (1, 2, 3)))


def write_packets(path: str | Path, packets: PacketList) -> None:
    """Write packets so that `read_packets` gives them back."""
    rows = zip(*(column.tolist() for column in packets), strict=True)
    lines = [",".join(NAMES), *(",".join(map(str, row)) for row in rows)]
    write_bytes(path, ("\n".join(lines) + "\n").encode("ascii"))
