"""The command ``app``: what it passes to Streamlit, and what it says without Streamlit."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys

import pytest

from nlpsig_core.commands.cli import main
from nlpsig_core.commands.serving import APP


@pytest.fixture
def served(monkeypatch) -> list[list[str]]:
    """The command lines of Streamlit, which is not started; the folders that may be opened are none, or as set."""
    lines: list[list[str]] = []
    monkeypatch.setattr(runpy, "run_module", lambda module, run_name: lines.append(sys.argv))
    monkeypatch.setattr(sys, "argv", ["nlpsig", "app"])
    monkeypatch.setenv("NLPSIG_FOLDERS", "")
    monkeypatch.setenv("NLPSIG_WORKSPACE", "")
    monkeypatch.setenv("DISPLAY", ":0")
    return lines


def test_it_serves_the_app_to_this_machine_only(served):
    assert main(["app"]) == 0
    assert served == [[
        "streamlit", "run", str(APP), "--server.port=8501", "--server.address=127.0.0.1", "--server.headless=false",
        "--server.showEmailPrompt=false",
    ]]  # fmt: skip
    assert APP.name == "app.py"
    assert APP.is_file()
    assert os.environ["NLPSIG_FOLDERS"] == os.environ["NLPSIG_WORKSPACE"] == ""


def test_port_address_and_headless_are_passed_on(served):
    assert main(["app", "--port", "8655", "--address", "0.0.0.0", "--headless"]) == 0
    assert served[0][3:6] == ["--server.port=8655", "--server.address=0.0.0.0", "--server.headless=true"]


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


def test_uploads_are_kept_in_the_folder_named(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["app", "--workspace", "kept"]) == 0
    assert os.environ["NLPSIG_WORKSPACE"] == str(tmp_path.resolve() / "kept")


def test_without_streamlit_it_says_what_to_install(served, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["app"]) == 2
    assert not served
    expected = "nlpsig: The app needs Streamlit, the extra 'app' of nlpsig: pip install streamlit\n"
    assert capsys.readouterr().err == expected
