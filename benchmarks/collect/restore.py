"""How long a backup takes, and restoring it: both in one run, and how many times as long.

In seconds, and in those of the processor alone, which a neighbour on the machine changes less.

python benchmarks/collect/restore.py --reports 1000000
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from post import example_form
from store import fill

from askance_collect.collect import (
    Backup,
    back_up,
    check_backup,
    create_backup_key,
    open_store,
    restore,
)


def seconds(work: Callable[[], Backup]) -> tuple[float, float, Backup]:
    """Do it, and say how long it took: on the clock, and on the processor."""
    start, begun = time.perf_counter(), time.process_time()
    done = work()
    return time.perf_counter() - start, time.process_time() - begun, done


def compare(folder: Path, name: str, keys: list[str], identities: list[Path]) -> None:
    """Back up, check and restore; print how long each took."""
    store = open_store(folder / "exam.db", read_only=True)
    copy, again = folder / f"{name}.backup", folder / f"{name}.db"
    backed, worked, contents = seconds(lambda: back_up(store, copy, keys))
    store.close()
    checked, _, _ = seconds(lambda: check_backup(copy, identities))
    restored, busy, same = seconds(lambda: restore(copy, again, identities))
    assert same == contents
    print(
        f"{name:9}  {contents.reports:,} reports: backup {backed:.1f} s, check {checked:.1f} s, "
        f"restore {restored:.1f} s, {restored / backed:.1f} times the backup; of the processor "
        f"{worked:.1f} s and {busy:.1f} s, {busy / worked:.1f} times",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=200_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        store = open_store(Path(scratch, "exam.db"), example_form())
        fill(store, options.reports)
        store.close()
        public = create_backup_key(Path(scratch, "key"))
        compare(Path(scratch), "readable", [], [])
        compare(Path(scratch), "encrypted", [public], [Path(scratch, "key")])
