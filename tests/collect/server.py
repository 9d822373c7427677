"""A real collector in a process of its own: form, store and then the address on the first line."""

import sys
from functools import partial
from pathlib import Path

from askance_collect.collect import create_app, open_store, serve
from askance_collect.wire import Form

if __name__ == "__main__":
    form = Form.read(Path(sys.argv[1]).read_bytes())
    store = open_store(sys.argv[2], form)
    app = create_app(form, b"<!doctype html>", {}, "ab" * 32, store)
    serve(lambda: (app, store.check), partial(print, flush=True))
    store.close()
    sys.stdout.write("stopped\n")
