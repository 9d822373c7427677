"""The questionnaire: read it, check it, publish it, analyse what came back.

Begin with `load_survey` (a TOML file; `parse_survey` takes bytes), then `check` what each
question gives away and tells (a `CheckedQuestion` each, a `CheckedTrait` for several that ask
about one thing), `publish` the form, and `analyse` the counts of its reports. Of a list to tick
there is a `ListFinding`, with a `TickedShare` for each item; of a question whose right answer is
known an `AttentionCheck`.
`survey_schema` lists what a file may say, for editors.
`reported_ranges` gives a numeric question's ranges to any estimator; `deployed` gives the channel
of any question of a form, for an analysis of one's own; `deployable` rounds a channel to what a
device can draw.
Needs ``pip install 'askance[survey,engines]'``.
"""

from typing import TYPE_CHECKING

from askance.lazy import attach

if TYPE_CHECKING:
    from askance.survey.analyse import (
        analyse as analyse,
        check as check,
        reported_ranges as reported_ranges,
    )
    from askance.survey.attention import AttentionCheck as AttentionCheck
    from askance.survey.deployed import (
        Analysis as Analysis,
        Check as Check,
        CheckedQuestion as CheckedQuestion,
        CheckedTrait as CheckedTrait,
        Finding as Finding,
    )
    from askance.survey.deployable import deployable as deployable
    from askance.survey.publish import deployed as deployed, publish as publish
    from askance.survey.specs import Survey as Survey
    from askance.survey.survey_file import load_survey as load_survey, parse_survey as parse_survey
    from askance.survey.ticked import ListFinding as ListFinding, TickedShare as TickedShare
    from askance.survey.survey_schema import survey_schema as survey_schema
else:
    attach(__name__)
