"""Invent replies to randomised questions, with covariates, as replies.csv (seed 1965).

Four designs, 300 people each: forced answers (1/6 each way), crosswise (p = .2), an unrelated
question (asked the sensitive one with chance .7, the harmless trait .4), and half asked directly,
half crosswise. A true share by a logit; a score whose mean depends on the truth.
"""

import csv
from pathlib import Path

import numpy as np

PEOPLE = 300
# The chance of a recorded yes with and without the trait.
DESIGNS = {
    "forced": (5 / 6, 1 / 6),
    "crosswise": (0.2, 0.8),
    "unrelated": (0.7 + 0.3 * 0.4, 0.3 * 0.4),
    "both": (0.2, 0.8),
}


def main() -> None:
    rng = np.random.default_rng(1965)
    lines: list[tuple[object, ...]] = []
    for design, chances in DESIGNS.items():
        age, female = rng.integers(18, 70, PEOPLE), rng.integers(0, 2, PEOPLE)
        married = rng.integers(0, 2, PEOPLE)
        odds = np.exp(-1.2 + 0.03 * age - 0.6 * female + 0.4 * married)
        true = rng.random(PEOPLE) < odds / (1 + odds)
        protected = rng.integers(0, 2, PEOPLE) if design == "both" else np.ones(PEOPLE, dtype=int)
        chance = np.where(protected == 1, np.where(true, *chances), true)
        astype_result = (rng.random(PEOPLE) < chance).astype(int)
        score = (2 + 1.5 * true + rng.normal(0, 1, PEOPLE)).round(2)
        lines += zip(
            [design] * PEOPLE, protected, astype_result, age, female, married, score, strict=True
        )
    with Path(__file__).with_name("replies.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["design", "protected", "said", "age", "female", "married", "score"])
        writer.writerows(lines)


if __name__ == "__main__":
    main()
