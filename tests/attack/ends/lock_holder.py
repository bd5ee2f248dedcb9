"""A call that holds Python's lock, as METIS and ARPACK do, and a command that makes it from a process of its own."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

import jumpnet.cli
from jumpnet.graph import _metis_arpack

SECONDS = 600


def holds(*given: Any) -> None:
    """Say which process this is, then let nobody run."""
    os.write(1, f"{os.getpid()}\n".encode())
    ctypes.PyDLL(None).sleep(SECONDS)


if __name__ == "__main__":
    from tests.attack.ends.lock_holder import holds as named

    _metis_arpack.ALONE, _metis_arpack._parted = 0, named  # type: ignore[assignment]
    sys.argv[1:] = ["metrics", "random:64,d=3", "--structure"]
    jumpnet.cli.main()
