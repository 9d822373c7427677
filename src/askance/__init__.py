"""Ask with chance: sensitive surveys whose single answers nobody can learn.

The rooms, floor by floor; a room imports only from floors below::

    cli                                     a person types it
    present | study                         pages for people | rehearsals
    survey                                  the questionnaire
    design | learn | engines                before asking | scikit-learn's face | counting in place
    mechanisms | privacy | inference        recipes | judges | inverters
    channels                                what reports mean
    respond | collect                       sees answers | keeps reports
    wire                                    the form and the report
    exact                                   numbers that may not be rounded the wrong way
    errors | typing
"""

from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING

from askance import design as _design
from askance import inference as _inference
from askance import privacy as _privacy
from askance.channels.channel import Channel, Tally
from askance.channels.combine import Combination, ProductFrame, Rule, combine
from askance.channels.cut_law import CutLaw, DirichletCuts
from askance.channels.frame import Frame
from askance.channels.identification import RangeIdentification, Selection, identified_range
from askance.channels.mass_functions import CredalSet, MassFunction
from askance.channels.open_cell_channel import OpenCellChannel
from askance.channels.privatise import privatise
from askance.channels.range_channel import RangeChannel
from askance.channels.ranges import Ranges, pull_back
from askance.channels.ring_channel import RingChannel
from askance.channels.transform import (
    Reading,
    garble,
    image,
    relabel,
    restrict,
    two_questions,
    two_reports,
)
from askance.design import *  # noqa: F403  the room lists its names
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
from askance.exact.floor import Floor
from askance.exact.line import Line
from askance.exact.table import Table
from askance.inference import *  # noqa: F403  the room lists its names
from askance.inference.bounds import (
    energy_bounds,
    functional_bounds,
    kolmogorov_bounds,
    moment_bounds,
)
from askance.inference.group_tests import SampleTest, kolmogorov_test, log_rank_test
from askance.inference.intervals.cdf_intervals import (
    PointIntervals,
    cdf_intervals,
    simultaneous_band,
)
from askance.inference.intervals.functional_interval import (
    FunctionalInterval,
    UnbiasedMean,
    functional_interval,
    unbiased_mean,
    unbiased_mean_variance,
)
from askance.inference.intervals.quantile_intervals import QuantileIntervals, quantile_intervals
from askance.inference.line.estimate_line import estimate_line, estimate_plain
from askance.inference.line.line_estimate import LineEstimate
from askance.inference.outcome import Outcome
from askance.inference.parametric import FamilyFit, fit_family
from askance.inference.ranges.distribution import Distribution
from askance.inference.ranges.npmle import naive_npmle, npmle
from askance.inference.ranges.smooth import SmoothDistribution, smoothed
from askance.inference.shares.estimate import (
    estimate,
    grab_savage,
    mean_inverse,
    moment_estimate,
    truth_lie_variance,
)
from askance.inference.shares.identified import Identification, identified
from askance.inference.shares.information import (
    Chernoff,
    Discrimination,
    chernoff,
    discriminate,
    f_divergence,
    fisher_information,
    relative_entropy,
    renyi_divergence,
)
from askance.inference.shares.joint import JointEstimate, estimate_joint
from askance.inference.shares.maximum_likelihood import (
    Estimate,
    MostLikely,
    maximum_likelihood,
    most_likely,
)
from askance.inference.shares.walley import WalleyInterval, walley_interval
from askance.mechanisms.cuts import CaseI, CaseII, Cuts, Ring, Selective
from askance.mechanisms.partitions import Blocks, Partitions, Runs
from askance.mechanisms.progressive import Progressive
from askance.mechanisms.randomised_response import Abstain, KAry, Redistribute, Warner, Written
from askance.privacy import *  # noqa: F403  the room lists its names
from askance.wire.form import Form
from askance.wire.report import Report

if TYPE_CHECKING:
    from askance.engines.count import Counts, count_reports
    from askance.study.operating_characteristics import (
        OperatingCharacteristics,
        operating_characteristics,
    )
    from askance.study.people import Stops, invent_answers, read_answers
    from askance.survey.analyse import Analysis, Finding, analyse
    from askance.survey.check import Check, check
    from askance.survey.publish import publish
    from askance.survey.reported import reported_ranges
    from askance.survey.survey_file import Survey, load_survey, parse_survey

__all__ = [
    "Abstain",
    "Analysis",
    "AskanceError",
    "Blocks",
    "CaseI",
    "CaseII",
    "Channel",
    "Check",
    "Chernoff",
    "Combination",
    "Counts",
    "CredalSet",
    "CutLaw",
    "Cuts",
    "DirichletCuts",
    "Discrimination",
    "Distribution",
    "DocumentError",
    "Estimate",
    "FamilyFit",
    "Finding",
    "Floor",
    "Form",
    "FormError",
    "Frame",
    "FunctionalInterval",
    "Identification",
    "InputError",
    "JointEstimate",
    "KAry",
    "Line",
    "LineEstimate",
    "MassFunction",
    "MissingExtra",
    "MostLikely",
    "NotComparable",
    "NotIdentified",
    "OpenCellChannel",
    "OperatingCharacteristics",
    "Outcome",
    "Partitions",
    "PointIntervals",
    "ProductFrame",
    "Progressive",
    "QuantileIntervals",
    "RangeChannel",
    "RangeIdentification",
    "Ranges",
    "Reading",
    "Redistribute",
    "Report",
    "ReportRefused",
    "Ring",
    "RingChannel",
    "Rule",
    "Runs",
    "SampleTest",
    "Selection",
    "Selective",
    "SmoothDistribution",
    "Stops",
    "Survey",
    "SurveyError",
    "Table",
    "Tally",
    "UnbiasedMean",
    "WalleyInterval",
    "Warner",
    "Written",
    "analyse",
    "cdf_intervals",
    "check",
    "chernoff",
    "combine",
    "count_reports",
    "discriminate",
    "energy_bounds",
    "estimate",
    "estimate_joint",
    "estimate_line",
    "estimate_plain",
    "f_divergence",
    "fisher_information",
    "fit_family",
    "functional_bounds",
    "functional_interval",
    "garble",
    "grab_savage",
    "identified",
    "identified_range",
    "image",
    "invent_answers",
    "kolmogorov_bounds",
    "kolmogorov_test",
    "load_survey",
    "log_rank_test",
    "maximum_likelihood",
    "mean_inverse",
    "moment_bounds",
    "moment_estimate",
    "most_likely",
    "naive_npmle",
    "npmle",
    "operating_characteristics",
    "parse_survey",
    "privatise",
    "publish",
    "pull_back",
    "quantile_intervals",
    "read_answers",
    "relabel",
    "relative_entropy",
    "renyi_divergence",
    "reported_ranges",
    "restrict",
    "simultaneous_band",
    "smoothed",
    "truth_lie_variance",
    "two_questions",
    "two_reports",
    "unbiased_mean",
    "unbiased_mean_variance",
    "walley_interval",
]
__all__ += _design.__all__ + _inference.__all__ + _privacy.__all__

_LATER = {
    "askance.engines.count": ("Counts", "count_reports"),
    "askance.study.operating_characteristics": (
        "OperatingCharacteristics",
        "operating_characteristics",
    ),
    "askance.study.people": ("Stops", "invent_answers", "read_answers"),
    "askance.survey.analyse": ("Analysis", "Finding", "analyse"),
    "askance.survey.check": ("Check", "check"),
    "askance.survey.survey_file": ("Survey", "load_survey", "parse_survey"),
    "askance.survey.publish": ("publish",),
    "askance.survey.reported": ("reported_ranges",),
}
"""Names that need more than numpy and scipy, loaded when they are first used."""

if find_spec("msgspec") is None:  # neither listed nor starred; asked for, they say what to install
    for _name in chain(*_LATER.values()):
        __all__.remove(_name)


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
