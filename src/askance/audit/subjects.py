"""Functions, channels, services and programs, as subjects of an audit."""

import os
import re
import select
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

import numpy as np

from askance.audit.subject import (
    LENGTH,
    NOTHING,
    AbstractSubject,
    Responses,
    need,
    need_answers,
    need_function,
    need_texts,
)
from askance.channels.abstract_oracle import AbstractOracle
from askance.channels.channel import Channel
from askance.channels.named_columns import read_coded
from askance.channels.privatise import privatise
from askance.random_streams import random_stream
from askance.typing import Integers
from askance_collect.errors import InputError

_STREAM = "AskedChannel"  # names the draws of a seed, which stay as they were
_PATIENCE = 60  # seconds without a line after which a program is given up
_AGAIN = 400  # answers that a program is asked twice
_ALONE = 160  # answers in runs of one
_LEAST_ALONE = 24  # of each answer
_FAILURES = 200  # after which a program is given up
_FIGURES = re.compile(rb"[0-9]+")


@final
@dataclass(frozen=True, slots=True)
class FunctionSubject(AbstractSubject):
    """A function from an answer to a report, to be audited.

    Attributes
    ----------
    answers : sequence of str
    function : callable
        Called with the name of an answer. What it gives is written as text, None as "nothing sent".
        Bytes are a message, every byte of which is looked at. An error is a report too, unless
        nothing else comes.
    stated_channel : Channel or None
        What it is said to be.

    >>> subject = FunctionSubject(["yes", "no"], lambda answer: answer)
    >>> subject.respond(np.array([0, 1, 1])).reports
    ('yes', 'no', 'no')
    """

    answers: tuple[str, ...]
    function: Callable[[str], object] = field(repr=False)
    stated_channel: Channel | None = None
    name: str = "a function"

    def __post_init__(self) -> None:
        named = need_answers(self.answers, self.stated_channel, "FunctionSubject")
        object.__setattr__(self, "answers", named)
        need_function(self.function, self.name, "FunctionSubject.function")

    def respond(self, places: Integers) -> Responses:
        """Call the function with each answer."""
        replies, errors = list[object](), list[Exception]()
        for position in places.tolist():
            try:
                replies.append(self.function(self.answers[position]))
            except Exception as error:  # whatever goes wrong for one answer may tell it
                errors.append(error)
                replies.append(f"error: {type(error).__name__}: {error}")
        if len(errors) == len(replies) and errors:
            raise errors[0]
        if not all(isinstance(reply, bytes) for reply in replies):
            return Responses(
                reports=tuple(NOTHING if reply is None else str(reply) for reply in replies)
            )
        return _read_messages([reply for reply in replies if isinstance(reply, bytes)])


@final
@dataclass(frozen=True, slots=True)
class BatchSubject(AbstractSubject):
    """A service that takes a list of answers at a time, to be audited.

    Attributes
    ----------
    answers : sequence of str
    function : callable
        Called with a list of answers, by name; gives `Responses` of as many reports.
    stated_channel : Channel or None
        What it is said to be.

    >>> def service(answers):
    ...     return Responses(reports=answers, traces={"seconds": [0.1] * len(answers)})
    >>> BatchSubject(["yes", "no"], service).respond(np.array([0, 1])).reports
    ('yes', 'no')
    """

    answers: tuple[str, ...]
    function: Callable[[list[str]], Responses] = field(repr=False)
    stated_channel: Channel | None = None
    name: str = "a service"

    def __post_init__(self) -> None:
        named = need_answers(self.answers, self.stated_channel, "BatchSubject")
        object.__setattr__(self, "answers", named)
        need_function(self.function, self.name, "BatchSubject.function")

    def respond(self, places: Integers) -> Responses:
        """Ask for all of them at once."""
        responses = self.function([self.answers[position] for position in places.tolist()])
        allowed = f"Responses to {len(places)} answers"
        need(responses, Responses, self.name, allowed)
        if len(responses.reports) != len(places):
            raise InputError(self.name, got=f"{len(responses.reports)} reports", allowed=allowed)
        return responses


def _read_messages(messages: Sequence[bytes]) -> Responses:
    """Read messages: every byte of each, and how long it is."""
    texts = {message: _write_message(message) for message in set(messages)}
    return Responses(
        reports=tuple(texts[message] for message in messages),
        traces={LENGTH: np.array(list(map(len, messages)), float)},
    )


def _write_message(message: bytes) -> str:
    r"""Write a message as text, different for any two messages: blanks and odd bytes are seen.

    >>> [_write_message(message) for message in (b"yes", b"yes ", b"yes\t", b"\xff")]
    ['yes', 'yes␠', 'yes\\t', '\\udcff']
    """
    text = message.decode("utf-8", "surrogateescape")
    if not text:
        return NOTHING
    if text.isprintable() and text == text.strip() and not set(text) & {"\\", "␠"}:
        return text
    inner = text.rstrip(" ")
    letters = [
        letter
        if letter.isprintable() and letter not in "\\␠"
        else letter.encode("unicode_escape").decode()
        for letter in inner
    ]
    return "".join(letters) + "␠" * (len(text) - len(inner))


@final
@dataclass(frozen=True, slots=True)
class ChannelSubject(AbstractSubject):
    """A channel, drawn from as a device draws, to be audited.

    Of a frequency oracle whose reports have no names it is looked at which answers each report
    leaves possible, a sign for each, and what is stated is its local loss.

    Attributes
    ----------
    channel : Channel
    rng : seed, Generator or None
        The analyst's dice, to audit the same draws again; by fresh bits if left out, exactly where
        the channel is exact.
    name : str
        What it is called in the report.

    Raises
    ------
    InputError
        If there is one answer only.

    >>> from askance.mechanisms import UnaryEncoding, Warner
    >>> from askance.channels import Frame
    >>> subject = ChannelSubject(Warner(truth="3/4").channel(Frame(["yes", "no"])), rng=1)
    >>> subject.respond(np.zeros(5, dtype=np.int64)).reports
    ('no', 'yes', 'yes', 'yes', 'yes')
    >>> towns = Frame([f"town {number}" for number in range(12)])
    >>> subject = ChannelSubject(UnaryEncoding(truth="3/4", lie="1/4").channel(towns), rng=1)
    >>> subject.respond(np.array([0, 11])).reports, subject.stated_ratio
    (('100000010100', '010010000001'), Fraction(9, 1))
    """

    channel: Channel
    rng: Any = field(default=None, repr=False)
    name: str = "a channel"
    answers: tuple[str, ...] = field(init=False, repr=False)
    stated_channel: Channel | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        need(self.channel, Channel, "ChannelSubject.channel", "a Channel")
        answers = need_answers(self.channel.frame.answers, None, "ChannelSubject.channel")
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "stated_channel", self.channel if self._nameless is None else None)
        if self.rng is not None:
            object.__setattr__(self, "rng", random_stream(self.rng, _STREAM))

    @property
    def _nameless(self) -> AbstractOracle | None:
        oracle = self.channel.oracle
        return None if oracle is None or oracle.coded == "names" else oracle

    @property
    def stated_ratio(self) -> Fraction | float | None:
        """Where they have none, e^ε of its local loss."""
        return None if self._nameless is None else self._nameless.ratio

    def respond(self, places: Integers) -> Responses:
        """Privatise the answers: by whole numbers where the channel is exact, else by dice."""
        named = [self.answers[position] for position in places.tolist()]
        exact = self.rng is None and self.channel.table is not None
        privatised = privatise(self.channel, named, rng=self.rng, coin=exact)
        reports = privatised if self._nameless is None else _write_signs(self._nameless, privatised)
        return Responses(reports=tuple(reports))


def _write_signs(oracle: AbstractOracle, coded: Any) -> list[str]:
    """Write the answers that each report leaves possible as signs, one for each answer."""
    reports, _ = read_coded(coded, oracle, "reports")
    everybody = slice(0, oracle.answers)
    inside = oracle.sets(reports, everybody)
    signs = np.where(oracle.tells(reports, everybody), np.where(inside, "1", "0"), ".")
    return ["".join(row) for row in signs.tolist()]


@final
@dataclass(frozen=True, slots=True)
class ProgramSubject(AbstractSubject):
    """An outside program that reads answers, one a line, and writes reports, one a line.

    It is started anew for every few thousand answers, given all of them at once, and must write as
    many lines. One by one, each answer waits for the report to the one before, and the time to each
    report is taken; the program must then flush every line. A line ends with a line feed, or where
    all do with a carriage return and one; every other byte belongs to the report. Where the program
    ends with an error, that is the report to the first answer without a line, and it is started
    again. What it writes to its error output is looked at too, in runs of one answer each.

    Attributes
    ----------
    command : sequence of str
        The program and its arguments.
    answers : sequence of str
    stated_channel : Channel or None
        What it says that it does; a report is then the name of one of the channel's.
    one_by_one : bool

    Raises
    ------
    InputError
        If it cannot be started, ends with an error before any report or again and again, writes
        more or fewer lines than it reads, or is silent for a minute.

    >>> copy = ProgramSubject(["cat"], ["yes", "no"])
    >>> copy.respond(np.array([0, 1])).reports
    ('yes', 'no')
    """

    command: tuple[str, ...]
    answers: tuple[str, ...]
    stated_channel: Channel | None = None
    one_by_one: bool = False
    name: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        named = need_answers(self.answers, self.stated_channel, "ProgramSubject")
        allowed = "a list of a program and its arguments"
        words = need_texts(self.command, "ProgramSubject.command", allowed)
        if not words or not all(words):
            raise InputError("ProgramSubject.command", got=self.command, allowed=allowed)
        need(self.one_by_one, bool, "ProgramSubject.one_by_one", "True or False")
        object.__setattr__(self, "command", words)
        object.__setattr__(self, "name", " ".join(" ".join(words).split()))
        object.__setattr__(self, "answers", named)

    def respond(self, places: Integers) -> Responses:
        """Start the program and let it read all answers."""
        answers = [self.answers[position] for position in places.tolist()]
        if not self.one_by_one:
            lines, errors = self._run_batch(answers)
            responses = _read_messages(lines)
            return Responses(
                reports=responses.reports,
                traces=responses.traces,
                has_unassigned_output=any(errors),
            )
        lines, errors, seconds = self._run_one_by_one(answers)
        responses = _read_messages(lines)
        return Responses(
            reports=responses.reports,
            traces={**responses.traces, "seconds": np.array(seconds)},
            side_texts=_read_errors(errors),
        )

    def respond_singly(self) -> tuple[Integers, Responses] | None:
        """Start the program for each answer by itself, and collect its error output."""
        size = len(self.answers)
        repetitions = max(_ALONE // size, _LEAST_ALONE)
        places = np.tile(np.arange(size), repetitions)
        lines, errors = list[bytes](), list[bytes]()
        for position in places.tolist():
            (line,), (error,) = self._run_batch([self.answers[position]])
            lines.append(line)
            errors.append(error)
        responses = _read_messages(lines)
        return places, Responses(reports=responses.reports, side_texts=_read_errors(errors))

    def respond_twice(self) -> tuple[Responses, Responses] | None:
        """Run the program twice on the same answers."""
        same = np.zeros(_AGAIN, dtype=np.int64)
        return self.respond(same), self.respond(same)

    def _run_batch(self, answers: Sequence[str]) -> tuple[list[bytes], list[bytes]]:
        """Run the program on all answers, after an error on the rest; return lines and errors."""
        lines, errors, failed = list[bytes](), list[bytes](), 0
        while len(lines) < len(answers):
            rest = answers[len(lines) :]
            input_bytes = "".join(f"{answer}\n" for answer in rest).encode()
            with self._refusals():
                process = subprocess.run(  # noqa: S603  what is to be audited
                    self.command,
                    input=input_bytes,
                    capture_output=True,
                    timeout=_PATIENCE,
                    check=False,
                )
            output, status = _split_lines(process.stdout), f"exit status {process.returncode}"
            complete = len(output) == len(rest)
            if not complete and (not process.returncode or len(output) > len(rest)):
                problem = f"{len(output):,} lines for {len(rest):,} answers"
                raise InputError(self.name, got=problem, allowed="one line for each answer")
            lines += output if complete else [*output, f"error: {status}".encode()]
            errors.append(process.stderr + (status.encode() if process.returncode else b""))
            failed += not complete
            if failed > (_FAILURES if len(lines) > failed else len(self.answers)):
                last = process.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
                problem = f"{status}{': ' if last else ''}{''.join(last)}"
                raise InputError(
                    self.name, got=problem, allowed="a program that ends without an error"
                )
        return lines, errors

    def _run_one_by_one(
        self, answers: Sequence[str]
    ) -> tuple[list[bytes], list[bytes], list[float]]:
        """Pass answers one by one; return the lines, the error output and the seconds of each."""
        lines, errors, seconds = list[bytes](), list[bytes](), list[float]()
        pipe = subprocess.PIPE
        with (
            self._refusals(),
            subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=pipe) as process,  # noqa: S603  what is to be audited
        ):
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            try:
                for answer in answers:
                    began = time.perf_counter()
                    process.stdin.write(f"{answer}\n".encode())
                    process.stdin.flush()
                    lines.append(self._read_line(process.stdout.fileno()))
                    seconds.append(time.perf_counter() - began)
                    errors.append(_read_ready(process.stderr.fileno()))
            finally:
                process.stdin.close()
                process.kill()
        return _strip_returns(lines), errors, seconds

    def _read_line(self, pipe: int) -> bytes:
        """Read one line that is flushed, and no more."""
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], _PATIENCE)
            part = os.read(pipe, 1 << 16) if ready else b""
            if not part or b"\n" in part[:-1]:
                problem = "several lines at once" if part else "no line" if ready else "silence"
                remedy = "flush after every line (Python: print(…, flush=True))"
                allowed = "one line for each answer, before the next"
                raise InputError(self.name, got=problem, allowed=allowed, remedy=remedy)
            line += part
        return line[:-1]

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except subprocess.TimeoutExpired as error:
            problem, allowed = f"no end after {_PATIENCE} seconds", "one that ends with its input"
            raise InputError(self.name, got=problem, allowed=allowed) from error
        except OSError as error:
            allowed = "a program that can be started"
            raise InputError(self.name, got=error.strerror, allowed=allowed) from error


def _split_lines(output: bytes) -> list[bytes]:
    """Split output at line feeds; drop carriage returns where every line ends in one."""
    lines = output.split(b"\n")
    return _strip_returns(lines if lines[-1] else lines[:-1])


def _strip_returns(lines: list[bytes]) -> list[bytes]:
    if all(line.endswith(b"\r") for line in lines):
        return [line[:-1] for line in lines]
    return lines


def _read_ready(pipe: int) -> bytes:
    """Read what a program has written by now."""
    ready, _, _ = select.select([pipe], [], [], 0)
    return os.read(pipe, 1 << 16) if ready else b""


def _read_errors(errors: Sequence[bytes]) -> dict[str, tuple[str, ...]]:
    """Read what was written to the error output: as it is, and without its figures."""
    exact = tuple(_write_message(error) if error else "nothing" for error in errors)
    plain = tuple(
        _write_message(_FIGURES.sub(b"0", error)) if error else "nothing" for error in errors
    )
    return {"error output": exact, "error output but for its figures": plain}
