"""The gallery of the first page: kinds of tasks, each with a sample, and real tasks."""

from __future__ import annotations

from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.samples import real_names, sample_names
from nlpsig_core.significance.comparison.select import load_task
from tests.apps import app, drop_files, metric
from tests.builders import TASK, zipped
from ui.open.gallery import KINDS


def places(test) -> list[str | None]:
    """The keys of the buttons in the order of the page, from the top to the list of systems."""
    return [widget.key for widget in test.main.get("button_group") if widget.key in ("kinds", "real_tasks")]


def test_every_format_has_a_kind():
    assert set(KINDS) <= set(sample_names())
    formats = {load_task(name).reader.name for name in KINDS}
    assert set(READERS) - formats == {"CoNLL-X"}, "parsing, as CoNLL-U"


def test_a_kind_opens_its_sample_and_is_marked():
    """On top, also on the sample's own page; a second click on it changes nothing."""
    test = app(task="conll-2017-chinese")
    test.pills(key="kinds").set_value("pelune-entities").run()
    assert (test.selectbox(key="task").value, metric(test, "Systems")) == ("pelune-entities", "14")
    assert "is open: Tagged tokens, 14 systems" in test.success[0].value
    assert test.pills(key="kinds").value == "pelune-entities"
    assert places(test) == ["kinds", "real_tasks"]
    test.pills(key="kinds").set_value(None).run()
    assert test.pills(key="kinds").value == test.selectbox(key="task").value == "pelune-entities"


def test_real_tasks_open_and_no_other_task_is_read(monkeypatch):
    test = app(task="hansards-alignment")
    assert list(test.pills(key="real_tasks").options) == [name.replace("-", r"\-") for name in real_names()]
    read: list[str] = []
    monkeypatch.setattr("ui.work.cache.load_task", lambda path, *more: read.append(path.stem) or load_task(path, *more))
    test.pills(key="real_tasks").set_value("realsumm").run()
    assert test.selectbox(key="task").value == "realsumm"
    assert read in ([], ["realsumm"])
    assert test.pills(key="kinds").value is None


def test_below_ones_own_task_the_kinds_come_last():
    test = drop_files(app(), {"mine.zip": zipped(TASK)})
    assert places(test) == ["real_tasks", "kinds"]
    failed = drop_files(app(), {"notes.txt": "nothing"})
    assert failed.pills(key="kinds").value is None
    failed.pills(key="kinds").set_value("brelda-parsing").run()
    assert metric(failed, "Systems") == "28"
