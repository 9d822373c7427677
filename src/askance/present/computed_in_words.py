"""How a result was computed, for a methods section: model, variances, intervals, and their sources.

A result is known by its name, so that nothing is loaded that the one at hand does not need.
"""

import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from askance.results import ErrorSource

Said = tuple[str, tuple[str, ...]]
"""A sentence, and the keys of its sources, which stand where it has braces."""


def computed_in_words(result: Any, channel: Any) -> list[Said]:
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


def errors_in_words(fit: Any) -> Said:
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
    told, sources = _ERRORS.get(fit.errors, (f"robust {{}} ({fit.errors})", ("huber1967",)))
    return f"Standard errors are {told}, intervals of {level} normal", sources


_ERRORS: Mapping[str, Said] = MappingProxyType(
    {
        ErrorSource.OBSERVED: ("those of the observed information", ()),
        ErrorSource.EXPECTED: ("those of the expected information", ()),
        ErrorSource.SCORES: ("those of the products of scores {}", ("berndt1974",)),
        ErrorSource.ROBUST: ("robust {}", ("huber1967",)),
    }
)


def replicates_of(method: str) -> str:
    """Over how many replicates variances were found; nothing where they are linearised.

    >>> replicates_of("se by 1,200 replicates, 30 degrees of freedom")
    '1,200'
    """
    found = re.search(r"([\d,]+) replicates", method)
    return found[1] if found else ""


def _row(found: Any) -> str:
    return f"{100 * found.level:g} %"


def _by_law(found: Any) -> Said:
    """Normal intervals, or Student's where a design has degrees of freedom."""
    freedom = getattr(found, "freedom", math.inf)
    if math.isinf(freedom):
        return f"The {_row(found)} intervals are normal", ()
    return (
        f"Variances are design-based {{}}, and the {_row(found)} intervals are Student's with "
        f"{freedom:g} degrees of freedom",
        ("sarndal1992",),
    )


def _weighted(found: Any) -> str:
    return "" if math.isinf(getattr(found, "freedom", math.inf)) else "weighted "


LIST: Said = (
    "The sensitive item was asked in a list experiment (item count technique) {}: people drawn at "
    "random saw the control items alone, the others the sensitive item too, and each said only how "
    "many hold",
    ("miller1984", "droitcour1991"),
)
"""How a list experiment asks."""


def _difference(found: Any) -> list[Said]:
    tally = found.tally
    law = "Student's" if math.isfinite(tally.freedom) else "normal"
    how = "design-based {}" if tally.covariance is not None else "those of two independent means {}"
    sources = ("sarndal1992",) if tally.covariance is not None else ("imai2011",)
    return [
        (
            "The share for whom the item holds is the difference in means of the two groups {}",
            ("blair2012",),
        ),
        (f"Variances are {how}; the {_row(found)} intervals are {law}, cut to [0, 1]", sources),
    ]


def _types(found: Any) -> list[Said]:
    return [
        (
            "Joint shares of the sensitive item and the number of control items were estimated by "
            f"{found.how.removeprefix('by ')} {{}}",
            ("blair2012",),
        )
    ]


def _no_design_effect(_: Any) -> list[Said]:
    return [
        (
            "That the sensitive item changes no answer to the control items was tested by moment "
            "inequalities, against a mixture of χ² laws {}",
            ("blair2012", "kudo1963"),
        )
    ]


def _same_either_way(found: Any) -> list[Said]:
    law = "χ²" if math.isinf(found.sampled) else f"F with {found.sampled:g} degrees of freedom"
    return [
        (
            "Coefficients by least squares and by maximum likelihood were compared by Hausman's "
            f"specification test {{}}, with the covariance of their difference, against {law}",
            ("hausman1978",),
        )
    ]


def _combined(found: Any) -> list[Said]:
    direct = "direct" in " ".join(found.shares.labels)
    if direct:
        how = "The list was combined with the direct question, whose “yes” is taken to be true {}"
        sources = ("aronow2015",)
    else:
        how = "Each person saw the sensitive item in one of two lists, and both estimates were "
        how, sources = how + "averaged {}", ("droitcour1991",)
    return [(how, sources), _by_law(found.shares)]


def _item_regression(found: Any) -> list[Said]:
    model, weighted = found.model, _weighted(found)
    how = "pseudo-likelihood" if weighted else "maximum likelihood"
    said: list[Said] = [
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
        said.append(
            (f"Some were allowed to {liars} {{}}", ("blair2012" if early else "blair2019",))
        )
    if found.anchored:
        said.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*said, errors_in_words(found)]


def _item_squares(found: Any) -> list[Said]:
    how = "nonlinear" if found.link == "logit" else "linear"
    said: list[Said] = [
        (
            f"The sensitive item was regressed on the covariates by two-step {how} least squares, "
            "with robust errors that allow for both steps {}",
            ("imai2011",),
        )
    ]
    if found.anchored:
        said.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*said, _by_law(found)]


def _outcome(found: Any, channel: Any) -> list[Said]:
    kind = "linear model with normal errors" if math.isfinite(found.scale) else "logit model"
    cause, source = (
        ("true answer", "blair2015") if channel is not None else ("sensitive item", "imai2015")
    )
    return [
        (
            f"An outcome was regressed on the {cause} and the covariates by a {kind}, by "
            f"maximising the {_weighted(found)}likelihood of reports and outcomes together {{}}",
            (source,),
        ),
        errors_in_words(found),
    ]


def _scrambled(found: Any) -> list[Said]:
    sources = _SCRAMBLED.get(found.design, ())
    if found.by_channel:
        how = "The mean is that of unbiased estimates of each number from its report {}"
        return [(how, ("wang2017",)), _by_law(found)]
    cited = " {}" if sources else ""
    how = f"Numbers were scrambled by the design of {found.design}{cited}, and unscrambled by the "
    return [
        (f"{how}moments of the scramble; the mean is that of the unscrambled numbers", sources),
        _by_law(found),
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


def _curve(found: Any) -> list[Said]:
    how = "nonparametric maximum likelihood from interval-censored observations {}"
    if found.method.startswith("naive"):
        return [
            ("The distribution was estimated by the likelihood of Ding and Ding {}", ("ding2022",))
        ]
    return [(f"The distribution was estimated by {how}", ("turnbull1976",))]


def _smooth(found: Any) -> list[Said]:
    return [
        *_curve(found.fit),
        (
            f"It was smoothed by a kernel of bandwidth {found.bandwidth:.3g} {{}}",
            ("groeneboom2010",),
        ),
    ]


def _family(found: Any) -> list[Said]:
    return [
        (
            f"The distribution {found.family.name} was fitted to interval-censored observations by "
            "maximum likelihood {}, with standard errors of the information",
            ("turnbull1976",),
        ),
        ("Its fit was tested by Neyman's smooth test {}", ("neyman1937",)),
    ]


def _censored(found: Any) -> list[Said]:
    number = "logarithm of the number" if found.log else "number"
    return [
        (
            f"The {number} was regressed on the covariates by a linear model with "
            f"{found.noise.name} errors, by maximising the {_weighted(found)}likelihood of the "
            "intervals {}",
            ("tobin1958", "kalbfleisch2002"),
        ),
        errors_in_words(found),
    ]


def _points(found: Any) -> list[Said]:
    what = "shares up to a point" if hasattr(found, "at") else "quantiles"
    grid = found.scope.ties.name in ("PARTLY", "GRID")
    together = "simultaneous " if getattr(found, "together", False) else ""
    return [
        (
            "The distribution was estimated by nonparametric maximum likelihood {}",
            ("turnbull1976",),
        ),
        (
            f"The {_row(found)} {together}intervals of {what} invert its likelihood ratio {{}}",
            ("banerjee2001", "tang2012") if grid else ("banerjee2001",),
        ),
        _scope(found.scope),
    ]


def _scope(scope: Any) -> Said:
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


def _functional(found: Any) -> list[Said]:
    return [
        (
            "The average was estimated by its nonparametric maximum-likelihood estimate, which "
            "errs least among regular estimates {}",
            ("groeneboom1992", "geskus1999"),
        ),
        _by_law(found),
    ]


def _ding(found: Any) -> list[Said]:
    return [
        ("The mean is the unbiased estimate of Ding and Ding {}", ("ding2022",)),
        _by_law(found),
    ]


def _drawn_as_stated(_: Any) -> list[Said]:
    return [
        (
            "Whether any shares explain the reports was tested by the count of each, as a "
            "binomial, and by likelihood ratio with a bound for every number of reports {}",
            ("agrawal2020", "hoeffding1963"),
        )
    ]


def _equal_groups(found: Any) -> list[Said]:
    rank = found.method == "log-rank"
    dealt = f" among {found.permutations:,} permutations {{}}" if found.permutations else ""
    sources = ("sun1996", "fay2010") if rank else ("smirnov1939", "turnbull1976")
    return [
        (
            f"That the groups have one distribution was tested by the {found.method} statistic for "
            "interval-censored observations {}",
            sources,
        ),
        *([(f"The p-value is its rank{dealt}", ("phipson2010",))] if dealt else []),
    ]


def _joint(found: Any) -> list[Said]:
    return [
        (
            f"Shares of the combinations of {len(found.questions)} answers were estimated by "
            f"{_weighted(found)}maximum likelihood from the reports of each person together",
            (),
        ),
        (
            f"The {_row(found)} intervals invert the score test {{}}, widened by what protection "
            "adds to the variance",
            ("wilson1927",),
        ),
        *(
            []
            if math.isinf(found.freedom)
            else [("Variances are design-based {}", ("binder1983",))]
        ),
    ]


def _frequencies(found: Any) -> list[Said]:
    law = found.law
    chances = f"{float(law.inside):.4g}, and another one with chance {float(law.outside):.4g}"
    how = {
        "unbiased": ("by unbiased inversion", ("wang2017",)),
        "clipped": ("by unbiased inversion, cut at 0 and divided by their sum", ("wang2020",)),
        "projected": ("by unbiased inversion, projected on the simplex", ("wang2020",)),
        "most likely": ("by maximum likelihood", ("kairouz2016discrete",)),
        "posterior": ("as means under a Dirichlet prior", ("wang2020",)),
        "shrunk": ("by unbiased inversion, shrunk towards equal shares", ("efron1973",)),
    }[found.method]
    return [
        (
            "Each report names a set of answers (frequency oracle): the true one with chance "
            f"{chances} {{}}",
            ("wang2017",),
        ),
        (f"Shares were estimated {how[0]} {{}}", how[1]),
        (f"The {_row(found)} intervals invert the score test of each count {{}}", ("wilson1927",)),
        *(
            [("Counts are those of as many equally weighted reports as tell as much {}", _EQUAL)]
            if found.sampled is not None
            else []
        ),
    ]


_EQUAL = ("korn1998",)


def _common(found: Any) -> list[Said]:
    any_law = found.dependence != "positive"
    return [
        *_frequencies(found.estimate),
        (
            f"Answers more common than {found.above:g} were found at a false-discovery rate of "
            f"{100 * found.rate:g} % {{}}",
            ("benjamini2001",) if any_law else ("benjamini1995",),
        ),
    ]


def _all_at_once(found: Any) -> list[Said]:
    return [
        *_frequencies(found.estimate),
        (
            f"Simultaneous {_row(found)} intervals are those of Clopper and Pearson {{}} with "
            "Bonferroni's correction",
            ("clopper1934",),
        ),
    ]


def _walley(found: Any) -> list[Said]:
    return [
        ("The share is told as the interval between belief and plausibility {}", ("li2022",)),
        (f"The {_row(found)} interval holds the share itself {{}}", ("imbens2004", "stoye2009")),
    ]


def _if_some_lie(found: Any) -> list[Said]:
    return [
        (
            f"Shares are told by how many people do not comply ({found.kind}); where the reports "
            "do not determine them, by both ends of the identified set, whose "
            f"{_row(found)} interval holds all of it",
            (),
        )
    ]


def _moved(found: Any) -> list[Said]:
    return [
        (
            f"The largest effect of {found.false:,} false reports was computed by linear "
            "programmes over all reports that could be sent {}",
            ("cheu2021",),
        )
    ]


def _moved_ranges(found: Any) -> list[Said]:
    return [
        (
            f"The largest effect of {found.false:,} false ranges on the mean and on quantiles was "
            "computed over all ranges that could be sent {}",
            ("turnbull1976",),
        )
    ]


def _whether_any(found: Any) -> list[Said]:
    law, sources = (" by F, for its design effects {}", ("raoscott1984",))
    if found.effects is None:
        law, sources = " {}", ("heck2018",)
    return [(f"Whether any shares fit the reports was tested by likelihood ratio{law}", sources)]


def _likeliest(_: Any) -> list[Said]:
    return [("Shares were estimated by maximum likelihood", ())]


def _statistic(found: Any) -> list[Said]:
    return [
        (
            f"The {found.what} was estimated with the sampling weights {{}}",
            ("horvitz1952",),
        ),
        _by_law(found),
    ]


def _classifier(found: Any) -> list[Said]:
    learner = (
        type(found.estimator).__name__ if found.estimator is not None else "LogisticRegression"
    )
    if found.method == "corrected":
        how, source = "weights that invert the channel without bias {}", "natarajan2013"
    else:
        how, source = "an EM algorithm over the true answers {}", "dempster1977"
    return [(f"True answers were classified by {learner}, fitted to reports by {how}", (source,))]


def _imputed(found: Any) -> list[Said]:
    learner = type(found.estimator).__name__ if found.estimator is not None else "LinearRegression"
    return [
        (
            f"Numbers seen as ranges were regressed by {learner}, each replaced in turn by its "
            "mean given its range and the fit {}",
            ("ding2022",),
        )
    ]


def _boosted(_: Any) -> list[Said]:
    return [
        (
            "Numbers seen as ranges were regressed by boosted trees on the likelihood of the "
            "ranges {}",
            ("friedman2001",),
        )
    ]


def _best_channel(found: Any) -> list[Said]:
    utility = _UTILITIES.get(type(found.utility).__name__, "the utility")
    return [
        (
            f"The channel is the best in {utility} under its bounds, found by mixing extremal "
            "columns, and rounded to whole numbers {}",
            ("kairouz2016", "yoshida2019", "ye2018"),
        ),
        *((str(one).rstrip("."), ()) for one in found.promises),
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


def _best_cuts(_: Any) -> list[Said]:
    return [
        (
            "The law of the random cuts is the one of least variance of the mean at the promised "
            "coverage {}",
            ("ding2022",),
        )
    ]


def _size(found: Any) -> list[Said]:
    how = "by going through every count" if found.exact else "by the normal law"
    return [
        (
            f"The sample size ({found.people:,} people to ask, {found.reports:,} reports) was "
            f"found {how}, for the aim “{found.aim}” {{}}",
            ("cochran1977",),
        )
    ]


def _planned(found: Any) -> list[Said]:
    return [
        (
            f"Of {len(found.alternatives)} designs within the bound “{found.bounds}” the one was "
            f"chosen that needs the fewest respondents for the aim “{found.aim}”",
            (),
        ),
        ("Optimal channels among them were found by mixing extremal columns {}", ("kairouz2016",)),
    ]


def _audited(found: Any) -> list[Said]:
    return [
        (
            f"The mechanism was asked {found.draws:,} times; lower bounds of its privacy losses "
            "are from exact binomial limits of events that were chosen on other draws {}",
            ("clopper1934", "jagielski2020", "arcolezi2024"),
        ),
        (
            "Checks are exact tests with a step-down correction {}, and a right mechanism is found "
            f"fault with in at most {100 * found.failure:g} % of audits",
            ("holm1979",),
        ),
    ]


_Sentences = Callable[[Any], list[Said]]

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
        "UnbiasedMean": _ding,
        "GoodnessOfFit": _drawn_as_stated,
        "SampleTest": _equal_groups,
        "JointEstimate": _joint,
        "FrequencyEstimate": _frequencies,
        "CommonestAnswers": _common,
        "SimultaneousIntervals": _all_at_once,
        "WalleyInterval": _walley,
        "Sensitivity": _if_some_lie,
        "Manipulation": _moved,
        "RangeManipulation": _moved_ranges,
        "OveridentificationTest": _whether_any,
        "MostLikely": _likeliest,
        "DesignStatistic": _statistic,
        "ItemCountEstimate": _difference,
        "TypeShares": _types,
        "DesignEffectTest": _no_design_effect,
        "HausmanTest": _same_either_way,
        "CombinedShares": _combined,
        "ItemCountRegression": _item_regression,
        "ItemCountLeastSquares": _item_squares,
        "ChannelClassifier": _classifier,
        "IntervalRegressor": _imputed,
        "IntervalBooster": _boosted,
        "Design": _best_channel,
        "OptimalCuts": _best_cuts,
        "SampleSize": _size,
        "Plan": _planned,
        "Audit": _audited,
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
