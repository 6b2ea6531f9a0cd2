"""What a server is made of: locked requirements, the container's recipe, the audit, and the versions of Python.

``test_release`` has what a Space and a release are made of.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from deploy import audit
from nlpsig_core.output.commands.cli import main
from nlpsig_core.output.commands.serving import APP
from tests import versions

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def steps(name: str) -> list[str]:
    """The arguments of all instructions of that name in the last stage of the Dockerfile."""
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    return re.findall(rf"^{name} (.*)$", last, re.MULTILINE)


def locked(name: str = "requirements.lock") -> list[tuple[Requirement, list[str]]]:
    """The requirements of a lock with their hashes."""
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split(" --hash=") for line in text.splitlines() if not line.startswith("#")]
    return [(Requirement(line), hashes) for line, *hashes in lines]


@pytest.mark.parametrize("python", versions.versions())
def test_the_lock_has_a_version_inside_the_range_of_every_requirement(python):
    """For each supported Python; a new requirement, or a new range, asks for ``make lock``."""
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    here = [one for one, _ in locked() if one.marker is None or one.marker.evaluate(environment)]
    pinned = {canonicalize_name(one.name): Version(str(one.specifier).removeprefix("==")) for one in here}
    listed = [Requirement(line) for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["app"]]
    wanted = [one for one in listed if one.marker is None or one.marker.evaluate(environment)]
    missing = [str(one) for one in wanted if pinned.get(canonicalize_name(one.name)) not in one.specifier]
    assert not missing, "run `make lock`"


@pytest.mark.parametrize("name", ["requirements.lock", "build.lock"])
def test_everything_that_is_locked_has_hashes(name):
    for requirement, hashes in locked(name):
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", one) for one in hashes), requirement


def test_the_container_holds_the_wheel_and_nothing_of_the_checkout():
    assert steps("COPY") == ["--from=build /opt/nlpsig /opt/nlpsig"]
    copied = re.findall(r"^COPY (.*) /\S+$", DOCKERFILE.rpartition("\nFROM ")[0], re.MULTILINE)
    assert copied == ["deploy/build.lock deploy/requirements.lock", "dist/*.whl"]
    ignored = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    assert ignored == ["*", "!deploy/*.lock", "!dist/*.whl"]
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\nimage: wheel\n" in recipe
    assert "--out-dir dist\n" in recipe


def test_the_container_runs_as_a_plain_user_is_watched_and_installs_by_hashes_alone():
    (user,), (health,) = steps("USER"), steps("HEALTHCHECK")
    assert int(user) > 0
    assert "/_stcore/health" in health
    assert user in DOCKERFILE.partition("useradd")[2]
    (environment,) = steps("ENV")
    assert [value for value in shlex.split(environment) if "=/" in value and "=/tmp" not in value] == []
    build = DOCKERFILE.rpartition("\nFROM ")[0]
    installs = [line for line in build.split("&&") if "pip install" in line]
    assert installs
    assert all("--require-hashes" in line or "--no-index --no-deps /wheels/*.whl" in line for line in installs)
    assert "pip uninstall --yes setuptools pip" in build


def test_the_container_serves_the_public_app(monkeypatch):
    lines: list[list[str]] = []
    monkeypatch.setattr(runpy, "run_module", lambda module, run_name: lines.append(sys.argv))
    monkeypatch.setattr(sys, "argv", ["nlpsig"])
    for name in ("NLPSIG_FOLDERS", "NLPSIG_WORKSPACE"):
        monkeypatch.setenv(name, "")
    (entry,) = steps("ENTRYPOINT")
    command, *arguments = json.loads(entry)
    assert command == "/opt/nlpsig/bin/nlpsig"
    monkeypatch.setenv("PORT", "10000")
    assert main(arguments) == 0
    assert lines[0][2] == str(APP)
    assert "--server.address=0.0.0.0" in lines[0]
    assert f"--server.port={steps('EXPOSE')[0]}" in lines[0]
    assert "--server.enableXsrfProtection=true" in lines[0]


def test_make_run_opens_folders_below_the_home_alone(tmp_path):
    """Also for root: a folder of the machine that holds passwords is not a task."""
    (tmp_path / "python").write_text('#!/bin/sh\necho "$NLPSIG_FOLDERS" "$NLPSIG_WORKSPACE"\n')
    (tmp_path / "python").chmod(0o700)
    command = ["make", "--silent", "--old-file=.venv/app", f"BIN={tmp_path}", "run"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/home/of/someone"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["/home/of/someone", "/home/of/someone/.local/share/nlpsig"]


def audited(tmp_path: Path, packages: list[dict] | None, error: str = "") -> int:
    """Audit with a command in place of pip-audit, which prints a report on packages, or nothing, and an error."""
    text = "" if packages is None else json.dumps({"dependencies": packages})
    script = tmp_path / "audit.py"
    script.write_text(f"import sys\nprint({text!r})\nprint({error!r}, file=sys.stderr)\n")
    return audit.audit([sys.executable, str(script)])


def test_an_audit_lists_what_it_finds(tmp_path, capsys):
    clean = [{"name": "a", "version": "1", "vulns": []}, {"name": "b", "version": "2", "vulns": []}]
    assert audited(tmp_path, clean) == audit.CLEAN
    assert capsys.readouterr().out == "No vulnerability is known of 2 packages.\n"
    faults = [{"id": "CVE-1", "fix_versions": ["1.1"]}, {"id": "CVE-2", "fix_versions": []}]
    unknown = {"name": "b", "skip_reason": "not found"}
    assert audited(tmp_path, [{"name": "a", "version": "1", "vulns": faults}, unknown]) == audit.FOUND
    out, err = capsys.readouterr()
    assert out == "a 1: CVE-1, mended in 1.1\na 1: CVE-2, mended in no version yet\n"
    assert "did not answer for 1 of 2 packages: b" in err


@pytest.mark.parametrize(
    ("packages", "error", "reason"),
    [
        (None, "Traceback\nConnectionError: no route", "cannot be reached: ConnectionError: no route"),
        (None, "", "cannot be reached: pip-audit printed nothing"),
        ([{"name": "a", "skip_reason": "not found"}], "", "did not answer for 1 of 1 packages: a"),
    ],
)
def test_an_audit_without_its_database_is_no_clean_one(tmp_path, capsys, packages, error, reason):
    """Its exit code differs from both others, and there is one line, no traceback."""
    assert audited(tmp_path, packages, error) == audit.UNKNOWN
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert reason in err


def test_versions_that_are_here_are_tested_and_others_named(monkeypatch, capsys):
    monkeypatch.setattr(versions, "interpreter", lambda version: None if version == "3.13" else Path("python"))
    monkeypatch.setattr(versions, "run", lambda version, arguments: 5 if version == "3.12" else 0)
    assert versions.main(["-x"]) == 5
    printed = capsys.readouterr().out
    results = ("3.11: passed", "3.12: exit code 5", "3.13: not found here", "3.14: passed")
    assert printed == "".join(f"Python {result}\n" for result in results)
    monkeypatch.setattr(versions, "interpreter", lambda version: None)
    assert versions.main([]) == versions.NONE_FOUND
    assert PROJECT["requires-python"] == f">={versions.versions()[0]}"


def test_every_answer_to_a_threat_names_a_test_that_exists():
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line for line in text.partition("## Threats")[2].splitlines() if line.startswith("| ")][1:]
    for line in rows:
        named = re.findall(r"`(tests/\S+)::(test_\w+)`", line)
        assert named, line
        for path, name in named:
            assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), name
