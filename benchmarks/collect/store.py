"""What the sums of a store cost, and how exports grow: each as a ratio within one run.

python benchmarks/collect/store.py --reports 200000
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from post import example_form

from askance_collect.collect import sqlite
from askance_collect.collect.accept import Accepted, Store
from askance_collect.collect.export import export_csv
from askance_collect.collect.report_sums import Sums
from askance_collect.collect.store import open_store
from askance_collect.wire.form import Form


def reports(number: int) -> list[Accepted]:
    rates = []
    for _ in range(number):
        cut = random.randrange(1, 53)
        answers = ",".join(f'"question_{i}":{random.randrange(2)}' for i in range(4))
        cell = random.choice([f"[0,{cut}]", f"[{cut},53]"])
        rates.append(Accepted(random.randbytes(16), f'{{"age":{cell},{answers}}}'))
    return rates


def fill(store: Store, number: int) -> None:
    for _ in range(number // 10_000):
        store.append(reports(10_000))


def processor(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def appending(form: Form, folder: Path, batch: int) -> tuple[float, float]:
    """Give the processor time of a report with sums and without, in batches of one size."""
    spent = [0.0, 0.0]
    with patch.object(sqlite, "sums", return_value=Sums()):
        bare = open_store(folder / "bare.db", form)
    summed = open_store(folder / "summed.db", form)
    for _ in range(200):
        came = reports(batch)
        spent[0] += processor(lambda came=came: summed.append(came))
        with patch.object(sqlite, "sums", return_value=Sums()):
            spent[1] += processor(lambda came=came: bare.append(came))
    for store in (summed, bare):
        store.close()
    for path in folder.iterdir():
        path.unlink()
    return spent[0] / (200 * batch), spent[1] / (200 * batch)


def exported(path: str) -> None:
    """Export in a process of its own; print seconds and its peak memory."""
    store = open_store(path, read_only=True)
    form = Form.read(store.form())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    export_csv(store, form, f"{path}.csv")
    spent = time.perf_counter() - start
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"{spent:.1f} s, {grown / 1024:.0f} MB more", flush=True)


def reading(form: Form, folder: Path, number: int) -> None:
    path = folder / "many.db"
    store = open_store(path, form)
    fill(store, number)
    names = [question.name for question in form.questions]
    bare = processor(lambda: sum(1 for _ in store.connection.execute("SELECT * FROM reports")))
    for name, work in (
        ("read and check", lambda: sum(1 for _ in store.reports())),
        ("count and check", lambda: store.counts(names)),
    ):
        spent = processor(work)
        print(
            f"  {name:16} {1e6 * spent / number:5.2f} µs a report, {spent / bare:.1f} bare readings"
        )
    store.close()
    spent = processor(lambda: open_store(path, form).close())
    print(f"  open to write    {1e6 * spent / number:5.2f} µs a report, {spent / bare:.1f}")
    done = subprocess.run(
        [sys.executable, __file__, "--export", path], check=True, stdout=subprocess.PIPE, text=True
    )
    print(f"  export           {done.stdout.strip()}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=200_000)
    parser.add_argument("--export", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.export:
        exported(options.export)
        sys.exit()
    example = example_form()
    with tempfile.TemporaryDirectory() as scratch:
        for size in (1, 32, 512):
            summed, bare = appending(example, Path(scratch), size)
            print(
                f"batches of {size}: {1e6 * summed:.0f} µs a report with sums,"
                f" {summed / bare:.2f} times as without"
            )
        for count in (options.reports // 10, options.reports):
            print(f"{count:,} reports")
            reading(example, Path(scratch), count)
            for entry in Path(scratch).iterdir():
                entry.unlink()
