"""How the documentation becomes a site: Sphinx, which reads the docstrings as they are written.

`tools/build_site.py` lays out what is read here; `make docs` runs both, and looks at what came out.
"""

import re
from importlib import metadata
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject

project = "Askance"
author = "the people who build Askance"
release = metadata.version("askance")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["files/**", "result.txt"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
highlight_language = "text"
suppress_warnings = [
    "myst.xref_missing",  # ids inside tables: the links of the finished pages are all checked
    "misc.highlighting_failure",  # "…" in an example of JSON
]

napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {
    "members": True,
    # scikit-learn writes these for every learner, and explains them on its own pages
    "exclude-members": (
        "set_fit_request, set_partial_fit_request, set_predict_request, set_predict_proba_request, "
        "set_score_request, set_transform_request"
    ),
}
maximum_signature_line_length = 88
python_use_unqualified_type_names = True

html_math_renderer = "mathml"
html_theme = "furo"
html_title = "Askance"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))  # guides before the reference
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # it would ask for each page, which a folder does not give
html_show_copyright = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def setup(app: Sphinx) -> None:
    """Read our docstrings, and write formulas as MathML, which browsers draw by themselves."""
    app.connect("autodoc-process-docstring", _examples, priority=400)  # before napoleon
    app.add_html_math_renderer("mathml", (_inline, _no_more), (_displayed, _no_more))
    for field in PyObject.doc_field_types:
        for role in ("rolename", "typerolename"):
            if hasattr(field, role):
                setattr(field, role, "")  # a shape such as (n,) names no attribute n
        if field.name == "variable":
            field.label = "Attributes"


def _examples(
    _app: Sphinx, _kind: str, _name: str, _thing: Any, _how: Any, lines: list[str]
) -> None:
    """Put a heading above the examples that follow the sections."""
    under = [at for at, line in enumerate(lines) if re.fullmatch(r"-{3,}", line)]
    first = next((at for at, line in enumerate(lines) if line.startswith(">>>")), None)
    if first is not None and under and under[0] < first:
        lines[first:first] = ["Examples", "--------", ""]


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(latex2mathml.tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def _displayed(writer: Any, node: nodes.math_block) -> None:
    drawn = latex2mathml.tex2mathml(node.astext(), as_block=True)
    writer.body.append(f'<div class="formula">{drawn}</div>')
    raise nodes.SkipNode


def _no_more(_writer: Any, _node: nodes.Node) -> None:
    """Nothing is left to write where a formula ends."""
