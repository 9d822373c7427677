"""Start a private PostgreSQL in a temporary folder, reached through a socket there, and end it.

python tools/cluster.py COMMAND…    runs a command with ASKANCE_POSTGRES set to its URL
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"


@contextmanager
def cluster(durable: bool = True) -> Iterator[str]:
    """Run a cluster for as long as the block lasts; gives the URL of its first database."""
    folder = Path(tempfile.mkdtemp(prefix="askance-postgres-"))
    data = folder / "data"
    try:
        if os.getuid() == 0:
            shutil.chown(folder, USER)
        _run("initdb", "-D", data, "-U", USER, "--auth=trust", "--no-sync", "-E", "UTF8")
        settings = f"-k {folder} -c listen_addresses= -c fsync={'on' if durable else 'off'}"
        _run("pg_ctl", "-D", data, "-o", settings, "-l", folder / "log", "-w", "start")
        try:
            yield f"postgresql://{USER}@/postgres?host={folder}"
        finally:
            _run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: str, *arguments: str | Path) -> None:
    """Run a PostgreSQL program, which refuses to be root, as its own user."""
    places = [*os.get_exec_path(), *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    found = shutil.which(program, path=os.pathsep.join(places))
    if found is None:
        raise FileNotFoundError(f"{program} is not installed; on Debian: apt install postgresql")
    command = [found, *map(str, arguments)]
    if os.getuid() == 0:
        command = ["runuser", "-u", USER, "--", *command]
    done = subprocess.run(  # noqa: S603 a program found on the path, with our own arguments
        command,
        stdout=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd="/",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{program} failed: {(done.stdout or b'').decode()}")


if __name__ == "__main__":
    with cluster() as url:
        settings = os.environ | {"ASKANCE_POSTGRES": url}
        done = subprocess.run(sys.argv[1:], env=settings, check=False)  # noqa: S603 the caller's own
    sys.exit(done.returncode)
