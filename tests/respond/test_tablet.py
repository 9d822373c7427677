"""What lies beside the page of a survey for a tablet, and what its policy lets it do."""

import base64
import hashlib
import json
import re

import pytest

from askance_collect.respond import render_page
from askance_collect.wire import Form

LOGO = "data:image/svg+xml;base64,PHN2Zy8+"
POLICY = "content-security-policy"


@pytest.fixture(scope="module")
def carried(affairs_form):
    return Form.read(affairs_form.document | {"askance": "form-2", "tablet": True})


@pytest.fixture(scope="module")
def page(carried):
    return render_page(carried)


def manifest(form):
    return json.loads(render_page(form).companions["manifest.webmanifest"][0])


def icon(form):
    (only,) = manifest(form)["icons"]
    assert (only["sizes"], only["type"]) == ("any", "image/svg+xml")
    return base64.b64decode(only["src"].removeprefix("data:image/svg+xml;base64,")).decode()


def test_nothing_lies_beside_another_page(affairs_form):
    page = render_page(affairs_form)
    assert dict(page.companions) == {}
    assert b"manifest" not in page.bytes
    assert "worker-src" not in page.headers[POLICY]


def test_its_policy_lets_one_worker_of_its_own_run_and_no_other_script(affairs_form, page):
    before = render_page(affairs_form).headers[POLICY]
    pattern = re.compile("sha256-[^']*")
    added = "; worker-src 'self'; manifest-src 'self'; base-uri 'none'"
    wanted = before.replace("; base-uri 'none'", added)
    wanted = wanted.replace("trusted-types 'none'", "trusted-types tablet")
    assert pattern.sub("", page.headers[POLICY]) == pattern.sub("", wanted)
    assert page.bytes.count(b"createPolicy") == page.bytes.count(b"serviceWorker.register") == 1


def test_its_worker_knows_the_page_by_its_sha256_and_may_run_nothing_else(page):
    content, headers = page.companions["worker.js"]
    digest = hashlib.sha256(page.bytes).hexdigest()
    assert content.decode().count(f'"{digest}"') == 1
    assert "{page}" not in content.decode()
    assert headers[POLICY] == "default-src 'none'; connect-src 'self'"
    assert headers["content-type"].startswith("text/javascript")
    for name in ("worker.js", "manifest.webmanifest"):
        assert page.companions[name][1]["cache-control"] == "no-store, no-transform"


def test_the_same_form_has_the_same_files(carried, page):
    assert render_page(carried) == page
    with pytest.raises(TypeError):
        page.companions["other.js"] = page.companions["worker.js"]


def test_its_manifest_names_the_survey_and_its_folder(carried):
    named = Form.read(carried.document | {"title": {"en": 'Tea\n\n in "</town>"'}})
    manifest_result = manifest(named)
    assert manifest_result["name"] == 'Tea in "</town>"'
    assert {manifest_result[key] for key in ("id", "start_url", "scope")} == {"./"}
    assert (manifest_result["display"], manifest_result["lang"]) == ("standalone", "en")


def test_its_sign_has_the_study_s_colour_or_its_logo(carried):
    assert 'fill="#0b6259"' in icon(carried)
    colours = {"light": "#7a1fa2", "dark": "#d59be8"}
    coloured = Form.read(carried.document | {"look": {"colours": colours}})
    assert 'fill="#7a1fa2"' in icon(coloured)
    assert manifest(coloured)["theme_color"] == "#7a1fa2"
    logo = {"image": LOGO, "alt": {"en": "A dot"}}
    signed = icon(Form.read(carried.document | {"look": {"colours": colours, "logo": logo}}))
    assert f'href="{LOGO}"' in signed
    assert "circle" not in signed
