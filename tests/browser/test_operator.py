"""The operator's page in a browser: with the key behind #, in both lights, for everybody."""

import pytest

from askance_collect.collect import (
    BackupPlace,
    back_up,
    check_backup,
    create_app,
    open_store,
    serving,
)

KEY = "an-operator-key-that-nobody-can-guess"


@pytest.fixture
def operated(forms, tmp_path):
    form = forms["money"]
    store = open_store(tmp_path / "survey.db", form)

    def make():
        kept_store = open_store(tmp_path / "survey.db", read_only=True)
        back_up(kept_store, tmp_path / "copy")
        kept_store.close()

    backup_place = BackupPlace(tmp_path / "copy", make)
    app = create_app(form, b"", {}, "ab" * 32, store, operator_key=KEY, backups=backup_place)
    with serving(app) as address:
        yield f"{address}operator"
    store.close()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800)])
def test_it_fits_and_keeps_nobody_out(chromium, axe, operated, width, height):
    size = {"width": width, "height": height}
    context = chromium.new_context(viewport=size, bypass_csp=True)
    page = context.new_page()
    for address in (operated, f"{operated}#{KEY}"):
        page.goto("about:blank")
        page.goto(address)
        page.locator("#room, #door").locator("visible=true").first.wait_for()
        assert axe(page)[0] == []
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
    context.close()


def test_the_key_is_kept_nowhere_and_both_buttons_work(chromium, operated, tmp_path):
    context = chromium.new_context()
    page, replies = context.new_page(), []
    page.on("console", lambda message: replies.append(message.text))
    page.on("pageerror", lambda error: replies.append(str(error)))
    page.goto(f"{operated}#{KEY}")
    page.get_by_text("Reports are taken.").wait_for()
    assert page.url == operated
    assert context.storage_state() == {"cookies": [], "origins": []}
    page.get_by_role("button", name="Back up now").click()
    page.get_by_text("The backup is made.").wait_for()
    assert check_backup(tmp_path / "copy").reports == 0
    close = page.get_by_role("button", name="Close the survey")
    page.get_by_label("To close, type close").fill("clos")
    assert close.is_disabled()
    page.get_by_label("To close, type close").fill("close")
    close.click()
    page.get_by_text("The survey is closed.").wait_for()
    assert replies == []
    page.reload()
    page.get_by_label("The operator’s key").fill("another one")
    page.get_by_role("button", name="Look", exact=True).click()
    page.get_by_text("This is not the key.").wait_for()
    page.get_by_label("The operator’s key").fill(KEY)
    page.get_by_role("button", name="Look", exact=True).click()
    page.get_by_text("No report is taken any more.").wait_for()
    context.close()
