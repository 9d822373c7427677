"""The two documents that cross the wall: the form and the report (standard library only).

Begin with `Form`: the published questions with their integer tables, guarantees and fingerprint.
`Report` is what a respondent's device sends under a form. Their JSON is described by the schemas
beside this file and by the vectors that Python and JavaScript both pass.
"""

from typing import TYPE_CHECKING

from askance.lazy import attach

if TYPE_CHECKING:
    from askance.wire.form import Form as Form
    from askance.wire.report import Report as Report
else:
    attach(__name__)
