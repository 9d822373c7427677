"""Write fair-1978.csv, and the same people's answers to affairs.toml, as statsmodels ships them.

Run ``python examples/make_fair_1978.py``; the note beside the file tells where the data come from.
"""

import csv
import io
from collections.abc import Iterable, Sequence
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

RATINGS = ("very poor", "poor", "fair", "good", "very good")
DEVOTION = ("not at all", "a little", "fairly", "strongly")


def fair_1978() -> bytes:
    """Spell the 6,366 rows as CSV: whole numbers without a point, the rest as in the source."""
    return _spell(COLUMNS, ([_shortest(number) for number in row] for row in _rows()))


def affairs_answers() -> bytes:
    """Spell what each of these women would answer to the questions of affairs.toml."""
    people = (dict(zip(COLUMNS, row, strict=True)) for row in _rows())
    answers = (
        (
            RATINGS[int(person["rate_marriage"]) - 1],
            "yes" if person["affairs"] > 0 else "no",
            DEVOTION[int(person["religious"]) - 1],
            _shortest(person["yrs_married"]),
        )
        for person in people
    )
    return _spell(("marriage", "affair", "religious", "years"), answers)


def _rows() -> list[list[float]]:
    from statsmodels.datasets import fair

    rows: list[list[float]] = fair.load_pandas().data[list(COLUMNS)].to_numpy().tolist()
    return rows


def _spell(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue().encode("ascii")


def _shortest(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


if __name__ == "__main__":
    for name, spelt in (("fair-1978.csv", fair_1978()), ("affairs-answers.csv", affairs_answers())):
        Path(__file__).with_name(name).write_bytes(spelt)
        print(f"wrote {name}")
