"""The installed package: what the wheel holds, that its app runs, and that the core works without Streamlit."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

import nlpsig_core
from nlpsig_core import __version__
from tests.project.documents import code_of, text_of
from tests.serving import wait_for

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
# Where the wheel puts the folders that lie beside the package in a checkout.
MOVED = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
# Makes `import streamlit` fail as it does where Streamlit is not installed; the rest of the line is up to the test.
WITHOUT_STREAMLIT = """
import sys
from importlib.abc import MetaPathFinder

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "streamlit":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
"""
IMPORT_ALL = """
import importlib, pkgutil
import nlpsig_core
# A module __main__ runs something when it is imported.
names = [m.name for m in pkgutil.walk_packages(nlpsig_core.__path__, "nlpsig_core.") if "__main__" not in m.name]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
# With fewer sentences than usual for the rerankers of the page Reranking.
OPEN_APP = """
import sys
from pathlib import Path
import nlpsig_core
from streamlit.testing.v1 import AppTest

app = Path(nlpsig_core.__file__).parent / "app"
sys.path.insert(0, str(app))
from ui.laboratory.reranking import computations

computations.SENTENCES = 60
test = AppTest.from_file(str(app / "app.py"), default_timeout=180)
test.query_params["b"] = "10k"
for page in (None, *sorted(path.name for path in (app / "pages").glob("*.py"))):
    if page:
        test.switch_page(f"pages/{page}")
    test.run()
    assert not test.exception, (page, test.exception[0].value)
    print(page, *[element.value for element in test.title], *[element.value for element in test.header], sep="|")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    """The wheel that is built from the sdist of this checkout, without network."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), "--target"]
    subprocess.run([*build, "sdist"], cwd=ROOT, check=True, capture_output=True)
    (sdist,) = folder.glob("*.tar.gz")
    subprocess.run(["tar", "--extract", "--file", sdist, "--directory", folder], check=True)
    subprocess.run([*build, "wheel"], cwd=folder / sdist.name.removesuffix(".tar.gz"), check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The site-packages of an environment with the wheel alone, and the kernels that the checkout has compiled.

    It finds its dependencies among those of this environment. Numba takes a kernel for that of a source file with the
    same size and time.
    """
    environment = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", environment]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", wheel.filename], check=True)
    (folder,) = environment.glob("lib/python*/site-packages")
    (folder / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    for path in (ROOT / "nlpsig_core").rglob("*.nb[ci]"):
        kernel = folder / path.relative_to(ROOT)
        kernel.parent.mkdir(exist_ok=True)
        shutil.copy(path, kernel)
    for path in (folder / "nlpsig_core").rglob("*.py"):
        source = ROOT / path.relative_to(folder)
        if source.is_file():
            shutil.copystat(source, path)
    return folder


# Reads everything, writes to nothing that is not its own; with a number that no user has, there is no home either.
NOBODY = 54_321
READ_ONLY = ("-all", "+dac_read_search")
AS_NOBODY = (
    "setpriv",
    f"--reuid={NOBODY}",
    f"--regid={NOBODY}",
    "--clear-groups",
    "--no-new-privs",
    *(f"--{kind}={','.join(READ_ONLY)}" for kind in ("inh-caps", "ambient-caps", "bounding-set")),
)


@pytest.fixture(scope="module")
def read_only(wheel, tmp_path_factory) -> Path:
    """A folder with what pip installs from the wheel, in which nobody may write and nothing was compiled."""
    if not sys.platform.startswith("linux") or os.getuid() or not shutil.which("setpriv"):
        pytest.skip("only root on Linux, with setpriv, can run a command as a user who does not exist")
    folder = tmp_path_factory.mktemp("read_only")
    options = ("--quiet", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", folder, wheel.filename], check=True)
    for path in folder.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return folder


def run_as_nobody(arguments: list[str], *, path: Path, **environment: str) -> subprocess.CompletedProcess:
    """A command by a user without a name, a home and a place to write, with no other variables."""
    return subprocess.run(
        [*AS_NOBODY, sys.executable, "-m", "nlpsig_core", *arguments],
        cwd="/",
        env={"PYTHONPATH": str(path)} | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def in_wheel(path: Path) -> str:
    """The place in the wheel of a file of the checkout."""
    name = path.relative_to(ROOT).as_posix()
    top = name.partition("/")[0]
    return MOVED.get(top, top) + name.removeprefix(top)


def shipped() -> set[str]:
    """Every file of the package, the app and the samples, by its place in the wheel."""
    paths = [path for top in ("nlpsig_core", *MOVED) for path in (ROOT / top, *(ROOT / top).rglob("*"))]
    return {in_wheel(path) for path in paths if path.is_file() and "__pycache__" not in path.parts}


def run(code: str, *, path: Path) -> str:
    """The output of a program that imports from that folder and not from the checkout's."""
    environment = os.environ | {"PYTHONPATH": str(path)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_environment(installed: Path, command: str, *arguments: str) -> str:
    """The output of a command of the environment, in a folder of its own."""
    programs = installed.parents[2] / "bin"
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(programs.parent)}
    line = [programs / command, *arguments]
    done = subprocess.run(line, cwd=programs, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_every_file_and_nothing_else(wheel):
    """The folders ``ui`` and ``pages`` are inside the package: they are no top-level names of other people's Python."""
    files = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert files == shipped()
    assert {name.partition("/")[0] for name in files} == {"nlpsig_core"}
    assert sum(file.file_size for file in wheel.infolist() if file.filename.endswith(".zip")) < 5_500_000


def test_the_wheel_has_the_command_the_version_and_the_licence(wheel):
    information = f"nlpsig_core-{__version__}.dist-info"
    entry_points = configparser.ConfigParser()
    entry_points.read_string(wheel.read(f"{information}/entry_points.txt").decode())
    assert dict(entry_points["console_scripts"]) == {"nlpsig": "nlpsig_core.output.commands.cli:run"}
    assert f"{information}/licenses/LICENSE" in wheel.namelist()


def test_other_names_of_site_packages_stay_free(installed):
    """``ui`` and ``pages`` are names that others may use."""
    names = {path.name for path in installed.iterdir()}
    assert names == {"nlpsig_core", f"nlpsig_core-{__version__}.dist-info", "dependencies.pth"}


def test_the_installed_command_scores_a_sample(installed):
    head, first, *_ = in_environment(
        installed, "nlpsig", "score", "pelune-entities", "--resamples", "1000"
    ).splitlines()
    assert head.startswith("system\tgroup\tscore\t")
    assert first.startswith("Vorquell-4\tVorquell\t87.70")


def test_the_installed_core_runs_the_readmes_notebook(installed):
    (block,) = code_of(text_of(ROOT / "README.md"))
    assert in_environment(installed, "python", "-c", block.code) == block.output


def test_the_installed_app_is_served_in_a_space(installed, tmp_path):
    """By the command of its recipe, with the name that a Space is given: under that name, in frames of its site."""
    recipe = text_of(ROOT / "deploy" / "space" / "Dockerfile")
    (variables,) = re.findall(r"^ENV (.*)$", recipe, re.MULTILINE)
    (command,) = re.findall(r"^CMD (.*)$", recipe, re.MULTILINE)
    own = dict(variable.split("=") for variable in variables.replace("/tmp", str(tmp_path)).split())
    own |= {"SPACE_HOST": "someone-nlpsig.hf.space", "PATH": f"{installed.parents[2] / 'bin'}:/usr/bin:/bin"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (tmp_path / "log").open("wb") as log:
        line = json.loads(command.replace("7860", str(port)))
        process = subprocess.Popen(line, cwd=tmp_path, env=own, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        page = Request(f"http://127.0.0.1:{port}/", headers={"Host": own["SPACE_HOST"]})
        with urlopen(page) as answer:
            assert answer.headers["content-security-policy"].endswith("frame-ancestors 'self' huggingface.co")
            assert "x-frame-options" not in answer.headers
        with pytest.raises(HTTPError, match="403"):
            urlopen(Request(page.full_url, headers={"Host": "someone-else.hf.space"}))
    finally:
        process.terminate()
        process.wait(60)


def test_the_installed_app_opens_a_sample_on_every_page(installed):
    pages = run(OPEN_APP, path=installed).splitlines()
    assert [line.partition("|")[0] for line in pages] == ["None", *sorted(p.name for p in ROOT.glob("pages/*.py"))]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [("--help", "usage: nlpsig "), ("pairs pelune-entities --resamples 1000", "system_a\t")],
)
def test_an_unknown_user_without_a_home(read_only, tmp_path, arguments, line):
    """Kernels are compiled in a temporary folder, which is gone in the end."""
    tmp_path.chmod(0o777)
    done = run_as_nobody(arguments.split(), path=read_only, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(line)
    assert not list(tmp_path.glob("nlpsig-*"))


def test_the_app_starts_for_an_unknown_user_without_a_home(read_only):
    """It stops at once, since the address is none of this machine's: what is tested comes before."""
    done = run_as_nobody(["app", "--headless", "--address=192.0.2.1"], path=read_only)
    assert done.stderr.splitlines()[-1] == "nlpsig: Cannot assign requested address"


def test_the_core_is_imported_without_streamlit():
    """Every module but those that are run: two called ``__main__``."""
    imported = int(run(WITHOUT_STREAMLIT + IMPORT_ALL, path=ROOT))
    assert imported == len(list((ROOT / "nlpsig_core").rglob("*.py"))) - 3


def test_requirements_are_the_dependencies_and_the_extras_of_what_the_app_offers():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if not line.startswith("#")]
    extras = [PROJECT["optional-dependencies"][extra] for extra in ("app", "atlas", "ja", "ko", "spreadsheets")]
    assert listed == sorted({*PROJECT["dependencies"]}.union(*extras))
    assert not [line for line in PROJECT["dependencies"] if line.startswith(("streamlit", "statsmodels", "xlsxwriter"))]


def test_every_public_name_is_there():
    """Names are imported on first use, so a wrong module would be found by the first user only."""
    assert all(hasattr(nlpsig_core, name) for name in nlpsig_core.__all__)
    assert set(nlpsig_core.__all__) <= set(dir(nlpsig_core))
    with pytest.raises(AttributeError, match="module 'nlpsig_core' has no attribute 'load_tasks'"):
        _ = nlpsig_core.load_tasks


def test_a_process_that_counts_loads_no_tables():
    """Counting runs in processes of its own, each of which imports ``stats.counting``."""
    code = "import sys, nlpsig_core.significance.stats.counting; print('pandas' in sys.modules)"
    assert run(code, path=ROOT) == "False\n"
