"""The collector under faults: short here, long by `make faults`, which prints what came of each."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import lab

BESIDE = {
    "collect/test_integrity.py": "SQLite: damage, repair, upgrade, closing interrupted",
    "collect/test_postgres.py": "PostgreSQL: damage, upgrade, sessions ended",
}
"""Tests of faults that need no machine that fails; `make faults` runs them too."""


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> lab.Tell:
    """Keep a line for the table: a fault, trials, reports acknowledged, and lost."""

    def keep(
        fault: str, trials: int, acknowledged: int, lost: int, *, control: bool = False
    ) -> None:
        line = [fault, trials, acknowledged, lost, control]
        request.node.user_properties.append(("fault", line))
        assert acknowledged > 0
        assert (lost > 0) == control

    return keep


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lab.compiled(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session", autouse=True)
def forks(library: Path) -> Iterator[None]:
    lab.Collector.forks = lab.Forks(library)
    yield
    lab.Collector.forks.end()


@pytest.fixture
def machine(library: Path, tmp_path: Path) -> lab.Machine:
    return lab.Machine(library, tmp_path / "machine")


@pytest.fixture(scope="session")
def model(cluster_tool: Any) -> Iterator[Path]:
    """A database cluster that was never started."""
    folder = Path(tempfile.mkdtemp(prefix="askance-model-"))
    cluster_tool.make(folder / "data", "--wal-segsize=1")
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def cluster(cluster_tool: Any, library: Path, model: Path) -> Iterator[lab.Cluster]:
    made_cluster = lab.Cluster(cluster_tool, library, model)
    yield made_cluster
    made_cluster.remove()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what came of each fault."""
    reports = [
        report
        for kind in ("passed", "failed")
        for report in terminalreporter.stats.get(kind, ())
        if report.when == "call"
    ]
    lines = [
        result for report in reports for name, result in report.user_properties if name == "fault"
    ]
    if not lines:
        return
    terminalreporter.section("faults")
    terminalreporter.line(f"{'fault':56}{'trials':>8}{'acknowledged':>14}{'lost':>8}  verdict")
    for fault, trials, acknowledged, lost, control in sorted(lines, key=lambda item: item[4]):
        content = (lost > 0) == control and acknowledged
        verdict = ("loses, as it must" if control else "held") if content else "FAILED"
        terminalreporter.line(f"{fault:56}{trials:8}{acknowledged:14}{lost:8}  {verdict}")
    for name, fault in BESIDE.items():
        content = [report.passed for report in reports if name in report.nodeid]
        if content:
            verdict = "held" if all(content) else "FAILED"
            terminalreporter.line(f"{fault:56}{len(content):8}{'-':>14}{'-':>8}  {verdict}")
