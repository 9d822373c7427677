"""How learners and audits came to what they hold, as values from which sentences are written."""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol, final, runtime_checkable


@final
class LearningAlgorithm(Enum):
    """How a learner is fitted to reports.

    >>> import askance as ak
    >>> ak.learn.ChannelClassifier().provenance.algorithm is ak.inference.LearningAlgorithm.EM
    True
    """

    EM = "an EM algorithm over the true answers"
    UNBIASED_WEIGHTS = "weights that invert the channel without bias"
    IMPUTATION = "each range replaced by its mean given the fit"
    BOOSTING = "boosting the likelihood of the ranges"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerProvenance:
    """By which algorithm a learner is fitted to reports, and which learner that fits.

    Attributes
    ----------
    algorithm : LearningAlgorithm
    learner : str
        The class of the learner that is fitted in turn.

    >>> import askance as ak
    >>> made = ak.learn.ChannelClassifier().provenance
    >>> isinstance(made, ak.inference.LearnerProvenance), made.learner
    (True, 'LogisticRegression')
    """

    algorithm: LearningAlgorithm
    learner: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditProvenance:
    """How often an audit asked a mechanism, and how often it may find fault with a right one.

    Attributes
    ----------
    draws : int
    failure : float

    >>> import askance as ak
    >>> ak.inference.AuditProvenance(draws=1_000, failure=0.05).draws
    1000
    """

    draws: int
    failure: float


@runtime_checkable
class ProvenancedResult(Protocol):
    """A result of a room that is not loaded to describe it."""

    @property
    def provenance(self) -> LearnerProvenance | AuditProvenance:
        """How it was computed."""
        ...
