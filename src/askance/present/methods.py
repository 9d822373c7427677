"""A methods paragraph to paste: mechanism, guarantee, sample, estimator, and their sources."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.inference.fit_result import DesignVariance, FitClaim, GoodnessOfFit
from askance.inference.provenance import (
    Computation,
    GroupTest,
    LearnerProvenance,
    LearningAlgorithm,
    ListCombination,
    Misreport,
    NoncomplianceModel,
    ScramblingModel,
    Ties,
    TypeEstimator,
)
from askance.inference.replicate_weights import ReplicateColumns
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.shares.information import Estimate, ShareEstimator
from askance.inference.shares.partial import PartialEstimate, describe_reports
from askance.inference.shares.share_intervals import MOST_PROFILED
from askance.inference.standard_errors import ErrorSource, StandardErrors
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.present.result_table import MethodsParagraph
from askance.privacy.losses import local_loss
from askance_collect.arguments import checked
from askance_collect.errors import InputError

if TYPE_CHECKING:
    from askance.design import Design, OptimalCuts, Plan, SampleSize
    from askance.inference import (
        CensoredRegression,
        CombinedShares,
        ComplianceEstimate,
        ComplianceRegression,
        ContaminationBounds,
        DesignEffectTest,
        Distribution,
        DomainEstimates,
        FamilyFit,
        FayHerriotEstimates,
        FrequencyEstimate,
        FunctionalInterval,
        GroupComparison,
        HausmanTest,
        HeavyHitters,
        ItemCountEstimate,
        ItemCountLeastSquares,
        ItemCountRegression,
        JointEstimate,
        LineEstimate,
        Manipulation,
        MostLikely,
        OutcomeRegression,
        OveridentificationTest,
        PointIntervals,
        QuantileIntervals,
        RangeManipulation,
        ResponseRegression,
        SampleTest,
        ScrambledMean,
        Sensitivity,
        SimultaneousIntervals,
        SmallAreaEstimates,
        SmoothDistribution,
        SurveyStatistic,
        TypeShares,
        UnbiasedMean,
        WalleyInterval,
    )
    from askance.inference.domains import LineDomains
    from askance.inference.intervals.likelihood_ratio_law import Scope
    from askance.inference.shares.frequencies import FrequencyMethod


CitedSentence = tuple[str, tuple[str, ...]]
"""A sentence, and the keys of its sources, which stand where it has braces."""


@checked
def methods_paragraph(
    result: Any,
    channel: Channel | AbstractRangeChannel | Mapping[str, Channel] | None = None,
    *,
    recipe: AbstractMechanism | None = None,
    is_drawn: bool = False,
    sampling: SamplingColumns | ReplicateColumns | None = None,
    left_out: int = 0,
) -> MethodsParagraph:
    """Write the methods paragraph of a result: what was asked how, and computed how.

    Parameters
    ----------
    result : result of an estimator, a test, a learner, a design or an audit
        Shares and numbers of a form; regressions; list experiments; scrambled numbers;
        distributions from ranges, with their intervals and tests; frequency oracles; small groups;
        people who do not comply; totals and means of a sample; a fitted learner; an optimal
        channel, a sample size or a plan; an audit.
    channel : Channel, RangeChannel or RingChannel of a number, or mapping of str to Channel
        Through which the reports came: its ε is told. Of groups that were asked in different ways
        the channel of each, by its name, and of several questions that of each question. What came
        through no channel, such as a list experiment or recorded ranges, does without.
    recipe : mechanism, optional
        The mechanism by its name, with its source; without it the channel is described.
    is_drawn : bool
        Whether reports were drawn from answers with the mechanism's chances, as a form's page does:
        then nobody carried out its procedure, and the paragraph does not say so.
    sampling : SamplingColumns or ReplicateColumns, optional
        By which columns people were drawn.
    left_out : int
        How many rows were left out because covariates were missing.

    Returns
    -------
    MethodsParagraph

    Raises
    ------
    InputError
        If the result is none of these, or its channel is missing or of another kind.

    >>> import askance as ak
    >>> warner = ak.Warner(truth="3/4")
    >>> q = warner.channel(ak.Frame(["yes", "no"]))
    >>> fit = ak.estimate(ak.Tally(q, {"yes": 40, "no": 60}))
    >>> methods: ak.present.MethodsParagraph
    >>> methods = ak.present.methods_paragraph(fit, q, recipe=warner)
    >>> print(methods.text)
    The sensitive question was asked by Warner's randomised response (Warner, 1965): the ...
    >>> methods.references[1][:27]
    'Warner, S. L. (1965). Rando'
    """
    _refuse_other(result, channel)
    if channel is None and isinstance(getattr(result, "channel", None), Channel):
        channel = result.channel
    sentences = [
        *_describe_question(result, channel, recipe, is_drawn=is_drawn),
        *_describe_people(result, left_out),
    ]
    if sampling is not None:
        sentences.append(_describe_sampling(sampling))
    sentences += _describe_computation(result, channel, sampling)
    sentences += _describe_misfit(result)
    sentences.append((f"Computations were done with Askance {version('askance')}.", ()))
    book = _read_references()
    keys = sorted(
        {key for _, cited in sentences for key in cited}, key=lambda key: book[key].listed
    )
    text = " ".join(_cite(sentence, cited, book) for sentence, cited in sentences)
    return MethodsParagraph(text=text, references=tuple(book[key].listed for key in keys))


def _refuse_other(result: Any, channel: Any) -> None:
    """Refuse what has no methods, and a channel of another kind than the result's."""
    computation = getattr(result, "computation", None)
    if isinstance(result, type) or not isinstance(computation, Computation):
        raise InputError(
            "methods_paragraph.result",
            got=type(result).__name__,
            allowed="what an estimator, a test, a learner, a design or an audit gives",
        )
    number = computation in _OF_NUMBERS
    other = channel is None or number is not isinstance(channel, AbstractRangeChannel)
    if other and computation in _THROUGH_CHANNEL:
        raise InputError(
            "methods_paragraph.channel",
            got="nothing" if channel is None else type(channel).__name__,
            allowed="the ranges' own channel" if number else "a Channel",
        )
    if isinstance(channel, Mapping) and not channel:
        raise InputError(
            "methods_paragraph.channel", got="no group", allowed="a Channel, or one for each group"
        )


_OF_NUMBERS = frozenset({Computation.NUMBER, Computation.DOMAIN_NUMBERS})
"""What is computed of a number that was asked by random cuts."""

_THROUGH_CHANNEL = _OF_NUMBERS | {
    Computation.SHARES,
    Computation.DOMAIN_SHARES,
    Computation.RESPONSE_REGRESSION,
    Computation.COMPLIANCE_REGRESSION,
    Computation.COMPLIANCE,
    Computation.PARTIAL_IDENTIFICATION,
    Computation.CONTAMINATION,
    Computation.GROUP_COMPARISON,
    Computation.SMALL_AREAS,
    Computation.FAY_HERRIOT,
    Computation.JOINT_SHARES,
    Computation.MAXIMUM_LIKELIHOOD,
    Computation.WALLEY_INTERVAL,
    Computation.SENSITIVITY,
    Computation.OVERIDENTIFICATION_TEST,
    Computation.POISONING_BOUND,
}
"""What came through a channel, without which it cannot be described."""


def _describe_question(
    result: Any, channel: Any, recipe: AbstractMechanism | None, *, is_drawn: bool
) -> list[CitedSentence]:
    """Say how a question was asked, and how little each report gives away."""
    if channel is None:
        is_list = result.computation in _OF_LISTS | {Computation.OUTCOME_REGRESSION}
        return [_LIST] if is_list else []
    if isinstance(channel, AbstractRangeChannel):
        return [_describe_cuts(channel)]
    if isinstance(channel, Mapping):
        regressed = result.computation is Computation.RESPONSE_REGRESSION
        joint = result.computation is Computation.JOINT_SHARES
        several = joint or (regressed and result.model.questions > 1)
        return _describe_groups(channel, "questions" if several else "groups")
    return [_describe_mechanism(channel, recipe, is_drawn=is_drawn), _describe_promise(channel)]


_OF_LISTS = frozenset(
    {
        Computation.ITEM_COUNT,
        Computation.ITEM_COUNT_TYPES,
        Computation.DESIGN_EFFECT_TEST,
        Computation.HAUSMAN_TEST,
        Computation.COMBINED_LISTS,
        Computation.ITEM_COUNT_REGRESSION,
        Computation.ITEM_COUNT_LEAST_SQUARES,
    }
)
"""What is computed from a list experiment alone."""

_LIST: CitedSentence = (
    "The sensitive item was asked in a list experiment (item count technique) {}: people drawn at "
    "random saw the control items alone, the others the sensitive item too, and each said only how "
    "many hold",
    ("miller1984", "droitcour1991"),
)
"""How a list experiment asks."""


def _describe_cuts(channel: AbstractRangeChannel) -> CitedSentence:
    line = channel.line
    unit = f" {line.unit}" if line.unit else ""
    ranges = "one or more ranges into which random cuts part the line"
    if isinstance(channel, RangeChannel):
        ranges = "the range between the nearest of the cuts that were drawn on the line"
    return (
        "Each number was reported as a random range that holds it {}: "
        f"{ranges} from {float(line.lower):g} to {float(line.upper):g}{unit}. What is reported is "
        "always true and rules out the rest of the line, so that no finite ε of local differential "
        "privacy holds",
        ("ding2022",),
    )


def _describe_groups(channels: Mapping[str, Channel], unit: str) -> list[CitedSentence]:
    """Describe channels that differ by group or question, and the weakest of their guarantees."""
    names = [f"“{name}”" for name in channels]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    groups = f"{unit} with different chances ({listed})"
    if len(names) > _NAMED:
        groups = f"{len(names)} {unit} with different chances"
    sentence = f"The sensitive question was asked in {groups}"
    if unit == "questions":
        sentence = f"The sensitive questions were asked through channels of their own ({listed})"
    weakest = max(channels.values(), key=lambda channel: local_loss(channel).value)
    return [
        (sentence, ()),
        _describe_promise(weakest),
    ]


_NAMED = 6  # groups that are listed


def _describe_mechanism(
    channel: Channel, recipe: AbstractMechanism | None, *, is_drawn: bool
) -> CitedSentence:
    entry = None if recipe is None else _MECHANISMS.get(recipe.name)
    if entry is None or recipe is None:
        answers, reports = len(channel.frame), len(channel.reports)
        return (
            f"Each of {answers} answers was turned into one of {reports} reports at random, with "
            "known chances",
            (),
        )
    name, wording, sources = entry
    if is_drawn:
        return (
            "Each report was drawn from the answer on the respondent's side, with the chances of "
            f"{name} {{}}, as if {wording(recipe)}",
            sources,
        )
    return f"The sensitive question was asked by {name} {{}}: {wording(recipe)}", sources


_Wording = Callable[[Any], str]

_MECHANISMS: Mapping[str, tuple[str, _Wording, tuple[str, ...]]] = MappingProxyType(
    {
        "warner": (
            "Warner's randomised response",
            lambda m: (
                f"the statement was put with chance {_chance(m.truth)}, its opposite otherwise"
            ),
            ("warner1965",),
        ),
        "kary": (
            "k-ary randomised response",
            lambda m: (
                f"the answer itself was reported with chance {_chance(m.truth)}, and each other "
                "answer with the same share of the rest"
            ),
            ("kairouz2016",),
        ),
        "abstain": (
            "randomised response with an uncommitted reply",
            lambda m: (
                f"the answer was reported with chance {_chance(m.truth)}, another one with chance "
                f"{_chance(m.lie)}, and “don't know” otherwise"
            ),
            ("li2022",),
        ),
        "forced": (
            "the forced-response design",
            lambda m: (
                f"the truth was told with chance {_chance(m.truth)}, and otherwise a reply that "
                "was drawn ("
                + ", ".join(
                    f"{name} with chance {_chance(share)}" for name, share in m.if_forced or ()
                )
                + ")"
            ),
            ("boruch1971", "fox1986"),
        ),
        "one_sided": (
            "one-sided forced response",
            lambda m: f"a “yes” was forced with chance {_chance(m.forced_yes)}, a “no” never",
            ("boudreau2023",),
        ),
        "mangat": (
            "Mangat's design",
            lambda m: (
                "who carries the trait said so, and the others told the truth with chance "
                f"{_chance(m.truth_if_no)}"
            ),
            ("mangat1994",),
        ),
        "unrelated": (
            "the unrelated-question design",
            lambda m: (
                f"the sensitive question was drawn with chance {_chance(m.sensitive_chance)}, and "
                "otherwise a harmless one to which a known share of "
                f"{_chance(m.harmless)} says “yes”"
            ),
            ("greenberg1969",),
        ),
        "kuk": (
            "Kuk's design",
            lambda m: (
                f"the colour of a card was named, red with chance {_chance(m.red_if_yes)} among "
                f"carriers of the trait and {_chance(m.red_if_no)} among the others, in {m.draws} "
                f"draw{'s' * (m.draws > 1)}"
            ),
            ("kuk1990",),
        ),
        "crosswise": (
            "the crosswise model",
            lambda m: (
                "respondents said whether just one of the sensitive and a harmless statement was "
                f"true, or both or neither; the share of the harmless one is {_chance(m.harmless)}"
            ),
            ("yu2008",),
        ),
        "triangular": (
            "the triangular model",
            lambda m: (
                "respondents said whether neither, or at least one, of the sensitive and a "
                "harmless statement was true; the share of the harmless one is "
                f"{_chance(m.harmless)}"
            ),
            ("yu2008",),
        ),
        "hidden": (
            "the hidden-sensitivity model",
            lambda m: (
                "those with the last answer reported a class of a harmless trait, of shares "
                + ", ".join(map(_chance, m.harmless))
            ),
            ("tian2007",),
        ),
        "christofides": (
            "Christofides' design",
            lambda m: (
                "a card with a mark was drawn, of shares "
                + ", ".join(map(_chance, m.marks))
                + ", and carriers of the trait counted from the other end"
            ),
            ("christofides2003",),
        ),
        "diagonal": (
            "the diagonal model",
            lambda m: (
                "respondents reported how many steps lead from their answer to their class of a "
                "harmless trait, whose classes have the shares "
                + ", ".join(map(_chance, m.harmless))
            ),
            ("groenitz2014",),
        ),
    }
)


def _chance(value: Any) -> str:
    """Write a chance as a fraction that can be read, else rounded.

    >>> _chance(Fraction(3, 4)), _chance(Fraction(410105312, 862713251))
    ('3/4', '0.4754')
    """
    fraction = Fraction(value)
    return str(fraction) if fraction.denominator <= _READABLE else f"{float(fraction):.4f}"


_READABLE = 1000


def _describe_promise(channel: Channel) -> CitedSentence:
    loss = local_loss(channel)
    if math.isinf(loss.value):
        return (
            "Some report rules an answer out, so that no finite ε of local differential privacy "
            "{} holds",
            ("kasiviswanathan2011",),
        )
    epsilon = math.ceil(float(loss.epsilon) * 1000) / 1000
    return (
        f"Each report satisfies ε-local differential privacy {{}} with ε = {epsilon:.3f}: none is "
        f"more than {loss.printed(4)} times as likely from one answer as from another",
        ("kasiviswanathan2011",),
    )


def _describe_people(result: Any, left_out: int) -> list[CitedSentence]:
    """State the sample size of a result, and how many rows were left out.

    >>> from askance import Ranges, npmle
    >>> _describe_people(npmle(Ranges([0, 1], [2, 3])), left_out=1)[0][0]
    'The analysis rests on 2 intervals; 1 with missing covariates was left out'
    """
    basis = "" if result.computation in _OF_NOBODY else _write_size(result)
    if not basis:
        return []
    were = "was" if left_out == 1 else "were"
    omitted = f"; {left_out:,} with missing covariates {were} left out" if left_out else ""
    return [(f"The analysis rests on {basis}{omitted}", ())]


_OF_NOBODY = frozenset(
    {
        Computation.POISONING_BOUND,
        Computation.RANGE_POISONING_BOUND,
        Computation.SAMPLE_SIZE,
    }
)


def _write_size(result: Any) -> str:
    if result.computation is Computation.GROUP_COMPARISON:
        return f"{sum(estimate.reports for estimate in result.groups.values()):,} reports"
    if result.computation is Computation.FAY_HERRIOT:
        return f"estimates of {np.isfinite(result.direct).sum():,} groups"
    if result.computation is Computation.SHARES:
        return f"{result.reports:,} reports that tell of the answer"
    if result.computation is Computation.PARTIAL_IDENTIFICATION:
        return describe_reports(result)
    if result.computation is Computation.OVERIDENTIFICATION_TEST:
        return f"{_sum_counts(result.observed)} reports"
    parts = (getattr(result, name, None) for name in ("answers", "estimate", "fit"))
    return next(filter(None, map(_write_count, (result, *parts))), "")


def _write_count(result: Any) -> str:
    """Write the sample size of a result with its unit: respondents, reports or intervals."""
    if hasattr(getattr(result, "tally", None), "counts"):
        return f"{_sum_counts(result.tally.counts)} respondents"
    if hasattr(result, "reports"):
        return f"{_sum_counts(result.reports)} reports"
    if hasattr(result, "n"):
        blank = f", of whom {result.blanks:,} sent a blank" if getattr(result, "blanks", 0) else ""
        of_ranges = getattr(result, "computation", None) in _OF_RANGES
        unit = "intervals" if of_ranges else "respondents"
        return f"{_sum_counts(result.n)} {unit}{blank}"
    combined = getattr(result, "computation", None) is Computation.COMBINED_LISTS
    return f"{result.people:,} respondents" if combined else ""


_OF_RANGES = frozenset(
    {
        Computation.DISTRIBUTION,
        Computation.SMOOTH_DISTRIBUTION,
        Computation.PARAMETRIC_FAMILY,
        Computation.CENSORED_REGRESSION,
        Computation.GROUP_TEST,
        Computation.POINT_INTERVALS,
        Computation.QUANTILE_INTERVALS,
        Computation.FUNCTIONAL_INTERVAL,
        Computation.UNBIASED_MEAN,
    }
)
"""What is computed from ranges."""


def _sum_counts(numbers: Any) -> str:
    return f"{np.sum(numbers):,.0f}"


def _describe_sampling(sampling: SamplingColumns | ReplicateColumns) -> CitedSentence:
    if isinstance(sampling, ReplicateColumns):
        kind = _REPLICATES.get(sampling.kind or "", "with a scale of their own")
        replicates = ", ".join(sampling.replicates)
        return (
            f"The sampling design entered with weights ({sampling.weights}) and replicate weights "
            f"({replicates}; {kind})",
            (),
        )
    parts = [f"sampling weights ({sampling.weights})"] if sampling.weights else []
    for column_kind, names in (
        ("strata", sampling.strata),
        ("clusters", sampling.clusters),
        ("finite-population corrections", sampling.fpc),
    ):
        parts += [f"{column_kind} ({', '.join(names)})"] if names else []
    listed = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return f"The sampling design entered with {listed}", ()


_REPLICATES: Mapping[str, str] = MappingProxyType(
    {
        "brr": "balanced half-samples",
        "fay": "balanced half-samples by Fay's method",
        "jk1": "jackknife",
        "jk2": "jackknife of pairs",
        "jkn": "jackknife by strata",
        "bootstrap": "bootstrap",
        "sdr": "successive differences",
    }
)


def _describe_computation(result: Any, channel: Any, sampling: Any) -> list[CitedSentence]:
    """Say by which model a result was computed, and where its errors and intervals come from.

    Parameters
    ----------
    result : result of an estimator, a test, a learner, a design or an audit
    channel : Channel, range channel, mapping of str to Channel or None
        Through which the reports came.
    sampling : SamplingColumns, ReplicateColumns or None

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> _describe_computation(ak.estimate(ak.Tally(q, {"yes": 4, "no": 6})), q, None)[-1]
    ('The 95 % intervals invert the score test {}', ('wilson1927',))
    """
    match result.computation:
        case Computation.NUMBER:
            return _describe_number((result,), channel, sampling)
        case Computation.DOMAIN_NUMBERS:
            sentences = _describe_number(result.released, channel, sampling)
            return [*sentences, *_describe_domains(result)]
        case Computation.OUTCOME_REGRESSION:
            return _describe_outcome_regression(result, channel)
        case _:
            return _DESCRIBERS[result.computation](result)


def _describe_number(
    estimates: "Sequence[LineEstimate]", channel: Any, sampling: Any
) -> list[CitedSentence]:
    if not estimates:
        return [("No number was estimated", ())]
    level = f"{100 * estimates[0].level:g} %"
    complete = isinstance(channel, RangeChannel) and channel.complete
    targets = "shares and quantiles" if complete else "quantiles"
    variance = estimates[0].design_variance
    if sampling is not None or variance is not None:
        likely = "The distribution was estimated by nonparametric maximum likelihood {}, weighted"
        replicates = variance.replicates if variance is not None else 0
        by = (
            f"that of the mean over fits to each of {replicates:,} replicates"
            if replicates
            else "by linearisation"
        )
        return [
            (likely, ("turnbull1976",)),
            (
                f"Variances are design-based, {by} {{}}, and the {level} intervals Student's",
                ("sarndal1992",) if replicates else ("binder1983",),
            ),
        ]
    return [
        (
            "The distribution was estimated by nonparametric maximum likelihood {}",
            ("turnbull1976",),
        ),
        (
            "The standard error of the mean is that of the expected information, its "
            f"{level} interval holds all means that the steps of the line leave open",
            (),
        ),
        (
            f"Intervals of {targets} are by likelihood ratio {{}}, with critical values that hold "
            "for any distribution, heaped or not",
            ("banerjee2001",),
        ),
    ]


def _describe_estimate(estimate: Estimate) -> list[CitedSentence]:
    level = f"{100 * estimate.level:g} %"
    match estimate.estimator:
        case ShareEstimator.PSEUDO_LIKELIHOOD:
            return _describe_weighted(estimate, level)
        case ShareEstimator.CLIPPED_INVERSION:
            return _describe_clipped(estimate, level)
        case ShareEstimator.UNBIASED_INVERSION:
            return _describe_unbiased(estimate, level)
        case ShareEstimator.MAXIMUM_LIKELIHOOD:
            return _describe_likelihood(estimate, level)
        case ShareEstimator.LIKELIHOOD_OF_SETS:
            return _describe_sets(level)
        case ShareEstimator.BY_GROUP:
            return _describe_by_group(level)
        case ShareEstimator.NONE:
            return _NO_SHARE


_NO_SHARE: list[CitedSentence] = [("No share was estimated", ())]


def _describe_weighted(estimate: Estimate, level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated by weighted pseudo-maximum likelihood", ()),
        _describe_variances(estimate.design_variance),
        (
            f"The {level} intervals are those of as many equally weighted answers as tell each "
            "share as precisely {}",
            ("korn1998",),
        ),
    ]


def _describe_clipped(estimate: Estimate, level: str) -> list[CitedSentence]:
    return [
        (
            "Shares were estimated by inverting the chances of the reports, cut to [0, 1], which "
            "is the maximum-likelihood estimate",
            (),
        ),
        (
            "Standard errors are exact given the number of reports that tell of the answer, at the "
            "estimate",
            (),
        ),
        _describe_share_intervals(estimate, level),
    ]


def _describe_unbiased(estimate: Estimate, level: str) -> list[CitedSentence]:
    plain = ("Standard errors are those of the inverted frequencies of the reports", ())
    variance = estimate.design_variance
    limits = f"The {level} intervals are those of the maximum-likelihood estimate"
    return [
        ("Shares were estimated by inverting the chances of the reports, not cut to [0, 1]", ()),
        plain if variance is None else _describe_variances(variance),
        (limits if variance is None else f"{limits} with sampling weights", ()),
    ]


def _describe_likelihood(estimate: Estimate, level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated by maximum likelihood", ()),
        ("Standard errors are those of the observed information", ()),
        _describe_share_intervals(estimate, level),
    ]


def _describe_sets(level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated by maximum likelihood of the answers behind replies", ()),
        ("Standard errors follow from the multinomial law of the replies", ()),
        (f"The {level} intervals invert the likelihood ratio", ()),
    ]


def _describe_by_group(level: str) -> list[CitedSentence]:
    return [
        ("Shares were estimated in each group by itself, and weighted by the groups' sizes", ()),
        (f"The {level} intervals join those of the groups {{}}", ("zou2009",)),
    ]


def _describe_share_intervals(estimate: Estimate, level: str) -> CitedSentence:
    """Say what the intervals of shares invert, by how many answers there are."""
    if len(estimate.labels) > MOST_PROFILED:
        return f"The {level} intervals are normal, cut to [0, 1]", ()
    if len(estimate.labels) == 2:
        return f"The {level} intervals invert the score test {{}}", ("wilson1927",)
    return f"The {level} intervals invert the likelihood ratio", ()


def _describe_variances(variance: DesignVariance | None) -> CitedSentence:
    if variance is not None and variance.replicates:
        counts = f"the weighted counts of reports vary as over {variance.replicates:,} replicates"
        return (
            f"Variances are design-based: {counts} {{}}, shares linearly with them",
            ("sarndal1992",),
        )
    return "Variances are design-based, by linearisation {}", ("binder1983",)


def _describe_maximum_likelihood(_: "MostLikely") -> list[CitedSentence]:
    return [("Shares were estimated by maximum likelihood", ())]


def _describe_domain_shares(result: "DomainEstimates") -> list[CitedSentence]:
    estimate = next(filter(None, result.estimates), None)
    shares = _NO_SHARE if estimate is None else _describe_estimate(estimate)
    return [*shares, *_describe_domains(result)]


def _describe_domains(result: "DomainEstimates | LineDomains") -> list[CitedSentence]:
    sentences: list[CitedSentence] = [
        (
            f"Groups by {', '.join(result.by)} were estimated as domains of the whole sample {{}}",
            ("cochran1977",),
        )
    ]
    untold = [
        n
        for n, estimate in zip(result.reports, result.estimates, strict=True)
        if n and not estimate
    ]
    if any(n < result.minimum for n in untold):
        few = f"Estimates of groups with fewer than {result.minimum:,} reports were withheld"
        sentences.append((few, ()))
    if any(n >= result.minimum for n in untold):
        why = (
            "The next smallest were withheld too, so that none of these is found by subtraction {}"
        )
        sentences.append((why, ("cox1980",)))
    return sentences


def _describe_group_comparison(result: "GroupComparison") -> list[CitedSentence]:
    groups, weighted = len(result.groups), result.effects is not None
    law = ", by F for its design effects {}" if weighted else ""
    return [
        (
            f"Shares of {groups} groups were estimated apart, and together by maximum likelihood; "
            f"that they are the same was tested by likelihood ratio{law}",
            ("raoscott1984",) if weighted else (),
        ),
        (
            f"The {100 * result.level:g} % intervals of differences square and add the arms of "
            "those of the groups {}",
            ("zoudonner2008",) if weighted else ("newcombe1998",),
        ),
    ]


def _describe_small_areas(result: "SmallAreaEstimates") -> list[CitedSentence]:
    return [
        (
            f"Shares of {len(result.groups):,} groups were partially pooled: drawn from one "
            "Dirichlet distribution, whose mean and spread were integrated out {}",
            ("raomolina2015", "tak2017"),
        ),
        _describe_tails(result),
    ]


def _describe_fay_herriot(result: "FayHerriotEstimates") -> list[CitedSentence]:
    terms = f" ({', '.join(result.terms[1:])})" if result.terms[1:] else ""
    integrated = (
        "Its coefficients and the variance between groups were integrated out under even priors"
    )
    if result.is_between_known:
        integrated = (
            f"The standard deviation between groups was taken to be {result.between:.4g}, and the "
            "coefficients were integrated out under an even prior"
        )
    return [
        (
            f"Unbiased estimates of {len(result.groups):,} groups were drawn towards a regression "
            f"on what is known of them{terms}, by the area-level model of Fay and Herriot {{}}",
            ("fay1979",),
        ),
        (f"{integrated} {{}}", ("raomolina2015",)),
        _describe_tails(result),
    ]


def _describe_tails(result: "SmallAreaEstimates | FayHerriotEstimates") -> CitedSentence:
    return f"The {100 * result.level:g} % intervals have equal tails of the posterior", ()


def _describe_contamination(result: "ContaminationBounds") -> list[CitedSentence]:
    return [
        (
            f"Up to {100 * result.false_share:g} % of the reports were taken to be false, "
            "whatever they say: the shares of the others are bounded {}",
            ("horowitz1995",),
        ),
        (
            f"With {100 * result.level:g} % confidence all true shares are in the intervals, "
            "by upper limits of Clopper and Pearson of the frequencies {}",
            ("clopper1934",),
        ),
    ]


def _describe_compliance(result: "ComplianceEstimate") -> list[CitedSentence]:
    return [*_describe_compliance_classes(result), _describe_ends(result.answers)]


def _describe_compliance_classes(result: "ComplianceEstimate") -> list[CitedSentence]:
    kinds = [noncomplier.name for noncomplier in result.noncompliers]
    weighted = result.test.effects is not None
    sentences: list[CitedSentence] = [("Everybody was taken to follow the instructions", ())]
    if kinds:
        models = (noncomplier.model for noncomplier in result.noncompliers)
        sources = tuple(dict.fromkeys(_cite_model(model) for model in models if model is not None))
        cited = " {}" if sources else ""
        sentences = [
            (
                f"People who do not comply were taken to {' or to '.join(kinds)}{cited}; shares "
                "were estimated by maximum likelihood over the classes",
                sources,
            )
        ]
    if result.test.freedom:
        law = " by F, for its design effects {}" if weighted else " {}"
        sources = ("raoscott1984",) if weighted else ("heck2018",)
        sentences.append(
            (
                f"Whether any such shares fit the reports was tested by likelihood ratio{law}",
                sources,
            )
        )
    return sentences


def _cite_model(model: NoncomplianceModel) -> str:
    match model:
        case NoncomplianceModel.CHEATING_DETECTION:
            return "clark1998"
        case NoncomplianceModel.STOCHASTIC_LIE_DETECTOR:
            return "moshagen2012"
        case NoncomplianceModel.SELF_PROTECTIVE:
            return "bockenholt2007"
        case NoncomplianceModel.RANDOM_ANSWERERS:
            return "atsusaka2023"


def _describe_partial_identification(result: "PartialEstimate") -> list[CitedSentence]:
    return [*_describe_nonresponse(result), _describe_ends(result)]


def _describe_nonresponse(result: PartialEstimate) -> list[CitedSentence]:
    if not result.everybody:
        return [("Shares of sets of answers were estimated by maximum likelihood", ())]
    return [
        (
            "Shares are of all who were asked; those who did not reply may have any answer {}",
            ("imbens2004",),
        )
    ]


def _describe_ends(result: PartialEstimate) -> CitedSentence:
    """Describe the bounds of shares that the reports do not identify, and their intervals."""
    weighted = result.low_se is not None
    how = "allow for the design effect of each end {}" if weighted else "invert likelihood ratios"
    return (
        "Shares that the reports do not determine are told by both ends of what fits them "
        f"equally well; the {100 * result.level:g} % intervals hold both ends and {how}",
        ("raoscott1984",) if weighted else (),
    )


def _describe_sensitivity(result: "Sensitivity") -> list[CitedSentence]:
    return [
        (
            f"Shares are told by how many people do not comply ({result.kind}); where the reports "
            "do not determine them, by both ends of the identified set, whose "
            f"{_write_level(result.level)} interval holds all of it",
            (),
        )
    ]


def _describe_walley_interval(result: "WalleyInterval") -> list[CitedSentence]:
    return [
        ("The share is told as the interval between belief and plausibility {}", ("li2022",)),
        (
            f"The {_write_level(result.level)} interval holds the share itself {{}}",
            ("imbens2004", "stoye2009"),
        ),
    ]


def _describe_overidentification_test(result: "OveridentificationTest") -> list[CitedSentence]:
    law, sources = (" by F, for its design effects {}", ("raoscott1984",))
    if result.effects is None:
        law, sources = " {}", ("heck2018",)
    return [(f"Whether any shares fit the reports was tested by likelihood ratio{law}", sources)]


def _describe_poisoning_bound(result: "Manipulation") -> list[CitedSentence]:
    return [
        (
            f"The largest effect of {result.false:,} false reports was computed by linear "
            "programmes over all reports that could be sent {}",
            ("cheu2021",),
        )
    ]


def _describe_range_poisoning_bound(result: "RangeManipulation") -> list[CitedSentence]:
    return [
        (
            f"The largest effect of {result.false:,} false ranges on the mean and on quantiles was "
            "computed over all ranges that could be sent {}",
            ("turnbull1976",),
        )
    ]


def _describe_goodness_of_fit(_: GoodnessOfFit) -> list[CitedSentence]:
    return [
        (
            "Whether any shares explain the reports was tested by the count of each, as a "
            "binomial, and by likelihood ratio with a bound for every number of reports {}",
            ("agrawal2020", "hoeffding1963"),
        )
    ]


def _describe_joint_shares(result: "JointEstimate") -> list[CitedSentence]:
    level = _write_level(result.level)
    weighted = _word_weighting(result.freedom)
    return [
        (
            f"Shares of the combinations of {len(result.questions)} answers were estimated by "
            f"{weighted}maximum likelihood from the reports of each person together",
            (),
        ),
        (
            f"The {level} intervals invert the score test {{}}, widened by what "
            "protection adds to the variance",
            ("wilson1927",),
        ),
        *(
            []
            if math.isinf(result.freedom)
            else [("Variances are design-based {}", ("binder1983",))]
        ),
    ]


def _describe_frequencies(result: "FrequencyEstimate") -> list[CitedSentence]:
    law = result.law
    chances = f"{float(law.inside):.4g}, and another one with chance {float(law.outside):.4g}"
    how, source = _describe_frequency_method(result.method)
    return [
        (
            "Each report names a set of answers (frequency oracle): the true one with chance "
            f"{chances} {{}}",
            ("wang2017",),
        ),
        (f"Shares were estimated {how} {{}}", (source,)),
        (
            f"The {_write_level(result.level)} intervals invert the score test of each count {{}}",
            ("wilson1927",),
        ),
        *(
            [
                (
                    "Counts are those of as many equally weighted reports as tell as much {}",
                    ("korn1998",),
                )
            ]
            if result.sampled is not None
            else []
        ),
    ]


def _describe_frequency_method(method: "FrequencyMethod") -> tuple[str, str]:
    """Describe how shares are made of counts, and name the source."""
    match method:
        case "unbiased":
            return "by unbiased inversion", "wang2017"
        case "clipped":
            return "by unbiased inversion, cut at 0 and divided by their sum", "wang2020"
        case "projected":
            return "by unbiased inversion, projected on the simplex", "wang2020"
        case "most likely":
            return "by maximum likelihood", "kairouz2016discrete"
        case "posterior":
            return "as means under a Dirichlet prior", "wang2020"
        case "shrunk":
            return "by unbiased inversion, shrunk towards equal shares", "efron1973"


def _describe_heavy_hitters(result: "HeavyHitters") -> list[CitedSentence]:
    any_law = result.dependence != "positive"
    return [
        *_describe_frequencies(result.estimate),
        (
            f"Answers more common than {result.above:g} were found at a false-discovery rate of "
            f"{100 * result.rate:g} % {{}}",
            ("benjamini2001",) if any_law else ("benjamini1995",),
        ),
    ]


def _describe_simultaneous_intervals(result: "SimultaneousIntervals") -> list[CitedSentence]:
    level = _write_level(result.level)
    return [
        *_describe_frequencies(result.estimate),
        (
            f"Simultaneous {level} intervals are those of Clopper and Pearson {{}} "
            "with Bonferroni's correction",
            ("clopper1934",),
        ),
    ]


def _describe_response_regression(fit: "ResponseRegression") -> list[CitedSentence]:
    likelihood = "likelihood" if math.isinf(fit.freedom) else "weighted pseudo-likelihood"
    if fit.model.questions > 1:
        return [
            (
                "Two true answers were regressed together on the covariates by a log-linear model "
                f"with their association {{}}, maximising the {likelihood} of the pairs of reports",
                ("mccullagh1989",),
            ),
            _describe_errors(fit),
        ]
    link = fit.model.link
    kind = "multinomial logit" if link is None else link.name
    kind = f"ordered {kind}" if link is not None and len(fit.model.answers) > 2 else kind
    formula = "" if fit.formula is None else f" ({fit.formula.text})"
    sources = ("scheers1988", "blair2015") if len(fit.model.answers) == 2 else ()
    cited = " {}" if sources else ""
    return [
        (
            f"The true answer was regressed on the covariates{formula} by a {kind} model, "
            f"maximising the {likelihood} of the reports given their chances{cited}",
            sources,
        ),
        _describe_errors(fit),
    ]


def _describe_compliance_regression(fit: "ComplianceRegression") -> list[CitedSentence]:
    """Describe a regression with noncompliance: assumptions and likelihood."""
    link, classes = fit.model.answer_model.link, fit.classes
    kind = "multinomial logit" if link is None else link.name
    names = fit.model.answers[len(fit.model.answer_model.answers) :]
    likelihood = "likelihood" if math.isinf(classes.freedom) else "weighted pseudo-likelihood"
    return [
        (
            f"The true answer was regressed on the covariates by a {kind} model, and the log-odds "
            "of not complying on theirs, maximising the "
            f"{likelihood} of the reports over both {{}}",
            ("moshagen2012", "heckmoshagen2018"),
        ),
        (f"People who do not comply were taken to {' or to '.join(names)}", ()),
        _describe_errors(classes),
    ]


def _describe_outcome_regression(result: "OutcomeRegression", channel: Any) -> list[CitedSentence]:
    weighted = _word_weighting(result.freedom)
    kind = "linear model with normal errors" if math.isfinite(result.scale) else "logit model"
    cause, source = (
        ("true answer", "blair2015") if channel is not None else ("sensitive item", "imai2015")
    )
    return [
        (
            f"An outcome was regressed on the {cause} and the covariates by a {kind}, by "
            f"maximising the {weighted}likelihood of reports and outcomes together "
            "{}",
            (source,),
        ),
        _describe_errors(result),
    ]


def _describe_censored_regression(result: "CensoredRegression") -> list[CitedSentence]:
    weighted = _word_weighting(result.freedom)
    number = "logarithm of the number" if result.log else "number"
    return [
        (
            f"The {number} was regressed on the covariates by a linear model with "
            f"{result.noise.name} errors, by maximising the {weighted}likelihood of "
            "the intervals {}",
            ("tobin1958", "kalbfleisch2002"),
        ),
        _describe_errors(result),
    ]


def _describe_errors(fit: Any) -> CitedSentence:
    """Say where the standard errors of a regression come from.

    >>> from askance import Ranges, censored_regression
    >>> hours = Ranges([0, 2, 4, 6, 8, 10] * 2, [2, 4, 6, 8, 10, 12] * 2)
    >>> fit = censored_regression(hours, [[x] for x in (0, 1, 1, 2, 2, 3, 0, 0, 1, 2, 3, 3)])
    >>> _describe_errors(fit)[0]
    'Standard errors are those of the observed information, intervals of 95 % normal'
    """
    level, errors = _write_level(fit.level), fit.standard_errors
    source, sources = _describe_error_source(errors)
    if math.isinf(errors.freedom):
        return f"Standard errors are {source}, intervals of {level} normal", sources
    return (
        f"Standard errors are design-based, {source} {{}}, with intervals of "
        f"{level} by Student's law with {errors.freedom:g} degrees of freedom",
        sources,
    )


def _describe_error_source(errors: StandardErrors) -> CitedSentence:
    match errors.source:
        case ErrorSource.OBSERVED:
            return "those of the observed information", ()
        case ErrorSource.EXPECTED:
            return "those of the expected information", ()
        case ErrorSource.SCORES:
            return "those of the products of scores {}", ("berndt1974",)
        case ErrorSource.ROBUST:
            return "robust {}", ("huber1967",)
        case ErrorSource.CLUSTERED:
            return f"robust {{}} ({errors.clusters:,} clusters)", ("huber1967",)
        case ErrorSource.LINEARISED:
            return "linearised", ("binder1983",)
        case ErrorSource.REPLICATED:
            return f"over fits to each of {errors.replicates:,} replicates", ("sarndal1992",)


def _describe_item_count(result: "ItemCountEstimate") -> list[CitedSentence]:
    level = _write_level(result.level)
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
            f"Variances are {how}; the {level} intervals are {law}, cut to [0, 1]",
            sources,
        ),
    ]


def _describe_item_count_types(result: "TypeShares") -> list[CitedSentence]:
    by_moments = result.estimator is TypeEstimator.MOMENTS
    return [
        (
            "Joint shares of the sensitive item and the number of control items were estimated by "
            f"{'moments' if by_moments else 'maximum likelihood'} {{}}",
            ("blair2012",),
        )
    ]


def _describe_design_effect_test(_: "DesignEffectTest") -> list[CitedSentence]:
    return [
        (
            "That the sensitive item changes no answer to the control items was tested by moment "
            "inequalities, against a mixture of χ² laws {}",
            ("blair2012", "kudo1963"),
        )
    ]


def _describe_hausman_test(result: "HausmanTest") -> list[CitedSentence]:
    law = "χ²" if math.isinf(result.sampled) else f"F with {result.sampled:g} degrees of freedom"
    return [
        (
            "Coefficients by least squares and by maximum likelihood were compared by Hausman's "
            f"specification test {{}}, with the covariance of their difference, against {law}",
            ("hausman1978",),
        )
    ]


def _describe_combined_lists(result: "CombinedShares") -> list[CitedSentence]:
    if result.combination is ListCombination.DIRECT_QUESTION:
        how = "The list was combined with the direct question, whose “yes” is taken to be true {}"
        sources = ("aronow2015",)
    else:
        how = "Each person saw the sensitive item in one of two lists, and both estimates were "
        how, sources = how + "averaged {}", ("droitcour1991",)
    return [(how, sources), _describe_intervals(result.shares.level, result.freedom)]


def _describe_item_count_regression(result: "ItemCountRegression") -> list[CitedSentence]:
    model, weighted = result.model, _word_weighting(result.freedom)
    how = "pseudo-likelihood" if weighted else "maximum likelihood"
    sentences: list[CitedSentence] = [
        (
            "The sensitive item was regressed on the covariates by a logit model beside a "
            f"{'beta-' * model.overdispersed}binomial model of the control items, by {weighted}"
            f"{how} {{}}",
            ("imai2011",),
        )
    ]
    sentences += _describe_misreport(model.misreport)
    if result.anchored:
        sentences.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*sentences, _describe_errors(result)]


def _describe_misreport(misreport: Misreport) -> list[CitedSentence]:
    match misreport:
        case "none":
            return []
        case "ceiling":
            liars, source = "say one item less where all hold", "blair2012"
        case "floor":
            liars, source = "say 0 where only the sensitive item holds", "blair2012"
        case "ceiling and floor":
            liars, source = (
                "say one item less where all hold, and others 0 where only the sensitive item does",
                "blair2012",
            )
        case "top":
            liars, source = "say the largest number whatever holds", "blair2019"
        case "uniform":
            liars, source = "say any number at random", "blair2019"
    return [(f"Some were allowed to {liars} {{}}", (source,))]


def _describe_item_count_least_squares(result: "ItemCountLeastSquares") -> list[CitedSentence]:
    how = "nonlinear" if result.link == "logit" else "linear"
    sentences: list[CitedSentence] = [
        (
            f"The sensitive item was regressed on the covariates by two-step {how} least squares, "
            f"with {_write_robust_errors(result.standard_errors)} that allow for both steps {{}}",
            ("imai2011",),
        )
    ]
    if result.anchored:
        sentences.append(("Mean shares were held at the difference in means {}", ("blair2019",)))
    return [*sentences, _describe_intervals(result.level, result.freedom)]


def _write_robust_errors(errors: StandardErrors) -> str:
    match errors.source:
        case ErrorSource.CLUSTERED:
            return f"errors robust by cluster ({errors.clusters:,} clusters)"
        case ErrorSource.LINEARISED:
            return "linearised errors"
        case ErrorSource.REPLICATED:
            return f"errors over fits to each of {errors.replicates:,} replicates"
        case _:
            return "robust errors"


def _describe_distribution(result: "Distribution") -> list[CitedSentence]:
    how = "nonparametric maximum likelihood from interval-censored observations {}"
    if result.ignores_selection:
        return [
            ("The distribution was estimated by the likelihood of Ding and Ding {}", ("ding2022",))
        ]
    return [(f"The distribution was estimated by {how}", ("turnbull1976",))]


def _describe_smooth_distribution(result: "SmoothDistribution") -> list[CitedSentence]:
    return [
        *_describe_distribution(result.fit),
        (
            f"It was smoothed by a kernel of bandwidth {result.bandwidth:.3g} {{}}",
            ("groeneboom2010",),
        ),
    ]


def _describe_family(result: "FamilyFit") -> list[CitedSentence]:
    return [
        (
            f"The distribution {result.family.name} was fitted to interval-censored observations "
            "by maximum likelihood {}, with standard errors of the information",
            ("turnbull1976",),
        ),
        ("Its fit was tested by Neyman's smooth test {}", ("neyman1937",)),
    ]


def _describe_point_intervals(result: "PointIntervals") -> list[CitedSentence]:
    together = "simultaneous " if result.together else ""
    return _describe_ratio_intervals(result, f"{together}intervals of shares up to a point")


def _describe_quantile_intervals(result: "QuantileIntervals") -> list[CitedSentence]:
    return _describe_ratio_intervals(result, "intervals of quantiles")


def _describe_ratio_intervals(
    result: "PointIntervals | QuantileIntervals", target: str
) -> list[CitedSentence]:
    on_grid = result.scope.ties in (Ties.PARTLY, Ties.GRID)
    return [
        (
            "The distribution was estimated by nonparametric maximum likelihood {}",
            ("turnbull1976",),
        ),
        (
            f"The {_write_level(result.level)} {target} invert its likelihood ratio {{}}",
            ("banerjee2001", "tang2012") if on_grid else ("banerjee2001",),
        ),
        _describe_scope(result.scope),
    ]


def _describe_scope(scope: "Scope") -> CitedSentence:
    if scope.ties is Ties.EXACT:
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


def _describe_functional_interval(result: "FunctionalInterval") -> list[CitedSentence]:
    return [
        (
            "The average was estimated by its nonparametric maximum-likelihood estimate, which "
            "errs least among regular estimates {}",
            ("groeneboom1992", "geskus1999"),
        ),
        _describe_intervals(result.level, result.freedom),
    ]


def _describe_unbiased_mean(result: "UnbiasedMean") -> list[CitedSentence]:
    return [
        ("The mean is the unbiased estimate of Ding and Ding {}", ("ding2022",)),
        _describe_intervals(result.level, result.freedom),
    ]


def _describe_group_test(result: "SampleTest") -> list[CitedSentence]:
    rank = result.method is GroupTest.LOG_RANK
    dealt = f" among {result.permutations:,} permutations {{}}" if result.permutations else ""
    sources = ("sun1996", "fay2010") if rank else ("smirnov1939", "turnbull1976")
    return [
        (
            f"That the groups have one distribution was tested by the {result.method.value} "
            "statistic for interval-censored observations {}",
            sources,
        ),
        *([(f"The p-value is its rank{dealt}", ("phipson2010",))] if dealt else []),
    ]


def _describe_scrambled_mean(result: "ScrambledMean") -> list[CitedSentence]:
    sources = () if result.model is None else (_cite_scrambling(result.model),)
    if result.by_channel:
        how = "The mean is that of unbiased estimates of each number from its report {}"
        return [(how, ("wang2017",)), _describe_intervals(result.level, result.freedom)]
    cited = " {}" if sources else ""
    how = (
        f"Numbers were scrambled by the design of {result.scrambling}{cited}, "
        "and unscrambled by the "
    )
    return [
        (f"{how}moments of the scramble; the mean is that of the unscrambled numbers", sources),
        _describe_intervals(result.level, result.freedom),
    ]


def _cite_scrambling(model: ScramblingModel) -> str:
    match model:
        case ScramblingModel.EICHHORN_HAYRE:
            return "eichhorn1983"
        case ScramblingModel.BAR_LEV:
            return "barlev2004"
        case ScramblingModel.POLLOCK_BEK:
            return "pollock1976"
        case ScramblingModel.SAHA:
            return "saha2007"
        case ScramblingModel.DIANA_PERRI_1 | ScramblingModel.DIANA_PERRI_2:
            return "diana2010"


def _describe_survey_statistic(result: "SurveyStatistic") -> list[CitedSentence]:
    return [
        (
            f"The {result.title} was estimated with the sampling weights {{}}",
            ("horvitz1952",),
        ),
        _describe_intervals(result.level, result.freedom),
    ]


def _describe_intervals(level: float, freedom: float = math.inf) -> CitedSentence:
    """Normal intervals, or Student's where a sample has degrees of freedom."""
    if math.isinf(freedom):
        return f"The {_write_level(level)} intervals are normal", ()
    return (
        f"Variances are design-based {{}}, and the {_write_level(level)} intervals are Student's "
        f"with {freedom:g} degrees of freedom",
        ("sarndal1992",),
    )


def _write_level(level: float) -> str:
    return f"{100 * level:g} %"


def _word_weighting(freedom: float) -> str:
    return "" if math.isinf(freedom) else "weighted "


def _describe_optimal_channel(result: "Design") -> list[CitedSentence]:
    utility = result.utility.criterion.value
    return [
        (
            f"The channel is the best in {utility} under its bounds, found by mixing extremal "
            "columns, and rounded to whole numbers {}",
            ("kairouz2016", "yoshida2019", "ye2018"),
        ),
        *((str(promise).rstrip("."), ()) for promise in result.promises),
    ]


def _describe_optimal_cuts(_: "OptimalCuts") -> list[CitedSentence]:
    return [
        (
            "The law of the random cuts is the one of least variance of the mean at the promised "
            "coverage {}",
            ("ding2022",),
        )
    ]


def _describe_sample_size(result: "SampleSize") -> list[CitedSentence]:
    how = "by going through every count" if result.exact else "by the normal law"
    return [
        (
            f"The sample size ({result.people:,} people to ask, {result.reports:,} reports) was "
            f"found {how}, for the aim “{result.aim}” {{}}",
            ("cochran1977",),
        )
    ]


def _describe_plan(result: "Plan") -> list[CitedSentence]:
    return [
        (
            f"Of {len(result.alternatives)} designs within the bound “{result.bounds}” the one was "
            f"chosen that needs the fewest respondents for the aim “{result.aim}”",
            (),
        ),
        ("Optimal channels among them were found by mixing extremal columns {}", ("kairouz2016",)),
    ]


def _describe_learner(result: Any) -> list[CitedSentence]:
    return [_describe_algorithm(result.provenance)]


def _describe_algorithm(provenance: LearnerProvenance) -> CitedSentence:
    answers = f"True answers were classified by {provenance.learner}, fitted to reports by"
    numbers = "Numbers seen as ranges were regressed by"
    match provenance.algorithm:
        case LearningAlgorithm.UNBIASED_WEIGHTS:
            how = f"{answers} weights that invert the channel without bias {{}}"
            return how, ("natarajan2013",)
        case LearningAlgorithm.EM:
            return f"{answers} an EM algorithm over the true answers {{}}", ("dempster1977",)
        case LearningAlgorithm.IMPUTATION:
            how = "each replaced in turn by its mean given its range and the fit {}"
            return f"{numbers} {provenance.learner}, {how}", ("ding2022",)
        case LearningAlgorithm.BOOSTING:
            how = f"{numbers} boosted trees on the likelihood of the ranges {{}}"
            return how, ("friedman2001",)


def _describe_audit(result: Any) -> list[CitedSentence]:
    return [
        (
            f"The mechanism was asked {result.draws:,} times; lower bounds of its privacy "
            "losses are from exact binomial limits of events that were chosen on other draws {}",
            ("clopper1934", "jagielski2020", "arcolezi2024"),
        ),
        (
            "Checks are exact tests with a step-down correction {}, and a right mechanism is found "
            f"fault with in at most {100 * result.failure:g} % of audits",
            ("holm1979",),
        ),
    ]


_DESCRIBERS: Mapping[Computation, Callable[[Any], list[CitedSentence]]] = MappingProxyType(
    {
        Computation.SHARES: _describe_estimate,
        Computation.DOMAIN_SHARES: _describe_domain_shares,
        Computation.RESPONSE_REGRESSION: _describe_response_regression,
        Computation.COMPLIANCE_REGRESSION: _describe_compliance_regression,
        Computation.COMPLIANCE: _describe_compliance,
        Computation.PARTIAL_IDENTIFICATION: _describe_partial_identification,
        Computation.CONTAMINATION: _describe_contamination,
        Computation.GROUP_COMPARISON: _describe_group_comparison,
        Computation.SMALL_AREAS: _describe_small_areas,
        Computation.FAY_HERRIOT: _describe_fay_herriot,
        Computation.SCRAMBLED_MEAN: _describe_scrambled_mean,
        Computation.DISTRIBUTION: _describe_distribution,
        Computation.SMOOTH_DISTRIBUTION: _describe_smooth_distribution,
        Computation.PARAMETRIC_FAMILY: _describe_family,
        Computation.CENSORED_REGRESSION: _describe_censored_regression,
        Computation.POINT_INTERVALS: _describe_point_intervals,
        Computation.QUANTILE_INTERVALS: _describe_quantile_intervals,
        Computation.FUNCTIONAL_INTERVAL: _describe_functional_interval,
        Computation.UNBIASED_MEAN: _describe_unbiased_mean,
        Computation.GOODNESS_OF_FIT: _describe_goodness_of_fit,
        Computation.GROUP_TEST: _describe_group_test,
        Computation.JOINT_SHARES: _describe_joint_shares,
        Computation.FREQUENCIES: _describe_frequencies,
        Computation.HEAVY_HITTERS: _describe_heavy_hitters,
        Computation.SIMULTANEOUS_INTERVALS: _describe_simultaneous_intervals,
        Computation.WALLEY_INTERVAL: _describe_walley_interval,
        Computation.SENSITIVITY: _describe_sensitivity,
        Computation.POISONING_BOUND: _describe_poisoning_bound,
        Computation.RANGE_POISONING_BOUND: _describe_range_poisoning_bound,
        Computation.OVERIDENTIFICATION_TEST: _describe_overidentification_test,
        Computation.MAXIMUM_LIKELIHOOD: _describe_maximum_likelihood,
        Computation.SURVEY_STATISTIC: _describe_survey_statistic,
        Computation.ITEM_COUNT: _describe_item_count,
        Computation.ITEM_COUNT_TYPES: _describe_item_count_types,
        Computation.DESIGN_EFFECT_TEST: _describe_design_effect_test,
        Computation.HAUSMAN_TEST: _describe_hausman_test,
        Computation.COMBINED_LISTS: _describe_combined_lists,
        Computation.ITEM_COUNT_REGRESSION: _describe_item_count_regression,
        Computation.ITEM_COUNT_LEAST_SQUARES: _describe_item_count_least_squares,
        Computation.OPTIMAL_CHANNEL: _describe_optimal_channel,
        Computation.OPTIMAL_CUTS: _describe_optimal_cuts,
        Computation.SAMPLE_SIZE: _describe_sample_size,
        Computation.PLAN: _describe_plan,
        Computation.LEARNER: _describe_learner,
        Computation.AUDIT: _describe_audit,
    }
)
"""What describes each computation but those of `_describe_computation`."""


def _describe_misfit(result: Any) -> list[CitedSentence]:
    """State that the reports fail the goodness-of-fit test, where they do.

    Bounds that suppose false reports say for themselves how many there must be.
    """
    fit: GoodnessOfFit | None = getattr(result, "goodness_of_fit", None)
    if fit is None or fit.worst is None or not fit.doubted:
        return []
    if result.computation is Computation.CONTAMINATION:
        return []
    how, cited = _HOW_TESTED.get(fit.worst.claim, ("an exact binomial test", ()))
    contrast = f"{fit.worst.contrast} (p = {fit.p_value:.2g} by {how})"
    return [(f"The reports do not fit this design: {contrast}", cited)]


_HOW_TESTED: Mapping[FitClaim, CitedSentence] = MappingProxyType(
    {
        FitClaim.MIXTURE: (
            "likelihood ratio, with a bound for every number of reports {}",
            ("agrawal2020",),
        ),
        FitClaim.ADDED_ITEM: ("Fisher's exact test {}", ("agresti1992",)),
        FitClaim.TOTAL: ("Bernstein's inequality {}", ("bernstein1946",)),
    }
)

_PACKED = Path(__file__).parents[1] / "references.bib"

_CLONED = Path(__file__).parents[3] / "docs" / "references.bib"

_BOOK = _PACKED if _PACKED.is_file() else _CLONED

_ENTRY = re.compile(r"^@(\w+)\{(\S+?),\n(.*?)^\}", re.MULTILINE | re.DOTALL)

_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A source as it is cited and listed."""

    cited: str
    listed: str


def _read_references() -> Mapping[str, _Source]:
    """Read the bibliography that the documentation cites."""
    try:
        text = _BOOK.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            "methods", got=f"no {_BOOK.name}", allowed="the bibliography of the package"
        ) from error
    return {
        key: _format_source({name: _read_tex(value) for name, value in _FIELD.findall(fields)})
        for _, key, fields in _ENTRY.findall(text)
    }


def _format_source(entry: Mapping[str, str]) -> _Source:
    """Write a source by author and year.

    >>> entry = {"author": "Warner, Stanley L.", "title": "T", "journal": "J", "volume": "60",
    ...          "number": "309", "pages": "63–69", "year": "1965"}
    >>> _format_source(entry).cited, _format_source(entry).listed
    ('Warner, 1965', 'Warner, S. L. (1965). T. J, 60(309), 63–69.')
    """
    people = [
        _format_name(who) for who in entry.get("author", entry.get("editor", "")).split(" and ")
    ]
    families = [family for family, _ in people]
    few = " & ".join(filter(None, [", ".join(families[:-1]), families[-1]]))
    cited = few if len(people) < 3 else f"{families[0]} et al."
    names = [f"{family}, {initials}".rstrip(", ") for family, initials in people]
    listed = ", & ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    volume = entry.get("volume", "") + (f"({entry['number']})" if "number" in entry else "")
    where = entry.get("journal") or entry.get("booktitle") or entry.get("publisher")
    where = where or entry.get("institution") or entry.get("school") or ""
    publication = ", ".join(filter(None, [where, volume, entry.get("pages", "")]))
    return _Source(
        cited=f"{cited}, {entry.get('year', 'n.d.')}",
        listed=f"{listed} ({entry.get('year', 'n.d.')}). {_end_title(entry.get('title', ''))} "
        f"{publication}.",
    )


def _end_title(title: str) -> str:
    return title if title.endswith(("?", "!")) else f"{title}."


def _format_name(who: str) -> tuple[str, str]:
    family, _, given_names = who.partition(", ")
    initials = " ".join(
        "-".join(f"{part[0]}." for part in name.split("-") if part) for name in given_names.split()
    )
    return family, initials


_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}


def _read_tex(text: str) -> str:
    r"""Read accents and dashes of TeX.

    >>> _read_tex(r"M{\"o}bius \& Sons, 63--69")
    'Möbius & Sons, 63–69'
    """
    from unicodedata import normalize

    text = text.replace(r"\&", "&")
    accented = re.sub(r"\\([\"'`^~])\{?(\w)\}?", lambda match: match[2] + _ACCENTS[match[1]], text)
    return normalize("NFC", re.sub(r"[{}]", "", accented)).replace("--", "–")


def _cite(sentence: str, keys: Sequence[str], book: Mapping[str, _Source]) -> str:
    citations = "; ".join(book[key].cited for key in keys)
    filled = sentence.replace("{}", f"({citations})")
    return filled if filled.endswith(".") else f"{filled}."
