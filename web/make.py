"""Puts the page together: `python web/make.py` after `node web/build.mjs`; `make page` does both.

Writes src/jumpnet/explore/page.html from template.html, what Node has bundled (web/build), the simulator as
WebAssembly, and what jumpnet's Python computes: the gallery's networks and what the panels show. The digest of all
sources stands in it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from jumpnet.explore import panels
from jumpnet.explore.gallery import GALLERY, SIZED
from jumpnet.explore.kernels.layout import mark
from jumpnet.explore.pieces import (
    COMMITTED,
    assembled,
    network_element,
    opened_at,
    run_element,
    sized_element,
    wasm_element,
)
from jumpnet.topology import build

HERE = Path(__file__).parent
BUNDLED = HERE / "build"
FIRST = "rdt:16"
"""What is shown when the page is opened."""


def sources() -> list[Path]:
    """Files that the script, the style sheet and the frame of the page are made of."""
    own = [
        HERE / name
        for name in ("template.html", "build.mjs", "tsconfig.json", "package-lock.json", "kernels/kernels.wasm")
    ]
    return own + sorted(path for path in (HERE / "src").rglob("*") if path.is_file())


def digest() -> str:
    """One number for all sources: their names and what they say."""
    whole = hashlib.sha256()
    for path in sources():
        whole.update(f"{path.relative_to(HERE).as_posix()}\n".encode() + path.read_bytes() + b"\n")
    return whole.hexdigest()[:32]


def networks() -> Iterator[str]:
    """The networks of the gallery."""
    for specs in GALLERY.values():
        yield from (network_element(build(spec)) for spec in specs)


def simulator() -> Iterator[str]:
    """The simulator, and what it must know of the networks of the gallery."""
    module = (HERE / "kernels" / "kernels.wasm").read_bytes()
    if mark().encode() not in module:
        raise SystemExit("web/kernels/kernels.wasm is of another simulator: python web/kernels/build.py makes it anew")
    yield wasm_element(module)
    for specs in GALLERY.values():
        yield from (run_element(build(spec)) for spec in specs)
    yield from (sized_element(build(spec)) for spec in SIZED)


def page() -> str:
    """The page of these sources."""
    template = (HERE / "template.html").read_text(encoding="utf-8")
    bundled = {"styles": "page.css", "script": "page.js", "licences": "licences.txt", "keys": "keys.json"}
    read = {name: (BUNDLED / file).read_text(encoding="utf-8") for name, file in bundled.items()}
    elements = chain(networks(), simulator(), panels.elements())
    return opened_at(assembled(template, {**read, "digest": digest()}, elements), FIRST)


def main() -> int:
    """Write the page, and say how large it is."""
    text = page()
    COMMITTED.write_text(text, encoding="utf-8")
    print(f"{COMMITTED}: {len(text.encode()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
