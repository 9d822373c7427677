"""Keeps reports: takes in what is possible under the form, and nothing about who sent it when.

Begin with `open_store`: a file or a PostgreSQL database that holds the reports of one form, with
the methods of a `Store`. `accept` turns a body that was sent into what is kept (`Accepted`), and
`Store.append` says what became of it (`Outcome`); `read_saved` does so for a file that a tablet
saved. `export_csv` and `export_jsonl` write the reports
for other programs, `export_receipts` what respondents can compare; `repair` saves what is good of a
damaged file (`Repair`). `back_up` copies a store as it is at one moment (`Snapshot`), and encrypts
the copy for a key if asked; `check_backup` says what a `Backup` holds, `restore` makes a store of
it, and `create_backup_key` a key. In the end `delete_reports` deletes all, and writes that down
(`Deletion`).

`create_app` is the collector as an ASGI app, for a server of one's own; `page_origins` says which
pages may post, and `mount` puts several side by side. An `Environment` stands for the machine: its
clocks, its randomness and the thread that writes. `serve` runs it for a survey, `serving` for a
notebook or a test.
`write_kit` writes the files with which an operator runs one for years. `diagnose` visits one as a
stranger would, and posts a test report: its `Diagnosis` has an `Obstacle` for each `Problem`, with
the `VisitStep` at which it showed. `inspect_installation` compares what is installed with its wheel
(an `Installation` and its `InstallState`), whose `program_digest` a release publishes.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance_collect.collect.accept import (
        Accepted as Accepted,
        Outcome as Outcome,
        Snapshot as Snapshot,
        Store as Store,
        accept as accept,
        read_saved as read_saved,
    )
    from askance_collect.collect.environment import Environment as Environment
    from askance_collect.collect.operator import BackupPlace as BackupPlace
    from askance_collect.collect.backup import (
        Backup as Backup,
        back_up as back_up,
        check_backup as check_backup,
        create_backup_key as create_backup_key,
        restore as restore,
    )
    from askance_collect.collect.app import create_app as create_app, page_origins as page_origins
    from askance_collect.collect.several import mount as mount
    from askance_collect.collect.export import (
        export_csv as export_csv,
        export_jsonl as export_jsonl,
        export_receipts as export_receipts,
    )
    from askance_collect.collect.doctor import (
        Diagnosis as Diagnosis,
        Obstacle as Obstacle,
        Problem as Problem,
        VisitStep as VisitStep,
        diagnose as diagnose,
    )
    from askance_collect.collect.installed import (
        Installation as Installation,
        InstallState as InstallState,
        inspect_installation as inspect_installation,
        program_digest as program_digest,
    )
    from askance_collect.collect.kit import write_kit as write_kit
    from askance_collect.collect.store import (
        Repair as Repair,
        open_store as open_store,
        repair as repair,
    )
    from askance_collect.collect.retention import (
        Deletion as Deletion,
        delete_reports as delete_reports,
    )
    from askance_collect.collect.serve import serve as serve, serving as serving
else:
    attach(__name__)
