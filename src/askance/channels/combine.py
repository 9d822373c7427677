"""Evidence and channels made of others: combined, of several questions, garbled, relabelled."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import reduce
from itertools import product
from math import fsum
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.channels import frame as lattice
from askance.channels.channel import Channel, meant
from askance.channels.frame import Frame, Mass
from askance.channels.mass_functions import MassFunction
from askance.results import kept_mapping
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError, listed_names, nearest, refuse_unknown
from askance_collect.exact.ratio import Table, chance

_Array: TypeAlias = npt.NDArray[Any]


@final
class Rule(Enum):
    """How the focal sets of two independent sources meet; each value says it.

    References
    ----------
    Dempster (1967); Dubois and Prade (1986) for the disjunctive rule, Dubois and Prade (1988) for
    the one that bears their names.
    """

    DEMPSTER = "both sources are right: intersect, and share out what contradicts"
    DISJUNCTIVE = "at least one source is right: unite"
    DUBOIS_PRADE = "both are right unless they contradict each other: intersect, else unite"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """Two mass functions combined.

    Attributes
    ----------
    mass : MassFunction
    conflict : Fraction or float
        The chance that independent sources contradict each other: the product mass on pairs of
        disjoint focal sets. Dempster's rule shares it out; the others put it on unions.
    rule : Rule
    """

    mass: MassFunction
    conflict: Mass
    rule: Rule


@checked
def combine(first: MassFunction, second: MassFunction, rule: Rule = Rule.DEMPSTER) -> Combination:
    r"""Combine two independent bodies of evidence about one frame.

    .. math:: m(C) \propto \sum_{A * B = C} m_1(A)\, m_2(B)

    Parameters
    ----------
    first, second : MassFunction
        m₁ and m₂, on equal frames; A and B run over their focal sets.
    rule : Rule
        What ``*`` is: intersection, union, or union where the intersection is empty.

    Returns
    -------
    Combination
        Exact where both are exact. In doubles and with very many focal sets, Dempster's and the
        disjunctive rule multiply commonalities or beliefs; small masses are then right to about
        1e-12 in absolute size.

    Raises
    ------
    InputError
        If the frames differ, or the conflict is total under Dempster's rule.

    References
    ----------
    Shafer (1976), chapter 3.

    >>> from askance.channels.frame import Frame
    >>> abc = Frame(["a", "b", "c"])
    >>> first = MassFunction(abc, {("a",): 0.75, ("a", "b", "c"): 0.25})
    >>> second = MassFunction(abc, {("b",): 0.5, ("a", "b", "c"): 0.5})
    >>> combined = combine(first, second)
    >>> combined.conflict, combined.mass
    (0.375, MassFunction(a: 0.6, b: 0.2, a or b or c: 0.2))
    """
    if first.frame != second.frame:
        raise InputError(
            "combine",
            got=f"frames {first.frame.answers} and {second.frame.answers}",
            allowed="two mass functions on one frame",
            remedy="extend both to a product frame first",
        )
    combined, conflict = _multiply_masses(first, second, rule)
    if rule is Rule.DEMPSTER:
        if conflict >= 1 or not combined:
            raise InputError(
                "combine",
                got="total conflict: no focal set of one meets a focal set of the other",
                allowed="sources that do not contradict each other altogether",
                remedy="discount one of them, or use Rule.DISJUNCTIVE or Rule.DUBOIS_PRADE",
            )
        total = sum(combined.values()) if first.exact and second.exact else fsum(combined.values())
        combined = {focal: mass / total for focal, mass in combined.items()}
    return Combination(mass=MassFunction(first.frame, combined), conflict=conflict, rule=rule)


def _multiply_masses(
    first: MassFunction, second: MassFunction, rule: Rule
) -> tuple[dict[int, Mass], Mass]:
    """The product masses by the rule's set, and the product mass on disjoint pairs."""
    pairs, answers = len(first.masses) * len(second.masses), len(first.frame)
    swift = answers <= lattice.LARGEST and pairs > answers << answers
    if swift and rule is not Rule.DUBOIS_PRADE and not (first.exact and second.exact):
        return _multiply_commonalities(first, second, rule)
    combined: dict[int, Mass] = {}
    conflict: Mass = 0
    for focal, mass in first.masses.items():
        for other, other_mass in second.masses.items():
            intersection = focal & other
            conflict += 0 if intersection else mass * other_mass
            united = rule is Rule.DISJUNCTIVE or (rule is Rule.DUBOIS_PRADE and not intersection)
            into = focal | other if united else intersection
            if into:
                combined[into] = combined.get(into, 0) + mass * other_mass
    return combined, conflict


def _multiply_commonalities(
    first: MassFunction, second: MassFunction, rule: Rule
) -> tuple[dict[int, Mass], Mass]:
    """Multiply commonalities (or beliefs): the transform turns the sum over pairs into products."""
    masses = [_dense_masses(evidence) for evidence in (first, second)]
    conflict = float(masses[0] @ (masses[1].sum() - lattice.meeting_sums(masses[1])))
    transform, inverse = lattice.superset_sums, lattice.superset_differences
    if rule is Rule.DISJUNCTIVE:
        transform, inverse = lattice.subset_sums, lattice.subset_differences
    product = _multiply_transforms(masses, transform, inverse)
    # Counts of pairs are whole numbers below 2^53: they tell focal sets from rounding exactly.
    pairs = _multiply_transforms(
        [(array > 0).astype(float) for array in masses], transform, inverse
    )
    focal = np.flatnonzero((pairs > 0) & (product > 0) & (np.arange(len(pairs)) > 0))
    return {int(mask): float(product[mask]) for mask in focal}, conflict


def _multiply_transforms(
    pair: list[_Array], transform: Callable[[_Array], _Array], inverse: Callable[[_Array], _Array]
) -> _Array:
    return inverse(transform(pair[0]) * transform(pair[1]))


def _dense_masses(evidence: MassFunction) -> _Array:
    array = np.zeros(1 << len(evidence.frame))
    array[list(evidence.masses)] = [float(mass) for mass in evidence.masses.values()]
    return array


@final
@dataclass(frozen=True, slots=True, init=False)
class ProductFrame:
    """The combinations of answers to several questions, the last varying fastest.

    Parameters
    ----------
    parts : mapping of str to Frame
        The questions' frames by name.

    Attributes
    ----------
    joint : Frame
        The combinations, named such as "yes, red".

    Raises
    ------
    InputError
        If there is no part.

    References
    ----------
    Shafer (1976), chapters 6 and 7: refinings, marginals and vacuous extensions.

    >>> yn = Frame(["yes", "no"])
    >>> pair = ProductFrame({"smokes": yn, "drinks": yn})
    >>> pair.joint.answers
    ('yes, yes', 'yes, no', 'no, yes', 'no, no')
    """

    parts: Mapping[str, Frame]
    joint: Frame

    @checked
    def __init__(self, parts: Mapping[str, Frame]) -> None:
        if not parts:
            raise InputError("ProductFrame.parts", got=parts, allowed="one or more frames by name")
        combinations = product(*(frame.answers for frame in parts.values()))
        object.__setattr__(self, "parts", kept_mapping(parts))
        object.__setattr__(
            self, "joint", Frame(", ".join(combination) for combination in combinations)
        )

    def rectangle(self, sides: Mapping[str, Iterable[str]]) -> int:
        """The combinations whose answers lie in these sets, as a mask of the joint frame.

        A part that is left out may be anything.

        >>> yn = Frame(["yes", "no"])
        >>> ProductFrame({"smokes": yn, "drinks": yn}).rectangle({"drinks": ["no"]})
        10
        """
        for part in sides:
            self._part(part)
        masks = [
            frame.mask(sides[part]) if part in sides else frame.full_mask
            for part, frame in self.parts.items()
        ]
        return self._cross(masks)

    def extend(self, part: str, mass: MassFunction) -> MassFunction:
        """Read evidence about one part as evidence about the combinations that says no more.

        >>> yn = Frame(["yes", "no"])
        >>> pair = ProductFrame({"smokes": yn, "drinks": yn})
        >>> pair.extend("smokes", MassFunction(yn, {("yes",): 0.5, ("yes", "no"): 0.5})).focal_sets
        (('yes, yes', 'yes, no'), ('yes, yes', 'yes, no', 'no, yes', 'no, no'))
        """
        frame = self._part(part)
        if mass.frame != frame:
            raise InputError(
                "ProductFrame.extend",
                got=f"a mass function on {', '.join(mass.frame.answers)}",
                allowed=f"one on the frame of {part!r}: {listed_names(frame.answers)}",
            )
        extended: dict[int, Mass] = {}
        for focal, share in mass.masses.items():
            masks = [
                focal if name == part else other.full_mask for name, other in self.parts.items()
            ]
            extended[self._cross(masks)] = share
        return MassFunction(self.joint, extended)

    def marginal(self, part: str, mass: MassFunction) -> MassFunction:
        """Keep what evidence about the combinations says about one part.

        >>> yn = Frame(["yes", "no"])
        >>> pair = ProductFrame({"smokes": yn, "drinks": yn})
        >>> m = MassFunction(pair.joint, {("yes, yes", "yes, no"): 0.5, ("yes, no", "no, no"): 0.5})
        >>> pair.marginal("smokes", m)
        MassFunction(yes: 0.5, yes or no: 0.5)
        """
        frame = self._part(part)
        if mass.frame != self.joint:
            raise InputError(
                "ProductFrame.marginal",
                got=f"a mass function on {len(mass.frame)} other answers",
                allowed="one on the joint frame",
            )
        part_index = list(self.parts).index(part)
        sides = list(product(*(range(len(part_frame)) for part_frame in self.parts.values())))
        shadow: dict[int, Mass] = {}
        for focal, share in mass.masses.items():
            answers = {
                sides[combination][part_index] for combination in self.joint.positions(focal)
            }
            onto = sum(1 << answer for answer in answers)
            shadow[onto] = shadow.get(onto, 0) + share
        return MassFunction(frame, shadow)

    def independent(self, masses: Mapping[str, MassFunction]) -> MassFunction:
        """Join independent evidence about the parts: random-set independence.

        The focal sets are rectangles, and their masses are products. A part that is left out stays
        unknown.

        >>> yn = Frame(["yes", "no"])
        >>> pair = ProductFrame({"smokes": yn, "drinks": yn})
        >>> half = MassFunction(yn, {("yes",): 0.5, ("yes", "no"): 0.5})
        >>> pair.independent({"smokes": half, "drinks": half}).belief(["yes, yes"])
        0.25
        """
        vacuous = MassFunction(self.joint, {self.joint.full_mask: 1})
        extended = [self.extend(part, mass) for part, mass in masses.items()]
        return reduce(lambda evidence, other: combine(evidence, other).mass, extended, vacuous)

    def _cross(self, masks: list[int]) -> int:
        """Cross one mask per part: bit by bit, the last part varying fastest."""
        crossed, size = 1, 1
        for mask, frame in zip(reversed(masks), reversed(list(self.parts.values())), strict=True):
            crossed = sum(crossed << size * answer for answer in frame.positions(mask))
            size *= len(frame)
        return crossed

    def _part(self, part: str) -> Frame:
        refuse_unknown("part", part, self.parts)
        return self.parts[part]


@checked
def restrict(channel: Channel, answers: Iterable[str]) -> Channel:
    """Admit fewer answers: keep their rows, in the channel's order. Reports mean what they meant.

    Raises
    ------
    InputError
        If an answer is not the channel's, or none is left.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.2).channel(Frame(["a", "b", "c"]))
    >>> restrict(q, ["c", "a"]).table.rows
    ((6, 1, 1, 2), (1, 1, 6, 2))
    """
    positions = channel.frame.positions(channel.frame.mask(answers))
    frame = Frame(channel.frame.answers[position] for position in positions)
    rows: Table | Floats = channel.matrix[list(positions)]
    if channel.table is not None:
        rows = Table(
            channel.table.total, tuple(channel.table.rows[position] for position in positions)
        )
    return Channel(frame, meant(channel), rows, output=channel.output)


@checked
def two_reports(first: Channel, second: Channel) -> Channel:
    """Send two reports of one answer, each by its own channel with its own chance.

    The pair is about pairs of answers: its meaning is the rectangle of the two meanings, which is
    what independent random sets come to. Shafer's and Walley's losses of a pair of answers add.

    Parameters
    ----------
    first, second : Channel
        About the same answers.

    Raises
    ------
    InputError
        If the channels do not have the same answers.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 3 and 15.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth=0.75).channel(Frame(["yes", "no"]))
    >>> two_reports(q, q).table.rows[0]
    (9, 3, 3, 1)
    """
    if first.frame != second.frame:
        raise InputError(
            "two_reports",
            got=f"answers {first.frame.answers} and {second.frame.answers}",
            allowed="two channels for the same answers",
            remedy="for two questions, use two_questions",
        )
    rows = range(len(first.frame))
    return _pair_channels(first, second, first.frame, [(row, row) for row in rows])


@checked
def two_questions(first: Channel, second: Channel) -> Channel:
    """Send one report for each of two questions: the channel from pairs of answers.

    Parameters
    ----------
    first, second : Channel
        Of the one question, and of the other.

    Raises
    ------
    InputError
        If two combinations would bear the same name.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth=0.75).channel(Frame(["yes", "no"]))
    >>> two_questions(q, q).frame.answers
    ('yes, yes', 'yes, no', 'no, yes', 'no, no')
    """
    frame = ProductFrame({"first": first.frame, "second": second.frame}).joint
    rows = list(product(range(len(first.frame)), range(len(second.frame))))
    return _pair_channels(first, second, frame, rows)


def carried(
    channel: Channel,
    onward: Sequence[Mapping[int, Fraction]],
    reports: Mapping[str, Sequence[str]],
    output: Frame,
) -> Channel:
    """Send every report on, at random, as one of new reports.

    Parameters
    ----------
    channel : Channel
    onward : sequence of mapping of int to Fraction
        For each report, the chances of the new ones by position.
    reports : mapping of str to sequence of str
        The new reports with their meanings.
    output : Frame
        What the new reports are about.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> yn = Frame(["yes", "no"])
    >>> swapped = [{1: Fraction(1)}, {0: Fraction(1)}]
    >>> q = Warner(truth=0.75).channel(yn)
    >>> carried(q, swapped, {"yes": ["yes"], "no": ["no"]}, yn).table.rows
    ((1, 3), (3, 1))
    """
    if channel.table is None:
        matrix: Floats = np.zeros((len(channel.frame), len(reports)))
        for column, chances in enumerate(onward):
            for new, chance in chances.items():
                matrix[:, new] += float(chance) * channel.matrix[:, column]
        return Channel(channel.frame, reports, matrix, output=output)
    rows = [[Fraction(0)] * len(reports) for _ in channel.frame.answers]
    for answer, row in enumerate(rows):
        for shared, chances in zip(channel.table.row(answer), onward, strict=True):
            for new, chance in chances.items():
                row[new] += shared * chance
    return Channel(channel.frame, reports, rows, output=output)


def _pair_channels(
    first: Channel, second: Channel, frame: Frame, rows: Sequence[tuple[int, int]]
) -> Channel:
    output = ProductFrame({"first": first.output, "second": second.output})
    meanings = [
        output.joint.names(output.rectangle({"first": meaning, "second": other}))
        for meaning, other in product(meant(first).values(), meant(second).values())
    ]
    pairs = list(product(first.reports, second.reports))
    names = [", ".join(pair) for pair in pairs]
    if len(set(names)) < len(names):
        names = [repr(pair) for pair in pairs]
    reports = dict(zip(names, meanings, strict=True))
    if first.table is None or second.table is None:
        matrix = np.array(
            [np.kron(first.matrix[row], second.matrix[other_row]) for row, other_row in rows]
        )
        return Channel(frame, reports, matrix, output=output.joint)
    entries = tuple(
        tuple(a * b for a, b in product(first.table.rows[row], second.table.rows[other_row]))
        for row, other_row in rows
    )
    table = Table(first.table.total * second.table.total, entries)
    return Channel(frame, reports, table, output=output.joint)


_COUNTEREXAMPLE = (
    "masses (.45, .45, .10) and (.49, .49, .02) on {1}, {2} and {1, 2}: sending {1, 2} on as a new "
    "answer 3 raises Walley's loss from ln(17/15) to ln 5"
)


@final
class Reading(Enum):
    """How reports that are sets of answers are understood; each value says it."""

    SHAFER = "a report is a message: its meaning is evidence, and messages are told apart"
    WALLEY = "a report bounds the chance of an answer that someone resolves as they like"


@checked
def post_process(
    channel: Channel,
    kernel: Mapping[str, Mapping[str, object]],
    reports: Mapping[str, Sequence[str]] | None = None,
    *,
    reading: Reading,
    output: Frame | None = None,
) -> Channel:
    """Post-processing: each report is sent on as another, by chances that depend on it alone.

    Parameters
    ----------
    channel : Channel
    kernel : mapping of str to (mapping of str to probability)
        For each report, the chances of the new ones; they sum to one, and reports with equal
        meanings, which are one message, are treated alike.
    reports : mapping of str to iterable of str, optional
        The new reports with their meanings; the channel's own if left out.
    reading : Reading
        Under ``Reading.SHAFER`` no loss grows. Under ``Reading.WALLEY`` it can, and the call is
        refused: there, map answers with `relabel`.
    output : Frame, optional
        What the new reports are about; as before if left out.

    Raises
    ------
    InputError
        If the reading is Walley's, a report is unknown or left out, chances do not sum to one, or
        reports with equal meanings are treated differently.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 4 and 16.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> silence = {"yes": {"yes": 1}, "no": {"no": 1}, "don't know": {"yes": "1/2", "no": "1/2"}}
    >>> post_process(q, silence, {"yes": ["yes"], "no": ["no"]}, reading=Reading.SHAFER).table.rows
    ((3, 1), (1, 3))
    """
    if reading is not Reading.SHAFER:
        raise InputError(
            "post_process",
            got=reading.name,
            allowed="Shafer's reading: under Walley's, changing reports as messages can raise the "
            f"loss: {_COUNTEREXAMPLE}",
            remedy="map answers instead: relabel(channel, maps)",
        )
    about = channel.output if output is None else output
    new = meant(channel) if reports is None else reports
    onward = [_read_kernel_row(report, kernel, tuple(new)) for report in channel.reports]
    _refuse_unequal_messages(channel, onward)
    return carried(channel, onward, new, about)


def _read_kernel_row(
    report: str, kernel: Mapping[str, Mapping[str, object]], names: tuple[str, ...]
) -> dict[int, Fraction]:
    if report not in kernel:
        raise InputError("kernel", got=f"nothing for {report!r}", allowed="chances for each report")
    if not isinstance(kernel[report], Mapping):
        allowed = "a mapping of reports to chances"
        raise InputError(f"kernel[{report!r}]", got=kernel[report], allowed=allowed)
    read: dict[int, Fraction] = {}
    for name, share in kernel[report].items():
        where = f"kernel[{report!r}]"
        if name not in names:
            allowed = listed_names(names) or "one of the reports; there are none"
            raise InputError(where, got=name, allowed=allowed, remedy=nearest(name, names))
        read[names.index(name)] = chance(share, f"{where}[{name!r}]")
    if sum(read.values()) != 1:
        raise InputError(
            f"kernel[{report!r}]",
            got=f"chances that sum to {sum(read.values())}",
            allowed="a sum of one; write thirds as '1/3'",
        )
    return {column: share for column, share in read.items() if share}


def _refuse_unequal_messages(channel: Channel, onward: Sequence[Mapping[int, Fraction]]) -> None:
    first: dict[int, int] = {}
    for column, meaning in enumerate(channel.meanings):
        same = first.setdefault(meaning, column)
        if onward[same] != onward[column]:
            raise InputError(
                "kernel",
                got=f"{channel.reports[same]!r} and {channel.reports[column]!r} "
                "treated differently",
                allowed="reports with equal meanings treated alike: they are one message",
            )


AnswerMap: TypeAlias = Mapping[str, str]
"""For each answer, the one it becomes."""

Maps: TypeAlias = AnswerMap | Sequence[tuple[object, AnswerMap]]
"""One map, or several with their chances."""


@checked
def image(mass: MassFunction, maps: Maps, to: Frame | None = None) -> MassFunction:
    r"""Map the answers that a mass function is about.

    .. math:: m^f(F) = \sum_{E : f(E) = F} m(E)

    Parameters
    ----------
    mass : MassFunction
        m, with focal sets E.
    maps : mapping of str to str, or sequence of (probability, mapping)
        f: for each answer, the one it becomes. Several with chances that sum to one are a map that
        is drawn at random; how they move different answers together matters, so that the chances
        of single answers alone would not do.
    to : Frame, optional
        The frame of the images F; the mass function's own if left out.

    Raises
    ------
    InputError
        If an answer has no image, or the chances do not sum to one.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 4, whose proof misprints the image mass.

    >>> abc, ab = Frame(["a", "b", "c"]), Frame(["a", "b"])
    >>> m = MassFunction(abc, {("a",): 0.5, ("b",): 0.25, ("b", "c"): 0.25})
    >>> image(m, {"a": "a", "b": "b", "c": "b"}, ab)
    MassFunction(a: 0.5, b: 0.5)
    """
    frame = mass.frame if to is None else to
    image_masses: dict[int, Mass] = {}
    for share, places in _read_maps(mass.frame, maps, frame):
        for focal, weight in mass.masses.items():
            onto = _image_mask(mass.frame, focal, places)
            part = weight * (share if mass.exact else float(share))
            image_masses[onto] = image_masses.get(onto, 0) + part
    return MassFunction(frame, image_masses)


@checked
def relabel(channel: Channel, maps: Maps, to: Frame | None = None) -> Channel:
    """Map the answers that reports are about, as in `image`; no loss of any kind grows.

    Reports whose images coincide become one, named for its meaning.

    Parameters
    ----------
    channel : Channel
    maps : mapping of str to str
        Each answer's image.
    to : Frame
        The answers that reports are about then.

    Raises
    ------
    InputError
        If an answer has no image, or the chances do not sum to one.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 4 and 16.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.2).channel(Frame(["a", "b", "c"]))
    >>> r = relabel(q, {"a": "a", "b": "bc", "c": "bc"}, Frame(["a", "bc"]))
    >>> r.reports, r.table.rows
    (('a', 'bc', 'a or bc'), ((6, 2, 2), (1, 7, 2), (1, 7, 2)))
    """
    frame = channel.output if to is None else to
    onward: list[dict[int, Fraction]] = [{} for _ in channel.reports]
    for share, places in _read_maps(channel.output, maps, frame):
        for chances, meaning in zip(onward, channel.meanings, strict=True):
            onto = _image_mask(channel.output, meaning, places)
            chances[onto] = chances.get(onto, Fraction(0)) + share
    focal = sorted({onto for chances in onward for onto in chances})
    column = {onto: i for i, onto in enumerate(focal)}
    named = dict(zip(frame.wordings(focal), map(frame.names, focal), strict=True))
    placed = [{column[onto]: share for onto, share in chances.items()} for chances in onward]
    return carried(channel, placed, named, frame)


def _read_maps(frame: Frame, maps: Maps, to: Frame) -> list[tuple[Fraction, list[int]]]:
    """Read each map as positions, with its chance."""
    listed: Sequence[Any] = [(1, maps)] if isinstance(maps, Mapping) else maps
    for index, pair in enumerate(listed):
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[1], Mapping)):
            raise InputError(
                f"maps[{index}]", got=pair, allowed="a chance and a map of the answers"
            )
    read = []
    for index, (share, answer_map) in enumerate(listed):
        unmapped = [answer for answer in frame.answers if answer not in answer_map]
        if unmapped:
            raise InputError(
                f"maps[{index}]",
                got=f"nothing for {unmapped[0]!r}",
                allowed="an image for each answer",
            )
        places = [to.index(answer_map[answer]) for answer in frame.answers]
        read.append((chance(share, f"maps[{index}]"), places))
    total = sum(share for share, _ in read)
    if total != 1:
        raise InputError("maps", got=f"chances that sum to {total}", allowed="a sum of one")
    return read


def _image_mask(frame: Frame, focal: int, places: list[int]) -> int:
    return sum(1 << to for to in {places[answer] for answer in frame.positions(focal)})
