#!/usr/bin/env bash
# Set up what `make demo` (run), `make test` (test), `make fuzz` (fuzz: test and more), `make release`
# (release: by hash, apart from the tests) or `make r` (r, which is run and R) needs; quick when it is
# there already. `system` sets up what test needs of the system alone.
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:?say run, test, fuzz, release, r or system}
python=${PYTHON:-python3}

# Python packages come pinned, the build's own included (older and newer pip each read one of these).
export PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '%s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
may_install() { [ "$(id -u)" = 0 ] && have apt-get; }

install_system() {
    say "Installing with apt-get: $*"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Debian's package for each missing part of the system.
missing_parts() {
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then echo python3-venv; fi
    if [ "$purpose" = r ]; then missing_parts_of_r; fi
    if [ "$purpose" = run ] || [ "$purpose" = r ]; then return; fi
    if ! have node; then echo nodejs; fi
    if ! have npm; then echo npm; fi
    if [ "$purpose" = release ]; then return; fi
    if ! have chromium-headless-shell && ! have chromium; then
        echo chromium-headless-shell fonts-dejavu-core
    fi
    if ! have firefox-esr && ! have firefox; then echo firefox-esr; fi
    if ! have initdb && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
        echo postgresql
    fi
    # The browser's driver wants libatomic.
    if [[ $OSTYPE == linux* ]] && ! compgen -G '/usr/lib*/libatomic.so.1' >/dev/null \
        && ! compgen -G '/usr/lib/*/libatomic.so.1' >/dev/null; then
        echo libatomic1
    fi
    # The documented proxy is run as it stands, with a certificate.
    if ! have nginx && [ ! -x /usr/sbin/nginx ]; then echo nginx-light; fi
    if ! have openssl; then echo openssl; fi
    # So are the kit's other files: the other proxy, and the unit with its socket.
    if ! have caddy; then echo caddy; fi
    if [[ $OSTYPE == linux* ]] && ! have systemd-socket-activate; then echo systemd; fi
    # The disk that fails on purpose is compiled.
    if ! have gcc; then echo gcc libc6-dev; fi
    # A cluster of two workers counts reports.
    if ! have java; then echo default-jre-headless; fi
}

missing_parts_of_r() {
    if ! have R || ! have Rscript; then echo r-base-core; fi
    local package
    for package in generics jsonlite processx testthat; do
        if ! have Rscript || ! Rscript -e "loadNamespace('$package')" >/dev/null 2>&1; then
            echo "r-cran-$package"
        fi
    done
}

system_parts() {
    if ! have "$python"; then
        say "Askance needs Python 3.11 or later; install it (Debian: python3) and try again."
        exit 1
    fi
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        say "Askance needs Python 3.11 or later; $python is $("$python" -V)."
        say "If another one is installed, name it: make $purpose PYTHON=python3.12"
        exit 1
    fi
    local parts
    parts=$(missing_parts | tr '\n' ' ')
    # shellcheck disable=SC2086  # a list of words
    if [ -n "$parts" ] && may_install; then install_system $parts; fi
    parts=$(missing_parts | tr '\n' ' ')
    if [ -n "$parts" ]; then
        say "Missing on this machine: $parts"
        say "Install them, then try again. On Debian and Ubuntu:"
        say "    sudo apt-get update && sudo apt-get install $parts"
        exit 1
    fi
}

python_packages() {
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        say "Making a virtual environment in .venv"
        "$python" -m venv --clear .venv
    fi
    if [ "$purpose" = release ]; then
        hashed_packages
        return
    fi
    local extra=all
    if [ "$purpose" != run ] && [ "$purpose" != r ]; then extra=$purpose; fi
    say "Installing Askance with the extra [$extra] (a minute or two the first time)"
    if [ "$extra" = all ]; then
        pip_install -e ./collector -e .[all]
    else
        # First what is pinned, what builds Askance among it; then pip sees to it that nothing is missing.
        pinned_packages
        pip_install --no-build-isolation -e ./collector -e ".[$extra]"
    fi
}

# What is imported is compiled when it first is; most of what is installed never is.
pip_install() { .venv/bin/python -m pip install --quiet --no-compile -c constraints.txt "$@"; }

# Nobody need search for versions of what is pinned, so two can install it beside each other. Spark
# comes as source: pip makes a package of it on its way, and takes half as long if it compresses none.
pinned_packages() {
    local spark='^(py4j|pyspark)=' others='^atheris='
    printf '[bdist_wheel]\ncompression = stored\n' >.venv/stored.cfg
    DIST_EXTRA_CONFIG=.venv/stored.cfg pip_install --no-deps -r <(grep -E "$spark" constraints.txt) &
    local spark_installed=$!
    pip_install --no-deps -r <(grep -vE "^#|$spark|$others" constraints.txt)
    wait "$spark_installed"
}

# What is released is built by nothing else than this: no test runs where it is made.
hashed_packages() {
    local file
    for file in constraints-build.txt constraints-release.txt; do
        env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT .venv/bin/python -m pip install --quiet \
            --no-deps --only-binary=:all: --require-hashes -r "$file"
    done
    pip_install --no-deps --no-build-isolation -e ./collector -e .
}

node_packages() {
    if [ "$purpose" != run ] && [ "$purpose" != r ] && [ -f package-lock.json ]; then
        if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
            say "Installing what the tests of the page and the npm package need (npm ci)"
            npm ci --no-audit --no-fund --ignore-scripts --silent
        fi
    fi
}

system_parts
if [ "$purpose" = system ]; then exit; fi
node_packages &
nodes=$!
python_packages
wait "$nodes"
touch ".venv/ready-for-$purpose" .venv/ready-for-run
if [ "$purpose" = fuzz ]; then touch .venv/ready-for-test; fi
