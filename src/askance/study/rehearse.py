"""Send people's reports to a collector over HTTP, one person at a time, as their devices would."""

from collections.abc import Callable, Iterable, Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from askance.errors import ReportRefused
from askance.respond.encode import respond
from askance.wire.form import Form


def fetch(url: str) -> bytes:
    """Get a document from a collector.

    Raises
    ------
    ReportRefused
        If it does not answer with the document.
    """
    connection = _connect(url)
    try:
        connection.request("GET", urlsplit(url).path or "/")
        reply = connection.getresponse()
        body = reply.read()
    except (OSError, HTTPException) as error:
        raise ReportRefused("unreachable", url, allowed="a collector that answers") from error
    finally:
        connection.close()
    if reply.status != 200:
        raise ReportRefused("unreachable", url, allowed="a collector that answers")
    return body


def send_all(
    url: str,
    form: Form,
    people: Iterable[Mapping[str, Any]],
    sent: Callable[[], None] = lambda: None,
) -> int:
    """Privatise each person's answers with fresh random bits and post the report.

    Parameters
    ----------
    url : str
        The collector's folder, ending in a slash.
    form : Form
    people : iterable of mappings
        Answers as `askance.respond.encode.respond` takes them.
    sent : callable
        Called after each acknowledgement, for a progress bar.

    Returns
    -------
    int
        How many reports were acknowledged.

    Raises
    ------
    ReportRefused
        If the collector does not acknowledge a report.
    """
    connection = _connect(url)
    path = f"{urlsplit(url).path.rstrip('/')}/report"
    acknowledged = 0
    try:
        for answers in people:
            body = respond(form, answers).body(form.size)
            connection.request("POST", path, body, {"content-type": "text/plain"})
            reply = connection.getresponse()
            reply.read()
            if reply.status != 201:
                raise ReportRefused("refused", f"{url}report", allowed="status 201")
            acknowledged += 1
            sent()
    except (OSError, HTTPException) as error:
        raise ReportRefused("unreachable", url, allowed="a collector that answers") from error
    finally:
        connection.close()
    return acknowledged


def _connect(url: str) -> HTTPConnection:
    parts = urlsplit(url)
    return HTTPConnection(parts.hostname or "", parts.port, timeout=30)
