"""The page in a second engine: Debian's Firefox, driven by WebDriver BiDi."""

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from askance.survey import load_survey, publish

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
AXE = ROOT / "node_modules/axe-core/axe.min.js"


@pytest.fixture(scope="module")
def take():
    """Take a survey in Firefox; say what was seen, shown and sent."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    assert firefox, "Firefox is not installed (Debian: firefox-esr): the page cannot be tested"
    node = shutil.which("node")
    assert node

    def done(url, language):
        command = [node, HERE / "firefox.mjs", firefox, AXE, url, language]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    return done


@pytest.mark.parametrize(
    ("example", "language"), [("affairs", "en"), ("income", "de"), ("student-life", "en")]
)
def test_firefox_sends_what_it_shows_and_keeps_nothing(collect, take, example, language):
    form = publish(load_survey(ROOT / f"examples/{example}.toml"))
    collector = collect(form)
    told = take(collector.url, language)
    body = told["shown"].encode()
    assert told["posts"] == 1
    assert len(body) == form.size
    assert told["receipt"][:2] == [json.loads(body)["id"], sha256(body).hexdigest()]
    assert collector.reports() == [json.loads(told["shown"])["answers"]]
    assert [told["strangers"], told["said"]] == [[], []]
    assert "answers" not in json.dumps(told["kept"])
    assert [one for one in told["screens"] if one["broken"] or one["wide"]] == []
    assert min(one["passes"] for one in told["screens"]) > 5
    titles = {" ".join(one["title"].split()) for one in told["screens"]}
    asked = {" ".join(one.text[language].split()) for one in form.questions}
    assert len(asked & titles) >= len(asked) - len(form.skips)
