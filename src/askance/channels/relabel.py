"""What is known after answers are mapped to others: images of sets, and mixtures of maps."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from askance.arguments import checked
from askance.channels.algebra import carried
from askance.channels.channel import Channel
from askance.channels.evidence import MassFunction
from askance.channels.frame import Frame
from askance.channels.reading import Mass
from askance.errors import InputError
from askance.exact.ratio import chance

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
    moved: dict[int, Mass] = {}
    for share, places in _drawn(mass.frame, maps, frame):
        for focal, weight in mass.masses.items():
            onto = _image(mass.frame, focal, places)
            part = weight * (share if mass.exact else float(share))
            moved[onto] = moved.get(onto, 0) + part
    return MassFunction(frame, moved)


@checked
def relabel(channel: Channel, maps: Maps, to: Frame | None = None) -> Channel:
    """Map the answers that reports are about, as in `image`; no loss of any kind grows.

    Reports whose images coincide become one, named for its meaning.

    Raises
    ------
    InputError
        If an answer has no image, or the chances do not sum to one.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 4 and 16.

    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.2).channel(Frame(["a", "b", "c"]))
    >>> r = relabel(q, {"a": "a", "b": "bc", "c": "bc"}, Frame(["a", "bc"]))
    >>> r.reports, r.table.rows
    (('a', 'bc', 'a or bc'), ((6, 2, 2), (1, 7, 2), (1, 7, 2)))
    """
    frame = channel.output if to is None else to
    onward: list[dict[int, Fraction]] = [{} for _ in channel.reports]
    for share, places in _drawn(channel.output, maps, frame):
        for chances, meaning in zip(onward, channel.meanings, strict=True):
            onto = _image(channel.output, meaning, places)
            chances[onto] = chances.get(onto, Fraction(0)) + share
    focal = sorted({onto for chances in onward for onto in chances})
    column = {onto: at for at, onto in enumerate(focal)}
    named = dict(zip(frame.wordings(focal), map(frame.names, focal), strict=True))
    placed = [{column[onto]: share for onto, share in chances.items()} for chances in onward]
    return carried(channel, placed, named, frame)


def _drawn(frame: Frame, maps: Maps, to: Frame) -> list[tuple[Fraction, list[int]]]:
    """Read each map as positions, with its chance."""
    given: Sequence[Any] = [(1, maps)] if isinstance(maps, Mapping) else maps
    for at, pair in enumerate(given):
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[1], Mapping)):
            raise InputError(f"maps[{at}]", got=pair, allowed="a chance and a map of the answers")
    drawn = []
    for at, (share, one) in enumerate(given):
        unmapped = [answer for answer in frame.answers if answer not in one]
        if unmapped:
            raise InputError(
                f"maps[{at}]",
                got=f"nothing for {unmapped[0]!r}",
                allowed="an image for each answer",
            )
        places = [to.index(one[answer]) for answer in frame.answers]
        drawn.append((chance(share, f"maps[{at}]"), places))
    total = sum(share for share, _ in drawn)
    if total != 1:
        raise InputError("maps", got=f"chances that sum to {total}", allowed="a sum of one")
    return drawn


def _image(frame: Frame, focal: int, places: list[int]) -> int:
    return sum(1 << to for to in {places[at] for at in frame.places(focal)})
