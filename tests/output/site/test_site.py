"""A site: its files, what they say, that nothing in names runs, and which folders and tasks are refused."""

from __future__ import annotations

import filecmp
import io
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.commands.cli import main
from nlpsig_core.output.report import one_pair
from nlpsig_core.output.report.about import Reading
from nlpsig_core.output.report.page import Page
from nlpsig_core.output.site.cards import Entry, grouped
from nlpsig_core.output.site.writing import Site
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair.citing import Finding, methods_sentence
from tests.builders import write
from tests.output.report.test_report import Page as Parsed
from tests.output.site.sites import NAMES, campaign, hostile, pairs_data, part

ROOT = Path(__file__).resolve().parents[3]
# What a page may load or link to: files of the site, and the paper.
ELSEWHERE = re.compile(r"(?:src|href|action|data)=[\"']?(https?:[^\"' >]+|//[^\"' >]+)")


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    """A site of a campaign and of a table with hostile names."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPSIG_CACHE", str(tmp_path_factory.mktemp("cache")))
        edition = ["--edition", "higher"]
        words = ["site", str(campaign(folder)), "semeval-2018-arguments", "--title", "<i>Results</i>"]
        assert main([*words, "--resamples", "2000", "-o", str(folder / "public")]) == 0
        words = ["site", str(hostile(folder)), *edition, "--resamples", "2000", "-o", str(folder / "hostile")]
        assert main(words) == 0
    return folder


def parsed(page: Path) -> Parsed:
    return Parsed(page.read_text(encoding="utf-8"))


def test_a_site_has_a_page_for_each_task_and_test_set(small):
    pages = {path.name for path in (small / "public").glob("*.html")}
    of_campaign = {"Two-sets.html", "Two-sets-one.html", "Two-sets-two.html"}
    assert pages == {"index.html", "film.html", "glossary.html", "semeval-2018-arguments.html", *of_campaign}
    own = {path.name for path in (small / "public" / "Two-sets-one").iterdir()}
    assert own >= {"pairs.csv", "pairs.tex", "ranking.csv", "ranking.tex", "citations.bib", "pairs-0.js", "metrics.csv"}
    assert (small / "public" / "Two-sets" / "Two-sets.nlpsig").is_file()


def test_the_front_page_by_pencil(small):
    """Of 24 words A has all right (100%), C misses 2 (91.67), B 4 (83.33): on both test sets, and so on average."""
    front = parsed(small / "public" / "index.html")
    assert front.texts["h1"] == ["<i>Results</i>"]
    assert front.texts["h2"] == ["Two sets", "semeval-2018-arguments"]
    best = [text.split() for text in front.texts["li"][:3]]
    assert [(words[1], words[2]) for words in best] == [("A", "100.00"), ("C", "91.67"), ("B", "83.33")]
    assert "3 systems3 pairs24 sentences" in front.texts["p"]
    assert any("<b>Bold</b> & quoted" in text for text in front.texts["p"])
    assert "Two-sets-one.html" in front.addresses
    assert len(front.texts["svg"]) == 2


def test_the_verdict_on_the_front_page_is_that_of_the_results(small):
    selection = load_task("semeval-2018-arguments").select()
    results = selection.bootstrap(Resampling(2_000))
    first, second = results.ranking()["system"][:2]
    pairs = results.pairs()
    row = pairs[pairs[["system_a", "system_b"]].isin([first, second]).all(axis=1)].iloc[0]
    verdict = results.verdict(row, Notion())
    assert any(
        f"{verdict.answer.symbol} {verdict.line}" in text for text in parsed(small / "public/index.html").texts["p"]
    )


def test_every_pair_is_packed_with_the_words_it_has_everywhere(small):
    """Reason, sentence and p of each pair are those of the results, in the order of the page's table."""
    results = load_task("semeval-2018-arguments").select().bootstrap(Resampling(2_000))
    page = Page(results, Reading())
    data, packed = (
        pairs_data(small / "public/semeval-2018-arguments.html"),
        part(small / "public/semeval-2018-arguments"),
    )
    assert len(packed["reason"]) == len(page.pairs) == 231
    for place in (0, 17, 230):
        row = page.pairs.iloc[place]
        verdict = results.verdict(row, Notion())
        assert f"{packed['word'][place]}: {packed['reason'][place]}" == verdict.line
        assert packed["sentence"][place] == methods_sentence(
            Finding(selection=results.selection, row=row, recipe=results.recipe)
        )
        assert [data["names"][data[side][place]] for side in "ab"] == row[["system_a", "system_b"]].tolist()
        assert len(packed["numbers"][place]) == len(data["numbers_of"])


def test_a_histogram_by_pencil():
    """256 bins of width 0.1 from -1 with counts 0..., 4 in bin 10 and 2 in bin 17: bars of five bins, 10 to 14 and 15
    to 19, with 4 and 2 resamples: heights 250 and 125, from -1 + 10 x 0.1 = 0, each 0.5 wide."""
    results = load_task("semeval-2018-arguments").select().bootstrap(Resampling(50))
    bins = np.zeros_like(results.bootstrap.bins)
    bins[0, 10], bins[0, 17] = 4, 2
    low, width = np.full(len(bins), -1.0), np.full(len(bins), 0.1)
    for name, value in (("bins", bins), ("low", low), ("width", width)):
        object.__setattr__(results.bootstrap, name, value)
    assert one_pair.histograms(results, np.array([0])) == {"low": [0.0], "width": [0.5], "bars": [[250, 125]]}


def test_gains_that_come_in_steps_make_no_comb():
    """One gain of 0.25, 0.5, ..., 5, in every second or third bin of width 0.1: two steps a bar, from the even one."""
    bins, places = np.zeros(60), np.arange(0.25, 5.1, 0.25)
    bins[(places / 0.1).astype(int)] = 1
    start, width, bars = one_pair._bars(bins, 0.0, 0.1, 0.25)
    assert (start, width) == (-0.125, 0.5)
    assert bars[:11].tolist() == [1, *[2] * 9, 1]


def test_histograms_of_pairs_are_those_of_their_own_gains(small):
    """The mean of a histogram is near the gain of its pair: within a standard error, for each of the 231."""
    data, packed = (
        pairs_data(small / "public/semeval-2018-arguments.html"),
        part(small / "public/semeval-2018-arguments"),
    )
    for place, gain in enumerate(data["columns"]["gain"]):
        bars, step = np.array(packed["bars"][place]), packed["width"][place]
        middle = packed["low"][place] + step * (np.arange(len(bars)) + 0.5)
        # A bar is a quarter of a standard error wide.
        assert abs((bars * middle).sum() / bars.sum() - gain) <= 4 * step


def test_every_text_ends_with_one_line_break(small):
    """But the script of plotly, which is as its makers ship it; a pack is no text."""
    files = [path for path in (small / "public").rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix != ".nlpsig" and path.name != "plotly.min.js"]
    assert {path.suffix for path in texts} == {".html", ".css", ".js", ".csv", ".tex", ".bib", ".txt"}
    ends = {str(path): path.read_bytes()[-2:] for path in texts}
    assert [path for path, end in ends.items() if end[1:] != b"\n" or end == b"\n\n"] == []


def test_downloads_have_all_pairs(small):
    """CSV with every column below its signature, LaTeX that escapes names."""
    folder = small / "public" / "semeval-2018-arguments"
    signature, _, table = (folder / "pairs.csv").read_text(encoding="utf-8").partition("\n")
    assert signature.startswith("# metric:")
    expected = Page(load_task("semeval-2018-arguments").select().bootstrap(Resampling(2_000)), Reading()).pairs
    found = pd.read_csv(io.StringIO(table))
    np.testing.assert_allclose(found["p_two_sided"], expected["p_two_sided"])
    assert (folder / "ranking.tex").read_text(encoding="utf-8").startswith("% metric:")
    assert "Berg-Kirkpatrick" in (folder / "citations.bib").read_text(encoding="utf-8")


def test_names_are_text_and_nothing_is_loaded_from_elsewhere(small):
    for page in [*(small / "hostile").glob("*.html"), *(small / "public").glob("*.html")]:
        text = page.read_text(encoding="utf-8")
        policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'"
        assert policy in text
        assert set(ELSEWHERE.findall(text)) <= {"https://aclanthology.org/D12-1091/"}
        assert "<script>" not in text
        assert not re.search(r"\son\w+=\"", re.sub(r"&[a-z#0-9]+;", "", text))
        for name in NAMES[:2]:
            assert name not in text
    data = pairs_data(small / "hostile" / "hostile.html")
    assert set(data["names"]) == set(NAMES)
    table = (small / "hostile" / "hostile" / "ranking.csv").read_text(encoding="utf-8")
    assert "'=1+1" in table


def test_equal_input_gives_equal_bytes(tmp_path, small):
    again = tmp_path / "again"
    words = ["site", str(hostile(tmp_path)), "--edition", "higher", "--resamples", "2000", "-o", str(again)]
    assert main(words) == 0
    assert same(again, small / "hostile")


def same(one: Path, other: Path) -> bool:
    files, others = ({str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} for folder in (one, other))
    _, mismatch, errors = filecmp.cmpfiles(one, other, sorted(files), shallow=False)
    return files == others and not mismatch and not errors


def test_one_test_set_or_the_average_alone_can_be_asked_for(tmp_path):
    words = ["site", str(campaign(tmp_path)), "--resamples", "200", "-o"]
    assert main([*words, str(tmp_path / "one"), "--test-set", "two"]) == 0
    assert main([*words, str(tmp_path / "mean"), "--test-set", MACRO]) == 0
    pages = [sorted(path.name for path in (tmp_path / of).glob("Two*.html")) for of in ("one", "mean")]
    assert pages == [["Two-sets.html"], ["Two-sets.html"]]


def test_a_task_that_cannot_be_read_is_named_and_the_others_go_on(tmp_path, capsys):
    missing = tmp_path / "missing"
    words = ["site", str(missing), "hansards-alignment", "--resamples", "200", "-o", str(tmp_path / "public")]
    assert main(words) == 2
    err = capsys.readouterr().err
    assert f"nlpsig: {missing} does not exist; " in err
    assert err.splitlines()[-1].startswith(f"nlpsig: No page of {missing}; nothing of an earlier site was removed")
    assert (tmp_path / "public" / "hansards-alignment.html").is_file()


def test_a_task_that_fails_keeps_its_earlier_pages(tmp_path):
    """Until a site is complete: then pages of tasks that are not given are removed."""
    folder, task = tmp_path / "public", campaign(tmp_path)
    words = ["--resamples", "200", "-o", str(folder)]
    assert main(["site", str(task), "hansards-alignment", *words]) == 0
    pages = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "Two-sets" in str(path)}
    task.rename(tmp_path / "away")
    assert main(["site", str(task), "hansards-alignment", *words]) == 2
    assert pages == {path: path.read_bytes() for path in pages}
    assert "Two-sets" not in (folder / "index.html").read_text(encoding="utf-8")
    assert main(["site", "hansards-alignment", *words]) == 0
    assert not any(path.exists() for path in pages)


def test_notes_name_the_task(tmp_path, capsys):
    tasks = [campaign(tmp_path / name) for name in ("a", "b")]
    for task in tasks:
        (task / "NOTES.md").write_text("mine", encoding="utf-8")
    words = ["site", *map(str, tasks), "--test-set", "one", "--resamples", "200", "-o", str(tmp_path / "public")]
    assert main(words) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "NOTES.md" in line]
    assert [note.partition(": NOTES.md")[0] for note in notes] == [f"note: {task}" for task in tasks]


def test_a_baseline_that_a_task_lacks_is_noted_and_one_that_all_lack_is_an_error(tmp_path, capsys):
    """The error comes before any page is written."""
    words = ["site", str(campaign(tmp_path)), "hansards-alignment", "--resamples", "200"]
    words += ["-o", str(tmp_path / "public")]
    assert main([*words, "--baseline", "C"]) == 0
    assert "note: hansards-alignment: no baseline: No system called 'C'" in capsys.readouterr().err
    for page, beaten in (("Two-sets", True), ("hansards-alignment", False)):
        assert ("Baseline." in parsed(tmp_path / "public" / f"{page}.html").texts["strong"]) == beaten
    for file in (tmp_path / "public").rglob("*.html"):
        file.unlink()
    assert main([*words, "--baseline", "hansards-D"]) == 2
    assert capsys.readouterr().err.endswith("nlpsig: No task has a system called 'hansards-D'\n")
    assert not list((tmp_path / "public").rglob("*.html"))


def test_the_address_of_a_task_that_cannot_be_read_stays_its_own(tmp_path):
    good = campaign(tmp_path / "one").rename(tmp_path / "one" / "same")
    write(tmp_path / "two" / "same", {"notes.txt": "nothing"})
    words = ["--resamples", "200", "-o", str(tmp_path / "public")]
    assert main(["site", str(tmp_path / "two" / "same"), str(good), *words]) == 2
    assert (tmp_path / "public" / "same-2.html").exists()
    assert not (tmp_path / "public" / "same.html").exists()


def test_without_any_task_there_is_no_site(tmp_path, capsys):
    assert main(["site", str(tmp_path / "missing"), "-o", str(tmp_path / "public")]) == 2
    refused, end = capsys.readouterr().err.splitlines()
    assert refused.startswith(f"nlpsig: {tmp_path / 'missing'} does not exist; ")
    assert end == "nlpsig: No page could be made, so there is no site; correct the tasks, or name others"
    assert not (tmp_path / "public").exists()


def test_a_folder_of_other_files_is_left_alone(tmp_path, capsys):
    """Also a web site that has a folder of the same name as those of nlpsig."""
    files = {"notes.txt": "mine", "home/index.html": "mine", "home/assets/style.css": "mine"}
    for folder in (write(tmp_path, files), tmp_path / "home"):
        assert main(["site", "hansards-alignment", "--resamples", "200", "-o", str(folder)]) == 2
        assert "is not empty and holds no site; name another folder" in capsys.readouterr().err
    assert {path: (tmp_path / path).read_text(encoding="utf-8") for path in files} == files
    assert main(["site", "hansards-alignment", "--resamples", "200", "-o", str(tmp_path / "notes.txt")]) == 2
    assert "is a file; name a folder for the site" in capsys.readouterr().err


def test_the_next_site_leaves_none_of_the_pages_before(tmp_path):
    folder, words = tmp_path / "public", ["--resamples", "2000", "-o", str(tmp_path / "public")]
    assert main(["site", str(campaign(tmp_path)), *words]) == 0
    (folder / "CNAME").write_text("example.org\n")
    assert (folder / "Two-sets-one.html").exists()
    assert main(["site", "semeval-2018-arguments", *words]) == 0
    left = {path.name for path in folder.rglob("*")}
    assert not any(name.startswith("Two-sets") for name in left)
    assert {"CNAME", "semeval-2018-arguments.html"} <= left


def test_a_file_that_is_written_again_counts_once(tmp_path):
    site = Site(tmp_path, "")
    for content in (b"ranking", b"new"):
        site.write("task/ranking.csv", content)
    assert site.size == 3


def test_latex_of_a_page_has_the_decimals_of_the_metric(tmp_path):
    """Costs of some cents, which two decimals make all alike."""
    words = ["--metric", "cost", "--resamples", "500", "-o", str(tmp_path / "public")]
    assert main(["site", "solem-repairs", *words]) == 0
    for name in ("ranking", "pairs"):
        text = (tmp_path / "public" / "solem-repairs" / f"{name}.tex").read_text(encoding="utf-8")
        assert {len(decimals) for decimals in re.findall(r"& -?0\.(\d+) &", text)} == {4}, name


def test_a_site_that_was_interrupted_is_written_again(tmp_path):
    """Ctrl-C after the first pack; pages of the site before are still removed by the next complete one."""
    words, folder = ["--resamples", "200", "-o", str(tmp_path / "public")], tmp_path / "public"
    assert main(["site", "semeval-2018-arguments", *words]) == 0
    begun = Site(folder, "")
    begun.add_pack(begun.add("a task"), b"pack")
    begun.add("next")
    assert main(["site", "hansards-alignment", *words]) == 0
    assert {path.stem for path in folder.glob("*.html")} == {"index", "film", "glossary", "hansards-alignment"}
    assert not (folder / "a-task").exists()


def test_a_site_that_was_interrupted_at_its_first_page_is_known_for_one(tmp_path):
    Site(tmp_path / "public", "").add("a task")
    Site(tmp_path / "public", "").check()
    with pytest.raises(FileError, match="holds no site"):
        Site(tmp_path, "").check()


def test_pages_never_share_a_name(tmp_path):
    """Whatever the case of letters, and not the names of the site's own pages."""
    site = Site(tmp_path, "")
    assert [site.stem(name) for name in ("a b", "A-b", "index", "a?b", "../x")] == [
        "a-b",
        "A-b-2",
        "index-2",
        "a-b-3",
        "x",
    ]


def test_tasks_of_one_campaign_are_together():
    entries = [Entry(name=name, stem=name, campaign=of) for name, of in (("a", "x"), ("b", ""), ("c", "x"), ("d", "y"))]
    groups = [(campaign, [entry.name for entry in group]) for campaign, group in grouped(entries)]
    assert groups == [("x", ["a", "c"]), ("", ["b"]), ("", ["d"])]


def test_the_workflow_makes_a_site_of_the_folder_tasks(tmp_path, monkeypatch):
    """The command of ``deploy/pages.yml``, in a repository with one pack."""
    workflow = (ROOT / "deploy" / "pages.yml").read_text(encoding="utf-8")
    (command,) = re.findall(r"run: nlpsig (site .*)$", workflow, re.MULTILINE)
    (tmp_path / "tasks").mkdir()
    pack = ROOT / "sample_data" / "hansards-alignment.nlpsig"
    (tmp_path / "tasks" / pack.name).write_bytes(pack.read_bytes())
    monkeypatch.chdir(tmp_path)
    words = [str(one) for word in shlex.split(command) for one in (Path().glob(word) if "*" in word else [word])]
    assert main([*words, "--resamples", "200"]) == 0
    assert re.search(r"path: public$", workflow, re.MULTILINE)
    assert (tmp_path / "public" / "index.html").is_file()
