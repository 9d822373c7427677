"""Judges of channels: what a report can give away, under each notion of privacy."""

from askance.privacy.advantage import advantage
from askance.privacy.best_test import BestTest, best_test
from askance.privacy.bounds import error_ceiling, error_floor
from askance.privacy.box_coverage import box_coverage
from askance.privacy.cell_judges import least_coverage
from askance.privacy.compose import compose
from askance.privacy.coverage_law import CoverageLaw, coverage_law
from askance.privacy.curve import Curve
from askance.privacy.derived import derived_flatness
from askance.privacy.evidential import (
    belief_loss,
    is_shafer_private,
    is_walley_private,
    plausibility_loss,
    shafer_loss,
    walley_loss,
)
from askance.privacy.gaussian import GaussianLimit
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.guessing import Guessing, guessing
from askance.privacy.interval import coverage, flatness
from askance.privacy.interval_differential import interval_differential, noisy_ranges
from askance.privacy.law import LossLaw
from askance.privacy.ledger import Interaction, Ledger
from askance.privacy.local import local_loss
from askance.privacy.minimax import least_favourable
from askance.privacy.silence import Silence, silence
from askance.privacy.tradeoff import View, tradeoff

__all__ = [
    "BestTest",
    "CoverageLaw",
    "Curve",
    "GaussianLimit",
    "Guarantee",
    "Guessing",
    "Interaction",
    "Ledger",
    "LossLaw",
    "Notion",
    "Silence",
    "View",
    "advantage",
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
    "interval_differential",
    "is_shafer_private",
    "is_walley_private",
    "least_coverage",
    "least_favourable",
    "local_loss",
    "noisy_ranges",
    "plausibility_loss",
    "shafer_loss",
    "silence",
    "tradeoff",
    "walley_loss",
]
