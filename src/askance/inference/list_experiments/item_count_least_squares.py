"""Regression of a sensitive item on covariates, from a list experiment, by least squares.

Only means are modelled here: how many control items hold for people on average, and for how many
the sensitive one does. The likelihood of `item_count_regression` takes the whole law of counts for
known, and is more precise where it holds; `hausman_test` asks whether it does.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, final

import numpy as np
from scipy.special import logit

from askance.arguments import checked, same_rows
from askance.errors import NotIdentified, refuse_unknown
from askance.inference.climb import Convergence, Top, ascend
from askance.inference.design_columns import DesignColumns
from askance.inference.list_experiments.item_shares import (
    ItemShares,
    list_by,
)
from askance.inference.list_experiments.item_tally import ListAnswers
from askance.inference.regression.answer_model import AnswerLink, AnswerModel, answer_link
from askance.inference.regression.coefficients import (
    Margins,
    coefficient_plot,
    coefficient_rows,
    design_sandwich,
    inverse,
    means_in_words,
    normal_margins,
    runs_away,
    sandwich,
    wald,
)
from askance.inference.regression.covariates import Covariates, gram
from askance.inference.regression.formula import (
    Formula,
    listed_below_formula,
)
from askance.inference.sampling_design import AbstractDesign
from askance.results import (
    Listing,
    json_of,
    keep_read_only,
    normal_quantile,
    read_only,
)
from askance.typing import Floats, Json

_RARE = 0.05  # shares between which and its opposite the climb begins
_IDENTITY = AnswerLink(
    "identity", lambda eta: (eta, np.ones_like(eta), np.zeros_like(eta)), lambda share: share
)


@final
@listed_below_formula
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ItemCountLeastSquares:
    """A regression of sensitive items on covariates, from a list experiment, by least squares.

    Attributes
    ----------
    sensitive, terms : tuple of str
        The M sensitive items and the c covariates.
    link : str
        "logit" or "identity".
    value : array, shape ((M + 1)(c + 1),)
        The coefficients, in the order of ``names``.
    covariance : array, shape (parameters, parameters)
    errors : str
        What the covariance comes from.
    gap : float
        What a further step would take from half the sum of squares.
    convergence : Convergence
    level : float
        How often the intervals hold the true value.
    squares : LeastSquares
        The counts and covariates that were given.
    sample : AbstractDesign or None
        How people were drawn.
    clusters : array or None
        Which rows may depend on each other.
    formula : Formula or None
        What the covariates were made by.
    freedom : float
        Degrees of freedom of the intervals, of a complex sample; infinite otherwise.

    >>> from askance.inference import item_count_least_squares
    >>> said = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> item_count_least_squares(said, [0] * 60 + [1] * 80, items=2, link="identity")
    share for whom each item holds, from a list experiment, by least squares
    term                        value       se     z        p  95 % from     to
    sensitive item: intercept  0.3333   0.1318  2.53    0.011      0.075  0.592
    control: intercept          1.167  0.08903  13.1  3.1e-39      0.992   1.34
    mean share and its se: sensitive item 0.3333 ± 0.13
    140 respondents; robust se
    computed in closed form
    """

    sensitive: tuple[str, ...]
    terms: tuple[str, ...]
    link: str
    value: Floats
    covariance: Floats
    errors: str
    gap: float
    convergence: Convergence
    level: float
    squares: "LeastSquares"
    sample: AbstractDesign | None = None
    clusters: Any = None
    formula: Formula | None = None
    freedom: float = math.inf

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance")

    @property
    def names(self) -> tuple[str, ...]:
        """What each coefficient multiplies."""
        single = ("intercept", *self.terms)
        return tuple(f"{one}: {term}" for one in (*self.sensitive, "control") for term in single)

    @property
    def n(self) -> int:
        """How many respondents there are."""
        return len(self.squares.design)

    @property
    def se(self) -> Floats:
        """Standard error of each coefficient."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    @property
    def p_value(self) -> Floats:
        """How often a coefficient of 0 would come out at least as large (Wald's test)."""
        return read_only(wald(self.value, self.se, self.freedom))

    def coefficients(self) -> Margins:
        """The coefficients with their normal intervals, or Student's of a complex sample."""
        return normal_margins(
            "coefficient", self.names, self.value, self.covariance, self.level, self.freedom
        )

    def predict(self, covariates: Any) -> Floats:
        """Predicted probability that each sensitive item holds, shape (rows, M).

        With the identity link it may lie outside [0, 1].
        """
        return self._shares().predict(covariates)

    def prevalence(self, covariates: Any = None) -> Margins:
        """The mean predicted share for whom each sensitive item holds.

        Covariates are taken as given. The interval is normal on the scale of log-odds; with the
        identity link on that of shares, as far as it lies in [0, 1].

        Parameters
        ----------
        covariates : array_like, shape (rows, c), or data frame, optional
            Whose mean share, each counting once; all respondents, by their weights, if left out.
        """
        return self._shares().prevalence(covariates)

    def difference(self, after: Any, before: Any) -> Margins:
        """How much the mean share differs between two tables of covariates: the normal interval.

        As in `ItemCountRegression`.
        """
        return self._shares().difference(after, before)

    def effects(self) -> Margins:
        """The average marginal effect of every covariate on the share of each sensitive item."""
        return self._shares().effects()

    def to_dict(self) -> Json:
        """Write the coefficients and the mean shares for JSON; with covariates, effects too."""
        names = "names value se p_value covariance errors gap n level link"
        names += "" if math.isinf(self.freedom) else " freedom"
        written = json_of(self, names) | json_of(self.coefficients(), "lower upper")
        written |= self.convergence.to_dict() | {"prevalence": self.prevalence().to_dict()}
        if self.terms:
            written["effects"] = self.effects().to_dict()
        return written if self.formula is None else {"formula": self.formula.text, **written}

    def plot(self, ax: Any = None) -> Any:
        """Draw the coefficients of the sensitive items with their intervals.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        kept = len(self.sensitive) * (1 + len(self.terms))
        return coefficient_plot(self, range(kept), f"{_SCALES[self.link]} that the item holds", ax)

    def _table(self) -> Listing:
        head, rows = coefficient_rows(self.coefficients(), self.freedom)
        notes = [
            f"mean share and its se: {means_in_words(self.prevalence())}",
            f"{self.n:,} respondents; {_by(self.errors)}",
            self.convergence.value if self.link == "identity" else _NEAR,
        ]
        return f"{_TITLES[self.link]}, from a list experiment, by least squares", head, rows, notes

    def _shares(self) -> ItemShares:
        return ItemShares(
            sensitive=self.sensitive,
            terms=self.terms,
            model=_model(self.terms, self.link),
            value=self.value,
            covariance=self.covariance,
            design=self.squares.design,
            weights=self.squares.weights,
            formula=self.formula,
            level=self.level,
            freedom=self.freedom,
        )


def _by(errors: str) -> str:
    return "robust se" if errors == "robust" else f"se by {errors}"


_NEAR = "no small change fits better; a better fit elsewhere is not ruled out"
_SCALES = {"logit": "log-odds", "identity": "share"}
_TITLES = {
    "logit": "log-odds that each item holds",
    "identity": "share for whom each item holds",
}


def _model(terms: tuple[str, ...], link: str) -> AnswerModel:
    """How the share of one item depends on its coefficients."""
    return AnswerModel(
        answers=("holds", "not"),
        link=_IDENTITY if link == "identity" else answer_link(link),
        restriction=np.eye(1 + len(terms)),
        names=("intercept", *terms),
        told=_TITLES[link],
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeastSquares:
    """The mean counts of a list experiment, and the equations that least squares solve.

    Attributes
    ----------
    answers : ListAnswers
    design : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    link : str

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> said = answers_of([0, 2, 1, 2], [0, 0, 1, 1], items=2, control=0, data=None, weights=None)
    >>> ones = np.ones((4, 1))
    >>> means = LeastSquares(answers=said, design=ones, weights=np.ones(4), link="identity")
    >>> means.scores(np.array([0.5, 1.0])).sum(axis=0).tolist()
    [0.0, 0.0]
    """

    answers: ListAnswers
    design: Floats
    weights: Floats
    link: str

    def means(self, at: Floats) -> tuple[Floats, Floats, Floats]:
        """The mean count of each row, and its slopes by both predictors, shape (n,) each."""
        k, arm = self.design.shape[1], self.answers.arm
        linear = self.design @ at.reshape(-1, k).T
        control, own = linear[:, -1], linear[np.arange(len(arm)), arm - 1]
        if self.link == "identity":
            ones = np.ones(len(arm))
            return control + np.where(arm > 0, own, 0.0), ones * (arm > 0), ones
        chances, items = answer_link(self.link).chances, self.answers.items
        (share, slope, _), (held, rise, _) = chances(own), chances(control)
        seen = arm > 0
        return items * held + np.where(seen, share, 0.0), slope * seen, items * rise

    def scores(self, at: Floats) -> Floats:
        """What each row adds to the equations, not weighted, shape (n, parameters).

        Of the control group the residual times the slope of the mean by the control items'
        coefficients; of others by those of their sensitive item.
        """
        mean, own, control = self.means(at)
        left = self.answers.count - mean
        blocks = [
            (left * self._slope(block, own, control))[:, None] * self.design
            for block in self.blocks()
        ]
        return np.hstack(blocks)

    def slopes(self, at: Floats) -> Floats:
        """The derivatives of the equations, turned round, residuals taken as 0 on average."""
        _, own, control = self.means(at)
        blocks = self.blocks()
        k, last = self.design.shape[1], len(blocks) - 1
        held = np.zeros((len(blocks), k, len(blocks), k))
        for at_block, block in enumerate(blocks):
            slope = self._slope(block, own, control) * self.weights
            for other, by in ((at_block, own if block else control), (last, control)):
                held[at_block, :, other] = self.design.T @ (self.design * (slope * by)[:, None])
        flat: Floats = held.reshape(len(blocks) * k, -1)
        return flat

    def blocks(self) -> list[int]:
        """Whose rows each block of equations sums: those of the items, then the control group."""
        return [*range(1, len(self.answers.sensitive) + 1), 0]

    def _slope(self, block: int, own: Floats, control: Floats) -> Floats:
        return np.where(self.answers.arm == block, own if block else control, 0.0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Step:
    """The coefficients of one group, all else held, by which half the sum of squares falls."""

    whole: LeastSquares
    at: Floats
    block: slice

    def placed(self, part: Floats) -> Floats:
        """All coefficients, with these in their place."""
        held = self.at.copy()
        held[self.block] = part
        return held

    def total(self, part: Floats) -> float:
        left = self.whole.answers.count - self.whole.means(self.placed(part))[0]
        return -float(self.rows() * self.whole.weights @ left**2) / 2

    def slope(self, part: Floats) -> Floats:
        held: Floats = self.whole.weights @ self.whole.scores(self.placed(part))[:, self.block]
        return held

    def informations(self, part: Floats) -> Iterator[Callable[[], Floats]]:
        yield lambda: self.whole.slopes(self.placed(part))[self.block, self.block]

    def rows(self) -> Floats:
        """1 for people of the group, else 0."""
        k = self.whole.design.shape[1]
        block = self.whole.blocks()[self.block.start // k]
        return np.asarray(self.whole.answers.arm == block, dtype=np.float64)


@checked
def item_count_least_squares(
    counts: Any,
    arms: Any,
    covariates: Any = None,
    *,
    items: int,
    control: Any = 0,
    data: Any = None,
    terms: Sequence[str] | None = None,
    link: Literal["logit", "identity"] = "logit",
    weights: Any = None,
    clusters: Any = None,
    design: AbstractDesign | DesignColumns | None = None,
    level: float = 0.95,
) -> ItemCountLeastSquares:
    r"""Regress a sensitive item on covariates from a list experiment, by (nonlinear) least squares.

    .. math:: E(y \mid x, t) = J F(x\gamma) + t F(x\delta)

    with t whether a person saw the sensitive item, J the number of control items, and F the
    logistic function: nonlinear least squares in two steps, γ from the control group, and then δ
    from the others, given γ. With the identity link the mean is xγ + t xδ, and the coefficients
    are those of ordinary least squares with all interactions. Errors are robust and take both
    steps into account:

    .. math:: \hat V = G^{-1} \Big( \sum_i w_i^2 s_i s_i^T \Big) G^{-T}

    with s the equations of both steps and G their derivatives.

    Parameters
    ----------
    counts, arms, covariates, items, control, data, terms
        As in `item_count_regression`.
    link : {"logit", "identity"}
    weights : array_like, length n, or str, optional
        How often each row counts.
    clusters : array_like, length n, or str, optional
        Rows that bear the same label may depend on each other.
    design : SamplingDesign, ReplicateWeights or DesignColumns, optional
        How people were drawn, in place of weights and clusters, with replacement, as in
        `item_count_regression`.
    level : float
        Of the intervals.

    Returns
    -------
    ItemCountLeastSquares

    Raises
    ------
    InputError
        As in `item_count_regression`.
    NotIdentified
        If covariates determine each other, or the sum of squares falls without end: then nearly
        nobody, or nearly everybody, with some covariates has the sensitive item.

    References
    ----------
    Imai (2011), the two-step estimator.

    >>> from askance.inference import item_count_least_squares
    >>> said = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_least_squares(said, [0] * 60 + [1] * 80, items=2)
    >>> fit.prevalence().value.round(4).tolist()  # the difference in means
    [0.3333]
    """
    normal_quantile(level)
    refuse_unknown("link", link, ("logit", "identity"))
    same_rows(data=data, counts=counts, arms=arms, covariates=covariates, weights=weights)
    asked = {"items": items, "control": control, "weights": weights, "clusters": clusters}
    said, given, sample, told = list_by(counts, arms, covariates, design, data, terms, **asked)
    fit = _fitted(said, given, link, (told.clusters, sample), level)
    return replace(fit, formula=told.formula)


def _fitted(
    said: ListAnswers,
    given: Covariates,
    link: str,
    spread: tuple[Any, AbstractDesign | None],
    level: float,
) -> ItemCountLeastSquares:
    """Solve in covariates of mean 0 and spread 1, group by group, the control group first."""
    problem = LeastSquares(answers=said, design=given.standard(), weights=given.weights, link=link)
    k, many = problem.design.shape[1], len(said.sensitive) + 1
    at, tops = np.zeros(many * k), []
    for block in (many - 1, *range(many - 1)):
        part = slice(block * k, (block + 1) * k)
        tops.append(_stepped(_Step(whole=problem, at=at, block=part)))
        at[part] = tops[-1].at
    slopes = problem.slopes(at)
    _refuse_runaway(said, given, problem, slopes)
    bread = inverse(slopes)
    covariance, errors, freedom = equation_spread(problem, at, bread, spread)
    back = np.asarray(np.kron(np.eye(many), given.back()), dtype=np.float64)
    settled = all(one.settled for one in tops)
    ended = Convergence.STATIONARY if settled else Convergence.STOPPED
    return ItemCountLeastSquares(
        sensitive=said.sensitive,
        terms=given.terms,
        link=link,
        value=back @ at,
        covariance=back @ covariance @ back.T,
        errors=errors,
        gap=sum(one.gap for one in tops),
        convergence=Convergence.EXACT if link == "identity" else ended,
        level=level,
        squares=replace(problem, design=given.design),
        sample=spread[1],
        clusters=spread[0],
        freedom=freedom,
    )


def _stepped(step: _Step) -> Top:
    """The best of some climbs: from straight lines, from a mean without slopes, and from 0.

    Sums of squares may have several low points, unlike those of straight lines.
    """
    whole, flat = step.whole, np.zeros(step.block.stop - step.block.start)
    if whole.link == "identity":
        return ascend(step, flat)
    X, rows = whole.design, step.rows() * whole.weights
    left = whole.answers.count - whole.means(step.placed(flat))[0]  # where all shares are even
    lines = np.linalg.solve(gram(X, rows), X.T @ (rows * left))
    if step.block.stop == len(step.at):
        lines /= whole.answers.items
    share = float(np.clip(0.5 + lines[0], _RARE, 1 - _RARE))
    lines /= share * (1 - share)
    lines[0] = logit(share)
    starts = np.stack([lines, np.append(lines[0], flat[1:]), flat])[: 3 if len(flat) > 1 else 1]
    return max((ascend(step, one) for one in starts), key=lambda top: top.total)


def _refuse_runaway(
    said: ListAnswers, given: Covariates, problem: LeastSquares, slopes: Floats
) -> None:
    singles = ("intercept", *given.terms)
    names = [f"{one}: {term}" for one in (*said.sensitive, "control") for term in singles]
    k = len(singles)
    for at in range(len(said.sensitive) + 1):
        block = slice(at * k, (at + 1) * k)
        start = problem.slopes(np.zeros(len(names)))[block, block]
        along = runs_away(names[block], slopes[block, block], np.sqrt(np.diag(start)))
        if along:
            raise NotIdentified(
                "item_count_least_squares",
                got=f"a sum of squares that falls without end along {', '.join(along)}",
                allowed="people with and without the item, at every value of the covariates",
                remedy='leave a covariate out, or ask for link="identity"',
            )


def equation_spread(
    rows: Any, at: Floats, bread: Floats, told: tuple[Any, AbstractDesign | None]
) -> tuple[Floats, str, float]:
    """The sandwich of equations whose derivatives need not be symmetric, and from what it comes."""
    plain, freedom = np.eye(len(at)), math.inf
    if told[1] is not None:
        meat, errors, freedom = design_sandwich(rows, at, plain, told[1])
    else:
        meat, errors = sandwich(rows, at, plain, told[0])
    return bread @ meat @ bread.T, errors, freedom
