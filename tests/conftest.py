"""Fixtures and settings that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run in CI, new ones at each run on a desk; no database is left behind.
settings.register_profile(
    "nlpsig",
    deadline=None,
    database=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("nlpsig")


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of counts for every test: no test reads what an earlier one or a person left."""
    directory = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("NLPSIG_CACHE", str(directory))
    return directory


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real system outputs, $NLPSIG_REAL_DATA; skipped without it, but never in CI."""
    folder = os.environ.get("NLPSIG_REAL_DATA")
    if not folder and os.environ.get("CI"):
        pytest.fail("CI is set but NLPSIG_REAL_DATA is not: the tests on real outputs must run in CI")
    if not folder:
        pytest.skip("NLPSIG_REAL_DATA is not set: it names the folder of real system outputs")
    return Path(folder)
