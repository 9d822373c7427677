#!/usr/bin/env bash
# Write constraints.txt from a fresh environment: everything in the extra fuzz (and so in test) and the
# build, pinned; and all hashes of what askance[all] installs (constraints-release.txt), of what builds a
# release (-build) and what publishes it (-publish), and of what a kit's collector needs.
set -euo pipefail
cd "$(dirname "$0")/.."
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
"${PYTHON:-python3}" -m venv "$room/venv"
"$room/venv/bin/pip" install --quiet -e ./collector -e '.[fuzz]' hatchling editables uv
"$room/venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$room/wheels" ./collector
{
    echo '# Exact versions of all that the tests, the fuzzers, the release and the build use, written by `make constraints`.'
    "$room/venv/bin/pip" freeze --exclude-editable --exclude askance --exclude askance-collector --exclude uv | sort -f
} > constraints.txt
hashed() {
    "$room/venv/bin/uv" pip compile "${@:2}" --constraint constraints.txt --universal \
        --find-links "$room/wheels" --no-emit-package askance-collector \
        --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet --output-file "$1"
}
hashed constraints-release.txt pyproject.toml --extra all
hashed constraints-build.txt - <<<$'cyclonedx-bom\neditables\nhatchling\nuv'
hashed constraints-publish.txt - <<<$'pypi-attestations\nuv'
hashed src/askance_collect/collect/deploy/needed.txt collector/pyproject.toml --extra backup
hashed src/askance_collect/collect/deploy/signing.txt collector/pyproject.toml --extra tokens
