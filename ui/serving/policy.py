"""The headers by which browsers hold to the rules as well: nothing from elsewhere, and no text becomes a script."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from pathlib import Path

import streamlit as st

# Streamlit's page, which starts with a script of its own.
PAGE = Path(st.__file__).with_name("static") / "index.html"
# Addresses that only this machine has.
LOOPBACK = {"127.0.0.1", "::1", "localhost"}
# Plotly and Arrow compile code; Streamlit loads components from texts, and sets styles.
POLICY = (
    "default-src 'self'",
    "script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval' blob: {inline}",
    "style-src 'self' 'unsafe-inline' blob:",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'{sites}",
)


def headers() -> dict[str, str]:
    """Return the headers of every answer; the sites of $NLPSIG_EMBED may show the app in a frame."""
    inline = " ".join(hashes(PAGE.read_text(encoding="utf-8")))
    sites = "".join(f" {site}" for site in os.environ.get("NLPSIG_EMBED", "").split())
    # The older header cannot name sites.
    framed_by_none = {} if sites else {"x-frame-options": "SAMEORIGIN"}
    return {
        "content-security-policy": "; ".join(POLICY).format(inline=inline, sites=sites),
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        **framed_by_none,
    }


def hashes(page: str) -> list[str]:
    """Return the scripts inside a page, as the policy names them: they may run, and no others may be inside it."""
    scripts = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digests = [hashlib.sha256(script.encode()).digest() for script in scripts]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
