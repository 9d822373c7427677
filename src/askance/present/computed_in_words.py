"""How a result was computed, for a methods section: model, variances, intervals, and their sources.

A result is known by its name, so that nothing is loaded that the one at hand does not need.
"""

import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from askance.results import ErrorSource

CitedSentence = tuple[str, tuple[str, ...]]
"""A sentence, and the keys of its sources, which stand where it has braces."""


def computed_in_words(result: Any, channel: Any) -> list[CitedSentence]:
    """Say by which model a result was computed, and where its errors and intervals come from.

    Parameters
    ----------
    result : result of an estimator
    channel : Channel, range channel, mapping or None
        Through which the reports came.

    >>> from askance.inference import ItemCounts, item_count
    >>> fit = item_count(ItemCounts([8, 132, 222, 227], {"x": [9, 78, 172, 184, 139]}))
    >>> computed_in_words(fit, None)[0][0][:60]
    'The share for whom the item holds is the difference in means'
    """
    name = type(result).__name__
    if name == "OutcomeRegression":
        return _outcome(result, channel)
    return _COMPUTED[name](result)


def errors_in_words(fit: Any) -> CitedSentence:
    """Say where the standard errors of a regression come from.

    >>> from askance import Ranges, censored_regression
    >>> hours = Ranges([0, 2, 4, 6, 8, 10] * 2, [2, 4, 6, 8, 10, 12] * 2)
    >>> fit = censored_regression(hours, [[x] for x in (0, 1, 1, 2, 2, 3, 0, 0, 1, 2, 3, 3)])
    >>> errors_in_words(fit)[0]
    'Standard errors are those of the observed information, intervals of 95 % normal'
    """
    level = f"{100 * fit.level:g} %"
    if not math.isinf(fit.freedom):
        how = replicates_of(fit.errors)
        by = f"over fits to each of {how} replicates" if how else "linearised"
        return (
            f"Standard errors are design-based, {by} {{}}, with intervals of "
            f"{level} by Student's law with {fit.freedom:g} degrees of freedom",
            ("sarndal1992",) if how else ("binder1983",),
        )
    source, sources = _ERRORS.get(fit.errors, (f"robust {{}} ({fit.errors})", ("huber1967",)))
    return f"Standard errors are {source}, intervals of {level} normal", sources


_ERRORS: Mapping[str, CitedSentence] = MappingProxyType(
    {
        ErrorSource.OBSERVED: ("those of the observed information", ()),
        ErrorSource.EXPECTED: ("those of the expected information", ()),
        ErrorSource.SCORES: ("those of the products of scores {}", ("berndt1974",)),
        ErrorSource.ROBUST: ("robust {}", ("huber1967",)),
    }
)


def replicates_of(method: str) -> str:
    """Read the number of replicates from a method; an empty text for linearisation.

    >>> replicates_of("se by 1,200 replicates, 30 degrees of freedom")
    '1,200'
    """
    match = re.search(r"([\d,]+) replicates", method)
    return match[1] if match else ""


def _write_level(result: Any) -> str:
    return f"{100 * result.level:g} %"


def _describe_intervals(result: Any) -> CitedSentence:
    """Normal intervals, or Student's where a design has degrees of freedom."""
    freedom = getattr(result, "freedom", math.inf)
    if math.isinf(freedom):
        return f"The {_write_level(result)} intervals are normal", ()
    return (
        f"Variances are design-based {{}}, and the {_write_level(result)} intervals are Student's "
        f"with {freedom:g} degrees of freedom",
        ("sarndal1992",),
    )


def _word_weighting(result: Any) -> str:
    return "" if math.isinf(getattr(result, "freedom", math.inf)) else "weighted "


LIST: CitedSentence = (
    "The sensitive item was asked in a list experiment (item count technique) {}: people drawn at "
    "random saw the control items alone, the others the sensitive item too, and each said only how "
    "many hold",
    ("miller1984", "droitcour1991"),
)
"""How a list experiment asks."""


def _difference(result: Any) -> list[CitedSentence]:
    tally = result.tally
    law = "Student's" if math.isfinite(tally.freedom) else "normal"
    how = "design-based {}" if tally.covariance is not None else "those of two independent means {}"
    sources = ("sarndal1992",) if tally.covariance is not None else ("imai2011",)
    return [
        (
            "The share for whom the item holds is the difference in means of the two groups {}",
            ("blair2012",),
        ),
        (
            f"Variances are {how}; the {_write_level(result)} intervals are {law}, cut to [0, 1]",
            sources,
        ),
    ]


def _types(result: Any) -> list[CitedSentence]:
    return [
        (
            "Joint shares of the sensitive item and the number of control items were estimated by "
            f"{result.how.removeprefix('by ')} {{}}",
            ("blair2012",),
        )
    ]


def _design_effect_test(_: Any) -> list[CitedSentence]:
    return [
        (
            "That the sensitive item changes no answer to the control items was tested by moment "
            "inequalities, against a mixture of χ² laws {}",
            ("blair2012", "kudo1963"),
        )
    ]


def _hausman_test(result: Any) -> list[CitedSentence]:
    law = "χ²" if math.isinf(result.sampled) else f"F with {result.sampled:g} degrees of freedom"
    return [
        (
            "Coefficients by least squares and by maximum likelihood were compared by Hausman's "
            f"specification test {{}}, with the covariance of their difference, against {law}",
            ("hausman1978",),
        )
    ]


def _combined(result: Any) -> list[CitedSentence]:
    direct = "direct" in " ".join(result.shares.labels)
    if direct:
        how = "The list was combined with the direct question, whose “yes” is taken to be true {}"
        sources = ("aronow2015",)
    else:
        how = "Each person saw the sensitive item in one of two lists, and both estimates were "
        how, sources = how + "averaged {}", ("droitcour1991",)
    return [(how, sources), _describe_intervals(result.shares)]


def _item_regression(result: Any) -> list[CitedSentence]:
    model, weighted = result.model, _word_weighting(result)
    how = "pseudo-likelihood" if weighted else "maximum likelihood"
    sentences: list[CitedSentence] = [
        (
            "The sensitive item was regressed on the covariates by a logit model beside a "
            f"{'beta-' * model.overdispersed}binomial model of the control items, by {weighted}"
            f"{how} {{}}",
            ("imai2011",),
        )
    ]
    if model.misreport != "none":
        liars = {
            "ceiling": "say one item less where all hold",
            "floor": "say 0 where only the sensitive item holds",
            "ceiling and floor": "say one item less where all hold, and others 0 where only the "
            "sensitive item does",
            "top": "say the largest number whatever holds",
            "uniform": "say any number at random",
        }[model.misreport]
        early = model.misreport in ("ceiling", "floor", "ceiling and floor")
        sentences.append(
            (f"Some were allowed to {liars} {{}}", ("blair2012" if early else "blair2019",))
        )
    if result.anchored:
        sentences.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*sentences, errors_in_words(result)]


def _item_squares(result: Any) -> list[CitedSentence]:
    how = "nonlinear" if result.link == "logit" else "linear"
    sentences: list[CitedSentence] = [
        (
            f"The sensitive item was regressed on the covariates by two-step {how} least squares, "
            "with robust errors that allow for both steps {}",
            ("imai2011",),
        )
    ]
    if result.anchored:
        sentences.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*sentences, _describe_intervals(result)]


def _outcome(result: Any, channel: Any) -> list[CitedSentence]:
    kind = "linear model with normal errors" if math.isfinite(result.scale) else "logit model"
    cause, source = (
        ("true answer", "blair2015") if channel is not None else ("sensitive item", "imai2015")
    )
    return [
        (
            f"An outcome was regressed on the {cause} and the covariates by a {kind}, by "
            f"maximising the {_word_weighting(result)}likelihood of reports and outcomes together "
            "{}",
            (source,),
        ),
        errors_in_words(result),
    ]


def _scrambled(result: Any) -> list[CitedSentence]:
    sources = _SCRAMBLED.get(result.design, ())
    if result.by_channel:
        how = "The mean is that of unbiased estimates of each number from its report {}"
        return [(how, ("wang2017",)), _describe_intervals(result)]
    cited = " {}" if sources else ""
    how = f"Numbers were scrambled by the design of {result.design}{cited}, and unscrambled by the "
    return [
        (f"{how}moments of the scramble; the mean is that of the unscrambled numbers", sources),
        _describe_intervals(result),
    ]


_SCRAMBLED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Eichhorn–Hayre": ("eichhorn1983",),
        "Bar-Lev": ("barlev2004",),
        "Pollock–Bek": ("pollock1976",),
        "Saha": ("saha2007",),
        "Diana–Perri 1": ("diana2010",),
        "Diana–Perri 2": ("diana2010",),
    }
)


def _curve(result: Any) -> list[CitedSentence]:
    how = "nonparametric maximum likelihood from interval-censored observations {}"
    if result.ignores_selection:
        return [
            ("The distribution was estimated by the likelihood of Ding and Ding {}", ("ding2022",))
        ]
    return [(f"The distribution was estimated by {how}", ("turnbull1976",))]


def _smooth(result: Any) -> list[CitedSentence]:
    return [
        *_curve(result.fit),
        (
            f"It was smoothed by a kernel of bandwidth {result.bandwidth:.3g} {{}}",
            ("groeneboom2010",),
        ),
    ]


def _family(result: Any) -> list[CitedSentence]:
    return [
        (
            f"The distribution {result.family.name} was fitted to interval-censored observations "
            "by maximum likelihood {}, with standard errors of the information",
            ("turnbull1976",),
        ),
        ("Its fit was tested by Neyman's smooth test {}", ("neyman1937",)),
    ]


def _censored(result: Any) -> list[CitedSentence]:
    number = "logarithm of the number" if result.log else "number"
    return [
        (
            f"The {number} was regressed on the covariates by a linear model with "
            f"{result.noise.name} errors, by maximising the {_word_weighting(result)}likelihood of "
            "the intervals {}",
            ("tobin1958", "kalbfleisch2002"),
        ),
        errors_in_words(result),
    ]


def _points(result: Any) -> list[CitedSentence]:
    target = "shares up to a point" if hasattr(result, "at") else "quantiles"
    grid = result.scope.ties.name in ("PARTLY", "GRID")
    together = "simultaneous " if getattr(result, "together", False) else ""
    return [
        (
            "The distribution was estimated by nonparametric maximum likelihood {}",
            ("turnbull1976",),
        ),
        (
            f"The {_write_level(result)} {together}intervals of {target} invert its likelihood "
            "ratio {}",
            ("banerjee2001", "tang2012") if grid else ("banerjee2001",),
        ),
        _scope(result.scope),
    ]


def _scope(scope: Any) -> CitedSentence:
    if scope.ties.name == "EXACT":
        return ("Some numbers were told exactly", ())
    if scope.smooth:
        return ("They suppose that the distribution has a positive density", ())
    if scope.least_ratio == 1:
        return ("They hold for any distribution, heaped or not", ())
    return (
        "They hold for any distribution, heaped or not; no 95 % intervals that do are less than "
        f"{scope.least_ratio:g} times as wide, where it is smooth, as those for smooth ones {{}}",
        ("pratt1961",),
    )


def _functional(result: Any) -> list[CitedSentence]:
    return [
        (
            "The average was estimated by its nonparametric maximum-likelihood estimate, which "
            "errs least among regular estimates {}",
            ("groeneboom1992", "geskus1999"),
        ),
        _describe_intervals(result),
    ]


def _unbiased_mean(result: Any) -> list[CitedSentence]:
    return [
        ("The mean is the unbiased estimate of Ding and Ding {}", ("ding2022",)),
        _describe_intervals(result),
    ]


def _goodness_of_fit(_: Any) -> list[CitedSentence]:
    return [
        (
            "Whether any shares explain the reports was tested by the count of each, as a "
            "binomial, and by likelihood ratio with a bound for every number of reports {}",
            ("agrawal2020", "hoeffding1963"),
        )
    ]


def _equal_groups(result: Any) -> list[CitedSentence]:
    rank = result.method == "log-rank"
    dealt = f" among {result.permutations:,} permutations {{}}" if result.permutations else ""
    sources = ("sun1996", "fay2010") if rank else ("smirnov1939", "turnbull1976")
    return [
        (
            f"That the groups have one distribution was tested by the {result.method} statistic "
            "for interval-censored observations {}",
            sources,
        ),
        *([(f"The p-value is its rank{dealt}", ("phipson2010",))] if dealt else []),
    ]


def _joint(result: Any) -> list[CitedSentence]:
    return [
        (
            f"Shares of the combinations of {len(result.questions)} answers were estimated by "
            f"{_word_weighting(result)}maximum likelihood from the reports of each person together",
            (),
        ),
        (
            f"The {_write_level(result)} intervals invert the score test {{}}, widened by what "
            "protection adds to the variance",
            ("wilson1927",),
        ),
        *(
            []
            if math.isinf(result.freedom)
            else [("Variances are design-based {}", ("binder1983",))]
        ),
    ]


def _frequencies(result: Any) -> list[CitedSentence]:
    law = result.law
    chances = f"{float(law.inside):.4g}, and another one with chance {float(law.outside):.4g}"
    how = {
        "unbiased": ("by unbiased inversion", ("wang2017",)),
        "clipped": ("by unbiased inversion, cut at 0 and divided by their sum", ("wang2020",)),
        "projected": ("by unbiased inversion, projected on the simplex", ("wang2020",)),
        "most likely": ("by maximum likelihood", ("kairouz2016discrete",)),
        "posterior": ("as means under a Dirichlet prior", ("wang2020",)),
        "shrunk": ("by unbiased inversion, shrunk towards equal shares", ("efron1973",)),
    }[result.method]
    return [
        (
            "Each report names a set of answers (frequency oracle): the true one with chance "
            f"{chances} {{}}",
            ("wang2017",),
        ),
        (f"Shares were estimated {how[0]} {{}}", how[1]),
        (
            f"The {_write_level(result)} intervals invert the score test of each count {{}}",
            ("wilson1927",),
        ),
        *(
            [("Counts are those of as many equally weighted reports as tell as much {}", _EQUAL)]
            if result.sampled is not None
            else []
        ),
    ]


_EQUAL = ("korn1998",)


def _commonest_answers(result: Any) -> list[CitedSentence]:
    any_law = result.dependence != "positive"
    return [
        *_frequencies(result.estimate),
        (
            f"Answers more common than {result.above:g} were found at a false-discovery rate of "
            f"{100 * result.rate:g} % {{}}",
            ("benjamini2001",) if any_law else ("benjamini1995",),
        ),
    ]


def _simultaneous_intervals(result: Any) -> list[CitedSentence]:
    return [
        *_frequencies(result.estimate),
        (
            f"Simultaneous {_write_level(result)} intervals are those of Clopper and Pearson {{}} "
            "with Bonferroni's correction",
            ("clopper1934",),
        ),
    ]


def _walley(result: Any) -> list[CitedSentence]:
    return [
        ("The share is told as the interval between belief and plausibility {}", ("li2022",)),
        (
            f"The {_write_level(result)} interval holds the share itself {{}}",
            ("imbens2004", "stoye2009"),
        ),
    ]


def _sensitivity(result: Any) -> list[CitedSentence]:
    return [
        (
            f"Shares are told by how many people do not comply ({result.kind}); where the reports "
            "do not determine them, by both ends of the identified set, whose "
            f"{_write_level(result)} interval holds all of it",
            (),
        )
    ]


def _poisoning_bound(result: Any) -> list[CitedSentence]:
    return [
        (
            f"The largest effect of {result.false:,} false reports was computed by linear "
            "programmes over all reports that could be sent {}",
            ("cheu2021",),
        )
    ]


def _poisoning_bound_of_ranges(result: Any) -> list[CitedSentence]:
    return [
        (
            f"The largest effect of {result.false:,} false ranges on the mean and on quantiles was "
            "computed over all ranges that could be sent {}",
            ("turnbull1976",),
        )
    ]


def _overidentification_test(result: Any) -> list[CitedSentence]:
    law, sources = (" by F, for its design effects {}", ("raoscott1984",))
    if result.effects is None:
        law, sources = " {}", ("heck2018",)
    return [(f"Whether any shares fit the reports was tested by likelihood ratio{law}", sources)]


def _most_likely(_: Any) -> list[CitedSentence]:
    return [("Shares were estimated by maximum likelihood", ())]


def _statistic(result: Any) -> list[CitedSentence]:
    return [
        (
            f"The {result.what} was estimated with the sampling weights {{}}",
            ("horvitz1952",),
        ),
        _describe_intervals(result),
    ]


def _classifier(result: Any) -> list[CitedSentence]:
    learner = (
        type(result.estimator).__name__ if result.estimator is not None else "LogisticRegression"
    )
    if result.method == "corrected":
        how, source = "weights that invert the channel without bias {}", "natarajan2013"
    else:
        how, source = "an EM algorithm over the true answers {}", "dempster1977"
    return [(f"True answers were classified by {learner}, fitted to reports by {how}", (source,))]


def _imputed(result: Any) -> list[CitedSentence]:
    learner = (
        type(result.estimator).__name__ if result.estimator is not None else "LinearRegression"
    )
    return [
        (
            f"Numbers seen as ranges were regressed by {learner}, each replaced in turn by its "
            "mean given its range and the fit {}",
            ("ding2022",),
        )
    ]


def _boosted(_: Any) -> list[CitedSentence]:
    return [
        (
            "Numbers seen as ranges were regressed by boosted trees on the likelihood of the "
            "ranges {}",
            ("friedman2001",),
        )
    ]


def _best_channel(result: Any) -> list[CitedSentence]:
    utility = _UTILITIES.get(type(result.utility).__name__, "the utility")
    return [
        (
            f"The channel is the best in {utility} under its bounds, found by mixing extremal "
            "columns, and rounded to whole numbers {}",
            ("kairouz2016", "yoshida2019", "ye2018"),
        ),
        *((str(promise).rstrip("."), ()) for promise in result.promises),
    ]


_UTILITIES: Mapping[str, str] = MappingProxyType(
    {
        "AOptimal": "the sum of the variances (A-optimality)",
        "DOptimal": "the volume of the confidence region (D-optimality)",
        "EOptimal": "the largest variance (E-optimality)",
        "MeanSquaredError": "the mean squared error",
        "MutualInformation": "the mutual information of answer and report",
    }
)


def _best_cuts(_: Any) -> list[CitedSentence]:
    return [
        (
            "The law of the random cuts is the one of least variance of the mean at the promised "
            "coverage {}",
            ("ding2022",),
        )
    ]


def _sample_size(result: Any) -> list[CitedSentence]:
    how = "by going through every count" if result.exact else "by the normal law"
    return [
        (
            f"The sample size ({result.people:,} people to ask, {result.reports:,} reports) was "
            f"found {how}, for the aim “{result.aim}” {{}}",
            ("cochran1977",),
        )
    ]


def _plan(result: Any) -> list[CitedSentence]:
    return [
        (
            f"Of {len(result.alternatives)} designs within the bound “{result.bounds}” the one was "
            f"chosen that needs the fewest respondents for the aim “{result.aim}”",
            (),
        ),
        ("Optimal channels among them were found by mixing extremal columns {}", ("kairouz2016",)),
    ]


def _audit(result: Any) -> list[CitedSentence]:
    return [
        (
            f"The mechanism was asked {result.draws:,} times; lower bounds of its privacy losses "
            "are from exact binomial limits of events that were chosen on other draws {}",
            ("clopper1934", "jagielski2020", "arcolezi2024"),
        ),
        (
            "Checks are exact tests with a step-down correction {}, and a right mechanism is found "
            f"fault with in at most {100 * result.failure:g} % of audits",
            ("holm1979",),
        ),
    ]


_Sentences = Callable[[Any], list[CitedSentence]]

_COMPUTED: Mapping[str, _Sentences] = MappingProxyType(
    {
        "ScrambledMean": _scrambled,
        "Distribution": _curve,
        "SmoothDistribution": _smooth,
        "FamilyFit": _family,
        "CensoredRegression": _censored,
        "PointIntervals": _points,
        "QuantileIntervals": _points,
        "FunctionalInterval": _functional,
        "UnbiasedMean": _unbiased_mean,
        "GoodnessOfFit": _goodness_of_fit,
        "SampleTest": _equal_groups,
        "JointEstimate": _joint,
        "FrequencyEstimate": _frequencies,
        "CommonestAnswers": _commonest_answers,
        "SimultaneousIntervals": _simultaneous_intervals,
        "WalleyInterval": _walley,
        "Sensitivity": _sensitivity,
        "Manipulation": _poisoning_bound,
        "RangeManipulation": _poisoning_bound_of_ranges,
        "OveridentificationTest": _overidentification_test,
        "MostLikely": _most_likely,
        "DesignStatistic": _statistic,
        "ItemCountEstimate": _difference,
        "TypeShares": _types,
        "DesignEffectTest": _design_effect_test,
        "HausmanTest": _hausman_test,
        "CombinedShares": _combined,
        "ItemCountRegression": _item_regression,
        "ItemCountLeastSquares": _item_squares,
        "ChannelClassifier": _classifier,
        "IntervalRegressor": _imputed,
        "IntervalBooster": _boosted,
        "Design": _best_channel,
        "OptimalCuts": _best_cuts,
        "SampleSize": _sample_size,
        "Plan": _plan,
        "Audit": _audit,
    }
)
OF_LISTS = frozenset(
    {
        "ItemCountEstimate",
        "TypeShares",
        "DesignEffectTest",
        "HausmanTest",
        "CombinedShares",
        "ItemCountRegression",
        "ItemCountLeastSquares",
    }
)
"""Results of a list experiment alone."""

COMPUTED = frozenset({*_COMPUTED, "OutcomeRegression"})
"""Names of the results that are told of here."""
