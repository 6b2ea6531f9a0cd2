"""Links that nobody meant: whatever a choice says, the page opens without an exception, and soon."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.studies.analyses.calibration import MOST_BINS, bins_between
from nlpsig_core.studies.analyses.sizes import MOST_SIZES, check_sizes
from tests.apps import ROOT, app, texts
from ui.app.pages import PAGES, SIDEBAR, Page
from ui.open import folders

# Markdown, HTML and TeX that would show if a choice were not shown as it is.
MARKUP = "<img src=x onerror=alert(1)> ![a](http://evil.example/a.png) [b](javascript:alert(1)) :red[c] $d$"
HOSTILE = {
    "odd characters": ["a\0b\ufffd\u202e\U0001f600\r\n\t"],
    "no numbers": ["nan", "nan"],
    "infinity and less than nothing": ["-1", "inf"],
    "more digits than Python converts": ["9" * 5_000],
    "the smallest number": ["5e-324"],
    "a path with a zero byte": ["/a\0b// with gold /\0"],
    "markup": [MARKUP],
    "a formula": ["=cmd|' /C calc'!A0"],
    "many": [f"/{number}" for number in range(2_000)],
}
SMALL = "dorvel-runs"
# Seconds of the processor for one page: each takes a fraction of one, but the first may have to compile kernels.
SOON = 90


def opened(page: Page, choices: list[str]) -> AppTest:
    """The page with the same texts for all its choices."""
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name in (*SIDEBAR, *page.keys):
        test.query_params[name] = choices
    test.query_params["b"] = "10k"
    if page.script != "app.py":
        test.switch_page(page.script)
    return test.run()


def assert_escaped(test: AppTest) -> None:
    """Only ``st.text`` and code show a text without reading it; elsewhere every sign of Markdown is escaped."""
    kinds = test.markdown, test.caption, test.error, test.warning, test.info, test.success, test.header
    read = "\n".join(str(element.value) for kind in kinds for element in kind)
    assert not re.findall(r"(?<!\\)<img|!\[a\]|\[b\]\(|:red\[c\]|\$d\$", read)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """The only folder that may be opened; the app opens on a small sample."""
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    monkeypatch.setenv("NLPSIG_TASK", SMALL)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=[page.title for page in PAGES])
def test_a_page_opens_whatever_its_link_says(page):
    for what, choices in HOSTILE.items():
        started = time.process_time()
        test = opened(page, choices)
        assert time.process_time() - started < SOON, what
        assert not test.exception, (what, test.exception[0].value)
        assert test.title[0].value == page.title, what
        assert test.selectbox(key="task").value == SMALL, what
        assert max(map(len, texts(test).splitlines())) < 5_000, what
        if choices == [MARKUP]:
            assert_escaped(test)


def test_a_link_cannot_ask_for_any_number_of_sizes_or_bins():
    with pytest.raises(ChoiceError, match="101 sizes are chosen; choose at most 100"):
        check_sizes(range(2, MOST_SIZES + 3), 500)
    assert len(check_sizes(range(2, MOST_SIZES + 2), 500)) == MOST_SIZES
    edges = [number / 1_000 for number in range(MOST_BINS + 2)]
    with pytest.raises(ChoiceError, match="101 bins of p; choose at most 100"):
        bins_between(edges)
    assert len(bins_between(edges[:-1])) == MOST_BINS
    with pytest.raises(ChoiceError, match="A size of 1e\\+308 units"):
        check_sizes([1e308], 500)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a\0b", "a\ufffdb is not a path"),
        ("~nobody-of-that-name/task", "~nobody-of-that-name/task does not exist"),
        ("a" * 5_000, r"aaa….* \(File name too long\)"),
        ("loop/task", r"loop/task cannot be examined \(Too many levels of symbolic links\)"),
        ("\udcff", "\ufffd does not exist"),
        ("nothing", "nothing does not exist; it may have been moved"),
        ("../../etc/passwd", "is not below"),
        ("out/passwd", "is not below"),
        ("/", "/ is not below"),
    ],
)
def test_a_path_that_cannot_be_opened_is_refused_with_its_reason(folder, monkeypatch, path, reason):
    monkeypatch.chdir(folder)
    (folder / "loop").symlink_to("loop")
    (folder / "out").symlink_to("/etc")
    with pytest.raises(TaskError, match=reason):
        folders.check(path)


def test_a_folder_that_may_not_be_examined_is_refused(folder, monkeypatch):
    def forbidden(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", forbidden)
    with pytest.raises(TaskError, match=r"task cannot be examined \(Permission denied\)"):
        folders.check(str(folder / "task"))


@pytest.mark.parametrize("path", ["\0", "a" * 5_000, ""])
def test_a_path_that_is_typed_in_is_refused_in_the_box(path):
    test = app()
    test.text_input(key="folder_path").set_value(path)
    test.button(key="open_folder").click().run()
    assert not test.exception
    assert "was not opened" in test.error[0].value


def test_the_root_of_a_machine_is_refused_soon(monkeypatch):
    """Where a person lists it: nobody waits until all files of the machine are counted."""
    monkeypatch.setenv("NLPSIG_FOLDERS", "/")
    started = time.process_time()
    test = app(task="/")
    assert time.process_time() - started < SOON
    assert "open a task's folder" in texts(test)
    assert "This task cannot be shown" in test.error[0].value
