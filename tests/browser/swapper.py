"""An operator who serves one person something else than what was published.

Each answer that is not the published page carries a canary: if any of it runs, it calls home.
"""

import gzip
import http.server
import itertools
import random
import threading
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field

CALLS = (
    "new Image().src='{home}canary?image';"
    "try{{navigator.sendBeacon('{home}canary?beacon')}}catch{{}};"
    "fetch('{home}canary?fetch',{{mode:'no-cors'}}).catch(()=>location.replace('{home}canary?left'));"
    "document.title='canary';"
)
SCRIPT = b'<script type="module">'


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What the operator sends to one request."""

    kind: str
    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None


def swaps(page, other, home, number, seed=20):
    """Make that many answers, no two alike, none of them the page; every kind comes in turn."""
    dice, observed = random.Random(seed), {page}
    turn = itertools.cycle(KINDS)
    created = []
    while len(created) < number:
        kind = next(turn)
        answer = KINDS[kind](page, other, canary(home, len(observed)), home, dice)
        if (answer.body, answer.status, str(answer.headers)) in observed or answer.body == page:
            continue
        observed.add((answer.body, answer.status, str(answer.headers)))
        created.append(answer)
    return created


def canary(home, index):
    return f"/*{index}*/{CALLS.format(home=home)}".encode()


def _changed(page, dice):
    number = dice.randrange(len(page))
    return page[:number] + bytes([page[number] ^ (1 << dice.randrange(8))]) + page[number + 1 :]


def _one_byte(page, _other, _canary, _home, dice):
    return Answer(kind="one bit", body=_changed(page, dice))


def _byte_more(page, _other, _canary, _home, dice):
    number = dice.randrange(len(page) + 1)
    return Answer(
        kind="a byte more", body=page[:number] + bytes([dice.randrange(256)]) + page[number:]
    )


def _byte_less(page, _other, _canary, _home, dice):
    number = dice.randrange(len(page))
    return Answer(kind="a byte less", body=page[:number] + page[number + 1 :])


def _script(page, _other, canary, _home, _dice):
    head, _, _ = page.partition(SCRIPT)
    body = head + SCRIPT + canary + b"</script></body></html>\n"
    return Answer(kind="another script", body=body)


def _free_script(page, _other, canary, _home, _dice):
    """As `_script`, and without the policy that would keep it from running."""
    head, _, rest = page.partition(b"<meta http-equiv")
    head += rest.partition(b"\n")[2].partition(SCRIPT)[0]
    return Answer(kind="no policy", body=head + SCRIPT + canary + b"</script></body></html>\n")


def _before(page, _other, canary, _home, _dice):
    return Answer(kind="a script before", body=b"<script>" + canary + b"</script>" + page)


def _behind(page, _other, canary, _home, _dice):
    return Answer(kind="a script behind", body=page + b"<script>" + canary + b"</script>")


def _handler(page, _other, canary, _home, dice):
    tag = dice.choice([b"<body onload=", b"<body><img src=x onerror=", b"<body><svg onload="])
    body = page.replace(b"<body>", tag + b'"' + canary.replace(b'"', b"'") + b'">', 1)
    return Answer(kind="a handler", body=body)


def _refresh(page, _other, _canary, home, dice):
    text = f'<meta http-equiv="refresh" content="0;url={home}canary?{dice.random()}">'
    return Answer(kind="a refresh", body=page.replace(b"<head>", b"<head>" + text.encode(), 1))


def _other_form(_page, other, _canary, _home, dice):
    return Answer(kind="another form", body=other + b"\n" * dice.randrange(1, 9999))


def _truncated(page, _other, _canary, _home, dice):
    return Answer(kind="truncated", body=page[: dice.randrange(len(page))])


def _cut_off(page, _other, canary, _home, _dice):
    body = b"<script>" + canary + b"</script>" + page
    return Answer(kind="cut off", body=body, length=len(body) + 1)


def _gzipped(page, other, canary, home, dice):
    body = gzip.compress(_script(page, other, canary, home, dice).body, 1, mtime=0)
    return Answer(kind="gzip", body=body, headers={"content-encoding": "gzip"})


def _members(page, _other, canary, _home, _dice):
    parts = b"<script>" + canary + b"</script>", page
    body = b"".join(gzip.compress(part, 1, mtime=0) for part in parts)
    return Answer(kind="two members", body=body, headers={"content-encoding": "gzip"})


def _bomb(page, _other, canary, _home, _dice):
    body = zlib.compress(b"<script>" + canary + b"</script>" + page + bytes(2_000_000), 9)
    return Answer(kind="a bomb", body=body, headers={"content-encoding": "deflate"})


def _redirect(_page, _other, _canary, home, dice):
    status, to = dice.choice([301, 302, 303, 307, 308]), f"{home}swapped?{dice.random()}"
    return Answer(kind="redirect", body=b"", status=status, headers={"location": to})


def _status(page, other, canary, home, dice):
    body = _script(page, other, canary, home, dice).body
    return Answer(kind="status", body=body, status=dice.choice([203, 400, 404, 500, 503]))


def _type(page, other, canary, home, dice):
    kinds = "text/javascript", "image/svg+xml", "multipart/x-mixed-replace;boundary=x", "text/xml"
    headers = {
        "content-type": dice.choice([*kinds, "text/html;charset=utf-7", "text/html;charset=x"])
    }
    body = _free_script(page, other, canary, home, dice).body
    return Answer(kind="content type", body=body, headers=headers)


def _headers(page, other, canary, home, dice):
    headers = dice.choice(
        [
            {"refresh": f"0;url={home}canary?refreshed"},
            {"link": f"<{home}canary>;rel=preload;as=script"},
            {"content-security-policy": "script-src * 'unsafe-inline'"},
            {"content-disposition": "attachment"},
            {"set-cookie": "swapped=1"},
        ]
    )
    return Answer(
        kind="headers", body=_before(page, other, canary, home, dice).body, headers=headers
    )


def _spelt(page, _other, canary, _home, dice):
    choices = dice.choice(["utf-16", "utf-16-be", "utf-8-sig"])
    body = (b"<script>" + canary + b"</script>" + page).decode().encode(choices)
    return Answer(kind="another spelling", body=body)


KINDS = {
    item.__name__: item
    for item in (
        *(_one_byte, _byte_more, _byte_less, _script, _free_script, _before, _behind, _handler),
        *(_refresh, _other_form, _truncated, _cut_off, _gzipped, _members, _bomb, _redirect),
        *(_status, _type, _headers, _spelt),
    )
}


class Operator:
    """Serves what was published until told otherwise; notes each call of a canary."""

    def __init__(self, published):
        self.published, self.answers = published, {}
        self.calls, self.asked = [], []

    def answer(self, path):
        """Give what is sent for a path: what is set for it, or what is published."""
        self.asked.append(path)
        position = path.partition("?")[0]
        value = self.answers.get(position)
        if callable(value):
            value = value()
        return value or self.published.get(position)


@contextmanager
def operating(published):
    """Run an operator's server: published by path, each an `Answer`."""
    operator = Operator(published)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.path.startswith("/canary"):
                operator.calls.append(self.path)
            result = operator.answer(self.path) or Answer(kind="none", body=b"", status=404)
            self.send_response(result.status)
            standard = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store"}
            output = {**standard, "access-control-allow-origin": "*", **result.headers}
            length = len(result.body) if result.length is None else result.length
            for name, value in {**output, "content-length": str(length)}.items():
                self.send_header(name, value)
            if result.length is not None:
                self.close_connection = True
            self.end_headers()
            try:
                self.wfile.write(result.body)
            except OSError:
                self.close_connection = True  # whoever asked has heard enough

        do_POST = do_GET

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        operator.home = f"http://127.0.0.1:{server.server_port}/"
        try:
            yield operator
        finally:
            server.shutdown()
            thread.join()
