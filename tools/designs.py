"""Draw the designs that `askance new --design` writes, and what they tell at equal protection.

They stand in ``docs/how-to/designs``.
"""

import tomllib
from pathlib import Path

from askance.channels import Frame
from askance.cli.new import DESIGNS
from askance.design import DesignComparison, compare_designs
from askance.mechanisms import answer_mechanism
from askance.present import house_style, path_picture
from askance.present.figures import alone, inline

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


COMPARED = FOLDER / "compared.svg"


def compared() -> DesignComparison:
    """Set the designs side by side as the page does."""
    return compare_designs(odds=3, prevalence=0.1, people=1_000)


def comparison() -> str:
    """Draw what the designs tell at equal protection."""
    from matplotlib.figure import Figure

    found = compared()
    with house_style():
        figure = Figure(figsize=(6.4, 5.2), layout="constrained")
        found.plot(figure.add_subplot())
        drawn = inline(figure, "compared", "Designs at equal protection", str(found))
    return alone(drawn)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, drawn in (pictures() | {COMPARED: comparison()}).items():
        path.write_text(drawn, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
