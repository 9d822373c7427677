"""A backup is the store as it was at one moment, in no order of arrival, and whole or not there."""

import hmac
import random
import re
import signal
import subprocess
import sys
import threading
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from askance.cli import verbs
from askance_collect.collect import (
    Accepted,
    Backup,
    Outcome,
    Store,
    accept,
    back_up,
    check_backup,
    create_backup_key,
    open_store,
    restore,
)
from askance_collect.errors import DocumentError, InputError, ReportRefused
from askance_collect.wire import Form, to_base64url

TOKENS = [(bytes([index]) * 32, index % 2) for index in range(5)]


@pytest.fixture(scope="module")
def form(affairs_form: Form) -> Form:
    """A form that wants tokens: a key is read, but nothing is signed with it here."""
    numbers = {"north": (1 << 2047) + 1, "south": (1 << 2047) + 3}
    listed = [
        {"name": name, "n": to_base64url(n.to_bytes(256, "big"))} for name, n in numbers.items()
    ]
    tokens = {"issuer": "https://issuer.example/", "keys": listed}
    document = dict(affairs_form.document) | {"askance": "form-2", "tokens": tokens}
    return Form.read(document)


def _reports(number: int) -> list[Accepted]:
    dice = random.Random(20)
    return [
        Accepted(
            dice.randbytes(16),
            f'{{"age":[0,{dice.randrange(1, 53)}],"any_affair":{dice.randrange(3)},'
            f'"children":{dice.randrange(3)},"years":{dice.randrange(80)}}}',
        )
        for _ in range(number)
    ]


def _store(where: str, form: Form, reports: list[Accepted], *, closed: bool = False) -> None:
    store = open_store(where, form)
    for index in range(0, len(reports), 60):
        assert set(store.append(reports[index : index + 60])) == {Outcome.NEW}
    if form.tokens is not None:
        store.add_spent_tokens(TOKENS)
    if closed:
        store.close_survey()
    store.close()


def _back_up(where: str, path: Path, keys: tuple[str, ...] = ()) -> Backup:
    store = open_store(where, read_only=True)
    try:
        return back_up(store, path, keys)
    finally:
        store.close()


def _read_store(store: Store) -> tuple[list[tuple[str, str]], dict[int, int], bool, bytes]:
    try:
        store.check()
        return list(store.reports()), dict(store.spent_tokens()), store.closed, store.form()
    finally:
        store.close()


@pytest.mark.parametrize("closed", [False, True])
def test_what_is_restored_is_what_was_there(
    closed: bool, place: Callable[[], str], form: Form, tmp_path: Path
) -> None:
    where = place()
    _store(where, form, _reports(1500), closed=closed)
    before = _read_store(open_store(where, read_only=True))
    created = _back_up(where, tmp_path / "copy")
    assert (created.reports, created.tokens, created.closed, created.form) == (
        1500,
        5,
        closed,
        form.fingerprint,
    )
    again = str(tmp_path / "again.db") if where.endswith(".db") else place()
    assert restore(tmp_path / "copy", again) == created == check_backup(tmp_path / "copy")
    assert _read_store(open_store(again, form)) == before
    assert list(tmp_path.glob("*.part")) == []
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
    with pytest.raises(DocumentError, match=r"a new file|an empty database"):
        restore(tmp_path / "copy", again)


def test_nothing_tells_who_came_first_nor_which_database_it_was(
    place: Callable[[], str], form: Form, tmp_path: Path
) -> None:
    reports = _reports(300)
    _store(str(tmp_path / "as-they-came.db"), form, reports)
    _store(where := place(), form, reports[::-1])
    _back_up(str(tmp_path / "as-they-came.db"), tmp_path / "one")
    _back_up(where, tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    lines = (tmp_path / "one").read_bytes().splitlines()[1:301]
    ids = [line.rpartition(b'"id":')[2] for line in lines]
    assert ids == sorted(ids)


def test_a_backup_is_of_one_moment(
    place: Callable[[], str], affairs_form: Form, tmp_path: Path
) -> None:
    where, reports = place(), _reports(4000)
    store = open_store(where, affairs_form)
    store.append(reports[:2000])
    going = threading.Event()

    def write() -> None:
        for index in range(2000, 4000, 20):
            store.append(reports[index : index + 20])
            going.set()

    writer = threading.Thread(target=write)
    writer.start()
    going.wait()
    created = _back_up(where, tmp_path / "copy")
    writer.join()
    store.close()
    assert created.reports % 20 == 0
    assert created == check_backup(tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "again.db")
    ids, _, _, _ = _read_store(open_store(tmp_path / "again.db"))
    assert {id for id, _ in ids} == {report.id.hex() for report in reports[: created.reports]}


def test_who_has_a_key_reads_and_nobody_else(form: Form, tmp_path: Path) -> None:
    _store(str(tmp_path / "survey.db"), form, reports := _reports(2500))
    own, other = (create_backup_key(tmp_path / name) for name in ("own", "other"))
    stranger = create_backup_key(tmp_path / "stranger")
    assert len({own, other, stranger}) == 3
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o600
    (tmp_path / "copies").mkdir()
    copy = tmp_path / "copies" / "copy.age"
    created = _back_up(str(tmp_path / "survey.db"), copy, (own, other))
    assert [path.name for path in copy.parent.iterdir()] == ["copy.age"]
    sealed = copy.read_bytes()
    assert sealed.startswith(b"age-encryption.org/v1\n")
    for report in reports[:50]:
        assert report.id not in sealed
        assert report.id.hex().encode() not in sealed
    assert b"any_affair" not in sealed
    for name in ("own", "other"):
        assert check_backup(copy, [tmp_path / name]) == created
    restore(copy, tmp_path / "again.db", [tmp_path / "stranger", tmp_path / "own"])
    assert open_store(tmp_path / "again.db", read_only=True).count() == 2500
    with pytest.raises(DocumentError, match="No matching keys found"):
        check_backup(copy, [tmp_path / "stranger"])
    with pytest.raises(DocumentError, match=r"an encrypted backup.*--identity"):
        check_backup(copy)
    with pytest.raises(DocumentError, match="a new file"):
        create_backup_key(tmp_path / "own")


def test_age_reads_what_we_encrypt(affairs_form: Form, tmp_path: Path) -> None:
    """Another reader of the format: the header by hand, the rest by the library's own function."""
    import pyrage

    _store(str(tmp_path / "survey.db"), affairs_form, _reports(3))
    public = create_backup_key(tmp_path / "key")
    _back_up(str(tmp_path / "survey.db"), tmp_path / "copy.age", (public,))
    _back_up(str(tmp_path / "survey.db"), tmp_path / "copy")
    head = (tmp_path / "copy.age").read_bytes().split(b"\n--- ")[0].split(b"\n")
    assert head[1].startswith(b"-> X25519 ")
    own = pyrage.x25519.Identity.from_str((tmp_path / "key").read_text().splitlines()[1])
    opened = pyrage.decrypt((tmp_path / "copy.age").read_bytes(), [own])
    assert opened == (tmp_path / "copy").read_bytes()


WORDS = "correct horse battery staple"
PIECE = 1 << 16


def _derived(secret: bytes, salt: bytes, info: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt, info).derive(secret)


def _wrapping(words: str, salt: bytes, work: int) -> ChaCha20Poly1305:
    salted = b"age-encryption.org/v1/scrypt" + salt
    return ChaCha20Poly1305(Scrypt(salted, 32, 1 << work, 8, 1).derive(words.encode()))


def _nonces(length: int, piece: int) -> list[tuple[int, bytes]]:
    starts = range(0, max(length, 1), piece)
    return [
        (start, number.to_bytes(11, "big") + bytes([start + piece >= length]))
        for number, start in enumerate(starts)
    ]


def _as_age_writes(text: bytes, words: str) -> bytes:
    """Encrypt as age-encryption.org/v1 says, with little work: a writer beside the library's."""
    dice = random.Random(7)
    secret, salt, nonce = (dice.randbytes(16) for _ in range(3))
    wrapped = _wrapping(words, salt, 4).encrypt(bytes(12), secret, None)
    result = b"age-encryption.org/v1\n-> scrypt %s 4\n%s\n---" % (
        b64encode(salt).rstrip(b"="),
        b64encode(wrapped).rstrip(b"="),
    )
    mac = hmac.digest(_derived(secret, b"", b"header"), result, "sha256")
    cipher = ChaCha20Poly1305(_derived(secret, nonce, b"payload"))
    body = [
        cipher.encrypt(n, text[index : index + PIECE], None)
        for index, n in _nonces(len(text), PIECE)
    ]
    return b"%s %s\n%s" % (result, b64encode(mac).rstrip(b"="), nonce + b"".join(body))


def _as_age_reads(sealed: bytes, words: str) -> bytes:
    head, _, rest = sealed.partition(b"\n--- ")
    _, stanza, wrapped = head.split(b"\n")
    arrow, kind, salt, work = stanza.split()
    assert (arrow, kind) == (b"->", b"scrypt")
    key = _wrapping(words, b64decode(salt + b"=="), int(work))
    secret = key.decrypt(bytes(12), b64decode(wrapped + b"=="), None)
    mac, _, body = rest.partition(b"\n")
    result = hmac.digest(_derived(secret, b"", b"header"), head + b"\n---", "sha256")
    assert b64decode(mac + b"==") == result
    cipher, body = ChaCha20Poly1305(_derived(secret, body[:16], b"payload")), body[16:]
    nonces = _nonces(len(body), PIECE + 16)
    return b"".join(
        cipher.decrypt(n, body[index : index + PIECE + 16], None) for index, n in nonces
    )


@pytest.mark.long
def test_age_opens_what_a_passphrase_encrypts(form: Form, tmp_path: Path) -> None:
    """Another reader of the format, by its specification."""
    _store(str(tmp_path / "survey.db"), form, _reports(900))
    created = _back_up(str(tmp_path / "survey.db"), tmp_path / "copy")
    store = open_store(tmp_path / "survey.db", read_only=True)
    assert back_up(store, tmp_path / "copy.age", passphrase=WORDS) == created
    store.close()
    sealed, plain = ((tmp_path / name).read_bytes() for name in ("copy.age", "copy"))
    assert len(plain) > PIECE
    assert _as_age_reads(sealed, WORDS) == plain
    assert (tmp_path / "copy.age").stat().st_mode & 0o777 == 0o600


def test_what_age_encrypts_by_a_passphrase_is_opened(form: Form, tmp_path: Path) -> None:
    _store(str(tmp_path / "survey.db"), form, _reports(900))
    created = _back_up(str(tmp_path / "survey.db"), tmp_path / "copy")
    sealed = _as_age_writes((tmp_path / "copy").read_bytes(), WORDS)
    (tmp_path / "copy.age").write_bytes(sealed)
    assert restore(tmp_path / "copy.age", tmp_path / "again.db", passphrase=WORDS) == created
    with pytest.raises(DocumentError, match=r"what a passphrase opens.*--passphrase asks for it"):
        check_backup(tmp_path / "copy.age")
    with pytest.raises(DocumentError, match="allowed: the passphrase that it was encrypted with"):
        check_backup(tmp_path / "copy.age", passphrase="not these words")
    for index in (30, 120, 400, len(sealed) - 1):
        (tmp_path / "bad").write_bytes(
            sealed[:index] + bytes([sealed[index] ^ 1]) + sealed[index + 1 :]
        )
        with pytest.raises(DocumentError):
            check_backup(tmp_path / "bad", passphrase=WORDS)
    (tmp_path / "bad").write_bytes(sealed[:-PIECE])
    with pytest.raises(DocumentError, match="the file as it was written"):
        check_backup(tmp_path / "bad", passphrase=WORDS)


def test_a_private_key_may_have_a_passphrase(form: Form, tmp_path: Path) -> None:
    _store(str(tmp_path / "survey.db"), form, _reports(40))
    public = create_backup_key(tmp_path / "key")
    (tmp_path / "locked").write_bytes(_as_age_writes((tmp_path / "key").read_bytes(), WORDS))
    created = _back_up(str(tmp_path / "survey.db"), tmp_path / "copy.age", (public,))
    assert check_backup(tmp_path / "copy.age", [tmp_path / "locked"], passphrase=WORDS) == created
    for words, message in [(None, "asks for it"), ("not these words", "Decryption failed")]:
        with pytest.raises(DocumentError, match=message):
            check_backup(tmp_path / "copy.age", [tmp_path / "locked"], passphrase=words)


def test_what_a_passphrase_cannot_encrypt_is_told(
    affairs_form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _store(str(tmp_path / "survey.db"), affairs_form, _reports(40))
    (tmp_path / "copy.age").write_bytes(b"old")
    store = open_store(tmp_path / "survey.db", read_only=True)
    public = create_backup_key(tmp_path / "key")
    with pytest.raises(InputError, match="got '11 characters'; allowed: 12 or more"):
        back_up(store, tmp_path / "copy.age", passphrase="guess me no")
    with pytest.raises(InputError, match="12 or more"):
        create_backup_key(tmp_path / "other", passphrase="guess me no")
    with pytest.raises(InputError, match="got 'keys too'; allowed: keys, or a passphrase"):
        back_up(store, tmp_path / "copy.age", [public], passphrase=WORDS)
    monkeypatch.setattr("askance_collect.collect.backup._IN_MEMORY", 4000)
    with pytest.raises(DocumentError, match=r"allowed: less, by a passphrase; encrypt for a key"):
        back_up(store, tmp_path / "copy.age", passphrase=WORDS)
    store.close()
    assert (tmp_path / "copy.age").read_bytes() == b"old"
    assert not (tmp_path / "other").exists()


def test_a_passphrase_is_asked_for_or_read_from_a_file(
    affairs_form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the place of the library, whose work takes seconds, stands the writer with little."""
    monkeypatch.setattr("pyrage.passphrase.encrypt", _as_age_writes)
    monkeypatch.chdir(tmp_path)
    _store("survey.db", affairs_form, _reports(40))
    Path("secret").write_text(f"{WORDS}\n")
    Path("two").write_text(f"{WORDS}\n{WORDS}\n")

    def typed(line: str, text: str = "") -> str:
        done = CliRunner().invoke(verbs, ["collect", *line.split()], text, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    questions = f"{WORDS}\n{WORDS}\n"
    typed_result = typed("backup survey.db copy.age --passphrase", questions)
    assert typed_result.startswith("copy.age  encrypted\n40 reports, open\n")
    assert typed("restore copy.age --passphrase-file secret") in typed_result
    assert typed("restore copy.age again.db --passphrase", questions).startswith("40 reports")
    Path("public").write_text(typed("key locked --passphrase-file secret"))
    typed_result = typed("backup survey.db other.age --recipient public")
    assert typed("restore other.age --identity locked --passphrase", questions) in typed_result
    for words in ("two", "nowhere", "survey.db"):
        with pytest.raises(InputError, match="allowed: a file with one line"):
            typed(f"restore copy.age --passphrase-file {words}")
    with pytest.raises(InputError, match="got 'both'"):
        typed("restore copy.age --passphrase --passphrase-file secret")
    for command in ("backup survey.db copy.age", "restore copy.age", "key other"):
        with pytest.raises(AssertionError, match="does not take a value"):
            typed(f"{command} --passphrase=guess")  # it would stand in a list of processes


@pytest.mark.parametrize("sealed", [False, True])
def test_a_damaged_backup_is_refused(sealed: bool, form: Form, tmp_path: Path) -> None:
    _store(str(tmp_path / "survey.db"), form, _reports(40))
    keys = (create_backup_key(tmp_path / "key"),) if sealed else ()
    _back_up(str(tmp_path / "survey.db"), tmp_path / "copy", keys)
    content, own = (tmp_path / "copy").read_bytes(), [tmp_path / "key"] if sealed else []
    assert check_backup(tmp_path / "copy", own).reports == 40
    lines, dice = content.splitlines(keepends=True), random.Random(4)
    damaged = [content[:index] for index in (0, 10, len(content) // 2, len(content) - 1)]
    damaged += [b"".join(lines[:-1]), b"".join(lines[:5] + lines[6:]), content + lines[-1]]
    damaged += [b"".join(lines[:5] + lines[6:4:-1] + lines[7:]), b"".join([*lines[:5], *lines[4:]])]
    for _ in range(150):
        number = dice.randrange(len(content))
        damaged.append(
            content[:number]
            + bytes([content[number] ^ 1 << dice.randrange(8)])
            + content[number + 1 :]
        )
    for number, item in enumerate(damaged):
        (tmp_path / "bad").write_bytes(item)
        with pytest.raises(DocumentError) as caught:
            restore(tmp_path / "bad", tmp_path / "bad.db", own)
        assert 'any_affair":' not in str(caught.value), number
        assert not (tmp_path / "bad.db").exists()


def test_what_cannot_be_backed_up_leaves_the_old_one(
    affairs_form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = str(tmp_path / "survey.db")
    _store(where, affairs_form, _reports(1200), closed=True)
    public = create_backup_key(tmp_path / "key")
    _back_up(where, tmp_path / "copy")
    old = (tmp_path / "copy").read_bytes()
    with pytest.raises(InputError, match="a public key"):
        _back_up(where, tmp_path / "copy", ("age1nobody",))
    secret = (tmp_path / "key").read_text().splitlines()[1]
    with pytest.raises(InputError) as caught:
        _back_up(where, tmp_path / "copy", (secret,))
    assert secret not in str(caught.value)
    file = bytearray(Path(where).read_bytes())
    index_result = file.index(b'"children"')
    file[index_result + 2] ^= 1
    Path(where).write_bytes(file)
    for keys in ((), (public,)):
        with pytest.raises(DocumentError, match="1200 reports that are not all as they were kept"):
            _back_up(where, tmp_path / "copy", keys)
    assert (tmp_path / "copy").read_bytes() == old
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "copy",
        "key",
        "survey.db",
        "survey.db-lock",
    ]


SIGNS = b'"\\{}[],:0189afnul x\n\x00\xff'
SPELT = (
    *(b"null", b"0", b"-1", b"-0", b"01", b"1.0", b"1e0", b"true", b"52", b"53", b"99"),
    *(b"[0,1]", b"[1,0]", b"[0,53]", b"[7,7]", b"[0, 1]", b"[0,01]", b"[]", b"{}", b'"a"', b'""'),
    *(b'"\\u0061"', b'1,"x":1', b"9" * 200, b"\xff", b" 1", b"1 ", b"1\n", b""),
)


def _possible(line: bytes, form: Form) -> bool:
    """Say whether a device could have sent what stands on a line."""
    try:
        accept(line[:-1].ljust(form.size), form)
    except ReportRefused:
        return False
    return line.endswith(b"}\n")


@pytest.mark.parametrize("by", ["signs", "values"])
def test_no_line_is_believed_that_no_device_could_have_sent(
    by: str, affairs_form: Form, tmp_path: Path
) -> None:
    """Many lines are looked at together: each as `accept` looks at it alone."""
    dice, where = random.Random(39), str(tmp_path / "survey.db")
    _store(where, affairs_form, _reports(3))
    _back_up(where, tmp_path / "copy")
    head, first, second, third, end = (tmp_path / "copy").read_bytes().splitlines(keepends=True)
    if by == "signs":
        draws = (
            (index, bytes([sign])) for index in range(len(second)) for sign in dice.sample(SIGNS, 1)
        )
        lines = {second[:index] + sign + second[index + 1 :] for index, sign in draws}
        lines |= {second[:-1], second[:-2] + b" }\n", b" " + second, second[:-1] + b" \n"}
    else:
        value = rb"(?<=:)(\[\d+,\d+\]|\d+|null)(?=[,}])"
        spans = [match.span() for match in re.finditer(value, second)]
        assert len(spans) == 4
        lines = {second[:start] + item + second[stop:] for start, stop in spans for item in SPELT}
    agreed = Counter[bool]()
    for line in lines - {second}:
        (tmp_path / "copy").write_bytes(b"".join((head, first, line, third, end)))
        with pytest.raises(DocumentError) as caught:
            check_backup(tmp_path / "copy")
        possible = _possible(line, affairs_form)
        assert ("got 'something else'" in str(caught.value)) is not possible, line
        agreed[possible] += 1
    assert min(agreed[True], agreed[False]) > 5


def test_two_backups_to_one_file_at_a_time_are_both_whole(
    affairs_form: Form, tmp_path: Path
) -> None:
    """Each has a name of its own until it is moved; what a killed one left is swept up."""
    import fcntl

    where = str(tmp_path / "survey.db")
    _store(where, affairs_form, _reports(10))
    dead, living = (tmp_path / f"copy.{sign * 16}.part" for sign in "0f")
    for remaining in (dead, living):
        remaining.write_bytes(b"what another wrote, longer than " * 9999)
    with living.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert _back_up(where, tmp_path / "copy").reports == 10
    assert check_backup(tmp_path / "copy").reports == 10
    assert (dead.exists(), living.exists()) == (False, True)
    threads = [threading.Thread(target=_back_up, args=(where, tmp_path / "copy")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert check_backup(tmp_path / "copy").reports == 10
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy"]


def _copied_elsewhere(
    code: str, where: str, path: Path, *keys: str
) -> subprocess.CompletedProcess[str]:
    """Make a backup in a process of its own, in which some code runs before."""
    words = f"open_store({where!r}, read_only=True), {str(path)!r}, {keys!r}"
    program = f"{code}\nfrom askance_collect.collect import back_up, open_store; back_up({words})"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def test_a_full_disk_is_named_and_the_old_one_stays(affairs_form: Form, tmp_path: Path) -> None:
    """In a process whose files may not grow beyond a size, the disk is full there."""
    where = str(tmp_path / "survey.db")
    _store(where, affairs_form, _reports(3000))
    (tmp_path / "copy").write_bytes(b"old")
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
    )
    ran = _copied_elsewhere(code, where, tmp_path / "copy")
    assert ran.returncode == 1
    assert "got 'File too large'; allowed: a file that can be written, on a disk" in ran.stderr
    assert (tmp_path / "copy").read_bytes() == b"old"
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("sealed", [False, True])
def test_who_is_killed_in_the_middle_leaves_the_old_one(
    sealed: bool, affairs_form: Form, tmp_path: Path
) -> None:
    where = str(tmp_path / "survey.db")
    _store(where, affairs_form, reports := _reports(6000))
    (tmp_path / "copies").mkdir()
    copy = tmp_path / "copies" / "copy"
    copy.write_bytes(b"old")
    keys = [create_backup_key(tmp_path / "key")] if sealed else []
    code = (
        "import os; from askance_collect.collect import backup;"
        "chunks = backup._chunks\n"
        "def few(items):\n"
        "    for number, chunk in enumerate(chunks(items)):\n"
        "        if number == 4: os.kill(os.getpid(), 9)\n"
        "        yield chunk\n"
        "backup._chunks = few\n"
    )
    assert _copied_elsewhere(code, where, copy, *keys).returncode == -signal.SIGKILL
    assert copy.read_bytes() == b"old"
    text = b"".join(path.read_bytes() for path in copy.parent.iterdir())
    assert len(text) > 100_000
    assert (reports[0].id.hex().encode() in text or b"any_affair" in text) is not sealed
    created = _back_up(where, copy, tuple(keys))
    assert created.reports == 6000
    assert [path.name for path in copy.parent.iterdir()] == ["copy"]


def test_restoring_to_where_it_cannot_be_is_refused(affairs_form: Form, tmp_path: Path) -> None:
    _store(str(tmp_path / "survey.db"), affairs_form, _reports(3))
    _back_up(str(tmp_path / "survey.db"), tmp_path / "copy")
    with pytest.raises(DocumentError, match="No such file"):
        restore(tmp_path / "copy", tmp_path / "nowhere" / "again.db")
    with pytest.raises(DocumentError, match="No such file"):
        check_backup(tmp_path / "nothing")
    public = create_backup_key(tmp_path / "key")
    _back_up(str(tmp_path / "survey.db"), tmp_path / "sealed", (public,))
    with pytest.raises(DocumentError, match="a private key"):
        check_backup(tmp_path / "sealed", [tmp_path / "survey.db"])
