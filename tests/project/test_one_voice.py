"""One voice: whatever command, page or text says it, a pair has one verdict and one p, and counts are the same."""

from __future__ import annotations

import argparse
import io
import json

import pandas as pd
import pytest

from nlpsig_core.data.task.samples import sample_names
from nlpsig_core.output.commands.cli import main
from nlpsig_core.output.commands.options import Choices
from nlpsig_core.output.commands.reporting import report_options
from nlpsig_core.output.commands.task import comparison_of
from nlpsig_core.output.report.export import p_texts
from nlpsig_core.significance.comparison.notion import SCOPES, Notion
from nlpsig_core.significance.comparison.verdict import ANSWERS, SEEN_FROM_THE_LOSER, finding, shown_p
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair.citing import Finding, latex_row, methods_sentence
from tests.output.report.test_report import Page

pytestmark = pytest.mark.usefixtures("known_counts", "one_process")

# Enough for 378 pairs of a sample to be significant after Holm.
RECIPE = Resampling(10_000)
SEVERAL = "orvan-three-test-sets"
TASKS = {name: [name] for name in sample_names() if name != "ulmeth-resampled"}
TASKS["varnil-scores"] += ["--edition", "higher"]
TASKS[f"{SEVERAL}, averaged"] = [SEVERAL, "--test-set", "macro-average"]
# Every scope of a task with one test set and of one with several, and of the others one each, in turn.
FULL = ("brelda-parsing", f"{SEVERAL}, averaged")
CASES = [
    (name, scope)
    for number, name in enumerate(TASKS)
    for place, scope in enumerate(SCOPES)
    if name in FULL or place == number % len(SCOPES)
]
FROM_THE_WINNER = {worse: better for better, worse in SEEN_FROM_THE_LOSER.items()}


def said(table: pd.DataFrame) -> dict[frozenset[str], tuple[str, float]]:
    """The verdict and p of each pair of a table, by its systems."""
    columns = ["system_a", "system_b", "verdict", "p"]
    return {frozenset((a, b)): (verdict, float(p)) for a, b, verdict, p in table[columns].itertuples(index=False)}


def near(found: dict, expected: dict) -> None:
    """Assert that pairs have the same verdicts, and the same p to the digits of JSON."""
    assert {pair: verdict for pair, (verdict, _) in found.items()} == {
        p: verdict for p, (verdict, _) in expected.items()
    }
    assert {pair: p for pair, (_, p) in found.items()} == pytest.approx({p: q for p, (_, q) in expected.items()}, 1e-11)


@pytest.mark.parametrize(("name", "scope"), CASES)
def test_a_pair_has_one_verdict_one_p_and_one_set_of_words(name, scope, capsys, tmp_path):
    """In the core, in TSV and JSON, beside a baseline, in a comparison, a campaign, a report and a paper."""
    notion, parser = Notion(scope=scope), argparse.ArgumentParser()
    report_options(parser)
    selection = comparison_of(Choices.from_options(parser.parse_args(TASKS[name])))
    results = selection.bootstrap(RECIPE)
    pairs = results.pairs(notion)
    expected, found = said(pairs), finding(pairs, notion, selection.metric, selection.decimals)
    capsys.readouterr()

    def run(command: str, *options: str) -> tuple[str, str]:
        words = [command, *TASKS[name], *options, "--resamples", str(RECIPE.n_resamples), "--scope", scope]
        assert main(words) == 0
        return capsys.readouterr()

    out, notes = run("pairs")
    table = pd.read_table(io.StringIO(out), dtype={"system_a": str, "system_b": str}, keep_default_na=False)
    assert said(table) == expected
    assert f"note: {found} (" in notes
    near(said(pd.DataFrame(json.loads(run("pairs", "--format", "json")[0]))), expected)

    base = selection.stats.names[-1]
    out, notes = run("score", "--baseline", base, "--format", "json")
    rows = [row for row in json.loads(out) if row["verdict"] != "baseline"]
    seen = {frozenset((row["system"], base)): (row["verdict"], row["p"]) for row in rows}
    near(
        {pair: (FROM_THE_WINNER.get(of_row, of_row), p) for pair, (of_row, p) in seen.items()},
        {pair: expected[pair] for pair in seen},
    )
    assert f"note: {found}\n" in notes

    _of_one_pair(run, selection, pairs, results, notion)
    run("report", "-o", str(tmp_path / "page.html"))
    _of_report(Page((tmp_path / "page.html").read_text(encoding="utf-8")), pairs, notion, found)
    if selection.several:
        out, notes = run("campaign", "--table", "pairs", "--format", "json")
        near(said(pd.DataFrame(json.loads(out))), expected)
        assert f"note: macro-average: {found}\n" in notes


def _of_one_pair(run, selection, pairs: pd.DataFrame, results, notion: Notion) -> None:
    """The most doubtful pair in a comparison, in a sentence and in a row of a paper."""
    row = pairs.loc[(pairs["p"] - notion.level).abs().idxmin()]
    verdict, p = results.verdict(row, notion), shown_p(row, notion.level)
    compared = json.loads(run("compare", row["system_a"], row["system_b"], "--format", "json")[0])["difference"]
    assert (compared["verdict"], compared["p"]) == (row["verdict"], row["p"])
    assert compared["line"].startswith(f"{verdict.word}: ")
    assert verdict.p in compared["line"]
    cited = Finding(selection=selection, row=row, recipe=RECIPE, notion=notion)
    if cited.has_gain:
        assert f"two-sided p {p if p.startswith('<') else f'= {p}'}" in methods_sentence(cited)
        assert p in latex_row(cited)


def _of_report(page: Page, pairs: pd.DataFrame, notion: Notion, found: str) -> None:
    """The table of a report, as numbers and as texts, the dots of its figure, and its counts."""
    data = page.pairs
    names = [frozenset((data["names"][a], data["names"][b])) for a, b in zip(data["a"], data["b"], strict=True)]
    verdicts = [data["answers"][answer] for answer in data["verdict"]]
    near(dict(zip(names, zip(verdicts, data["columns"]["p"], strict=True), strict=True)), said(pairs))
    of_rows = zip(pairs["system_a"], pairs["system_b"], p_texts(pairs)["p"], strict=True)
    texts = {frozenset((a, b)): text for a, b, text in of_rows}
    assert dict(zip(names, data["texts"]["p"], strict=True)) == texts
    assert texts == {
        frozenset((row["system_a"], row["system_b"])): shown_p(row, notion.level) for _, row in pairs.iterrows()
    }
    for trace, of_trace in zip(page.figures["pairs-figure-data"]["data"], data["drawn"], strict=True):
        for text, place in zip(trace["text"], of_trace, strict=True):
            hovered = f"<br>{ANSWERS[verdicts[place]].symbol} {verdicts[place]}: p {data['texts']['p'][place]}"
            assert text.partition(hovered)[2][:1] in ("<", ";")
    assert any(f"{found}." in text for text in page.texts["p"])
