"""Count the files in which four verbs run once everything is loaded; ``--list`` names them."""

import os
import sys
import tempfile
from pathlib import Path
from types import FrameType

from click.testing import CliRunner

from askance.cli import verbs

ROOT = Path(__file__).parents[1]
HOMES = tuple(
    f"{Path(str(sys.modules[name].__file__)).parent}{os.sep}"
    for name in ("askance", "askance_collect")
    if name in sys.modules
)
SHARED = {"arguments.py", "errors.py", "lazy.py", "results.py", "typing.py"}
AFFAIRS = ROOT / "examples" / "affairs.toml"


def list_calls(folder: Path) -> dict[str, list[str]]:
    """Each verb by its name, as it is typed; what it writes or reads lies in the folder."""
    table = folder / "reports.csv"
    table.write_text("affair\n" + "yes\nno\ndon't know\n" * 40, encoding="utf-8")
    survey = folder / AFFAIRS.name
    survey.write_bytes(AFFAIRS.read_bytes())
    return {
        "publish": ["publish", str(survey)],
        "check": ["check", str(AFFAIRS)],
        "plan": ["plan", str(AFFAIRS)],
        "estimate of a CSV": [
            "estimate",
            "--mechanism",
            "abstain:truth=3/5,lie=1/10",
            str(table),
            "--column",
            "affair",
        ],
    }


def trace_files(arguments: list[str]) -> list[str]:
    """List the files, in order of the first call into each, in which a verb runs once loaded."""
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(HOMES) and frame.f_code.co_name != "<module>":
            entered.append(path)

    for profile in (None, note):
        sys.setprofile(profile)
        try:
            outcome = CliRunner().invoke(verbs, arguments, catch_exceptions=False)
        finally:
            sys.setprofile(None)
        assert outcome.exit_code == 0, outcome.output
    src = f"{ROOT / 'src'}{os.sep}"
    names = [path.removeprefix(src) for path in dict.fromkeys(entered)]
    return [name for name in names if Path(name).name not in SHARED]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for verb, arguments in list_calls(Path(folder)).items():
            files = trace_files(arguments)
            print(f"{verb}: {len(files)} files")
            if "--list" in sys.argv:
                print("\n".join(f"    {name}" for name in files))
