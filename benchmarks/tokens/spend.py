"""Invitations from code to report: what each step takes, and that none is forged or spent twice.

`python benchmarks/tokens/spend.py 100000` lets so many people exchange their codes and send. A
tenth try to send twice, a tenth a token that nobody signed.
"""

import argparse
import secrets
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import askance as ak
from askance_collect.collect import Outcome, accept, open_store
from askance_collect.errors import ReportRefused
from askance_collect.respond import blind, respond
from askance_collect.tokens import create_issuer, open_issuer
from askance_collect.wire import Form, Token, to_base64url

SURVEY = b"""
askance = "survey-1"
title = "Exams"
consent = "Say it or leave."
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
MANY = 250
"""So many people are one piece of work."""


def form_for(path: Path) -> Form:
    issuer = open_issuer(path)
    listed = [
        {"name": key.name, "n": to_base64url(key.modulus.to_bytes(key.length, "big"))}
        for key in issuer.public_keys
    ]
    issuer.close()
    tokens = {"issuer": "https://issuer.example/", "keys": listed}
    document = ak.publish(ak.parse_survey(SURVEY)).document
    return Form.read(document | {"askance": "form-2", "tokens": tokens})


def people(path: Path, codes: list[str]) -> tuple[list[bytes], list[bytes], Counter[str]]:
    """Let people exchange their codes: what they send, what forgers do, and the seconds of it."""
    issuer, form, spent = open_issuer(path), form_for(path), Counter[str]()
    bodies, forged = [], []
    for index, code in enumerate(codes):
        begun = time.process_time()
        waiting = blind(form)
        blinded = time.process_time()
        signature = issuer.sign(code, waiting.message)
        signed = time.process_time()
        token = waiting.token(signature)
        spent += Counter(
            blind=blinded - begun, sign=signed - blinded, unblind=time.process_time() - signed
        )
        bodies.append(respond(form, {"cheated": 0}).body(form.size) + token.text.encode())
        if index % 10 == 0:
            other = Token(0, secrets.token_bytes(32), token.signature)
            false = respond(form, {"cheated": 0}).body(form.size) + other.text.encode()
            again = respond(form, {"cheated": 1}).body(form.size) + token.text.encode()
            forged.append(false)
            bodies.append(again)
    issuer.close()
    return bodies, forged, spent


def run(number: int, workers: int, folder: Path) -> None:
    path = folder / "exam.issuer"
    issuer = create_issuer(path)
    codes = issuer.invite(number)
    issuer.close()
    form, outcomes = form_for(path), Counter[Outcome]()
    store, refused, spent = open_store(folder / "exam.db", form), 0, Counter[str]()
    pieces = [codes[index : index + MANY] for index in range(0, number, MANY)]
    with ProcessPoolExecutor(workers) as pool:
        for done, (bodies, forged, took) in enumerate(
            pool.map(people, [path] * len(pieces), pieces), start=1
        ):
            spent += took
            begun = time.process_time()
            accepted = [accept(body, form) for body in bodies]
            read = time.process_time()
            outcomes += Counter(store.append(accepted))
            spent += Counter(read=read - begun, keep=time.process_time() - read)
            for body in forged:
                try:
                    accept(body, form)
                except ReportRefused:
                    refused += 1
            print(f"\r{done * MANY:,} of {number:,}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    stored, tries = store.count(), -(-number // MANY) * -(-MANY // 10)
    store.close()
    print(f"{number:,} codes, each exchanged once and sent")
    print(f"reports kept            {stored:,}")
    print(f"spent twice             {stored - number:,} of {outcomes[Outcome.SPENT]:,} tried")
    print(f"forged and accepted     {tries - refused:,} of {tries:,} tried")
    for step in ("blind", "sign", "unblind", "read", "keep"):
        print(f"{step:10}{1000 * spent[step] / number:10.3f} ms of processor time a person")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.number % MANY:
        parser.error(f"a multiple of {MANY}")
    with tempfile.TemporaryDirectory() as folder:
        run(options.number, options.workers, Path(folder))


if __name__ == "__main__":
    main()
