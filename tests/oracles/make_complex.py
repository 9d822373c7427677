"""Write complex.csv, an invented sample of clusters in strata in two stages (seed 1952)."""

import csv
from pathlib import Path

import numpy as np

HEAD = "stratum,cluster,person,clusters,people,weight,half,pair,y,x,z,sex,place"
STRATA = (("north", 40, 6), ("south", 25, 4), ("west", 60, 5))


def rows() -> list[list[object]]:
    """Draw the people, cluster by cluster."""
    rng, held, cluster = np.random.default_rng(1952), [], 0
    for at, (stratum, clusters, drawn) in enumerate(STRATA):
        for _ in range(drawn):
            cluster += 1
            effect, people = rng.normal(), int(rng.integers(12, 40))
            asked = int(rng.integers(3, 9))
            base = clusters / drawn * people / asked
            for person in range(asked):
                sex = "fm"[rng.integers(2)]
                place = ("town", "village", "farm")[rng.integers(3)]
                x = round(float(rng.normal(3 + at + effect)), 3)
                y = int(rng.random() < 1 / (1 + np.exp(2.5 - 0.5 * x - 0.6 * (sex == "f"))))
                z = round(abs(float(rng.normal(5 + y))) + 1, 3)
                weight = round(base * rng.uniform(0.7, 1.4), 3)
                half, pair = (cluster - 1) % 2, (cluster - 1) // 2
                held.append([stratum, f"c{cluster}", f"c{cluster}-{person}", clusters, people])
                held[-1] += [weight, half, f"p{pair}", y, x, z, sex, place]
    return held


if __name__ == "__main__":
    with Path(__file__).with_name("complex.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD.split(","))
        writer.writerows(rows())
