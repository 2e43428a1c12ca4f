"""How Sphinx builds the site: ``python -m sphinx -W docs build/site`` in the checkout.

Nothing is fetched while it is built or read: no intersphinx, no mathematics from elsewhere, and
the theme brings its fonts.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import prunus

project = "prunus"
author = "The prunus authors"
project_copyright = "The prunus authors"
version = release = prunus.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "outside",
    "pictures",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_ext", "_static", "pictures/*.py"]
templates_path = ["_templates"]
highlight_language = "none"

# Pages: the same Markdown that reads well in an editor.
myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# Tutorials are run when the site is built, from stored files without outputs.
nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
# What depends on the machine that builds the site does not belong in it.
os.environ.setdefault("PYTHONWARNINGS", "ignore:searching on the CPU:UserWarning")

# Reference: docstrings in numpydoc's form, types from the signatures.
numpydoc_show_class_members = False
default_role = "autolink"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88

copybutton_exclude = ".linenos, .gp, .go"

html_theme = "pydata_sphinx_theme"
html_title = f"prunus {release}"
html_static_path = ["_static"]
html_favicon = "_static/icon.svg"
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "prunus"},
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
}
html_sidebars = {"index": [], "quickstart": [], "gallery": []}
