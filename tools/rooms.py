"""Draw the rooms by floor, from the contract that holds them: ``docs/explanation/rooms.svg``."""

import ast
import re
import tomllib
from functools import cache
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "explanation" / "rooms.svg"
WIDTH, TALL, STEP, EDGE, GAP = 960, 50, 60, 16, 12
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


def floors() -> list[list[str]]:
    """Read the rooms, the highest floor first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [[room.strip(" ()") for room in floor.split("|")] for floor in layers]


@cache
def says(room: str) -> str:
    """Read what a room says it is, up to the first pause."""
    folder = ROOT / "src" / "askance" / room
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"[.:;,(]", told, maxsplit=1)[0].strip()


def picture() -> str:
    """Draw every floor as a row, and the wall between who sees answers and who keeps reports."""
    rows = floors()
    tall = EDGE * 2 + STEP * len(rows) - (STEP - TALL)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {tall}" role="img" '
        'aria-labelledby="title desc">',
        '  <title id="title">The rooms</title>',
        '  <desc id="desc">Floors from top to bottom; a room imports only from floors below. '
        f"{escape('; '.join(', '.join(row) for row in rows))}.</desc>",
        f"  <style>{STYLE}  </style>",
    ]
    for floor, rooms in enumerate(rows):
        wide = (WIDTH - 2 * EDGE - GAP * (len(rooms) - 1)) / len(rooms)
        for place, room in enumerate(rooms):
            x, y = EDGE + place * (wide + GAP), EDGE + floor * STEP
            kind = "own" if room == "respond" else "box"
            drawn += [
                f'  <rect class="{kind}" x="{x:g}" y="{y}" width="{wide:g}" height="{TALL}" '
                'rx="8"/>',
                f'  <text class="room" x="{x + 14:g}" y="{y + 21}">{room}</text>',
                f'  <text class="says" x="{x + 14:g}" y="{y + 39}">{escape(says(room))}</text>',
            ]
            if room == "respond":
                at = x + wide + GAP / 2
                drawn.append(f'  <path class="wall" d="M{at:g} {y + 2}V{y + TALL - 2}"/>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")
