"""Judges of channels: what a report can give away, under each notion of privacy."""

from askance.privacy.composition.compose import compose
from askance.privacy.composition.gaussian import GaussianLimit
from askance.privacy.composition.law import LossLaw
from askance.privacy.composition.ledger import Interaction, Ledger
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses.advantage import advantage
from askance.privacy.losses.evidential import (
    belief_loss,
    is_shafer_private,
    is_walley_private,
    plausibility_loss,
    shafer_loss,
    walley_loss,
)
from askance.privacy.losses.guessing import Guessing, guessing
from askance.privacy.losses.local import local_loss
from askance.privacy.ranges.box_coverage import box_coverage
from askance.privacy.ranges.coverage import coverage
from askance.privacy.ranges.coverage_law import CoverageLaw, coverage_law
from askance.privacy.ranges.flatness import derived_flatness, flatness
from askance.privacy.ranges.interval_differential import (
    information_loss,
    interval_differential,
    noisy_ranges,
)
from askance.privacy.ranges.least_coverage import least_coverage
from askance.privacy.ranges.silence import Silence, silence
from askance.privacy.tradeoffs.best_test import (
    Attack,
    RepeatedAttack,
    attack,
    best_test,
    repeated_test,
    worst_test,
)
from askance.privacy.tradeoffs.bounds import error_ceiling, error_floor
from askance.privacy.tradeoffs.curve import Curve
from askance.privacy.tradeoffs.minimax import least_favourable
from askance.privacy.tradeoffs.tradeoff import View, tradeoff, worst_tradeoff

__all__ = [
    "Attack",
    "CoverageLaw",
    "Curve",
    "GaussianLimit",
    "Guarantee",
    "Guessing",
    "Interaction",
    "Ledger",
    "LossLaw",
    "Notion",
    "RepeatedAttack",
    "Silence",
    "View",
    "advantage",
    "attack",
    "belief_loss",
    "best_test",
    "box_coverage",
    "compose",
    "coverage",
    "coverage_law",
    "derived_flatness",
    "error_ceiling",
    "error_floor",
    "flatness",
    "guessing",
    "information_loss",
    "interval_differential",
    "is_shafer_private",
    "is_walley_private",
    "least_coverage",
    "least_favourable",
    "local_loss",
    "noisy_ranges",
    "plausibility_loss",
    "repeated_test",
    "shafer_loss",
    "silence",
    "tradeoff",
    "walley_loss",
    "worst_test",
    "worst_tradeoff",
]
