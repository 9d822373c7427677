"""Install each extra of a built wheel alone, and have it do what it is for.

    extras.py WHEEL COLLECTORS_WHEEL

On every Python from 3.11 on that is found here. Each is an environment with nothing else in it, of
the pinned versions where they have a wheel for that Python.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
OLDEST, NEWEST = 11, 14
SURVEY = "askance new s.toml && "
COUNTS = """
import askance as ak
q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
"""
STORE = """
from pathlib import Path
from askance import Form
from askance_collect.collect import open_store
form = Form.read(Path("affairs.form.json").read_bytes())
"""
DOES = {
    "": f'python -c \'{COUNTS}print(ak.estimate(ak.Tally(q, {{"yes": 4, "no": 6}})))\'',
    "survey": SURVEY
    + """askance check s.toml && askance publish s.toml
askance serve s.toml --store s.db --port 0 >said 2>&1 & collector=$!
trap 'kill $collector; cat said' EXIT
for _ in $(seq 100); do grep -q http said && break; sleep .1; done
python -c 'import re, urllib.request as u
print(u.urlopen(re.search(r"http\\S+", open("said").read())[0]).status)'
""",
    "postgres": f"""python -c '{STORE}
try:
    open_store("postgresql://127.0.0.1:1/none", form)
except Exception as refused:
    assert "can be reached" in str(refused), refused'
""",
    "plot": f"""python -c '{COUNTS}
from matplotlib.figure import Figure
from askance.present import house_style
with house_style():
    Figure().subplots().plot([0, 1])'
""",
    "engines": f"""printf 'said\\nyes\\nno\\n' >t.csv
python -c '{COUNTS}assert ak.tally(q, "t.csv", "said").total == 2'
""",
    "spark": f"""PYSPARK_PYTHON=$(command -v python) python -c '{COUNTS}
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
table = spark.createDataFrame([("yes",), ("no",)], "said string")
assert ak.tally(q, table, "said").total == 2'
""",
    "learn": """python -c '
import askance as ak
from askance.learn import IntervalRegressor
x = [[one] for one in range(40)]
IntervalRegressor(random_state=1).fit(x, ak.Ranges(range(40), range(1, 41)))'
""",
    "files": f"""python -c '{COUNTS}
import pandas, pyreadstat
pyreadstat.write_sav(pandas.DataFrame({{"said": ["yes", "no"]}}), "t.sav")
assert len(ak.engines.labelled_table("t.sav")["said"]) == 2'
""",
    "frames": f"""python -c '{COUNTS}
tally = ak.Tally(q, {{"yes": 4, "no": 6}})
assert [len(tally.to_frame(name)) for name in ("pandas", "polars", "pyarrow")] == [2, 2, 2]'
""",
    "imports": """printf '<document><LimeSurveyDocType>Group</LimeSurveyDocType></document>' >g.lss
{ askance import g.lss 2>&1 || true; } | grep -q 'whole survey'
""",
    "seal": SURVEY
    + 'askance seal-key k && sed -i "1a $(askance seal-key l)" s.toml && askance check s.toml',
    "tokens": SURVEY
    + """printf '\\n[tokens]\\nissuer = "https://i.example/"\\nkeys = "s-keys.json"\\n' >>s.toml
askance invite s.toml --count 50 --page https://exam.example.org/ --codes c.csv --cards c.html
""",
    "backup": f"""python -c '{STORE}
from pyrage import x25519
from askance_collect.collect import back_up
key = str(x25519.Identity.generate().to_public())
back_up(open_store("s.db", form), "copy", [key])
assert Path("copy").read_bytes().startswith(b"age-encryption")'
""",
    "rehearse": SURVEY + "askance rehearse s.toml --people 1",
    "opendp": f"""python -c '{COUNTS}
from opendp.mod import enable_features
enable_features("contrib", "honest-but-curious")
measure = ak.privacy.opendp_measurement(q)
assert measure.map(1) > 1'
""",
    "notebook": f"""python -c '{COUNTS}
assert ak.explore(q)'
""",
    "word": SURVEY + "askance check s.toml --summary --assessment s.docx && test -s s.docx",
    "pdf": """python -c '
import askance as ak
form = ak.Form.read(open("affairs.form.json", "rb").read())
assert ak.present.render_instrument(form).startswith(b"%PDF")'
""",
    "all": "askance demo",
}
"""What each extra is for, in an empty folder with `examples/` in it; "" is the library alone."""
UNRELATED = ("fuzz", "test")
"""Extras for those who change Askance."""


def main(wheel: Path, collector: Path) -> None:
    """Install and try all, and fail at the end if one failed."""
    pythons = list_pythons()
    names = ", ".join(pythons)
    missing = [f"3.{n}" for n in range(OLDEST, NEWEST + 1) if f"3.{n}" not in pythons]
    print(f"on Python {names}; not here: {', '.join(missing) or 'none'}")
    failed = [
        f"{extra or 'alone'} on {name}"
        for name, python in pythons.items()
        for extra in DOES
        if not works(wheel.resolve(), collector.resolve(), extra, python)
    ]
    if failed:
        raise SystemExit(f"{len(failed)} failed: {', '.join(failed)}")
    print(f"{len(DOES)} installs on each of {len(pythons)} Pythons do what they are for")


def list_pythons() -> dict[str, str]:
    """Find the Pythons of this machine that Askance is for: version and path."""
    versions = [f"3.{minor}" for minor in range(OLDEST, NEWEST + 1)]
    interpreters = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3.*"))
    available = {}
    for name in versions:
        done = _uv("python", "find", "--no-python-downloads", name)
        matching = [
            interpreter for interpreter in interpreters if interpreter.name == f"python{name}"
        ]
        if done.returncode == 0:
            available[name] = done.stdout.strip()
        elif matching:
            available[name] = str(matching[-1])
    return available


def works(wheel: Path, collector: Path, extra: str, python: str) -> bool:
    """Install one extra alone, run what it is for, and say how it went."""
    with tempfile.TemporaryDirectory() as scratch:
        room = Path(scratch)
        (room / "affairs.form.json").write_bytes((ROOT / "examples/affairs.form.json").read_bytes())
        requirement = f"askance[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
        binary = room / ".venv/bin"
        pip = ("pip", "install", "--quiet", "--python", str(binary / "python"))
        steps = (
            lambda: _uv("venv", "--quiet", "--python", python, str(binary.parent)),
            lambda: _uv(*pip, "-c", str(ROOT / "constraints.txt"), str(collector), requirement),
            lambda: _tried(DOES[extra], room, binary),
        )
        for step in steps:
            done = step()
            if done.returncode:
                print(f"{extra or 'alone'}: {python}: failed\n{done.stdout}{done.stderr}")
                return False
    print(f"{extra or 'alone'}: {python}: works", flush=True)
    return True


def extras() -> set[str]:
    """Read the names of the extras that people install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return set(project["optional-dependencies"]) - set(UNRELATED)


def _tried(script: str, room: Path, binary: Path) -> subprocess.CompletedProcess[str]:
    path = {"PATH": f"{binary}{os.pathsep}{os.environ['PATH']}"}
    return _done(["bash", "-eu", "-o", "pipefail", "-c", script], room, os.environ | path)


def _uv(*words: str) -> subprocess.CompletedProcess[str]:
    return _done([sys.executable, "-m", "uv", *words], ROOT, dict(os.environ))


def _done(
    words: list[str], where: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        words, cwd=where, env=environment, check=False, capture_output=True, text=True, timeout=600
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
