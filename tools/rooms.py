"""Draw the rooms by floor, from the contract that holds them: ``docs/explanation/rooms.svg``."""

import ast
import re
import tomllib
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "explanation" / "rooms.svg"
PACKAGES = ("askance", "askance_collect")
WIDTH, TALL, STEP, EDGE, GAP, PARTING = 960, 50, 60, 16, 12, 34
STYLE = """
    text { font-family: system-ui, sans-serif; fill: #24292f; }
    .room { font-size: 15px; font-weight: 650; }
    .says { font-size: 12.5px; fill: #57606a; }
    .box { fill: #f6f8fa; stroke: #8c959f; }
    .own { fill: #dff3ea; stroke: #2f8f6b; }
    .wall { stroke: #2f8f6b; stroke-width: 3; stroke-dasharray: 2 7; stroke-linecap: round; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .says { fill: #9da7b1; }
      .box { fill: #1b222b; stroke: #57606a; }
      .own { fill: #12352a; stroke: #3fb68b; }
      .wall { stroke: #3fb68b; }
    }
"""


def floors(package: str) -> list[list[str]]:
    """Read the rooms of a package, the highest floor first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (
        contract["layers"] for contract in contracts if contract.get("containers") == [package]
    )
    return [[room.strip(" ()") for room in floor.split("|")] for floor in layers]


@cache
def says(package: str, room: str) -> str:
    """Read what a room says it is, up to the first pause."""
    folder = ROOT / "src" / package / room
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"[.:;,(]", docstring, maxsplit=1)[0].strip()


def picture() -> str:
    """Draw every floor as a row, where packages part, and the wall between answers and reports."""
    packages = {package: floors(package) for package in PACKAGES}
    rows = [(package, rooms) for package, its_floors in packages.items() for rooms in its_floors]
    tall = EDGE * 2 + STEP * len(rows) - (STEP - TALL) + PARTING * (len(packages) - 1)
    listed = "; ".join(", ".join(rooms) for _, rooms in rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {tall}" role="img" '
        'aria-labelledby="title desc">',
        '  <title id="title">The rooms</title>',
        '  <desc id="desc">Floors from top to bottom; a room imports only from floors below, and '
        f"nothing of the upper package is imported by the lower one. {escape(listed)}.</desc>",
        f"  <style>{STYLE}  </style>",
    ]
    y, above = EDGE, PACKAGES[0]
    for package, rooms in rows:
        if package != above:
            words = f"{package}: a package of its own"
            lines.append(f'  <text class="says" x="{EDGE}" y="{y + PARTING - 14}">{words}</text>')
            y, above = y + PARTING, package
        lines += _floor(package, rooms, y)
        y += STEP
    return "\n".join([*lines, "</svg>"]) + "\n"


def _floor(package: str, rooms: list[str], y: int) -> list[str]:
    """Draw the rooms of a floor beside each other."""
    wide = (WIDTH - 2 * EDGE - GAP * (len(rooms) - 1)) / len(rooms)
    lines = []
    for index, room in enumerate(rooms):
        x = EDGE + index * (wide + GAP)
        kind, words = "own" if package != PACKAGES[0] else "box", escape(says(package, room))
        lines += [
            f'  <rect class="{kind}" x="{x:g}" y="{y}" width="{wide:g}" height="{TALL}" rx="8"/>',
            f'  <text class="room" x="{x + 14:g}" y="{y + 21}">{room}</text>',
            f'  <text class="says" x="{x + 14:g}" y="{y + 39}">{words}</text>',
        ]
        if room == "respond":
            edge = x + wide + GAP / 2
            lines.append(f'  <path class="wall" d="M{edge:g} {y + 2}V{y + TALL - 2}"/>')
    return lines


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")
