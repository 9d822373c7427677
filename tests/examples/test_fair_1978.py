"""The example data are the public ones, byte for byte, and say what the note says."""

import csv
import importlib.util
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_made_again_the_files_have_the_same_bytes() -> None:
    spec = importlib.util.spec_from_file_location("maker", EXAMPLES / "make_fair_1978.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert maker.fair_1978() == (EXAMPLES / "fair-1978.csv").read_bytes()
    assert maker.affairs_answers() == (EXAMPLES / "affairs-answers.csv").read_bytes()


def test_the_note_tells_the_columns_and_the_figures() -> None:
    note = (EXAMPLES / "fair-1978.md").read_text(encoding="utf-8")
    with (EXAMPLES / "fair-1978.csv").open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(f"| `{column}` |" in note for column in rows[0])
    some = sum(float(row["affairs"]) > 0 for row in rows)
    assert f"{len(rows):,} married women" in note
    assert f"{some:,} of the {len(rows):,} ({100 * some / len(rows):.1f} %)" in note
