"""A collector in a world drawn from one seed: its disk, its clocks, its senders, its crashes.

The application is the real one, and so is SQLite. What is simulated lies around them: an event loop
whose time jumps to the next timer, connections that are no sockets, and the disk of `disk.c`, which
fails, dies with the process that writes to it, and tells all that would have to reach it. The same
seed gives the same history, and so the same trace, byte for byte.

A history is a chain of lives of one collector. Each ends by a stop, a kill or a loss of power, at
some moment or within some operation of the disk; flushes and writes fail meanwhile, the disk is
full, the clock jumps, others want the store, and people send: slowly, twice, under a name that
another uses, with a token that was spent. After each life the store is held against all that was
acknowledged.
"""

import asyncio
import ctypes
import errno
import json
import logging
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, final

from lab import Machine
from power import Event, Start, read

import askance as ak
from askance_collect.collect import Environment, Store, accept, create_app, open_store, sqlite
from askance_collect.errors import AskanceError
from askance_collect.wire import Form, Report, Token, pss_encode, to_base64url, token_message

SURVEY = b"""
askance = "survey-1"
title = "Exams"
consent = "Say it or leave."
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
"""
KEY = "an-operator-key-that-nobody-can-guess"
PAGE = "ab" * 32
ALIVE, DEAD, BLIND = 0, 1, 2
"""The modes of `disk.c`."""

DAY = date(2031, 5, 5)
PATIENCE = 30.0
"""Seconds that a phone waits for an answer, and that a collector is given to find one."""

LEFT = 3600
"""Seconds after the last day in which a report is still taken."""

PATIENT = 400
"""So often a phone tries again before the collector counts as one that never recovers."""

_P = int(
    "d55b43bdf2dfab171be9b02e15ebbca205386806e783496ca060b686123356256f4d32554c54f4a06d9def3b"
    "0cd484a150afcc5edea25f7d939af0d4d29f573040b6de5cfac57e27a5e30b6562a93d6b121bcbdc0ea81a67"
    "f9b25f439a4a36ad8b6f7135d8f212cf44e23886c53da5e50c518a8243521230eb87644673a00183",
    16,
)
_Q = int(
    "cd6ecbaab64137413216bd90dfcaf90f0d0d23729007df0b606c45dd30879a99b6d41e4b38533048d4f34f1c"
    "64a1e6877a1740dea7919fd8a30b5da5c9489389480f69d3be8b585ee0396c8fc1c178aa5ad4b2d92d47c7f9"
    "b50895305ea33348fddc4bbc23d1f2eb207dbf54becf7d8a4b78e77d274cd4801dbdc081e0132cc1",
    16,
)
"""The primes of the issuer's key: it signs for nobody else."""

_SEED_SQLITE = 28  # SQLITE_TESTCTRL_PRNG_SEED


@final
class Violation(Exception):
    """What must never happen did."""


@final
class Gone(Exception):
    """The connection broke off."""


@final
class Loop(asyncio.BaseEventLoop):
    """An event loop without sockets, whose time jumps to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        self._clock_resolution = 1e-6
        self._selector = self

    def time(self) -> float:
        return self._now

    def select(self, timeout: float | None) -> list[Any]:
        """Wait for nothing but the next timer."""
        if timeout is None:
            raise Violation("nothing will ever happen any more")
        self._now += timeout
        return []

    def _process_events(self, events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


@cache
def plain_form() -> Form:
    """The form of a survey in which everybody may send."""
    return ak.publish(ak.parse_survey(SURVEY))


@cache
def token_form() -> Form:
    """The form of a survey in which each person has a token."""
    modulus = to_base64url((_P * _Q).to_bytes(256, "big"))
    tokens = {"issuer": "https://issuer.example/", "keys": [{"name": "all", "n": modulus}]}
    return Form.read(plain_form().document | {"askance": "form-2", "tokens": tokens})


@cache
def token(number: int) -> str:
    """Sign the token of a number, the same whenever it is asked for."""
    prefix = sha256(b"prefix %d" % number).digest()
    salt = (sha256(b"salt %d" % number).digest() * 2)[:48]
    message = token_message(token_form().fingerprint, prefix)
    encoded = int.from_bytes(pss_encode(message, 2047, salt), "big")
    at_p, at_q = (pow(encoded, pow(65537, -1, r - 1), r) for r in (_P, _Q))
    signed = at_q + _Q * ((at_p - at_q) * pow(_Q, -1, _P) % _P)
    return Token(0, prefix, signed.to_bytes(256, "big")).text


@final
@dataclass(frozen=True, slots=True)
class Sent:
    """A report as somebody sends it."""

    id: str
    body: bytes
    answers: str
    token: str

    @classmethod
    def of(cls, form: Form, id: str, value: int, number: int) -> "Sent":
        """Make a report, with the token of a number where the form wants one."""
        body = Report(form.fingerprint, id, {"cheated": value}).body(form.size)
        sealed = token(number) if form.tokens is not None else ""
        body += sealed.encode("ascii")
        return cls(id, body, accept(body, form).answers, sealed)


@final
@dataclass(slots=True)
class Ledger:
    """What was sent and what was acknowledged, and what a store has to hold therefore."""

    sent: dict[str, dict[str, Sent]] = field(default_factory=dict)
    acknowledged: dict[str, str] = field(default_factory=dict)
    closed: dict[str, str] | None = None
    asked_to_close: bool = False

    def send(self, report: Sent) -> None:
        self.sent.setdefault(report.id, {})[report.answers] = report

    def acknowledge(self, report: Sent, new: bool, closed: bool) -> None:
        """Take an acknowledgement down, unless it contradicts another."""
        before = self.acknowledged.setdefault(report.id, report.answers)
        if before != report.answers:
            raise Violation("two reports were acknowledged under one id")
        if closed and new:
            raise Violation("a report was taken in after the closing")

    def compare(self, store: Store) -> None:
        """Hold a store against it."""
        rows = list(store.reports())
        mapping = dict(rows)
        if len(mapping) < len(rows):
            raise Violation("a report is kept twice")
        for id, answers in self.acknowledged.items():
            if mapping.get(id) != answers:
                raise Violation(
                    "an acknowledged report was " + ("altered" if id in mapping else "lost")
                )
        for id, answers in mapping.items():
            if answers not in self.sent.get(id, {}):
                raise Violation("a report is kept that nobody sent")
        self._compare_tokens(store, mapping)
        if self.closed is not None and (not store.closed or mapping != self.closed):
            raise Violation("a closed survey has changed")

    def _compare_tokens(self, store: Store, remaining: dict[str, str]) -> None:
        tokens = [self.sent[id][answers].token for id, answers in remaining.items()]
        spent = sum(store.spent_tokens().values())
        if any(tokens) and len(set(tokens)) < len(tokens):
            raise Violation("a token counted twice")
        if spent != sum(map(bool, tokens)):
            raise Violation(
                "tokens are spent for reports that are not kept, or not for some that are"
            )


@final
class Runner:
    """Runs a writer's turns on the loop, each after as long as its flush may take."""

    def __init__(self, life: "Life", turn: Callable[[], bool]) -> None:
        self._life, self._turn = life, turn
        self._going, self._due = True, False

    def wake(self) -> None:
        """Have a turn a little later."""
        if not self._due and self.is_alive():
            self._due = True
            self._life.world.loop.call_later(self._life.world.flushing(), self._run)

    def _run(self) -> None:
        self._due = False
        if self.is_alive():
            try:
                self._going = self._turn()
            except Exception as error:
                self._going = False
                self._life.world.say(f"the writer ends: {type(error).__name__}")
            self._life.look()

    def is_alive(self) -> bool:
        """Say whether there will be another turn."""
        return self._going and not self._life.dead

    def join(self, timeout: float) -> None:
        """Have all turns that are left."""
        del timeout
        while self.is_alive():
            self._going = self._turn()
            self._life.look()


@final
@dataclass(slots=True)
class Line:
    """A connection that is no socket: pieces of a body with pauses, and then perhaps nobody."""

    pieces: list[tuple[float, bytes]]
    leaves: bool
    reply: "asyncio.Future[tuple[int, bytes]]"
    whole: float
    status: int = 0

    async def receive(self) -> dict[str, Any]:
        """Give the next piece when it comes, or say that nobody is there any more."""
        if self.pieces:
            pause, piece = self.pieces.pop(0)
            await asyncio.sleep(pause)
            self.whole = asyncio.get_running_loop().time()
            more = bool(self.pieces) or self.leaves
            return {"type": "http.request", "body": piece, "more_body": more}
        if not self.leaves:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}


@final
class Life:
    """One process of a collector, from its start to whatever ends it."""

    def __init__(self, world: "World") -> None:
        self.world, self.dead = world, False
        self.over = asyncio.Event()
        self.store: Store | None = None
        self._tasks: dict[asyncio.Task[None], Line | None] = {}
        self._state: dict[str, Any] = {}
        self._orders: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        self._told: asyncio.Queue[str] = asyncio.Queue()
        self._app: Any = None

    async def begin(self) -> None:
        """Open the store and let the application start."""
        world = self.world
        environment = Environment(
            wall_clock=world.wall,
            monotonic=world.loop.time,
            random_bytes=world.bytes.randbytes,
            run_writer=lambda turn: Runner(self, turn),
        )
        self.store = open_store(world.path, world.form, environment=environment)
        if self.look():
            return
        world.compare(self.store)
        self._app = create_app(
            world.form,
            b"<!doctype html>",
            {},
            PAGE,
            self.store,
            operator_key=KEY,
            last_day=world.until,
            environment=environment,
        )
        self._do(self._live(), None)
        self._orders.put_nowait({"type": "lifespan.startup"})
        if await self._told.get() != "lifespan.startup.complete" and not self.look():
            raise Violation("the application did not start")
        if world.dice.random() < 0.5 and not self.dead:
            self.store.check()
            self.look()

    async def _live(self) -> None:
        async def tell(message: Any) -> None:
            self._told.put_nowait(message["type"])

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": self._state}
        try:
            await self._app(scope, self._orders.get, tell)
        finally:
            self._told.put_nowait("ended")

    def _do(self, work: Coroutine[Any, Any, None], line: Line | None) -> None:
        task = self.world.loop.create_task(work)
        self.adopt(task)
        self._tasks[task] = line

    def adopt(self, task: "asyncio.Task[None]") -> None:
        """Let a task end with the process, and all that it begins."""
        self._tasks[task] = None
        self.world.owners[task] = self
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.pop(task, None)
        self.world.owners.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None and not self.dead:
            self.world.fail(f"a request raised {error!r}")

    def look(self) -> bool:
        """Say whether the process is dead: the disk may have ended it within an operation."""
        if not self.dead and self.world.machine.state("mode") == DEAD:
            self.die()
        return self.dead

    def die(self) -> None:
        """End at once: nothing that is done from now on reaches a file or a phone."""
        self.dead = True
        self.world.machine.breaks(mode=DEAD)
        for line in self._tasks.values():
            if line is not None and not line.reply.done():
                line.reply.set_exception(Gone())
        self.over.set()

    async def bury(self) -> None:
        """Clear away what is left of a process that is dead, without a trace on the disk."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.store is not None:
            with suppress(sqlite3.Error, AskanceError):
                self.store.close()

    async def stop(self) -> None:
        """End in good order, as after SIGTERM."""
        for _ in range(100):
            if not any(self._tasks.values()):
                break
            await asyncio.sleep(0.1)
        if self.look():
            return
        self._orders.put_nowait({"type": "lifespan.shutdown"})
        while not self.look() and await self._told.get() != "ended":
            pass
        if not self.look() and self.store is not None:
            with suppress(AskanceError):
                self.store.close()
            self.look()
        if not self.dead:
            self.store = None
            self.die()

    async def ask(
        self, method: str, path: str, pieces: list[tuple[float, bytes]], leaves: bool = False
    ) -> tuple[int, bytes]:
        """Send a request, and wait for its answer."""
        if self.dead or not self._state:
            raise Gone
        headers = [(b"authorization", b"Bearer " + KEY.encode())] if "operator" in path else []
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "client": ("203.0.113.7", 50_000),
            "state": dict(self._state),
        }
        line = Line(pieces, leaves, self.world.loop.create_future(), self.world.loop.time())
        line.reply.add_done_callback(lambda reply: reply.exception())
        self._do(self._answer(scope, line), line)
        return await line.reply

    async def _answer(self, scope: dict[str, Any], line: Line) -> None:
        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                line.status = message["status"]
            elif not line.reply.done() and not self.dead:
                line.reply.set_result((line.status, message["body"]))

        await self._app(scope, line.receive, send)
        if not line.reply.done():
            line.reply.set_exception(Gone())
        elif not self.dead and self.world.loop.time() - line.whole > PATIENCE:
            raise Violation("nobody was answered for half a minute")


@final
class World:
    """Everything around a collector, for one history."""

    def __init__(self, seed: int, machine: Machine) -> None:
        self.dice, self.bytes = Random(seed), Random(f"{seed} bytes")
        self.machine, self.loop = machine, Loop()
        self.trace: list[str] = []
        self.ledger = Ledger()
        self.tokens: dict[str, int] = {}  # the number of the token that comes with an id
        self.path = machine.folder / "survey.db"
        self.form = token_form() if self.dice.random() < 0.4 else plain_form()
        self.life: Life | None = None
        self.owners: dict[asyncio.Task[None], Life] = {}
        self.loop.set_task_factory(self._begun)
        self.wrong, self.broken = "", False
        self.until = DAY if self.dice.random() < 0.3 else None
        self._base = datetime(2031, 5, 5, 23, tzinfo=UTC).timestamp()
        self._jump, self.jumps = 0.0, 0
        self.calm = self.settling = False
        self._start: Start
        self._ended: asyncio.Event

    def _begun(self, loop: Any, work: Any, **named: Any) -> Any:
        """Give a task to the life whose task begins it."""
        parent = asyncio.current_task(loop)
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **named)
        if parent in self.owners:
            self.owners[parent].adopt(task)
        return task

    def wall(self) -> float:
        """Give the time of the clock on the wall."""
        return self._base + self.loop.time() + self._jump

    @property
    def late(self) -> bool:
        """Whether no report is taken any more, by the clock on the wall."""
        end = datetime(2031, 5, 6, tzinfo=UTC).timestamp() + LEFT
        return self.until is not None and self.wall() >= end

    def say(self, text: str) -> None:
        """Write a line of the trace, which is the same wherever the disk lies."""
        result = text.replace(f"{self.machine.folder}/", "")
        self.trace.append(f"{self.loop.time():12.6f}  {result}")

    def fail(self, text: str) -> None:
        """Take down what must not happen, and end the history."""
        if not self.wrong:
            self.wrong = text.replace(f"{self.machine.folder}/", "")
            self.say(f"WRONG: {text}")
        self._ended.set()

    def flushing(self) -> float:
        """Draw how long a flush takes."""
        draws = self.dice.random()
        if draws < 0.9 or self.calm:
            return self.dice.random() * 0.02
        return self.dice.uniform(0.1, 2) if draws < 0.985 else self.dice.uniform(22, 40)

    def compare(self, store: Store) -> None:
        """Hold a store against what was acknowledged."""
        try:
            store.check()
            self.ledger.compare(store)
        except AskanceError as error:
            if not self.troubled:
                raise Violation(f"the store cannot be read: {error}") from error
            raise

    @property
    def troubled(self) -> bool:
        """Whether the disk fails just now."""
        state = self.machine.state
        return bool(state("on_open") or state("on_write") or state("on_sync")) or state("room") >= 0

    def heal(self) -> None:
        """Let the disk work again."""
        self.machine.breaks(match="", on_open=0, on_write=0, on_sync=0, often=0, room=-1, spare=0)

    def trouble(self) -> None:
        """Let the disk fail in some way."""
        dice = self.dice
        match = dice.choice(["", "-wal", "survey.db$"])
        spare = dice.choice([0, 0, dice.randrange(12)])
        kind = dice.choice(["flush", "flush", "write", "full", "open"])
        if kind == "flush":
            often = dice.choice([-1, 1, 1, 2, 5])
            self.machine.breaks(match, on_sync=errno.EIO, often=often, spare=spare)
        elif kind == "write":
            number = dice.choice([errno.EIO, errno.ENOSPC, errno.EROFS])
            self.machine.breaks(match, on_write=number, spare=spare)
        elif kind == "full":
            self.machine.breaks(match, room=dice.choice([0, dice.randrange(30_000)]))
        else:
            self.machine.breaks(match, on_open=dice.choice([errno.EMFILE, errno.EACCES]))
        self.say(f"the disk fails: {kind}, {match or 'all'}, after {spare}")

    def jump(self) -> None:
        """Set the clock on the wall."""
        self._jump += self.dice.choice([-1, 1]) * self.dice.choice([2, 1800, 7000, 90_000, 1e8])
        self.jumps += 1
        self.say(f"the clock jumps to {self.wall():.3f}")

    def another(self) -> None:
        """Have a second collector want the store, perhaps under another name."""
        name, shifted = self.dice.choice(["survey.db", "elsewhere.db", "linked.db"]), False
        other = self.path.with_name(name)
        mode = self.machine.state("mode")
        self.machine.breaks(mode=BLIND)
        try:
            if name == "elsewhere.db":
                self.path.rename(other)
                shifted = True
            elif name == "linked.db":
                other.symlink_to(self.path)
            store = open_store(other, self.form)
        except AskanceError as error:
            self.say(f"another collector is refused {name}: {type(error).__name__}")
        else:
            store.close()
            raise Violation(f"two collectors write to one store, by the name {name}")
        finally:
            if shifted:
                other.rename(self.path)
            for file in self.machine.folder.glob("[el]*"):
                file.unlink()
            self.machine.breaks(mode=mode)

    def begin(self) -> None:
        """Begin with an empty disk."""
        self.heal()
        self.machine.breaks(mode=BLIND)
        shutil.rmtree(self.machine.folder)
        self.machine.folder.mkdir()
        self._save()

    def _save(self) -> None:
        """Take what lies on the disk for what is flushed; the journal begins anew."""
        copy = self.machine.place / "start"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.machine.folder, copy)
        inodes = {path.stat().st_ino: path for path in sorted(self.machine.folder.iterdir())}
        self._start = Start(self.machine.folder, copy, inodes)
        self.machine.forget()
        self.machine.breaks(mode=ALIVE, life=0)

    def lose_power(self) -> None:
        """Leave on the disk what a loss of power does."""
        self.machine.breaks(mode=BLIND)
        events = read(self.machine.journal)
        self.tell_disk(events)
        remaining = self._start.left(events, events[-1].end if events else 0, self.dice)
        for path in sorted(self.machine.folder.iterdir()):
            path.unlink()
        for path in sorted(self._start.copy.iterdir()):
            shutil.copyfile(path, self.machine.folder / path.name)
        for path, spelt in remaining.items():
            if spelt is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(spelt)
        for path in sorted(self.machine.folder.iterdir()):
            self.say(
                f"  left: {path.name} {path.stat().st_size} {zlib.crc32(path.read_bytes()):08x}"
            )
        if self.path.with_name("survey.db-wal").exists() and self.dice.random() < 0.5:
            self.path.with_name("survey.db-shm").write_bytes(self.dice.randbytes(32_768))
        self._save()

    def tell_disk(self, events: Sequence[Event]) -> None:
        """Write what was done to the disk since the power came back."""
        names = {inode: path.name for inode, path in self._start.inodes.items()}
        for event in events:
            if event.kind == "C":
                names[event.inode] = Path(event.names[0]).name
            value = names.get(event.inode, "")
            if event.kind in "UR":
                value = " ".join(Path(name).name for name in event.names)
            elif event.kind in "SF":
                value = value or "the folder"
            text = (
                f"{event.at} {len(event.data)} {zlib.crc32(event.data):08x}"
                if event.kind in "WT"
                else ""
            )
            self.trace.append(f"  {event.kind} {value} {text}".rstrip())


@final
class History:
    """What happens in a world, from its first life to its last."""

    def __init__(self, world: World) -> None:
        self.world, self.dice = world, world.dice

    async def run(self) -> None:
        """Live some lives, then let everything work, and see that nothing is missing."""
        world = self.world
        world._ended = asyncio.Event()
        people = [
            world.loop.create_task(self._guarded(self._person(number)))
            for number in range(self.dice.randint(2, 9))
        ]
        for number in range(self.dice.randint(1, 4)):
            world.say(f"life {number}")
            await self._one_life()
            if world.wrong:
                break
        if not world.wrong:
            await self._last_life(people)
        for task in people:
            task.cancel()
        await asyncio.gather(*people, return_exceptions=True)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Let a violation end the history."""
        try:
            await work
        except Violation as violation:
            self.world.fail(str(violation))
        except Exception as error:
            self.world.broken = True
            self.world.fail(f"an error that nobody expects: {error!r}")

    async def _begun(self) -> Life:
        """Start a collector, however often it takes."""
        world = self.world
        while True:
            life = Life(world)
            try:
                await life.begin()
            except AskanceError as error:
                world.say(f"no start: {type(error).__name__}")
                if not world.troubled and not life.look():
                    raise Violation(f"the collector does not start: {error}") from error
            except Violation:
                if not life.look():
                    life.die()
                    await life.bury()
                    raise
            else:
                return life
            life.die()
            await life.bury()
            world.machine.breaks(mode=ALIVE, life=0)
            await asyncio.sleep(self.dice.uniform(0.5, 3))
            world.heal()

    async def _one_life(self) -> None:
        world, dice = self.world, self.dice
        if dice.random() < 0.15:
            world.machine.breaks(life=dice.randint(1, 60))
        try:
            life = await self._begun()
        except Violation as violation:
            world.fail(str(violation))
            return
        world.life = life
        events = [
            world.loop.create_task(self._guarded(self._event())) for _ in range(dice.randrange(5))
        ]
        ending = dice.choice(["stop", "kill", "kill unflushed", "power", "power"])
        await self._end(life, ending)
        world.say(f"the life ends: {ending}")
        world.life = None
        await life.bury()
        for task in events:
            task.cancel()
        await asyncio.gather(*events, return_exceptions=True)
        if ending == "power":
            world.lose_power()
        world.machine.breaks(mode=ALIVE, life=0)
        if dice.random() < 0.7:
            world.heal()
        await asyncio.sleep(dice.uniform(0.1, 3))

    async def _end(self, life: Life, ending: str) -> None:
        """Let a life go on for a while; then end it, perhaps within an operation of the disk."""
        machine, dice = self.world.machine, self.dice
        await self._until(life, dice.choice([0.2, 2.0, 8.0]) * dice.random())
        if not life.dead and ending == "kill unflushed":
            machine.breaks("-wal", on_sync=errno.EIO, often=-1)
            await self._until(life, 2 * dice.random())
        elif not life.dead and dice.random() < 0.5:
            machine.breaks(life=dice.randint(1, 40))
            await self._until(life, 5.0)
        if not life.dead and ending == "stop":
            await life.stop()
        if not life.dead:
            life.die()

    async def _until(self, life: Life, seconds: float) -> None:
        waits = [
            self.world.loop.create_task(item.wait()) for item in (life.over, self.world._ended)
        ]
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in waits:
            task.cancel()

    async def _last_life(self, people: "list[asyncio.Task[None]]") -> None:
        world = self.world
        world.heal()
        world.calm = True
        world.say("the last life")
        try:
            world.life = await self._begun()
            if self.dice.random() < 0.3:
                world.trouble()
                await asyncio.sleep(5 * self.dice.random())
                world.heal()
                world.say("the disk works again")
            everybody = world.loop.create_task(asyncio.wait(people))
            ended = world.loop.create_task(world._ended.wait())
            await asyncio.wait([everybody, ended], return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            everybody.cancel()
            if not world.wrong:
                await self._finish(world.life)
        except Violation as violation:
            world.fail(str(violation))
        life, world.life = world.life, None
        if life is not None:
            if not life.dead:
                life.die()
            await life.bury()

    async def _finish(self, life: Life) -> None:
        """See that all is well at the end, and after a last loss of power."""
        world, dice = self.world, self.dice
        status, _ = await life.ask("GET", "/health", [(0, b"")])
        if status != 200:
            raise Violation("the collector is not well though nothing fails any more")
        if dice.random() < 0.5:
            await self._close()
        if dice.random() < 0.5:
            await life.stop()
        else:
            life.die()
        await life.bury()
        world.lose_power()
        try:
            store = open_store(world.path, world.form)
        except AskanceError as error:
            raise Violation(f"the store cannot be read: {error}") from error
        try:
            world.compare(store)
        finally:
            store.close()

    async def _event(self) -> None:
        """Have something happen at some moment of a life."""
        world, dice = self.world, self.dice
        await asyncio.sleep(dice.choice([0.1, 1.0, 6.0]) * dice.random())
        life = world.life
        if life is None or life.dead:
            return
        others = ["jump", "another", "passer-by", "close", "garbage", "reader"]
        kind = dice.choice(["trouble"] * 5 + others)
        if kind == "trouble":
            world.trouble()
            await asyncio.sleep(dice.choice([0.05, 1.0, 10.0]) * dice.random())
            world.heal()
            world.say("the disk works again")
        elif kind == "jump":
            world.jump()
        elif kind == "another":
            world.another()
        elif kind == "reader":
            await self._read()
        else:
            with suppress(Gone):
                await (self._close() if kind == "close" else self._pass_by(life, kind))

    async def _read(self) -> None:
        """Read the store for a while, so that its log cannot all be moved into the file."""
        world = self.world
        with suppress(AskanceError), closing(open_store(world.path, read_only=True)) as reader:
            world.say("somebody reads")
            with closing(reader.reports()) as rows:
                next(rows, None)
                await asyncio.sleep(self.dice.choice([0.1, 3.0, 10.0]) * self.dice.random())
            world.say("nobody reads any more")

    async def _pass_by(self, life: Life, kind: str) -> None:
        dice = self.dice
        if kind == "garbage":
            body = dice.randbytes(dice.choice([0, 10, 1024, 20_000]))
            status, _ = await life.ask("POST", "/report", [(0, body)])
            allowed = status in (400, 413, 422, 403)
        else:
            path = dice.choice(["/report", "/health", "/operator.json", "/form.json", "/"])
            status, _ = await life.ask("GET", path, [(0, b"")])
            allowed = status in (200, 503)
        self.world.say(f"{kind}: {status}")
        if not allowed:
            raise Violation(f"{kind} was answered {status}")

    async def _close(self) -> None:
        """Close the survey, as the operator does."""
        world = self.world
        life = world.life
        if life is None:
            return
        world.ledger.asked_to_close = True
        world.say("the operator closes")
        status, replies = await life.ask("POST", "/operator.json", [(0, b"close")])
        world.say(f"closing: {status}")
        if status == 200 and not life.dead and life.store is not None:
            if not json.loads(replies)["closed"]:
                raise Violation("a survey that was closed is open")
            world.ledger.closed = dict(life.store.reports())
            world.compare(life.store)

    async def _person(self, number: int) -> None:
        """Send a report until it is answered for good, and then perhaps once more."""
        world, dice = self.world, self.dice
        id = world.bytes.randbytes(16).hex()
        if dice.random() < 0.1 and world.tokens:
            id = dice.choice(list(world.tokens))
        mine = number if dice.random() < 0.85 else dice.randrange(number + 1)
        report = Sent.of(world.form, id, dice.randrange(2), world.tokens.setdefault(id, mine))
        world.ledger.send(report)
        await asyncio.sleep(dice.choice([0, 1.0, 10.0]) * dice.random())
        choices = dice.choice([0, 0, 1, 2])
        for _ in range(PATIENT):
            if await self._posted(number, report):
                if not choices:
                    return
                choices -= 1
            await asyncio.sleep(dice.choice([0.01, 1.0, 4.0]) * (0.1 + dice.random()))
        raise Violation("a report is never answered for good")

    async def _posted(self, number: int, report: Sent) -> bool:
        """Send it once, and say whether no more is to be said."""
        world, life = self.world, self.world.life
        if life is None:
            return False
        pieces, leaves = self._pieces(report.body)
        closed, late, jumps = world.ledger.closed is not None, world.late, world.jumps
        try:
            status, replies = await life.ask("POST", "/report", pieces, leaves)
        except Gone:
            world.say(f"person {number}: gone")
            return False
        document = json.loads(replies)
        code = document["error"]["code"] if "error" in document else ""
        world.say(f"person {number}: {status} {code}")
        if status in (200, 201):
            self._check_receipt(report, document)
            if status == 201 and late and world.late and jumps == world.jumps:
                raise Violation("a report was taken in after the last day")
            if status == 201 and report.id in world.ledger.acknowledged:
                raise Violation("a report was taken in twice")
            world.ledger.acknowledge(report, status == 201, closed)
            return True
        return self._judge(report, status, code)

    def _check_receipt(self, report: Sent, result: dict[str, Any]) -> None:
        digest = sha256(report.body[: self.world.form.size]).hexdigest()
        if (result["id"], result["digest"], result["page"]) != (report.id, digest, PAGE):
            raise Violation("a receipt is for another report")

    def _judge(self, report: Sent, status: int, code: str) -> bool:
        """See whether a refusal is right, and say whether it is the last word."""
        world, ledger = self.world, self.world.ledger
        if code in ("busy", "disk-full", "read-only", "disk-error") and status == 503:
            return False
        if ledger.acknowledged.get(report.id) == report.answers:
            raise Violation(f"an acknowledged report is refused: {code}")
        sent_values = ledger.sent.values()
        others = [
            body for bodies in sent_values for body in bodies.values() if body.token == report.token
        ]
        right = {
            "conflict": len(ledger.sent[report.id]) > 1,
            "spent": bool(report.token) and len({other.id for other in others}) > 1,
            "closed": ledger.asked_to_close or world.until is not None,
        }
        if not right.get(code, False):
            raise Violation(f"a report is refused without a reason: {status} {code}")
        return True

    def _pieces(self, body: bytes) -> tuple[list[tuple[float, bytes]], bool]:
        """Cut a body into what a phone sends at a time; say whether it leaves before the end."""
        dice = self.dice
        if dice.random() < 0.6:
            return [(0, body)], False
        cuts = sorted(dice.sample(range(1, len(body)), dice.randint(1, 3)))
        pieces = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
        leaves = dice.random() < 0.2
        pauses = [dice.choice([0, 0.2, 5]) * dice.random() for _ in pieces]
        return list(zip(pauses, pieces[:-1] if leaves else pieces, strict=False)), leaves


@final
@dataclass(frozen=True, slots=True)
class Told:
    """What became of a history: what is wrong with it, if anything, and all that happened.

    It is broken where an error was raised that is neither the collector's nor foreseen here.
    """

    seed: int
    wrong: str
    broken: bool
    trace: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the trace."""
        return sha256(self.trace.encode()).hexdigest()


def simulate(seed: int, machine: Machine) -> Told:
    """Play the history of a seed on a machine, whose disk this process must have preloaded."""
    _seed_sqlite(seed)
    world = World(seed, machine)
    with _heard(world), _often(world.dice.choice([3, 10, 40, 250])):
        world.begin()
        asyncio.set_event_loop(world.loop)
        try:
            world.loop.run_until_complete(History(world).run())
        except Violation as violation:
            world.wrong = world.wrong or str(violation)
        except Exception as error:
            world.broken = True
            world.wrong = world.wrong or f"an error that nobody expects: {error!r}"
        finally:
            asyncio.set_event_loop(None)
            machine.breaks(mode=BLIND)
            world.tell_disk(read(machine.journal))
            world.loop.close()
    world.say(world.wrong or "all is well")
    return Told(seed, world.wrong, world.broken, "\n".join(world.trace) + "\n")


def _seed_sqlite(seed: int) -> None:
    """Let SQLite draw the same salts for its log each time."""
    library = ctypes.CDLL("libsqlite3.so.0")
    library.sqlite3_test_control(_SEED_SQLITE, ctypes.c_int(seed % 2**31 or 1), None)
    library.sqlite3_randomness(0, None)


@contextmanager
def _heard(world: World) -> Iterator[None]:
    """Write what the collector logs into the trace."""
    log = logging.getLogger("askance_collect.collect")
    handler = logging.Handler()
    handler.emit = lambda record: world.say(f"log: {record.getMessage()}")  # type: ignore[method-assign]
    log.addHandler(handler)
    before, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = before


@contextmanager
def _often(pages: int) -> Iterator[None]:
    """Have the log moved into the file after so many pages: histories are short."""
    before, sqlite._OFTEN = sqlite._OFTEN, pages  # type: ignore[misc]
    try:
        yield
    finally:
        sqlite._OFTEN = before  # type: ignore[misc]
