"""The command ``app``: what it passes to Streamlit, and what it says without Streamlit."""

from __future__ import annotations

import os
import runpy
import sys

import pytest

from nlpsig_core.output.commands.cli import main
from nlpsig_core.output.commands.serving import APP, PUBLIC


@pytest.fixture
def served(monkeypatch) -> list[list[str]]:
    """The command lines of Streamlit, which is not started; the folders that may be opened are none, or as set."""
    lines: list[list[str]] = []
    monkeypatch.setattr(runpy, "run_module", lambda module, run_name: lines.append(sys.argv))
    monkeypatch.setattr(sys, "argv", ["nlpsig", "app"])
    monkeypatch.setenv("NLPSIG_FOLDERS", "")
    monkeypatch.setenv("NLPSIG_WORKSPACE", "")
    monkeypatch.setenv("NLPSIG_TASK", "")
    for name in ("NLPSIG_HOSTS", "NLPSIG_EMBED", "STREAMLIT_SERVER_ADDRESS", "STREAMLIT_SERVER_PORT", "PORT"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("DISPLAY", ":0")
    return lines


def test_it_serves_the_app_to_this_machine_only(served):
    assert main(["app"]) == 0
    assert served == [[
        "streamlit", "run", str(APP), "--server.port=8501", "--server.address=127.0.0.1", "--server.headless=false",
        "--server.showEmailPrompt=false", "--logger.hideWelcomeMessage=true",
    ]]  # fmt: skip
    assert APP.name == "serve.py"
    assert APP.is_file()
    assert os.environ["NLPSIG_FOLDERS"] == os.environ["NLPSIG_WORKSPACE"] == ""


def test_port_address_and_headless_are_passed_on(served):
    assert main(["app", "--port", "8655", "--address", "0.0.0.0", "--headless"]) == 0
    assert served[0][3:6] == ["--server.port=8655", "--server.address=0.0.0.0", "--server.headless=true"]


def test_what_a_host_sets_is_meant_unless_the_command_line_says_otherwise(served, monkeypatch):
    """Hosts tell the port by PORT, or both by Streamlit's own variables; 8501 is what the command line says."""
    monkeypatch.setenv("PORT", "10000")
    assert main(["app"]) == 0
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "7860")
    monkeypatch.setenv("STREAMLIT_SERVER_ADDRESS", "0.0.0.0")
    assert main(["app"]) == 0
    assert main(["app", "--port", "8501", "--address", "127.0.0.1"]) == 0
    ports, addresses = zip(*(line[3:5] for line in served), strict=True)
    assert ports == ("--server.port=10000", "--server.port=7860", "--server.port=8501")
    assert addresses == ("--server.address=127.0.0.1", "--server.address=0.0.0.0", "--server.address=127.0.0.1")


def test_a_site_may_show_the_app_in_a_frame(served, monkeypatch):
    """Its cookies are then kept from browsers, and with them the check that needs one."""
    assert main(["app", "--public", "--embed", "huggingface.co", "*.example.org:8000"]) == 0
    assert os.environ["NLPSIG_EMBED"] == "huggingface.co *.example.org:8000"
    assert "--server.enableXsrfProtection=false" in served[0]
    assert "--server.enableCORS=true" in served[0]


@pytest.mark.parametrize("site", ["*", "https://a.b", "a.b;script-src", "a.b/c", "'self'", "a.b, c.d"])
def test_no_other_text_gets_into_the_policy(served, monkeypatch, capsys, site):
    monkeypatch.setenv("NLPSIG_EMBED", site)
    assert main(["app"]) == 2
    assert not served
    assert "is no site: give --embed or NLPSIG_EMBED names such as huggingface.co" in capsys.readouterr().err


def test_no_browser_is_opened_on_a_linux_machine_without_a_display(served, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert main(["app"]) == 0
    assert "--server.headless=true" in served[0]


def test_folders_may_be_opened_below_the_one_named(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["app", "--folders", "."]) == 0
    assert os.environ["NLPSIG_FOLDERS"] == str(tmp_path.resolve())
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    assert main(["app", "--folders", "one", "two"]) == 0
    assert os.environ["NLPSIG_FOLDERS"] == os.pathsep.join(str(tmp_path.resolve() / name) for name in ("one", "two"))


def test_the_task_that_is_named_is_open_at_first_and_may_be_opened(served, tmp_path, monkeypatch):
    """A sample by its name; a path may be opened even if no folder or another one is named."""
    assert main(["app", "mmlu-pro"]) == 0
    assert (os.environ["NLPSIG_TASK"], os.environ["NLPSIG_FOLDERS"]) == ("mmlu-pro", "")
    monkeypatch.chdir(tmp_path)
    mine, other = (tmp_path.resolve() / name for name in ("mine", "other"))
    mine.mkdir()
    other.mkdir()
    assert main(["app", "mine"]) == 0
    assert (os.environ["NLPSIG_TASK"], os.environ["NLPSIG_FOLDERS"]) == (str(mine), str(mine))
    assert main(["app", "mine", "--folders", "other"]) == 0
    assert os.environ["NLPSIG_FOLDERS"].split(os.pathsep) == [str(other), str(mine)]
    assert main(["app", "mine", "--folders", "."]) == 0
    assert os.environ["NLPSIG_FOLDERS"] == str(tmp_path.resolve())


def test_a_task_that_cannot_be_opened_is_said_before_the_app_starts(served, tmp_path, monkeypatch, capsys):
    """A public server opens no folders; a colon would part its name into two folders."""
    parted = tmp_path / "a:b"
    parted.mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (notes := tmp_path / "notes.txt").write_text("Not a task.\n")
    for words, message in (
        (["--public", str(tmp_path)], "A public server opens no folders: name a sample"),
        ([str(parted)], f"{parted} cannot be opened: its path has a ':', which parts folders"),
        (["mmlu-pr"], "mmlu-pr does not exist; did you mean mmlu-pro?"),
        ([str(tmp_path / "loop")], f"{tmp_path / 'loop'} cannot be examined (Too many levels of symbolic links)"),
        ([str(notes)], f"{notes} is neither a folder, a zip, a pack nor a score table; give a task's folder"),
    ):
        assert main(["app", *words]) == 2
        assert capsys.readouterr().err.startswith(f"nlpsig: {message}")
    assert not served
    assert os.environ["NLPSIG_FOLDERS"] == os.environ["NLPSIG_TASK"] == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--port", "70000"], "--port is 70000; give a number from 0 (any free one) to 65535"),
        (["--folders", ".", "nowhere"], "--folders: nowhere is no folder"),
    ],
)
def test_what_cannot_be_served_is_said_before_the_app_starts(served, capsys, options, message):
    assert main(["app", *options]) == 2
    assert capsys.readouterr().err == f"nlpsig: {message}\n"
    assert not served


def test_a_public_server_has_nothing_of_its_machine(served, monkeypatch):
    """Whatever the environment says: no folders and no workspace; all limits and protections of Streamlit are on."""
    monkeypatch.setenv("NLPSIG_FOLDERS", "/")
    monkeypatch.setenv("NLPSIG_WORKSPACE", "/srv/kept")
    assert main(["app", "--public", "--address", "0.0.0.0"]) == 0
    assert os.environ["NLPSIG_FOLDERS"] == os.environ["NLPSIG_WORKSPACE"] == ""
    settings = dict(line.removeprefix("--").split("=") for line in served[0][3:])
    assert settings.items() >= PUBLIC.items()
    assert settings["server.headless"] == "true"
    assert settings["server.address"] == "0.0.0.0"


@pytest.mark.parametrize("more", [["--folders", "."], ["--workspace", "."]])
def test_a_public_server_refuses_folders_and_a_workspace(served, capsys, more):
    assert main(["app", "--public", *more]) == 2
    assert not served
    assert "A public server opens no folders and keeps no uploads" in capsys.readouterr().err


def test_streamlit_knows_every_setting_of_a_public_server():
    """Streamlit ends with an error at a setting that it does not know; each is looked up here."""
    config = pytest.importorskip("streamlit.config", reason="Streamlit is not installed")
    assert all(name in config.get_config_options() for name in PUBLIC)


@pytest.mark.parametrize(("name", "value"), [("NLPSIG_MAX_MEMORY", "much"), ("NLPSIG_CACHE_SIZE", "-1")])
def test_settings_are_checked_before_the_server_starts(served, monkeypatch, capsys, name, value):
    """Not on the first page, in the browser of a visitor."""
    monkeypatch.setenv(name, value)
    assert main(["app"]) == 2
    assert served == []
    error = capsys.readouterr().err
    assert error.startswith(f"nlpsig: {name} is '{value}'; give")
    assert error.count("\n") == 1


def test_without_streamlit_it_says_what_to_install(served, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "streamlit", None)
    assert main(["app"]) == 2
    assert not served
    expected = "nlpsig: The app needs the extra 'app' (streamlit): pip install \"nlpsig-core[app]\"\n"
    assert capsys.readouterr().err == expected
