"""Draw what `askance new --mechanism` writes, beside each other, and a sensitivity strip.

They stand in ``docs/how-to/designs``, the strip in the folder above.
"""

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from askance.channels import Frame, Tally
from askance.cli.new import MECHANISMS
from askance.design import MechanismComparison, compare_mechanisms
from askance.inference import Sensitivity, sensitivity
from askance.mechanisms import (
    Crosswise,
    Draw,
    Outcome,
    answer_mechanism,
    respondent_path,
)
from askance.mechanisms.randomised_response import AbstractMechanism, Warner
from askance.mechanisms.respondent_path import fork_by_answer
from askance.present import house_style, path_picture
from askance.present.figures import inline, make_standalone
from askance.present.path_picture import Invited, path_drawing

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "how-to" / "designs"


def pictures() -> dict[Path, str]:
    """Give the picture of every design, drawn from the question that is written for it."""
    drawings = {}
    for name, mechanism in MECHANISMS.items():
        (question,) = tomllib.loads(mechanism.block())["question"]
        frame = Frame(question["answers"])
        if groups := question.get("group"):
            path = Draw("The device draws a group", tuple(_group(group, frame) for group in groups))
            drawing = make_standalone(path_drawing(path, "path", f"What a respondent does: {name}"))
        elif mechanism.coin:
            path = _by_rules([Fraction(chance) for chance in question["mechanism"]["asked"]], frame)
            drawing = make_standalone(path_drawing(path, "path", f"What a respondent does: {name}"))
        else:
            drawing = path_picture(_recipe(question["mechanism"], frame), frame)
        drawings[FOLDER / f"{name}.svg"] = drawing
    mechanisms = (("north", Warner(truth="3/4")), ("south", Warner(truth="4/5")))
    groups = tuple((name, respondent_path(mechanism, _YES_NO)) for name, mechanism in mechanisms)
    drawing = make_standalone(
        path_drawing(Invited(groups), "path", "What a respondent does: invited groups")
    )
    return drawings | {FOLDER / "invited.svg": drawing}


_YES_NO = Frame(["yes", "no"])


def _group(group: dict[str, Any], frame: Frame) -> Outcome:
    path = respondent_path(_recipe(group["mechanism"], frame), frame)
    return Outcome(Fraction(group["share"]), group["name"], path)


def _by_rules(chances: list[Fraction], frame: Frame) -> Draw:
    """Draw both rules of an unrelated question, each with its own chance of the sensitive one."""
    rules = []
    for rule, part in zip(("first", "second"), chances, strict=True):
        own = fork_by_answer(frame, [f"{rule}: {answer}" for answer in frame.answers])
        branches = (
            Outcome(part, "the sensitive question", own),
            Outcome(1 - part, "the harmless question", own),
        )
        rules.append(Outcome(Fraction(1, 2), f"{rule} rule", Draw("A die", branches)))
    return Draw("A house number", tuple(rules))


def _recipe(parameters: dict[str, Any], frame: Frame) -> AbstractMechanism:
    return answer_mechanism(parameters.pop("name"), parameters, frame)


COMPARED = FOLDER / "compared.svg"


def compared() -> MechanismComparison:
    """Set the designs side by side as the page does."""
    return compare_mechanisms(odds=3, prevalence=0.1, people=1_000)


STRIP = ROOT / "docs" / "how-to" / "sensitivity.svg"


def strip() -> Sensitivity:
    """Let more and more people report anything, as the page does."""
    channel = Crosswise(harmless="1/4").channel(Frame(["yes", "no"]))
    return sensitivity(Tally(channel, {"both or neither": 640, "just one": 360}), steps=40)


def plotted() -> dict[Path, str]:
    """Draw what the designs tell at equal protection, and the strip."""
    return {
        COMPARED: _draw_result(compared(), "compared", "Designs at equal protection"),
        STRIP: _draw_result(strip(), "sensitivity", "A share, by how many do not comply"),
    }


def _draw_result(result: MechanismComparison | Sensitivity, name: str, title: str) -> str:
    from matplotlib import pyplot

    with house_style():
        figure = result.plot().figure
        drawing = inline(figure, name, title, str(result))
        pyplot.close(figure)
    return make_standalone(SIZE.sub(r'\g<0> width="\1" height="\2"', drawing, count=1))


SIZE = re.compile(r'viewBox="0 0 (\S+) (\S+)"')
"""A drawing without a size of its own fills the width of its page."""

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, drawing in (pictures() | plotted()).items():
        path.write_text(drawing, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
