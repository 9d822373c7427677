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

from askance.channels.channel import Channel
from askance.channels.evidence import MassFunction
from askance.channels.frame import Frame
from askance.channels.ranges import RangeChannel, Ranges
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
from askance.exact.line import Line
from askance.exact.table import Table
from askance.mechanisms.abstain import Abstain
from askance.mechanisms.cuts import Cuts
from askance.mechanisms.kary import KAry
from askance.mechanisms.warner import Warner
from askance.privacy.advantage import advantage
from askance.privacy.evidential import shafer_loss, walley_loss
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.interval import coverage, flatness
from askance.privacy.ledger import compose
from askance.privacy.local import local_loss
from askance.wire.form import Form
from askance.wire.report import Report

__all__ = [
    "Abstain",
    "AskanceError",
    "Channel",
    "Cuts",
    "DocumentError",
    "Form",
    "FormError",
    "Frame",
    "Guarantee",
    "InputError",
    "KAry",
    "Line",
    "MassFunction",
    "MissingExtra",
    "NotComparable",
    "NotIdentified",
    "Notion",
    "RangeChannel",
    "Ranges",
    "Report",
    "ReportRefused",
    "SurveyError",
    "Table",
    "Tally",
    "Warner",
    "advantage",
    "compose",
    "coverage",
    "flatness",
    "local_loss",
    "shafer_loss",
    "walley_loss",
]
