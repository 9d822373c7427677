"""What every script of a paper is remade with: claims files, drawings, and how numbers are judged.

Each paper has a folder with one claims file, `claims.toml`. `[[shown]]` is a figure or a table with
the number that it has in print, and the functions that make it anew: `made = ["script:function"]`.
Its rows hold what is printed (`theirs`) and what a run at the printed size gave (`ours`), each with
its standard error where there is one; numbers in the text stand with the statements. `[[claim]]` is
a statement: `call` is computed with the names of `scope.py` and gives `ours`.
"""

import math
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, final

from askance.present.figures import WIDTH, house_style, inline, make_standalone

FOLDER = Path(__file__).parent
PAPERS = ("li-zhou-qin-xu-2022", "yoshida-yung-hayashi", "ding-ding")
VERDICTS: Mapping[str, str] = {
    "reproduced": (
        "every printed number is met: within its rounding and three standard errors of both "
        "simulations, two in Table IV"
    ),
    "as described": (
        "nothing is printed beside the drawing but its caption and the text, and what they say "
        "comes out; the picture itself was not compared"
    ),
    "differs": "something that is printed does not come out",
    "misprinted": "a slip of the print, and right without it",
    "not claimed": "a drawing that states nothing that could be false",
    "no data": "the data were not published",
    "added": "not in the paper",
}
"""What is said of figures and tables."""
JUDGED: Mapping[str, str] = {
    "right": "it holds as printed",
    "corrected": "misprinted: it holds once a slip is mended",
    "conditional": "it holds under a condition that is not printed",
    "false": "it differs: it does not hold",
    "two figures": "two readings, and both figures",
    "added": "not claimed in the paper",
}
"""What is said of statements."""
ROUNDING, SURE = 0.005, 5
NUMBERED = re.compile(r"(Figure|Table)s? (\w+)(?: (?:and|to) (\w+))?")

Results = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""By the label of a row: numbers, and their standard errors; 0 of what is computed exactly."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a table: what is printed, and what came out at the printed size.

    `theirs` may name the row that has the printed numbers; `our_se` is 0 of exact numbers.
    """

    label: str
    theirs: Sequence[float] | str = ()
    their_se: Sequence[float] = ()
    ours: Sequence[float] = ()
    our_se: Sequence[float] = ()
    verdict: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """A figure or a table as printed; a drawing of ours where its verdict is "added".

    `printed` says which printed column stands beside each of ours; a difference up to `within`
    standard errors, the rounding and `slack` of the number is none.
    """

    number: str
    says: str
    verdict: str
    why: str
    made: Sequence[str] = ()
    columns: Sequence[str] = ()
    printed: Sequence[int] = ()
    within: float = 3
    slack: float = 0
    row: Sequence[Row] = ()

    @property
    def name(self) -> str:
        """Name the file of its drawing."""
        return self.number.lower().replace(" ", "-")

    def compared_with(self, row: Row) -> list[tuple[float, float | None] | None]:
        """Give the printed number beside each of ours, and its standard error if there is one."""
        rows = {entry.label: entry for entry in self.row}
        source = rows[row.theirs] if isinstance(row.theirs, str) else row
        indices = self.printed or range(len(self.columns))
        se = list(source.their_se) or [None] * len(source.theirs)
        pairs_of_theirs = list(zip(source.theirs, se, strict=True))
        return [
            pairs_of_theirs[index] if index < len(pairs_of_theirs) else None for index in indices
        ]

    def agreement(self, row: Row, ours: Sequence[float], se: Sequence[float]) -> list[bool | None]:
        """Say of each number whether chance and rounding explain how far it is from the print."""
        return [
            None if theirs is None else self._near(value, spread, *theirs)
            for value, spread, theirs in zip(ours, se, self.compared_with(row), strict=True)
        ]

    def _near(self, ours: float, se: float, theirs: float, their_se: float | None) -> bool:
        spread = math.hypot(se, se if their_se is None else their_se)
        return abs(ours - theirs) <= ROUNDING + self.slack * abs(theirs) + self.within * spread

    def judged(self, row: Row, ours: Sequence[float], se: Sequence[float]) -> str:
        """Give the verdict on a row; none where nothing is printed beside it."""
        near = [gap for gap in self.agreement(row, ours, se) if gap is not None]
        return "" if not near else "reproduced" if all(near) else "differs"

    def changed(self, results: Results, share: float) -> list[str]:
        """Name the rows of a run that do not bear out the claims file."""
        unknown = set(results) - {row.label for row in self.row}
        far = [row.label for row in self.row if self._departs(row, results, share)]
        return [*far, *sorted(unknown)]

    def _departs(self, row: Row, results: Results, share: float) -> bool:
        if row.label not in results or not row.ours:
            return False
        ours, se = results[row.label]
        far = any(
            abs(value - recorded) > ROUNDING + SURE * math.hypot(spread, known_se)
            for value, spread, recorded, known_se in zip(
                ours, se, row.ours, row.our_se, strict=True
            )
        )
        return far or (share >= 1 and self.judged(row, ours, se) != row.verdict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of a paper, or of ours beside it."""

    place: str
    says: str
    theirs: str
    ours: str
    verdict: str
    call: str

    @property
    def numbers(self) -> set[str]:
        """Name the figures and tables that it is about."""
        match = NUMBERED.match(self.place)
        if not match:
            return set()
        kind, first, last = match.groups()
        if last and " to " in match[0]:
            return {f"{kind} {i}" for i in range(int(first), int(last) + 1)}
        return {f"{kind} {number}" for number in (first, last) if number}

    def holds(self, scope: "Scope") -> bool:
        """Compute it."""
        return bool(eval(self.call, scope) == eval(self.ours, scope))  # noqa: S307  our own file


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper, and all that is claimed of it."""

    folder: str
    title: str
    by: str
    shown: tuple[Exhibit, ...]
    claims: tuple[Claim, ...]

    @classmethod
    def read(cls, folder: str) -> "Paper":
        """Read its claims file."""
        document = tomllib.loads((FOLDER / folder / "claims.toml").read_text(encoding="utf-8"))
        exhibits = [
            Exhibit(**entry | {"row": [Row(**row) for row in entry.get("row", ())]})
            for entry in document["shown"]
        ]
        claims = tuple(Claim(**entry) for entry in document["claim"])
        return cls(
            folder=folder,
            title=document["title"],
            by=document["by"],
            shown=tuple(exhibits),
            claims=claims,
        )


class Scope(dict[str, Any]):
    """The names that calls use; those of `late` are computed when a call first asks."""

    def __init__(self, late: Mapping[str, Callable[[], Any]] | None = None, **facts: Any) -> None:
        super().__init__(facts)
        self.late = late or {}

    def __missing__(self, name: str) -> Any:
        if name not in self.late:
            raise KeyError(name)
        self[name] = self.late[name]()
        return self[name]


@cache
def script(folder: str, name: str) -> ModuleType:
    """Load a script of a paper: their folders have names that no package can have."""
    key = f"{folder}/{name}"
    spec = spec_from_file_location(key, FOLDER / folder / f"{name}.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(key)
    sys.modules[key] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def scope(folder: str) -> Scope:
    """Give the names that the claims of a paper use."""
    scope: Scope = script(folder, "scope").SCOPE
    return scope


@final
@dataclass(kw_only=True)
class Run:
    """One figure or table that is being made: where, how large, and what was drawn.

    The folder has the name of the paper's. `share` cuts down whatever is repeated; 1 is the printed
    size. `data` is the file of life expectancies, which is no part of the project.
    """

    folder: Path
    shown: Exhibit
    share: float = 1.0
    data: Path | None = None
    drawn: list[str] = field(default_factory=list)

    def times(self, printed: int, least: int = 2) -> int:
        """Say how often to repeat what is printed with so many repetitions."""
        return max(least, round(self.share * printed))

    @contextmanager
    def figure(self, wide: float = 1.5, high: float = 0.9) -> Iterator[Any]:
        """Draw a figure in the style of the house, and keep it; sizes in widths of a phone."""
        from matplotlib.figure import Figure

        with house_style():
            figure = Figure(figsize=(wide * WIDTH / 72, high * WIDTH / 72), layout="constrained")
            title = textwrap.fill(f"{self.shown.number}: {self.shown.says}", round(44 * wide))
            figure.suptitle(title, fontsize=12, x=0.02, ha="left")
            yield figure
            name = f"{self.folder.name}-{self.shown.name}"
            self.drawn.append(inline(figure, name, self.shown.number, self.shown.says))
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self.shown.name}.svg"
        path.write_text(make_standalone(self.drawn[-1]), encoding="utf-8")


def make(source: str, run: Run) -> tuple[Results, list[str]]:
    """Call one function of a script; give the rows that it found, and what it drew."""
    name, _, function = source.partition(":")
    results = getattr(script(run.folder.name, name), function)(run)
    return results or {}, run.drawn


def judge(folder: str) -> list[bool]:
    """Say of each statement of a paper whether it comes out as its claims file says."""
    return [claim.holds(scope(folder)) for claim in Paper.read(folder).claims]


def flow(ax: Any, boxes: Sequence[str], below: Sequence[str] = ()) -> None:
    """Draw what follows on what: a box for each step, and under it what is said of it."""
    from askance.present.figures import LIGHT

    for index, text in enumerate(boxes):
        frame = {"boxstyle": "round,pad=0.5", "fc": LIGHT.panel, "ec": LIGHT.quiet, "lw": 1}
        ax.text(index, 0, text, ha="center", va="center", fontsize=14, bbox=frame)
    for index in range(len(boxes) - 1):
        ends = {"xy": (index + 0.58, 0), "xytext": (index + 0.42, 0)}
        ax.annotate("", **ends, arrowprops={"arrowstyle": "->", "color": LIGHT.accent, "lw": 1.5})
    for index, text in enumerate(below):
        ax.text(index, -0.62, text, ha="center", va="top", fontsize=12.5, color=LIGHT.quiet)
    ax.set(xlim=(-0.55, len(boxes) - 0.45), ylim=(-1.6, 0.8))
    ax.axis("off")


def logarithmic(ax: Any, positions: Sequence[float]) -> None:
    """Give an axis upwards equal ratios, and these numbers in plain figures."""
    ax.set_yscale("log")
    ax.set_yticks(positions, [f"{value:g}" for value in positions])
    ax.set_yticks([], minor=True)
