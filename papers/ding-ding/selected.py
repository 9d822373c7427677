"""What the likelihood of selected reports misses, and what the adjusted one finds.

Ding & Ding (2022), Definition 5, equation (46) and Proposition 4. First with endless data: a number
on eight steps, cuts between them, cells smaller than τ withheld, exact frequencies of reports.
Then with people: a standard normal number, two cuts a person, each pair of 79 ticks on (−4, 4)
equally likely, and a cell withheld if less than τ of the normal law lies in it.

python papers/ding-ding/selected.py [surveys] [people] [seed]
"""

import sys
from itertools import combinations, pairwise

import numpy as np
from scipy.stats import norm

import askance as ak

K = 8
TRUTHS = {
    "even": np.full(K, 1 / K),
    "rising": np.arange(1, K + 1) / 36,
    "peaked": np.array([1, 3, 7, 9, 7, 5, 3, 1]) / 36,
}
LINE = np.linspace(-4, 4, 81)
TAU = 0.3


def cells_of(cuts: tuple[int, ...], ring: bool) -> list[tuple[tuple[int, int], ...]]:
    """Give the cells of some cuts; on a ring the outer two are one."""
    ends = (0, *cuts, K)
    plain = [((low, high),) for low, high in pairwise(ends) if low < high]
    return [*plain[1:-1], plain[0] + plain[-1]] if ring else plain


DESIGNS = {
    "one cut, τ = .6": (0.6, [cells_of((t,), False) for t in range(1, K + 1)], "even"),
    "two cuts, τ = .3": (0.3, [cells_of(c, False) for c in combinations(range(1, K), 2)], "even"),
    "two cuts, τ = .45": (0.45, [cells_of(c, False) for c in combinations(range(1, K), 2)], "even"),
    "ring of three, τ = .3": (
        0.3,
        [cells_of(c, True) for c in combinations(range(1, K), 3)]
        + [cells_of(c, False) for c in combinations(range(1, K), 2)],
        "peaked",
    ),
}


def expected(
    design: str, truth: np.ndarray
) -> tuple[ak.Ranges, ak.Ranges, ak.channels.InclusionProbability]:
    """Give what is reported in the long run, what was eligible beside it, and the selection."""
    tau, draws, sizes = DESIGNS[design]
    chances: dict[tuple, float] = {}
    for cells in draws:
        wide = [cell for cell in cells if share_of_cell(cell, TRUTHS[sizes]) >= tau - 1e-9]
        union = tuple(sorted(piece for cell in wide for piece in cell))
        for cell in wide:
            chances[cell, union] = chances.get((cell, union), 0.0) + 1 / len(draws)
    weights = [1e4 * chance * share_of_cell(cell, truth) for (cell, _), chance in chances.items()]
    law: dict[tuple, float] = {}
    for (cell, _), chance in chances.items():
        law[cell] = law.get(cell, 0.0) + chance
    eligible_sent = ak.Ranges.unions(list(law), list(law.values()))
    ranges = ak.Ranges.unions([cell for cell, _ in chances], weights)
    eligible = ak.Ranges.unions([union for _, union in chances])
    return ranges, eligible, ak.channels.InclusionProbability.from_ranges(eligible_sent)


def counted_fit(
    ranges: ak.Ranges, inclusion: ak.channels.InclusionProbability, rho: float = 1
) -> ak.inference.Distribution:
    """Fit with the nulls of 10,000 people, of whom chance lets a share rho speak."""
    weights, pieces = rho * ranges.weights, np.diff(ranges.starts)
    spoken = ak.Ranges(ranges.lower, ranges.upper, weights, pieces=pieces)
    law = ak.channels.InclusionProbability(inclusion.ends, rho * inclusion.chance)
    return ak.npmle(spoken, inclusion=law, nulls=1e4 - spoken.total)


def of_random_tau(truth: np.ndarray) -> tuple[ak.Ranges, ak.channels.InclusionProbability]:
    """Give what is reported of two cuts, and the selection, if τ is .3 or .45, as a coin falls."""
    expectations = [expected(f"two cuts, τ = {tau}", truth) for tau in (".3", ".45")]
    ends = np.concatenate(
        [np.stack([ranges_sent.lower, ranges_sent.upper], 1) for ranges_sent, _, _ in expectations]
    )
    weights = np.concatenate([ranges_sent.weights for ranges_sent, _, _ in expectations]) / 2
    steps = np.arange(K)
    chance = [
        law.chance[np.searchsorted(law.ends, steps, side="right") - 1] / 2
        for _, _, law in expectations
    ]
    return ak.Ranges(ends, counts=weights), ak.channels.InclusionProbability(
        np.arange(K + 1), sum(chance)
    )


def apart_at_the_likeliest_rho() -> float:
    """Give how far nulls move a fit if ρ, too, is the likeliest: n/(n + n₀) = ρ Σ s f then."""
    ranges, _, inclusion = expected("two cuts, τ = .3", TRUTHS["rising"])
    pieces = np.diff(ranges.starts)
    few = ak.Ranges(ranges.lower, ranges.upper, np.arange(len(ranges)) % 7, pieces=pieces)
    fit = ak.npmle(few, inclusion=inclusion)
    places = zip(fit.lower.astype(int), fit.upper.astype(int), strict=True)
    chances_sent = fit.mass @ [inclusion.chance[low:high].min() for low, high in places]
    nulls = 2 * few.total
    law = ak.channels.InclusionProbability(inclusion.ends, inclusion.chance / 3 / chances_sent)
    again = ak.npmle(few, inclusion=law, nulls=nulls)
    return float(np.abs(again.cdf(np.arange(K)) - fit.cdf(np.arange(K))).max())


def share_of_cell(cell: tuple[tuple[int, int], ...], masses: np.ndarray) -> float:
    """Add up what lies in a cell."""
    return float(sum(masses[low:high].sum() for low, high in cell))


def missed(fit: ak.inference.Distribution, truth: np.ndarray) -> float:
    """Give the largest distance to F at the ends of the fit's intervals."""
    knots = np.unique(np.clip(np.concatenate([fit.lower, fit.upper]), 0, K))
    low, high = fit.cdf_bounds(knots)
    true = np.interp(knots, np.arange(K + 1), np.concatenate([[0.0], np.cumsum(truth)]))
    return max(float(np.maximum(low - true, true - high).max()), 0.0)


def endless() -> str:
    """Tell the error of each likelihood with endless data."""
    rows = ["| cuts | Y | naive (46) | conditional | adjusted | nulls counted |"]
    rows.append("|---|---|---|---|---|---|")
    for design in DESIGNS:
        for name, truth in TRUTHS.items():
            ranges, eligible, inclusion = expected(design, truth)
            try:
                missed_share = f"{missed(ak.npmle(ranges, eligible=eligible), truth):.2f}"
            except ak.errors.NotIdentified:
                missed_share = "flat"
            naive = missed(ak.inference.naive_npmle(ranges), truth)
            adjusted = missed(ak.npmle(ranges, inclusion=inclusion), truth)
            counted = missed(counted_fit(ranges, inclusion), truth)
            row = f"{naive:.2f} | {missed_share} | {adjusted:.2f} | {counted:.2f}"
            rows.append(f"| {design} | {name} | {row} |")
    return "\n".join(rows)


def cut_pairs() -> tuple[np.ndarray, np.ndarray]:
    """List every pair of cuts as three cells each, and whether each cell is wide enough."""
    low, high = np.array(list(combinations(LINE[1:-1], 2))).T
    none = np.full(len(low), np.inf)
    cells = np.stack([np.column_stack([-none, low, high]), np.column_stack([low, high, none])], 2)
    return cells, np.diff(norm.cdf(cells), axis=2)[:, :, 0] >= TAU


def survey(people: int, rng: np.random.Generator) -> tuple[ak.Ranges, ak.Ranges]:
    """Ask people; give the ranges that were sent, and what was eligible beside each."""
    cells, wide = cut_pairs()
    y, indices = rng.standard_normal(people), rng.integers(0, len(cells), people)
    piece = (y[:, None] > cells[indices, :2, 1]).sum(axis=1)
    rows_sent = np.flatnonzero(wide[indices, piece])
    indices, piece = indices[rows_sent], piece[rows_sent]
    eligible = ak.Ranges(cells[indices][wide[indices]], pieces=wide[indices].sum(axis=1))
    return ak.Ranges(cells[indices, piece]), eligible


def people(surveys: int, size: int, seed: int) -> str:
    """Tell the error of each likelihood in some surveys, and its E[Y^2], which is 1."""
    cells, wide = cut_pairs()
    chance = np.full(int(wide.sum()), 1 / len(cells))
    inclusion = ak.channels.InclusionProbability.from_ranges(ak.Ranges(cells[wide], counts=chance))
    rng, errors, counts = np.random.default_rng(seed), {}, []
    for _ in range(surveys):
        ranges, eligible = survey(size, rng)
        counts.append(len(ranges))
        for name, fit in (
            ("naive (46)", ak.inference.naive_npmle(ranges)),
            ("conditional", ak.npmle(ranges, eligible=eligible, tol=1e-6)),
            ("adjusted", ak.npmle(ranges, inclusion=inclusion)),
            ("nulls counted", ak.npmle(ranges, inclusion=inclusion, nulls=size - len(ranges))),
        ):
            error = np.abs(fit.cdf(LINE[1:-1]) - norm.cdf(LINE[1:-1])).max()
            errors.setdefault(name, []).append(
                (error, np.mean(ak.inference.moment_bounds(fit, 2, (-4, 4))))
            )
    rows = [f"| of {np.mean(counts):,.0f} sent | sup error | E[Y²] |", "|---|---|---|"]
    for name, pairs in errors.items():
        (least, low), (most, high) = np.min(pairs, axis=0), np.max(pairs, axis=0)
        rows.append(f"| {name} | {least:.2f} to {most:.2f} | {low:.2f} to {high:.2f} |")
    return "\n".join(rows)


def main() -> None:
    """Print both tables."""
    numbers = [int(word) for word in sys.argv[1:]]
    surveys, size, seed = (*numbers, *(5, 7_300, 46)[len(numbers) :])
    sys.stdout.write(f"{endless()}\n\n{people(surveys, size, seed)}\n")


if __name__ == "__main__":
    main()
