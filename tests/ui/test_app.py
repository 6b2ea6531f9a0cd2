"""The pages through Streamlit's AppTest: what a click, a link and an upload change."""

from __future__ import annotations

import os

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpsig_core.data.metrics import METRICS, dependency
from nlpsig_core.data.task import sample_names
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.counting import count_test_set
from tests.apps import MAIN, SEVERAL, app, charts, listed_pairs, metric, texts, unrecognised, values
from tests.builders import conllu, write, zipped
from ui.app.pages import PAGES
from ui.work import cache, watching

SCRIPTS = [page.script for page in PAGES]
BASIC = [page.script for page in PAGES if not page.campaign][:4]


@pytest.mark.parametrize("page", BASIC)
@pytest.mark.parametrize("task", sample_names())
def test_every_page_opens_every_sample(page, task):
    """With figures whose axes say the metric, and all that a table of scores asks for answered.

    The first page has a figure of the test sets alone, where a task has several.
    """
    test = app(page, task=task, edition="higher")
    assert test.selectbox(key="task").value == task
    assert len(test.title) == 1
    label = test.selectbox(key="metric").value
    titles = [str([axis.get("title") for axis in axes_of(chart)]) for chart in charts(test)]
    if page == "app.py":
        assert bool(titles) == (len(load_task(task).test_sets) > 1)
    else:
        assert titles
        assert all(label in of_figure for of_figure in titles)


def axes_of(chart: dict) -> list[dict]:
    return [axis for name, axis in chart["layout"].items() if "axis" in name]


@pytest.mark.parametrize("page", BASIC)
@pytest.mark.parametrize(
    "name",
    [
        "dep.conll2018.en_gum", "dep.conll2017.en_partut.broken", "mt.wmt24.en-de", "mt.wmt21.de-en",
        "align.enfr", "constituency.evalb_sample",
    ],
)  # fmt: skip
def test_every_page_opens_every_real_task(real_data, monkeypatch, page, name, counted_once):
    """EVALB's sample has one system: its scores can be seen, but there is no pair."""
    monkeypatch.setenv("NLPSIG_FOLDERS", str(real_data))
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))
    test = app(page, task=real_data / name)
    alone = name == "constituency.evalb_sample"
    assert ("A comparison needs 2 systems at least; here is 1" in texts(test)) == (alone and "pair" in page)
    if page == "app.py":
        assert bool(charts(test)) == (len(load_task(real_data / name).test_sets) > 1)
    else:
        assert bool(charts(test)) == (not (alone and "pair" in page))


def test_first_page_says_what_was_read():
    """The main sample: 28 systems make 28 * 27 / 2 = 378 pairs; one file is invalid, two are the same."""
    test = app()
    assert (metric(test, "Systems"), metric(test, "Pairs")) == ("28", "378")
    assert "1 invalid or missing output" in test.warning[0].value
    assert "the same file" in test.info[0].value


def test_pair_figure_shows_every_pair_with_a_gain():
    test = app("pages/pairs.py", reach="all")
    drawn = sum(len(values(trace["x"])) for trace in charts(test)[0]["data"])
    assert drawn == 376
    assert "Not drawn: 2 ties" in texts(test)


def test_another_metric_changes_the_figure_and_the_signature():
    test = app("pages/pairs.py")
    test.selectbox(key="metric").set_value("UAS").run()
    assert charts(test)[0]["layout"]["xaxis"]["title"]["text"] == "gain in UAS (points)"
    assert "metric:UAS|test:bootstrap|b:10000" in texts(test)


def test_choices_survive_a_change_of_page():
    test = app("pages/scores.py")
    test.selectbox(key="metric").set_value("CLAS")
    test.number_input(key="alpha").set_value(0.01)
    test.run()
    test.switch_page("pages/pairs.py").run()
    assert test.selectbox(key="metric").value == "CLAS"
    assert "p < 0.01" in texts(test)


def test_a_link_opens_what_it_names():
    test = app("pages/pairs.py", task=MAIN, metric="MLAS", seed=5, alpha=0.1, gain=2.5, view="matrix")
    assert test.selectbox(key="metric").value == "MLAS"
    assert test.number_input(key="gain").value == 2.5
    assert charts(test)[0]["data"][0]["type"] == "heatmap"
    assert "seed:5" in texts(test)


def test_the_link_says_what_is_not_as_usual_on_this_page():
    test = app("pages/pairs.py")
    assert dict(test.query_params) == {"b": "10k"}
    test.selectbox(key="metric").set_value("UAS").run()
    test.segmented_control(key="edition").set_value("2017").run()
    first = listed_pairs(test)[0]
    test.session_state["pair"] = first
    test.run()
    said = {"metric": "UAS", "edition": "2017", "pair": first}
    assert dict(test.query_params) == {"b": "10k"} | said
    test.switch_page("pages/scores.py").run()
    assert dict(test.query_params) == {"b": "10k", "metric": "UAS", "edition": "2017"}


@pytest.mark.parametrize("by", ["", "bootstrap"])
def test_documents_can_be_resampled_and_few_are_warned_of_if_the_bootstrap_decides(by):
    """45 documents; by default their p is that of approximate randomization."""
    test = app("pages/scores.py", unit="document", test=by)
    assert "|unit:document|n:45|" in texts(test)
    few = "are few to resample: the bootstrap's p comes out too small" in "".join(w.value for w in test.warning)
    assert few == (by == "bootstrap")


def test_moving_alpha_or_the_gain_resamples_nothing(runs):
    test = app("pages/pairs.py", seed=101)
    assert len(runs) == 1
    before = texts(test)
    test.number_input(key="alpha").set_value(0.2).run()
    test.number_input(key="gain").set_value(3.0).run()
    test.multiselect(key="highlight").set_value(test.multiselect(key="highlight").options[:2]).run()
    assert len(runs) == 1
    assert "p < 0.2" in texts(test)
    assert texts(test) != before


def test_another_seed_resamples_and_the_first_one_is_remembered(runs):
    test = app("pages/scores.py", seed=201)
    test.number_input(key="seed").set_value(202).run()
    test.number_input(key="seed").set_value(201).run()
    assert [recipe.seed for recipe in runs] == [201, 202]


def test_a_domain_restricts_every_page():
    test = app("pages/pairs.py")
    whole = texts(test)
    domain = test.selectbox(key="domain").options[1]
    test.selectbox(key="domain").set_value(domain).run()
    assert f"domain:{domain}" in texts(test)
    test.switch_page("app.py").run()
    assert int(metric(test, "Sentences")) < 650
    assert f"domain:{domain}" not in whole


def test_an_edition_has_its_own_metrics():
    test = app("pages/scores.py", edition=2017)
    assert "Feats" in test.selectbox(key="metric").options
    assert "MLAS" not in test.selectbox(key="metric").options


def test_invalid_outputs_score_0_or_are_left_out():
    test = app("pages/scores.py")
    ranking = test.dataframe[0].value
    assert ranking["score"].min() == 0
    test.segmented_control(key="invalid").set_value("leave out").run()
    left = test.dataframe[0].value
    assert len(left) == len(ranking) - 1
    assert left["score"].min() > 50


def test_macro_average_counts_an_invalid_file_as_0():
    test = app("pages/scores.py", task=SEVERAL, test_set="macro-average")
    frame = next(f.value for f in test.dataframe if "macro-average" in f.value)
    sets = frame.drop(columns=["system", "group", "macro-average"])
    np.testing.assert_allclose(frame["macro-average"], sets.mean(axis=1))
    assert (sets == 0).to_numpy().sum() == 2
    ranking = next(f.value for f in test.dataframe if "ranks" in f.value)
    np.testing.assert_allclose(ranking["score"], frame["macro-average"])
    assert "metric:macro-average of LAS|test:bootstrap|" in texts(test)


@pytest.mark.parametrize("page", ["app.py", "pages/pairs.py"])
def test_the_macro_average_is_a_test_set_like_any_other(page):
    test = app(page, task=SEVERAL, test_set="macro-average", domain="law")
    assert "metric:macro-average of LAS|" in texts(test)
    assert "|domain:law|" in texts(test)


def test_another_task_can_be_drawn_over():
    test = app("pages/pairs.py", over=SEVERAL)
    names = [trace["name"] for trace in charts(test)[0]["data"]]
    assert any(name.startswith(f"{SEVERAL}: different groups (") for name in names)
    assert f"Open markers: {SEVERAL}".replace("-", "\\-") in texts(test)


def test_a_task_of_another_metric_cannot_be_drawn_over():
    test = app("pages/pairs.py", over="shumak-translation")
    assert "shumak-translation cannot be drawn over these pairs." in texts(test)
    assert "No metric called 'LAS'. Available: BLEU, " in texts(test)
    assert charts(test)


def test_some_systems_can_be_drawn_over():
    test = app("pages/pairs.py", over="some of the systems")
    test.multiselect(key="over_systems").set_value(test.multiselect(key="over_systems").options[:4]).run()
    names = [trace["name"] for trace in charts(test)[0]["data"] if "chosen systems" in trace["name"]]
    assert sum(int(name.rpartition("(")[2].rstrip(")")) for name in names) <= 6
    assert names


def test_filters_leave_the_pairs_they_name():
    """One of 28 systems is in 27 pairs; three of them make 3 pairs among themselves."""
    test = app("pages/pairs.py")
    systems = test.multiselect(key="systems").options[:3]
    test.multiselect(key="systems").set_value(systems[:1]).run()
    assert len(test.dataframe[-1].value) == 27
    test.multiselect(key="systems").set_value(systems)
    test.toggle(key="both").set_value(True).run()
    table = test.dataframe[-1].value
    assert len(table) == 3
    assert set(table["system_a"]) | set(table["system_b"]) == set(systems)


def test_filters_that_leave_nothing_say_so():
    test = app("pages/pairs.py")
    test.multiselect(key="systems").set_value(test.multiselect(key="systems").options[:1])
    test.toggle(key="both").set_value(True).run()
    assert not test.exception
    assert "No pair passes the filters" in texts(test)


def test_the_threshold_rule_can_be_moved():
    test = app("pages/pairs.py", fewest=1)
    assert thresholds(test).notna().any()
    test.number_input(key="fewest").set_value(1000).run()
    assert "at least 1,000 pairs" in texts(test)
    assert thresholds(test).isna().all()


def thresholds(test):
    """The thresholds by the window."""
    return next(frame.value for frame in test.dataframe if "pairs_in_window" in frame.value)["threshold"]


def test_the_window_follows_the_level_until_it_is_moved():
    """At a level of 0.1 it is 0.08 to 0.12; once it is moved, the level moves it no more."""
    test = app("pages/pairs.py")
    assert "with p from 0.04 to 0.06" in texts(test)
    test.number_input(key="alpha").set_value(0.1).run()
    assert "with p from 0.08 to 0.12" in texts(test)
    assert "window" not in test.query_params
    test.slider(key="window").set_value((0.03, 0.07)).run()
    test.number_input(key="alpha").set_value(0.02).run()
    assert "with p from 0.03 to 0.07" in texts(test)
    assert test.query_params["window"] == ["0.03", "0.07"]


def test_choosing_a_pair_shows_its_numbers():
    test = app("pages/pairs.py")
    test.session_state["pair"] = listed_pairs(test)[-1]
    test.run()
    assert metric(test, "p") == metric(test, "p, one-sided (the paper's)") == "< 0.0001"


GOLD = conllu("a/0/root b/1/obj c/1/obl", "d/0/root e/1/obj")
SYSTEM = conllu("a/0/root b/1/obj c/2/obl", "d/0/root e/1/obj")


def test_an_upload_replaces_the_task():
    test = app()
    files = {"gold.conllu": GOLD, "systems/One__1.conllu": GOLD, "systems/Two__1.conllu": SYSTEM}
    test.file_uploader(key="upload").upload("mine.zip", zipped(files)).run()
    assert not test.exception
    assert test.selectbox(key="task").value == "mine (uploaded)"
    assert (metric(test, "Systems"), metric(test, "Sentences")) == ("2", "2")
    test.switch_page("pages/scores.py").run()
    assert list(test.dataframe[0].value["system"]) == ["One__1", "Two__1"]


def test_an_upload_that_is_no_task_says_why_and_changes_nothing():
    test = app()
    test.file_uploader(key="upload").upload("notes.txt", b"nothing").run()
    assert not test.exception
    assert "Cannot identify the gold: no file is named as gold. Name one file gold.txt, or put" in texts(test)
    assert test.selectbox(key="task").value == MAIN


def test_the_user_says_what_unrecognised_files_are():
    """Three files of the same kind, none named as gold: the first one is, the user says."""
    test = app()
    lines = {"one.txt": b"a b c d\ne f g h\n", "two.txt": b"a b c d\ne f g x\n", "three.txt": b"a b c\ne f\n"}
    for name, text in lines.items():
        test.file_uploader(key="upload").upload(name, text)
    test.run()
    assert "These files were not recognised" in test.warning[0].value
    test.session_state[unrecognised(test)] = {"edited_rows": {0: {"role": "gold"}}}
    _click(test, "Read again")
    assert not test.exception
    assert test.selectbox(key="task").value == "files (uploaded)"
    assert sorted(listed(test)["system"]) == ["three", "two"]
    assert not test.warning or "recognised" not in test.warning[0].value


def test_roles_chosen_for_some_files_do_not_apply_to_others():
    """The rows of a table are known by number: as many other files are another table."""
    test = app()
    for number in range(3):
        test.file_uploader(key="upload").upload(f"{number}.txt", b"a b\n")
    test.run()
    test.session_state[first := unrecognised(test)] = {"edited_rows": {0: {"role": "gold"}}}
    for number in range(3):
        test.file_uploader(key="upload_folder").upload(f"{number + 3}.txt", b"a b\n")
    test.run()
    assert unrecognised(test) != first
    _click(test, "Read again")
    assert "These files were not recognised" in test.warning[0].value


def test_the_user_says_what_the_files_of_an_unrecognised_folder_are(tmp_path, monkeypatch):
    for name, text in {"one.txt": "a b c d\ne f g h\n", "two.txt": "a b c d\ne f g x\n", "three.txt": "a\nb\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app()
    test.text_input(key="folder_path").set_value(str(tmp_path))
    test.button(key="open_folder").click().run()
    assert "These files were not recognised" in test.warning[0].value
    test.session_state[unrecognised(test)] = {"edited_rows": {0: {"role": "gold"}}}
    _click(test, "Read again")
    assert not test.exception
    assert test.selectbox(key="task").value == str(tmp_path)
    assert sorted(listed(test)["system"]) == ["three", "two"]
    before = scored(test, "two")
    (tmp_path / "two.txt").write_text("a b c d\ne f g h\n", encoding="utf-8")
    test.run()
    assert before < scored(test, "two") == 100


def test_the_same_files_with_another_gold_are_another_task():
    """gold2.md among the files is not used; as the gold apart it takes the place of gold.bio, by which A is perfect."""
    gold, other, a = "x\tB-PER\ny\tO\n\n", "x\tB-PER\ny\tB-LOC\n\n", "x\tB-PER\ny\tO\n\n"
    files = {"gold.bio": gold, "a.bio": a, "b.bio": other}
    together, apart = app(), app()
    for name, text in (files | {"gold2.md": other}).items():
        together.file_uploader(key="upload").upload(name, text.encode())
    together.run()
    for name, text in files.items():
        apart.file_uploader(key="upload").upload(name, text.encode())
    apart.file_uploader(key="upload_gold").upload("gold2.md", other.encode())
    apart.run()
    assert (scored(together, "a"), scored(apart, "a")) == (100, pytest.approx(200 / 3))


def test_what_the_user_said_at_first_is_where_a_correction_is_taken_back_to():
    """Three files without a gold are a task by what the user said; two sessions that say otherwise share no key."""
    tests = [app(), app()]
    for first, test in enumerate(tests):
        for name, text in {"one.txt": "a b c d\n", "two.txt": "a b c x\n", "three.txt": "a b c\n"}.items():
            test.file_uploader(key="upload").upload(name, text.encode())
        test.run()
        test.session_state[unrecognised(test)] = {"edited_rows": {first: {"role": "gold"}}}
        _click(test, "Read again")
        _select(test, "Format", "Summaries")
        _click(test, "Read again")
        assert metric(test, "Documents") == "1"
        test.button(key="as_recognised").click().run()
        assert metric(test, "Segments") == "1"
    assert [sorted(listed(test)["system"]) for test in tests] == [["three", "two"], ["one", "three"]]


def test_a_folder_with_its_gold_has_another_key_than_the_files_of_both(tmp_path):
    write(tmp_path, {"a/gold.bio": "x\tO\n", "b/gold.bio": "x\tO\n"})
    name = f"{tmp_path / 'a'}"
    keys = {cache.key_at(name), cache.key_at(f"{name}{cache.WITH_GOLD}{tmp_path / 'b'}")}
    keys |= {
        cache.key_at(name, Correction(roles={"gold.bio": "output"})),
        cache.key_at(name, Correction(format="CoNLL-X")),
    }
    assert len(keys) == 4
    before = cache.key_at(name)
    (tmp_path / "a" / "gold.bio").write_text("x\tO\ny\tO\n", encoding="utf-8")
    assert cache.key_at(name) != before


@pytest.mark.parametrize("folder", ["task with gold files", "task with gold /files"])
def test_the_name_of_a_folder_is_not_taken_for_its_gold(tmp_path, folder):
    path = write(tmp_path / folder, {"gold.txt": "a b c d\n", "A.txt": "a b c d\n", "B.txt": "a b c x\n"})
    gold = write(tmp_path / "x with gold y", {"gold.txt": "a b c x\n"})
    assert len(cache.task_at(str(path))[1].systems) == 2
    _, task = cache.task_at(f"{path}{cache.WITH_GOLD}{gold}")
    assert [file.path for file in task.test_set().gold_files] == ["gold supplied separately/gold.txt"]


def test_a_link_that_names_what_is_not_here_says_so_once():
    test = app(metric="BLEU", domain="wiki")
    assert "The link contains choices that do not exist here" in test.warning[0].value
    assert "metric BLEU, domain wiki" in test.warning[0].value
    test.run()
    assert not any("The link contains" in warning.value for warning in test.warning)
    assert not any("The link contains" in warning.value for warning in app(metric="UAS").warning)


def test_a_correction_reads_the_files_anew_and_can_be_taken_back():
    """Taken for translations, the sample's summaries have other metrics."""
    test = app()
    text = {"references/ref.txt": "a b c d e\n" * 3, "systems/A.txt": "a b c d e\n" * 3, "systems/B.txt": "a b c\n" * 3}
    test.file_uploader(key="upload").upload("mine.zip", zipped(text)).run()
    assert "BLEU" in test.selectbox(key="metric").options
    _select(test, "Format", "Summaries")
    _click(test, "Read again")
    assert not test.exception
    assert test.selectbox(key="metric").options[0] == "ROUGE-1"
    assert metric(test, "Documents") == "3"
    test.button(key="as_recognised").click().run()
    assert "BLEU" in test.selectbox(key="metric").options


def test_a_correction_that_makes_no_task_can_be_taken_back():
    test = app()
    text = {"references/ref.txt": "a b\n" * 3, "systems/A.txt": "a b\n" * 3, "systems/B.txt": "a\n" * 3}
    test.file_uploader(key="upload").upload("mine.zip", zipped(text)).run()
    _select(test, "Format", "CoNLL-U")
    _click(test, "Read again")
    assert not test.exception
    assert "references/ref.txt, line 1: 1 tab-separated columns instead of 10" in texts(test)
    test.button(key="as_recognised").click().run()
    assert "BLEU" in test.selectbox(key="metric").options


def test_a_score_table_asks_which_direction_is_better():
    test = app()
    rows = "".join(f"{i},0.{i % 7},0.{i % 5}\n" for i in range(40))
    test.file_uploader(key="upload").upload("comet.csv", ("unit,A,B\n" + rows).encode()).run()
    assert not test.exception
    assert "Is a higher or a lower score better?" in test.info[0].value
    test.segmented_control(key="edition").set_value("lower").run()
    assert not test.exception
    assert metric(test, "Units") == "40"
    assert listed(test)["system"].tolist() == ["B", "A"]
    assert "metric:mean-lower|" in test.code[0].value


def test_systems_that_lack_a_score_are_kept_on_common_units_by_one_click_on_every_page():
    """Of three systems two lack a score: no pair is left, until the 38 units of 40 are chosen that all have."""
    rows = "".join(f"{i},0.{i % 7},{'' if i == 3 else 0.1},{'' if i == 5 else 0.2}\n" for i in range(40))
    test = app()
    test.file_uploader(key="upload").upload("comet.csv", ("unit,A,B,C\n" + rows).encode()).run()
    test.segmented_control(key="edition").set_value("higher").run()
    assert [warning.value for warning in test.warning] == ["2 invalid or missing outputs: left out."]
    for page in ("pages/scores.py", "pages/pair.py", "pages/pairs.py"):
        test.switch_page(page).run()
        assert test.warning[0].value == "2 systems lack some scores and are left out."
        assert test.button(key="common_units").label == "Keep all systems, on the 38 units that all have"
    assert [error.value for error in test.error] == ["This task cannot be shown."]
    assert "choose 'drop units' for invalid outputs to keep it on the units that all have" in texts(test)
    test.button(key="common_units").click().run()
    assert not test.error
    assert not any("lack some scores" in warning.value for warning in test.warning)
    assert len(listed_pairs(test)) == 3
    assert "|n:38|" in test.code[0].value
    test.switch_page("app.py").run()
    assert test.warning[0].value == (
        "2 invalid or missing outputs: the units that one of them lacks are left out for all systems, 38 of 40 remain."
    )
    assert "common_units" not in [button.key for button in test.button]


def _select(test: AppTest, label: str, value: str) -> None:
    next(box for box in test.selectbox if box.label == label).set_value(value)


def _click(test: AppTest, label: str) -> None:
    next(button for button in test.button if button.label == label).click().run()


def test_an_upload_with_an_invalid_gold_says_where():
    test = app()
    files = {"gold.conllu": "1\ta\n\n", "systems/x.conllu": GOLD, "systems/y.conllu": GOLD}
    test.file_uploader(key="upload").upload("mine.zip", zipped(files)).run()
    assert not test.exception
    assert "gold.conllu, line 1: 2 tab-separated columns instead of 10" in texts(test)


def test_names_with_markup_are_shown_as_they_are():
    files = {"gold.conllu": GOLD, "systems/a*b*__1.conllu": SYSTEM, "systems/$x$.conllu": SYSTEM}
    test = app()
    test.file_uploader(key="upload").upload("mine.zip", zipped(files)).run()
    assert r"a\*b\*\_\_1" in test.info[0].value


def test_a_folder_of_the_machine_opens_only_below_the_root(tmp_path, monkeypatch):
    for name, content in {"gold.conllu": GOLD, "one.conllu": GOLD, "two.conllu": SYSTEM}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(task=tmp_path)
    assert metric(test, "Systems") == "2"
    test = app(task="/etc")
    assert f"/etc is not below {tmp_path}" in texts(test)
    assert test.selectbox(key="task").value == MAIN
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("NLPSIG_FOLDERS", os.pathsep.join((str(tmp_path / "other"), str(tmp_path))))
    assert metric(app(task=tmp_path), "Systems") == "2"
    assert f"/etc is not below {tmp_path / 'other'} or {tmp_path}" in texts(app(task="/etc"))
    monkeypatch.delenv("NLPSIG_FOLDERS")
    test = app(task=tmp_path)
    assert test.selectbox(key="task").value == MAIN


def test_a_server_without_a_guard_opens_no_folders(tmp_path, monkeypatch, asks_for_token):
    """Streamlit can be told to serve app.py itself; that the environment has a token does not help."""
    for name, content in {"gold.conllu": GOLD, "one.conllu": GOLD, "two.conllu": SYSTEM}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    monkeypatch.setenv("NLPSIG_TOKEN", "named-but-not-asked-for")
    asks_for_token.clear()
    test = app(task=tmp_path)
    assert test.selectbox(key="task").value == MAIN
    assert [tab.label for tab in test.tabs][:2] == ["Files or zip", "Folder"]
    assert "Folder on this machine" not in [tab.label for tab in test.tabs]


def test_a_folder_opens_with_its_gold_apart(tmp_path, monkeypatch):
    """The CoNLL 2017 package: TEAM/RUN/output/TESTSET.conllu, and the gold somewhere else."""
    for path in ("outputs/North/1/output/xx.conllu", "outputs/South/1/output/xx.conllu", "gold/xx.conllu"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(GOLD, encoding="utf-8")
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app()
    test.text_input(key="folder_path").set_value(str(tmp_path / "outputs"))
    test.text_input(key="folder_gold").set_value(str(tmp_path / "gold"))
    test.button(key="open_folder").click().run()
    assert not test.exception
    assert list(listed(test)["system"]) == ["North__1", "South__1"]
    test.text_input(key="folder_gold").set_value(str(tmp_path / "nothing"))
    test.button(key="open_folder").click().run()
    assert "nothing does not exist; it may have been moved" in texts(test)


def test_edited_groups_change_the_comparison_classes():
    test = app("pages/pairs.py")
    before = set(test.dataframe[-1].value["comparison"])
    cells = {file: {"group": "one", "kind": "system"} for file in load_task(MAIN).systems["file"]}
    test.session_state["workspace"].change(MAIN, lambda _: {"cells": cells})
    test.run()
    assert "different groups" in before
    assert set(test.dataframe[-1].value["comparison"]) == {"same group", "invalid output"}


def listed(test: AppTest):
    """The list of the best systems on the first page."""
    return next(frame.value for frame in test.dataframe if "score" in frame.value)


def scored(test: AppTest, system: str) -> float:
    """The score of a system in that list."""
    return float(listed(test).set_index("system")["score"][system])


def test_the_first_page_lists_the_best_systems_best_first():
    """The first problem table aside, the list's scores fall, and none of the other systems has more."""
    best_systems = listed(app())
    task = load_task(MAIN)
    counts = count_test_set(task.test_set(), list(task.systems["file"]), dependency.FAMILY)
    stats = counts.stats(METRICS["LAS"], dict(zip(task.systems["file"], task.systems["system"], strict=True)))
    best = sorted(stats.scores, reverse=True)[: len(best_systems)]
    np.testing.assert_allclose(best_systems["score"], best)
    assert best_systems["system"].iloc[0] == stats.names[int(np.argmax(stats.scores))]


class Stopped(dict):
    """Every test of all pairs was stopped half way."""

    def __contains__(self, key):
        return key[0] == "bootstrap"

    def __getitem__(self, key):
        return 0.5


def test_scores_are_shown_before_their_intervals(monkeypatch):
    """Where the test of all pairs was stopped, the systems by score stay on the page."""
    with monkeypatch.context() as patch:
        patch.setattr(watching, "_stopped", Stopped)
        test = app("pages/scores.py", seed=83_001)
    assert any("Stopped at 50%" in message.value for message in test.warning)
    (table,) = (frame.value for frame in test.dataframe)
    assert list(table) == ["system", "score", "group"]
    assert len(table) == 28
    assert table["score"].is_monotonic_decreasing
    assert "low" in app("pages/scores.py", seed=83_002).dataframe[0].value


def test_the_first_page_says_how_many_resamples_are_drawn():
    assert "|b:10000|" in texts(app())
    assert "|b:100000|" in texts(app(b="100k"))


@pytest.mark.parametrize("page", [page for page in SCRIPTS if page not in BASIC[:3]])
def test_the_other_pages_open_for_other_kinds(page):
    for task in ("quorin-alignment", "varnil-scores", SEVERAL):
        test = app(page, task=task, edition="higher", test_set="macro-average" if task == SEVERAL else "")
        assert not test.exception
