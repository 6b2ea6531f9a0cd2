"""What a release is made of: one name and version everywhere, workflows of the Makefile's targets, a Space."""

from __future__ import annotations

import re
import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml

from nlpsig_core.base.extras import EXTRAS
from nlpsig_core.base.version import __version__
from tests import versions

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):(?: |$)", MAKEFILE, re.MULTILINE))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
SPACE = ROOT / "deploy" / "space"
# What people read or run: a line in it that installs something is copied.
WRITTEN = [
    path
    for top in ("*.md", "docs/**/*.md", "deploy/**/*", ".github/**/*", "nlpsig_core/**/*", "ui/**/*", "pages/*.py")
    for path in ROOT.glob(top)
    if path.suffix in {".md", ".py", ".yml", ".jinja", ""} and path.is_file()
]
# ``pip install``, ``uv tool install`` and ``uvx --from`` with what they install: names, quoted where they have extras.
INSTALLED = re.compile(r"(?:pip install|uv tool install|uvx(?: --from)?) ((?:-\S+ )*)[\"'`]?(nlpsig[^\s\"'`;)]*)")


def loaded(path: Path) -> dict:
    """A file of YAML; the key ``on`` is the truth value of YAML 1.1."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps() -> list[dict]:
    return [step for path in WORKFLOWS for job in loaded(path)["jobs"].values() for step in job["steps"]]


def installed() -> list[tuple[str, str]]:
    return [
        (path.relative_to(ROOT).as_posix(), found[2])
        for path in WRITTEN
        for found in INSTALLED.finditer(path.read_text(encoding="utf-8"))
    ]


def test_every_line_that_installs_nlpsig_names_its_distribution_and_its_extras():
    """``nlpsig`` alone is another project on PyPI."""
    lines = installed()
    assert len({path for path, _ in lines}) > 5
    for path, name in lines:
        found = re.fullmatch(rf"{PROJECT['name']}(?:\[([a-z,]+|\{{extra\}})\])?(?:==[\d.]+)?", name)
        assert found, f"{path}: {name}"
        assert {*(found[1] or "all").split(",")} <= {*EXTRAS, "all", "{extra}"}, f"{path}: {name}"


def test_the_version_is_the_same_everywhere():
    """And the changelog has its date, above which is what comes next."""
    citation = loaded(ROOT / "CITATION.cff")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    dated = re.findall(r"^## ([\d.]+)(?: - (\d{4}-\d\d-\d\d))?$", changelog, re.MULTILINE)
    assert citation["version"] == dated[0][0] == __version__
    assert citation["date-released"] == date.fromisoformat(dated[0][1])
    assert changelog.index("\n## Unreleased\n") < changelog.index(f"\n## {__version__} - ")
    assert f"=={__version__}" in (SPACE / "Dockerfile").read_text(encoding="utf-8")


def test_the_citation_has_what_services_render():
    """The fields that the format asks for, and people or groups with names."""
    citation = loaded(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors", "version", "date-released"} < citation.keys()
    (paper,) = citation["references"]
    for author in (*citation["authors"], *paper["authors"]):
        assert set(author) in ({"name"}, {"family-names", "given-names"})
    assert paper["url"].startswith("https://")


def test_every_step_of_a_workflow_is_a_target_of_the_makefile():
    jobs = [job for path in WORKFLOWS for job in loaded(path)["jobs"].values()]
    matrix = {target for job in jobs for target in job.get("strategy", {}).get("matrix", {}).get("target", ())}
    commands = [step["run"] for step in steps() if "run" in step]
    named = {target for command in commands for target in command.split()[1:2] if target != "${{"}
    assert all(command.startswith("make ") and "\n" not in command for command in commands)
    assert named | matrix <= TARGETS
    assert {"test", "test-oldest", "lint", "docs", "wheel", "image"} <= named | matrix
    assert all(step.keys() & {"run", "uses"} for step in steps())


def test_what_others_wrote_is_pinned_by_its_digest():
    """A tag can be moved to other code, which would run with the right to publish."""
    used = [step["uses"] for step in steps() if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", name) for name in used)


def test_workflows_test_every_supported_python_and_may_only_read():
    tests, release = (loaded(ROOT / ".github" / "workflows" / f"{name}.yml") for name in ("tests", "release"))
    assert tests["jobs"]["tests"]["strategy"]["matrix"]["python"] == versions.versions()
    assert tests["permissions"] == release["permissions"] == {"contents": "read"}
    publish = release["jobs"]["publish"]
    assert (publish["needs"], publish["permissions"]) == ("build", {"id-token": "write"})
    assert release[True] == {"push": {"tags": ["v*"]}}


@pytest.mark.parametrize(("tag", "code"), [(f"v{__version__}", 0), ("v0.0.1", 1), ("", 1)])
def test_the_tag_of_a_release_is_its_version(tag, code):
    done = subprocess.run(["make", "--silent", "tagged", f"TAG={tag}"], cwd=ROOT, capture_output=True)
    assert (done.returncode != 0) == code


@pytest.mark.parametrize("path", [path for path in FORMS if path.name != "config.yml"], ids=lambda path: path.stem)
def test_issue_forms_have_fields_of_known_types_and_names(path):
    form = loaded(path)
    assert form["name"]
    assert form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)
    first = fields[0]
    assert first["id"] in ("lines", "signature")
    assert first["validations"] == {"required": True}


def test_the_space_says_on_which_port_its_container_listens():
    _, front, text = (SPACE / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    about = yaml.safe_load(front)
    recipe = (SPACE / "Dockerfile").read_text(encoding="utf-8")
    assert about["sdk"] == "docker"
    assert text.startswith("\n# nlpsig\n")
    assert f"\nEXPOSE {about['app_port']}\n" in recipe
    assert f"--public --address 0.0.0.0 --port {about['app_port']}" in recipe
    assert "NLPSIG_EMBED=huggingface.co" in recipe
    assert len(about["short_description"]) <= 60
