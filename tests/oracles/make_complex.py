"""Write complex.csv, an invented sample of clusters in strata in two stages (seed 1952)."""

import csv
from pathlib import Path

import numpy as np

HEAD = "stratum,cluster,person,clusters,people,weight,half,pair,y,x,z,sex,place"
STRATA = (("north", 40, 6), ("south", 25, 4), ("west", 60, 5))


def rows() -> list[list[object]]:
    """Draw the people, cluster by cluster."""
    rng, content, cluster = np.random.default_rng(1952), [], 0
    for index, (stratum, clusters, draws) in enumerate(STRATA):
        for _ in range(draws):
            cluster += 1
            effect, people = rng.normal(), int(rng.integers(12, 40))
            number = int(rng.integers(3, 9))
            base = clusters / draws * people / number
            for person in range(number):
                sex = "fm"[rng.integers(2)]
                position = ("town", "village", "farm")[rng.integers(3)]
                x = round(float(rng.normal(3 + index + effect)), 3)
                y = int(rng.random() < 1 / (1 + np.exp(2.5 - 0.5 * x - 0.6 * (sex == "f"))))
                z = round(abs(float(rng.normal(5 + y))) + 1, 3)
                weight = round(base * rng.uniform(0.7, 1.4), 3)
                half, pair = (cluster - 1) % 2, (cluster - 1) // 2
                content.append([stratum, f"c{cluster}", f"c{cluster}-{person}", clusters, people])
                content[-1] += [weight, half, f"p{pair}", y, x, z, sex, position]
    return content


if __name__ == "__main__":
    with Path(__file__).with_name("complex.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD.split(","))
        writer.writerows(rows())
