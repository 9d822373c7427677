"""Types of arguments that several requests have."""

from pathlib import Path
from typing import Annotated

import msgspec

from askance_collect.cli.request_options import Arg

Exact = Annotated[str, Arg(exact=True)]
"""A number with all its digits: text such as `1/6` or `.05`, or a number of JSON."""

Positive = Annotated[int, msgspec.Meta(ge=1)]
"""A number of people, draws or repetitions."""

PrintJson = Annotated[bool, Arg(help="Print JSON.")]
"""Whether a verb that has no other format prints JSON."""

Level = Annotated[float, Arg(help="The confidence level of the intervals.")]
GroupColumn = Annotated[
    str | None, Arg(help="The column of groups, where each has a `--mechanism` of its own.")
]
Noncompliance = Annotated[
    tuple[str, ...],
    Arg(
        flag="--model",
        help="Who [does not comply](#people-who-do-not-comply): `cheating`, `sld`, "
        "`self-protective:says=REPORT`, `random` or `one-sayers`; again for several kinds.",
    ),
]
Browser = Annotated[Path | None, Arg(help="A Chromium, if not the one on the command path.")]
