"""Keeps reports: takes in what is possible under the form, and nothing about who sent it when.

Begin with `open_store`: a file or a PostgreSQL database that holds the reports of one form, with
the methods of a `Store`. `accept` turns a body that was sent into what is kept (`Accepted`), and
`Store.append` says what became of it (`Outcome`); `read_saved` does so for a file that a tablet
saved. `export_csv` and `export_jsonl` write the reports
for other programs, `export_receipts` what respondents can compare; `repair` saves what is good of a
damaged file (`Repair`).

`create_app` is the collector as an ASGI app, for a server of one's own; `page_origins` says which
pages may post. `serve` runs it for a survey, `serving` for a notebook or a test.
Needs ``pip install 'askance[serve]'`` for the app.
"""

from typing import TYPE_CHECKING

from askance.lazy import attach

if TYPE_CHECKING:
    from askance.collect.accept import (
        Accepted as Accepted,
        Outcome as Outcome,
        Store as Store,
        accept as accept,
        read_saved as read_saved,
    )
    from askance.collect.app import create_app as create_app, page_origins as page_origins
    from askance.collect.export import (
        export_csv as export_csv,
        export_jsonl as export_jsonl,
        export_receipts as export_receipts,
    )
    from askance.collect.store import (
        Repair as Repair,
        open_store as open_store,
        repair as repair,
    )
    from askance.collect.serve import serve as serve, serving as serving
else:
    attach(__name__)
