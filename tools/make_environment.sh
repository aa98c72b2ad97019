#!/usr/bin/env bash
# Make .venv with the pinned requirements and this package, editable.
set -euo pipefail
cd "$(dirname "$0")/.."

modern() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

python=""
for candidate in "${PYTHON3:-}" python3.11 python3.12 python3.13 python3 python; do
    if [ -n "$candidate" ] && modern "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "Reenact needs Python 3.11 or newer, and none was found as python3.11 … python3." >&2
    echo "Install it (Debian, Ubuntu: apt install python3.11 python3.11-venv), or name it: make PYTHON3=/path/to/python3.11" >&2
    exit 1
fi

if ! modern .venv/bin/python; then
    echo "Making .venv with $("$python" --version) …"
    rm -rf .venv
    if ! "$python" -m venv .venv; then
        rm -rf .venv
        echo "$python cannot make virtual environments (Debian, Ubuntu: apt install python3-venv)." >&2
        exit 1
    fi
fi
echo "Installing requirements into .venv …"
.venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
touch .venv/.ready
