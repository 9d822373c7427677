"""The frame for the pages of others: one file that takes nothing and reaches nothing."""

import base64
import hashlib
import re
import subprocess
import sys
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance_collect.respond import render_frame
from askance_collect.wire import Form

SURVEY = b"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


def form_of_tea():
    return ak.publish(ak.parse_survey(SURVEY))


def policies(frame):
    """The policy in the page, and that of its header."""
    text = frame.bytes.decode()
    return re.search(r'Policy" content="([^"]+)"', text)[1], frame.headers[
        "content-security-policy"
    ]


def test_it_runs_its_own_script_alone_and_reaches_nothing():
    frame = render_frame(form_of_tea())
    text = frame.bytes.decode()
    script = re.search(r'<script type="module">(.*)</script>', text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    for policy in policies(frame):
        assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}'; style-src ")
        assert not {"connect-src", "frame-src", "unsafe-inline", "*"} & {
            *policy.split("; frame-an")[0].split()
        }
    assert policies(frame)[1].endswith("; sandbox allow-scripts; frame-ancestors *")
    assert 'addEventListener("message"' not in script


def test_it_holds_the_form_and_starts_with_its_fingerprint():
    form = form_of_tea()
    text = render_frame(form).bytes.decode()
    assert form.bytes.decode() in text
    assert text.count(f'startFrame("{form.fingerprint}");') == 1


def test_it_stands_in_the_pages_that_the_form_names():
    within = SURVEY + b'[ending]\nwithin = ["https://panel.example"]\n'
    frame = render_frame(ak.publish(ak.parse_survey(within)))
    assert policies(frame)[1].endswith("frame-ancestors https://panel.example")


def luminance(colour):
    """WCAG 2.2's relative luminance."""
    parts = (int(colour[number : number + 2], 16) / 255 for number in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(share * item for share, item in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(*colours):
    darker, lighter = sorted(map(luminance, colours))
    return (lighter + 0.05) / (darker + 0.05)


def test_every_colour_to_choose_from_can_be_read():
    """On the frame's ground, on what is raised from it, on its own tint; and words on it."""
    style = render_frame(form_of_tea()).bytes.decode()
    themes = style.split(":root{")[1:3]
    chosen = r":root\[data-accent=(\w+)\]{--accent:(#[0-9a-f]{6});--tint:(#[0-9a-f]{6})"
    matches = re.findall(chosen, style)
    assert len(matches) == 12
    assert len({name for name, _, _ in matches}) == 6
    for index, (_, accent, tint) in enumerate(matches):
        names = ("paper", "raised", "on-accent")
        others = [re.search(rf"--{item}: ?(#\w+)", themes[index % 2])[1] for item in names]
        assert min(contrast(accent, item) for item in (tint, *others)) >= 4.5


def test_what_is_published_is_the_same_bytes(tmp_path):
    survey, out = tmp_path / "tea.toml", tmp_path / "frame.html"
    survey.write_bytes(SURVEY)
    done = CliRunner().invoke(verbs, ["publish", str(survey), "--frame", str(out)])
    assert done.exit_code == 0, done.output
    frame = render_frame(Form.read((tmp_path / "tea.form.json").read_bytes()))
    assert out.read_bytes() == frame.bytes
    assert f"frame  {out}  SHA-256 {frame.sha256}" in done.output


@pytest.mark.long
def test_a_collector_serves_it(tmp_path):
    (tmp_path / "tea.toml").write_bytes(SURVEY)
    command = [sys.executable, "-m", "askance", "serve", "tea.toml", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().split()[-1]
        with urlopen(f"{address}frame") as reply:
            served, headers = reply.read(), dict(reply.headers)
        process.terminate()
    frame = render_frame(form_of_tea())
    assert served == frame.bytes
    assert frame.headers.items() <= headers.items()
