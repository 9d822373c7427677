"""Play histories of a simulated collector: `make simulate`, for MINUTES.

python tools/simulate.py                      for an hour, from the first seed on
python tools/simulate.py --minutes 5 --first 1000000 --workers 2
python tools/simulate.py --histories 100      so many, however long it takes
python tools/simulate.py --seed 7             play one again, and print its trace
python tools/simulate.py --seed 7 --defect early
python tools/simulate.py --defects            play with each planted defect until it is found
python tools/simulate.py --defects --write    and write the table into its page
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
FAULT_TESTS = ROOT / "tests/faults"
PAGE = ROOT / "docs/explanation/simulated-faults.md"
BEGIN, END = "<!-- planted defects -->\n", "<!-- end -->\n"
NEAR = 200
"""So many are played from a seed on that found a defect: another SQLite draws another history."""
HISTORIES = 100_000
"""So many are played with each planted defect at most: what the goal for an hour is."""


def machine():
    """Give the machine whose disk this process has preloaded."""
    sys.path.insert(0, str(FAULT_TESTS))
    import lab

    return lab.Machine(Path(os.environ["LD_PRELOAD"]), Path(os.environ["FAULTS_FOLDER"]).parent)


def work(options):
    """Play seeds, and print what came of each as JSON, a line each."""
    from contextlib import nullcontext

    disk = machine()
    import defects
    import simulation

    if options.known:
        find_known(options, disk)
        return
    if options.list:
        print(json.dumps({name: defect.words for name, defect in defects.DEFECTS.items()}))
        return
    begun = time.monotonic()
    seed, played = options.first, 0
    with defects.DEFECTS[options.defect].planted(disk) if options.defect else nullcontext():
        while True:
            before = time.process_time()
            run = simulation.simulate(seed, disk)
            played += 1
            line = {"seed": seed, "wrong": run.wrong, "digest": run.digest}
            line["seconds"] = time.process_time() - before
            print(json.dumps(line | ({"trace": run.trace} if options.trace else {})), flush=True)
            seed += options.step
            if options.histories and played >= options.histories:
                break
            if options.minutes and time.monotonic() - begun >= 60 * options.minutes:
                break
            if run.wrong and options.defect and not run.broken:
                break


def find_known(options, disk):
    """Play each defect from the seed on that the table has, and print what came of the last."""
    import defects
    import simulation

    for name, first in json.loads(options.known).items():
        with defects.DEFECTS[name].planted(disk):
            for seed in range(first, first + NEAR):
                run = simulation.simulate(seed, disk)
                if run.wrong and not run.broken:
                    break
        wrong = "" if run.broken else run.wrong
        print(json.dumps({"defect": name, "seed": seed, "wrong": wrong}), flush=True)


class Worker:
    """A process on a machine of its own that plays every so-manieth seed."""

    def __init__(self, library, *words):
        shared = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 a disk in memory
        self.scratch = tempfile.TemporaryDirectory(prefix="askance-world-", dir=shared)
        folder = Path(self.scratch.name)
        (folder / "disk").mkdir()
        (folder / "journal").touch()
        (folder / "control").write_bytes(bytes(4096))
        settings = {
            "LD_PRELOAD": str(library),
            "FAULTS_FOLDER": str((folder / "disk").resolve()),
            "FAULTS_CONTROL": str(folder / "control"),
            "FAULTS_JOURNAL": str(folder / "journal"),
            "FAULTS_WITHOUT_SLEEP": "1",
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
        }
        command = [sys.executable, __file__, "--work", *words]
        self.process = subprocess.Popen(  # noqa: S603 our own words
            command, env=os.environ | settings, stdout=subprocess.PIPE, text=True
        )

    def lines(self):
        """Give what it says, a history each."""
        for line in self.process.stdout:
            yield json.loads(line)
        self.process.wait()
        self.scratch.cleanup()
        if self.process.returncode:
            sys.exit(f"a worker ended with {self.process.returncode}")


def compiled(folder):
    """Compile the disk that fails."""
    library = Path(folder) / "disk.so"
    command = [
        "gcc",
        "-O2",
        "-shared",
        "-fPIC",
        "-o",
        str(library),
        str(FAULT_TESTS / "disk.c"),
        "-ldl",
    ]
    subprocess.run(command, check=True)  # noqa: S603 our own words
    return library


def play_again(options, library):
    """Play one seed, print all that happened, and say whether something was wrong."""
    words = ["--first", str(options.seed), "--histories", "1", "--trace"]
    words += ["--defect", options.defect] if options.defect else []
    (run,) = Worker(library, *words).lines()
    sys.stdout.write(run["trace"])
    print(f"SHA-256 of the trace: {run['digest']}")
    return bool(run["wrong"])


def play(options, library):
    """Play seeds until the time is over, and say whether something was wrong with any."""
    begun, runs = time.monotonic(), []
    words = ["--step", str(options.workers), "--minutes", str(options.minutes)]
    words += ["--defect", options.defect] if options.defect else []
    workers = [
        Worker(library, *words, "--first", str(options.first + i), "--histories", str(many))
        for i, many in enumerate(_shared(options.histories, options.workers))
    ]
    with ThreadPoolExecutor(options.workers) as threads:
        for lines in threads.map(
            lambda worker: list(_told_at_once(worker, options.defect)), workers
        ):
            runs += lines
    runs.sort(key=lambda run: run["seed"])
    seconds = time.monotonic() - begun
    wrong = [run for run in runs if run["wrong"]]
    busy = sum(run["seconds"] for run in runs)
    digest = hashlib.sha256("".join(run["digest"] for run in runs).encode()).hexdigest()
    hourly, per_core = 3600 * len(runs) / seconds, 3600 * len(runs) / busy
    print(
        f"{len(runs):,} histories in {seconds:,.0f} s: {hourly:,.0f} an hour with"
        f" {options.workers} processes; {1000 * busy / len(runs):.0f} ms of processor time each,"
        f" so {per_core:,.0f} an hour of one core, and {options.workers * per_core:,.0f} an hour on"
        " as many idle cores"
    )
    print(f"{len(wrong)} wrong; SHA-256 over all traces: {digest}")
    return bool(wrong)


def _shared(histories, workers):
    """Share histories out; 0 for any number."""
    return [len(range(i, histories, workers)) if histories else 0 for i in range(workers)]


def _told_at_once(worker, defect):
    """Give what a worker says; what is wrong is printed at once."""
    for run in worker.lines():
        if run["wrong"]:
            print(f"seed {run['seed']}: {run['wrong']}", flush=True)
            planted = f" --defect {defect}" if defect else ""
            print(f"  python tools/simulate.py --seed {run['seed']}{planted}", flush=True)
            print(f"  SHA-256 of its trace: {run['digest']}", flush=True)
        yield run


def find(options, library):
    """Play each planted defect until it is found, and print the table."""
    names = list_defects(library)
    with ThreadPoolExecutor(options.workers) as threads:
        runs = list(threads.map(lambda name: _find_defect(library, name, options.histories), names))
    lines = [
        "| defect | planted as | found by | what was wrong |",
        "|---|---|---|---|",
        *(
            f"| {words} | `{name}` | seed {run['seed']} | {run['wrong'].partition(':')[0]} |"
            if run["wrong"]
            else f"| {words} | `{name}` | **not found** | |"
            for (name, words), run in zip(names.items(), runs, strict=True)
        ),
    ]
    print("\n".join(lines))
    missed = sum(not run["wrong"] for run in runs)
    last = max(run["seed"] for run in runs) + 1
    print(f"\n{len(runs) - missed} of {len(runs)} found; each within {last:,} histories")
    if options.write:
        text = PAGE.read_text("utf-8")
        head, rest = text.split(BEGIN)
        PAGE.write_text(head + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1], "utf-8")
    return bool(missed)


def _find_defect(library, name, histories):
    """Give what came of the last history that was played with a defect: the first that is wrong."""
    words = ["--defect", name, "--histories", str(histories or HISTORIES)]
    *_, last = Worker(library, *words).lines()
    return last


def check(library):
    """Find each planted defect again where the table has it, and say whether one was missed."""
    rows = re.findall(r"^\| .* \| `(.+)` \| seed (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    seeds = {name: int(seed) for name, seed in rows}
    if list(seeds) != list(list_defects(library)):
        sys.exit("the page has other defects: python tools/simulate.py --defects --write")
    runs = list(Worker(library, "--known", json.dumps(seeds)).lines())
    for run in runs:
        print(f"{run['defect']}: seed {run['seed']}: {run['wrong'] or 'NOT FOUND'}")
    return not all(run["wrong"] for run in runs)


def list_defects(library):
    """Give the defects, in words, by their names."""
    (listing,) = Worker(library, "--list").lines()
    return listing


def main():
    """Do what is asked."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--seed", type=int, help="play this one again, and print its trace")
    reader.add_argument("--minutes", type=float, default=0, help="for so long")
    reader.add_argument("--histories", type=int, default=0, help="so many")
    reader.add_argument("--first", type=int, default=0, help="the first seed")
    reader.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes at once"
    )
    reader.add_argument("--defect", default="", help="plant this defect")
    reader.add_argument("--defects", action="store_true", help="find every planted defect")
    reader.add_argument("--check", action="store_true", help="find them where the page says so")
    reader.add_argument("--write", action="store_true", help="write their table into its page")
    for name in ("--work", "--trace", "--list"):
        reader.add_argument(name, action="store_true", help=argparse.SUPPRESS)
    reader.add_argument("--known", default="", help=argparse.SUPPRESS)
    reader.add_argument("--step", type=int, default=1, help=argparse.SUPPRESS)
    options = reader.parse_args()
    if options.work:
        return work(options)
    if not options.histories and not options.minutes:
        options.minutes = 60
    with tempfile.TemporaryDirectory(prefix="askance-disk-") as folder:
        library = compiled(folder)
        if options.seed is not None:
            return play_again(options, library)
        if options.check:
            return check(library)
        return find(options, library) if options.defects else play(options, library)


if __name__ == "__main__":
    sys.exit(main())
