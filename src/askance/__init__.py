"""Ask with chance: sensitive surveys whose single answers nobody can learn.

``import askance as ak`` is the only import. The names of every day are in ``ak`` itself; the others
are one step down, in their room: ``ak.privacy``, ``ak.inference``, ``ak.design`` and so on, each of
which says under ``help(ak.privacy)`` what is in it and where to begin.

The rooms, floor by floor; a room imports only from floors below::

    cli                                     a person types it
    audit                                   draws of any mechanism, judged
    present | study                         pages for people | rehearsals
    analysis                                a form checked, its reports analysed
    survey | learn | engines                questionnaire | scikit-learn's face | counting in place
    design                                  before asking
    mechanisms | privacy | inference        recipes | judges | inverters
    channels | transparency                 what reports mean | shows that nothing was swapped
    results                                 what every result shares
    ------------------------------------- askance_collect -------------------------------------
    respond | collect | tokens              sees answers | keeps reports | signs for invitations
    wire                                    the form and the report
    exact                                   numbers that may not be rounded the wrong way
    arguments | lazy                        refusing the wrong kind | loading names when used
    errors                                  what everybody may name

What sees answers or keeps reports is a package of its own, `askance_collect`, which imports nothing
of this one; its rooms are here too, as ``ak.wire``, ``ak.collect`` and so on.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance import (
        analysis as analysis,
        audit as audit,
        channels as channels,
        cli as cli,
        design as design,
        engines as engines,
        inference as inference,
        learn as learn,
        mechanisms as mechanisms,
        present as present,
        privacy as privacy,
        study as study,
        survey as survey,
        transparency as transparency,
    )
    from askance_collect import (
        collect as collect,
        errors as errors,
        exact as exact,
        respond as respond,
        tokens as tokens,
        wire as wire,
    )
    from askance.analysis import (
        analyse as analyse,
        check as check,
        reported_ranges as reported_ranges,
    )
    from askance.channels import (
        Channel as Channel,
        Frame as Frame,
        RangeChannel as RangeChannel,
        Ranges as Ranges,
        Tally as Tally,
        privatise as privatise,
    )
    from askance.design import compare as compare, sample_size as sample_size
    from askance.engines import count_reports as count_reports, tally as tally
    from askance_collect.errors import AskanceError as AskanceError
    from askance_collect.exact import Line as Line
    from askance.inference import (
        censored_regression as censored_regression,
        estimate as estimate,
        estimate_joint as estimate_joint,
        estimate_line as estimate_line,
        fit_family as fit_family,
        identified as identified,
        maximum_likelihood as maximum_likelihood,
        npmle as npmle,
        response_regression as response_regression,
    )
    from askance.mechanisms import (
        Abstain as Abstain,
        Cuts as Cuts,
        KAry as KAry,
        Progressive as Progressive,
        Ring as Ring,
        Warner as Warner,
    )
    from askance.present import explore as explore
    from askance.privacy import local_loss as local_loss
    from askance.study import (
        invent_answers as invent_answers,
        operating_characteristics as operating_characteristics,
    )
    from askance.survey import (
        load_survey as load_survey,
        parse_survey as parse_survey,
        publish as publish,
    )
    from askance_collect.wire import Form as Form, Report as Report
else:
    attach(
        __name__,
        needs={
            "askance.analysis": ("msgspec", "survey,engines"),
            "askance.cli": ("msgspec", "survey"),
            "askance.engines": ("narwhals", "engines"),
            "askance.learn": ("sklearn", "learn"),
            "askance.present": ("rich", "survey"),
            "askance.study": ("msgspec", "survey,engines"),
            "askance.survey": ("msgspec", "survey"),
        },
    )
