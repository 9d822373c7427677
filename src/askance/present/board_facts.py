"""Facts of a form for those who assess it: protected answers, worst reports, and who sees what."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import final
from urllib.parse import urlsplit

from askance.analysis import Check, CheckedQuestion
from askance.privacy.crowd import RowCrowd
from askance.privacy.guarantee import Notion
from askance.privacy.population import Posterior
from askance.survey.question_risk import PopulationKind, describe_posterior
from askance.survey.random_ranges import find_declared_fit
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import percent
from askance_collect.wire.form import Form
from askance_collect.wire.question import Choice, CutsQuestion, FreeText, RingQuestion
from askance_collect.wire.toml_text import packaged_toml


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPosterior:
    """The report that raises the share of an answer most, and its population.

    Attributes
    ----------
    question : CheckedQuestion
    posterior : Posterior
    is_declared : bool
        Whether the survey declares the population; else it is the one in which most is told.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> worst: WorstPosterior = board_facts(form, ak.check(form)).worst[0]
    >>> worst.question.name, worst.is_declared, str(worst.posterior.prior)
    ('affair', False, '29/100')
    """

    question: CheckedQuestion
    posterior: Posterior
    is_declared: bool


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TraitLoss:
    """The loss of questions about one trait together, or of one question by itself.

    Attributes
    ----------
    questions : tuple of str
    epsilon : float
        Infinite where nothing bounds it.
    prior, posterior : Fraction, optional
        The share of people with another answer than the innocent one, by the declared population,
        and among those with the most telling reports to all questions.

    >>> TraitLoss(questions=("doped", "paid"), epsilon=1.4).posterior is None
    True
    """

    questions: tuple[str, ...]
    epsilon: float
    prior: Fraction | None = None
    posterior: Fraction | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """What a form asks, and the reports that reveal most.

    Attributes
    ----------
    protected, plain, texts, sealed, ranges, proving : tuple of str
        Names of questions: sealed texts among the texts, ranges among the protected ones, and
        those whose reports can prove more than the innocent answer.
    losses : tuple of TraitLoss
        Of protected questions that are no ranges.
    worst : tuple of WorstPosterior
        The one that raises a share most in a declared population, if there is one, then the one
        that does in the population in which it tells most, among other questions.
    narrowest_share : Fraction or float, optional
        The least share of people whom a range fits, in the declared population if there is one.
    crowd : RowCrowd
    minimum : int
        With fewer reports no estimate is shown.
    host : str
        Where reports go; empty for the host that serves the page.
    uses_tokens, keeps_apart : bool
    coins : tuple of str
        Questions whose chance is a coin in the world.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> facts: BoardFacts = board_facts(form, ak.check(form))
    >>> facts.protected, facts.minimum, facts.largest.questions
    (('affair', 'religious', 'years'), 50, ('affair',))
    """

    protected: tuple[str, ...]
    plain: tuple[str, ...]
    texts: tuple[str, ...]
    ranges: tuple[str, ...]
    proving: tuple[str, ...]
    losses: tuple[TraitLoss, ...]
    worst: tuple[WorstPosterior, ...]
    narrowest_share: Fraction | float | None
    crowd: RowCrowd
    minimum: int
    host: str
    uses_tokens: bool
    coins: tuple[str, ...] = ()
    keeps_apart: bool = False
    sealed: tuple[str, ...] = ()

    @property
    def has_coin(self) -> bool:
        """Whether the chance of some question is a coin in the world."""
        return bool(self.coins)

    @property
    def device_drawn(self) -> tuple[str, ...]:
        """Protected questions whose chance is drawn on the respondent's device."""
        return tuple(name for name in self.protected if name not in self.coins)

    @property
    def sets(self) -> tuple[str, ...]:
        """Protected questions that send sets of answers: they have no loss, as ranges have none."""
        judged = {*self.ranges, *(name for loss in self.losses for name in loss.questions)}
        return tuple(name for name in self.protected if name not in judged)

    @property
    def total_epsilon(self) -> float:
        """The sum of all losses: what one row gives away at most, if all answers went together."""
        return math.fsum(loss.epsilon for loss in self.losses)

    @property
    def worst_traits(self) -> tuple[TraitLoss, ...]:
        """Traits of several questions whose population is declared, the worst first."""
        several = [loss for loss in self.losses if len(loss.questions) > 1 and loss.posterior]
        return tuple(sorted(several, key=lambda loss: -(loss.posterior or 0)))

    @property
    def largest(self) -> TraitLoss | None:
        """The largest loss of one trait, or of one question."""
        return max(self.losses, key=lambda loss: loss.epsilon, default=None)


@checked
def board_facts(form: Form, check: Check) -> BoardFacts:
    """Gather the facts of a form that its assessments state.

    Raises
    ------
    InputError
        If the check is of another form.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> facts = board_facts(form, ak.check(form))
    >>> facts.plain, facts.ranges, round(facts.total_epsilon, 2)
    (('marriage',), ('years',), 3.29)
    """
    if check.fingerprint != form.fingerprint or check.crowd is None:
        allowed = f"the check of the form {form.fingerprint[:8]}…"
        remedy, fault = "pass askance.check(form)", f"that of {check.fingerprint[:8]}…"
        raise InputError("check", got=fault, allowed=allowed, remedy=remedy)
    kinds = {question.name: type(question) for question in form.questions}
    protected = [question for question in check.questions if question.guarantees]
    plain = [question.name for question in check.questions if not question.guarantees]
    return BoardFacts(
        protected=tuple(question.name for question in protected),
        plain=tuple(name for name in plain if kinds[name] is not FreeText),
        texts=tuple(name for name in plain if kinds[name] is FreeText),
        ranges=tuple(
            question.name
            for question in protected
            if kinds[question.name] in (CutsQuestion, RingQuestion)
        ),
        proving=tuple(
            question.name
            for question in protected
            if question.risk is not None and question.risk.evidence.harmful_proofs
        ),
        losses=tuple(_list_losses(check, protected)),
        worst=tuple(_find_worst(protected)),
        narrowest_share=min(_list_floors(form, protected), default=None),
        crowd=check.crowd,
        minimum=int(form.document["about"].get("minimum", 1)),
        host=urlsplit(form.document["collector"]).hostname or "",
        uses_tokens=form.tokens is not None,
        coins=tuple(
            question.name
            for question in form.questions
            if isinstance(question, Choice) and question.coin is not None
        ),
        keeps_apart=form.keeps_apart,
        sealed=tuple(
            text.name for text in form.questions if isinstance(text, FreeText) and text.is_sealed
        ),
    )


def _list_floors(form: Form, protected: list[CheckedQuestion]) -> Iterator[Fraction | float]:
    """List the floor of each question sent as ranges: the least share of people in a range."""
    for question in protected:
        fit = find_declared_fit(form.question(question.name))
        for guarantee in question.guarantees:
            if guarantee.notion is Notion.FLOOR:
                yield guarantee.value if fit is None else fit[1]


def _list_losses(check: Check, protected: list[CheckedQuestion]) -> Iterator[TraitLoss]:
    """List the loss of each protected question outside traits, then that of each trait."""
    in_traits = {name for trait in check.traits for name in trait.questions}
    judged = [
        ((question.name,), question.guarantees, None)
        for question in protected
        if question.name not in in_traits
    ]
    traits = [(trait.questions, trait.guarantees, trait.joint) for trait in check.traits]
    for names, guarantees, joint in [*judged, *traits]:
        for guarantee in guarantees:
            if guarantee.notion is Notion.LOCAL:
                yield TraitLoss(
                    questions=names,
                    epsilon=guarantee.epsilon,
                    prior=None if joint is None else joint.prior,
                    posterior=None if joint is None else joint.posterior,
                )


def _find_worst(protected: list[CheckedQuestion]) -> Iterator[WorstPosterior]:
    """Find the posterior that rises most: in declared populations, then in the worst ones."""
    judged = [
        WorstPosterior(
            question=question,
            posterior=question.risk.posteriors[0],
            is_declared=question.risk.population is PopulationKind.DECLARED,
        )
        for question in protected
        if question.risk is not None and question.risk.posteriors
    ]
    for is_declared in (True, False):
        candidates = [worst for worst in judged if worst.is_declared == is_declared]
        if candidates:
            yield max(candidates, key=lambda worst: worst.posterior.gain)


@final
class Actor(Enum):
    """Who handles a survey, or what becomes of it.

    >>> [actor.value for actor in Actor][:3]
    ['network', 'host', 'collector']
    """

    NETWORK = "network"
    HOST = "host"
    COLLECTOR = "collector"
    ISSUER = "issuer"
    ANALYST = "analyst"
    ARCHIVE = "archive"


@final
class Seen(Enum):
    """What an actor sees of one person who takes part.

    >>> Seen.ADDRESS.value
    'the network address'
    """

    TAKING_PART = "that somebody takes part, and when"
    ADDRESS = "the network address"
    INVITATION = "who was invited"
    CODE = "whose code was exchanged"
    REPORT = "the report of each protected question"
    PLAIN = "the plain answers"
    TEXT = "texts"
    LOCKED = "encrypted texts"
    OPENED = "opened texts"
    WORLD_COIN = "the coin in the world, where that person is known"
    APART = "no link between these"


@final
class Attribution(Enum):
    """How far what an actor sees identifies a person.

    >>> Attribution.NOBODY.value
    'no answer or report is seen'
    """

    NOBODY = "no answer or report is seen"
    WHILE_SENDING = "the address is there while a report is received, and is not stored"
    CROWD = "the row fits a crowd"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ActorAssessment:
    """What one actor sees, how far it identifies a person, and its most revealing part.

    Attributes
    ----------
    actor : Actor
    seen : tuple of Seen
    attribution : Attribution
    crowd : float, optional
        The expected number of people who fit a row, where the actor sees rows.
    worst : tuple of WorstPosterior
        What one report tells, where the actor sees reports; else nobody's odds change.
    together : tuple of TraitLoss
        What the reports to several questions about one trait tell together.

    >>> network: ActorAssessment = ActorAssessment(
    ...     actor=Actor.NETWORK, seen=(Seen.ADDRESS,), attribution=Attribution.NOBODY)
    >>> network.worst
    ()
    """

    actor: Actor
    seen: tuple[Seen, ...]
    attribution: Attribution
    crowd: float | None = None
    worst: tuple[WorstPosterior, ...] = ()
    together: tuple[TraitLoss, ...] = ()


@checked
def assess_actors(facts: BoardFacts) -> tuple[ActorAssessment, ...]:
    """Assess what each actor sees of a person, and the worst report about a protected answer.

    As shipped, and as `docs/explanation/threats.md` shows by tests. A collector that was changed is
    an attacker there, and no actor here.

    Parameters
    ----------
    facts : BoardFacts

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> actors = assess_actors(board_facts(form, ak.check(form)))
    >>> [(one.actor.value, one.attribution.name) for one in actors if one.worst][-1]
    ('archive', 'CROWD')
    """
    row = tuple(
        seen
        for seen, holds in (
            (Seen.REPORT, bool(facts.protected)),
            (Seen.PLAIN, bool(facts.plain)),
            (Seen.TEXT, len(facts.texts) > len(facts.sealed)),
            (Seen.LOCKED, bool(facts.sealed)),
            (Seen.WORLD_COIN, facts.has_coin),
        )
        if holds
    )
    taking = Seen.TAKING_PART, Seen.ADDRESS
    invited = (Seen.INVITATION, Seen.CODE) if facts.uses_tokens else (Seen.INVITATION,)

    apart = (Seen.APART,) if facts.keeps_apart else ()
    opened = (Seen.OPENED,) if facts.sealed else ()

    def with_rows(
        actor: Actor, attribution: Attribution, *also: Seen, unjoined: tuple[Seen, ...] = ()
    ) -> ActorAssessment:
        return ActorAssessment(
            actor=actor,
            seen=(*also, *row, *unjoined),
            attribution=attribution,
            crowd=facts.crowd.mean,
            worst=facts.worst,
            together=facts.worst_traits[:1],
        )

    return (
        ActorAssessment(actor=Actor.NETWORK, seen=taking, attribution=Attribution.NOBODY),
        with_rows(Actor.HOST, Attribution.WHILE_SENDING, *taking),
        with_rows(Actor.COLLECTOR, Attribution.WHILE_SENDING, *taking),
        ActorAssessment(actor=Actor.ISSUER, seen=invited, attribution=Attribution.NOBODY),
        with_rows(Actor.ANALYST, Attribution.CROWD, unjoined=(*opened, *apart)),
        with_rows(Actor.ARCHIVE, Attribution.CROWD, unjoined=apart),
    )


def describe_worst(worst: WorstPosterior) -> str:
    """Describe the most telling report, and its population."""
    if worst.question.risk is None or not worst.is_declared:
        return worst.question.worst_case
    return describe_posterior(worst.question.risk.question, worst.posterior)


def describe_actor(assessment: ActorAssessment, facts: BoardFacts) -> tuple[str, str, str, str]:
    """Write an actor, what it sees, how far that identifies a person, and what it reveals."""
    seen = "; ".join(_BOARD["seen"][seen.name] for seen in assessment.seen)
    attribution = _BOARD["attribution"][assessment.attribution.name]
    if assessment.attribution is Attribution.CROWD and assessment.crowd is not None:
        least = "at least " if facts.crowd.undeclared else ""
        fit = f"{least}{_round_down(assessment.crowd)}"
        attribution += f"; people who fit a row: {fit} on average"
    changes = [
        f"{worst.question.name}: {percent(worst.posterior.prior)} → "
        f"{percent(worst.posterior.posterior)} of 100"
        for worst in assessment.worst
    ]
    changes += [
        f"{', '.join(trait.questions)} together: {percent(trait.prior)} → "
        f"{percent(trait.posterior)} of 100"
        for trait in assessment.together
        if trait.prior is not None and trait.posterior is not None
    ]
    tells = "; ".join([*changes, *_tell_certain(assessment, facts)])
    who = _BOARD["actors"][assessment.actor.name]
    return who, seen, attribution, tells or _BOARD["tells"]["NOTHING"]


def _tell_certain(assessment: ActorAssessment, facts: BoardFacts) -> Iterator[str]:
    """Write what an actor learns for certain: answers as given, proofs, ranges, known coins."""
    words, seen = _BOARD["tells"], assessment.seen
    if Seen.REPORT in seen and facts.proving:
        yield words["PROOF"].format(names=", ".join(facts.proving))
    if Seen.REPORT in seen and facts.narrowest_share is not None:
        yield words["RANGE"].format(share=f"{100 * float(facts.narrowest_share):.3g}")
    if Seen.WORLD_COIN in seen:
        yield words["WORLD_COIN"].format(names=", ".join(facts.coins))
    yield from (words[kind.name] for kind in (Seen.PLAIN, Seen.TEXT, Seen.OPENED) if kind in seen)


def _round_down(count: float) -> str:
    return f"{math.floor(count):,}" if count >= 10 else f"{math.floor(10 * count) / 10:g}"


_BOARD: dict[str, dict[str, str]] = packaged_toml("askance.present", "templates/board.toml")
AS_HOST = _BOARD["tells"]["AS_HOST"]
"""What an actor learns who learns as much as the host."""
