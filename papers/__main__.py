"""Make every figure and table of the three papers anew: python papers [--full] [NAME ...].

A name is a folder, or the number of a figure or table, such as "Table II". What is drawn and a page
of results go into out/papers; the exit status is 1 if something does not come out as the claims
files say. Two scripts run side by side, with fixed seeds.
"""

import argparse
import multiprocessing
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

from remaking import (
    HERE,
    JUDGED,
    PAPERS,
    VERDICTS,
    Claim,
    Paper,
    Row,
    Run,
    Shown,
    judge,
    make,
)

OUT = HERE.parent / "out" / "papers"
SHARE, PROCESSES = 0.2, 2
TITLE = "Three papers, made anew"
BLOCK = re.compile(r"(?m)^(?=\[\[)")
KEY = re.compile(r'(?m)^(number|label) = "(.*)"$')


@final
@dataclass(kw_only=True)
class Entry:
    """A figure or a table, and what a run made of it: rows, drawings, and what departs."""

    shown: Shown
    claims: Sequence[tuple[Claim, bool]]
    found: dict[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)
    run: bool = False
    drawn: list[str] = field(default_factory=list)
    departs: list[str] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[str, list[str]]]:
        """Give the rows as text: ours ± its standard error, and in brackets what is printed.

        A row that this run did not make is marked: its numbers are those of the claims file.
        """
        for row in self.shown.row:
            ours, se = self.found.get(row.label, (row.ours, row.our_se))
            kept = self.run and row.ours and row.label not in self.found
            yield f"{row.label} (recorded)" if kept else row.label, self._cells(row, ours, se)

    def _cells(self, row: Row, ours: Sequence[float], se: Sequence[float]) -> list[str]:
        beside = self.shown.beside(row)
        if not ours:
            return [f"({_digits(one[0])})" if one else "" for one in beside]
        near = self.shown.agreement(row, ours, se)
        return [
            _ours(value, spread)
            + ("" if theirs is None else f" ({_theirs(*theirs)}{'' if same else ' ≠'})")
            for value, spread, theirs, same in zip(ours, se, beside, near, strict=True)
        ]

    @property
    def scripts(self) -> list[str]:
        """Name the scripts that make it."""
        return sorted({f"{one.partition(':')[0]}.py" for one in self.shown.made})


@final
@dataclass(kw_only=True)
class Results:
    """A paper, and what a run made of it."""

    paper: Paper
    entries: list[Entry]
    others: Sequence[tuple[Claim, bool]]


def recorded(paper: Paper) -> Results:
    """Give what the claims file holds, with nothing run."""
    judged = [(claim, True) for claim in paper.claims]
    return _gathered(paper, judged)


def _gathered(paper: Paper, judged: Sequence[tuple[Claim, bool]]) -> Results:
    numbers = {one.number for one in paper.shown}
    entries = [
        Entry(shown=one, claims=[pair for pair in judged if one.number in pair[0].numbers])
        for one in paper.shown
    ]
    others = [pair for pair in judged if not pair[0].numbers & numbers]
    return Results(paper=paper, entries=entries, others=others)


def remade(
    names: Sequence[str] = (), *, share: float = SHARE, data: Path | None = None, folder: Path = OUT
) -> list[Results]:
    """Run what the names name, all if there are none; a run of some judges no statements."""
    from rich.console import Console
    from rich.progress import Progress

    papers = [Paper.read(one) for one in PAPERS if not set(names) & set(PAPERS) or one in names]
    numbers = set(names) - set(PAPERS)
    context = multiprocessing.get_context("spawn")
    with (
        Progress(console=Console(stderr=True), transient=True) as bar,
        ProcessPoolExecutor(PROCESSES, mp_context=context) as pool,
    ):
        jobs: list[tuple[Paper, Shown | None, Future[Any]]] = []
        for paper in reversed(papers):
            for one in reversed(paper.shown):
                if not numbers or one.number in numbers:
                    run = Run(folder=folder / paper.folder, shown=one, share=share, data=data)
                    jobs += [(paper, one, pool.submit(make, made, run)) for made in one.made]
            if not numbers:
                jobs.append((paper, None, pool.submit(judge, paper.folder)))
        task = bar.add_task("papers", total=len(jobs))
        for _, _, job in jobs:
            job.add_done_callback(lambda _: bar.advance(task))
        made = [(paper.folder, shown, job.result()) for paper, shown, job in jobs]
    return [
        _filled(paper, [one[1:] for one in made if one[0] == paper.folder], share)
        for paper in papers
    ]


def _filled(paper: Paper, made: Iterable[tuple[Shown | None, Any]], share: float) -> Results:
    told = list(made)
    held = next((found for shown, found in told if shown is None), [True] * len(paper.claims))
    results = _gathered(paper, list(zip(paper.claims, held, strict=True)))
    for entry in results.entries:
        entry.run = True
        for shown, found in told:
            if shown is not None and shown.number == entry.shown.number:
                entry.found |= found[0]
                entry.drawn += found[1]
        entry.departs = entry.shown.changed(entry.found, share)
    return results


def departures(results: Sequence[Results]) -> list[str]:
    """Name what does not come out as the claims files say."""
    told = []
    for one in results:
        for entry in one.entries:
            told += [f"{one.paper.folder}, {entry.shown.number}: {row}" for row in entry.departs]
        pairs = [*one.others, *(pair for entry in one.entries for pair in entry.claims)]
        told += [
            f"{one.paper.folder}, {claim.place}: {claim.says}" for claim, held in pairs if not held
        ]
    return list(dict.fromkeys(told))


def _digits(value: float) -> str:
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}".removesuffix("0")


def _ours(value: float, se: float) -> str:
    return f"{_digits(value)} ± {_digits(se)}" if se else _digits(value)


def _theirs(value: float, se: float | None) -> str:
    return _digits(value) if se is None else f"{_digits(value)} ± {_digits(se)}"


def markdown(results: Sequence[Results], home: Path) -> str:
    """Write all results as Markdown, to stand in a folder."""
    lines = [f"# {TITLE}", "", *INTRO, ""]
    lines += ["| | | verdict |", "|---|---|---|"]
    for one in results:
        for entry in one.entries:
            told = (one.paper.by, f"{entry.shown.number}: {entry.shown.says}", entry.shown.verdict)
            lines.append(_line(told))
    for one in results:
        lines += ["", f"## {one.paper.by}", "", f"*{one.paper.title}*"]
        for entry in one.entries:
            lines += ["", *_entry(one.paper, entry, home)]
        lines += ["", "### Other statements", "", *_statements(one.others)]
    return "\n".join(lines) + "\n"


INTRO = (
    "Every figure and table, numbered as printed: what is printed, what we find, and why.",
    "`make papers` makes them anew; `make papers FULL=1` at the printed sizes. Ours ± the standard",
    "error of the simulation, then in brackets what is printed; ≠ where chance and rounding do not",
    "explain the difference. The numbers here were recorded by a run at the printed sizes; where a",
    "run writes this page, rows that it did not make itself are marked *recorded*.",
    "",
    *(f"- **{word}**: {meaning}." for word, meaning in VERDICTS.items()),
    "",
    "Statements have a verdict, too, and the claims files the calls that show it:",
    "",
    *(f"- **{word}**: {meaning}." for word, meaning in JUDGED.items()),
)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(one.replace('|', chr(92) + '|') for one in cells)} |"


def _entry(paper: Paper, entry: Entry, home: Path) -> Iterator[str]:
    shown, folder = entry.shown, os.path.relpath(HERE / paper.folder, home)
    scripts = ", ".join(f"[{one}]({folder}/{one})" for one in entry.scripts)
    yield f"### {shown.number}: {shown.says}"
    yield ""
    yield f"**{shown.verdict.capitalize()}.** {shown.why} Made by {scripts}."
    picture = home / paper.folder / f"{shown.name}.svg"
    if picture.exists():
        yield ""
        yield f"![{shown.number}]({paper.folder}/{picture.name})"
    if shown.row:
        yield ""
        yield _line(["", *shown.columns])
        yield "|---" * (len(shown.columns) + 1) + "|"
        yield from (_line([label, *cells]) for label, cells in entry.rows())
    if entry.claims:
        yield ""
        yield from _statements(entry.claims)


def _statements(claims: Iterable[tuple[Claim, bool]]) -> Iterator[str]:
    yield "| | statement | printed | ours | verdict |"
    yield "|---|---|---|---|---|"
    for one, held in claims:
        verdict = one.verdict if held else f"{one.verdict}, but it no longer comes out"
        yield _line([one.place, one.says, one.theirs, f"`{one.ours}`", verdict])


def page(results: Sequence[Results], folder: Path, share: float) -> str:
    """Write the page of results."""
    from askance.present.page_sheet import render_template

    return render_template(
        str(HERE / "results-page.html"),
        sheet=str(HERE / "results-page.css"),
        title=TITLE,
        language="en",
        results=results,
        departures=departures(results),
        share=share,
        verdicts=VERDICTS,
        judged=JUDGED,
        scripts=os.path.relpath(HERE, folder),
    )


def record(results: Sequence[Results]) -> None:
    """Write what a run gave into the rows of the claims files."""
    for one in results:
        path = HERE / one.paper.folder / "claims.toml"
        blocks, number = BLOCK.split(path.read_text(encoding="utf-8")), ""
        entries = {entry.shown.number: entry for entry in one.entries}
        for at, block in enumerate(blocks):
            named = dict(KEY.findall(block))
            number = named.get("number", number)
            if "label" in named and named["label"] in entries[number].found:
                blocks[at] = _recorded(block, entries[number], named["label"])
        path.write_text("".join(blocks), encoding="utf-8")


def _recorded(block: str, entry: Entry, label: str) -> str:
    ours, se = entry.found[label]
    (row,) = (row for row in entry.shown.row if row.label == label)
    old = ("ours", "our_se", "verdict")
    kept = [line for line in block.rstrip().splitlines() if not line.startswith(old)]
    told = [f"ours = {[round(x, 4) for x in ours]}", f"our_se = {[round(x, 4) for x in se]}"]
    if verdict := entry.shown.judged(row, ours, se):
        told.append(f'verdict = "{verdict}"')
    return "\n".join([*kept, *told]) + "\n\n"


def summary(results: Sequence[Results]) -> None:
    """Show the verdicts in the terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table("", "", "verdict")
    for one in results:
        for entry in one.entries:
            table.add_row(one.paper.by, entry.shown.number, entry.shown.verdict)
    Console().print(table)


def main(words: Sequence[str] | None = None) -> int:
    """Run, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--full", action="store_true", help="at the printed sizes")
    parser.add_argument("--data", type=Path, help="the WHO's life expectancies, a CSV file")
    parser.add_argument("--folder", type=Path, default=OUT)
    parser.add_argument("--record", action="store_true", help="at the printed sizes, to be kept")
    asked = parser.parse_args(words)
    numbers = {one.number for folder in PAPERS for one in Paper.read(folder).shown}
    for name in asked.names:
        if name not in {*PAPERS, *numbers}:
            parser.error(
                f"no paper, figure or table is named {name!r}; such as {PAPERS[0]}, Table II"
            )
    if asked.data and not asked.data.is_file():
        parser.error(f"--data: there is no file {asked.data}")
    share = 1.0 if asked.full or asked.record else SHARE
    folder = HERE if asked.record else asked.folder
    results = remade(asked.names, share=share, data=asked.data, folder=folder)
    if asked.record:
        record(results)
        results = [recorded(Paper.read(one)) for one in PAPERS]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text(markdown(results, folder), encoding="utf-8")
    if asked.record:
        return 0
    (folder / "index.html").write_text(page(results, folder, share), encoding="utf-8")
    summary(results)
    for one in (told := departures(results)):
        sys.stdout.write(f"no longer comes out: {one}\n")
    sys.stdout.write(f"wrote {folder}/index.html\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
