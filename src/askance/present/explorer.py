"""An interactive notebook widget of a channel: privacy and precision side by side."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import Annotated, Any, final

from askance.channels.channel import DONT_KNOW, Channel, fresh, meant
from askance.channels.combine import carried
from askance.channels.mass_functions import MassFunction
from askance.design.precision import effective_sample_size, expected_half_width
from askance.mechanisms.randomised_response import Abstain
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses import (
    belief_loss,
    guessing,
    local_loss,
    plausibility_loss,
    shafer_loss,
    walley_loss,
)
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, MissingExtra, NotIdentified
from askance_collect.exact.ratio import read_integer

MOST_ANSWERS = 10
"""So many answers are explored at the most: beliefs are of all their sets."""

_UNITS = 100
_OWN = ("the truth is sent", "a lie is sent", f"“{DONT_KNOW}” is sent")
_CHANGED = ("the report is sent as it is", "any report, by chance", f"“{DONT_KNOW}” instead")
_LOSSES: tuple[tuple[str, Callable[[Channel], Guarantee]], ...] = (
    ("local (ε-LDP)", local_loss),
    ("Shafer’s", shafer_loss),
    ("Walley’s", walley_loss),
    ("of belief", belief_loss),
    ("of plausibility", plausibility_loss),
)


@checked
def explore(
    channel: Channel,
    *,
    people: Annotated[int, "a number of reports from 1 to 1,000,000"] = 1_000,
    prevalence: Annotated[float, "a share from .01 to .99"] = 0.3,
) -> Any:
    """Explore a channel in a notebook: sliders, privacy losses and precision side by side.

    Three sliders sum to 100. Where truth, lie and "don't know" are as probable for every answer
    (`Warner`, `KAry`, `Abstain`), they are these chances, and begin at the channel's own. Any other
    channel is post-processed: of 100 reports so many are sent as they are, so many exchanged for
    any report with equal chances, so many for "don't know"; it begins with all as they are. Where
    the chances are no whole hundredths, figures are of the channel itself until a slider is turned.

    Beside them stand: how often a guess between the two answers that are easiest to tell apart is
    right; the effective sample size; the width of the interval that is expected at this prevalence;
    each report's chance; what reports say of each answer at their word (belief and plausibility);
    and the losses of local differential privacy, Shafer's, Walley's, of belief and of plausibility.
    All is computed by Python whenever a slider moves: the notebook needs a running kernel.

    Parameters
    ----------
    channel : Channel
        Of 2 to 10 answers.
    people : int
        How many reports arrive, n.
    prevalence : float
        The share of the first answer; the others have the rest in equal parts.

    Returns
    -------
    anywidget.AnyWidget
        Shown by Jupyter and marimo. Its ``chances`` (three whole numbers that sum to 100),
        ``people`` and ``prevalence`` (whole per cent) can be read and set, and ``channel()`` is the
        channel at which the sliders stand.

    Raises
    ------
    InputError
        If there are fewer or more answers, or a number is out of its range.
    MissingExtra
        If anywidget is not installed.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), on what truth, lies and silence protect.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> turned = ak.explore(q)
    >>> turned.chances
    [75, 25, 0]
    >>> turned.chances = [60, 10, 30]
    >>> turned.channel().table.rows
    ((6, 1, 3), (1, 6, 3))
    """
    if not 2 <= len(channel.frame) <= MOST_ANSWERS:
        problem = f"{len(channel.frame)} answers"
        raise InputError("explore.channel", got=problem, allowed=f"2 to {MOST_ANSWERS} answers")
    n = read_integer(
        people, "explore.people", "a number of reports from 1 to 1,000,000", 1, 1_000_000
    )
    if not 0.01 <= prevalence <= 0.99:
        raise InputError("explore.prevalence", got=prevalence, allowed="a share from .01 to .99")
    return _make_widget(_Turned.of(channel), n, round(_UNITS * prevalence))


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """The channel behind the sliders: its own chances, or the post-processing of its reports."""

    base: Channel
    start: tuple[int, int, int]
    own: bool

    @classmethod
    def of(cls, channel: Channel) -> "_Turned":
        chances = _find_chances(channel)
        truth, lie = chances or (Fraction(1), Fraction(0))
        parts = round(_UNITS * truth), round(_UNITS * lie)
        lies = min(parts[1], _UNITS - parts[0])
        return cls(channel, (parts[0], lies, _UNITS - parts[0] - lies), chances is not None)

    def channel(self, parts: tuple[int, int, int]) -> Channel:
        if parts == self.start:
            return self.base
        first, second, _ = (Fraction(part, _UNITS) for part in parts)
        if self.own:
            return Abstain(truth=first, lie=second).channel(self.base.frame)
        return _post_process(self.base, first, second)


def _find_chances(channel: Channel) -> tuple[Fraction, Fraction] | None:
    """The chances of truth and of all lies together, where they are the same for every answer."""
    k, frame = len(channel.frame), channel.frame
    singles = [1 << i for i in range(k)]
    meanings = list(channel.meanings)
    plain = sorted(meanings) in (singles, [*singles, frame.full_mask])
    if not plain or channel.output != frame or DONT_KNOW in frame.answers:
        return None
    columns = [meanings.index(single) for single in singles]
    rows = [
        [Fraction(chance).limit_denominator(10**12) for chance in row]
        if channel.table is None
        else list(channel.table.row(answer))
        for answer, row in enumerate(channel.matrix.tolist())
    ]
    truths = {rows[x][columns[x]] for x in range(k)}
    lies = {rows[x][columns[y]] for x in range(k) for y in range(k) if x != y}
    if len(truths) > 1 or len(lies) > 1:
        return None
    return truths.pop(), lies.pop() * (k - 1)


def _post_process(channel: Channel, retained: Fraction, exchanged: Fraction) -> Channel:
    """Post-process: a report is kept, exchanged for any, or replaced by "don't know"."""
    reports = meant(channel)
    everything = channel.output.answers
    silent = DONT_KNOW if reports.get(DONT_KNOW) == everything else fresh(DONT_KNOW, reports)
    many = len(reports)
    new = reports | {silent: everything}
    position = list(new).index(silent)
    onward = []
    for i in range(many):
        chances = dict.fromkeys(range(many), exchanged / many)
        chances[i] += retained
        chances[position] = chances.get(position, Fraction(0)) + 1 - retained - exchanged
        onward.append(chances)
    return carried(channel, onward, new, channel.output)


def _describe_channel(channel: Channel, people: int, prevalence: int) -> Json:
    """Describe a channel's guarantees, precision and losses in the words that the widget shows."""
    others, first = len(channel.frame) - 1, prevalence / _UNITS
    shares = [first, *[(1 - first) / others] * others]
    guess = guessing(channel)
    right = 1 - float(guess.error)
    cards = [
        {
            "name": "guessing chance",
            "value": _percent(right),
            "note": f"right, between {_name_pair(guess.pair)}; a coin: {_percent(0.5)}",
        },
        *_describe_precision(channel, people, shares),
    ]
    return {
        "cards": cards,
        "sent": [
            {"answer": answer, "sent": list(zip(channel.reports, row, strict=True))}
            for answer, row in zip(channel.frame.answers, channel.matrix.tolist(), strict=True)
        ],
        "beliefs": _list_beliefs(channel, shares),
        "losses": [_describe_loss(name, judge(channel)) for name, judge in _LOSSES],
    }


def _describe_precision(channel: Channel, people: int, shares: list[float]) -> list[Json]:
    try:
        worth = effective_sample_size(channel, people, prevalence=shares)
        half = expected_half_width(channel, people, prevalence=shares)
        texts = (
            f"{worth:,.0f}",
            f"± {_UNITS * half:.1f} points",
            "about the estimated share that fares worst",
        )
    except NotIdentified:
        texts = "0", "nothing", "is learnt: reports do not tell the answers apart"
    return [
        {
            "name": "effective sample size",
            "value": texts[0],
            "note": f"plain answers tell as much as {people:,} reports",
        },
        {"name": "95 % interval", "value": texts[1], "note": texts[2]},
    ]


def _list_beliefs(channel: Channel, shares: list[float]) -> list[list[str]]:
    """Belief and plausibility of each answer, if all reports are taken at their word."""
    truth = dict(zip(channel.frame.answers, shares, strict=True))
    masses: list[MassFunction] = [channel.mass(answer) for answer in channel.frame.answers]
    rows = []
    for answer in channel.output.answers:
        low = sum(w * float(mass.belief([answer])) for w, mass in zip(shares, masses, strict=True))
        high = sum(
            w * float(mass.plausibility([answer])) for w, mass in zip(shares, masses, strict=True)
        )
        share = _percent(truth[answer]) if answer in truth else "–"
        rows.append([answer, share, _percent(low), _percent(high)])
    return rows


def _describe_loss(name: str, loss: Guarantee) -> list[str]:
    if loss.value == math.inf:
        return [name, "infinite", "without limit"]
    return [
        name,
        f"{_round_up(loss.epsilon):.3f}",
        f"{_round_up(loss.value):,.3f}".rstrip("0").rstrip("."),
    ]


def _round_up(value: Fraction | float) -> float:
    """Round up to thousandths, as a loss that is shown is."""
    return math.ceil(1_000 * value) / 1_000


def _percent(share: float) -> str:
    return f"{_UNITS * share:.1f}\N{NO-BREAK SPACE}%"


def _name_pair(pair: tuple[str, str]) -> str:
    return f"“{pair[0]}” and “{pair[1]}”"


def _make_widget(turned: _Turned, people: int, prevalence: int) -> Any:
    try:
        import anywidget
        import traitlets
    except ModuleNotFoundError as error:
        raise MissingExtra("anywidget", "notebook") from error

    def channel(self: Any) -> Channel:
        return turned.channel(tuple(self.chances))

    def describe(self: Any) -> Json:
        figures = _describe_channel(channel(self), self.people, self.prevalence)
        return {"of": [*self.chances, self.prevalence, self.people], **figures}

    def tell(self: Any, _: Any = None) -> None:
        self.figures = describe(self)

    def summing(_: Any, proposal: Any) -> list[int]:
        if min(proposal["value"]) < 0 or sum(proposal["value"]) != _UNITS:
            raise InputError(
                "explore.chances", got=proposal["value"], allowed="three whole numbers, 100 in all"
            )
        return list(proposal["value"])

    templates = files("askance.present") / "templates"
    lead = f"of all people, so many would truly say “{turned.base.frame.answers[0]}”"
    synced: dict[str, Any] = {
        "chances": traitlets.List(traitlets.Int(), list(turned.start), minlen=3, maxlen=3),
        "people": traitlets.Int(people, min=1, max=1_000_000),
        "prevalence": traitlets.Int(prevalence, min=1, max=99),
        "words": traitlets.List(
            [f"of 100, {label}" for label in (_OWN if turned.own else _CHANGED)]
        ),
        "asked": traitlets.Unicode(lead),
        "figures": traitlets.Dict(),
    }
    parts = {name: trait.tag(sync=True) for name, trait in synced.items()} | {
        "_esm": (templates / "explorer.js").read_text(encoding="utf-8"),
        "_css": (templates / "explorer.css").read_text(encoding="utf-8"),
        "_figures_default": describe,
        "_summing": traitlets.validate("chances")(summing),
        "_tell": traitlets.observe("chances", "people", "prevalence")(tell),
        "channel": channel,
    }
    return type("Explorer", (anywidget.AnyWidget,), parts)()
