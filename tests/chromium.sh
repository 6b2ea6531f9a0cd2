#!/bin/sh
# Get a Chromium for the browser tests where none is found: Debian's as root, else Playwright's own.
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null && exit 0
fi
.venv/bin/playwright install chromium
