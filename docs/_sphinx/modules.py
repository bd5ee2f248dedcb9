"""The reference of Python: a page for each package, its public modules in it, their docstrings as they are."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import jumpnet

LEFT_OUT = {
    "jumpnet.cli", "jumpnet.report", "jumpnet.sim.sets", "jumpnet.sim.router", "jumpnet.sim.memory", "jumpnet.jit",
    "jumpnet.api", "jumpnet.arrays", "jumpnet.lab",
    "jumpnet.own", "jumpnet.process", "jumpnet.explore.kernels", "jumpnet.explore.panels", "jumpnet.coherence.murphi",
    "jumpnet.coherence.search", "jumpnet.sim.measure", "jumpnet.sim.resolve", "jumpnet.sim.terminals",
    *(f"jumpnet.analysis.deadlock.{part}" for part in (
        "all_sizes", "changes", "conditions", "start_hooks", "symbolic", "waiting", "walks",
    )),
    *(f"jumpnet.analysis.deadlock.ways_to_graph.{way}" for way in (
        "bounds", "covers", "digits", "dimensions", "inequalities", "relabelling", "shortest",
    )),
}  # fmt: skip
"""The command line has a page of its own, `jumpnet.own` stands in `TOP`; report, kernels, what compiles, and what does
the work behind `prove`, `protocol` and a run are read as source."""
FACE = ["network", "simulate", "add_graph", "paper", "LabNetwork"]
TOP = ["own", "lab.curve", "lab.setting_types", "networks", "spec", "registry", "errors", "terms"]
"""Modules beside the packages that people use."""


def public(package: ModuleType) -> list[str]:
    """Names of the modules and packages of a package that others may use."""
    return [
        f"{package.__name__}.{part.name}" for part in iter_modules(package.__path__) if not part.name.startswith("_")
    ]


def heading(text: str, line: str) -> list[str]:
    """A heading of reStructuredText."""
    return [text, line * len(text), ""]


def reexported(package: ModuleType) -> list[str]:
    """What a package gives that no public module of it documents."""
    found = []
    for name in getattr(package, "__all__", ()):
        thing = getattr(package, name)
        home = getattr(thing, "__module__", None)
        said = inspect.isclass(thing) or inspect.isfunction(thing)
        if said and home and (home == package.__name__ or any(part.startswith("_") for part in home.split("."))):
            found.append(name)
    return found


def module_text(name: str) -> list[str]:
    """A module on the page of its package."""
    return [*heading(name, "-"), f".. automodule:: {name}", ""]


def package_text(name: str) -> list[str]:
    """A package: what it says, what it gives itself, its modules."""
    package = import_module(name)
    lines = [*heading(name, "="), f".. automodule:: {name}", "   :no-members:", ""]
    for member in reexported(package):
        kind = "autoclass" if inspect.isclass(getattr(package, member)) else "autofunction"
        lines += [f".. {kind}:: {member}", ""]
    for inner in public(package):
        if not hasattr(import_module(inner), "__path__"):
            lines += module_text(inner)
    return lines


def packages(package: ModuleType) -> list[str]:
    """Names of the packages below one, at any depth."""
    found = []
    for name in public(package):
        if name not in LEFT_OUT and hasattr(inner := import_module(name), "__path__"):
            found += [name, *packages(inner)]
    return found


def face_text() -> list[str]:
    """What `import jumpnet` gives first."""
    lines = [*heading("jumpnet", "="), ".. automodule:: jumpnet", "   :no-members:", ""]
    lines.append(".. currentmodule:: jumpnet.lab.network")
    for name in FACE:
        kind = "autoclass" if name[0].isupper() else "autofunction"
        lines += ["", f".. {kind}:: {name}"]
    lines += ["", ".. currentmodule:: jumpnet.routings", "", ".. autofunction:: routing", "   :no-index:"]
    lines += ["", ".. currentmodule:: jumpnet", ""]
    return [*lines, *(line for name in TOP for line in module_text(f"jumpnet.{name}"))]


def write(folder: Path) -> None:
    """The pages, and their list; a page that stays the same keeps its time."""
    names = packages(jumpnet)
    pages = {"jumpnet": face_text()} | {name: package_text(name) for name in names}
    toctree = [".. toctree::", "   :maxdepth: 1", "", *(f"   {name}" for name in pages)]
    about = "From the docstrings: every public name of what people call. What works behind it is read as source."
    pages["index"] = [*heading("Python", "="), about, "", *toctree, ""]
    folder.mkdir(parents=True, exist_ok=True)
    for gone in {file.stem for file in folder.glob("*.rst")} - pages.keys():
        (folder / f"{gone}.rst").unlink()
    for name, lines in pages.items():
        save(folder / f"{name}.rst", "\n".join(lines))


def save(file: Path, text: str) -> None:
    """Write what has changed only, so that Sphinx reads only that again."""
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
