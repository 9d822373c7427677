"""Choose how to ask and how many people, from what must be protected and what is to be learnt."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from askance.channels.frame import Frame
from askance.chart import Axis, Chart, bars_chart, chart_frame, draw_result
from askance.design.compare import (
    Alternative,
    Bounds,
    candidates,
    judge_mechanism,
    sufficient_parts,
    variance_of,
)
from askance.design.precision import Prevalence, shares_of
from askance.design.sample_size import SampleSize, sample_size
from askance.inference.provenance import Computation
from askance.mechanisms.randomised_response import AbstractMechanism, AtLevel, KAry, TableMechanism
from askance.results import Listing, json_of, listed, result_frame, result_stream
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.exact.ratio import chance

HEAD = ("mechanism", "ε", "Walley", "guessed", "reports", "people")
_ROUND_OFF = 1e-12


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan:
    """How to ask one question, and what else was looked at.

    Attributes
    ----------
    bounds, aim : str
        What is protected, and what is to be learnt.
    alternatives : tuple of Alternative
        Ways that keep the bounds, with the number of people; the recommended one first.
    current : Alternative or None
        How the question is asked now; it is one of the alternatives too, if it keeps the bounds.
    direct : Alternative
        The direct question: no privacy at all.
    efficiency_loss : float
        The part of the recommended mechanism's efficiency that whole parts cost.

    >>> print(plan(Frame(["yes", "no"]), epsilon=2, half_width=0.1).block(name="ever"))
    # askance plan: local ε ≤ 2; 95 % interval of ± 0.1: ask 162 people.
    [[question]]
    name = "ever"
    text = "Put the question here"
    answers = ["yes", "no"]
    mechanism = { name = "warner", truth = "22/25" }
    <BLANKLINE>
    """

    computation: ClassVar[Computation] = Computation.PLAN
    bounds: str
    aim: str
    alternatives: tuple[Alternative, ...]
    current: Alternative | None
    direct: Alternative
    efficiency_loss: float

    @property
    def recommended(self) -> Alternative:
        """The option that needs the fewest reports; among equals, the current one."""
        return self.alternatives[0]

    @checked
    def block(
        self, *, name: str = "sensitive", text: str = "Put the question here", blank: object = 0
    ) -> str:
        """Write the recommended question for a survey file."""
        people = _size(self.recommended).people
        question = self.recommended.mechanism, self.recommended.channel.frame
        note = f"# askance plan: {self.bounds}; {self.aim}: ask {people:,} people.\n"
        return note + question_block(*question, name=name, text=text, blank=blank)

    def to_dict(self) -> Json:
        """Write the plan for JSON."""
        names = "bounds aim alternatives current plain=direct lost=efficiency_loss"
        return json_of(self, names)

    def _table(self) -> Listing:
        rows = [self._row(alternative) for alternative in self.alternatives]
        if self.current and not any(
            alternative is self.current for alternative in self.alternatives
        ):
            rows.append(self._row(self.current))
        rows.append(_row(self.direct, "asked plainly"))
        how = "exact" if _size(self.recommended).exact else "by the normal law"
        notes = [
            f"Recommended: {self._row(self.recommended)[0]}",
            f"(rounding costs {100 * self.efficiency_loss:.2f} % of what it tells; number of "
            f"people {how})",
            f"(reports and people: {_size(self.recommended).assumed_population})",
        ]
        if self.recommended.guarantees[0].value == math.inf:
            notes.append("(ε ∞: some report proves an answer; a bound on ε too rules that out)")
        return f"{self.bounds}; {self.aim}", HEAD, rows, notes

    def _chart(self) -> Chart:
        """Describe how many people each way needs, the recommended one on top."""
        ways = {self._row(way)[0]: _size(way).people for way in self.alternatives}
        if self.current is not None:
            ways |= {self._row(self.current)[0]: _size(self.current).people}
        ways |= {_row(self.direct, "asked plainly")[0]: _size(self.direct).people}
        axis = Axis(name="people", label=f"people to ask; {self.aim}; {self.bounds}")
        notes = [f"{people:,}" for people in ways.values()]
        return bars_chart(list(ways), list(ways.values()), notes, axis)

    plot = draw_result
    plot_data = chart_frame

    def _row(self, alternative: Alternative) -> tuple[str, ...]:
        return _row(
            alternative,
            "as it is asked now" if alternative is self.current else alternative.description,
        )

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def plan(
    frame: Frame,
    *,
    epsilon: object = None,
    advantage: object = None,
    walley: object = None,
    ratio: object = None,
    walley_ratio: object = None,
    prevalence: Prevalence = None,
    total: int | None = None,
    current: AbstractMechanism | AtLevel[Any] | None = None,
    **aim: Any,
) -> Plan:
    """Recommend how to ask a question with these answers, and how many people to ask.

    Parameters
    ----------
    frame : Frame
    epsilon, advantage, walley : optional
        Bounds on the local loss, on the advantage over guessing, on Walley's loss; at least one.
    ratio, walley_ratio : optional
        Instead of ε and of Walley's loss: e to the bound, exactly.
    prevalence : float or array, optional
        The share of the first of two answers, or a share for each answer; even if left out.
    total : int, optional
        In how many whole parts chances are written, as in `compare`.
    current : AbstractMechanism, optional
        How the question is asked now: recommended, if it keeps the bounds and nothing needs fewer
        reports.
    **aim
        `half_width`, or `against` and `power`, and the rest as in `sample_size`.

    Raises
    ------
    InputError
        If nothing is bounded, a number is outside its range, or the aim cannot be reached; with the
        nearest that can.

    >>> plan(Frame(["yes", "no"]), epsilon=1, prevalence=0.1, half_width=0.05)
    local ε ≤ 1; 95 % interval of ± 0.05
    mechanism                            ε  Walley  guessed  reports  people
    warner: truth 0.731              1.000   1.000   73.1 %    1,550   1,550
    abstain: truth 0.548, lie 0.202  0.999   1.374   67.3 %    2,074   2,074
    abstain: truth 0.365, lie 0.135  0.995   1.858   61.5 %    3,140   3,140
    asked plainly                        ∞       ∞  100.0 %      139     139
    Recommended: warner: truth 0.731
    (rounding costs 0.06 % of what it tells; number of people exact)
    (reports and people: if shares were 0.1 and 0.9)
    """
    bounds = Bounds(
        epsilon=epsilon, advantage=advantage, walley=walley, ratio=ratio, walley_ratio=walley_ratio
    )
    shares = shares_of(prevalence, len(frame))
    parts = sufficient_parts(bounds, shares) if total is None else total

    def sized(mechanism: AbstractMechanism | AtLevel[Any]) -> Alternative:
        if isinstance(mechanism, AtLevel):
            return sized(mechanism.on(frame))
        size = sample_size(mechanism.channel(frame), prevalence=shares, **aim)
        return judge_mechanism(mechanism, frame, shares, size)

    mechanisms, least = candidates(bounds, frame, shares, parts)
    options, present = list(map(sized, mechanisms)), None if current is None else sized(current)
    if present and bounds.kept_by(present.guarantees):
        options.append(present)
    options.sort(key=lambda row: (_size(row).reports, row is not present, row.design_effect))
    direct = sized(KAry(truth=1))
    return Plan(
        bounds=bounds.description,
        aim=_size(direct).aim,
        alternatives=tuple(options),
        current=present,
        direct=direct,
        efficiency_loss=_lost_efficiency(least, variance_of(options[0].channel, shares)),
    )


def _lost_efficiency(least: float, variance: float) -> float:
    """The part of the efficiency that is lost; what floating point adds counts as nothing."""
    lost = 1 - least / variance
    return lost if lost > _ROUND_OFF else 0.0


def _size(alternative: Alternative) -> SampleSize:
    assert alternative.size is not None  # a plan sizes every way it looks at
    return alternative.size


def _row(alternative: Alternative, label: str) -> tuple[str, ...]:
    size = _size(alternative)
    return (label, *alternative.cells[1:4], f"{size.reports:,}", f"{size.people:,}")


@checked
def question_block(
    mechanism: AbstractMechanism,
    frame: Frame,
    *,
    name: str = "sensitive",
    text: str = "Put the question here",
    blank: object = 0,
) -> str:
    """Survey file block: a question with its mechanism in TOML, as in version survey-1.

    Parameters
    ----------
    mechanism : AbstractMechanism
    frame : Frame
        The answers.
    name, text : str
    blank : probability
        The chance that nothing is sent whatever the answer.

    >>> from askance.design import question_block
    >>> from askance.mechanisms.randomised_response import Warner
    >>> print(question_block(Warner(truth="3/4"), Frame(["yes", "no"])))
    [[question]]
    name = "sensitive"
    text = "Put the question here"
    answers = ["yes", "no"]
    mechanism = { name = "warner", truth = "3/4" }
    <BLANKLINE>
    """
    lines = [
        "[[question]]",
        f"name = {_text(name)}",
        f"text = {_text(text)}",
        f"answers = {_list(frame.answers)}",
        mechanism_lines(mechanism),
        *(_ACCEPTANCE if _can_prove(mechanism, frame) else ()),
        *([f"blank = {_text(str(blank))}"] if chance(blank, "blank") else []),
    ]
    return "\n".join(lines) + "\n"


_ACCEPTANCE = (
    "# Some report proves an answer. Bound epsilon too, or accept it with a reason for the board:",
    'proves = "accepted"',
    'proves_reason = "Put the reason here"',
)


def _can_prove(mechanism: AbstractMechanism, frame: Frame) -> bool:
    """Say whether some report, and not every one, can come from a single answer alone."""
    senders = (mechanism.channel(frame).matrix > 0).sum(axis=0)
    return bool((senders == 1).any() and (senders > 1).any())


def mechanism_lines(mechanism: AbstractMechanism) -> str:
    """Write a mechanism as the lines of a question that hold it: one, or more for a table.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> print(mechanism_lines(Warner(truth="3/4")))
    mechanism = { name = "warner", truth = "3/4" }
    >>> half = {"yes": ["yes"], "either": ["yes", "no"]}
    >>> print(mechanism_lines(TableMechanism(reports=half, rows=[["1/2", "1/2"], [0, 1]])))
    mechanism.name = "table"
    mechanism.reports."yes" = ["yes"]
    mechanism.reports."either" = ["yes", "no"]
    mechanism.rows = [
        ["0.5", "0.5"],
        ["0", "1"],
    ]
    """
    if not isinstance(mechanism, TableMechanism):
        fields = {"name": mechanism.name, **mechanism.parameters()}
        listed = ", ".join(f"{key} = {_text(value)}" for key, value in fields.items())
        return f"mechanism = {{ {listed} }}"
    reports = (
        f"mechanism.reports.{_text(report)} = {_list(means)}" for report, means in mechanism.reports
    )
    rows = (f"    {_list(list(map(decimal, row)))}," for row in mechanism.rows)
    lines = ('mechanism.name = "table"', *reports, "mechanism.rows = [", *rows, "]")
    return "\n".join(lines)


def decimal(chance: Fraction) -> str:
    """Write a chance with at most six decimals, or as a fraction where they are too few.

    >>> decimal(Fraction(23, 200)), decimal(Fraction(1, 3))
    ('0.115', '1/3')
    """
    millions = chance * 1_000_000
    if millions.denominator > 1:
        return str(chance)
    units, rest = divmod(millions.numerator, 1_000_000)
    return f"{units}.{rest:06d}".rstrip("0").rstrip(".")


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
