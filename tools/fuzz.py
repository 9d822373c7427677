"""Try what nobody would send: `make fuzz`, for CASES cases or for MINUTES, and print a table.

Every target has its driver in tests/fuzz: it makes cases and judges them. Most cases come from its
own generator; the others from Atheris, which keeps what reaches a branch for the first time and
changes it further. What is found is written to out/fuzz; mend it, and keep the case as a test.

    python tools/fuzz.py run CASES MINUTES   both may be empty
    python tools/fuzz.py again FILE …        judge cases that were found
    python tools/fuzz.py keep                write a new small corpus from what Atheris kept
"""

import contextlib
import faulthandler
import hashlib
import importlib
import json
import os
import re
import secrets
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
FUZZ_TESTS, FINDINGS = ROOT / "tests/fuzz", ROOT / "out/fuzz"
SHARES = {"reports": 0.6, "forms": 0.22, "connections": 0.14, "surveys": 0.04}
"""What part of all cases a target gets: dear ones get fewer."""

CASES = 10_000_000
_GUIDED = 0.05
_BATCH = 500
_STUCK = 900  # seconds that a batch may take
_MOST_FOUND = 50
_KEPT_BYTES = 60_000
_LONGEST = 4096
_MOST_RUNS = 2**31 - 1  # libFuzzer counts in 32 bits
_QUICK = 0.1  # seconds that a kept case may take
_DONE = re.compile(r"stat::number_of_executed_units: *(\d+)")


def driver(target):
    """Import the driver of a target."""
    sys.path.append(str(FUZZ_TESTS))
    return importlib.import_module(target)


def corpus(target):
    """Read the small corpus that is kept: one case a line, a character for each byte."""
    lines = (FUZZ_TESTS / f"corpus/{target}.jsonl").read_text("ascii").splitlines()
    return [json.loads(line).encode("latin-1") for line in lines]


def note(target, case, wrong):
    """Write a case that is wrong to a file, and what is wrong with it beside."""
    name = FINDINGS / f"{target}-{hashlib.sha256(case).hexdigest()[:12]}"
    if len(list(FINDINGS.glob(f"{target}-*.case"))) < _MOST_FOUND:
        name.with_suffix(".case").write_bytes(case)
        name.with_suffix(".txt").write_text(f"{wrong}\n", encoding="utf-8", errors="replace")


def generate_cases(target, cases, seconds, seed):
    """Judge cases of the driver's own making; say how many were taken in and what is wrong."""
    tried, wrongs, target_driver, dice = 0, [], driver(target), Random(seed)  # noqa: S311 cases
    end = time.monotonic() + seconds
    while tried < cases and time.monotonic() < end:
        faulthandler.dump_traceback_later(_STUCK, exit=True, file=sys.__stderr__)
        batch = [target_driver.vary(dice) for _ in range(min(_BATCH, cases - tried))]
        verdicts = target_driver.judge(batch)
        for case, wrong in zip(batch, verdicts, strict=True):
            if wrong:
                note(target, case, wrong)
                wrongs.append(wrong)
        tried += len(batch)
    faulthandler.cancel_dump_traceback_later()
    return tried, target_driver.TALLY["taken in"], wrongs


def guided(target, cases, seconds, seed):
    """Judge cases that Atheris makes out of those that reached something new; never returns."""
    import atheris

    with atheris.instrument_imports(include=["askance"]):
        target_driver = driver(target)
    folder = FINDINGS / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    for case in (*target_driver.seeds(), *corpus(target)):
        (folder / hashlib.sha256(case).hexdigest()).write_bytes(case)

    def tried(case):
        if wrong := target_driver.judge([case])[0]:
            note(target, case, wrong)
            print(json.dumps({"wrong": wrong}), flush=True)

    def otherwise(case, most, seed):
        dice = Random(seed)  # noqa: S311 cases
        return (
            target_driver.vary(dice)[:most] if dice.random() < 0.3 else atheris.Mutate(case, most)
        )

    limits = [
        f"-runs={min(cases, _MOST_RUNS)}",
        f"-artifact_prefix={FINDINGS}/",
        f"-max_total_time={int(seconds)}",
        f"-max_len={_LONGEST}",
    ]
    arguments = [*limits, f"-seed={seed}", "-print_final_stats=1", "-timeout=120", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *arguments, str(folder)], tried, custom_mutator=otherwise)
    atheris.Fuzz()


def part(target, mode, cases, seconds, seed):
    """Do one part of the work in a process of its own, which may die of what it finds."""
    command = [sys.executable, __file__, mode, target, str(cases), str(seconds), str(seed)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    records = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    wrongs = [record["wrong"] for record in records if "wrong" in record]
    if mode == "made" and records:
        return records[-1]["cases"], records[-1]["taken"], records[-1]["wrongs"]
    units = _DONE.search(ended.stderr)
    if units:
        return int(units[1]), None, wrongs
    (FINDINGS / f"{target}-{mode}.log").write_text(ended.stdout + ended.stderr, encoding="utf-8")
    return 0, None, [*wrongs, f"ended with {ended.returncode}: see {target}-{mode}.log in out/fuzz"]


def run(cases="", minutes=""):
    """Fuzz every target, two processes at a time; give how much there is to mend."""
    FINDINGS.mkdir(parents=True, exist_ok=True)
    limit = float(minutes) * 60 if minutes else 1e9
    total = int(float(cases)) if cases else CASES if not minutes else 10**12
    lanes = min(2, os.cpu_count() or 1)
    parts = []
    for target, share in SHARES.items():
        for mode, piece in (("made", 1 - _GUIDED), ("guided", _GUIDED)):
            seconds = min(limit * lanes / len(SHARES) * (piece if minutes else 1), 1e6)
            parts.append((target, mode, int(total * share * piece), seconds, secrets.randbits(31)))

    def ended(process):
        end = part(*process)
        print(
            f"{process[0]}, {process[1]}: {end[0]:,} cases, {len(end[2])} findings", file=sys.stderr
        )
        return end

    print(f"{total:,} cases in {len(parts)} parts, {lanes} at a time", file=sys.stderr)
    with ThreadPoolExecutor(lanes) as pool:
        done = list(pool.map(ended, parts))
    return table(parts, done)


def table(parts, done):
    """Print what was tried and found of each target; give how many findings there are."""
    print(
        f"{'target':<12}{'cases':>12}{'guided':>11}{'taken in':>10}{'corpus':>8}{'new':>7}", end=""
    )
    print(f"{'found':>7}{'differences':>13}")
    sums = [0, 0]
    for target in SHARES:
        own = {
            part_key[1]: end
            for part_key, end in zip(parts, done, strict=True)
            if part_key[0] == target
        }
        (plain, tried_cases, wrongs), (led, _, others) = own["made"], own["guided"]
        differ = sum(wrong.startswith("DIFFERENCE") for wrong in (*wrongs, *others))
        failures = len(wrongs) + len(others) - differ
        seeds, grown = len(corpus(target)), len(list((FINDINGS / "corpus" / target).glob("*")))
        share = f"{(tried_cases or 0) / max(plain, 1):.1%}"
        print(f"{target:<12}{plain + led:>12,}{led:>11,}{share:>10}{seeds:>8}{grown:>7}", end="")
        print(f"{failures:>7}{differ if target == 'forms' else '':>13}")
        sums = [sums[0] + plain + led, sums[1] + failures + differ]
    print(f"{'together':<12}{sums[0]:>12,}")
    if sums[1]:
        print(f"{sums[1]} findings; the cases are in {FINDINGS.relative_to(ROOT)}")
    return sums[1]


def again(*files):
    """Judge cases that were found before."""
    wrong = 0
    for name in files:
        verdict = driver(Path(name).name.split("-")[0]).judge([Path(name).read_bytes()])[0]
        print(f"{name}: {verdict or 'nothing is wrong'}")
        wrong += bool(verdict)
    return wrong


def keep():
    """Write a small corpus from what Atheris kept: quick cases, the shortest first."""
    for target in SHARES:
        target_driver = driver(target)

        def quick(case, tried_case=target_driver):
            started = time.process_time()
            tried_case.judge([case])
            return time.process_time() - started < _QUICK

        cases = {path.read_bytes() for path in (FINDINGS / "corpus" / target).glob("*")}
        lines, size = [], 0
        for case in sorted(filter(quick, cases), key=lambda case: (len(case), case)):
            lines.append(json.dumps(case.decode("latin-1")))
            size += len(lines[-1]) + 1
            if size > _KEPT_BYTES:
                lines.pop()
                break
        (FUZZ_TESTS / f"corpus/{target}.jsonl").write_text(
            "\n".join([*lines, ""]), encoding="ascii"
        )
        print(f"{target}: {len(lines)} of {len(cases)} cases")
    return 0


def main(mode="run", *arguments):
    """Do what is asked; what was found is the exit status."""
    if mode in ("made", "guided"):
        target, cases, seconds, seed = arguments
        tried = {"made": generate_cases, "guided": guided}[mode]
        summary = tried(target, int(cases), float(seconds), int(seed))
        print(json.dumps(dict(zip(("cases", "taken", "wrongs"), summary, strict=True))))
        return 0
    return min({"run": run, "again": again, "keep": keep}[mode](*arguments), 1)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(*sys.argv[1:]))
