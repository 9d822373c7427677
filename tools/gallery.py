"""Take the pictures of the documentation: the students' example at two widths, and the hosts'."""

import os
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from askance.study import Habits, rehearse
from askance.survey import load_survey, publish
from js import main as build_package

ROOT = Path(__file__).parents[1]
SURVEY = ROOT / "examples" / "student-life.toml"
WIDTHS = {
    360: (740, ("subject", "happened", "used_cannabis", "income")),
    1280: (800, ("used_cannabis",)),
}
"""By width: how high a screen is, and which screens are shown beside each other."""
HOSTS = "surveyjs", "jspsych"
"""In whose surveys a question is shown: the tests of js/ take the pictures."""
TELEPHONES = "question", *HOSTS
"""Where it is shown on a telephone too, the first on a page of somebody's own."""
GAP = 24
COLOURS = 32


def main() -> None:
    """Write docs/student-life-360.png, docs/student-life-1280.png and docs/asked-….png."""
    form = publish(load_survey(SURVEY))
    sure = Habits(dropout=0, comprehension=1, blank=0)
    for width, (height, names) in WIDTHS.items():
        with tempfile.TemporaryDirectory() as folder:
            size = {"width": width, "height": height}
            rehearse(form, people=1, habits=sure, rng=1, pictures=Path(folder), **size)
            paths = [next(Path(folder).glob(f"en-*-{name}.png")) for name in names]
            images = [Image.open(path).convert("RGB") for path in paths]
        _save(_join_side_by_side(images), f"student-life-{width}.png")
    build_package()
    with tempfile.TemporaryDirectory() as folder:
        for host in TELEPHONES:
            test = ROOT / "js" / "test" / f"{host}.test.mjs"
            settings = {**os.environ, "PICTURES": folder}
            subprocess.run(["node", test], env=settings, check=True)  # noqa: S603, S607  our own
        paths = {path.stem: Image.open(path).convert("RGB") for path in Path(folder).iterdir()}
    for host in HOSTS:
        _save(paths[host], f"asked-in-{host}.png")
    _save(
        _join_side_by_side([paths[f"{host}-telephone"] for host in TELEPHONES]),
        "asked-on-a-telephone.png",
    )


def _save(picture: Image.Image, name: str) -> None:
    picture.quantize(COLOURS).save(ROOT / "docs" / name, optimize=True)
    print(f"wrote docs/{name}")


def _join_side_by_side(images: list[Image.Image]) -> Image.Image:
    """Put pictures beside each other on a grey wall."""
    size = sum(image.width + GAP for image in images) - GAP, max(image.height for image in images)
    wall, left_edge = Image.new("RGB", size, "#ccc"), 0
    for image in images:
        wall.paste(image, (left_edge, 0))
        left_edge += image.width + GAP
    return wall


if __name__ == "__main__":
    main()
