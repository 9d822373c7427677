"""A person types it; the only place that wires rooms together.

`verbs` is the command ``askance`` as a click group: for a program that runs a verb in its own
process, for shell completion, for pages made of its help. Each verb is loaded when it is asked for.
Needs ``pip install 'askance[survey]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.cli.main import verbs as verbs
else:
    attach(__name__)
