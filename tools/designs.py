"""Draw the designs that `askance new --design` writes: ``docs/how-to/designs/*.svg``."""

import tomllib
from pathlib import Path

from askance.channels import Frame
from askance.cli.new import DESIGNS
from askance.mechanisms import answer_mechanism
from askance.present import path_picture

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "how-to" / "designs"


def pictures() -> dict[Path, str]:
    """Give the picture of every design, drawn from the question that is written for it."""
    found = {}
    for name, design in DESIGNS.items():
        (question,) = tomllib.loads(design.block())["question"]
        frame, parameters = Frame(question["answers"]), question["mechanism"]
        recipe = answer_mechanism(parameters.pop("name"), parameters, frame)
        found[FOLDER / f"{name}.svg"] = path_picture(recipe, frame)
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, drawn in pictures().items():
        path.write_text(drawn, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
