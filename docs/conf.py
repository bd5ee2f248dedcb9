"""The manual: Sphinx builds it from these pages, the gallery's scripts and the docstrings. `make docs` calls it.

Nothing is fetched. With `-t unexecuted` notebooks and gallery are shown as they are written, without what running them
gives: so it is built in the tests, which run them elsewhere. What is generated lies in `made/`: the gallery, the
reference of Python and of the command line.
"""

import gc
import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_sphinx"))

import claims  # noqa: E402
import commands  # noqa: E402
import dead  # noqa: E402
import docstrings  # noqa: E402
import links  # noqa: E402
import modules  # noqa: E402
import names  # noqa: E402
import pictures  # noqa: E402

gc.set_threshold(1_000_000, 20, 100)  # trees of pages are many small objects, hardly one of which is garbage

RUN = not tags.has("unexecuted")  # noqa: F821 (Sphinx brings it)

project = "jumpnet"
author = "jumpnet contributors"
copyright = author
version = release = version_of("jumpnet")

extensions = ["sphinx.ext.autodoc", "myst_nb", "sphinx_gallery.gen_gallery", "sphinx_copybutton"]
exclude_patterns = ["_sphinx", "gallery", "made/**/*.md5", "made/**/*.ipynb", "made/**/*.py"]
default_role = "code"
highlight_language = "none"
nitpicky = False
suppress_warnings = ["config.cache", "ref.python"]  # objects in settings; two classes of one short name in a signature

autodoc_default_options = {"members": True, "no-value": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_display_short_literal_types = True
maximum_signature_line_length = 100
add_module_names = False
toc_object_entries_show_parents = "hide"

myst_heading_anchors = 3
nb_execution_mode = "cache" if RUN else "off"
nb_execution_cache_path = str(HERE.parent / "build" / "notebooks")
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_number_source_lines = False

sphinx_gallery_conf = {
    "examples_dirs": str(HERE / "gallery"),
    "gallery_dirs": "made/gallery",
    "capture_repr": (),
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "plot_gallery": RUN,
    "abort_on_example_error": True,
    "write_computation_times": False,
    "matplotlib_animations": False,
    "remove_config_comments": True,
    "thumbnail_size": (400, 300),
    "image_scrapers": ("matplotlib", pictures.written),
    "reset_modules": (pictures.look,),
}

html_theme = "pydata_sphinx_theme" if RUN else "basic"  # whose pages are written in a third of the time
html_title = f"jumpnet {release}"
html_static_path = ["_sphinx/static"]
html_css_files = ["manual.css"]
html_show_sourcelink = False
html_copy_source = False
smartquotes = RUN  # curled quotes take a twelfth of the time
html_theme_options = (
    {}
    if not RUN
    else {
        "navbar_align": "left",
        "header_links_before_dropdown": 8,
        "navigation_depth": 2,
        "show_toc_level": 2,
        "secondary_sidebar_items": {"**": ["page-toc"], "settings": []},
        "footer_start": ["copyright"],
        "footer_end": [],
        "show_prev_next": True,
    }
)
html_sidebars = {"tour": [], "notebook": []} if RUN else {"**": []}


def _first_page_indexed(app):
    """Leave out what only readers have use for: the words to search for, of all pages but the first."""
    index = app.builder.index_page
    app.builder.index_page = lambda page, tree, title: index(page, tree, title) if page == "index" else None


def setup(app):
    """What this manual adds: links out of docs/, plain docstrings, the generated pages, a look at every link."""
    app.add_domain(names.Names, override=True)
    app.connect("source-read", links.rewritten)
    app.connect("autodoc-process-docstring", docstrings.as_text)
    app.connect("build-finished", dead.warned)
    if not RUN:
        app.connect("builder-inited", _first_page_indexed)
    modules.write(HERE / "made" / "api")
    commands.write(HERE / "made")
    claims.write(HERE / "made" / "claims")
