"""Make the pictures of the site from the code: a respondent's screens, results, and each mechanism.

A mechanism is drawn from its channel alone: a bar for each answer, parted by the chances of what is
sent; for numbers, ranges that people with three numbers would send.
"""

import csv
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, final

import numpy as np
from PIL import Image

import askance as ak
from askance.cli.new import MECHANISMS
from askance.present import house_style
from askance.present.figures import inline, make_standalone
from askance.study import Habits, rehearse

ROOT = Path(__file__).parents[1]
MOVING = "affair", "years", "review", "receipt", "consent"
"""The screens of the front page, in a respondent's order from the first question, in a loop."""
STAY = 2600
"""How long each of them is shown, in milliseconds."""
SCREENS: Mapping[str, tuple[str, ...]] = {
    "affairs": ("affair", "religious", "years", "review"),
    "income": ("income", "savings"),
    "student-life": ("subject", "used_cannabis", "income"),
}
CAPTIONS: Mapping[str, str] = {
    "affair": "Yes or no, with the odds as a hundred people.",
    "religious": "One of four answers.",
    "years": "A number, as one side of a cut that the device draws.",
    "review": "What can be changed before it is sent.",
    "income": "An income, as a range.",
    "savings": "A number in steps, each only if the person agrees.",
    "subject": "A plain question with pictures.",
    "used_cannabis": "A sensitive question among plain ones.",
}
TALL, WIDE = 740, 420
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1d2426 } .quiet { fill: #566063 } .on { fill: #fff }
rect { fill: color-mix(in oklab, #0b6259 calc(110% - var(--shade)), #b9d9d2) }
line { stroke: #a3271b; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #e9ece9 } .quiet { fill: #a5b0af } .on { fill: #0d1f1c } line { stroke: #ff9d8f }
  rect { fill: color-mix(in oklab, #74cdbd calc(110% - var(--shade)), #4f8f84) }
}
"""
YES_NO, FOUR = ("yes", "no"), ("a", "b", "c", "d")
GALLERY = "These pictures show what respondents and analysts see."
MECHANISM_PAGE = """\
Each picture is drawn from the channel. A bar is an answer; its parts are the reports and their
chances. For numbers, three people with the numbers 8, 27 and 52 each send six ranges.
How to choose: [a mechanism](how-to/choose-a-mechanism.md), [a design](how-to/choose-a-design.md),
[an oracle](how-to/choose-an-oracle.md)."""

UNDRAWN: Mapping[str, str] = {
    "LocalHashing": "its reports are hash functions, 2⁴² of them",
    "MemoisedHashing": "likewise",
    "TableMechanism": "whatever you write",
}
"""Recipes without a picture, and why."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One picture, and what is said of it."""

    file: str
    title: str
    says: str


def main(pages: Path, folder: Path) -> None:
    """Write every picture into a folder, and the pages that show them."""
    folder.mkdir(parents=True, exist_ok=True)
    screenshots, plots = list(screens(folder)), list(results(folder, pages / "result.txt"))
    _page(pages / "gallery.md", "Gallery", GALLERY, {"Respondents": screenshots, "Analysts": plots})
    undrawn = "; ".join(f"`{name}` ({why})" for name, why in UNDRAWN.items())
    says = f"{MECHANISM_PAGE}\n\nNot drawn: {undrawn}."
    _page(pages / "mechanisms.md", "Every mechanism, drawn", says, mechanisms(folder))


def _page(path: Path, title: str, says: str, parts: Mapping[str, Sequence[Picture]]) -> None:
    lines = [f"# {title}", "", says, ""]
    for part, pictures in parts.items():
        lines += [f"## {part}", "", '<div class="wall">', ""]
        for item in pictures:
            source, title = f"_static/pictures/{item.file}", escape(item.title)
            picture = f'<img loading="lazy" src="{source}" alt="{title}">'
            caption = f"<strong>{title}</strong> {escape(item.says)}"
            lines += [f"<figure>{picture}<figcaption>{caption}</figcaption></figure>", ""]
        lines += ["</div>", ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def screens(folder: Path) -> Iterator[Picture]:
    """Take the respondent's screens, and let those of the front page follow each other."""
    sure = Habits(dropout=0, comprehension=1, blank=0)
    for name, wanted in SCREENS.items():
        form = ak.publish(ak.load_survey(ROOT / "examples" / f"{name}.toml"))
        with tempfile.TemporaryDirectory() as scratch:
            rehearse(
                form, people=1, habits=sure, rng=1, pictures=Path(scratch), width=360, height=TALL
            )
            paths = {
                path.stem.partition("-")[2].partition("-")[2]: path
                for path in Path(scratch).iterdir()
            }
            images = {screen: Image.open(path).convert("RGB") for screen, path in paths.items()}
        for screen in wanted:
            images[screen].save(folder / f"{name}-{screen}.webp", quality=80, method=6)
            yield Picture(
                file=f"{name}-{screen}.webp", title=CAPTIONS[screen], says=f"examples/{name}.toml"
            )
        if name == "affairs":
            first, *others = (images[screen].crop((0, 0, 360, TALL)) for screen in MOVING)
            settings = {"duration": STAY, "loop": 0, "quality": 75, "method": 6}
            first.save(folder / "moving.webp", save_all=True, append_images=others, **settings)
            images["affair"].crop((0, 0, 360, TALL)).save(
                folder / "still.webp", quality=80, method=6
            )


def results(folder: Path, sentence: Path) -> Iterator[Picture]:
    """Plot a few results as their own `plot` draws them, and describe the first in words."""
    yn = ak.Frame(YES_NO)
    abstain = ak.Abstain(truth="3/5", lie="1/10").channel(yn)
    share = estimate_affairs(abstain)
    sentence.write_text(describe_affairs(share), encoding="utf-8")
    dice = np.random.default_rng(1)
    ages = dice.gamma(4, 9, 2_000).clip(0, 120)
    ranges = ak.privatise(ak.Cuts(number=1).channel(ak.Line(0, 120, 5)), ages, rng=dice)
    recipes: Mapping[str, tuple[str, str, Any]] = {
        "share": (
            "A share",
            "Estimated from 6,366 protected reports, with its confidence interval.",
            share,
        ),
        "tradeoff": (
            "A trade-off function",
            "The errors of the best test of one answer against another, from one report.",
            ak.privacy.tradeoff(abstain, "yes", "no"),
        ),
        "curve": (
            "A distribution from ranges",
            "The NPMLE from 2,000 ranges, each of which is one side of a random cut.",
            ak.npmle(ranges),
        ),
        "designs": (
            "Designs at equal protection",
            "The effective sample size of 1,000 reports.",
            ak.design.compare_mechanisms(odds=3, prevalence=0.1, people=1_000),
        ),
    }
    for name, (title, says, result) in recipes.items():
        (folder / f"{name}.svg").write_text(plotted(result, name, title), encoding="utf-8")
        yield Picture(file=f"{name}.svg", title=title, says=says)


def read_affairs() -> list[str]:
    """Read the recorded answers to the question on affairs in Fair's data (1978)."""
    with (ROOT / "examples" / "affairs-answers.csv").open(encoding="utf-8", newline="") as table:
        return [row["affair"] for row in csv.DictReader(table)]


def estimate_affairs(channel: ak.Channel) -> Any:
    """Privatise the recorded answers with one seed, and estimate the shares from the reports."""
    return ak.estimate(
        ak.tally(channel, ak.privatise(channel, read_affairs(), rng=1, name="affair"))
    )


def describe_affairs(share: Any) -> str:
    """Describe the estimate beside the recorded share, as Markdown."""
    answers = read_affairs()
    estimate, lower, upper = (
        100 * float(ends[0]) for ends in (share.value, share.lower, share.upper)
    )
    truth = 100 * answers.count("yes") / len(answers)
    return (
        f"{len(answers):,} married women answered a magazine's questionnaire (Fair, 1978). We took "
        "their recorded answers to one question, *Since you married, have you had an affair?*, and "
        "sent each through the channel: the truth with chance 60 %, a lie with 10 %, and "
        "“don't know” with 30 %.\n\n"
        f"From these reports Askance estimates that **{estimate:.1f} %** answered yes (95 % "
        f"interval {lower:.1f} to {upper:.1f} %). The recorded share is {truth:.1f} %. No report "
        "is more than 6 times as likely from one answer as from the other (ε = 1.79).\n"
    )


def plotted(result: Any, name: str, title: str) -> str:
    """Draw a result by its own `plot`, in the house style."""
    from matplotlib.figure import Figure

    with house_style():
        figure = Figure(figsize=(6.4, 5.2 if name == "designs" else 4.2), layout="constrained")
        result.plot(figure.add_subplot())
        return make_standalone(inline(figure, name, title, str(result)))


def mechanisms(folder: Path) -> Mapping[str, Sequence[Picture]]:
    """Draw every recipe that `askance.mechanisms` offers, from a channel that it makes."""
    pictures: dict[str, list[Picture]] = {"Named answers": [], "Numbers": []}
    for recipe, frame in recipes():
        channel = recipe.channel(frame)
        numbers = isinstance(frame, ak.Line)
        picture = range_picture(channel) if numbers else chance_picture(channel)
        name = type(recipe).__name__
        parameters = ", ".join(
            f"{parameter} {value}" for parameter, value in recipe.parameters().items()
        )
        file = (
            f"{name.lower()}-{len(pictures['Numbers'])}.svg" if numbers else f"{name.lower()}.svg"
        )
        (folder / file).write_text(picture, encoding="utf-8")
        pictures["Numbers" if numbers else "Named answers"].append(
            Picture(file=file, title=name, says=parameters)
        )
    return pictures


def chance_picture(channel: Any) -> str:
    """Draw a channel as a bar for each answer, parted by the chances of what is sent."""
    marks = []
    for row, answer in enumerate(channel.frame.answers):
        top, x = row * 58 + 4, 0.0
        marks.append(f'<text class="quiet" x="0" y="{top + 12}">{escape(answer)}</text>')
        for column, chance in enumerate(channel.matrix[row]):
            wide = float(chance) * WIDE
            if wide > 0:
                shade = f"--shade: {25 + 60 * column / max(len(channel.reports) - 1, 1):.0f}%"
                box = f'x="{x:.1f}" y="{top + 18}" width="{max(wide - 1.5, 0.5):.1f}"'
                marks.append(f'<rect style="{shade}" {box} height="26" rx="3"/>')
                marks += _label(channel.reports[column], x, top + 36, wide)
            x += wide
    return _svg(marks, len(channel.frame.answers) * 58 + 4)


def _label(report: str, x: float, base: float, wide: float) -> Iterator[str]:
    if wide > 7.4 * len(report) + 8:
        yield f'<text class="on" x="{x + 5:.1f}" y="{base}">{escape(report)}</text>'


def range_picture(channel: Any) -> str:
    """Draw ranges that three people send, each above the truth that it holds."""
    lower, upper = float(channel.line.lower), float(channel.line.upper)
    dice, marks = np.random.default_rng(1), []

    def scale(value: float) -> float:
        return (min(max(value, lower), upper) - lower) / (upper - lower) * WIDE

    for person, truth in enumerate((8, 27, 52)):
        top, at_truth = person * 88 + 8, scale(truth)
        for row in range(6):
            ranges = ak.privatise(channel, [truth], rng=dice)  # outside a ring: two pieces
            for low, high in zip(ranges.lower, ranges.upper, strict=True):
                x = scale(low)
                box = f'x="{x:.1f}" y="{top + row * 11}" width="{scale(high) - x:.1f}"'
                marks.append(f'<rect style="--shade: 40%" {box} height="7" rx="3"/>')
        marks.append(
            f'<line x1="{at_truth:.1f}" x2="{at_truth:.1f}" y1="{top - 4}" y2="{top + 66}"/>'
        )
        label_x = min(at_truth + 4, WIDE - 18)
        marks.append(f'<text class="quiet" x="{label_x:.1f}" y="{top + 74}">{truth}</text>')
    return _svg(marks, 3 * 88 + 4)


def _svg(marks: Sequence[str], height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}">'
        f"<style>{STYLE}</style>{''.join(marks)}</svg>\n"
    )


def named_mechanisms() -> Iterator[tuple[Any, Any]]:
    """Give each design that `askance new` writes, once, with the answers of its question."""
    names_drawn: set[str] = {"warner"}
    for mechanism in MECHANISMS.values():
        (question,) = tomllib.loads(mechanism.block())["question"]
        if mechanism.recipe not in names_drawn and "mechanism" in question:
            names_drawn.add(mechanism.recipe)
            frame, parameters = ak.Frame(question["answers"]), question["mechanism"]
            name = parameters.pop("name")
            yield ak.mechanisms.answer_mechanism(name, parameters, frame), frame


def recipes() -> Iterator[tuple[Any, Any]]:
    """Give what is drawn: each recipe with the answers or the line that it is asked on."""
    m = ak.mechanisms
    yes_no, four, line = ak.Frame(YES_NO), ak.Frame(FOUR), ak.Line(0, 60, 5)
    yield m.Warner(truth="3/4"), yes_no
    yield m.Abstain(truth="3/5", lie="1/10"), yes_no
    yield from named_mechanisms()
    yield m.KAry(truth="3/5"), four
    yield m.Redistribute(truth="1/2", lie="1/5", share="1/2"), four
    yield m.Blocks(), four
    yield m.Runs(), four
    yield m.Partitions([[["a", "b"], ["c", "d"]], [["a", "d"], ["b", "c"]]]), four
    yield m.SubsetSelection(ratio=3, size=2), four
    yield m.UnaryEncoding(truth="1/2", lie="1/4"), four
    yield m.HadamardResponse(truth="3/4"), four
    yield m.ProjectiveGeometry(ratio=3), four
    yield m.Rappor(truth="3/4", lie="1/4", again_truth="3/4", again_lie="1/4"), four
    yield m.DBitFlip(truth="3/4", lie="1/4", answers_asked=2), four
    yield m.MemoisedKAry(lasting=4, per_report=3), four
    yield m.DiscreteLaplace(decay="1/2"), ak.Frame(["0", "1", "2", "3"])
    yield m.Cuts(number=1), line
    yield m.Cuts(number=2), line
    yield m.TwoCuts(number=3), line
    yield m.Ring(floor="1/4"), line
    yield m.Progressive(number=3, floor="1/4"), line
    yield m.Selective(floor="1/4", send_chance="1/2"), line
