#!/usr/bin/env bash
# Install Chromium and off-screen OpenGL where they are missing and this user may; never fails the build.
set -uo pipefail

missing=()
if ! command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null; then missing+=(chromium); fi
if ! ldconfig -p 2>/dev/null | grep -q 'libEGL\.so\.1'; then missing+=(libegl1); fi
if ! ldconfig -p 2>/dev/null | grep -q 'libGL\.so\.1'; then missing+=(libgl1); fi
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing ${missing[*]} for the tests of rendering and of the browser page …"
    export DEBIAN_FRONTEND=noninteractive
    if { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1; then exit 0; fi
fi
echo "Not installed: ${missing[*]}. Tests that need them are skipped." >&2
exit 0
