"""Draw the pictures of ``docs/how-to/figures-for-print.md`` by the examples on that page."""

import doctest
from pathlib import Path
from typing import Any

import matplotlib as mpl

from askance.present import save_figure

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "how-to" / "figures-for-print.md"
FOLDER = PAGE.parent / "figures"
NAMES = {
    "men.plot(": "groups",
    "cdf_intervals(": "curve",
    "fit.plot(": "coefficients",
    "income, dict(": "words",
}
"""What the drawing call of each section contains, and what its picture is called."""


def draw_figures() -> None:
    """Run the examples, and save the axes that each section leaves under its name."""
    mpl.use("Agg")
    page: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8")):
        if not example.source.startswith(("for ", '"$0')):
            exec(example.source, page)  # noqa: S102 the page is ours
        for part, name in NAMES.items():
            if part in example.source and example.source.startswith("ax = "):
                save_figure(page["ax"], FOLDER / f"{name}.svg")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    draw_figures()
