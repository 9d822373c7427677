"""The questionnaire: read it, and publish the form with its channels and guarantees.

Begin with `load_survey` (a TOML file; `parse_survey` takes bytes), then `publish` the form, and go
on with `askance.analysis`, which checks it and analyses its reports.
`import_survey` reads a questionnaire of Qualtrics, LimeSurvey, XLSForm or SurveyJS into a survey
file. `survey_schema` lists what a file may say, for editors.
`deployed` gives the channel and the guarantees of any question of a form, and the `ReportKind` of
its reports; `deployable` rounds a channel to what a device can draw; `check_seal` checks the public
key that a survey seals for.
Needs ``pip install 'askance[survey]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.survey.imports.import_survey import (
        ImportedSurvey as ImportedSurvey,
        ProtectionSuggestion as ProtectionSuggestion,
        import_survey as import_survey,
    )
    from askance.survey.imports.source_tree import (
        ImportNote as ImportNote,
        ImportReason as ImportReason,
    )
    from askance.survey.deployable import deployable as deployable
    from askance.survey.report_preview import ReportKind as ReportKind
    from askance.survey.deployed import deployed as deployed
    from askance.survey.publish import check_seal as check_seal, publish as publish
    from askance.survey.question_risk import (
        PopulationKind as PopulationKind,
        QuestionRisk as QuestionRisk,
        Remedy as Remedy,
        question_risk as question_risk,
    )
    from askance.survey.specs import Survey as Survey
    from askance.survey.survey_file import load_survey as load_survey, parse_survey as parse_survey
    from askance.survey.survey_schema import survey_schema as survey_schema
else:
    attach(__name__)
