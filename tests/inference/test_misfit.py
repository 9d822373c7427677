"""Estimates say whether their channel can have sent such reports: against SciPy's exact tails."""

import json

import numpy as np
import pytest
from scipy.stats import binom, chi2, hypergeom

import askance as ak
from askance.inference import FitClaim, Untested
from askance.present import methods_paragraph, result_table

YES_NO = ak.Frame(["yes", "no"])
ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(YES_NO)
FORCED = ak.mechanisms.ForcedResponse(forced={"yes": "1/6", "no": "1/6"}).channel(YES_NO)
TOO_FEW = ak.Tally(ABSTAIN, {"yes": 310, "no": 520, "don't know": 170})
ESTIMATORS = [
    ak.estimate,
    ak.maximum_likelihood,
    ak.inference.moment_estimate,
    ak.inference.most_likely,
]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_silence_of_known_chance_has_its_exact_tail(estimator):
    """Two-sided, by Bonferroni over three reports and over both tests."""
    fit = estimator(TOO_FEW).goodness_of_fit
    assert fit.p_value == pytest.approx(2 * 3 * 2 * binom.cdf(170, 1000, 0.3), rel=1e-6)
    assert fit.worst.claim is FitClaim.FREQUENCY
    assert (fit.worst.event, fit.worst.observed) == ("“don't know”", 170)
    assert fit.worst.expected == pytest.approx((300, 300))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_fewer_than_are_forced_are_found_at_the_border(estimator):
    fit = estimator(ak.Tally(FORCED, {"yes": 10, "no": 990})).goodness_of_fit
    assert fit.p_value == pytest.approx(2 * binom.cdf(10, 1000, 1 / 6), rel=1e-6)
    assert fit.worst.expected == pytest.approx((1000 / 6, 5000 / 6))


def test_each_group_is_tested_by_itself_and_named():
    groups = {
        "west": ak.Tally(ABSTAIN, {"yes": 250, "no": 450, "don't know": 300}),
        "east": TOO_FEW,
    }
    fit = ak.estimate(ak.channels.GroupedTally(groups)).goodness_of_fit
    assert fit.worst.group == "east"
    assert fit.p_value == pytest.approx(2 * ak.inference.goodness_of_fit(TOO_FEW).p_value)


def test_weights_do_not_hide_who_invents():
    sums = {"yes": 310.0, "no": 520.0, "don't know": 300.0}
    weighted = ak.Tally(
        ABSTAIN, {"yes": 310, "no": 520, "don't know": 170}, weights=sums, squares=sums
    )
    assert ak.estimate(weighted).goodness_of_fit.p_value == pytest.approx(
        ak.inference.goodness_of_fit(TOO_FEW).p_value
    )


def test_all_that_say_nothing_are_counted_together():
    """Twelve silent reports, each a little too rare: together far too rare."""
    many, chance = 12, 0.04
    reports = {"yes": ["yes"], "no": ["no"]} | {f"pass {i}": ["yes", "no"] for i in range(many)}
    silent = [chance] * many
    q = ak.Channel(YES_NO, reports, [[0.4, 0.12, *silent], [0.12, 0.4, *silent]])
    messages = {"yes": 300, "no": 320} | {f"pass {i}": 31 + (i < 8) for i in range(many)}
    worst = ak.estimate(ak.Tally(q, messages)).goodness_of_fit.tests[0]
    assert worst.event == "A report that says nothing"
    assert worst.observed == 380
    assert worst.p_value == pytest.approx(2 * 15 * binom.cdf(380, 1000, 0.48), rel=1e-6)


def test_the_likelihood_ratio_bounds_its_limiting_law():
    """Frequencies of no shares: p is above that of the chi-square law, and below DOUBT."""
    kary = ak.KAry(truth="1/2").channel(ak.Frame(["a", "b", "c"]))
    mixed = ak.inference.goodness_of_fit(ak.Tally(kary, {"a": 450, "b": 450, "c": 100})).tests[1]
    assert mixed.claim is FitClaim.MIXTURE
    assert chi2.sf(mixed.statistic, 1) < mixed.p_value < 1e-6
    observed, expected = np.array([450, 450, 100]), np.array([375, 375, 250])
    assert mixed.statistic == pytest.approx(2 * (observed * np.log(observed / expected)).sum())
    assert (mixed.event, mixed.expected) == ("“c”", pytest.approx((250, 250)))


def test_a_misfit_is_said_in_one_line_wherever_an_estimate_is_shown():
    result = ak.estimate(TOO_FEW)
    line = "“don't know” came 170 times where 300 are due"
    displayed = [
        repr(result),
        result._repr_html_().replace("&#x27;", "'"),
        result_table(result).to_latex(),
        result_table(result).to_html().replace("&#x27;", "'"),
        methods_paragraph(result, ABSTAIN).text,
    ]
    assert [text.count(line) for text in displayed] == [1] * len(displayed)
    written = json.loads(json.dumps(result.to_dict()))["goodness_of_fit"]
    assert written["doubted"]
    assert written["p_value"] == pytest.approx(2.6e-20, rel=0.02)
    assert written["tests"][0]["expected"] == pytest.approx([300, 300])


def test_nothing_is_said_of_reports_that_fit():
    result = ak.estimate(ak.Tally(ABSTAIN, {"yes": 250, "no": 450, "don't know": 300}))
    assert not result.goodness_of_fit.misfit
    assert "misfit" not in repr(result)
    assert "do not fit" not in methods_paragraph(result, ABSTAIN).text


def test_without_reports_there_is_no_test_and_that_is_a_value():
    fit = ak.estimate(ak.Tally(ABSTAIN, {})).goodness_of_fit
    assert fit.untested is Untested.NO_REPORTS
    assert np.isnan(fit.p_value)
    assert fit.to_dict()["p_value"] is None


NOT_ESTIMATED = {
    "AreaFigure": "a part of an estimate",
    "AreaShares": "a part of an estimate",
    "Chernoff": "of channels",
    "Computation": "what was computed",
    "Convergence": "a status",
    "DesignEffectTest": "a test of what is supposed",
    "DesignVariance": "a part of an estimate",
    "Discrimination": "of channels",
    "ErrorSource": "a part of a fit",
    "FitClaim": "a claim",
    "FitTest": "a test of it",
    "FrequencyCovariance": "a part of an estimate",
    "GoodnessOfFit": "the tests themselves",
    "GroupTest": "a kind of test",
    "HausmanTest": "a test of two fits",
    "Identification": "of channels",
    "ItemCounts": "counts",
    "JointInclusion": "how people were drawn",
    "LearnerProvenance": "a part of a learner",
    "LearningAlgorithm": "a kind of learner",
    "ListCombination": "a part of an estimate",
    "Manipulation": "of channels",
    "Margins": "a part of a fit",
    "NoncomplianceModel": "a kind of people",
    "Noncompliers": "a kind of people",
    "OveridentificationTest": "a test of fit itself",
    "RangeManipulation": "of channels",
    "ReplicateColumns": "how people were drawn",
    "ReplicateWeights": "how people were drawn",
    "SampleTest": "a test of groups",
    "SamplingColumns": "how people were drawn",
    "SamplingDesign": "how people were drawn",
    "Scrambling": "a recipe",
    "ScramblingModel": "a recipe",
    "ShareEstimator": "a part of an estimate",
    "ShareLikelihood": "a likelihood",
    "StandardErrors": "a part of a fit",
    "StudentNoise": "a law",
    "SupportLaw": "a law",
    "SurveyStatistic": "of plain numbers",
    "TypeEstimator": "a part of an estimate",
    "Untested": "a reason",
}
"""Public classes of the room that estimate nothing from reports, and what they are."""


def test_every_result_says_whether_its_reports_fit():
    """A new class estimates from reports, and has tests of fit, or is listed with what it is."""
    room = ak.inference
    classes = {name for name in dir(room) if isinstance(getattr(room, name), type)}
    without = {name for name in classes if not hasattr(getattr(room, name), "goodness_of_fit")}
    assert without == NOT_ESTIMATED.keys() & classes
    assert NOT_ESTIMATED.keys() <= classes


FITTING = ak.Tally(ABSTAIN, {"yes": 250, "no": 450, "don't know": 300})


def rows_of(tally):
    counted = zip(tally.channel.reports, tally.counts, strict=True)
    return [report for report, count in counted for _ in range(count)]


def by_town(tally):
    return {"west": FITTING, "east": tally, "south": FITTING}


def joint(tally):
    """Two questions: the second one fits."""
    warner = ak.Warner(truth="3/4").channel(YES_NO)
    counts = np.stack([tally.counts // 2, tally.counts - tally.counts // 2], axis=1)
    return ak.inference.estimate_joint({"a": ABSTAIN, "b": warner}, counts)


def corrected(tally):
    """Beside an anchor that is true of nobody, to whose reports everybody attends."""
    warner = ak.Warner(truth="3/4").channel(YES_NO)
    pairs = {
        (report, replies): int(count // 4 if replies == "yes" else count - count // 4)
        for report, count in zip(ABSTAIN.reports, tally.counts, strict=True)
        for replies in warner.reports
    }
    return ak.inference.correct_inattention(ABSTAIN, warner, pairs, anchor_shares={"no": 1})


RESULTS = {
    "sets": lambda t: ak.inference.estimate_sets(t, {"yes": ["yes"]}),
    "domains": lambda t: ak.inference.estimate_domains(by_town(t), by="town"),
    "groups": lambda t: ak.inference.compare_groups(ak.channels.GroupedTally(by_town(t))),
    "small areas": lambda t: ak.inference.estimate_small_areas(by_town(t)),
    "joint": joint,
    "inattention": corrected,
    "nonresponse": ak.inference.nonresponse_bounds,
    "sensitivity": lambda t: ak.inference.sensitivity(t, most="1/10", steps=1),
    "regression": lambda t: ak.response_regression(rows_of(t), None, ABSTAIN),
    "outcome": lambda t: ak.inference.outcome_regression(
        np.arange(t.total) % 7 + 3.0 * (np.arange(t.total) < t.counts[0]), rows_of(t), None, ABSTAIN
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_each_estimator_says_it_in_print_and_json(name):
    line = "“don't know”"
    results, odd = RESULTS[name](FITTING), RESULTS[name](TOO_FEW)
    assert "misfit" not in repr(results)
    assert not results.goodness_of_fit.doubted
    assert odd.goodness_of_fit.doubted
    assert line in odd.goodness_of_fit.worst.event
    assert repr(odd).count("came 170 times where 300 ") == 1
    assert '"doubted": true' in json.dumps(odd.to_dict())


def test_people_who_do_not_comply_explain_what_does_not_fit():
    """Fewer yes than are forced: some say no whatever the die shows, and nobody is accused."""
    tally = ak.Tally(FORCED, {"yes": 60, "no": 940})
    assert ak.estimate(tally).goodness_of_fit.doubted
    result = ak.inference.estimate_compliance(tally, ak.inference.self_protective("no"))
    assert not result.goodness_of_fit.doubted
    assert "misfit" not in repr(result)
    regressed = ak.response_regression(rows_of(tally), None, FORCED)
    assert regressed.goodness_of_fit.doubted


def test_support_counts_are_tested_one_by_one_and_together():
    answers = ["a", "b", "c", "d"]
    law = ak.inference.SupportLaw(
        true_positive_rate="1/2", false_positive_rate="1/4", both_inside="1/8", both_outside="1/16"
    )
    fits = ak.inference.estimate_supports([2600, 4700, 2600, 2600], 10_000, law, labels=answers)
    assert not fits.goodness_of_fit.doubted
    rare = ak.inference.estimate_supports([2000, 4500, 3000, 3000], 10_000, law, labels=answers)
    worst = rare.goodness_of_fit.tests[0]
    assert worst.p_value == pytest.approx(4 * 2 * binom.cdf(2000, 10_000, 0.25), rel=1e-6)
    assert "“a” came 2,000 times where 2,500 to 5,000 are due" in repr(rare)
    more = ak.inference.estimate_supports([3000] * 4, 10_000, law, labels=answers)
    total = more.goodness_of_fit.tests[1]
    assert (total.claim, total.observed) == (FitClaim.TOTAL, 12_000)
    assert total.expected == pytest.approx((12_500, 12_500))
    away, variance = 500, 10_000 * (0.25 + 3 * 0.1875)  # independent bits
    assert total.p_value >= chi2.sf(away**2 / variance, 1)
    assert total.p_value < 1e-6


def test_ranges_that_the_cuts_do_not_make_are_found_on_a_line():
    channel = ak.RangeChannel(ak.Line(0, 4, 1), [1, 1, 1])
    even = channel.ranges([[0, 2], [2, 4], [0, 1], [1, 4], [0, 3], [3, 4]], [50] * 6)
    assert not ak.estimate_line(channel, even).goodness_of_fit.doubted
    odd = ak.estimate_line(channel, channel.ranges([[0, 2], [3, 4]], [20, 400]))
    assert odd.goodness_of_fit.doubted
    assert repr(odd).count("misfit") == 1


CHANGED = ak.inference.ItemCounts([10, 30, 40, 20], {"a": [10, 60, 20, 6, 4]})
"""Seven in ten of those who see the item count at most one: of the others four in ten do."""
COUNTS = ak.inference.ItemCounts([10, 30, 40, 20], {"a": [8, 24, 36, 24, 8]})
CAME = "A count of at most 1 with “a” listed came 70 times where 10 to 40 are due"


def people_of(tally):
    """Give the report and the list of each person."""
    groups = zip(("no", *tally.sensitive), tally.counts.astype(int), strict=True)
    result = [
        (index, name) for name, row in groups for index, n in enumerate(row) for _ in range(n)
    ]
    return tuple(zip(*result, strict=True))


def one_list(fit, **more):
    return lambda tally: fit(*people_of(tally), items=3, control="no", **more)


def paid(tally):
    replies, arms = people_of(tally)
    earned = np.arange(len(replies)) % 5 + 2.0 * np.array(replies)
    return ak.inference.item_count_outcome(replies, arms, earned, items=3, control="no")


def asked_too(tally):
    replies, arms = people_of(tally)
    yes = np.arange(len(replies)) % 5 == 0
    return ak.inference.item_count_with_direct(replies, arms, yes.astype(int), control="no")


def in_two_lists(tally):
    replies, arms = people_of(tally)
    return ak.inference.double_item_count(
        replies, [reply % 2 for reply in replies], arms, control="no"
    )


LISTS = {
    "difference": ak.inference.item_count,
    "types": lambda tally: ak.inference.item_count(tally).types(),
    "likely types": lambda tally: ak.inference.item_count(tally).likely_types(),
    "likelihood": one_list(
        ak.inference.item_count_regression, misreport="floor", overdispersed=True
    ),
    "squares": one_list(ak.inference.item_count_least_squares, link="identity"),
    "outcome": paid,
    "direct": asked_too,
    "two lists": in_two_lists,
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_say_that_answers_to_the_other_items_changed(name):
    """By Fisher's exact test, over the six inequalities that one more item must keep."""
    odd = LISTS[name](CHANGED)
    lists = 2 if name == "two lists" else 1
    exact = lists * 6 * hypergeom.sf(69, 200, 110, 100)
    assert exact <= odd.goodness_of_fit.p_value < 1.02 * exact
    assert odd.goodness_of_fit.worst.claim is FitClaim.ADDED_ITEM
    line = CAME if "“a”" in repr(odd) else CAME.replace("“a”", "the sensitive item")
    line = line.replace(" came", " in the first list came") if lists == 2 else line
    assert repr(odd).count(line) == 1
    assert odd.to_dict()["goodness_of_fit"]["doubted"]
    assert line in methods_paragraph(odd).text
    kept_lists = LISTS[name](COUNTS)
    assert "misfit" not in repr(kept_lists)
    assert not kept_lists.goodness_of_fit.doubted


@pytest.mark.parametrize("people", [(20, 30), (200, 40), (5, 500), (2, 2), (300, 300)])
def test_a_list_is_tested_by_the_exact_law(people):
    """Never below Fisher's p-value, and less than four times it, however few people there are."""
    rng = np.random.default_rng(38)
    for _ in range(20):
        control, observed = (rng.multinomial(n, rng.dirichlet([1, 1, 1])) for n in people)
        tally = ak.inference.ItemCounts(control.tolist(), {"a": [*observed.tolist(), 0]})
        (m, n), control, observed = people, control.cumsum(), observed.cumsum()
        many = [hypergeom.sf(observed[y] - 1, n + m, observed[y] + control[y], n) for y in (0, 1)]
        few = [hypergeom.cdf(observed[y], n + m, observed[y] + control[y - 1], n) for y in (1, 2)]
        exact = 4 * min(many + few)
        (test,) = ak.inference.item_count(tally).goodness_of_fit.tests
        assert min(1, exact) * (1 - 1e-6) <= test.p_value <= min(1, 4 * exact)


def test_weighted_lists_are_worth_as_many_people_as_their_design_effect_says():
    """Weights of one size change nothing; a tenth of people with ten times the weight does."""
    replies, arms = people_of(CHANGED)
    count = {"items": 3, "control": "no"}
    items = ak.inference.count_items(replies, arms, weights=np.full(len(replies), 7.0), **count)
    plain = ak.inference.item_count(CHANGED).goodness_of_fit.p_value
    assert ak.inference.item_count(items).goodness_of_fit.p_value == pytest.approx(plain)
    few = np.where(np.arange(len(replies)) % 10 == 0, 91.0, 1.0)
    uneven = ak.inference.count_items(replies, arms, weights=few, **count)
    assert ak.inference.item_count(uneven).goodness_of_fit.worst.reports < 20
    villages = ak.inference.SamplingDesign(clusters=np.arange(len(replies)) % 20)
    drawn_items = ak.inference.count_items(replies, arms, sampling=villages, **count)
    assert 0 < ak.inference.item_count(drawn_items).goodness_of_fit.worst.reports <= 100 + 1e-9


def test_who_says_any_number_is_not_tested():
    fit = one_list(ak.inference.item_count_regression, misreport="uniform")(COUNTS)
    assert fit.goodness_of_fit.untested is Untested.NO_TEST
