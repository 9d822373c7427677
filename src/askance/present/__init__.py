"""Pages for people: the analyst's page, its figures, and tables for a terminal.

Begin with `render_analysis`: one HTML file that holds what `askance.analysis.analyse` found, to
keep or to send; `render_groups` sets the groups of a sample side by side, `render_results` any
results with their plots. `estimate_table` sets the analysis out for a terminal (rich prints it),
and `rehearsal_table` beside the truth where it is known. `summary_table` and `risk_tables` tell
what `askance.analysis.check` found: on one page, and question by question; `render_board` makes a
page of it for an ethics board, `outlook_picture` draws it, `path_picture` what a respondent does
under a mechanism. `write_assessment` drafts a data protection impact assessment to edit,
`write_assessment_docx` the same for Word, `deployment_record` an entry for a public registry.
`export_labelled` writes reports for SPSS and Stata. `result_table` sets shares, groups or a
regression for LaTeX, HTML or CSV, `compare_models` several regressions side by side, and
`methods_paragraph` writes the methods section of a paper, with its sources. `explore` shows a
channel in a notebook, with sliders.
Figures that are drawn inside `house_style` look as they do on the page. `save_figure` writes one
for print.
Needs ``pip install 'askance[survey,engines,plot]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.present.codebook import (
        DepositCheck as DepositCheck,
        DepositItem as DepositItem,
        check_deposit as check_deposit,
        render_codebook as render_codebook,
        write_methods as write_methods,
    )
    from askance.present.analysis_page import render_analysis as render_analysis
    from askance.present.board_facts import (
        Actor as Actor,
        ActorAssessment as ActorAssessment,
        Attribution as Attribution,
        BoardFacts as BoardFacts,
        Seen as Seen,
        TraitLoss as TraitLoss,
        WorstPosterior as WorstPosterior,
        assess_actors as assess_actors,
        board_facts as board_facts,
    )
    from askance.present.board_page import render_board as render_board
    from askance.present.deployment_record import deployment_record as deployment_record
    from askance.present.explorer import explore as explore
    from askance.present.figures import (
        house_style as house_style,
        outlook_picture as outlook_picture,
        save_figure as save_figure,
    )
    from askance.present.group_page import (
        GroupFinding as GroupFinding,
        render_groups as render_groups,
    )
    from askance.present.hazards import (
        Hazard as Hazard,
        HazardAnswer as HazardAnswer,
        Standing as Standing,
        answer_hazards as answer_hazards,
    )
    from askance.present.impact_assessment import (
        write_assessment as write_assessment,
        write_assessment_docx as write_assessment_docx,
    )
    from askance.present.instrument import (
        describe_instrument as describe_instrument,
        render_instrument_page as render_instrument_page,
    )
    from askance.present.instrument_pdf import render_instrument as render_instrument
    from askance.present.labelled_export import export_labelled as export_labelled
    from askance.present.methods import methods_paragraph as methods_paragraph
    from askance.present.model_table import (
        ModelComparison as ModelComparison,
        compare_models as compare_models,
    )
    from askance.present.path_picture import path_picture as path_picture
    from askance.present.result_page import render_results as render_results
    from askance.present.result_table import (
        MethodsParagraph as MethodsParagraph,
        ResultTable as ResultTable,
        result_table as result_table,
    )
    from askance.present.terminal import (
        estimate_table as estimate_table,
        rehearsal_table as rehearsal_table,
        risk_tables as risk_tables,
        summary_table as summary_table,
    )
else:
    attach(__name__)
