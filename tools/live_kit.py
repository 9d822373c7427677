"""Run the operator's kit as it is written, as root on Debian: under systemd, and in a container.

`askance-collect kit` writes both. The unit goes into a Debian of its own, which boots beside this
one without a net: there the commands of the kit's README.md are typed, reports are sent through
the kit's nginx, and the collector is restarted, killed, hung and rebooted meanwhile. A probe says
what the sandbox really forbids, and its twin without the sandbox does those things. The image is
built from the Containerfile, run as compose.yaml says, and asked through the proxy. In another
machine stands what exchanges invitation codes. Debian's `age` opens what a passphrase encrypted,
and the reverse. Whatever is not so is listed at the end.

The first run fetches two Debians into build/kit. Where the base image of the Containerfile is not
at hand, one made of Debian's own Python stands in its place, under its name.
"""

import argparse
import json
import os
import platform
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, final

from alone import ROOT
from alone import wheels as built_wheels
from cryptography.hazmat.primitives.asymmetric import rsa
from live_senders import HOST, Senders

from askance import publish
from askance.survey import load_survey
from askance_collect.collect import (
    accept,
    back_up,
    create_backup_key,
    open_store,
    restore,
    write_kit,
)
from askance_collect.respond import Blinded, blind, respond
from askance_collect.tokens import create_issuer
from askance_collect.wire import Form, from_base64url, to_base64url

sys.path.append(str(ROOT / "benchmarks" / "collect"))
import with_tokens

BUILT = ROOT / "build" / "kit"
TOOLS = {
    "unit": ("debootstrap", "systemd-nspawn", "nsenter", "openssl"),
    "issuer": ("debootstrap", "systemd-nspawn", "nsenter"),
    "image": ("debootstrap", "podman", "podman-compose", "runc", "nginx", "openssl"),
    "age": ("age",),
}
NEEDED = (
    "debootstrap systemd-container podman podman-compose runc iptables containernetworking-plugins "
    "nginx-light openssl age"
)
DEBIANS = {
    "machine": "systemd,systemd-sysv,dbus,python3-venv,nginx-light,curl",
    "base": "python3-venv",
}
BASE = "python:3.13-slim-bookworm"
COMPOSE = "podman-compose", "--project-name", "askance-kit"
PLACES = "", "/survey", "/opt/askance", "/store"
BARE = {"CapEff": "0" * 16, "CapBnd": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"}
"""What the system says of a process that can do little."""

VERSION = "import sys; print(*sys.version_info[:2], sep='.')"
WORDS = "correct horse battery staple"
SETTINGS = """
[containers]
default_ulimits = ["nofile=8192:8192", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""
STORAGE = """
[storage]
driver = "overlay"
graphroot = "{folder}/images"
runroot = "/run/askance-kit"
"""

PROBE = """
import ctypes, json, mmap, os, socket, threading
libc = ctypes.CDLL(None, use_errno=True)
def called(name, *words):
    if getattr(libc, name)(*words) < 0:
        raise OSError(ctypes.get_errno(), name)
def threads():
    go = threading.Event()
    many = [threading.Thread(target=go.wait) for _ in range(80)]
    try:
        for one in many: one.start()
    finally:
        go.set()
def reached(address):
    with socket.create_connection(address, 3): pass
own = os.environ["STATE_DIRECTORY"]
status = open("/proc/self/status").read()
def marked():
    place = own + "/program"
    open(place, "w").close()
    os.chmod(place, 0o4755)
tried = {
    "writes to its store": lambda: open(own + "/probe", "w").close(),
    "is somebody's account": lambda: 1 / (os.getuid() < 61184),
    "has capabilities": lambda: 1 / ("CapBnd:\\t0000000000000000" not in status),
    "may gain privileges": lambda: 1 / ("NoNewPrivs:\\t0" in status),
    "writes to /etc": lambda: open("/etc/probe", "w").close(),
    "writes to /var/lib": lambda: open("/var/lib/probe", "w").close(),
    "writes to its own program": lambda: open("/opt/askance/bin/python-probe", "w").close(),
    "reads the passwords": lambda: open("/etc/shadow").read(),
    "reads somebody's files": lambda: open("/run/user/1000/letter").read(),
    "sees files of others in /var/tmp": lambda: os.stat("/var/tmp/of-another"),
    "sees other processes": lambda: os.stat("/proc/1/status"),
    "sees the kernel's settings": lambda: os.stat("/proc/sys/kernel"),
    "has devices": lambda: os.stat("/dev/console"),
    "opens a connection to the net": lambda: socket.socket(socket.AF_INET).close(),
    "reaches the proxy": lambda: reached(("127.0.0.1", 443)),
    "has memory that is written and run": lambda: mmap.mmap(-1, 4096, prot=7).close(),
    "makes a name space": lambda: called("unshare", 0x10000000),
    "makes a program that runs as its owner": marked,
    "becomes another kind of process": lambda: 1 / (libc.personality(8) >= 0),
    "traces": lambda: called("ptrace", 0, 0, 0, 0),
}
if os.path.isdir("/sys/fs/cgroup/unified") is False:
    tried["has 80 threads"] = threads
done = []
for what, act in tried.items():
    try:
        act()
    except (OSError, ZeroDivisionError, RuntimeError):
        continue
    done.append(what)
with open(own + "/done", "w") as file:
    json.dump([list(tried), done], file)
"""
ALLOWED = {"writes to its store"}

faults = list[str]()


def check(good: object, claim: str) -> None:
    """Say what was looked at, and whether it is so."""
    print(f"  {'yes' if good else 'NO '}  {claim}", flush=True)
    if not good:
        faults.append(claim)


def run(*words: object, quiet: bool = True, **more: Any) -> str:
    """Run a command to its end; give what it said."""
    spelt, more = [str(word) for word in words], {"stderr": subprocess.STDOUT, **more}
    done = subprocess.run(spelt, stdout=subprocess.PIPE, text=True, check=False, **more)
    if done.returncode and quiet:
        raise SystemExit(f"{' '.join(spelt)}: exit {done.returncode}\n{done.stdout}")
    return str(done.stdout)


def debian(which: str) -> Path:
    """A Debian of this machine's release, in a folder; fetched once."""
    folder_of_kit = BUILT / which
    if not (folder_of_kit / "bin" / "true").exists():
        print(f"fetching a Debian into {folder_of_kit.relative_to(ROOT)} (a minute)", flush=True)
        release = platform.freedesktop_os_release()["VERSION_CODENAME"]
        shutil.rmtree(folder_of_kit, ignore_errors=True)
        folder_of_kit.mkdir(parents=True)
        run(
            "debootstrap",
            "--variant=minbase",
            f"--include={DEBIANS[which]}",
            release,
            folder_of_kit,
        )
    return folder_of_kit


def wheels(kit: Path, python: str, folder: Path) -> None:
    """Put what the kit's requirements.txt names into a folder, for a Python of that version."""
    folder.mkdir(exist_ok=True)
    download(python, folder, "--no-deps", "--require-hashes", "-r", needed(kit))


def needed(kit: Path) -> Path:
    """Write what the kit's own wheel needs into a file beside the kit, with its hashes."""
    text = (kit / "requirements.txt").read_text("ascii")
    others = [
        package for package in re.split(r"(?m)^(?=\w)", text) if not package.startswith("askance")
    ]
    file = kit.with_suffix(".needed.txt")
    file.write_text("".join(others), "ascii")
    return file


def download(python: str, folder: Path, *address: object) -> None:
    """Have pip put packages into a folder, for a Python of that version."""
    words = ["download", "--quiet", "--only-binary=:all:", "--python-version", python]
    run(sys.executable, "-m", "pip", *words, "--dest", folder, *address)


def typed(readme: Path) -> list[list[str]]:
    """The commands of a kit's README.md, block by block."""
    blocks = re.findall(r"^```text\n(.*?)^```$", readme.read_text("utf-8"), re.M | re.S)
    return [[line for line in block.splitlines() if line] for block in blocks]


def certified(folder: Path) -> tuple[Path, Path]:
    """A certificate of the survey's host, and its key."""
    certificate_files = folder / "fullchain.pem", folder / "privkey.pem"
    words = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    words += ["-days", "2", "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    run("openssl", "req", *words, "-out", certificate_files[0], "-keyout", certificate_files[1])
    return certificate_files


# ---- The unit.


@final
class Machine:
    """A Debian that boots beside this one, without a net; what it writes is thrown away."""

    def __init__(self, folder: Path) -> None:
        self.root, self.leader = folder / "root", 0
        for name in ("root", "upper", "work"):
            (folder / name).mkdir()
        over = f"lowerdir={debian('machine')},upperdir={folder / 'upper'},workdir={folder / 'work'}"
        run("mount", "-t", "overlay", "askance-kit", "-o", over, self.root)
        self.boot()

    def boot(self) -> None:
        """Boot it, and wait until everything has started."""
        words = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot"]
        words += ["--private-network", "--machine=askance-kit", f"--directory={self.root}"]
        none = subprocess.DEVNULL
        self._nspawn = subprocess.Popen(words, stdin=none, stdout=none, stderr=none)
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children")
        for _ in range(300):
            time.sleep(0.2)
            self.leader = int((children.read_text().split() or ["0"])[0])
            command = "systemctl is-system-running"
            if self.leader and self.type(command, fails=True) in ("running\n", "degraded\n"):
                return
        raise SystemExit("the machine does not boot")

    def type(self, line: str, *, fails: bool = False) -> str:
        """Type a line as root, in the folder of the kit."""
        environment = "SYSTEMD_PAGER=cat PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/wheels"
        words = ["nsenter", "--target", self.leader, "--all", "bash", "-c"]
        return run(*words, f"cd /srv/kit 2>&-; export {environment}; {line}", quiet=not fails)

    def file(self, path: str) -> Path:
        """A file of the machine, as it is called here; by its process what is on no disk."""
        own = path.startswith(("/run/", "/sys/"))
        return (Path(f"/proc/{self.leader}/root") if own else self.root) / path[1:]

    def off(self) -> None:
        """Have it stop all, and end."""
        self.type("systemctl poweroff", fails=True)
        self._nspawn.wait(120)

    def end(self) -> None:
        """Take it away."""
        if self._nspawn.poll() is None:
            self._nspawn.kill()
            self._nspawn.wait()
        run("umount", self.root, quiet=False)


def install(machine: Machine, kit: Path) -> None:
    """Type the first block of the kit's README.md."""
    shutil.copytree(kit, machine.file("/srv/kit"))
    for line in typed(kit / "README.md")[0]:
        machine.type(line)


def spaces(process: Path) -> dict[str, Path]:
    """The name spaces of a process, by their kinds."""
    return {entry.name: entry.readlink() for entry in (process / "ns").iterdir()}


def main_pid(machine: Machine, unit: str) -> int:
    """The number of a unit's process, as it is called here."""
    leader = Path(f"/proc/{machine.leader}")
    own = machine.type(f"systemctl show --value --property MainPID {unit}").strip()
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            numbers = re.findall(r"NSpid:\s+(.*)", status.read_text())[0].split()
            if numbers[1:] == [own] and spaces(status.parent)["pid"] == spaces(leader)["pid"]:
                return int(status.parent.name)
    raise SystemExit(f"{unit} does not run")


def unit(form: Path, folder: Path, restarts: int, reports: int) -> None:
    """Boot a machine, install the kit by its README.md, and do to it what years do."""
    own = built_wheels("askance-collector", folder)[0]
    write_kit(Form.read(form.read_bytes()), folder / "kit", "exam", HOST, wheels=[own])
    machine = Machine(folder)
    try:
        python = machine.type(f'python3 -c "{VERSION}"').strip()
        wheels(folder / "kit", python, folder / "wheels")
        shutil.copytree(folder / "wheels", machine.file("/srv/wheels"))
        print(f"Debian with {machine.type('systemctl --version').splitlines()[0]}, Python {python}")
        install(machine, folder / "kit")
        looked_at(machine, folder / "kit")
        check_probes(machine)
        if restarts:
            through(machine, form, folder, restarts)
        if reports:
            many(machine, folder, reports)
        machine.off()
    finally:
        machine.end()


def looked_at(machine: Machine, kit: Path) -> None:
    """Type the README's lines that say whether all works."""
    certificate = machine.file(f"/etc/letsencrypt/live/{HOST}")
    certificate.mkdir(parents=True)
    certified(certificate)
    shutil.copy(kit / "nginx.conf", machine.file("/etc/nginx/nginx.conf"))
    machine.type("systemctl restart nginx")
    _, works, ask, *_ = typed(kit / "README.md")
    outputs = [machine.type(line) for line in (*works, ask[0])]
    lines = outputs[0].splitlines()
    check(lines[:1] == ["healthy"], "askance-collect healthy says healthy")
    check(lines[-1].endswith("each file is as in its wheel"), "and that each file is the wheel's")
    check(
        "asking at unix:/run/askance-exam.sock" in outputs[1], "journalctl says where it is asked"
    )
    check("askance_store_able 1" in outputs[2], "curl gets the counts with the key")
    hardened(machine, "askance-exam")


def hardened(machine: Machine, unit: str) -> None:
    """Look at what a unit's process may do."""
    rated = machine.type(f"systemd-analyze security {unit} | tail -1")
    level = rated.split(": ")[1].split()[0]
    check(float(level) <= 2, f"systemd rates its exposure at {level} of 10")
    pid = main_pid(machine, unit)
    own = Path(f"/proc/{pid}/status").read_text()
    for line, wanted in BARE.items():
        check(re.search(rf"{line}:\s+{wanted}\n", own), f"its process has {line} {wanted}")
    (number,) = re.findall(r"Uid:\s+(\d+)", own)
    passing = 61184 <= int(number) <= 65519
    check(passing, f"it runs as account {number}, which exists only while it runs")
    others = spaces(Path(f"/proc/{machine.leader}"))
    own_spaces = {
        kind
        for kind, namespace in spaces(Path(f"/proc/{pid}")).items()
        if namespace != others[kind]
    }
    wanted_spaces = {"ipc", "mnt", "net", "user", "uts"}
    listed = ", ".join(sorted(own_spaces))
    check(own_spaces >= wanted_spaces, f"it has name spaces of its own: {listed}")


def check_probes(machine: Machine) -> None:
    """Try what the sandbox forbids: a probe in its place, and one without the sandbox."""
    machine.type("mkdir -p /run/user/1000; echo dear > /run/user/1000/letter")
    machine.type("touch /var/tmp/of-another")
    machine.file("/etc/askance/probe.py").write_text(PROBE)
    text = machine.file("/etc/systemd/system/askance-exam.service").read_text()
    probed = "ExecStart=/opt/askance/bin/python /etc/askance/probe.py"
    text = re.sub("(?m)^ExecStart=.*$", probed, text)
    text = re.sub("(?m)^(Requires|After|Restart|Watchdog|LoadCredential).*\n", "", text)
    text = text.replace("Type=notify", "Type=oneshot").replace("askance-exam", "askance-probe")
    naked = text[: text.index("DynamicUser")] + "[Install]\n"
    probes = dict[str, tuple[set[str], set[str]]]()
    for name, unit in [("probe", text), ("twin", naked.replace("askance-probe", "askance-twin"))]:
        machine.file(f"/etc/systemd/system/askance-{name}.service").write_text(unit)
        machine.type(f"systemctl daemon-reload; systemctl start askance-{name}")
        private = "private/" if name == "probe" else ""
        tried, done = json.loads(machine.file(f"/var/lib/{private}askance-{name}/done").read_text())
        probes[name] = set(tried), set(done)
    tried, done = probes["probe"]
    result = f"of {len(tried)} things that a probe tried in its place it did"
    check(done == ALLOWED, f"{result}: {', '.join(sorted(done))}")
    spared = sorted(tried - probes["twin"][1])
    result = f"left undone by its twin without the sandbox: {', '.join(spared) or 'nothing'}"
    check(not spared, result)
    if machine.file("/sys/fs/cgroup/unified").exists():
        print("       not tried, without control groups v2: MemoryMax, TasksMax, IPAddressDeny")


def through(machine: Machine, form: Path, folder: Path, restarts: int) -> None:
    """Send reports through the proxy, whatever happens to the collector behind it."""
    senders, store = Senders(), "/var/lib/private/askance-exam/exam.db"
    certificate = machine.file(f"/etc/letsencrypt/live/{HOST}/fullchain.pem")
    shutil.copy(certificate, folder)
    words = 443, form, folder / "fullchain.pem"

    def within() -> tuple[str, ...]:
        return "nsenter", "--target", str(machine.leader), "--net"

    with senders.meanwhile(f"{restarts} restarts", *words, *within()):
        for _ in range(restarts):
            machine.type("systemctl restart askance-exam")
            time.sleep(0.3)
    check(senders.replies.keys() == {"201"}, "nobody was turned away while it was restarted")
    check(*senders.compare(machine.file(store), "after the restarts"))
    with senders.meanwhile("killed five times", *words, *within()):
        for _ in range(5):
            os.kill(main_pid(machine, "askance-exam"), signal.SIGKILL)
            time.sleep(4)
    check(*senders.compare(machine.file(store), "after the kills"))
    begun = time.monotonic()
    with senders.meanwhile("hung", *words, *within()):
        before = main_pid(machine, "askance-exam")
        os.kill(before, signal.SIGSTOP)
        while Path(f"/proc/{before}").exists() and time.monotonic() < begun + 300:
            time.sleep(1)
        print(f"       systemd noticed after {time.monotonic() - begun:.0f} s")
        time.sleep(4)
    check(*senders.compare(machine.file(store), "after it hung"))
    machine.off()
    machine.boot()
    with senders.meanwhile("rebooted, without a word typed", *words, *within()):
        pass
    check(senders.replies["201"], "it takes reports after a reboot")
    check(*senders.compare(machine.file(store), "after a reboot"))
    from_backup(machine, store)
    with senders.meanwhile("restored from a backup", *words, *within()):
        pass
    check(senders.replies["201"], "it takes reports after a restoration by root")
    check(*senders.compare(machine.file(store), "after a restoration"))
    journal = machine.type("journalctl --unit askance-exam --output cat")
    marks = [mark for mark in (*senders.all, "127.0.0.1") if mark in journal]
    lines = len(journal.splitlines())
    check(not marks, f"no number and no address in {lines} lines of the journal")
    logs = [path.name for path in machine.file("/var/log/nginx").glob("*") if path.stat().st_size]
    check(not logs, "nginx has written nothing into its logs")
    outputs = [machine.type(line) for line in typed(machine.file("/srv/kit/README.md"))[-1]]
    closed = re.fullmatch(r"closed with (\d+) reports\n", outputs[-1])
    check(closed, f"closed as the README says: {outputs[-1].strip()}")
    check(*senders.compare(machine.file(store), "after closing"))


def from_backup(machine: Machine, store: str) -> None:
    """Back the store up while it is served, and put what is restored in its place, as root."""
    collect, units = "/opt/askance/bin/askance-collect", "askance-exam.socket askance-exam.service"
    machine.type(f"{collect} key /srv/key > /srv/public")
    machine.type(f"{collect} backup {store} /srv/copy.age --recipient /srv/public")
    machine.type(f"systemctl stop {units}; rm {store}")
    machine.type(f"{collect} restore /srv/copy.age {store} --identity /srv/key")
    machine.type(f"systemctl start {units}")


def many(machine: Machine, folder: Path, reports: int) -> None:
    """Have the unit take so many reports with tokens."""

    @contextmanager
    def collector(form: Form, folder_of_store: Path) -> Iterator[tuple[str, int, Path]]:
        own = next(folder.glob("askance_collector-*.whl"))
        write_kit(form, folder_of_store / "kit", "bench", HOST, wheels=[own])
        shutil.rmtree(machine.file("/srv/kit"))
        install(machine, folder_of_store / "kit")
        listens = str(machine.file("/run/askance-bench.sock"))
        store = machine.file("/var/lib/private/askance-bench/bench.db")
        yield listens, main_pid(machine, "askance-bench"), store
        machine.type("systemctl stop askance-bench.socket askance-bench.service")

    (folder / "many").mkdir()
    result = with_tokens.run(reports, 2, folder / "many", collector)
    check(result, f"{reports:,} reports with tokens: none lost, none forged, none spent twice")


# ---- The issuer.


def issuer(_form: Path, folder: Path) -> None:
    """Boot a machine that signs, type what it is handed beside the kit, and exchange codes."""
    issuer = create_issuer(folder / "exam.issuer")
    codes, public = issuer.invite(2), rsa.RSAPublicNumbers(65537, issuer.public_keys[0].modulus)
    issuer.close()
    form = with_tokens.form_for(public.public_key())
    own = built_wheels("askance-collector", folder)[0]
    write_kit(form, folder / "kit", "exam", HOST, wheels=[own])
    kit, unit = folder / "kit" / "issuer-exam", "askance-exam-issuer"
    shutil.copy(folder / "exam.issuer", kit)
    machine = Machine(folder)
    try:
        python = machine.type(f'python3 -c "{VERSION}"').strip()
        wheels(kit, python, folder / "wheels")
        shutil.copytree(folder / "wheels", machine.file("/srv/wheels"))
        install(machine, kit)
        _, works, end = typed(kit / "README.md")
        outputs = [machine.type(line) for line in works]
        check("issuer" in outputs[0], "curl gets an answer at its socket")
        check("exchanging codes at unix:" in outputs[1], "journalctl says where it is asked")
        hardened(machine, unit)
        check(
            not machine.file("/srv/kit/exam.issuer").exists(), "the private keys lie in one place"
        )
        socket_file = machine.file(f"/run/{unit}.sock")
        check(exchanged(socket_file, codes[0], blind(form)) == 200, "a code buys a token")
        machine.type(f"systemctl restart {unit}")
        check(exchanged(socket_file, codes[0], blind(form)) == 409, "and no other after a restart")
        check(exchanged(socket_file, codes[1], blind(form)) == 200, "another code buys one then")
        for line in end:
            machine.type(line)
        check(
            not machine.file(f"/var/lib/private/{unit}").exists(), "nothing is left when it is over"
        )
        machine.off()
    finally:
        machine.end()


def exchanged(socket_file: Path, code: str, waiting: Blinded) -> int:
    """Exchange a code at a socket; give the status, and see that the token is good."""
    with closing(HTTPConnection("localhost")) as line:
        line.sock = socket.socket(socket.AF_UNIX)
        line.sock.connect(str(socket_file))
        request = {"blinded": to_base64url(waiting.message), "code": code}
        line.request("POST", "/sign", json.dumps(request))
        reply = line.getresponse()
        response = json.loads(reply.read())
    if reply.status == 200:
        waiting.token(from_base64url(response["signature"]))
    return reply.status


# ---- The image.


def image(form: Path, folder: Path) -> None:
    """Build the image, run it, send reports through the proxy, restart, and close."""
    own, published = built_wheels("askance-collector", folder)[0], Form.read(form.read_bytes())
    write_kit(published, folder / "box", "exam", HOST, container=True, wheels=[own])
    (BUILT / "containers.conf").write_text(SETTINGS)
    (BUILT / "storage.conf").write_text(STORAGE.format(folder=BUILT))
    os.environ |= {
        "CONTAINERS_CONF": str(BUILT / "containers.conf"),
        "CONTAINERS_STORAGE_CONF": str(BUILT / "storage.conf"),
        "BUILDAH_FORMAT": "docker",
    }
    box, senders = folder / "box", Senders()
    if subprocess.run(["podman", "image", "exists", BASE], check=False).returncode:
        print(f"{BASE} is not at hand: Debian's Python stands in its place")
        packed = folder / "base.tar"
        run("tar", "-C", debian("base"), "-cf", packed, ".")
        run("podman", "import", "--change", "ENV PIP_NO_INDEX=1", packed, f"localhost/{BASE}")
    digest = run("podman", "image", "inspect", "--format", "{{.Digest}}", BASE).strip()
    os.environ["BASE"] = f"{BASE.partition(':')[0]}@{digest}"
    python = run("podman", "run", "--rm", BASE, "python3", "-c", VERSION).strip()
    wheels(box, python, box / "wheels")
    begin, copied, end = typed(box / "README.md")

    def compose(line: str) -> str:
        return run("bash", "-c", line.replace("docker compose", " ".join(COMPOSE)), cwd=box)

    try:
        compose(begin[0])
        images = "askance-kit_collector", BASE
        size, base = (inspected("image", "{{.Size}}", image) for image in images)
        print(f"image of {int(size) / 1e6:.0f} MB; its base has {int(base) / 1e6:.0f}")
        inside()
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        with proxied(box / "nginx.conf", folder, port):
            arguments = port, form, folder / "fullchain.pem"
            with senders.meanwhile("through the proxy", *arguments):
                pass
            check(
                senders.replies.keys() == {"201"}, "reports go through the proxy into the container"
            )
            with senders.meanwhile("restarted, and replaced", *arguments):
                for words in ("restart", "down", "up --detach"):
                    compose(f"docker compose {words}")
                counts = re.findall(r"\d+ reports, open", compose(copied[0]))
            check(counts, f"backed up while it runs: {', '.join(counts)}")
        store = Path(inspected("volume", "{{.Mountpoint}}", "askance-kit_store")) / "exam.db"
        check(*senders.compare(store, "after a restart and a new container"))
        for line in end:
            output = compose(line)
        check("closed with" in output, "closed as the README says")
        check(*senders.compare(store, "after closing"))
    finally:
        run(*COMPOSE, "down", "--volumes", quiet=False, cwd=box)


def inspected(kind: str, field: str, name: str) -> str:
    """What podman says of an image or a volume."""
    return run("podman", kind, "inspect", "--format", field, name).strip()


def inside() -> None:
    """Look at the container from within and from without."""
    name = "askance-kit_collector_1"
    python = ["podman", "exec", name, "/opt/askance/bin/python", "-c"]
    for _ in range(100):
        if not (output := run("podman", "healthcheck", "run", name, quiet=False)):
            break
        time.sleep(0.2)
    check(not output, "its own check says healthy")
    tried = [run(*python, f"open('{folder}/x', 'w')", quiet=False) for folder in PLACES]
    is_refused = ["Read-only" in message or "Permission denied" in message for message in tried]
    check(
        is_refused == [folder != "/store" for folder in PLACES],
        "nothing can be written but the store",
    )
    run(*python, "import os; os.unlink('/store/x')")
    status = run(*python, "print(open('/proc/1/status').read())")
    for line, wanted in {"Uid": "65532", **BARE}.items():
        check(re.search(rf"{line}:\s+{wanted}\b", status), f"its process has {line} {wanted}")
    walk = "import os; print(*sorted({one for at, _, found in os.walk('/') for one in found"
    programs = run(*python, walk + " if at.endswith('bin')}))").split()
    check(
        all(program.startswith("python") for program in programs),
        f"its programs: {', '.join(programs)}",
    )


@contextmanager
def proxied(conf: Path, folder: Path, port: int) -> Iterator[None]:
    """Run the kit's nginx on this machine, at a port of its own."""
    certificate = certified(folder)
    text = conf.read_text("utf-8").replace("listen 443", f"listen 127.0.0.1:{port}")
    text = re.sub(r"(?s)    server \{\s+listen 80;.*?\n    \}\n", "", text)
    for path in certificate:
        text = text.replace(f"/etc/letsencrypt/live/{HOST}/{path.name}", str(path))
    (folder / "nginx.conf").write_text(text)
    words = ["nginx", "-p", f"{folder}", "-c", f"{folder}/nginx.conf", "-e", "/dev/null"]
    with subprocess.Popen([*words, "-g", f"daemon off; pid {folder / 'pid'};"]) as process:
        try:
            time.sleep(1)
            yield
        finally:
            process.terminate()


# ---- Passphrases.


def by_age(output: Path, *words: object) -> bytes:
    """Have Debian's age write a file; type the passphrase when it asks for one."""
    number, terminal = pty.fork()
    if not number:
        os.execvp("age", ["age", "--output", str(output), *map(str, words)])  # noqa: S606
    reply = b""
    with suppress(OSError):
        while piece := os.read(terminal, 4096):
            reply += piece
            if reply.rstrip().endswith(b":"):
                os.write(terminal, WORDS.encode() + b"\n")
                reply = b""
    os.waitpid(number, 0)
    return output.read_bytes()


def age(form: Path, folder: Path) -> None:
    """Have Debian's age open what we encrypted, and encrypt what we open."""
    print(f"age {run('age', '--version').strip()}")
    read = Form.read(form.read_bytes())
    answers = {question.name: 30 if question.name == "age" else 0 for question in read.questions}
    store = open_store(folder / "exam.db", read)
    store.append([accept(respond(read, answers).body(read.size), read) for _ in range(2000)])
    names = "plain", "locked", "for-key", "for-own", "key", "own", "opened", "theirs", "key.age"
    plain, locked, for_key, for_own, key, own, opened, theirs, sealed = map(folder.joinpath, names)
    backup = back_up(store, plain)
    back_up(store, locked, passphrase=WORDS)
    back_up(store, for_key, [create_backup_key(key)])
    back_up(store, for_own, [create_backup_key(own, passphrase=WORDS)])
    store.close()
    copy = plain.read_bytes()
    check(by_age(opened, "--decrypt", locked) == copy, "age opens what our passphrase encrypted")
    decrypted = by_age(opened, "--decrypt", "--identity", own, for_own)
    check(decrypted == copy, "age takes a private key that we encrypted")
    by_age(theirs, "--passphrase", plain)
    restored = restore(theirs, folder / "again.db", passphrase=WORDS)
    check(restored == backup, "we restore what age encrypted by a passphrase")
    by_age(sealed, "--passphrase", key)
    restored = restore(for_key, folder / "more.db", [sealed], passphrase=WORDS)
    check(restored == backup, "we take a private key that age encrypted")


def main() -> None:
    """Try what is asked for, and say what is not so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", choices=[*TOOLS, []], help=f"{', '.join(TOOLS)}, or all")
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--reports", type=int, default=0, help="so many with tokens, into the unit")
    options = parser.parse_args()
    wanted = options.what or list(TOOLS)
    missing = sorted({tool for kind in wanted for tool in TOOLS[kind] if not shutil.which(tool)})
    if missing or os.geteuid():
        problem = f"missing: {', '.join(missing) or 'root'}"
        raise SystemExit(f"{problem}\nas root on Debian: apt-get install {NEEDED}")
    BUILT.mkdir(parents=True, exist_ok=True)
    form = publish(load_survey(ROOT / "examples" / "affairs.toml"))
    for kind in wanted:
        print(f"== {kind}", flush=True)
        with TemporaryDirectory(prefix="askance-kit-") as name:
            folder = Path(name)
            folder.chmod(0o755)
            (folder / "exam.form.json").write_bytes(form.bytes)
            if kind == "unit":
                unit(folder / "exam.form.json", folder, options.restarts, options.reports)
            else:
                others = {"issuer": issuer, "image": image, "age": age}
                others[kind](folder / "exam.form.json", folder)
    print(f"\n{len(faults)} not so" + "".join(f"\n- {fault}" for fault in faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
