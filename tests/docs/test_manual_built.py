"""Sphinx builds the manual without a warning, and every link in it leads somewhere.

Notebooks and gallery are not run again: `test_manual` runs them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dead

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_the_manual_is_built_without_a_warning(tmp_path: Path) -> None:
    out = tmp_path / "manual"
    words = ["-W", "--keep-going", "-q", "-t", "unexecuted", "-b", "html", "-d", tmp_path / "trees", DOCS, out]
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    # Sphinx makes so many objects that looking for garbage takes a fifth of its time.
    main = "import gc, sys; gc.disable(); from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))"
    built = subprocess.run(
        [sys.executable, "-c", main, *words], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    pages = {page.relative_to(out).with_suffix("") for page in out.rglob("*.html")}
    assert pages >= {page.relative_to(DOCS).with_suffix("") for page in DOCS.rglob("*.md") if "made" not in page.parts}
    assert pages >= {Path("made", "gallery", script.stem) for script in (DOCS / "gallery").glob("*.py")}
    assert pages >= {Path("made", name) for name in ("api/jumpnet", "commands", "claims/yang2001rdt")}


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.html").write_text(
        '<p id="part"><a href="#part"><a href="../two.html?v=1#x&amp;y"><a href="https://example.org/gone#x">'
        '<a href="#none"><a href="../two.html#part"><a href="three.html"><img src="../no.png"><a href="../../out.html">'
    )
    (tmp_path / "two.html").write_text('<h1 id="x&amp;y"><a href="a/one.html#part"><a href="mailto:a@example.org">')
    (tmp_path.parent / "out.html").write_text("not in the manual")
    assert list(dead.dead(tmp_path)) == [
        f"a/one.html: {link}" for link in ("#none", "../two.html#part", "three.html", "../no.png", "../../out.html")
    ]
