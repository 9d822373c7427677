"""Numbers that may not be rounded the wrong way, by the standard library alone.

Begin with `Line`: a number between two bounds, in a unit, cut into equal steps. `Floor` is the
least share or size that a reported range must have, kept as a fraction; a `PairLaw` draws the two
ends of a ring that keeps one. `Table` is a channel as whole numbers over one total, exactly as a
device draws from it; privacy is computed on it, never on the decimals that it came from.
`exp_down` gives the ratio that a privacy loss allows, and never more. For a mechanism of one's own:
`tabulate` writes its chances as a `Table`, `quantise_table` rounds that to what one draw of 48 bits
holds and keeps what is promised, and `uniform_below` draws from it without bias. `number_readings`
reads what somebody typed, and says where it could mean two numbers; `numbers_on_line` reads it for
a line, and `in_ascii` writes what was typed in any script with the digits of ASCII.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance_collect.exact.line import (
        Floor as Floor,
        Line as Line,
        PairLaw as PairLaw,
    )
    from askance_collect.exact.level import exp_down as exp_down
    from askance_collect.exact.integer_draws import uniform_below as uniform_below
    from askance_collect.exact.whole_tables import (
        tabulate as tabulate,
        quantise_table as quantise_table,
    )
    from askance_collect.exact.ratio import Table as Table
    from askance_collect.exact.typed_number import (
        in_ascii as in_ascii,
        number_readings as number_readings,
        numbers_on_line as numbers_on_line,
    )
else:
    attach(__name__)
