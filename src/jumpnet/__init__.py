"""jumpnet: a laboratory for interconnection networks: exact figures, routes, proofs, simulations."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from jumpnet.errors import JumpnetError

try:
    __version__ = version("jumpnet")
except PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0+unknown"

__all__ = ["JumpnetError", "__version__"]
