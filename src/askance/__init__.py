"""Ask with chance: sensitive surveys whose single answers nobody can learn.

The rooms, floor by floor; a room imports only from floors below::

    cli                                     a person types it
    present | study                         pages for people | rehearsals
    survey                                  the questionnaire
    engines                                 reports counted where they lie
    mechanisms | privacy | estimators       recipes | judges | inverters
    channels                                what reports mean
    respond | collect                       sees answers | keeps reports
    wire                                    the form and the report
    exact                                   numbers that may not be rounded the wrong way
    errors | typing
"""

from importlib import import_module
from typing import TYPE_CHECKING

from askance.channels.algebra import restrict, two_questions, two_reports
from askance.channels.channel import Channel
from askance.channels.combine import Combination, Rule, combine
from askance.channels.credal import CredalSet
from askance.channels.evidence import MassFunction
from askance.channels.frame import Frame
from askance.channels.garble import Reading, garble
from askance.channels.product import ProductFrame
from askance.channels.ranges import RangeChannel, Ranges
from askance.channels.relabel import image, relabel
from askance.channels.tally import Tally
from askance.errors import (
    AskanceError,
    DocumentError,
    FormError,
    InputError,
    MissingExtra,
    NotComparable,
    NotIdentified,
    ReportRefused,
    SurveyError,
)
from askance.estimators.base import estimate
from askance.estimators.distribution import Distribution
from askance.estimators.estimate import Estimate
from askance.estimators.likelihood import maximum_likelihood
from askance.estimators.line import LineEstimate
from askance.estimators.moment import moment_estimate
from askance.estimators.npmle import npmle
from askance.estimators.outcome import Outcome
from askance.estimators.plain import estimate_plain
from askance.estimators.precision import half_width, line_half_width
from askance.estimators.protected_number import estimate_line
from askance.exact.line import Line
from askance.exact.table import Table
from askance.mechanisms.abstain import Abstain
from askance.mechanisms.cuts import Cuts
from askance.mechanisms.kary import KAry
from askance.mechanisms.warner import Warner
from askance.privacy.advantage import advantage
from askance.privacy.best_test import BestTest, best_test
from askance.privacy.bounds import error_ceiling, error_floor
from askance.privacy.compose import compose
from askance.privacy.curve import Curve
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
from askance.privacy.interval import coverage, flatness
from askance.privacy.law import LossLaw
from askance.privacy.ledger import Interaction, Ledger
from askance.privacy.local import local_loss
from askance.privacy.minimax import least_favourable
from askance.privacy.tradeoff import View, tradeoff
from askance.wire.form import Form
from askance.wire.report import Report

if TYPE_CHECKING:
    from askance.engines.count import Counts, count_reports
    from askance.survey.analyse import Analysis, Finding, analyse
    from askance.survey.check import Check, check
    from askance.survey.load import load_survey, parse_survey
    from askance.survey.publish import publish
    from askance.survey.spec import Survey

__all__ = [
    "Abstain",
    "Analysis",
    "AskanceError",
    "BestTest",
    "Channel",
    "Check",
    "Combination",
    "Counts",
    "CredalSet",
    "Curve",
    "Cuts",
    "Distribution",
    "DocumentError",
    "Estimate",
    "Finding",
    "Form",
    "FormError",
    "Frame",
    "GaussianLimit",
    "Guarantee",
    "InputError",
    "Interaction",
    "KAry",
    "Ledger",
    "Line",
    "LineEstimate",
    "LossLaw",
    "MassFunction",
    "MissingExtra",
    "NotComparable",
    "NotIdentified",
    "Notion",
    "Outcome",
    "ProductFrame",
    "RangeChannel",
    "Ranges",
    "Reading",
    "Report",
    "ReportRefused",
    "Rule",
    "Survey",
    "SurveyError",
    "Table",
    "Tally",
    "View",
    "Warner",
    "advantage",
    "analyse",
    "belief_loss",
    "best_test",
    "check",
    "combine",
    "compose",
    "count_reports",
    "coverage",
    "error_ceiling",
    "error_floor",
    "estimate",
    "estimate_line",
    "estimate_plain",
    "flatness",
    "garble",
    "half_width",
    "image",
    "is_shafer_private",
    "is_walley_private",
    "least_favourable",
    "line_half_width",
    "load_survey",
    "local_loss",
    "maximum_likelihood",
    "moment_estimate",
    "npmle",
    "parse_survey",
    "plausibility_loss",
    "publish",
    "relabel",
    "restrict",
    "shafer_loss",
    "tradeoff",
    "two_questions",
    "two_reports",
    "walley_loss",
]

_LATER = {
    "askance.engines.count": ("Counts", "count_reports"),
    "askance.survey.analyse": ("Analysis", "Finding", "analyse"),
    "askance.survey.check": ("Check", "check"),
    "askance.survey.load": ("load_survey", "parse_survey"),
    "askance.survey.publish": ("publish",),
    "askance.survey.spec": ("Survey",),
}
"""Names that need more than numpy and scipy, loaded when they are first used."""


def __getattr__(name: str) -> object:
    for module, names in _LATER.items():
        if name in names:
            try:
                return getattr(import_module(module), name)
            except ModuleNotFoundError as error:
                raise MissingExtra(str(error.name), "survey,engines") from error
    raise AttributeError(f"module 'askance' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
