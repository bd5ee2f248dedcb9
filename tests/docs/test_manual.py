"""The manual holds without Sphinx: sessions and gallery run, no page is lost."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest
from tests.docs.pictures import DRAWN_BY, IMAGES, draw, pictures_of, run, stale
from tests.docs.sessions import agrees, commands, is_session, missing, steps

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = [page for page in sorted(DOCS.rglob("*.md")) if "made" not in page.parts]
GALLERY = sorted((DOCS / "gallery").glob("*.py"))
MOST_LINES = 25


@pytest.mark.parametrize("page", [p for p in WRITTEN if is_session(p)], ids=lambda page: page.stem)
def test_sessions_run(page: Path, tmp_path: Path) -> None:
    done = run(["-m", "tests.docs.sessions", str(page)], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not [said for image, name in pictures_of(page).items() if (said := stale(image, tmp_path / name))]


def test_every_picture_has_a_command_that_draws_it(tmp_path: Path) -> None:
    drawn = {image for page in WRITTEN if is_session(page) for image in pictures_of(page)}
    assert {*IMAGES.iterdir()} == drawn | {IMAGES / name for name in DRAWN_BY}
    for name in DRAWN_BY:
        assert not stale(IMAGES / name, draw(name, tmp_path))


def test_a_picture_with_another_word_is_stale(tmp_path: Path) -> None:
    for title in ("one", "one", "two"):
        figure = matplotlib.figure.Figure(figsize=(2, 2))
        figure.text(0.4, 0.5, title)
        kept = tmp_path / f"{title}.png"
        figure.savefig(tmp_path / "new.png")
        if not kept.exists():
            figure.savefig(kept)
        assert not stale(kept, tmp_path / "new.png")
    assert "one.png is not what is drawn now" in stale(tmp_path / "one.png", tmp_path / "two.png")


def test_a_session_is_read_as_it_is_meant(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```python\n# a.py\nx = 1\n```\n```console\n$ jumpnet list \\\n    --json\nyes\n...\n$ ls\n```\n"
        "```{code-cell}\n:tags: [a]\nx\n```\n"
    )
    assert is_session(page)
    assert [step.kind for step in steps(page)] == ["a.py", "console", "python"]
    assert steps(page)[2].text == "x\n"
    assert commands(steps(page)[1].text) == [("jumpnet list --json", ["yes", "..."]), ("ls", [])]


def test_output_that_differs_is_seen() -> None:
    printed = "one  two\n│ three │ 3 │\nfour 4 5\n"
    assert missing(["one two", "...", "three 3", "four ..."], printed) == []
    assert missing(["three 3", "one two"], printed) == ["one two"], "they are in another order"
    assert missing(["three 4"], printed) == ["three 4"]
    assert agrees("four ...", "four 4 5") and not agrees("four", "four 4 5")


@pytest.mark.parametrize("script", GALLERY, ids=lambda script: script.stem)
def test_scripts_of_the_gallery_draw(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec", dont_inherit=True), {"__name__": "__main__"})
    drawn = [figure for figure in map(plt.figure, plt.get_fignums()) if figure.axes]
    plt.close("all")
    assert len(drawn) + len(list(tmp_path.glob("*.png"))) == 1


@pytest.mark.parametrize("script", GALLERY, ids=lambda script: script.stem)
def test_scripts_of_the_gallery_are_short_and_say_what_they_show(script: Path) -> None:
    tree = ast.parse(script.read_text(encoding="utf-8"))
    title, line, *text = (ast.get_docstring(tree) or "").splitlines()
    assert line == "=" * len(title) and any(text)
    code = script.read_text(encoding="utf-8").splitlines()[tree.body[0].end_lineno :]
    assert 0 < len([line for line in code if line.strip()]) <= MOST_LINES


def test_the_gallery_is_one_of_many() -> None:
    assert len(GALLERY) >= 25


def entries(page: Path) -> list[Path]:
    """The pages in the toctrees of a page; generated ones are left out."""
    found: list[Path] = []
    for block in re.findall(r"^```{toctree}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        for line in filter(None, (line.strip() for line in block.splitlines())):
            name = re.sub(r".*<(.*)>", r"\1", line)
            if name.startswith(":") or "made/" in name:
                continue
            pages = sorted(page.parent.glob(f"{name}.md"))
            assert pages, f"{page.name}: {name}"
            found += pages
    return found


def test_every_page_is_in_a_toctree() -> None:
    reached, left = set(), [DOCS / "index.md"]
    while left:
        page = left.pop().resolve()
        if page not in reached:
            reached.add(page)
            left += entries(page)
    assert {page.relative_to(DOCS) for page in WRITTEN} == {page.relative_to(DOCS) for page in reached}


def test_what_builds_the_manual_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {line.partition("==")[0].lower() for line in (ROOT / "requirements.lock").read_text().splitlines()}
    needed = [re.split(r"[>=]", word)[0] for word in project["optional-dependencies"]["docs"]]
    assert {name for name in needed if not name.startswith("jumpnet")} <= pinned
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {project['version']}\n" in citation and f"license: {project['license']}\n" in citation
