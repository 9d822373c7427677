"""Try what needs a notebook or a sampler: python tools/live_notebooks.py [FOLDER for screenshots].

The explorer is opened and turned in a real JupyterLab and in a real marimo, by a real Chromium; the
models of the documentation are sampled by PyMC and compared by ArviZ. All of these live in an
environment of their own, for they are heavy.
"""

import doctest
import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / "build" / "notebooks"
PACKAGES = ("jupyterlab==4.6.6", "marimo==0.25.2", "pymc==5.28.5", "arviz==0.23.4")
HOW_TO = ROOT / "docs" / "how-to"
BLOCK = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SESSION = re.compile(r"^```python\n(>>>.*?)^```$", re.MULTILINE | re.DOTALL)
OVERLAP = """(node) => [...node.querySelectorAll("dl div")].some(({ children: [name, value] }) =>
  name.getBoundingClientRect().bottom > value.getBoundingClientRect().top + 1)"""
PATIENCE = 120


def main(pictures: Path) -> None:
    """Set up the environment where it is missing, and try each."""
    python = environment()
    subprocess.run([python, __file__, "models"], check=True)  # noqa: S603  our own
    with TemporaryDirectory() as folder:
        for started in (jupyter, marimo):
            with started(python.parent, Path(folder)) as address:
                turn_it(address, started.__name__, pictures)


def environment() -> Path:
    """Install what is tried, with the versions of the tests where they have one."""
    python, listing = ENVIRONMENT / "bin" / "python", ENVIRONMENT / "installed.txt"
    if not listing.is_file() or listing.read_text("utf-8") != " ".join(PACKAGES):
        print("Installing JupyterLab, marimo, PyMC and ArviZ in build/notebooks (some minutes)")
        subprocess.run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], check=True)  # noqa: S603
        install = [python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt"]
        ours = ("-e", ROOT / "collector", "-e", f"{ROOT}[notebook]")
        subprocess.run([*install, *PACKAGES, *ours], check=True)  # noqa: S603
        listing.write_text(" ".join(PACKAGES), encoding="utf-8")
    return python


def blocks(page: str) -> dict[str, str]:
    """The blocks of a page that bear a name."""
    return dict(BLOCK.findall((HOW_TO / page).read_text("utf-8")))


@contextmanager
def jupyter(bins: Path, folder: Path) -> Iterator[str]:
    """Serve a notebook of one cell, the page's own, in JupyterLab."""
    cell = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": []}
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    source = blocks("explore-in-a-notebook.md")["explore.py"]
    notebook = {"cells": [cell | {"source": source}], "metadata": kernel}
    written = json.dumps(notebook | {"nbformat": 4, "nbformat_minor": 5})
    (folder / "explore.ipynb").write_text(written, encoding="utf-8")
    port = free_port()
    options = [
        "--no-browser",
        "--allow-root",
        "--LabApp.news_url=None",
        f"--port={port}",
        f"--ServerApp.root_dir={folder}",
    ]
    open_door = ["--IdentityProvider.token=", "--ServerApp.password="]
    with serving([bins / "jupyter-lab", *options, *open_door], f"http://127.0.0.1:{port}/lab"):
        yield f"http://127.0.0.1:{port}/lab/tree/explore.ipynb"


@contextmanager
def marimo(bins: Path, folder: Path) -> Iterator[str]:
    """Serve the same as an application of marimo, with a cell that runs when it is turned."""
    lines = blocks("explore-in-a-notebook.md")["explore.py"].splitlines()
    body = [line for line in lines if not line.startswith("turned  #")]
    cells = [
        ["import marimo as mo", *body, "shown = mo.ui.anywidget(turned)", "shown"],
        ["mo.md(f\"heard {shown.value['chances']}\")"],
    ]
    text = "import marimo\n\napp = marimo.App()\n"
    for index, cell in enumerate(cells):
        inside = "".join(f"    {line}\n" for line in cell)
        arguments = "mo, shown" if index else ""
        back = "    return mo, shown\n" if not index else "    return\n"
        text += f"\n\n@app.cell\ndef _({arguments}):\n{inside}{back}"
    (folder / "explore.py").write_text(text, encoding="utf-8")
    port = free_port()
    run = [bins / "marimo", "-q", "run", folder / "explore.py", "--headless", "--no-token"]
    with serving([*run, f"--port={port}"], f"http://127.0.0.1:{port}/"):
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def serving(command: list[Any], address: str) -> Iterator[None]:
    """Start a server, wait until it answers, and stop it."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        until = time.monotonic() + PATIENCE
        while not answers(address):
            if server.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"{Path(command[0]).name} does not answer at {address}")
            time.sleep(0.2)
        yield
    finally:
        server.terminate()
        server.wait(PATIENCE)


def answers(address: str) -> bool:
    """Say whether something is served there."""
    try:
        with urllib.request.urlopen(address, timeout=5):  # noqa: S310  loopback
            return True
    except OSError:
        return False


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def turn_it(address: str, name: str, pictures: Path) -> None:
    """Open a notebook, run it, turn a slider, and see that Python answers."""
    from playwright.sync_api import sync_playwright

    binary = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1100})
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(address)
        if name == "jupyter":
            page.locator(".jp-CodeCell .cm-content").first.click()
            page.keyboard.press("Shift+Enter")
        explorer = page.locator(".askance-explorer")
        explorer.get_by_text("327", exact=True).wait_for()
        explorer.get_by_label("a lie is sent").fill("30")
        explorer.get_by_text("65.0 %", exact=True).wait_for()
        if explorer.evaluate(OVERLAP):
            raise SystemExit(f"{name}: its own style moves ours")
        if name == "marimo":
            page.get_by_text("heard [60, 30, 10]").wait_for()
        pictures.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=pictures / f"{name}.png")
        browser.close()
    print(f"{name}: shown, turned, and answered by Python")


def models() -> None:
    """Sample each model of the pages, and hold it against what askance estimates."""
    import numpy as np
    import pymc as pm
    from scipy.stats import norm

    import askance as ak

    quietly = {"progressbar": False, "random_seed": 1, "chains": 2, "cores": 1, "draws": 500}
    named = blocks("use-pymc-and-arviz.md") | blocks("small-groups.md")

    def sampled(title: str, **more: Any) -> tuple[Any, dict[str, Any]]:
        names: dict[str, Any] = {}
        exec(compile(named[title], title, "exec"), names)  # noqa: S102  our own page
        model = next(
            model_function for name, model_function in names.items() if name.endswith("_model")
        )
        return pm.sample(model=model, **quietly, **more), names

    def near(claim: str, draws: Any, ours: float) -> None:
        mean, sd = float(draws.mean()), float(draws.std())
        sentence = f"{claim}: PyMC {mean:.4f} ± {sd:.4f}, askance {ours:.4f}"
        if abs(mean - ours) > sd / 2:
            raise SystemExit(sentence)
        print(sentence)

    trace, names = sampled("shares_by_pymc.py", idata_kwargs={"log_likelihood": True})
    q, reports, shares = names["q"], names["said"], trace.posterior["shares"].to_numpy()
    near("share of yes", shares[..., 0], ak.estimate(ak.tally(q, reports)).value[0])
    ours = ak.inference.report_log_likelihood(q, reports, shares[..., None, :])
    np.testing.assert_allclose(trace.log_likelihood["said"], ours, rtol=1e-9)
    print(f"log-likelihoods of reports by draws, {ours.shape[-1]} by {shares[..., 0].size}: equal")

    trace, names = sampled("regression_by_pymc.py")
    fit = ak.response_regression(names["said"], names["age"][:, None], names["q"])
    near("slope", trace.posterior["slope"], fit.value[1])

    trace, names = sampled("ranges_by_pymc.py")
    fit = ak.fit_family(names["seen"], norm)
    near("mean of the numbers", trace.posterior["mean"], fit.value[0])
    near("their spread", trace.posterior["sd"], fit.value[1])

    names = {}
    exec(compile(named["small_groups.py"], "small_groups.py", "exec"), names)  # noqa: S102  our own page
    q = ak.Warner(truth="4/5").channel(ak.Frame(["yes", "no"]))
    counts = {"north": (90, 110), "east": (40, 160), "south": (110, 90), "west": (60, 140)}
    groups = {name: ak.Tally(q, {"yes": yes, "no": no}) for name, (yes, no) in counts.items()}
    model = names["model_of"](ak.inference.ShareLikelihood(groups))
    trace = pm.sample(model=model, target_accept=0.95, **quietly)
    pooled = ak.inference.estimate_small_areas(groups).value[0, 0]
    near("share of yes in the north", trace.posterior["shares"][:, :, 0, 0], pooled)

    names = {}
    for session in SESSION.findall((HOW_TO / "use-pymc-and-arviz.md").read_text("utf-8"))[:1]:
        test = doctest.DocTestParser().get_doctest(session, names, "page", None, None)
        doctest.DocTestRunner().run(test, clear_globs=False)
        names |= test.globs
    exec(compile(named["compared.py"], "compared.py", "exec"), names)  # noqa: S102  our own page
    print(f"LOO {names['loo'].elpd_loo:.1f}, WAIC {names['waic'].elpd_waic:.1f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["models"]:
        models()
    else:
        main(Path(sys.argv[1]) if sys.argv[1:] else ENVIRONMENT / "pictures")
