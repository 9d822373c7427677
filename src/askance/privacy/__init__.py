"""Judges of channels: what a report can give away, under each notion of privacy."""

from askance.privacy.coverage import (
    CoverageLaw,
    box_coverage,
    coverage,
    coverage_law,
    least_coverage,
)
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.guessing import Guessing, advantage, guessing
from askance.privacy.hypothesis_test import (
    Attack,
    RepeatedAttack,
    attack,
    best_test,
    repeated_test,
    worst_test,
)
from askance.privacy.interval_privacy import (
    Silence,
    derived_flatness,
    flatness,
    information_loss,
    interval_differential,
    noisy_ranges,
    silence,
)
from askance.privacy.least_favourable import least_favourable
from askance.privacy.ledger import Interaction, Ledger, compose
from askance.privacy.loss_distribution import GaussianLimit, LossLaw
from askance.privacy.losses import (
    belief_loss,
    is_shafer_private,
    is_walley_private,
    local_loss,
    plausibility_loss,
    shafer_loss,
    walley_loss,
)
from askance.privacy.neyman_pearson import error_ceiling, error_floor
from askance.privacy.tradeoff import View, tradeoff, worst_tradeoff
from askance.privacy.tradeoff_curve import Curve

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
