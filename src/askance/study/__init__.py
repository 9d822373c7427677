"""Invented and recorded respondents: rehearsals, where the truth is known.

Begin with `operating_characteristics`: bias, error and coverage of a form's estimates over many
repetitions (a Monte Carlo study). `invent_answers` draws respondents, `read_answers` reads
recorded ones; `StoppingRule` says how many ranges of a progressive question people answer.
`rehearse`
drives the page itself in a browser: time per screen, drop-out, what goes wrong.
Needs ``pip install 'askance[survey,engines]'``.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.study.operating_characteristics import (
        OperatingCharacteristics as OperatingCharacteristics,
        operating_characteristics as operating_characteristics,
    )
    from askance.study.people import (
        StoppingRule as StoppingRule,
        invent_answers as invent_answers,
        read_answers as read_answers,
    )
    from askance.study.rehearsal import (
        Habits as Habits,
        Rehearsal as Rehearsal,
        ScreenVisit as ScreenVisit,
        rehearse as rehearse,
    )
else:
    attach(__name__)
