#!/usr/bin/env bash
# Write constraints.txt from a fresh environment: everything in the extras fuzz and release (and so in
# test) and the build, pinned; and constraints-release.txt, all hashes of what askance[all] installs.
set -euo pipefail
cd "$(dirname "$0")/.."
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
"${PYTHON:-python3}" -m venv "$room/venv"
"$room/venv/bin/pip" install --quiet -e '.[fuzz,release]' hatchling editables
{
    echo '# Exact versions of all that the tests, the fuzzers, the release and the build use, written by `make constraints`.'
    "$room/venv/bin/pip" freeze --exclude-editable --exclude askance | sort -f
} > constraints.txt
"$room/venv/bin/uv" pip compile pyproject.toml --extra all --constraint constraints.txt \
    --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet \
    --output-file constraints-release.txt
