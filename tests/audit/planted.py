"""Mechanisms with one fault each, and the right one: what an auditor must and must not find."""

import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from askance import Channel, Frame, KAry, Warner
from askance.audit import BatchSubject, FunctionSubject, ProgramSubject, Responses

YES_NO = Frame(["yes", "no"])
WARNER = Warner(truth="3/4").channel(YES_NO)
TENTHS = Warner(truth="7/10").channel(YES_NO)

Sends = Callable[[Any, np.random.Generator], Responses]


def planted(name: str, dice: Any = 1) -> BatchSubject | ProgramSubject:
    """What is sent by seeded dice, or by a program of its own."""
    sends, stated, *_ = {**RIGHT, **FAULTY}[name]
    if isinstance(sends, str):
        runs = Path(_RUNS.name, f"{next(_NUMBERS)}")
        runs.write_text("")
        command = [sys.executable, "-c", PROGRAM + sends, str(runs)]
        return ProgramSubject(command, ["yes", "no"], stated)
    return batches(name, sends, stated, dice)


def batches(name: str, sends: Sends, stated: Channel | None = None, dice: Any = 1) -> BatchSubject:
    rng, frame = np.random.default_rng(dice), YES_NO if stated is None else stated.frame
    position = {answer: index for index, answer in enumerate(frame.answers)}

    def ask(answers: list[str]) -> Responses:
        return sends(np.array([position[item] for item in answers]), rng)

    return BatchSubject(list(frame.answers), ask, stated, name)


def lying(places: Any, truthful: Any) -> tuple[str, ...]:
    return tuple(np.array(["yes", "no"])[np.where(truthful, places, 1 - places)].tolist())


def coin(truth: float) -> Sends:
    return lambda places, dice: Responses(reports=lying(places, dice.random(len(places)) < truth))


def modulo(places: Any, dice: np.random.Generator) -> Responses:
    """A random byte modulo ten, of which 0 to 5 come 26 times in 256, and the others 25 times."""
    return Responses(reports=lying(places, dice.integers(0, 256, len(places)) % 10 < 7))


def retry(places: Any, dice: np.random.Generator) -> Responses:
    """A lie is drawn again, once: the device hoped to agree with the answer."""
    is_drawn = dice.random((2, len(places))) < 0.75
    return Responses(reports=lying(places, is_drawn.any(axis=0)))


def laplace(places: Any, dice: np.random.Generator) -> Responses:
    """0 or 1 with Laplace noise for ε = 1, by inversion in doubles."""
    uniform = dice.random(len(places)) - 0.5
    noise = -np.sign(uniform) * np.log1p(-2 * np.abs(uniform))
    return Responses(reports=tuple(map(repr, (places + noise).tolist())))


def rounded(places: Any, dice: np.random.Generator) -> Responses:
    """The same noise, rounded to quarters: nothing is told by the last digits."""
    uniform = dice.random(len(places)) - 0.5
    noise = -np.sign(uniform) * np.log1p(-2 * np.abs(uniform))
    return Responses(reports=tuple(map(repr, (np.round(4 * (places + noise)) / 4).tolist())))


def with_trace(name: str, trace: Callable[[Any, np.random.Generator], Any]) -> Sends:
    """Right reports, and beside each something that may tell."""

    def sends(places: Any, dice: np.random.Generator) -> Responses:
        reports = coin(0.75)(places, dice).reports
        return Responses(reports=reports, traces={name: np.asarray(trace(places, dice), float)})

    return sends


def sorted_out(places: Any, dice: np.random.Generator) -> Responses:
    """Right reports of each batch, in the order of the alphabet."""
    return Responses(reports=tuple(sorted(coin(0.75)(places, dice).reports)))


def echo(places: Any, dice: np.random.Generator) -> Responses:
    """Right reports, but that one in twenty is the answer before."""
    before = np.roll(places, 1)
    from_before = dice.random(len(places)) < 0.05
    own = np.where(dice.random(len(places)) < 0.75, places, 1 - places)
    return Responses(reports=lying(np.where(from_before, before, own), np.ones(len(places), bool)))


def bits(places: Any, dice: np.random.Generator) -> Responses:
    """Unary encoding of two of twelve answers, truth 3/4 and lie 1/4: ε = 2 ln 3."""
    is_drawn = dice.random((len(places), 12)) < 0.25
    is_drawn[np.arange(len(places)), 5 * places] = dice.random(len(places)) < 0.75
    return Responses(reports=tuple("".join(map(str, row)) for row in is_drawn.astype(int).tolist()))


def by_bytes(message: Callable[[str, str, np.random.Generator], bytes]) -> Sends:
    """Messages of bytes, made of the answer and its right report."""

    def sends(places: Any, dice: np.random.Generator) -> Responses:
        reports = iter(coin(0.75)(places, dice).reports)
        subject = FunctionSubject(["yes", "no"], lambda item: message(item, next(reports), dice))
        return subject.respond(places)

    return sends


def now_and_then(answer: str, report: str, dice: np.random.Generator) -> bytes:
    """An error for one answer alone, once in fifty times."""
    if answer == "no" and dice.random() < 0.02:
        raise ValueError(report)
    return report.encode()


def singles(places: Any, dice: np.random.Generator) -> Responses:
    """0 or 1 with Laplace noise for ε = 1, by inversion in single precision."""
    uniform = dice.random(len(places), dtype=np.float32) - np.float32(0.5)
    noise = -np.sign(uniform) * np.log1p(-2 * np.abs(uniform))
    return Responses(reports=tuple(map(str, places.astype(np.float32) + noise)))


def one_coin_for_two(places: Any, dice: np.random.Generator) -> Responses:
    """The same coin for two neighbours."""
    truthful = np.repeat(dice.random(len(places) // 2 + 1) < 0.75, 2)[: len(places)]
    return Responses(reports=lying(places, truthful))


def one_lie_in_four(places: Any, dice: np.random.Generator) -> Responses:
    """Of each four people one lies, and chance says which."""
    liars = dice.integers(0, 4, len(places) // 4 + 1)
    truthful = np.arange(4) != liars[:, None]
    return Responses(reports=lying(places, truthful.ravel()[: len(places)]))


def two_before(places: Any, dice: np.random.Generator) -> Responses:
    """Truth in 9 or in 6 cases of ten, as the answer two lines before says: 3 of 4 on average."""
    truth = np.where(np.roll(places, 2) == 0, 0.9, 0.6)
    return Responses(reports=lying(places, dice.random(len(places)) < truth))


def hashed(secret: int, private: bool) -> Sends:
    """A digest of the answer and a short secret; of the right report where it is private."""

    def message(answer: str, report: str, dice: np.random.Generator) -> bytes:
        text = f"{report if private else answer}, {dice.integers(secret)}"
        return sha256(text.encode()).hexdigest().encode()

    return by_bytes(message)


def questions(leak: float) -> Sends:
    """Two questions: now and then the first report is the answer to the second."""

    def sends(places: Any, dice: np.random.Generator) -> Responses:
        second, leaks = dice.integers(0, 2, len(places)), dice.random(len(places)) < leak
        own = np.array(coin(0.75)(places, dice).reports)
        reports = np.where(leaks, np.array(["yes", "no"])[second], own)
        column = tuple(map(str, second.tolist()))
        return Responses(reports=tuple(reports.tolist()), other_answers={"second": column})

    return sends


LINE = Frame([str(number) for number in range(1, 11)])
NUMBERS = KAry(truth="1/2").channel(LINE)
"""A number from 1 to 10, sent as it is or as any other."""
CUTS = Channel(
    LINE,
    {f"up to {cut}": LINE.answers[:cut] for cut in range(1, 10)}
    | {f"above {cut}": LINE.answers[cut:] for cut in range(1, 10)},
    [
        [(n <= cut) / 9 for cut in range(1, 10)] + [(n > cut) / 9 for cut in range(1, 10)]
        for n in range(1, 11)
    ],
)
"""On which side of one of nine cuts a number from 1 to 10 is."""


def drawn_from(stated: Channel, wrong: tuple[float, ...] = ()) -> Sends:
    """Reports as stated; but of the sixth answer by chances that are multiplied so."""
    chances = stated.matrix.copy()
    if wrong:
        chances[5] *= wrong
        chances[5] /= chances[5].sum()
    upto = chances.cumsum(axis=1)

    def sends(places: Any, dice: np.random.Generator) -> Responses:
        total = (upto[places] < dice.random(len(places))[:, None]).sum(axis=1)
        return Responses(reports=tuple(stated.reports[item] for item in total))

    return sends


def marked(places: Any, dice: np.random.Generator) -> Responses:
    """A message whose number is even for yes, and odd for no."""
    numbers = dice.integers(0, 8, (len(places), 12))
    numbers[:, -1] = 2 * (numbers[:, -1] // 2) + places
    rows = ["".join(map(str, row)).encode() for row in numbers.tolist()]
    return Responses(reports=coin(0.75)(places, dice).reports, messages=tuple(rows))


_RUNS, _NUMBERS = TemporaryDirectory(), count()

PROGRAM = """
import random, sys
with open(sys.argv[1], "r+") as runs:
    random.seed(runs.read())
    runs.write(".")
for line in sys.stdin:
    answer = line.strip()
    report = answer if random.random() < .75 else {"yes": "no", "no": "yes"}[answer]
"""
"""The right program, but for what it writes; its dice are seeded by how often it has run."""

QUICK = with_trace("length in bytes", lambda places, dice: 3.0 - (dice.random(len(places)) < 0.5))
RIGHT: dict[str, tuple[Sends | str, Channel | None, dict[str, Any]]] = {
    "right": (coin(0.75), WARNER, {}),
    "right, by its ε": (coin(0.75), None, {"ratio": 3}),
    "right, of two lengths": (QUICK, WARNER, {}),
    "noise in quarters": (rounded, None, {"epsilon": 1}),
    "bits": (bits, None, {"ratio": 9}),
    "digests of right reports": (hashed(1 << 14, True), None, {"ratio": 3}),
    "two questions": (questions(0), WARNER, {}),
    "a number of ten": (drawn_from(NUMBERS), NUMBERS, {}),
    "cuts of a line of ten": (drawn_from(CUTS), CUTS, {}),
}
"""Each with what is stated of it."""

FAULTY: dict[str, tuple[Sends | str, Channel | None, dict[str, Any], int]] = {
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
    "a blank at the end": (
        by_bytes(lambda answer, report, _: f"{report}{' ' * (answer == 'no')}".encode()),
        WARNER,
        {},
        1_000,
    ),
    "a tab at the end, by its ε": (
        by_bytes(lambda answer, report, _: report.encode() + b"\t" * (answer == "no")),
        None,
        {"ratio": 3},
        1_000,
    ),
    "a carriage return": (
        "    sys.stdout.write(report + ('\\r' if answer == 'no' else '') + '\\n')",
        None,
        {"ratio": 3},
        1_000,
    ),
    "the error output": (
        "    print(report); sys.stderr.write('!' if answer == 'no' else '')",
        WARNER,
        {},
        1_000,
    ),
    "an error for one answer": (by_bytes(now_and_then), WARNER, {}, 2_000),
    "an error for one answer, by its ε": (by_bytes(now_and_then), None, {"ratio": 3}, 30_000),
    "noise in singles": (singles, None, {"epsilon": 1}, 20_000),
    "one coin for two": (one_coin_for_two, WARNER, {}, 1_000),
    "one lie in each four": (one_lie_in_four, WARNER, {}, 4_000),
    "the answer two before": (two_before, WARNER, {}, 4_000),
    "digests of the answer": (hashed(1 << 20, False), None, {"ratio": 3}, 20_000),
    "another question": (questions(0.1), WARNER, {}, 10_000),
    "one step of ten": (
        drawn_from(NUMBERS, (1.0,) * 5 + (0.7,) + (1.0,) * 4),
        NUMBERS,
        {},
        40_000,
    ),
    "cuts for one step of ten": (
        drawn_from(CUTS, (1.0,) * 6 + (1.5,) + (1.0,) * 11),
        CUTS,
        {},
        40_000,
    ),
    "the number of a message": (marked, WARNER, {}, 1_000),
}
"""Each with what is stated of it, and the draws in which it is found."""
