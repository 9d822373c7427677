"""Start a private PostgreSQL in a temporary folder, reached through a socket there, and end it.

python tools/cluster.py COMMAND…    runs a command with ASKANCE_POSTGRES set to its URL
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"


@contextmanager
def cluster(durable: bool = True) -> Iterator[str]:
    """Run a cluster for as long as the block lasts; gives the URL of its first database."""
    folder = Path(tempfile.mkdtemp(prefix="askance-postgres-"))
    data = folder / "data"
    try:
        make(data)
        start(data, "" if durable else "-c fsync=off")
        try:
            yield url(data)
        finally:
            stop(data)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make(data: Path, *words: str) -> None:
    """Make a cluster; its sockets and its log are to lie beside it."""
    if os.getuid() == 0:
        shutil.chown(data.parent, USER)
    _run("initdb", "-D", data, "-U", USER, "--auth=trust", "--no-sync", "-E", "UTF8", *words)


def start(data: Path, settings: str = "", environment: Mapping[str, str] | None = None) -> None:
    """Start a cluster and wait until it can be used."""
    words = f"-k {data.parent} -c listen_addresses= {settings}"
    log = data.parent / "log"
    _run("pg_ctl", "-D", data, "-o", words, "-l", log, "-w", "start", environment=environment)


def stop(data: Path, mode: str = "immediate") -> None:
    """Stop a cluster: without a checkpoint unless another mode is named."""
    _run("pg_ctl", "-D", data, "-m", mode, "-w", "stop")


def url(data: Path) -> str:
    """Give the URL of the first database of a cluster."""
    return f"postgresql://{USER}@/postgres?host={data.parent}"


def _run(
    program: str, *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> None:
    """Run a PostgreSQL program, which refuses to be root, as its own user."""
    places = [*os.get_exec_path(), *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    executable = shutil.which(program, path=os.pathsep.join(places))
    if executable is None:
        raise FileNotFoundError(f"{program} is not installed; on Debian: apt install postgresql")
    command = [executable, *map(str, arguments)]
    if os.getuid() == 0:
        command = ["runuser", "-u", USER, "--", *command]
    done = subprocess.run(  # noqa: S603 a program found on the path, with our own arguments
        command,
        stdout=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd="/",
        env=os.environ | (environment or {}),
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{program} failed: {(done.stdout or b'').decode()}")


if __name__ == "__main__":
    with cluster() as address:
        settings = os.environ | {"ASKANCE_POSTGRES": address}
        done = subprocess.run(sys.argv[1:], env=settings, check=False)  # noqa: S603 the caller's own
    sys.exit(done.returncode)
