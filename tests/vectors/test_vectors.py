"""The Python half of the vectors, and the run of the JavaScript half."""

import copy
import csv
import hashlib
import json
import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np
import pytest

import askance as ak
import askance_collect.random_bytes as chance
from askance.engines import SealKey, seal_text, unseal_texts
from askance.privacy import Guarantee, Notion
from askance.survey import deployed
from askance.transparency import check_entry, check_growth, read_checkpoint, read_verifier_key
from askance_collect.errors import AskanceError, DocumentError, FormError, InputError, ReportRefused
from askance_collect.exact import (
    Floor,
    Line,
    Table,
    in_ascii,
    number_readings,
    numbers_on_line,
    uniform_below,
)
from askance_collect.respond import (
    assigned_group,
    blind_with,
    draw,
    draw_bounds,
    encode,
    follow_skips,
    list_cells,
    place_in_group,
)
from askance_collect.wire import (
    Form,
    ProofKind,
    Report,
    check_stamp,
    find_proof,
    from_base64url,
    list_proofs,
    read_report,
    read_token,
    solve_stamp,
    to_base64url,
)

ROOT = Path(__file__).parents[2]
HOME = ROOT / "src/askance_collect/wire/vectors"
VERSIONS = "1", "2"


def vectors(name):
    return json.loads((HOME / name).read_text("ascii"))


def cases(name):
    return [case for version in VERSIONS for case in vectors(f"{version}/{name}")["cases"]]


GOOD, BAD_FORMS = (
    [item for version in VERSIONS for item in vectors(f"{version}/forms.json")[which]]
    for which in ("good", "bad")
)
FORMS = {item["name"]: Form.read(item["form"]) for item in GOOD}
REFUSED = vectors("1/refused.json")


def changed(document, change):
    """Apply a vector's change, or give its text."""
    if "text" in change:
        return change["text"] * change.get("times", 1)
    document = copy.deepcopy(document)
    position = document
    for step in change["at"][:-1]:
        position = position[step]
    if change.get("drop"):
        del position[change["at"][-1]]
    else:
        position[change["at"][-1]] = change["put"]
    return document


def source(hexadecimal):
    words = iter(
        int(hexadecimal[index : index + 12], 16) for index in range(0, len(hexadecimal), 12)
    )
    return lambda: next(words)


def test_there_are_enough_vectors_in_little_space():
    assert len(cases("draws.json")) >= 1000
    assert len(BAD_FORMS) >= 100
    assert sum(path.stat().st_size for path in HOME.glob("*/*")) < 600_000


def test_chance_that_is_stuck_is_found_at_the_same_byte():
    for hexadecimal, times, alarm in vectors("chance.json")["cases"]:
        tests = chance.HealthTests()
        draws = bytes.fromhex(hexadecimal) * times
        first = next(
            (index for index, item in enumerate(draws) if not tests.passes(bytes([item]))), -1
        )
        assert first == alarm
        assert tests.passes(b"abc") == (alarm < 0)


def spoilt(dice):
    """Bytes in which some are made alike, seldom enough that windows both pass and fail."""
    numbers = dice.integers(256, size=dice.integers(1, 4000), dtype=np.uint8)
    same = dice.integers(256)
    numbers[dice.random(len(numbers)) < dice.choice([0, 0.02, 0.05])] = same
    if dice.random() < 0.5:
        index = dice.integers(len(numbers))
        numbers[index : index + dice.integers(4, 8)] = same
    return numbers.tobytes()


def is_alarming(draws):
    """Say by the standard's words whether all bytes so far fail a test."""
    rows = any(len(set(draws[index : index + 6])) == 1 for index in range(len(draws) - 5))
    windows = [draws[index : index + 512] for index in range(0, len(draws), 512)]
    return rows or any(window.count(window[0]) >= 20 for window in windows)


def is_refused(calls, alarm, monkeypatch):
    """Say whether a source that gives these bytes is refused, behind a sound start-up test."""
    first = b"".join(calls)[:1]
    sound = bytes(index % 256 for index in range(1024)).replace(b"\xff", bytes([first[0] ^ 1]))
    iter_result = iter([*(sound[index : index + 16] for index in range(0, 1024, 16)), *calls])
    monkeypatch.setattr("secrets.token_bytes", lambda count: next(iter_result))
    source = chance.SystemSource()
    try:
        for call in calls:
            source.draw(len(call), alarm)
    except AskanceError:
        return True
    return False


def test_in_bulk_the_same_bytes_raise_the_alarm(monkeypatch):
    """Against the standard's words, in calls of any length; the twin looks at no window."""
    tests = []
    source = SimpleNamespace(draw=lambda count, test: tests.append(test) or bytes(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", source)
    ak.privatise(ak.KAry(truth="1/2").channel(ak.Frame(["a", "b"])), ["a"], coin=True)
    in_bulk, dice = tests[0], np.random.default_rng(1)
    shared = [(bytes.fromhex(item) * times) for item, times, _ in vectors("chance.json")["cases"]]
    distinct, missed = set(), 0
    for draws in [*shared, *(spoilt(dice) for _ in range(300))]:
        cuts = np.sort(dice.integers(len(draws) + 1, size=2))
        calls = [draws[: cuts[0]], draws[cuts[0] : cuts[1]], draws[cuts[1] :]]
        alarm = is_alarming(draws)
        for test in (chance.raises_alarm, in_bulk):
            assert is_refused(calls, test, monkeypatch) == alarm
        missed += alarm and not is_refused(calls, lambda *_: False, monkeypatch)
        distinct.add(alarm)
    assert distinct == {False, True}
    assert missed > 30


def test_the_alarms_are_as_seldom_as_stated():
    """SP 800-90B, §4.4: at 8 bits a byte, the least whose false alarms are 2^-40 at most."""
    byte, seldom = Fraction(1, 256), Fraction(1, 1 << 40)
    first = next(count for count in range(1, 99) if byte ** (count - 1) <= seldom)
    chances = [
        math.comb(511, count) * byte**count * (1 - byte) ** (511 - count) for count in range(512)
    ]
    like = next(count for count in range(1, 99) if sum(chances[count - 1 :]) <= seldom)
    row = bytes(range(1, 9)) + bytes(99)
    assert 8 + first == next(
        position for position in range(99) if not chance.HealthTests().passes(row[:position])
    )
    spaced = b"".join(bytes([0, 1 + position, 101 + position]) for position in range(99))
    index = next(
        position for position in range(200) if not chance.HealthTests().passes(spaced[:position])
    )
    assert spaced[:index].count(0) == like
    assert (first, like) == (6, 20)


def test_good_forms_keep_their_fingerprint():
    for item in GOOD:
        assert FORMS[item["name"]].fingerprint == item["fingerprint"]
        spelling = json.dumps(item["form"], sort_keys=True, separators=(",", ":"))
        spelling = spelling.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        assert FORMS[item["name"]].bytes == spelling.encode("ascii")


def test_every_edge_of_cuts_and_pairs_draws_what_was_counted_one_by_one():
    for name, index, positions, draws in vectors("1/edges.json")["cases"]:
        question = FORMS[name].questions[index]
        first, *others = draw_bounds(question)
        for position, expected in zip(positions, draws, strict=True):
            parts = list_cells(question, (first - 1, *[position] * len(others)))
            ends = parts[0] if question.kind == "ring" else parts[0][1]
            is_whole = expected is None and ends == question.line.ticks
            assert is_whole or ends == (tuple(expected) if isinstance(expected, list) else expected)


def test_what_a_record_proves_is_found_and_what_those_of_a_question_can_prove():
    proofs = vectors("proofs.json")
    forms = FORMS | {form["name"]: Form.read(form["form"]) for form in proofs["forms"]}
    for name, index, proving in proofs["cases"]:
        question = forms[name].questions[index]
        listed = {
            tuple(value) if isinstance(value, list) else value: ProofKind[kind]
            for value, kind in proving
        }
        assert set(list_proofs(question)) == set(listed.values()), (name, question.name)
        if question.kind == "choice":
            result = {value: find_proof(question, value) for value in question.possible_answers}
            assert {value: kind for value, kind in result.items() if kind} == listed
            continue
        steps = len(question.answers) if question.kind == "table" else question.line.ticks
        for case in range(60 if listed else 0):
            draws = draw(question, source(hashlib.sha512(b"%d" % case).hexdigest()))
            reports = {encode(question, step, draws) for step in range(steps)} - {None}
            assert all(find_proof(question, value) is listed.get(value) for value in reports)


def test_every_figure_of_chance_that_is_read_is_rounded_towards_caution():
    figures = vectors("figures.json")
    for total, least, tenths in figures["floors"]:
        assert math.floor(Fraction(1000 * least, total)) == tenths
        if least <= total - 2:
            sizes = [total - 2, 0, 2]
            text = " ".join(deployed(cuts_with(Floor(sizes, least))).sentences())
            match = re.search(
                r"with less than (fewer than |more than )?([\d.]+) of 100 people", text
            )
            assert match is not None
            assert match[1] or 10 * Fraction(match[2]) == tenths, text
    for (over, below), hundredths in figures["blanks"]:
        assert math.ceil(Fraction(100 * below, over)) == hundredths
        ratio = Guarantee(Notion.LOCAL, Fraction(below, over), "").printed(2)
        assert 100 * Fraction(ratio) == hundredths
    for units, total, (low, high) in figures["people"]:
        exactly = Fraction(100 * units, total)
        assert [math.floor(exactly), math.ceil(exactly)] == [low, high]
    for row, counts in figures["dots"]:
        assert [*(100 * units // sum(row) for units in row), counts[-1]] == counts
        assert sum(counts) == 100
    for sizes, (above, up_to), inside in figures["ranges"]:
        assert 100 * sum(sizes[above:up_to]) // sum(sizes) == inside
    for rows, rules_out in figures["tables"]:
        matrix = [[Fraction(entry, 4) for entry in row] for row in rows]
        ats = [index for index in range(3) if any(row[index] for row in matrix)]
        match = [[row[index] for index in ats] for row in matrix]
        means = {f"r{index}": ["a"] for index in ats}
        loss = ak.local_loss(ak.Channel(ak.Frame(["a", "b"]), means, match))
        assert math.isinf(loss.value) == rules_out


def cuts_with(floor):
    """A number with three steps, of which one cut shows on which side it is."""
    remaining = {
        "line": Line(0, 3, 1),
        "number": 1,
        "weights": (1, 1),
        "open": (),
        "withhold": True,
    }
    return replace(FORMS["ranges"].question("kept"), floor=floor, **remaining)


def test_the_boards_tenths_of_people_lie_between_the_pages_whole_ones():
    """Of 100 people the board says 33.3 send it, and the respondent's page 33 or 34."""
    plain = FORMS["quotas"].question("noisy")
    for units, total, (low, high) in vectors("figures.json")["people"]:
        if not 0 < units < total or 2 * units == total:
            continue
        table = Table(total, ((units, total - units), (total - units, units)))
        replies = deployed(replace(plain, table=table, blank=(0, 1))).sentences()[0]
        match = re.search(r"(fewer than |more than )?([\d.]+) send", replies)
        assert match is not None, replies
        assert low <= Fraction(match[2]) <= high, (units, total, replies)


def test_a_typed_number_is_read_as_it_was_written_or_in_two_ways():
    read = vectors("readings.json")["cases"]
    assert len(read) > 1000
    for group, decimal, typed, readings in read:
        result = number_readings(typed, group=group, decimal=decimal)
        assert [str(item) for item in result] == readings, (group, decimal, typed)


def test_a_typed_number_is_read_for_the_line_it_is_asked_on():
    documents = vectors("readings.json")
    lines = dict(documents["lines"])
    for name, group, decimal, typed, numbers in documents["on_lines"]:
        lower, step = (Fraction(lines[name][key]) for key in ("lower", "step"))
        value = lines[name].get("whole", False)
        line = Line(lower + value, lower + lines[name]["ticks"] * step, step, integer=value)
        read = numbers_on_line(typed, line, group=group, decimal=decimal)
        assert [str(number) for number in read] == numbers, (name, decimal, typed)


def test_what_is_typed_in_any_script_is_read_in_ascii():
    for typed, plain in vectors("readings.json")["ascii"]:
        assert in_ascii(typed) == plain, ascii(typed)


def test_every_draw_every_word_used_and_every_value_agrees():
    for name, index, words, answer, draws, used, value in cases("draws.json"):
        question = FORMS[name].questions[index]
        assert used == len(words) // 12
        assert draw(question, source(words)) == tuple(draws)
        encoded = encode(question, answer, tuple(draws))
        assert encoded == (tuple(value) if isinstance(value, list) else value)


def test_draws_part_the_line_alike_and_each_step_sends_alike():
    for name, index, draws, parts, answer, values in vectors("1/parts.json")["cases"]:
        question = FORMS[name].questions[index]
        assert [list(cell) for cell in list_cells(question, tuple(draws))] == parts
        for steps, value in enumerate(values):
            encoded = encode(question, answer, tuple(draws), steps)
            assert (encoded and list(encoded)) == value


def test_a_draw_puts_a_device_into_a_group_whatever_the_answer():
    for name, index, draws, group, values in vectors("2/groups.json")["cases"]:
        question = FORMS[name].questions[index]
        assert assigned_group(question, tuple(draws)) == group
        first = sum(item.reports for item in question.groups[:group])
        own = range(first, first + question.groups[group].reports)
        for answer, value in enumerate(values):
            assert encode(question, answer, tuple(draws)) == value
            assert value in own


def test_an_invitation_moves_draws_into_the_group_that_it_names():
    for name, position, draws, group, placed in vectors("2/invited.json")["cases"]:
        question = FORMS[name].questions[position]
        assert place_in_group(question, tuple(draws), group) == tuple(placed)
        names = [item.name for item in question.groups]
        if group in names:
            assert assigned_group(question, tuple(placed)) == names.index(group)
        else:
            assert placed == draws


def test_what_is_drawn_for_a_token_is_shown_and_made_one_alike():
    form = FORMS["tokens"]
    for prefix, salt, factor, displayed, signed, token in vectors("2/tokens.json")["cases"]:
        draws = (
            from_base64url(prefix),
            from_base64url(salt),
            int.from_bytes(from_base64url(factor), "big"),
        )
        blind = blind_with(form, 0, *draws)
        assert to_base64url(blind.message) == displayed
        assert blind.token(from_base64url(signed)) == read_token(
            token, form.tokens, form.fingerprint
        )


def test_a_stamp_is_worked_out_alike_and_good_for_one_report():
    cases = vectors("2/stamps.json")["cases"]
    for challenge, report, work, stamp in cases:
        fromhex_result, body = bytes.fromhex(challenge), report.encode("ascii")
        assert solve_stamp(fromhex_result, body, work) == stamp
        assert check_stamp(stamp, fromhex_result, body, work)
        assert not check_stamp(stamp, fromhex_result[::-1], body, work)
        assert not check_stamp(
            stamp, fromhex_result, body.replace(b'"plain":0', b'"plain":1'), work
        )
        assert not check_stamp(stamp[::-1], fromhex_result, body, work)


def test_what_is_skipped_encodes_what_is_so_of_whoever_skips_it():
    distinct = set()
    for name, answers, encoded in vectors("2/skips.json")["cases"]:
        form = FORMS[name]
        requests = [question.name for question in form.questions]
        mapping = dict(zip(requests, answers, strict=True))
        assert list(follow_skips(form, mapping).values()) == encoded
        rules = [skip for skip in form.skips if encoded[skip.after] in skip.answered]
        assert all(encoded[skip.question] == skip.send for skip in rules)
        distinct |= {(name, skip.question) for skip in rules}
    assert len(distinct) == sum(len(form.skips) for form in FORMS.values())


def test_a_word_too_few_is_noticed():
    drawn_cases = [case for case in cases("draws.json") if case[5]]
    for name, index, words, *_ in drawn_cases[:100]:
        with pytest.raises(RuntimeError, match="StopIteration"):
            draw(FORMS[name].questions[index], source(words[:-12]))


def test_numbers_fall_on_the_same_steps():
    for lower, step, ticks, number, cell, tick in vectors("1/lines.json")["cases"]:
        line = Line(lower, Fraction(lower) + ticks * Fraction(step), step)
        assert line.cell(number) == cell
        assert tick is None or line.value_at(tick) == Fraction(number)


def test_whole_numbers_fall_on_the_same_steps_and_others_on_none():
    for lower, step, ticks, number, cell, tick in vectors("1/lines.json")["whole"]:
        line = Line(int(lower) + 1, int(lower) + ticks * int(step), step, integer=True)
        if cell is None:
            with pytest.raises(InputError, match="whole number"):
                line.cell(number)
        else:
            assert line.cell(number) == cell
        assert tick is None or line.value_at(tick) == Fraction(number)


def test_whole_bodies_agree_to_the_byte():
    for case in cases("bodies.json"):
        form, word = FORMS[case["form"]], source(case["words"])
        drawn_values = [draw(question, word) for question in form.questions]
        values = {
            question.name: encode(question, answer, draws)
            for question, answer, draws in zip(
                form.questions, case["answers"], drawn_values, strict=True
            )
        }
        body = Report(form.fingerprint, case["id"], values).body(form.size)
        assert body.decode().rstrip() == case["body"]
        assert hashlib.sha256(body).hexdigest() == case["sha256"]
        assert read_report(body, form).values == values


def test_sealed_texts_are_those_of_the_browser_and_open_with_the_key():
    form, sealed = FORMS["sealed texts"], vectors("2/sealed.json")
    examples = json.loads((ROOT / "tests/oracles/rfc9180.json").read_text("ascii"))
    key = SealKey(*(bytes.fromhex(examples[kem]["skRm"]) for kem in ("x25519", "p256")))
    lengths = set()
    for index, kem, text, envelope in sealed["cases"]:
        question = form.questions[index]
        assert encode(question, envelope, ()) == envelope
        assert len(seal_text(form, question.name, text, kem=kem)) == len(envelope)
        lengths.add((index, kem, len(envelope)))
    assert len(lengths) == 6, "one length for each question and curve"
    rows = [[form.questions[index].name, envelope] for index, _, _, envelope in sealed["cases"]]
    with TemporaryDirectory() as folder:
        table = Path(folder, "out.texts.csv")
        with table.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["question", "text"], *rows])
        opened = unseal_texts(table, form, key)
    assert opened.refused == ()
    texts = [text for _, _, text, _ in sealed["cases"]]
    assert [text for _, text in list(csv.reader(StringIO(opened.table)))[1:]] == texts
    for index, value in sealed["impossible"]:
        assert not form.questions[index].allows(value)
        with pytest.raises(InputError):
            encode(form.questions[index], value, ())


def test_the_same_texts_fit_and_make_the_same_bodies():
    form, vectors_result = FORMS["texts"], vectors("2/texts.json")
    for index, text, fits in vectors_result["cases"]:
        question = form.questions[index]
        assert question.allows(text) is fits
        if fits or text is None:
            assert encode(question, text, ()) == text
            continue
        with pytest.raises(InputError) as refusal:
            encode(question, text, ())
        assert refusal.value.got is None
    for id, values, digest in vectors_result["bodies"]:
        named = {item.name: value for item, value in zip(form.questions, values, strict=True)}
        body = Report(form.fingerprint, id, named).body(form.size)
        assert hashlib.sha256(body).hexdigest() == digest
        assert read_report(body, form).values == named


@pytest.mark.parametrize("element", BAD_FORMS, ids=lambda item: item["wrong"])
def test_every_bad_form_is_refused(element):
    with pytest.raises(FormError) as refusal:
        Form.read(changed(FORMS[element["form"]].document if "form" in element else None, element))
    assert refusal.value.where
    assert refusal.value.allowed


@pytest.mark.parametrize("element", REFUSED["answers"], ids=lambda item: item["wrong"])
def test_every_bad_answer_is_refused_and_not_repeated(element):
    question = FORMS[element["form"]].questions[element["question"]]
    draws = (0,) * len(draw_bounds(question))
    with pytest.raises(InputError) as refusal:
        encode(question, element["answer"], draws)
    assert refusal.value.got is None
    first = int(element["form"] == "counted")
    allowed = f"answers.{question.name}: allowed: an integer in [{first}, "
    assert str(refusal.value).startswith(allowed)


@pytest.mark.parametrize("bound", REFUSED["bounds"], ids=repr)
def test_every_bad_bound_is_refused(bound):
    with pytest.raises(InputError):
        uniform_below(bound, lambda: 0)


@pytest.mark.parametrize("element", REFUSED["reports"], ids=lambda item: item["wrong"])
def test_every_bad_report_is_refused_by_its_code(element):
    form = FORMS["marriage"]
    with pytest.raises(ReportRefused) as refusal:
        read_report(bad_body(form, element), form)
    assert refusal.value.code == element["code"]
    if "put" in element and element["put"] is not None:
        assert json.dumps(element["put"]) not in str(refusal.value)


def bad_body(form, item):
    body = Report(form.fingerprint, "0" * 32, dict.fromkeys(names(form))).body(form.size)
    if "cut" in item:
        return body[: -item["cut"]]
    if "swap" in item:
        return body.replace(*(part.encode() for part in item["swap"]), 1)[: form.size].ljust(
            form.size
        )
    if "turned" in item:
        return (
            json.dumps(turned(json.loads(body), item["at"]), separators=(",", ":"))
            .encode()
            .ljust(form.size)
        )
    spelling = changed(json.loads(body), item)
    raw = spelling.encode() if isinstance(spelling, str) else json.dumps(spelling).encode()
    return raw if item["code"] == "size" else raw.ljust(form.size)


def turned(document, index):
    """Write the members of an object of the document the other way round."""
    if index:
        return document | {index[0]: turned(document[index[0]], index[1:])}
    return dict(reversed(document.items()))


def names(form):
    return [question.name for question in form.questions]


@pytest.mark.long
def test_the_javascript_half():
    node = shutil.which("node")
    assert node, "node is not installed: the JavaScript encoder cannot be tested without it"
    run = subprocess.run(
        [node, "--test", str(ROOT / "tests/vectors/vectors.test.mjs")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# fail 0" in run.stdout or "fail 0" in run.stdout


@pytest.mark.long
def test_python_and_javascript_encode_random_cases_alike(monkeypatch, capsys):
    """A small part of what ``make vectors`` compares."""
    monkeypatch.syspath_prepend(str(ROOT / "tests/vectors"))
    import million

    million.main(2_000)
    assert "the two encoders agree" in capsys.readouterr().out


def test_the_committed_vectors_are_what_the_script_makes(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests/vectors"))
    for module in ("make_vectors", "bad_documents", "sample_forms"):
        sys.modules.pop(module, None)
    import make_vectors

    monkeypatch.setattr(make_vectors, "HOME", tmp_path)
    make_vectors.main()
    for path in HOME.glob("*/*"):
        assert (tmp_path / path.relative_to(HOME)).read_bytes() == path.read_bytes()


def test_proofs_of_a_log_hold_or_are_refused():
    log = vectors("log.json")
    key = read_verifier_key(log["key"][0])
    heads = [read_checkpoint(note, key) for note in log["heads"]]
    for entry, proof, holds in log["included"]:
        assert _holds(check_entry, proof, entry, key) == holds
    for first, proof, holds in log["grown"]:
        assert _holds(check_growth, proof, heads[first], key) == holds
    assert min(len(log["included"]), len(log["grown"])) > 60


def _holds(check, *proof):
    try:
        check(*proof)
    except DocumentError:
        return False
    return True
