"""What is trained for the page Laboratory: its recipe fits the figures and the experiments."""

from __future__ import annotations

from gallery.experiments import TRAINED, lines_of
from nlpsig_core.laboratory.synthesis import EXPERIMENTS
from nlpsig_core.studies.synthetic import FIGURES


def test_each_figure_is_an_experiment_that_is_trained():
    assert {trained.name for trained in TRAINED} == set(FIGURES) == set(EXPERIMENTS)
    for trained in TRAINED:
        assert FIGURES[trained.name].metric in trained.metrics
        known = EXPERIMENTS[trained.name]
        assert set(trained.models or ()) <= set(known.models)
        assert len(trained.train) == len(known.needs["train"])


def test_some_lines_of_files_are_files_of_the_same_names(tmp_path):
    paths = [tmp_path / name for name in ("a.en", "a.fr")]
    for path, text in zip(paths, ("one\ntwo\nthree\n", "un\ndeux\nété\n"), strict=True):
        path.write_text(text, encoding="utf-8")
    rest = lines_of(paths, slice(1, None), tmp_path / "rest")
    assert [path.name for path in rest] == ["a.en", "a.fr"]
    assert [path.read_text(encoding="utf-8") for path in rest] == ["two\nthree\n", "deux\nété\n"]
    assert lines_of(paths, slice(0), tmp_path / "none") == []
