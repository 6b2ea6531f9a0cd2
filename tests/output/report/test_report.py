"""The report: what stands on the page is what was computed, names are text, and nothing outside is asked for."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shlex
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.commands import reporting
from nlpsig_core.output.commands.options import Choices
from nlpsig_core.output.plots.style.embedded import drawing_script
from nlpsig_core.output.report import one_pair, tables
from nlpsig_core.output.report import page as report_module
from nlpsig_core.output.report.about import Reading
from nlpsig_core.output.report.page import report_html
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import finding, shown_p
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair.citing import bibtex as usual_bibtex
from tests.apps import values
from tests.builders import conllu, task, write

RIGHT, WRONG = "a/0/root b/1/obj", "a/0/root b/1/obl"
N = 12
# A misses 2 of 24 words, C__1 5, B 8; D is B's file again, E is invalid, F has a name that is markup.
IN_DOCUMENTS = {
    "gold.conllu": conllu(*[RIGHT] * N),
    "groups.tsv": "system\tgroup\nA\tx\nB\tx\nC__1\ty\nD\tz\nE\tz\n",
    "domains.tsv": "sentence\tdomain\tdoc\n"
    + "".join(f"{i + 1}\t{'web' if i < 8 else 'news'}\td{i // 2}\n" for i in range(N)),
    "systems/A.conllu": conllu(*[WRONG] * 2, *[RIGHT] * (N - 2)),
    "systems/B.conllu": conllu(*[WRONG] * 8, *[RIGHT] * (N - 8)),
    "systems/C__1.conllu": conllu(*[RIGHT] * (N - 5), *[WRONG] * 5),
    "systems/D.conllu": conllu(*[WRONG] * 8, *[RIGHT] * (N - 8)),
    "systems/E.conllu": conllu(*[RIGHT] * (N - 1)) + "1\ta\n\n",
}
# Sentences are resampled, as usual where they are not known to be alike.
SMALL = {path: text for path, text in IN_DOCUMENTS.items() if path != "domains.tsv"} | {
    "domains.tsv": "sentence\tdomain\n" + "".join(f"{i + 1}\t{'web' if i < 8 else 'news'}\n" for i in range(N))
}
HOSTILE = '</script><script>alert(1)</script> & "quotes"'
RECIPE = Resampling(20_000)
EMPTY = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """What a browser makes of a report: tables by caption, texts by tag, data by id, addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[list[str]]]] = {}
        self.texts: dict[str, list[str]] = {}
        self.data: dict[str, str] = {}
        self.addresses: list[str] = []
        self.labels: list[str] = []
        self._open: list[tuple[str, dict[str, str | None]]] = []
        self._blocks: list[list[list[str]]] = []
        # The script that draws is most of the page, and slow to read.
        self.feed(page.replace(drawing_script(), ""))
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attributes) -> None:
        named = dict(attributes)
        self.addresses += [value for key, value in attributes if key in ("href", "src", "action", "srcset", "data")]
        self.labels += [value for key, value in attributes if key == "aria-label"]
        if tag == "table":
            self._blocks = []
        elif tag in ("tbody", "thead"):
            self._blocks.append([])
        elif tag == "tr":
            self._blocks[-1].append([])
        elif tag in ("td", "th"):
            self._blocks[-1][-1].append("")
        self.texts.setdefault(tag, []).append("")
        if tag not in EMPTY:
            self._open.append((tag, named))

    def handle_endtag(self, tag) -> None:
        opened, _ = self._open.pop()
        assert opened == tag
        if tag == "table":
            self.tables[self.texts["caption"][-1]] = self._blocks

    def handle_data(self, text) -> None:
        tags = [tag for tag, _ in self._open]
        for tag in set(tags):
            self.texts[tag][-1] += text
        if tags and tags[-1] == "script" and "id" in self._open[-1][1]:
            self.data[self._open[-1][1]["id"]] = text
        if {"td", "th"} & set(tags):
            self._blocks[-1][-1][-1] += text

    def table(self, start: str) -> list[list[list[str]]]:
        """The blocks (head, bodies) of rows of cells of the table whose caption starts so."""
        (found,) = [blocks for caption, blocks in self.tables.items() if caption.startswith(start)]
        return found

    @property
    def pairs(self) -> dict:
        return json.loads(self.data["pairs-data"])

    @property
    def figures(self) -> dict[str, dict]:
        return {name: json.loads(text) for name, text in self.data.items() if name.endswith("-figure-data")}


def selection(contents=SMALL, metric="LAS", **more) -> Selection:
    return select(task(contents), METRICS[metric], **more)


def page_of(comparison, recipe=RECIPE, **options) -> Page:
    return Page(report_html(comparison.bootstrap(recipe), Reading(**options)))


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> SimpleNamespace:
    """A report of the small task, with the page as text and as parsed, and what it is made of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPSIG_CACHE", str(tmp_path_factory.mktemp("cache")))
        one = selection()
        result = one.bootstrap(RECIPE)
        text = report_html(result)
        return SimpleNamespace(selection=one, result=result, text=text, page=Page(text))


def test_ranking_by_pencil(small):
    """Of 24 words A misses 2 (91.67), C__1 5 (79.17), B and D 8 (66.67); E is invalid and gets nothing."""
    head, *blocks = small.page.table("Systems by LAS (%)")
    assert head == [["Tied group", "Rank", "System", "Group", "LAS", "95% interval"]]
    rows = [row[-5:] for block in blocks for row in block]
    rows = [
        [rank, system, group, score.removesuffix(interval), interval] for rank, system, group, score, interval in rows
    ]
    assert [row[3] for row in rows] == ["91.67", "79.17", "66.67", "66.67", "0.00"]
    # Below the name stand, on a phone, the group, and what is to be said of the output.
    assert [row[1] for row in rows][:4] == ["Ax", "C__1y", "Bx", "Dzsame file as B"]
    assert rows[4][1].startswith("Ezsystems/E.conllu, line 34: 2 tab-separated columns")
    assert small.page.texts["h1"] == ["small"]
    ranking = small.result.ranking()
    assert [len(block) for block in blocks] == ranking["tied_group"].value_counts(sort=False).tolist()
    assert len(blocks) > 1
    assert [f"{row.low:.2f} – {row.high:.2f}" for row in ranking.itertuples()] == [row[-1] for row in rows]


def test_the_page_says_what_was_compared(small):
    facts = dict(zip(small.page.texts["dt"], small.page.texts["dd"], strict=True))
    assert facts["Metric"] == "LAS"
    assert facts["Sentences"] == "12"
    assert facts["Systems"] == "5 of 3 groups"
    assert facts["Pairs"] == "10"
    assert facts["Resamples"] == "20,000, seed 0; of sentences, the same for all systems"
    assert facts["Ranks and ties"] == "two-sided p < 0.05 after Holm over 10 pairs"
    pairs = small.result.pairs()
    best = pairs[(pairs["system_a"] == "A") & (pairs["system_b"] == "C__1")].iloc[0]
    verdict = small.result.verdict(best, Notion())
    assert any(f"{verdict.answer.symbol} {verdict.line}" in text for text in small.page.texts["p"])
    assert any(finding(pairs, Notion(), METRICS["LAS"]) in text for text in small.page.texts["p"])
    lead = next(text for text in small.page.texts["p"] if "leads with" in text)
    assert lead.startswith("A leads with 91.67 LAS;")
    signature, _, bibtex = small.page.texts["pre"]
    assert signature.startswith("metric:LAS|test:bootstrap|b:20000|seed:0|unit:sentence|n:12|task:small|")
    assert "|invalid:score as 0|level:0.05|sides:two|scope:both|adjust:Holm|interval:percentile|" in signature
    assert bibtex == usual_bibtex().strip()


def test_the_same_input_gives_the_same_bytes(small):
    again = selection()
    assert report_html(again.bootstrap(RECIPE)) == small.text


def test_nothing_outside_is_referred_to(small):
    outside = [a for a in small.page.addresses if not a.startswith(("#", "data:"))]
    assert outside == ["https://aclanthology.org/D12-1091/"]
    assert "default-src 'none'" in small.text
    own = small.text.replace(drawing_script(), "")
    assert "@import" not in own
    assert "url(" not in own
    assert len(own) < 100_000


def test_problems_have_file_line_and_reason(small):
    head, rows = small.page.table("Invalid and missing outputs")
    assert head == [["System", "File", "Line", "What is wrong"]]
    assert rows == [["E", "systems/E.conllu", "34", rows[0][3]]]
    assert rows[0][3].startswith("2 tab-separated columns instead of 10")
    assert "1 invalid or missing output: scored as empty, as the shared tasks rule." in small.page.texts["p"]
    assert "B, D: the same file; no test can tell them apart" in small.page.texts["li"]
    few = "12 sentences are few to resample: the bootstrap's p comes out too small; "
    assert f"{few}approximate randomization's does not" in small.page.texts["li"]


def test_remarks_on_outputs_that_are_used():
    """conlleval repairs an I- after O; what it repaired stands on the page."""
    gold = "a B-PER\nb O\n\n" * 3
    repaired = "a I-PER\nb O\n\n" * 3
    files = {"gold.conll": gold, "systems/A.conll": gold, "systems/B.conll": repaired}
    page = page_of(selection(files, "F1-entities"), Resampling(50))
    ((head,), rows) = page.table("Remarks on outputs")
    assert head == ["System", "File", "Remark"]
    assert rows[0][:2] == ["B", "systems/B.conll"]
    assert "All outputs are present and valid." in page.texts["p"]


def test_the_table_of_pairs_is_that_of_the_comparison(small):
    data = small.page.pairs
    expected = tables.in_order(small.result.pairs(), small.selection.metric)
    named = {c: [data["names"][place] for place in data[key]] for c, key in (("system_a", "a"), ("system_b", "b"))}
    classes = [data["classes"][place] for place in data["comparison"]]
    scores = np.array(data["scores"])
    found = pd.DataFrame(named | {"comparison": classes, "score_a": scores[data["a"]]} | data["columns"])
    exact = ["system_a", "system_b", "comparison", "p_value", "p_two_sided", "hits", "resamples"]
    pd.testing.assert_frame_equal(found[exact], expected[exact], check_dtype=False)
    near = ["score_a", "gain", "gain_low", "gain_high", "p", "p_corrected", "p_holm", "p_bh", "p_small_two_sided"]
    near += ["correlation", "standard_error", "differing"]
    np.testing.assert_allclose(found[near], expected[near], atol=6e-7)
    assert found["score_a"].is_monotonic_decreasing
    assert [data["answers"][answer] for answer in data["verdict"]] == expected["verdict"].tolist()
    assert data["texts"]["p"] == [shown_p(row, 0.05) for _, row in expected.iterrows()]
    assert any(text.startswith("< ") for text in data["texts"]["p"])


def test_figures_are_those_of_the_plots(small):
    drawn = small.page.figures
    assert list(drawn) == ["ranking-figure-data", "pairs-figure-data", "matrix-figure-data"]
    scatter = drawn["pairs-figure-data"]
    points = sum(len(trace["text"]) for trace in scatter["data"])
    assert points == (small.result.pairs()["gain"] > 0).sum() == 9
    # The script knows which row of the page's table each dot is.
    data = small.page.pairs
    for trace, rows in zip(scatter["data"], data["drawn"], strict=True):
        names = [(data["names"][data["a"][row]], data["names"][data["b"][row]]) for row in rows]
        assert [text.partition("<br>")[0] for text in trace["text"]] == [
            f"<b>{a}</b> over <b>{b}</b>" for a, b in names
        ]
    for figure in drawn.values():
        assert "metric:LAS" in figure["layout"]["title"]["text"]
        assert figure["layout"]["template"].get("layout", {}).get("paper_bgcolor") is None
        assert figure["layout"]["yaxis"]["automargin"]


def test_pairs_that_are_not_drawn_are_counted(monkeypatch):
    monkeypatch.setattr("nlpsig_core.output.plots.style.confidence.FEWEST", 1)
    page = page_of(selection())
    points = sum(len(trace["text"]) for trace in page.figures["pairs-figure-data"]["data"])
    assert 0 < points < 9
    said = f"{9 - points} pairs with a larger gain, all with a one-sided p below 0.0005, are not drawn."
    assert any(said in text for text in page.texts["p"])


def test_thresholds_say_what_they_rest_on():
    """With a window that has all pairs the first estimate has a number; where fewer are asked for, a reason."""
    one = selection({path: text * 2 if path.endswith("conllu") else text for path, text in SMALL.items()})
    result = one.bootstrap(RECIPE)
    found = threshold_table(result.pairs(), Rule(window=(0.0, 1.0), fewest=3)).set_index("comparison")
    (_, *blocks) = Page(report_html(result, Reading(rule=Rule(window=(0.0, 1.0), fewest=3)))).table(
        "Thresholds by kind"
    )
    first, second = blocks[0]
    row = found.loc["different groups"]
    assert first[0] == f"different groups{row.pairs} pairs"
    assert first[1:4] == ["pairs at the border", f"{row.threshold:.2f}", ""]
    assert first[4] == f"{row.pairs_in_window} pairs with p from 0 to 1"
    assert second[0] == "model of needed gains"
    same = found.loc["same group"]
    assert blocks[1][0][2] == f"no estimate: {same.reason}" == "no estimate: 1 pair with p in 0 to 1; 3 are needed"
    assert blocks[1][1][1:] == [f"no estimate: {same.model_reason}"]


def hostile() -> Selection:
    """The small task with names, groups and a description that are markup."""
    given = task(SMALL | {"description.txt": HOSTILE})
    names = [HOSTILE, "=1+1", *given.systems["system"][2:]]
    return select(
        given.with_systems(given.systems.assign(system=names, group=[HOSTILE, *["<img src=x>"] * 4])), METRICS["LAS"]
    )


def test_names_are_text(small):
    one = hostile()
    text = report_html(one.bootstrap(RECIPE), Reading(title=HOSTILE))
    page = Page(text)
    assert page.texts["h1"] == [HOSTILE]
    assert len(page.texts["script"]) == len(small.page.texts["script"])
    assert "img" not in page.texts
    assert page.pairs["names"][:2] == [HOSTILE, "=1+1"]
    # A browser ends a script at "</script" already, whatever follows.
    assert not [name for name, data in page.data.items() if set("<>&") & set(data)]
    assert page.table("Systems by")[1][0][2] == f"{HOSTILE}{HOSTILE}"
    # Once as a system, once as a group.
    assert page.texts["option"].count(HOSTILE) == 2
    labels = page.figures["ranking-figure-data"]["layout"]["yaxis"]["ticktext"]
    assert all("<" not in label for label in labels)
    texts = [t for trace in page.figures["pairs-figure-data"]["data"] for t in trace["text"]]
    assert all("<script" not in t and "</script" not in t for t in texts)
    assert HOSTILE not in text


def test_many_pairs_are_cut_to_the_smallest_gains(monkeypatch):
    monkeypatch.setattr(tables, "MOST_PAIRS", 4)
    one = selection()
    result = one.bootstrap(RECIPE)
    page = Page(report_html(result))
    smallest = sorted(result.pairs()["gain"])[:4]
    assert sorted(page.pairs["columns"]["gain"]) == pytest.approx(smallest, abs=1e-6)
    assert page.pairs["scores"] == pytest.approx(one.stats.scores.tolist(), abs=1e-6)
    assert any("have the 4 pairs with the smallest gains" in text for text in page.texts["p"])


def test_a_matrix_of_too_many_systems_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr(report_module, "MOST_IN_MATRIX", 4)
    page = page_of(selection())
    assert "matrix-figure-data" not in page.data
    assert "#matrix" not in page.addresses
    assert any("no matrix of all pairs is drawn" in text for text in page.texts["p"])


def test_one_system_has_a_score_and_no_pair():
    page = page_of(selection({path: SMALL[path] for path in ("gold.conllu", "systems/A.conllu")}))
    assert any("There is one system, A with 91.67 LAS: no pair of systems" in text for text in page.texts["p"])
    assert list(page.data) == ["ranking-figure-data"]
    assert list(page.tables) == ["Systems by LAS (%)", "Scores by every metric"]
    assert "#pairs" not in page.addresses


def test_one_system_beside_an_invalid_output_has_no_verdict():
    kept = ("gold.conllu", "systems/A.conllu", "systems/E.conllu")
    page = page_of(selection({path: SMALL[path] for path in kept}))
    assert len(page.pairs["columns"]["p"]) == 1
    assert not any("the best two" in text for text in page.texts["p"])


def test_two_systems_with_the_same_score_have_nothing_to_test():
    page = page_of(selection({path: SMALL[path] for path in ("gold.conllu", "systems/B.conllu", "systems/D.conllu")}))
    assert page.pairs["columns"]["p_value"] == page.pairs["columns"]["p"] == [1.0]
    assert any("1 pair without a gain cannot be tested" in text for text in page.texts["p"])
    assert any("there is no threshold to estimate" in text for text in page.texts["p"])


TABLE = {"scores.csv": "unit,A,B,C\n" + "".join(f"{i},{i % 3},{i % 5},{i % 2 + 3}\n" for i in range(40))}


def test_where_lower_is_better_the_lowest_leads():
    """Means: A 0.975 (39 of 40), B 2, C 3.5; the gain of A over C is 2.525 and stands last."""
    page = page_of(selection(TABLE, "mean-lower"))
    assert any(text.startswith("A leads with 0.975 mean") for text in page.texts["p"])
    data = page.pairs
    assert [data["names"][place] for place in data["a"]] == ["A", "A", "B"]
    assert data["columns"]["gain"] == pytest.approx([1.025, 2.525, 1.5])
    assert any("lower is better" in text for text in page.texts["dd"])


def test_where_lower_is_better_a_gain_is_a_reduction_throughout():
    """Only the model of needed gains keeps its name, here and in its settings; scripts take the word from the data."""
    page = page_of(selection(TABLE, "mean-lower"))
    read = [page.texts[kind] for kind in "a button caption dt dd h2 label p td th".split() if kind in page.texts]
    shown = [text for texts in read for text in texts] + [str(page.pairs["numbers_of"])]
    words = {word for text in shown for word in re.findall(r"(\w+ \w*[Gg]ains?)\b", text)}
    assert words <= {"needed gains"}
    assert page.pairs["gain"] == "reduction"
    assert any("Reduction and confidence of every pair" in text for text in page.texts["h2"])


SEVERAL = {
    "gold/one.conllu": SMALL["gold.conllu"],
    "gold/two.conllu": SMALL["gold.conllu"],
    **{f"systems/{name}/{on}.conllu": SMALL[f"systems/{name}.conllu"] for name in "AB" for on in ("one", "two")},
    "systems/C/one.conllu": SMALL["systems/C__1.conllu"],
}


def macro(contents=SEVERAL) -> Selection:
    return select(task(contents), METRICS["LAS"], MACRO)


def test_the_macro_average_has_the_scores_on_each_test_set():
    """C has 79.17 on the first test set and no file for the second: 39.58 on average."""
    page = page_of(macro())
    ((head,), rows) = page.table("LAS (%) by test set")
    assert head == ["System", "macro-average", "one", "two"]
    assert rows == [["A", "91.67", "91.67", "91.67"], ["B", "66.67", "66.67", "66.67"], ["C", "39.58", "79.17", "0.00"]]
    ((head,), rows) = page.table("Scores by every metric")
    by_metric = [(row[0], row[head.index("LAS")], row[head.index("UAS")]) for row in rows]
    assert by_metric == [("A", "91.67", "100.00"), ("B", "66.67", "100.00"), ("C", "39.58", "50.00")]
    assert page.table("Invalid and missing")[1] == [["two", "C", "", "", "no output for the test set two"]]
    cells, agreement = (values(page.figures[f"{name}-figure-data"]["data"][0]["z"]) for name in ("cells", "agreement"))
    drawn = [91.67, 66.67, 39.58, 91.67, 66.67, 79.17, 91.67, 66.67, np.nan]
    np.testing.assert_allclose(cells, drawn, atol=0.005)
    # Two systems have a score on both test sets, in the same order.
    assert agreement.tolist() == [1.0]
    facts = dict(zip(page.texts["dt"], page.texts["dd"], strict=True))
    assert facts["Test set"] == "macro-average over one, two"
    assert facts["Sentences"] == "24 (12 + 12)"


def run(folder: Path, words: list[str], monkeypatch) -> None:
    """The command with these words, in a folder."""
    monkeypatch.chdir(folder)
    parser = argparse.ArgumentParser()
    reporting.report_options(parser)
    reporting.report(parser.parse_args(words))


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (SMALL, "--metric UAS --seed 7"),
        (IN_DOCUMENTS, "--unit document --invalid 'leave out' --domain web"),
        (SMALL, "--level .1 --window .05 .2 --percentile 90 --fewest 2 --title 'Ours & theirs'"),
        (SMALL, "--interval normal --sides one --scope alone --role 'systems/D.conllu=not used' --kind CoNLL-U"),
        (SMALL, "--scope corrected --adjust BH --test sign --within 2.5 --baseline B"),
        (SEVERAL, "--test-set macro-average"),
        (SEVERAL, "--test-sets two"),
        (SEVERAL, "--test-set two --edition 2017 --metric CLAS"),
        (TABLE, "--edition lower"),
        (SMALL | {"systems/our-baseline.conllu": SMALL["systems/B.conllu"]}, "--baseline none"),
    ],
)
def test_the_command_on_the_page_makes_the_same_page(tmp_path, monkeypatch, contents, words):
    write(tmp_path / "my task", contents)
    words = [*shlex.split(words), "--resamples", "99", "-o", "first.html"]
    run(tmp_path, [str(tmp_path / "my task"), *words], monkeypatch)
    first = (tmp_path / "first.html").read_text(encoding="utf-8")
    command = shlex.split(Page(first).texts["pre"][1])
    assert command[:5] == ["python", "-m", "nlpsig_core", "report", "my task"]
    assert str(tmp_path) not in first
    run(tmp_path, command[4:], monkeypatch)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == first


@pytest.mark.parametrize(
    ("test", "named", "one_sided"), [("bootstrap", "paired bootstrap", "paper’s"), ("sign", "sign test", "winner’s")]
)
def test_the_page_names_the_test_whose_p_it_draws(tmp_path, monkeypatch, test, named, one_sided):
    write(tmp_path / "my task", SMALL)
    run(tmp_path, [str(tmp_path / "my task"), "--test", test, "--resamples", "99", "-o", "page.html"], monkeypatch)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"1 − the winner’s one-sided p of the {named}." in text
    assert f"The CSV also has the {one_sided} one-sided p" in text
    assert ("paper’s one-sided p" in text) == (test == "bootstrap")


@pytest.mark.parametrize(
    ("test", "p", "shown"),
    [("bootstrap", 0, "< 0.0005"), ("randomization", 1 / 2_001, "< 0.0005"), ("sign", 2.0**-60, "8.7e-19")],
)
def test_the_one_sided_p_of_a_pair_is_a_bound_without_a_hit_and_exact_by_a_formula(test, p, shown):
    """One system is right in all of 60 sentences, the other in none: no swap of 2,000 gives as much."""
    files = {"gold": RIGHT, "systems/good": RIGHT, "systems/bad": WRONG}
    results = selection({f"{name}.conllu": conllu(*[text] * 60) for name, text in files.items()}).bootstrap(
        resamples=2_000
    )
    reading = Reading(notion=Notion(test=test))
    pairs = results.pairs(reading.notion)
    assert pairs["p_value"].item() == pytest.approx(p)
    (part,) = one_pair.parts(results, pairs, reading)
    numbers = json.loads(gzip.decompress(b64decode(part)))["numbers"][0]
    names = one_pair.numbers_of(results, pairs.iloc[0].to_dict(), reading)
    assert [number for name, number in zip(names, numbers, strict=True) if "one-sided p" in name] == [shown]


def test_the_command_names_a_gold_that_lies_apart(tmp_path, monkeypatch):
    gold = write(tmp_path, {"apart.conllu": SMALL["gold.conllu"]}) / "apart.conllu"
    write(tmp_path / "outputs", {"A.conllu": SMALL["systems/A.conllu"], "B.conllu": SMALL["systems/B.conllu"]})
    run(tmp_path, ["outputs", "--gold", str(gold), "--resamples", "50"], monkeypatch)
    command = Page((tmp_path / "report.html").read_text(encoding="utf-8")).texts["pre"][1]
    assert command.startswith("python -m nlpsig_core report outputs --gold apart.conllu --metric LAS ")


def test_the_command_names_a_gold_inside_the_folder_of_the_task(tmp_path, monkeypatch):
    write(tmp_path / "outer" / "my task", SMALL)
    words = ["outer/my task", "--gold", "outer/my task/gold.conllu", "--resamples", "50", "-o", "first.html"]
    run(tmp_path, words, monkeypatch)
    first = (tmp_path / "first.html").read_text(encoding="utf-8")
    command = shlex.split(Page(first).texts["pre"][1])
    assert command[4:7] == ["my task", "--gold", "my task/gold.conllu"]
    run(tmp_path / "outer", command[4:], monkeypatch)
    assert (tmp_path / "outer" / "report.html").read_text(encoding="utf-8") == first


def test_page_and_pack_are_different_files(tmp_path, monkeypatch):
    with pytest.raises(ChoiceError, match=r"page\.html and \./page\.html are the same file; choose another for one of"):
        run(tmp_path, ["nothing here", "-o", "page.html", "--pack", "./page.html"], monkeypatch)


def test_the_words_for_the_files_have_no_folders():
    """A sample is called by its name, all else by that of its folder or file."""
    parser = argparse.ArgumentParser()
    reporting.report_options(parser)

    def words(*given):
        return reporting.reading_of(Choices.from_options(parser.parse_args(given)), "", "", "").files

    others = ["--kind", "CoNLL-U", "--test-sets", "x", "--role", "a.conllu=gold"]
    assert words("/data/mine.zip", "--gold", "/data/gold", *others) == ["mine.zip", "--gold", "gold", *others]
    assert words("varnil-scores") == ["varnil-scores"]


def test_the_page_is_written_whole_and_its_size_is_said(tmp_path, monkeypatch, capsys):
    write(tmp_path / "task", SMALL)
    (tmp_path / "page.html").write_text("old", encoding="utf-8")
    run(tmp_path, ["task", "-o", "page.html", "--resamples", "50"], monkeypatch)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == f"note: page.html: {(tmp_path / 'page.html').stat().st_size / 1e6:.1f} MB"
    assert {path.name for path in tmp_path.iterdir()} == {"task", "page.html"}


def test_standard_output(tmp_path, monkeypatch, capsys):
    write(tmp_path / "task", SMALL)
    run(tmp_path, ["task", "-o", "-", "--resamples", "50"], monkeypatch)
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>\n")
    assert {path.name for path in tmp_path.iterdir()} == {"task"}


def test_a_place_that_cannot_be_written_is_refused_before_any_work(tmp_path, monkeypatch):
    with pytest.raises(FileError, match=r"no/page.html: the folder no does not exist; create it or choose another"):
        run(tmp_path, ["nothing here", "-o", "no/page.html"], monkeypatch)
    with pytest.raises(FileError, match=r"is a folder; name a file, such as report.html in it"):
        run(tmp_path, ["nothing here", "-o", str(tmp_path)], monkeypatch)


def test_a_page_that_could_not_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text("old", encoding="utf-8")

    def full(path, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FileError, match=r"page.html: cannot be written: No space left on device"):
        reporting.write_file(b"new", str(tmp_path / "page.html"))
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "old"


PROJECT = """
from ui.frame.frame import frame
from ui.significance.report import report_button
report_button(frame("Scores"))
"""


@pytest.fixture
def app(tmp_path):
    """A page with the button alone, its panel open, beside stubs of the pages that the menu names."""
    from streamlit.testing.v1 import AppTest

    from ui.app.pages import PAGES

    (tmp_path / "pages").mkdir()
    for page in PAGES:
        (tmp_path / page.script).write_text(PROJECT, encoding="utf-8")
    test = AppTest.from_file(str(tmp_path / "app.py"), default_timeout=60)
    test.query_params["b"] = "10k"
    test.query_params["task"] = "orvan-three-test-sets"
    test.session_state["report"] = True
    return test


def test_the_button_makes_the_report_of_what_is_chosen(app, monkeypatch):
    """By the sidebar's choices and the rule of the Pairs page; made once, and again for another title."""
    made: list[tuple] = []

    def record(results, reading):
        made.append((results, reading))
        return report_html(results, reading)

    monkeypatch.setattr(report_module, "report_html", record)
    app.query_params["alpha"], app.query_params["interval"] = "0.1", "normal"
    app.session_state["fewest"] = 3
    app.run()
    assert not app.exception
    button, of_pack = app.get("download_button")
    assert of_pack.proto.label == "Pack of LAS, statistics without text"
    assert re.fullmatch(r"HTML, 4\.\d MB, works offline", button.proto.label)
    assert button.proto.ignore_rerun
    app.run()
    ((results, reading),) = made
    assert results.selection.task.name == "orvan-three-test-sets"
    assert reading == Reading(
        interval="normal", rule=Rule(fewest=3), notion=Notion(level=0.1), files=("orvan-three-test-sets",)
    )
    app.text_input[0].set_value("Ours").run()
    assert made[-1][1].title == "Ours"
    assert len(made) == 2
    app.session_state["report"] = False
    app.run()
    assert not app.get("download_button")
