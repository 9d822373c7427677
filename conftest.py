"""Examples show data that their channel can have sent, unless they are about misfit."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestItem

ROOT = Path(__file__).parent
ROOM = ROOT / "src/askance_collect/respond"

ABOUT_MISFIT = ("misfit", "goodness_of_fit(", "overidentification_test(")

Recorder = Callable[[], AbstractContextManager[list[str]]]


def pytest_configure(config: pytest.Config) -> None:
    """Build the parts of the page whose sources have changed; CI refuses them instead."""
    worker = hasattr(config, "workerinput") or "CI" in os.environ
    node = shutil.which("node")
    builds = {_build_of(source) for source in _page_sources()}
    if not worker and node and (None in builds or len(builds - {""}) > 1):
        subprocess.run([node, ROOT / "tools/page_parts.mjs"], check=True)  # noqa: S603  our own


def _page_sources() -> Iterator[Path]:
    for kind in ("browser/*.js", "browser/*.css", "hosted/*.js", "worker/*.js"):
        yield from ROOM.glob(kind)


def _build_of(source: Path) -> str | None:
    """Name the build of a source; nothing where it or its part has changed since."""
    part = ROOM / "built" / source.relative_to(ROOM)
    try:
        facts = json.loads(part.with_name(f"{part.name}.json").read_bytes())
        build: str = facts["build"]
        digests = {"source": source.read_bytes(), "part": build.encode() + part.read_bytes()}
    except (OSError, ValueError, KeyError):
        return None
    is_built = all(facts[key] == sha256(content).hexdigest() for key, content in digests.items())
    return build if is_built else None


@contextmanager
def recorded_misfits() -> Iterator[list[str]]:
    """List the reports that are doubted wherever something is estimated in here."""
    from askance.inference import GoodnessOfFit

    found: list[str] = []
    plain: Any = GoodnessOfFit.__init__

    def recorded(self: GoodnessOfFit, **given: Any) -> None:
        plain(self, **given)
        found.extend(self.misfit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GoodnessOfFit, "__init__", recorded)
        yield found


@pytest.fixture(scope="session")
def misfits() -> Recorder:
    """Record, in a with statement, the reports that are doubted."""
    return recorded_misfits


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close what was drawn: Matplotlib warns of many figures, and keeps them all."""
    yield
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        pyplot.close("all")


@pytest.fixture(autouse=True)
def fitting_data(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a doctest whose reports are doubted, where its text does not speak of that."""
    text = (request.node.dtest.docstring or "") if isinstance(request.node, DoctestItem) else None
    if text is None or any(word in text for word in ABOUT_MISFIT):
        yield
        return
    with recorded_misfits() as found:
        yield
    assert found == []
