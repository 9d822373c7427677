"""Print what pages weigh: python tools/page_sizes.py [SURVEY…], by default of the examples."""

import gzip
import sys
from pathlib import Path

from askance.survey import load_survey, publish
from askance_collect.respond import render_frame, render_page

EXAMPLES = Path(__file__).parents[1] / "examples"
SURVEYS = tuple(EXAMPLES / f"{name}.toml" for name in ("affairs", "income", "student-life"))


def main(*surveys: Path) -> None:
    """Print a line for each survey's page and frame: its bytes, and those packed by gzip."""
    for survey in surveys or SURVEYS:
        form = publish(load_survey(survey))
        for name, content in (("page", render_page(form)), ("frame", render_frame(form))):
            packed = len(gzip.compress(content.bytes, 9, mtime=0))
            print(f"{survey.stem:14} {name:6} {len(content.bytes):8,} {packed:7,} packed by gzip")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
