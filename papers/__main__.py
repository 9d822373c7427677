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
    FOLDER,
    JUDGED,
    PAPERS,
    VERDICTS,
    Claim,
    Exhibit,
    Paper,
    Row,
    Run,
    judge,
    make,
)

OUT = FOLDER.parent / "out" / "papers"
SHARE, PROCESSES = 0.2, 2
TITLE = "Three papers, made anew"
BLOCK = re.compile(r"(?m)^(?=\[\[)")
KEY = re.compile(r'(?m)^(number|label) = "(.*)"$')


@final
@dataclass(kw_only=True)
class Entry:
    """A figure or a table, and what a run made of it: rows, drawings, and what departs."""

    shown: Exhibit
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
            is_recorded = self.run and row.ours and row.label not in self.found
            yield (
                f"{row.label} (recorded)" if is_recorded else row.label,
                self._cells(row, ours, se),
            )

    def _cells(self, row: Row, ours: Sequence[float], se: Sequence[float]) -> list[str]:
        compared = self.shown.compared_with(row)
        if not ours:
            return [f"({_digits(pair[0])})" if pair else "" for pair in compared]
        near = self.shown.agreement(row, ours, se)
        return [
            _ours(value, spread)
            + ("" if theirs is None else f" ({_theirs(*theirs)}{'' if same else ' ≠'})")
            for value, spread, theirs, same in zip(ours, se, compared, near, strict=True)
        ]

    @property
    def scripts(self) -> list[str]:
        """Name the scripts that make it."""
        return sorted({f"{source.partition(':')[0]}.py" for source in self.shown.made})


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
    numbers = {exhibit.number for exhibit in paper.shown}
    entries = [
        Entry(shown=exhibit, claims=[pair for pair in judged if exhibit.number in pair[0].numbers])
        for exhibit in paper.shown
    ]
    others = [pair for pair in judged if not pair[0].numbers & numbers]
    return Results(paper=paper, entries=entries, others=others)


def remade(
    names: Sequence[str] = (), *, share: float = SHARE, data: Path | None = None, folder: Path = OUT
) -> list[Results]:
    """Run what the names name, all if there are none; a run of some judges no statements."""
    from rich.console import Console
    from rich.progress import Progress

    papers = [
        Paper.read(folder) for folder in PAPERS if not set(names) & set(PAPERS) or folder in names
    ]
    numbers = set(names) - set(PAPERS)
    context = multiprocessing.get_context("spawn")
    with (
        Progress(console=Console(stderr=True), transient=True) as bar,
        ProcessPoolExecutor(PROCESSES, mp_context=context) as pool,
    ):
        jobs: list[tuple[Paper, Exhibit | None, Future[Any]]] = []
        for paper in reversed(papers):
            for claimed in reversed(paper.shown):
                if not numbers or claimed.number in numbers:
                    run = Run(folder=folder / paper.folder, shown=claimed, share=share, data=data)
                    jobs += [
                        (paper, claimed, pool.submit(make, source, run)) for source in claimed.made
                    ]
            if not numbers:
                jobs.append((paper, None, pool.submit(judge, paper.folder)))
        task = bar.add_task("papers", total=len(jobs))
        for _, _, job in jobs:
            job.add_done_callback(lambda _: bar.advance(task))
        results_of_jobs = [(paper.folder, exhibit, job.result()) for paper, exhibit, job in jobs]
    return [
        _filled(
            paper, [result[1:] for result in results_of_jobs if result[0] == paper.folder], share
        )
        for paper in papers
    ]


def _filled(
    paper: Paper, results_of_jobs: Iterable[tuple[Exhibit | None, Any]], share: float
) -> Results:
    outcomes = list(results_of_jobs)
    are_held = next(
        (outcome for exhibit, outcome in outcomes if exhibit is None), [True] * len(paper.claims)
    )
    results = _gathered(paper, list(zip(paper.claims, are_held, strict=True)))
    for entry in results.entries:
        entry.run = True
        for exhibit, outcome in outcomes:
            if exhibit is not None and exhibit.number == entry.shown.number:
                entry.found |= outcome[0]
                entry.drawn += outcome[1]
        entry.departs = entry.shown.changed(entry.found, share)
    return results


def departures(results: Sequence[Results]) -> list[str]:
    """Name what does not come out as the claims files say."""
    lines = []
    for result in results:
        for entry in result.entries:
            lines += [
                f"{result.paper.folder}, {entry.shown.number}: {row}" for row in entry.departs
            ]
        pairs = [*result.others, *(pair for entry in result.entries for pair in entry.claims)]
        lines += [
            f"{result.paper.folder}, {claim.place}: {claim.says}"
            for claim, is_held in pairs
            if not is_held
        ]
    return list(dict.fromkeys(lines))


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
    for result in results:
        for entry in result.entries:
            row = (
                result.paper.by,
                f"{entry.shown.number}: {entry.shown.says}",
                entry.shown.verdict,
            )
            lines.append(_line(row))
    for result in results:
        lines += ["", f"## {result.paper.by}", "", f"*{result.paper.title}*"]
        for entry in result.entries:
            lines += ["", *_entry(result.paper, entry, home)]
        lines += ["", "### Other statements", "", *_statements(result.others)]
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
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _entry(paper: Paper, entry: Entry, home: Path) -> Iterator[str]:
    exhibit, folder = entry.shown, os.path.relpath(FOLDER / paper.folder, home)
    scripts = ", ".join(f"[{script}]({folder}/{script})" for script in entry.scripts)
    yield f"### {exhibit.number}: {exhibit.says}"
    yield ""
    yield f"**{exhibit.verdict.capitalize()}.** {exhibit.why} Made by {scripts}."
    picture = home / paper.folder / f"{exhibit.name}.svg"
    if picture.exists():
        yield ""
        yield f"![{exhibit.number}]({paper.folder}/{picture.name})"
    if exhibit.row:
        yield ""
        yield _line(["", *exhibit.columns])
        yield "|---" * (len(exhibit.columns) + 1) + "|"
        yield from (_line([label, *cells]) for label, cells in entry.rows())
    if entry.claims:
        yield ""
        yield from _statements(entry.claims)


def _statements(claims: Iterable[tuple[Claim, bool]]) -> Iterator[str]:
    yield "| | statement | printed | ours | verdict |"
    yield "|---|---|---|---|---|"
    for claim, is_held in claims:
        verdict = claim.verdict if is_held else f"{claim.verdict}, but it no longer comes out"
        yield _line([claim.place, claim.says, claim.theirs, f"`{claim.ours}`", verdict])


def page(results: Sequence[Results], folder: Path, share: float) -> str:
    """Write the page of results."""
    from askance.present.page_sheet import render_template

    return render_template(
        str(FOLDER / "results-page.html"),
        sheet=str(FOLDER / "results-page.css"),
        title=TITLE,
        language="en",
        results=results,
        departures=departures(results),
        share=share,
        verdicts=VERDICTS,
        judged=JUDGED,
        scripts=os.path.relpath(FOLDER, folder),
    )


def record(results: Sequence[Results]) -> None:
    """Write what a run gave into the rows of the claims files."""
    for result in results:
        path = FOLDER / result.paper.folder / "claims.toml"
        blocks, number = BLOCK.split(path.read_text(encoding="utf-8")), ""
        entries = {entry.shown.number: entry for entry in result.entries}
        for index, block in enumerate(blocks):
            named = dict(KEY.findall(block))
            number = named.get("number", number)
            if "label" in named and named["label"] in entries[number].found:
                blocks[index] = _recorded(block, entries[number], named["label"])
        path.write_text("".join(blocks), encoding="utf-8")


def _recorded(block: str, entry: Entry, label: str) -> str:
    ours, se = entry.found[label]
    (row,) = (row for row in entry.shown.row if row.label == label)
    old = ("ours", "our_se", "verdict")
    lines = [line for line in block.rstrip().splitlines() if not line.startswith(old)]
    recorded_lines = [
        f"ours = {[round(x, 4) for x in ours]}",
        f"our_se = {[round(x, 4) for x in se]}",
    ]
    if verdict := entry.shown.judged(row, ours, se):
        recorded_lines.append(f'verdict = "{verdict}"')
    return "\n".join([*lines, *recorded_lines]) + "\n\n"


def summary(results: Sequence[Results]) -> None:
    """Show the verdicts in the terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table("", "", "verdict")
    for result in results:
        for entry in result.entries:
            table.add_row(result.paper.by, entry.shown.number, entry.shown.verdict)
    Console().print(table)


def main(words: Sequence[str] | None = None) -> int:
    """Run, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--full", action="store_true", help="at the printed sizes")
    parser.add_argument("--data", type=Path, help="the WHO's life expectancies, a CSV file")
    parser.add_argument("--folder", type=Path, default=OUT)
    parser.add_argument("--record", action="store_true", help="at the printed sizes, to be kept")
    options = parser.parse_args(words)
    numbers = {exhibit.number for folder in PAPERS for exhibit in Paper.read(folder).shown}
    for name in options.names:
        if name not in {*PAPERS, *numbers}:
            parser.error(
                f"no paper, figure or table is named {name!r}; such as {PAPERS[0]}, Table II"
            )
    if options.data and not options.data.is_file():
        parser.error(f"--data: there is no file {options.data}")
    share = 1.0 if options.full or options.record else SHARE
    folder = FOLDER if options.record else options.folder
    results = remade(options.names, share=share, data=options.data, folder=folder)
    if options.record:
        record(results)
        results = [recorded(Paper.read(folder)) for folder in PAPERS]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text(markdown(results, folder), encoding="utf-8")
    if options.record:
        return 0
    (folder / "index.html").write_text(page(results, folder, share), encoding="utf-8")
    summary(results)
    for departure in (departed := departures(results)):
        sys.stdout.write(f"no longer comes out: {departure}\n")
    sys.stdout.write(f"wrote {folder}/index.html\n")
    return 1 if departed else 0


if __name__ == "__main__":
    sys.exit(main())
