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
HERE = ROOT / "tests/faults"
PAGE = ROOT / "docs/explanation/simulated-faults.md"
BEGIN, END = "<!-- planted defects -->\n", "<!-- end -->\n"
NEAR = 200
"""So many are played from a seed on that found a defect: another SQLite draws another history."""
HISTORIES = 100_000
"""So many are played with each planted defect at most: what the goal for an hour is."""


def machine():
    """Give the machine whose disk this process has preloaded."""
    sys.path.insert(0, str(HERE))
    import lab

    return lab.Machine(Path(os.environ["LD_PRELOAD"]), Path(os.environ["FAULTS_FOLDER"]).parent)


def work(asked):
    """Play seeds, and print what came of each as JSON, a line each."""
    from contextlib import nullcontext

    disk = machine()
    import defects
    import simulation

    if asked.known:
        find_known(asked, disk)
        return
    if asked.list:
        print(json.dumps({name: one.words for name, one in defects.DEFECTS.items()}))
        return
    begun = time.monotonic()
    seed, played = asked.first, 0
    with defects.DEFECTS[asked.defect].planted(disk) if asked.defect else nullcontext():
        while True:
            before = time.process_time()
            told = simulation.simulate(seed, disk)
            played += 1
            line = {"seed": seed, "wrong": told.wrong, "digest": told.digest}
            line["seconds"] = time.process_time() - before
            print(json.dumps(line | ({"trace": told.trace} if asked.trace else {})), flush=True)
            seed += asked.step
            if asked.histories and played >= asked.histories:
                break
            if asked.minutes and time.monotonic() - begun >= 60 * asked.minutes:
                break
            if told.wrong and asked.defect and not told.broken:
                break


def find_known(asked, disk):
    """Play each defect from the seed on that the table has, and print what came of the last."""
    import defects
    import simulation

    for name, first in json.loads(asked.known).items():
        with defects.DEFECTS[name].planted(disk):
            for seed in range(first, first + NEAR):
                told = simulation.simulate(seed, disk)
                if told.wrong and not told.broken:
                    break
        wrong = "" if told.broken else told.wrong
        print(json.dumps({"defect": name, "seed": seed, "wrong": wrong}), flush=True)


class Worker:
    """A process on a machine of its own that plays every so-manieth seed."""

    def __init__(self, library, *words):
        shared = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 a disk in memory
        self.place = tempfile.TemporaryDirectory(prefix="askance-world-", dir=shared)
        place = Path(self.place.name)
        (place / "disk").mkdir()
        (place / "journal").touch()
        (place / "control").write_bytes(bytes(4096))
        settings = {
            "LD_PRELOAD": str(library),
            "FAULTS_FOLDER": str((place / "disk").resolve()),
            "FAULTS_CONTROL": str(place / "control"),
            "FAULTS_JOURNAL": str(place / "journal"),
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
        self.place.cleanup()
        if self.process.returncode:
            sys.exit(f"a worker ended with {self.process.returncode}")


def compiled(folder):
    """Compile the disk that fails."""
    made = Path(folder) / "disk.so"
    command = ["gcc", "-O2", "-shared", "-fPIC", "-o", str(made), str(HERE / "disk.c"), "-ldl"]
    subprocess.run(command, check=True)  # noqa: S603 our own words
    return made


def play_again(asked, library):
    """Play one seed, print all that happened, and say whether something was wrong."""
    words = ["--first", str(asked.seed), "--histories", "1", "--trace"]
    words += ["--defect", asked.defect] if asked.defect else []
    (told,) = Worker(library, *words).lines()
    sys.stdout.write(told["trace"])
    print(f"SHA-256 of the trace: {told['digest']}")
    return bool(told["wrong"])


def play(asked, library):
    """Play seeds until the time is over, and say whether something was wrong with any."""
    begun, told = time.monotonic(), []
    words = ["--step", str(asked.workers), "--minutes", str(asked.minutes)]
    words += ["--defect", asked.defect] if asked.defect else []
    workers = [
        Worker(library, *words, "--first", str(asked.first + at), "--histories", str(many))
        for at, many in enumerate(_shared(asked.histories, asked.workers))
    ]
    with ThreadPoolExecutor(asked.workers) as threads:
        for lines in threads.map(lambda worker: list(_told_at_once(worker, asked.defect)), workers):
            told += lines
    told.sort(key=lambda one: one["seed"])
    taken = time.monotonic() - begun
    wrong = [one for one in told if one["wrong"]]
    busy = sum(one["seconds"] for one in told)
    digest = hashlib.sha256("".join(one["digest"] for one in told).encode()).hexdigest()
    per_core = 3600 * len(told) / busy
    print(
        f"{len(told):,} histories in {taken:,.0f} s: {3600 * len(told) / taken:,.0f} an hour with"
        f" {asked.workers} processes; {1000 * busy / len(told):.0f} ms of processor time each,"
        f" so {per_core:,.0f} an hour of one core, and {asked.workers * per_core:,.0f} an hour on"
        " as many idle cores"
    )
    print(f"{len(wrong)} wrong; SHA-256 over all traces: {digest}")
    return bool(wrong)


def _shared(histories, workers):
    """Share histories out; 0 for any number."""
    return [len(range(at, histories, workers)) if histories else 0 for at in range(workers)]


def _told_at_once(worker, defect):
    """Give what a worker says; what is wrong is printed at once."""
    for told in worker.lines():
        if told["wrong"]:
            print(f"seed {told['seed']}: {told['wrong']}", flush=True)
            planted = f" --defect {defect}" if defect else ""
            print(f"  python tools/simulate.py --seed {told['seed']}{planted}", flush=True)
            print(f"  SHA-256 of its trace: {told['digest']}", flush=True)
        yield told


def find(asked, library):
    """Play each planted defect until it is found, and print the table."""
    names = list_defects(library)
    with ThreadPoolExecutor(asked.workers) as threads:
        found = list(threads.map(lambda name: _found(library, name, asked.histories), names))
    lines = [
        "| defect | planted as | found by | what was wrong |",
        "|---|---|---|---|",
        *(
            f"| {words} | `{name}` | seed {told['seed']} | {told['wrong'].partition(':')[0]} |"
            if told["wrong"]
            else f"| {words} | `{name}` | **not found** | |"
            for (name, words), told in zip(names.items(), found, strict=True)
        ),
    ]
    print("\n".join(lines))
    missed = sum(not told["wrong"] for told in found)
    last = max(told["seed"] for told in found) + 1
    print(f"\n{len(found) - missed} of {len(found)} found; each within {last:,} histories")
    if asked.write:
        text = PAGE.read_text("utf-8")
        head, rest = text.split(BEGIN)
        PAGE.write_text(head + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1], "utf-8")
    return bool(missed)


def _found(library, name, histories):
    """Give what came of the last history that was played with a defect: the first that is wrong."""
    words = ["--defect", name, "--histories", str(histories or HISTORIES)]
    *_, last = Worker(library, *words).lines()
    return last


def check(library):
    """Find each planted defect again where the table has it, and say whether one was missed."""
    rows = re.findall(r"^\| .* \| `(.+)` \| seed (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    known = {name: int(seed) for name, seed in rows}
    if list(known) != list(list_defects(library)):
        sys.exit("the page has other defects: python tools/simulate.py --defects --write")
    found = list(Worker(library, "--known", json.dumps(known)).lines())
    for told in found:
        print(f"{told['defect']}: seed {told['seed']}: {told['wrong'] or 'NOT FOUND'}")
    return not all(told["wrong"] for told in found)


def list_defects(library):
    """Give the defects, in words, by their names."""
    (told,) = Worker(library, "--list").lines()
    return told


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
    asked = reader.parse_args()
    if asked.work:
        return work(asked)
    if not asked.histories and not asked.minutes:
        asked.minutes = 60
    with tempfile.TemporaryDirectory(prefix="askance-disk-") as folder:
        library = compiled(folder)
        if asked.seed is not None:
            return play_again(asked, library)
        if asked.check:
            return check(library)
        return find(asked, library) if asked.defects else play(asked, library)


if __name__ == "__main__":
    sys.exit(main())
