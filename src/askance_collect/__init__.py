"""What sees answers or keeps reports: a package of its own, which nothing of the analysis enters.

It needs the standard library, Starlette and uvicorn, and never imports `askance`, which stands on
it and offers the same rooms: ``ak.wire`` is ``askance_collect.wire``. Begin with `wire.Form`, the
published document; `respond.respond` turns a person's answers into a report, `collect.open_store`
keeps it, `collect.serve` does so at an address. The command is ``askance-collect``.

The rooms, floor by floor; a room imports only from floors below::

    cli                                     an operator types it
    respond | collect | tokens              sees answers | keeps reports | signs for invitations
    wire                                    the form and the report
    exact                                   numbers that may not be rounded the wrong way
    random_bytes                            the operating system's chance, tested
    arguments | lazy                        refusing the wrong kind | loading names when used
    errors                                  what everybody may name
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance_collect import (
        cli as cli,
        collect as collect,
        errors as errors,
        exact as exact,
        respond as respond,
        tokens as tokens,
        wire as wire,
    )
else:
    attach(__name__)
