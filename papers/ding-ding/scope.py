"""The names that calls of this paper's claims use."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from remaking import Paper, Row, Scope, script
from scipy.integrate import quad
from scipy.stats import beta, cauchy, logistic, ncx2, norm, t, uniform

import askance as ak

NAMES = (
    "drawings figures figure5 life_expectancy privacy regression_figures selected table2 theorem8"
)
scripts = {name: script("ding-ding", name) for name in NAMES.split()}
privacy, selected = scripts["privacy"], scripts["selected"]
lines, life, table2 = (
    scripts[name] for name in ("regression_figures", "life_expectancy", "table2")
)
FEW = 60
"""Repetitions of Table II from which its standard errors are known well enough."""

TEN = ak.Line(0, 10, 1)
HALVES = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 8), Fraction(7, 8)]]


def above_half() -> tuple[ak.Ranges, float, Any]:
    """Give what is sent of one cut with a floor of 5 of 8, the nulls, and who is heard of."""
    floor = ak.exact.Floor([1] * 8, 5)
    channel = ak.RangeChannel(ak.Line(0, 8, 1), [1] * 7, floor=floor, withhold=True)
    ends, chances = channel.cells()
    ranges = channel.ranges(
        ends, 1e4 * chances * channel.range_probabilities(ends, selected.TRUTHS["rising"])
    )
    return ranges, 1e4 - ranges.total, ak.channels.InclusionProbability.from_channel(channel)


def moved_channel(n: int) -> ak.Channel:
    """Send a step or a neighbour of it, as though it were the truth."""
    near = [[float(abs(x - y) < 2) for y in range(n)] for x in range(n)]
    names = [f"step {i}" for i in range(n)]
    rows = [[weight_of_report / sum(row) for weight_of_report in row] for row in near]
    return ak.Channel(ak.Frame(names), {name: [name] for name in names}, rows)


def clipped_mean(law: Any, low: float, high: float) -> float:
    """Give E[clip(Y, low, high)]."""
    return low + quad(law.sf, low, high)[0]


def example_2(n: int) -> float:
    """Give the standard error of Example 2's mean at the settings of Table II."""
    ends = table2.support(n, "E[Y]")
    return math.sqrt(ak.inference.unbiased_mean_variance(ends, 0.5, 1, n, slope=2))


def spread(method: str, of: str) -> float:
    """Give the largest standard error in a row of Table II, a thousand repetitions."""
    return max(table2.errors(FEW, 2)[method, of].std(axis=1)) / math.sqrt(table2.PRINTED)


def missed_with_nulls(design: str, rho: float) -> float:
    """Give the error with endless data where nulls are counted."""
    truth = selected.TRUTHS["rising"]
    ranges, _, inclusion = selected.expected(design, truth)
    return selected.missed(selected.counted_fit(ranges, inclusion, rho), truth)


def random_tau() -> tuple[float, ...]:
    """Give the errors of three likelihoods where everybody has a floor of her own."""
    truth = selected.TRUTHS["rising"]
    ranges, inclusion = selected.of_random_tau(truth)
    fits = ak.inference.naive_npmle(ranges), ak.npmle(ranges, inclusion=inclusion)
    counted = selected.counted_fit(ranges, inclusion)
    return tuple(round(selected.missed(fit, truth), 2) for fit in (*fits, counted))


def parabola_cdf() -> Any:
    """Give the distribution of X² − 2X + 3 + ε, both standard normal."""
    nodes, weight = np.polynomial.hermite_e.hermegauss(200)
    reported = np.linspace(-6, 120, 6_001)
    below = norm.cdf(reported[:, None] - ((nodes - 1) ** 2 + 2)) @ weight / weight.sum()
    return lambda y: np.interp(y, reported, below, 0, 1)


def drawn_coverage() -> np.ndarray:
    """Give F(u)² + (1 − F(u))² of ten thousand cuts."""
    share = norm.cdf(logistic.rvs(size=10_000, random_state=np.random.default_rng(1)))
    return share**2 + (1 - share) ** 2


def distances() -> list[float]:
    """Give how far the fits of figure 5 are from F: the family's, and any distribution's."""
    fit, family = scripts["figure5"].fits(1000, np.random.default_rng(5))
    fine = np.linspace(-8, 8, 801)
    return [np.abs(law.cdf(fine) - logistic.cdf(fine)).max() for law in (family, fit)]


def two_cuts(truth: str) -> tuple[ak.Ranges, ak.Ranges, Any]:
    """Give what is reported of two cuts with a floor of .3, and the selection."""
    expectation: tuple[ak.Ranges, ak.Ranges, Any] = selected.expected(
        "two cuts, τ = .3", selected.TRUTHS[truth]
    )
    return expectation


def r2_rows() -> list[Row]:
    """Give the printed rows of Table IV on R²."""
    rows = (
        row
        for exhibit in Paper.read("ding-ding").shown
        if exhibit.number == "Table IV"
        for row in exhibit.row
    )
    return [row for row in rows if row.label.endswith("R²")]


def root(s: np.ndarray) -> np.ndarray:
    """Give the root, and 0 of what is negative."""
    return np.sqrt(np.maximum(s, 0))


def simulate_surveys(surveys: int, seed: int, power: int = 1) -> Any:
    """Ask people for a line, or for a parabola."""
    return lines.ask(surveys, np.random.default_rng(seed), power)


OWN = (
    "refusal below entropy fixed_scale small_channels information_bounds private_both_ways "
    "tells_nothing obfuscates perturbs statements judged written followed_coverage lemma_1"
)
CUTS = ak.Cuts(number=2).channel(TEN)
SCOPE = Scope(
    {
        "seen": life.read_covariates,
        "half": above_half,
        "r2_rows": r2_rows,
        "parabola_cdf": parabola_cdf,
        "drawn_coverage": drawn_coverage,
        "distances": distances,
        "ranges": lambda: two_cuts("even")[0],
        "line_errors": lambda: lines.missed(lines.slopes(simulate_surveys(1, 2)) * lines.NEW, 1),
        "forest_errors": lambda: lines.missed(
            lines.forests(simulate_surveys(1, 2, 2), 60, 10)[1], 2
        ),
        "twenty": lambda: float(np.mean(lines.slopes(simulate_surveys(300, 1))[-1])),
        "ends": lambda: lines.likeliest(simulate_surveys(300, 1)).mean(),
        "leaky": lambda: ak.Progressive(number=1, floor="3/10", stopping="example-4").final_law(
            TEN
        ),
        "blind": lambda: ak.Progressive(number=3, floor="3/10").channel(TEN),
        "telling": lambda: [ak.channels.OpenCellChannel(CUTS, [k]) for k in (1, 2, 3)],
        "told_plainly": lambda: ak.privacy.noisy_ranges(
            ak.Cuts().channel(TEN), np.eye(10, dtype=int).tolist()
        ),
    },
    **scripts,
    **{name: getattr(privacy, name) for name in OWN.split()},
    ak=ak,
    np=np,
    F=Fraction,
    Fraction=Fraction,
    inf=math.inf,
    log10=math.log10,
    quad=quad,
    beta=beta,
    cauchy=cauchy,
    logistic=logistic,
    ncx2=ncx2,
    norm=norm,
    t=t,
    uniform=uniform,
    known=life.ORACLE,
    clipped_mean=clipped_mean,
    example_2=example_2,
    spread=spread,
    missed_with_nulls=missed_with_nulls,
    random_tau=random_tau,
    apart_at_the_likeliest_rho=selected.apart_at_the_likeliest_rho,
    even=selected.TRUTHS["even"],
    adjusted=lambda ranges: ak.npmle(ranges, inclusion=two_cuts("even")[2]),
    line=privacy.LINE,
    one_cut=ak.Cuts(number=1).channel(privacy.LINE),
    is_low=lambda low, _: low == 0,
    bins=({1, 2}, {3, 4}),
    narrow=ak.channels.CutLaw(norm()),
    wide=ak.channels.CutLaw(norm(0, 2)),
    squares=[(-math.inf, 0, lambda s: -root(s)), (0, math.inf, root)],
    warner=ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"])),
    withheld=ak.mechanisms.Selective(floor="3/10", send_chance=1).channel(privacy.LINE),
    tight=ak.Channel(ak.Frame(["a", "b"]), {name: ["a", "b"] for name in "rs"}, HALVES),
    moved=moved_channel(10),
    two_cuts=ak.Cuts(number=2).channel(privacy.LINE),
    three=ak.Ring(floor="1/6", number=3).channel(ak.Line(0, 6, 1)),
    sixty=ak.Line(0, 60, 1),
    ten=TEN,
    thirds=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
    between=ak.channels.OpenCellChannel(CUTS, [2]),
)
