"""A log only grows: what was signed is there unchanged, or nothing is signed any more."""

import stat
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.transparency import (
    PublicLog,
    append_entries,
    check_entry,
    check_growth,
    check_log,
    create_log,
    new_signing_key,
    prove_entry,
    prove_growth,
    read_log,
    report_entries,
)
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import leaf_hash, tree_head

NAME = "study.example.org/exam"
KEY = new_signing_key(NAME).verifier
PARTS = [b"page 00", b"\n", b"\n\n", b"study.example.org/exam\n1\nAAAA", "— a AAAA".encode()]


def digest(number):
    return sha256(b"%d" % number).hexdigest()


def pages(first, last):
    return [f"page {digest(index)}" for index in range(first, last)]


@pytest.fixture
def log_of_batches(tmp_path):
    """A log of three batches."""
    path = tmp_path / "exam.log"
    key = create_log(path, NAME)
    heads = [append_entries(path, pages(*ends)) for ends in ((0, 1), (1, 4), (4, 9))]
    return path, key, heads


def test_a_log_is_text_that_anybody_can_read(log_of_batches):
    path, key, heads = log_of_batches
    assert check_log(read_log(path), key) == heads
    batches = path.read_text("utf-8").split("\n\n")
    assert batches[0] == f"page {digest(0)}"
    assert batches[1].split("\n")[:2] == [NAME, "1"]
    assert [item.size for item in heads] == [1, 4, 9]
    assert heads[-1].head == tree_head([leaf_hash(item.encode()) for item in pages(0, 9)])


def test_keys_lie_beside_it_and_one_is_private(log_of_batches):
    path, key, _ = log_of_batches
    private, public = path.with_name("exam.log.key"), path.with_name("exam.log.vkey")
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert public.read_text("utf-8").strip() == key.text
    assert private.read_text("utf-8").startswith("PRIVATE+KEY+")


def test_no_file_is_written_over(log_of_batches):
    path, _, _ = log_of_batches
    with pytest.raises(DocumentError, match="a new file"):
        create_log(path, NAME)
    path.unlink()
    with pytest.raises(DocumentError, match=r"exam\.log\.key: got 'a file'; allowed: a new file"):
        create_log(path, NAME)
    with pytest.raises(DocumentError, match="a folder that can be written"):
        create_log(path.parent / "nowhere" / "a.log", NAME)


def test_entries_and_growth_are_proved_from_the_file(log_of_batches):
    path, key, heads = log_of_batches
    log = read_log(path)
    for entry in log.entries:
        assert check_entry(prove_entry(log, entry, key), entry, key) == heads[-1]
    for head in heads:
        assert check_growth(prove_growth(log, head, key), head, key) == heads[-1]
    with pytest.raises(InputError, match="not in the log"):
        prove_entry(log, "page 00", key)


def spoil(path, how):
    lines = path.read_text("utf-8").split("\n")
    first = lines.index(f"page {digest(4)}")
    if how == "changed":
        lines[first] = f"page {digest(99)}"
    elif how == "swapped":
        lines[first : first + 2] = lines[first + 1], lines[first]
    elif how == "dropped":
        del lines[first]
    elif how == "added":
        lines.insert(first, f"page {digest(99)}")
    path.write_text("\n".join(lines), "utf-8")


@pytest.mark.parametrize("how", ["changed", "swapped", "dropped", "added"])
def test_what_was_altered_is_found_and_signed_no_more(log_of_batches, how):
    path, key, _ = log_of_batches
    spoil(path, how)
    with pytest.raises(DocumentError, match=r"signed|a head behind each batch"):
        check_log(read_log(path), key)
    before = path.read_bytes()
    with pytest.raises(DocumentError, match="another log than the one that its key signed"):
        append_entries(path, pages(9, 10))
    assert path.read_bytes() == before


def test_a_log_that_was_cut_at_a_head_is_signed_no_more_and_held_against_the_head(log_of_batches):
    path, key, heads = log_of_batches
    path.write_bytes(path.read_bytes().partition(f"page {digest(4)}".encode())[0])
    log = read_log(path)
    assert [item.size for item in check_log(log, key)] == [1, 4]  # in itself it is whole
    with pytest.raises(DocumentError, match="another log than the one that its key signed"):
        append_entries(path, pages(9, 10))
    with pytest.raises(InputError, match="first: got 9; allowed: 0 to 4"):
        prove_growth(log, heads[-1], key)


def test_a_fork_is_told_by_two_heads(log_of_batches, tmp_path):
    path, key, heads = log_of_batches
    fork = tmp_path / "fork.log"
    fork.write_bytes(path.read_bytes().partition(f"page {digest(4)}".encode())[0])
    secret = path.with_name("exam.log.key").read_text("utf-8").partition("\n")[0]
    fork.with_name("fork.log.key").write_text(f"{secret}\n", "utf-8")
    append_entries(fork, pages(20, 26))
    other = read_log(fork)
    assert check_log(other, key)[-1].size == 10
    with pytest.raises(DocumentError, match="under which they differ"):
        check_growth(prove_growth(other, heads[-1], key), heads[-1], key)
    assert check_growth(prove_growth(other, heads[1], key), heads[1], key).size == 10


@pytest.mark.parametrize("remaining", [1, 30, 100, 200, 290, 330, 389])
def test_a_batch_that_was_not_written_to_its_end_is_written_over(log_of_batches, remaining):
    path, key, heads = log_of_batches
    content = path.read_bytes()
    kept_content = path.with_name("exam.log.key").read_bytes()
    append_entries(path, pages(9, 12))
    path.with_name("exam.log.key").write_bytes(
        kept_content
    )  # power was lost before either was done
    path.write_bytes(path.read_bytes()[: len(content) + remaining])
    log = read_log(path)
    assert (log.intact_size, log.torn_size) == (len(content), remaining)
    assert check_log(log, key) == heads
    assert append_entries(path, pages(30, 31)).size == 10
    assert read_log(path).torn_size == 0
    assert check_log(read_log(path), key)[-1].size == 10


def test_a_head_that_was_written_but_not_noted_is_taken(log_of_batches):
    path, key, _ = log_of_batches
    content = path.with_name("exam.log.key").read_bytes()
    append_entries(path, pages(9, 12))
    path.with_name("exam.log.key").write_bytes(content)
    assert append_entries(path, pages(12, 13)).size == 13
    assert len(check_log(read_log(path), key)) == 5


def test_another_key_signs_nothing_here(log_of_batches):
    path, _, _ = log_of_batches
    other = new_signing_key(NAME)
    path.with_name("exam.log.key").write_text(f"{other.text}\n", "utf-8")
    with pytest.raises(DocumentError, match="signed by study"):
        append_entries(path, pages(9, 10))
    with pytest.raises(DocumentError, match="signed by study"):
        check_log(read_log(path), other.verifier)


@pytest.mark.long
def test_many_who_append_at_once_wait_for_each_other(log_of_batches):
    path, key, _ = log_of_batches
    with ThreadPoolExecutor(4) as people:
        heads = list(
            people.map(lambda index: append_entries(path, pages(index, index + 1)), range(20, 32))
        )
    assert sorted(head.size for head in heads) == list(range(10, 22))
    assert len(check_log(read_log(path), key)) == 15


@pytest.mark.parametrize(
    "entry", ["", "page", "page ", "Page 00", "page 00\n", "page 00\npage 11", "seité 00", None, 3]
)
def test_what_cannot_be_an_entry_is_refused(log_of_batches, entry):
    with pytest.raises(InputError):
        append_entries(log_of_batches[0], [entry])


def test_nothing_is_no_batch(log_of_batches):
    with pytest.raises(InputError, match="entries: got 'none'"):
        append_entries(log_of_batches[0], [])


@pytest.mark.parametrize(
    "raw",
    [b"\xff", b"tea\n\na\n\nb\n\n", b"page 00\n\n\n\n\n\npage 11\n\n", b"Page 0\n\nx\n\ny\n\n"],
)
def test_what_is_no_log_is_refused(log_of_batches, raw):
    path, key, _ = log_of_batches
    path.write_bytes(raw)
    with pytest.raises(DocumentError):
        check_log(read_log(path), key)
    with pytest.raises(DocumentError):
        append_entries(path, pages(9, 10))


@given(st.binary(max_size=80) | st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join))
def test_whatever_lies_in_a_file_is_read_or_refused_in_words(tmp_path_factory, raw):
    path = tmp_path_factory.getbasetemp() / "odd.log"
    path.write_bytes(raw)
    try:
        log = read_log(path)
    except DocumentError:
        return
    assert log.intact_size + log.torn_size == len(raw)
    assert log.entries == () or log.notes
    if log.notes:
        with pytest.raises(DocumentError):
            check_log(log, KEY)


def test_an_empty_log_has_no_head(tmp_path):
    key = create_log(tmp_path / "exam.log", NAME)
    log = read_log(tmp_path / "exam.log")
    assert check_log(log, key) == []
    with pytest.raises(DocumentError, match="askance log add"):
        log.checkpoint(key)


@pytest.mark.long
@given(st.sets(st.integers(0, 60)), st.lists(st.integers(0, 60)), st.randoms())
def test_digests_of_reports_stand_in_no_order_in_which_they_came(old, new, chance):
    log = read_of([f"report {digest(item)}" for item in sorted(old)])
    arrived = [digest(item) for item in new]
    entries = report_entries(arrived, log, few=True)
    assert entries == sorted(f"report {digest(item)}" for item in {*new} - old)
    chance.shuffle(arrived)
    assert report_entries(arrived, log, few=True) == entries


def read_of(entries):
    return PublicLog("exam.log", tuple(entries), (), 0)


def test_a_batch_of_few_reports_is_refused_unless_it_is_meant():
    log, few = read_of([]), [digest(index) for index in range(19)]
    with pytest.raises(InputError, match="got '19 new reports'; allowed: 20 at least"):
        report_entries(few, log)
    assert len(report_entries(few, log, few=True)) == 19
    assert len(report_entries([*few, digest(19)], log)) == 20
    assert report_entries([], log) == []
    with pytest.raises(InputError, match="64 hexadecimal digits"):
        report_entries(["tea"], log)
