"""Write fair-1978.csv from the copy of the data that statsmodels ships.

Run ``python examples/make_fair_1978.py``; the note beside the file tells where the data come from.
"""

import csv
import io
from pathlib import Path

COLUMNS = (
    "rate_marriage",
    "age",
    "yrs_married",
    "children",
    "religious",
    "educ",
    "occupation",
    "occupation_husb",
    "affairs",
)


def fair_1978() -> bytes:
    """Spell the 6,366 rows as CSV: whole numbers without a point, the rest as in the source."""
    from statsmodels.datasets import fair

    rows = fair.load_pandas().data[list(COLUMNS)].to_numpy().tolist()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_shortest(number) for number in row] for row in rows)
    return text.getvalue().encode("ascii")


def _shortest(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


if __name__ == "__main__":
    target = Path(__file__).with_name("fair-1978.csv")
    target.write_bytes(fair_1978())
    print(f"wrote {target.name}")
