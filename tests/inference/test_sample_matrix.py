"""What each estimator takes of a sample is what the table on the page of samples says."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import askance as ak
from askance_collect.errors import InputError

lab = ak.inference
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "weights-strata-and-clusters.md"
COLUMNS = ("weights", "sampling", "replicates", "inclusion")

WITHOUT_A_SAMPLE = {
    "how a sample was drawn": "balanced_replicates bootstrap jackknife calibrate poststratify rake "
    "track_replicates",
    "who does not comply or reply": "cheating_detection known_answer one_sayers random_answerers "
    "self_protective stochastic_lie_detector with_no_reply with_noncompliers",
    "laws and channels": "chernoff f_divergence relative_entropy renyi_divergence identified "
    "fisher_information grab_savage mean_inverse truth_lie_variance manipulation mean_manipulation "
    "range_manipulation unbiased_mean_variance",
    "a result that was found": "find_heavy_hitters simultaneous_frequencies hausman_test "
    "integer_valued smoothed functional_bounds moment_bounds energy_bounds kolmogorov_bounds",
    "one report each, at a sampler's draws": "report_log_likelihood range_log_likelihood",
}
"""What asks nobody: these take a channel, a law, or what an estimator gave."""

N = 96
RNG = np.random.default_rng(11)
VILLAGE = np.arange(N) // 6
WEIGHT = RNG.uniform(1, 4, N)
SAMPLING = lab.SamplingDesign(weights=WEIGHT, clusters=VILLAGE)
HOW = {
    "weights": {"weights": WEIGHT},
    "sampling": {"sampling": SAMPLING},
    "replicates": {"sampling": lab.jackknife(SAMPLING)},
}
OTHERS = {
    "joint chances": lab.JointInclusion(1 / (1 + WEIGHT)),
    "calibrated": lab.poststratify(SAMPLING, np.arange(N) % 2, {0: 110, 1: 130}),
    "domain": SAMPLING.domain(np.arange(N) % 7 > 0),
    "raked replicates": lab.rake(
        lab.jackknife(SAMPLING), {"half": np.arange(N) % 2}, {"half": {0: 110, 1: 130}}
    ),
}
"""Whatever else is a sampling design."""

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="9/10").channel(YN)
X = RNG.normal(size=N)
TRUTH = RNG.random(N) < 1 / (1 + np.exp(-X))
REPORTS = ak.privatise(WARNER, np.where(TRUTH, "yes", "no"), rng=RNG)
GROUP = np.array(["n", "e", "s", "w"])[VILLAGE % 4]
ARM = RNG.integers(0, 2, N)
COUNT = RNG.binomial(3, RNG.beta(2, 2, N)) + ARM * TRUTH
NUMBER = 8 * RNG.beta(2, 3, N)
LINE = ak.Line(0, 8, 1)
STEPS = ak.RangeChannel(LINE, [1] * 7)
CUT = RNG.integers(1, 8, N)
CELLS = np.column_stack([np.where(NUMBER <= CUT, 0, CUT), np.where(NUMBER <= CUT, CUT, 8)])
RANGES = STEPS.ranges(CELLS)
INCLUSION = ak.channels.InclusionProbability([0, 4, 8], [0.5, 1])
KINDS = lab.self_protective("no")
CHANNELS = [
    ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8)
]
HALF = np.arange(N) % 2
DENIES = RNG.random(N) < 0.3
FORCED = RNG.random(N) < np.array([0.2, 0.8])[HALF]
LIED = np.where((TRUTH & ~DENIES) | (~TRUTH & FORCED), "yes", "no")
SCRAMBLING = lab.Scrambling.saha(factor=(1.5, 0.2), added=(5.5, 2.6))

Call = Callable[..., Any]


def tally_reports(**how: Any) -> ak.Tally:
    """Reports of everybody, counted as a sample has it."""
    return ak.tally(WARNER, REPORTS, **how)


def of_tally(function: Call, *more: Any, **others: Any) -> Call:
    return lambda **how: function(tally_reports(**how), *more, **others)


def by_group(function: Call) -> Call:
    return lambda **how: function(dict(ak.tally(WARNER, REPORTS, by=GROUP.tolist(), **how)))


def of_ranges(function: Call, *more: Any) -> Call:
    """Weights stand beside ranges, as counts; all else is said to the function."""

    def call(weights: Any = None, **how: Any) -> Any:
        ranges = RANGES if weights is None else STEPS.ranges(CELLS, np.rint(weights))
        return function(ranges, *more, **how)

    return call


def of_cells(**how: Any) -> Any:
    """A sampling design stands beside the call; weights beside the ranges."""
    return of_ranges(lambda ranges, **more: ak.estimate_line(STEPS, ranges, **more))(**how)


def items(function: Call, *more: Any, **others: Any) -> Call:
    return lambda **how: function(COUNT, ARM, *more, items=3, **others, **how)


def counted(function: Call) -> Call:
    return lambda **how: function(lab.count_items(COUNT, ARM, items=3, **how))


def grouped(function: Call, *more: Any) -> Call:
    """Groups that were asked in different ways."""
    names = {"north": CHANNELS[0], "south": CHANNELS[1]}
    where = np.array(["north", "south"])[HALF]
    return lambda **how: function(ak.engines.tally_groups(names, LIED, where, **how), *more)


def no_reply(**how: Any) -> Any:
    channel = lab.with_no_reply(WARNER)
    selected = np.where(np.arange(N) % 9 == 0, channel.reports[-1], REPORTS)
    return lab.nonresponse_bounds(ak.tally(channel, selected, **how), no_reply="no reply")


def statistic(function: Call, *more: Any) -> Call:
    """The sampling design is the first argument."""
    return lambda sampling, **how: function(sampling, *more, **how)


def noisy(**how: Any) -> Any:
    channel = ak.KAry(truth="9/10").channel(ak.Frame(["0", "1", "2"]))
    reports = ak.privatise(channel, np.minimum(COUNT, 2).astype(str), rng=np.random.default_rng(2))
    return lab.mean_of_numbers(ak.tally(channel, reports, **how), [0, 1, 2])


def figures(**how: Any) -> Any:
    shares = [
        ak.estimate(item)
        for _, item in sorted(ak.tally(WARNER, REPORTS, by=GROUP.tolist(), **how).items())
    ]
    return lab.fay_herriot([share.value[0] for share in shares], [share.se[0] for share in shares])


CALLS: dict[str, Call] = {
    "estimate": of_tally(lab.estimate),
    "maximum_likelihood": of_tally(lab.maximum_likelihood),
    "most_likely": of_tally(lab.most_likely),
    "moment_estimate": of_tally(lab.moment_estimate),
    "walley_interval": of_tally(lab.walley_interval),
    "estimate_sets": of_tally(lab.estimate_sets, {"yes": ["yes"]}),
    "contamination_bounds": of_tally(lab.contamination_bounds, 0.05),
    "sensitivity": of_tally(lab.sensitivity, KINDS),
    "estimate_compliance": grouped(lab.estimate_compliance, lab.stochastic_lie_detector()),
    "correct_inattention": lambda **how: lab.correct_inattention(
        WARNER, WARNER, {("yes", "no"): 3, ("no", "no"): 9}, anchor_shares={"no": 1}, **how
    ),
    "overidentification_test": grouped(lab.overidentification_test),
    "compare_groups": grouped(lab.compare_groups),
    "estimate_domains": by_group(lab.estimate_domains),
    "estimate_small_areas": by_group(lab.estimate_small_areas),
    "ShareLikelihood": by_group(lab.ShareLikelihood),
    "nonresponse_bounds": no_reply,
    "goodness_of_fit": of_tally(lab.goodness_of_fit),
    "estimate_frequencies": of_tally(lab.estimate_frequencies),
    "mean_of_numbers": noisy,
    "discriminate": of_tally(
        lambda item: lab.discriminate(WARNER, 0.1, 0.4, N).favours_second(item)
    ),
    "estimate_supports": lambda **how: lab.estimate_supports(
        [40, 30], N, lab.SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4"), **how
    ),
    "fay_herriot": figures,
    "estimate_joint": lambda **how: ak.estimate_joint(
        {"one": WARNER, "two": WARNER}, reports={"one": REPORTS, "two": REPORTS[::-1]}, **how
    ),
    "response_regression": lambda **how: ak.response_regression(REPORTS, X[:, None], WARNER, **how),
    "compliance_regression": lambda **how: lab.compliance_regression(
        LIED, None, CHANNELS, lab.stochastic_lie_detector(), group=HALF, **how
    ),
    "paired_regression": lambda **how: lab.paired_regression(
        {"one": REPORTS, "two": REPORTS[::-1]}, X[:, None], {"one": WARNER, "two": WARNER}, **how
    ),
    "outcome_regression": lambda **how: lab.outcome_regression(
        NUMBER, REPORTS, X[:, None], WARNER, **how
    ),
    "censored_regression": of_ranges(lab.censored_regression, X[:, None]),
    "count_items": lambda **how: lab.item_count(lab.count_items(COUNT, ARM, items=3, **how)),
    "item_count": counted(lab.item_count),
    "design_effect_test": counted(lab.design_effect_test),
    "item_count_regression": items(lab.item_count_regression),
    "item_count_least_squares": items(lab.item_count_least_squares),
    "item_count_outcome": items(lab.item_count_outcome, NUMBER),
    "double_item_count": lambda **how: lab.double_item_count(COUNT, COUNT[::-1], ARM, **how),
    "item_count_with_direct": lambda **how: lab.item_count_with_direct(
        COUNT, ARM, np.where(TRUTH & (HALF == 1), 1, 0), **how
    ),
    "scrambled_mean": lambda **how: lab.scrambled_mean(3 + NUMBER, SCRAMBLING, **how),
    "estimate_line": of_cells,
    "estimate_plain": lambda **how: lab.estimate_plain(LINE, np.bincount(CUT, minlength=8), **how),
    "estimate_plain_sample": lambda sampling=None, **how: lab.estimate_plain_sample(
        LINE, CUT, SAMPLING if sampling is None else sampling, **how
    ),
    "npmle": of_ranges(ak.npmle),
    "naive_npmle": of_ranges(lab.naive_npmle),
    "cdf_intervals": of_ranges(lab.cdf_intervals, [4.0]),
    "quantile_intervals": of_ranges(lab.quantile_intervals, [0.5]),
    "simultaneous_band": of_ranges(lab.simultaneous_band),
    "functional_interval": of_ranges(lab.functional_interval, lambda y: y, (0, 8)),
    "unbiased_mean": of_ranges(lab.unbiased_mean, (0, 8)),
    "fit_family": of_ranges(lab.fit_family, stats.norm),
    "kolmogorov_test": of_ranges(
        lambda element, **how: lab.kolmogorov_test({"a": element[:48], "b": element[48:]}, **how)
    ),
    "log_rank_test": of_ranges(
        lambda one, **how: lab.log_rank_test({"a": one[:48], "b": one[48:]}, **how)
    ),
    "survey_total": statistic(lab.survey_total, NUMBER),
    "survey_mean": statistic(lab.survey_mean, NUMBER),
    "survey_ratio": statistic(lab.survey_ratio, NUMBER, np.ones(N)),
    "replicated": statistic(lab.replicated, lambda weights: weights @ NUMBER / weights.sum()),
}


def rows() -> dict[str, dict[str, str]]:
    """Read the table: of each estimator what stands in each column."""
    page = PAGE.read_text(encoding="utf-8")
    table = page.split("## Every estimator, and what it takes")[1].split("\n\n")[1:]
    lines = next(item for item in table if item.startswith("|")).splitlines()[2:]
    result: dict[str, dict[str, str]] = {}
    for line in lines:
        first, *cells = [part.strip() for part in line.strip("|").split("|")]
        for name in re.findall(r"`(\w+)`", re.sub(r"\(.*\)", "", first)):
            assert name not in result, name
            result[name] = dict(zip(COLUMNS, cells, strict=True))
    return result


ROWS = rows()


def test_the_table_has_every_estimator_once():
    """Functions that ask nobody aside, which are listed here by what they take."""
    functions = {
        name
        for name in lab.__all__
        if inspect.isroutine(getattr(lab, name)) or name == "ShareLikelihood"
    }
    aside = [name for those in WITHOUT_A_SAMPLE.values() for name in those.split()]
    assert set(ROWS) | set(aside) == functions
    assert not set(ROWS) & set(aside)
    assert set(ROWS) == set(CALLS)
    taking = {
        name for name in functions if "sampling" in inspect.signature(getattr(lab, name)).parameters
    }
    for name in taking & set(ROWS) - {"replicated"}:  # replicates alone
        assert ROWS[name]["sampling"] != "no", name


def describe(result: Any) -> str:
    """Write what was found: a sample that was passed over leaves it as it is."""
    return str(result.counts) if isinstance(result, lab.ShareLikelihood) else repr(result)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(CALLS))
def test_what_the_table_says_is_taken_is_and_all_else_is_refused_with_a_remedy(name):
    call = CALLS[name]
    for column in ("weights", "sampling", "replicates"):
        replies = ROWS[name][column]
        if replies == "–":
            continue
        if replies in ("no", "in a sampling design"):
            with pytest.raises(InputError) as refused:
                call(**HOW[column])
            assert refused.value.remedy, (name, column)
        elif "first" in replies or "third" in replies:
            assert call(**HOW[column]) is not None
        else:
            passed_over = describe(call(**HOW[column])) == describe(call())
            assert passed_over == (name == "goodness_of_fit"), (name, column)
    replies = ROWS[name]["inclusion"]
    if replies == "`inclusion=`":
        assert "inclusion" in inspect.signature(getattr(lab, name)).parameters
    else:
        assert replies in ("no", "–")
        if replies == "no":
            function = getattr(lab, name)
            with pytest.raises(InputError, match=r"\.inclusion: .*npmle"):
                function(inclusion=INCLUSION)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [name for name in sorted(CALLS) if ROWS[name]["sampling"] not in "no–"]
)
def test_every_kind_of_design_is_taken_where_one_is(name):
    for key, sampling in OTHERS.items():
        assert CALLS[name](sampling=sampling) is not None, key
