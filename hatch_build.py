"""Puts compiled kernels into the wheel where `make wheel` has made some (src/jumpnet/kernels), and names its machine.

A file beside them says which Numba and llvmlite have compiled them; they run with others too (`jumpnet.jit.loaded`).
Without that folder the wheel is for any machine, and kernels are compiled when they are first used.
"""

from __future__ import annotations

import sysconfig
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Kernels(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook that hatchling finds here."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the kernels, and the tag of the interpreter and platform that can load them."""
        folder = Path(self.root) / "src" / "jumpnet" / "kernels"
        # Neither what a compilation that was cut short has left, nor of the file that is written as a user's own.
        kernels = [file for file in sorted(folder.glob("*.kernel")) if not file.name.startswith("warm.")]
        if self.target_name != "wheel" or not kernels:
            return
        try:
            made = " ".join(f"{name} {version_of(name)}" for name in ("numba", "llvmlite"))
        except PackageNotFoundError:  # as in the environment that pip builds in: what a broken `make wheel` has left
            return self.app.display_warning(f"{folder} is left out: the Numba that compiled it is not known here")
        for file in kernels:
            build_data["force_include"][str(file)] = f"jumpnet/kernels/{file.name}"
        made_by = folder / "made_by"
        made_by.write_text(made, encoding="utf-8")
        build_data["force_include"][str(made_by)] = f"jumpnet/kernels/{made_by.name}"
        build_data["pure_python"] = False
        python = f"cp{sysconfig.get_config_var('py_version_nodot')}"
        build_data["tag"] = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
