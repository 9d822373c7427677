"""What an outcome that a hidden answer may move follows, and a regression on that answer as told.

The answer is a protected one, or the sensitive item of a list experiment: whoever knows how likely
each value of it is, by reports or by counts, joins that with the law of the outcome given it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import expit

from askance.chart import Chart
from askance.inference.fit_result import Convergence, GoodnessOfFit, Untested
from askance.inference.maximisation import Optimum
from askance.inference.provenance import Computation
from askance.inference.regression.coefficients import (
    CoefficientTable,
    FromTable,
    Margins,
    Per,
    coefficient_chart,
    coefficient_json,
    convergence_notes,
    describe_blanks,
    draw_coefficients,
    tabulate_coefficients,
)
from askance.inference.standard_errors import StandardErrors
from askance.results import Listing, doubles, kept_mapping, listed, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified

FAMILIES = ("normal", "logit")
ERRORS = ("observed", "robust")
_EXACT = 1e-9  # of the outcome's spread: no noise is left


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OutcomeRegression:
    """A regression of an outcome on the true answer, which is known only through reports.

    Attributes
    ----------
    description : str
        The model in words.
    table : CoefficientTable
        The outcome's coefficients first, then the answer's. Its attributes (names, value,
        covariance, standard_errors, level, df, se and p_value) are those of the regression too.
    scale : float
        σ of a normal outcome; not a number for others.
    log_likelihood : float
    gap : float
        What a further step would add to it.
    n : int
        How many respondents count: those outside a sampling design's domain do not.
    blanks : int
        How many of these sent no report of the answer: their outcomes count.
    convergence : Convergence
    spreads : mapping of str to float
        The standard deviation of each covariate; 1 of one that is 0 or 1.
    goodness_of_fit : GoodnessOfFit
        Whether the channels can have sent these reports, or the lists made these counts, at all.

    >>> import askance as ak
    >>> q = ak.Warner(truth=1).channel(ak.Frame(["yes", "no"]))
    >>> reports, outcome = ["yes", "yes", "no", "no"] * 4, [4.0, 6, 2, 4] * 2 + [2.0, 4, 0, 2] * 2
    >>> fit = ak.inference.outcome_regression(outcome, reports, [[i % 2] for i in range(16)], q)
    >>> isinstance(fit, ak.inference.OutcomeRegression), fit.names[1], float(fit.se[1].round(6))
    (True, 'outcome: answer yes', 0.5)
    """

    computation: ClassVar[Computation] = Computation.OUTCOME_REGRESSION
    description: str
    table: CoefficientTable
    scale: float
    log_likelihood: float
    gap: float
    n: int
    blanks: int = 0
    convergence: Convergence
    spreads: Mapping[str, float] = field(default_factory=dict)
    goodness_of_fit: GoodnessOfFit = field(
        default_factory=partial(GoodnessOfFit, untested=Untested.NO_TEST)
    )

    names = FromTable[tuple[str, ...]]("names")
    value = FromTable[Floats]("value")
    covariance = FromTable[Floats]("covariance")
    standard_errors = FromTable[StandardErrors]("standard_errors")
    level = FromTable[float]("level")
    df = FromTable[float]("df")
    se = FromTable[Floats]("se")
    p_value = FromTable[Floats]("p_value")

    def __post_init__(self) -> None:
        object.__setattr__(self, "spreads", kept_mapping(self.spreads))

    def coefficients(self) -> Margins:
        """The coefficients with their normal intervals, or Student's of a complex sample."""
        return self.table.margins()

    def to_dict(self) -> Json:
        """Write the coefficients for JSON."""
        return coefficient_json(self, "blanks description scale")

    @checked
    def notes(self, *, is_brief: bool = False) -> list[str]:
        """Describe the model, the respondents, and how the fit ended.

        Parameters
        ----------
        is_brief : bool
            Whether the end of a fit that ended well is left out.
        """
        scale = f"; σ {self.scale:.4g}" if np.isfinite(self.scale) else ""
        return [
            f"{self.n:,} respondents; log-likelihood {self.log_likelihood:.8g}{scale}; "
            f"se by {self.standard_errors}",
            *describe_blanks(self),
            *convergence_notes(self.convergence, is_brief=is_brief),
            *self.goodness_of_fit.misfit,
        ]

    def _table(self) -> Listing:
        return self.description, *self.table.rows(), self.notes()

    def _chart(self, per: Per = "sd") -> Chart:
        """Describe the coefficients with their intervals."""
        return coefficient_chart(self, range(len(self.names)), self.description, self.spreads, per)

    plot = draw_coefficients
    plot_data = tabulate_coefficients
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_STEEPEST = 300.0
"""The logarithm of 1/σ is not taken beyond this: it would overflow."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeLaw:
    """What the chance of each outcome is, by what it depends on and the coefficients of that.

    Attributes
    ----------
    outcome : array, shape (n,)
    normal : bool
        Whether it is normal, with log σ as the last parameter, or the chance of a 1 a logit.

    >>> law = OutcomeLaw(outcome=np.array([0.0, 1.0]), normal=False)
    >>> law.scores(np.ones((2, 1)), np.zeros(1)).tolist()
    [[-0.5], [0.5]]
    """

    outcome: Floats
    normal: bool

    def logarithms(self, model_matrix: Floats, parameters: Floats) -> Floats:
        """The logarithm of each row's chance, or density."""
        if self.normal:
            rest = self._rest(model_matrix, parameters)
            return np.asarray(-rest * rest / 2 - parameters[-1] - np.log(2 * np.pi) / 2)
        eta = model_matrix @ parameters
        return np.asarray(self.outcome * eta - np.logaddexp(0, eta))

    def scores(self, model_matrix: Floats, parameters: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        if self.normal:
            rest = self._rest(model_matrix, parameters)
            slopes = model_matrix * (rest * np.exp(-parameters[-1]))[:, None]
            return np.column_stack([slopes, rest * rest - 1])
        gap = self.outcome - expit(model_matrix @ parameters)
        return np.asarray(model_matrix * gap[:, None])

    def bend(self, model_matrix: Floats, parameters: Floats, weight: Floats) -> Floats:
        """The negative second derivatives of the sum of weighted logarithms."""
        if not self.normal:
            chance = expit(model_matrix @ parameters)
            return (model_matrix * (weight * chance * (1 - chance))[:, None]).T @ model_matrix
        rest, precision = self._rest(model_matrix, parameters), np.exp(-parameters[-1])
        information = np.empty((model_matrix.shape[1] + 1, model_matrix.shape[1] + 1))
        information[:-1, :-1] = (model_matrix * (weight * precision**2)[:, None]).T @ model_matrix
        information[:-1, -1] = information[-1, :-1] = 2 * precision * (weight * rest) @ model_matrix
        information[-1, -1] = 2 * weight @ rest**2
        return information

    def expected(self, model_matrix: Floats, parameters: Floats, weight: Floats) -> Floats:
        """The same averaged over outcomes: never negative, whatever the residuals."""
        bend = self.bend(model_matrix, parameters, weight)
        if self.normal:
            bend[-1, :] = bend[:, -1] = 0
            bend[-1, -1] = 2 * float(weight.sum())
        return bend

    def start(self, model_matrix: Floats, weights: Floats) -> Floats:
        """Where the maximisation begins: least squares, or no effects on a logit."""
        if not self.normal:
            return np.zeros(model_matrix.shape[1])
        root = np.sqrt(weights)
        phi = np.linalg.lstsq(model_matrix * root[:, None], self.outcome * root, rcond=None)[0]
        rest = float(np.average((self.outcome - model_matrix @ phi) ** 2, weights=weights))
        if not rest**0.5 > _EXACT * float(self.outcome.std()):
            raise NotIdentified(
                "outcome",
                got="an outcome that the covariates determine",
                allowed="an outcome that varies among people who are alike",
            )
        return np.append(phi, np.log(rest) / 2)

    def _rest(self, model_matrix: Floats, parameters: Floats) -> Floats:
        """The standardised residual of a normal outcome."""
        rest: Floats = (self.outcome - model_matrix @ parameters[:-1]) * np.exp(
            min(-parameters[-1], _STEEPEST)
        )
        return rest


def outcome_first(
    law: OutcomeLaw,
    cause: str,
    names: Sequence[str],
    blocks: Sequence[Floats],
    top: Optimum,
    spread: tuple[Floats, StandardErrors],
    level: float,
) -> OutcomeRegression:
    """Write a joint fit with the outcome's coefficients first, in the units of the covariates.

    Parameters
    ----------
    law : OutcomeLaw
    cause : str
        What the outcome is regressed on, besides covariates.
    names : sequence of str
        Of all coefficients, in the order of the likelihood: those of the outcome last.
    blocks : sequence of arrays
        What turns those of standardised covariates back, part by part, the outcome's last.
    top : Optimum
        In the parameters of the likelihood, log σ last.
    spread : (array, StandardErrors)
        Their covariance, and what it rests on.
    level : float

    >>> law, top = OutcomeLaw(outcome=np.ones(2), normal=False), np.arange(2.0)
    >>> end = Optimum(parameters=top, total=0.0, gap=0.0, settled=True)
    >>> from askance.inference import ErrorSource
    >>> errors = np.eye(2), StandardErrors(source=ErrorSource.ROBUST)
    >>> fit = outcome_first(law, "an answer", ["b", "a"], [np.eye(1)] * 2, end, errors, 0.95)
    >>> fit.names, fit.value.tolist()
    (('a', 'b'), [1.0, 0.0])
    """
    from scipy.linalg import block_diag

    covariance, standard_errors = spread
    back = block_diag(*blocks, *([np.eye(1)] if law.normal else []))
    order = np.roll(np.arange(len(names)), len(blocks[-1])).tolist()
    return OutcomeRegression(
        description=f"{'normal' if law.normal else 'logit'} outcome, given {cause}",
        table=CoefficientTable(
            names=tuple(names[index] for index in order),
            value=(back @ top.parameters)[order],
            covariance=(back @ covariance @ back.T)[np.ix_(order, order)],
            standard_errors=standard_errors,
            level=level,
        ),
        scale=float(np.exp(top.parameters[-1])) if law.normal else float("nan"),
        log_likelihood=top.total,
        gap=top.gap,
        n=len(law.outcome),
        convergence=Convergence.STATIONARY if top.settled else Convergence.STOPPED,
    )


def outcome_law(outcome: Any, n: int, family: str, remedy: str) -> OutcomeLaw:
    """Check an outcome, one value for each report, and choose its law.

    >>> outcome_law([0, 1], 2, "logit", "").outcome.tolist()
    [0.0, 1.0]
    """
    values = doubles(outcome, "outcome")
    if values.shape != (n,) or not np.isfinite(values).all():
        raise InputError(
            "outcome",
            got=f"shape {values.shape}, {int((~np.isfinite(values)).sum())} missing",
            allowed=f"{n} finite numbers: one per report",
            remedy=remedy,
        )
    if family == "logit" and not np.isin(values, (0, 1)).all():
        raise InputError("outcome", got="other numbers", allowed="0 and 1, for the family logit")
    if np.ptp(values) == 0:
        raise InputError("outcome", got="the same for everyone", allowed="an outcome that varies")
    return OutcomeLaw(outcome=values, normal=family == "normal")
