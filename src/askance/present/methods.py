"""A methods paragraph to paste: mechanism, guarantee, sample, estimator, and their sources.

The sentences are in `templates/methods.toml`, by what was computed. What stands here are the facts
that they need and a result does not hold as such.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

import numpy as np

from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.provenance import Computation, Ties
from askance.inference.replicate_weights import ReplicateColumns
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.shares.share_intervals import MOST_PROFILED
from askance.mechanisms.randomised_response import AbstractMechanism, ChancePlace
from askance.present.bibliography import read_references
from askance.present.result_table import MethodsParagraph
from askance.present.sentences import Writer, join_sentences, load_sentences
from askance.privacy.losses import local_loss
from askance.survey.deployed import DeployedQuestion, ProtectedAnswers, recipe_of
from askance.survey.random_ranges import ProtectedNumber
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@checked
def methods_paragraph(
    result: Any,
    channel: Channel | AbstractRangeChannel | Mapping[str, Channel] | None = None,
    *,
    recipe: AbstractMechanism | None = None,
    chance_place: ChancePlace = ChancePlace.UNSTATED,
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
    chance_place : ChancePlace
        Where chance fell. Where a device drew the report from the answer, as a form's page does,
        nobody carried out the mechanism's procedure, and the paragraph does not say so.
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
    book = read_references()
    cited: set[str] = set()

    def cite(keys: Sequence[str]) -> str:
        cited.update(keys)
        return f"({'; '.join(book[key].cited for key in keys)})"

    writer = Writer(tables=load_sentences("methods.toml"), cite=cite, facts=_FACTS)
    parts = tuple(
        join_sentences([part])
        for part in (
            *_describe_question(writer, result, channel, recipe, chance_place=chance_place),
            writer.write("people", {"size": _count_people(result), "left_out": left_out}),
            _describe_sampling(writer, sampling),
            _describe_computation(writer, result, channel, sampling),
            _describe_misfit(writer, result),
            writer.write("program", {"version": version("askance")}),
        )
        if part
    )
    references = tuple(sorted(book[key].listed for key in cited))
    return MethodsParagraph(text=" ".join(parts), references=references, parts=parts)


def question_methods(
    question: DeployedQuestion,
    result: Any,
    sampling: SamplingColumns | ReplicateColumns | None = None,
) -> MethodsParagraph | None:
    """Write the methods paragraph of a question as it is deployed; None of a direct question."""
    if isinstance(question, ProtectedAnswers):
        return methods_paragraph(
            result,
            question.channel,
            recipe=recipe_of(question.question),
            chance_place=question.chance_place,
            sampling=sampling,
        )
    if isinstance(question, ProtectedNumber):
        return methods_paragraph(result, question.channel, sampling=sampling)
    return None


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
    Computation.INATTENTION,
    Computation.SENSITIVITY,
    Computation.OVERIDENTIFICATION_TEST,
    Computation.POISONING_BOUND,
}
"""What came through a channel, without which it cannot be described."""


def _describe_question(
    writer: Writer,
    result: Any,
    channel: Any,
    recipe: AbstractMechanism | None,
    *,
    chance_place: ChancePlace,
) -> list[str]:
    """Describe how a question was asked, and what each report reveals at most."""
    if channel is None:
        is_list = result.computation in _OF_LISTS | {Computation.OUTCOME_REGRESSION}
        return [writer.write("list", result)] if is_list else []
    if isinstance(channel, AbstractRangeChannel):
        facts = {"line": channel.line, "is_nearest": isinstance(channel, RangeChannel)}
        return [writer.write("cuts", facts)]
    if isinstance(channel, Mapping):
        regressed = result.computation is Computation.RESPONSE_REGRESSION
        joint = result.computation is Computation.JOINT_SHARES
        several = joint or (regressed and result.model.questions > 1)
        names = {
            "names": tuple(channel),
            "quoted": [f"“{name}”" for name in channel],
            "is_long": len(channel) > _NAMED,
        }
        weakest = max(channel.values(), key=lambda channel: local_loss(channel).value)
        asked = writer.write("questions" if several else "groups", names)
        return [asked, _describe_promise(writer, weakest)]
    if recipe is None or recipe.name not in writer.tables["mechanism"]:
        asked = writer.write("channel", channel)
    else:
        asked = writer.write("mechanism", {"recipe": recipe, "chance_place": chance_place})
    return [asked, _describe_promise(writer, channel)]


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

_NAMED = 6  # groups that are listed


def _describe_promise(writer: Writer, channel: Channel) -> str:
    loss = local_loss(channel)
    if math.isinf(loss.value):
        is_proof = ((channel.matrix > 0).sum(axis=0) == 1).any()
        return writer.write("proving_loss" if is_proof else "unbounded_loss", loss)
    epsilon = math.ceil(float(loss.epsilon) * 1000) / 1000
    return writer.write("bounded_loss", {"epsilon": epsilon, "ratio": loss.printed(4)})


_OF_NOBODY = frozenset(
    {
        Computation.POISONING_BOUND,
        Computation.RANGE_POISONING_BOUND,
        Computation.SAMPLE_SIZE,
    }
)


def _count_people(result: Any) -> Mapping[str, Any] | None:
    """Count what an analysis rests on, by its unit; None where it rests on nobody."""
    match result.computation:
        case computation if computation in _OF_NOBODY:
            return None
        case Computation.GROUP_COMPARISON:
            return _count("reports", sum(group.reports for group in result.groups.values()))
        case Computation.FAY_HERRIOT:
            return _count("direct_estimates", np.isfinite(result.direct).sum())
        case Computation.SHARES:
            return _count("telling_reports", result.reports)
        case Computation.PARTIAL_IDENTIFICATION:
            return _count("asked" if result.is_among_asked else "counted_reports", result.reports)
        case Computation.OVERIDENTIFICATION_TEST:
            return _count("reports", result.observed)
        case Computation.COMBINED_LISTS:
            return _count("respondents", result.people)
    parts = (getattr(result, name, None) for name in ("answers", "estimate", "fit"))
    return next(filter(None, map(_count_rows, (result, *parts))), None)


def _count_rows(result: Any) -> Mapping[str, Any] | None:
    """Count the respondents, reports or intervals of a result that holds one of these."""
    if hasattr(getattr(result, "tally", None), "counts"):
        return _count("respondents", result.tally.counts)
    if hasattr(result, "reports"):
        return _count("reports", result.reports)
    if hasattr(result, "n"):
        of_ranges = getattr(result, "computation", None) in _OF_RANGES
        unit = "intervals" if of_ranges else "respondents"
        return _count(unit, result.n, getattr(result, "blanks", 0))
    return None


def _count(unit: str, numbers: Any, blanks: int = 0) -> Mapping[str, Any]:
    return {"unit": unit, "n": np.sum(numbers), "blanks": blanks}


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


def _describe_sampling(writer: Writer, sampling: SamplingColumns | ReplicateColumns | None) -> str:
    if sampling is None:
        return ""
    if isinstance(sampling, ReplicateColumns):
        return writer.write("replicate_columns", sampling)
    return writer.write("sampling_columns", sampling)


def _describe_computation(writer: Writer, result: Any, channel: Any, sampling: Any) -> str:
    """Say by which model a result was computed, and where its errors and intervals come from."""
    match result.computation:
        case Computation.NUMBER:
            return writer.write("number", _list_number_facts((result,), channel, sampling))
        case Computation.DOMAIN_NUMBERS:
            facts = _list_number_facts(result.released, channel, sampling)
            return join_sentences([writer.write("number", facts), writer.write("domains", result)])
        case Computation.OUTCOME_REGRESSION:
            return writer.write("outcome_regression", {"result": result, "channel": channel})
        case computation:
            return writer.write(computation.name.lower(), result)


def _list_number_facts(
    estimates: Sequence[Any], channel: Any, sampling: Any
) -> Mapping[str, object]:
    if not estimates:
        return {"errors": "none"}
    variance = estimates[0].design_variance
    replicates = 0 if variance is None else variance.replicates
    errors = "replicated" if replicates else "linearised"
    if sampling is None and variance is None:
        errors = "expected"
    return {
        "errors": errors,
        "replicates": replicates,
        "level": estimates[0].level,
        "is_complete": isinstance(channel, RangeChannel) and channel.reports_every_answer,
    }


def _describe_misfit(writer: Writer, result: Any) -> str:
    """State that the reports fail the goodness-of-fit test, where they do.

    Bounds that suppose false reports say for themselves how many there must be.
    """
    fit: GoodnessOfFit | None = getattr(result, "goodness_of_fit", None)
    if fit is None or fit.worst is None or not fit.doubted:
        return ""
    bounds = result.computation is Computation.CONTAMINATION
    return "" if bounds else writer.write("misfit", fit)


def _is_weighted(result: Any) -> bool:
    """Return whether a result, or the classes that it rests on, are of a complex sample."""
    return math.isfinite(getattr(result, "classes", result).df)


def _name_interval_method(estimate: Any) -> str:
    """Name what the intervals of shares invert, by how many answers there are."""
    if len(estimate.labels) > MOST_PROFILED:
        return "normal"
    return "score_test" if len(estimate.labels) == 2 else "likelihood_ratio"


def _name_scope(scope: Any) -> str:
    if scope.ties is Ties.EXACT:
        return "exact"
    if scope.smooth:
        return "smooth"
    return "any" if scope.least_ratio == 1 else "wider"


def _name_link(result: Any) -> str:
    link = getattr(result.model, "answer_model", result.model).link
    return "multinomial logit" if link is None else str(link.name)


def _list_noncompliers(result: Any) -> tuple[str, ...]:
    if result.computation is Computation.COMPLIANCE:
        return tuple(noncomplier.name for noncomplier in result.noncompliers)
    model = result.model
    return tuple(model.answers[len(model.answer_model.answers) :])


def _is_withheld(result: Any, *, is_small: bool) -> bool:
    """Return whether groups were withheld that are smaller than the minimum, or as large."""
    groups = zip(result.reports, result.estimates, strict=True)
    return any(n and not estimate and (n < result.minimum) is is_small for n, estimate in groups)


_FACTS: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    {
        "covariates": lambda result: result.terms[1:],
        "first_estimate": lambda result: next(filter(None, result.estimates), None),
        "given": lambda sampling: [
            name for name in ("weights", "strata", "clusters", "fpc") if getattr(sampling, name)
        ],
        "has_complement": lambda result: _is_withheld(result, is_small=False),
        "has_few": lambda result: _is_withheld(result, is_small=True),
        "has_scale": lambda result: math.isfinite(result.scale),
        "interval_method": _name_interval_method,
        "is_binary": lambda fit: len(fit.model.answers) == 2,
        "is_ordered": lambda fit: fit.model.link is not None and len(fit.model.answers) > 2,
        "is_pair": lambda fit: fit.model.questions > 1,
        "is_replicated": lambda estimate: bool(
            estimate.design_variance and estimate.design_variance.replicates
        ),
        "is_sampled": lambda test: math.isfinite(test.denominator_df),
        "is_weighted": _is_weighted,
        "kinds": _list_noncompliers,
        "level": lambda result: getattr(result, "shares", result).level,
        "link_name": _name_link,
        "models": lambda result: tuple(
            dict.fromkeys(
                noncomplier.model
                for noncomplier in result.noncompliers
                if noncomplier.model is not None
            )
        ),
        "scope_kind": _name_scope,
    }
)
"""What the sentences need and no result holds as such, by its name in the templates."""
