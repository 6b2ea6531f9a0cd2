"""The action for GitHub: the documented workflow runs, step by step, with the command of this checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from nlpsig_core.base.version import __version__
from tests.builders import conllu, write
from tests.project.documents import BLOCK, PAGES, ROOT, text_of

ACTION = yaml.safe_load(text_of(ROOT / "action.yml"))
(WORKFLOW,) = (yaml.safe_load(body) for language, body in BLOCK.findall(PAGES["gate.md"]) if language == "yaml")
STEPS = WORKFLOW["jobs"]["gate"]["steps"]
OWN = "OWNER/nlpsig@COMMIT"
RIGHT, WRONG = "a/0/root b/1/obj", "a/0/root b/1/obl"
N = 60
COMMAND = f'PYTHONPATH={ROOT} exec {sys.executable} -m nlpsig_core "$@" --resamples 2000'
# What the workflow runs before the gate; the outputs of a change are what it prints.
PARSER = "import pathlib, sys\nprint(pathlib.Path(sys.argv[1]).read_text(), end='')\n"


def parses(wrong: int) -> str:
    return conllu(*[WRONG] * wrong, *[RIGHT] * (N - wrong))


def filled(text: str, values: dict[str, str]) -> str:
    """An expression of GitHub's, filled in: ``${{ a.b }}`` or ``${{ a.b || 'c' }}``."""
    return re.sub(
        r"\$\{\{ ([\w.-]+)(?: \|\| '([^']*)')? \}\}", lambda found: values.get(found[1], "") or found[2] or "", text
    )


class Runner:
    """Runs steps as GitHub's runner does: in bash that stops at a failure, with files for outputs and summary."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, ""
        (folder / "bin").mkdir()
        for name in ("python", "python3"):
            (folder / "bin" / name).symlink_to(sys.executable)
        self.command = folder / "bin" / "nlpsig"
        self.command.write_text(f"#!/bin/sh\n{COMMAND}\n")
        self.command.chmod(0o700)
        self.files = {"GITHUB_STEP_SUMMARY": folder / "summary.md", "GITHUB_OUTPUT": folder / "outputs"}

    def run(self, script: str, variables: dict[str, str] | None = None) -> int:
        files = {name: str(path) for name, path in self.files.items()} | {"RUNNER_TEMP": str(self.folder)}
        path = f"{self.folder / 'bin'}:/usr/bin:/bin"
        known = {"PATH": path, "NLPSIG_CACHE": os.environ["NLPSIG_CACHE"]} | files | (variables or {})
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        done = subprocess.run(command, cwd=self.folder, env=known, capture_output=True, text=True, check=False)
        self.log += done.stdout + done.stderr
        return done.returncode

    @property
    def outputs(self) -> dict[str, str]:
        path = self.files["GITHUB_OUTPUT"]
        return dict(line.split("=", 1) for line in path.read_text().splitlines()) if path.exists() else {}

    def act(self, given: dict[str, str]) -> int:
        """Run the action; what it installs is here already."""
        usual = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
        inputs = {f"inputs.{name}": value for name, value in (usual | given).items()}
        assert set(given) <= set(usual)
        *install, decide = ACTION["runs"]["steps"]
        assert all(step["if"] == "${{ inputs.install != '' }}" for step in install)
        return self.run(decide["run"], {name: filled(value, inputs) for name, value in decide["env"].items()})


@pytest.fixture
def runner(tmp_path):
    if not shutil.which("bash"):
        pytest.skip("bash is not here")
    write(tmp_path / "evaluation", {"gold.conllu": parses(0), "systems/release.conllu": parses(5)})
    (tmp_path / "parse.py").write_text(PARSER)
    return Runner(tmp_path)


@pytest.mark.parametrize(
    ("wrong", "code", "outcome"), [(5, 0, "not worse"), (2, 0, "undecided"), (25, 3, "worse"), (None, 2, "")]
)
def test_the_documented_workflow_runs(runner, wrong, code, outcome):
    """An empty output is invalid: the step fails, and there is no outcome."""
    (runner.folder / "evaluation" / "input.txt").write_text("" if wrong is None else parses(wrong))
    codes = []
    for step in STEPS:
        if "run" in step:
            outputs = {f"steps.gate.outputs.{name}": value for name, value in runner.outputs.items()}
            assert runner.run(filled(step["run"], outputs)) == 0
        elif step["uses"] == OWN:
            codes.append(runner.act(step["with"]))
    assert codes == [code], runner.log
    assert runner.outputs["outcome"] == outcome
    assert f"The change is {outcome or 'not decided on'}." in runner.log
    if outcome:
        assert f"{outcome.capitalize()}: change against release" in runner.files["GITHUB_STEP_SUMMARY"].read_text()
        (suite,) = ElementTree.parse(runner.folder / "nlpsig-gate.xml").getroot()
        assert [test.get("classname") for test in suite] == ["evaluation.LAS"]
        assert suite.get("failures") == str(int(outcome == "worse"))
        assert f'"outcome": "{outcome}"' in Path(runner.outputs["json"]).read_text()
    else:
        assert "nlpsig: The candidate change has no valid output" in runner.log
        assert ElementTree.parse(runner.folder / "nlpsig-gate.xml").getroot().get("errors") == "1"


def given(**more: str) -> dict[str, str]:
    return {"task": "evaluation", "baseline": "release", "candidate": "change", **more}


@pytest.mark.parametrize(("strict", "code"), [("true", 3), ("false", 0), ("yes", 2)])
def test_strict_makes_undecided_fail(runner, strict, code):
    (runner.folder / "evaluation" / "systems" / "change.conllu").write_text(parses(2))
    assert runner.act(given(strict=strict)) == code
    assert runner.outputs.get("outcome", "") == ("" if code == 2 else "undecided")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (" --metric 'LAS' \"UAS\"\n --within 50 ", ["--metric", "LAS", "UAS", "--within", "50"]),
        (" \n ", []),
        (
            "--metric $(touch here) `touch here` ; touch here",
            "--metric $(touch here) `touch here` ; touch here".split(),
        ),
        ("--test-sets 'two words' * -n", ["--test-sets", "two words", "*", "-n"]),
    ],
)
def test_options_are_words_as_in_a_shell_and_are_never_run(runner, options, words):
    """The command in this test writes its words, a line each."""
    runner.command.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > words\n')
    assert runner.act(given(candidate="$(touch here)", options=options)) == 0
    gate, task, baseline, candidate, *rest = (runner.folder / "words").read_text().splitlines()
    assert (gate, task, baseline) == ("gate", "evaluation", "--baseline=release")
    assert candidate == "--candidate=$(touch here)"
    assert rest[: len(words) + 1] == [*words, "--format"]
    assert not (runner.folder / "here").exists()


def test_options_that_are_not_understood_are_not_left_out(runner):
    runner.command.write_text("#!/bin/sh\n")
    assert runner.act(given(options="--within 50 'open")) != 0


def test_other_actions_are_pinned_by_commit_and_the_package_by_version():
    used = [step["uses"] for step in [*ACTION["runs"]["steps"], *STEPS] if "uses" in step]
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name) for name in used if name != OWN)
    for text in (text_of(ROOT / "action.yml"), text_of(ROOT / "deploy" / "pages.yml"), PAGES["gate.md"]):
        assert all(
            re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)
            for line in text.splitlines()
            if "uses: actions/" in line
        )
    assert ACTION["inputs"]["install"]["default"] == f"nlpsig-core=={__version__}"
    assert f"pip install nlpsig-core=={__version__}\n" in text_of(ROOT / "deploy" / "pages.yml")


def test_no_input_is_part_of_a_script():
    """A name that is put into a script could be code; inputs come as variables."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    assert all(one["description"] for one in [*ACTION["inputs"].values(), *ACTION["outputs"].values()])
