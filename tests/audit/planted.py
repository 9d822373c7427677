"""Mechanisms with one fault each, and the right one: what an auditor must and must not find."""

from collections.abc import Callable
from typing import Any

import numpy as np

from askance import Channel, Frame, Warner
from askance.audit import AskedInBatches, Heard

YES_NO = Frame(["yes", "no"])
WARNER = Warner(truth="3/4").channel(YES_NO)
TENTHS = Warner(truth="7/10").channel(YES_NO)

Sends = Callable[[Any, np.random.Generator], Heard]


def planted(name: str, dice: Any = 1) -> AskedInBatches:
    """What is sent by seeded dice."""
    sends, stated, *_ = {**RIGHT, **FAULTY}[name]
    return batches(name, sends, stated, dice)


def batches(
    name: str, sends: Sends, stated: Channel | None = None, dice: Any = 1
) -> AskedInBatches:
    rng = np.random.default_rng(dice)

    def ask(answers: list[str]) -> Heard:
        return sends(np.array([one == "no" for one in answers]).astype(int), rng)

    return AskedInBatches(["yes", "no"], ask, stated, name)


def lying(places: Any, truthful: Any) -> tuple[str, ...]:
    return tuple(np.array(["yes", "no"])[np.where(truthful, places, 1 - places)].tolist())


def coin(truth: float) -> Sends:
    return lambda places, dice: Heard(reports=lying(places, dice.random(len(places)) < truth))


def modulo(places: Any, dice: np.random.Generator) -> Heard:
    """A random byte modulo ten, of which 0 to 5 come 26 times in 256, and the others 25 times."""
    return Heard(reports=lying(places, dice.integers(0, 256, len(places)) % 10 < 7))


def retry(places: Any, dice: np.random.Generator) -> Heard:
    """A lie is drawn again, once: the device hoped to agree with the answer."""
    drawn = dice.random((2, len(places))) < 0.75
    return Heard(reports=lying(places, drawn.any(axis=0)))


def laplace(places: Any, dice: np.random.Generator) -> Heard:
    """0 or 1 with Laplace noise for ε = 1, by inversion in doubles."""
    uniform = dice.random(len(places)) - 0.5
    noise = -np.sign(uniform) * np.log1p(-2 * np.abs(uniform))
    return Heard(reports=tuple(map(repr, (places + noise).tolist())))


def rounded(places: Any, dice: np.random.Generator) -> Heard:
    """The same noise, rounded to quarters: nothing is told by the last digits."""
    uniform = dice.random(len(places)) - 0.5
    noise = -np.sign(uniform) * np.log1p(-2 * np.abs(uniform))
    return Heard(reports=tuple(map(repr, (np.round(4 * (places + noise)) / 4).tolist())))


def with_trace(name: str, trace: Callable[[Any, np.random.Generator], Any]) -> Sends:
    """Right reports, and beside each something that may tell."""

    def sends(places: Any, dice: np.random.Generator) -> Heard:
        reports = coin(0.75)(places, dice).reports
        return Heard(reports=reports, traces={name: np.asarray(trace(places, dice), float)})

    return sends


def sorted_out(places: Any, dice: np.random.Generator) -> Heard:
    """Right reports of each batch, in the order of the alphabet."""
    return Heard(reports=tuple(sorted(coin(0.75)(places, dice).reports)))


def echo(places: Any, dice: np.random.Generator) -> Heard:
    """Right reports, but that one in twenty is the answer before."""
    before = np.roll(places, 1)
    from_before = dice.random(len(places)) < 0.05
    own = np.where(dice.random(len(places)) < 0.75, places, 1 - places)
    return Heard(reports=lying(np.where(from_before, before, own), np.ones(len(places), bool)))


def bits(places: Any, dice: np.random.Generator) -> Heard:
    """Unary encoding of two of twelve answers, truth 3/4 and lie 1/4: ε = 2 ln 3."""
    drawn = dice.random((len(places), 12)) < 0.25
    drawn[np.arange(len(places)), 5 * places] = dice.random(len(places)) < 0.75
    return Heard(reports=tuple("".join(map(str, row)) for row in drawn.astype(int).tolist()))


QUICK = with_trace("length in bytes", lambda places, dice: 3.0 - (dice.random(len(places)) < 0.5))
RIGHT: dict[str, tuple[Sends, Channel | None, dict[str, Any]]] = {
    "right": (coin(0.75), WARNER, {}),
    "right, by its ε": (coin(0.75), None, {"ratio": 3}),
    "right, of two lengths": (QUICK, WARNER, {}),
    "noise in quarters": (rounded, None, {"epsilon": 1}),
    "bits": (bits, None, {"ratio": 9}),
}
"""Each with what is stated of it."""

FAULTY: dict[str, tuple[Sends, Channel | None, dict[str, Any], int]] = {
    "coin biased by 1 %": (coin(0.76), WARNER, {}, 100_000),
    "coin biased by 1 %, by its ε": (coin(0.76), None, {"ratio": 3}, 200_000),
    "p and q swapped": (coin(0.25), WARNER, {}, 1_000),
    "a byte modulo ten": (modulo, TENTHS, {}, 250_000),
    "noise in doubles": (laplace, None, {"epsilon": 1}, 20_000),
    "retry until it agrees": (retry, WARNER, {}, 1_000),
    "retry until it agrees, by its ε": (retry, None, {"ratio": 3}, 2_000),
    "a leak by length": (
        with_trace(
            "length in bytes",
            lambda places, dice: 2 + (dice.random(len(places)) < 0.4 + places / 5),
        ),
        WARNER,
        {},
        10_000,
    ),
    "a leak by time": (
        with_trace("seconds", lambda places, dice: dice.exponential(1, len(places)) + places / 5),
        WARNER,
        {},
        10_000,
    ),
    "a leak by order": (sorted_out, WARNER, {}, 1_000),
    "a leak by order, by its ε": (sorted_out, None, {"ratio": 3}, 2_000),
    "the answer before": (echo, None, {"ratio": 3}, 50_000),
}
"""Each with what is stated of it, and the draws in which it is found."""
