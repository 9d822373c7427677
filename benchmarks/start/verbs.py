"""Processor time of `check`, `plan` and `estimate` on fifteen questions, as ratios to a floor.

``python benchmarks/start/verbs.py`` starts each verb in a process of its own, in turns with the
floor: a process that imports numpy and scipy's linear algebra and special functions,
and ends. Figures are medians of user and system time, children of the process included.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import askance as ak
from askance.study import invent_answers
from askance_collect.respond import draw_bounds, encode

ROOT = Path(__file__).parents[2]
SURVEY = ROOT / "examples" / "doping.toml"
PEOPLE = 800
FLOOR = "import numpy, scipy.special, scipy.linalg"


def write_reports(form: Path, reports: Path) -> None:
    """Write what invented people send, a report a line."""
    published = ak.publish(ak.load_survey(SURVEY))
    form.write_bytes(published.bytes)
    dice = Random(1)
    with reports.open("w", encoding="utf-8") as lines:
        for answers in invent_answers(published, people=PEOPLE).people:
            values = {}
            for question in published.questions:
                draws = tuple(dice.randrange(bound) for bound in draw_bounds(question))
                values[question.name] = encode(question, answers[question.name], draws)
            lines.write(json.dumps(values) + "\n")


def processor_seconds(command: list[str], folder: Path) -> float:
    """Run a command, and give the processor time that it took."""
    surroundings = os.environ | {"OMP_NUM_THREADS": "1", "COLUMNS": "100"}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, as where it is installed
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        cwd=folder,
        env=surroundings,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the medians and their ratios to the floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=5)
    passes = parser.parse_args().passes
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_reports(folder / "doping.form.json", folder / "doping.jsonl")
        (folder / "doping.toml").write_bytes(SURVEY.read_bytes())
        askance = [sys.executable, "-m", "askance"]
        commands = {
            "numpy and scipy": [sys.executable, "-c", FLOOR],
            "askance check": [*askance, "check", "doping.toml"],
            "askance plan": [*askance, "plan", "doping.toml"],
            "askance estimate": [*askance, "estimate", "doping.form.json", "doping.jsonl"],
        }
        seconds: dict[str, list[float]] = {title: [] for title in commands}
        for _ in range(passes):
            for title, command in commands.items():
                seconds[title].append(processor_seconds(command, folder))
    floor = median(seconds["numpy and scipy"])
    print(f"{'':20}{'s':>8}{'ratio':>8}   (processor time, medians of {passes})")
    for title, times in seconds.items():
        print(f"{title:20}{median(times):8.2f}{median(times) / floor:8.1f}")


if __name__ == "__main__":
    main()
