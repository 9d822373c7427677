"""Both stores behave like a dictionary that never overwrites, whatever is done in which order."""

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from askance_collect.collect import Accepted, Outcome, Store, open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Form, Report

Place = Callable[[], str]


def _report(id: int, value: int = 0) -> Accepted:
    return Accepted(id.to_bytes(16, "big"), f'{{"children":{value}}}')


def _answers(value: int) -> str:
    return f'{{"children":{value}}}'


def _expected(remaining: dict[int, int], over: bool, id: int, value: int) -> Outcome:
    if id in remaining:
        return Outcome.REPEATED if remaining[id] == value else Outcome.CONFLICTING
    if over:
        return Outcome.CLOSED
    remaining[id] = value
    return Outcome.NEW


def _receipt(store: Store, accepted: Accepted) -> str:
    """The digest that the respondent was shown: that of the message that was sent."""
    form = Form.read(store.form())
    report = Report(form.fingerprint, accepted.id.hex(), json.loads(accepted.answers))
    return sha256(report.body(form.size)).hexdigest()


def _withdraw(machine: Any, id: int, value: int, told: bool) -> None:
    store, remaining, report_result = machine.store, machine.kept, _report(id, value)
    digest = _receipt(store, report_result) if told else None
    if id in remaining and (remaining[id] == value or not told):
        store.withdraw(report_result.id, digest)
        del remaining[id]
        return
    with pytest.raises(DocumentError, match=r"no such report|nothing was withdrawn"):
        store.withdraw(report_result.id, digest)


def _append(
    store: Store, remaining: dict[int, int], over: bool, batch: list[tuple[int, int]]
) -> None:
    expected = [_expected(remaining, over, *item) for item in batch]
    assert store.append([_report(id, value) for id, value in batch]) == expected


def _holds(store: Store, remaining: dict[int, int]) -> None:
    assert [(int(id, 16), answers) for id, answers in store.reports()] == [
        (id, _answers(value)) for id, value in sorted(remaining.items())
    ]
    assert sorted(store.shuffled_values()) == sorted(map(_answers, remaining.values()))
    assert store.count() == len(remaining)
    assert sum(n for _, n in store.counts(["children"])["children"]) == len(remaining)


def _machine(position: Place, form: Form) -> type[RuleBasedStateMachine]:
    class Machine(RuleBasedStateMachine):
        store: Store
        url: str

        @initialize()
        def begin(self) -> None:
            self.url = position()
            self.store = open_store(self.url, form)
            self.kept: dict[int, int] = {}
            self.over = False

        @rule(batch=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2)), max_size=6))
        def append(self, batch: list[tuple[int, int]]) -> None:
            _append(self.store, self.kept, self.over, batch)

        withdraw = rule(id=st.integers(0, 7), value=st.integers(0, 2), told=st.booleans())(
            _withdraw
        )

        @rule()
        def reopen(self) -> None:
            self.store.close()
            self.store = open_store(self.url, form)

        @rule()
        def read_aside(self) -> None:
            aside = open_store(self.url, form, read_only=True)
            assert aside.count() == len(self.kept)
            assert aside.closed is self.over
            aside.close()

        @rule()
        def finish(self) -> None:
            self.store.close_survey()
            self.over = True

        @invariant()
        def holds_what_was_kept_first(self) -> None:
            _holds(self.store, self.kept)

        def teardown(self) -> None:
            self.store.close()

    return Machine


@pytest.mark.long
def test_it_is_a_dictionary_that_never_overwrites(place: Place, affairs_form: Form) -> None:
    run_state_machine_as_test(
        _machine(place, affairs_form),
        settings=settings(
            max_examples=25,
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_it_belongs_to_one_form(place: Place, affairs_form: Form) -> None:
    url = place()
    other = Form.read(affairs_form.document | {"title": {"en": "Other"}})
    store = open_store(url, affairs_form)
    assert store.form() == affairs_form.bytes
    store.close()
    with pytest.raises(DocumentError, match="one store belongs to one form"):
        open_store(url, other)
    open_store(url, affairs_form).close()


def test_it_is_not_made_by_looking(place: Place, affairs_form: Form) -> None:
    url = place()
    for form, read_only in [(None, False), (None, True), (affairs_form, True)]:
        with pytest.raises(DocumentError, match="askance-collect serve makes one"):
            open_store(url, form, read_only=read_only)


def test_a_reader_cannot_write(place: Place, affairs_form: Form) -> None:
    url = place()
    open_store(url, affairs_form).close()
    reader = open_store(url, affairs_form, read_only=True)
    with pytest.raises(Exception, match=r"read-?only"):
        reader.append([_report(1)])
    reader.close()


def test_a_reader_sees_what_is_there_while_another_writes(place: Place, affairs_form: Form) -> None:
    url = place()
    writer = open_store(url, affairs_form)
    reader = open_store(url, affairs_form, read_only=True)
    for number in range(5):
        writer.append([_report(number)])
        assert reader.count() == number + 1
    assert reader.counts(["children", "age"]) == {"children": [("0", 5)], "age": [(None, 5)]}
    reader.close()
    writer.close()


def test_what_is_done_to_a_copy_changes_and_stops_nothing(
    tmp_path: Path, affairs_form: Form
) -> None:
    """Whoever holds a backup may do what they like with it."""
    path = tmp_path / "survey.db"
    running = open_store(path, affairs_form)
    running.append([_report(number) for number in range(20)])
    copied = tmp_path / "copy"
    copied.mkdir()
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", copied)
    before = list(running.reports())
    copy = open_store(copied / "survey.db", affairs_form)
    assert list(copy.reports()) == before
    copy.append([_report(99)])
    copy.withdraw(_report(3).id)
    copy.close_survey()
    assert list(running.reports()) == before
    assert running.append([_report(20)]) == [Outcome.NEW]
    assert not running.closed
    for store in (copy, running):
        store.close()


def test_an_unknown_kind_of_url_is_refused() -> None:
    with pytest.raises(DocumentError, match="allowed: a path, sqlite"):
        open_store("mysql://somewhere/survey")


def test_sqlite_urls_are_paths(
    tmp_path: Path, affairs_form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    open_store(f"sqlite:///{tmp_path / 'whole.db'}", affairs_form).close()
    open_store("sqlite:///near.db", affairs_form).close()
    assert (tmp_path / "whole.db").exists()
    assert (tmp_path / "near.db").exists()
