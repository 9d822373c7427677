"""A Chromium to drive a respondent's page in."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from askance_collect.errors import InputError, MissingExtra


@contextmanager
def open_chromium(path: Path | None) -> Iterator[Any]:
    """Open the browser that was given, or one on the command path; it is closed at the end.

    Raises
    ------
    MissingExtra
        If Playwright is not installed.
    InputError
        If there is no Chromium.
    """
    try:
        driver = import_module("playwright.sync_api")
    except ImportError as error:
        raise MissingExtra("playwright", "rehearse") from error
    # First the one without windows, which opens a page for half of the work.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    executable = (
        str(path) if path is not None else next(filter(None, map(shutil.which, names)), None)
    )
    if executable is None or not Path(executable).is_file():
        remedy = "install Chromium (Debian: apt-get install chromium), or say where it is"
        problem = executable or "none on the command path"
        raise InputError("browser", got=problem, allowed="a Chromium", remedy=remedy)
    with driver.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-quic"]
        opened = playwright.chromium.launch(executable_path=executable, args=flags)
        try:
            yield opened
        finally:
            opened.close()
