"""What a report says of people's scores, on one test set and on several."""

from __future__ import annotations

import re

import pytest

from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.report.page import report_html
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import task

GOLD, WRONG = ("".join(f"{n}\t{names[n % 2]}\n" for n in range(1, 13)) for names in ("xy", "yx"))
FILES = {"gold.tsv": GOLD, "systems/good.tsv": GOLD, "systems/bad.tsv": WRONG, "systems/other.tsv": WRONG}
# People prefer what the metric calls bad, on every item, and have not judged the third system.
PEOPLE = "system,segment,score\n" + "".join(f"good,{n},{n % 3}\nbad,{n},{n % 3 + 1 + n % 2}\n" for n in range(1, 13))
TITLE = "Do people confirm the gains?"


def page(files: dict[str, str], metric: str = "accuracy", test_set: str | None = None) -> str:
    chosen = select(task(files), lambda of: Offer(of).metric(metric), test_set)
    return report_html(chosen.bootstrap(Resampling(1_000)))


def test_the_report_says_what_people_confirm_and_contradict():
    """good is right on all 12, bad on none, and people prefer bad by 1 or 2 everywhere."""
    text = page(FILES | {"people.csv": PEOPLE})
    assert TITLE in text
    assert "Of the one pair with a significant gain in accuracy, people confirm 0 and contradict 1." in text
    csv = re.search(r'download="people.csv" href="data:text/csv;charset=utf-8,([^"]*)"', text)[1]
    assert "contradicted" in csv
    assert "good%2Cbad" in csv or "good,bad" in csv


@pytest.mark.parametrize("files", [FILES, FILES | {"people.csv": PEOPLE.replace("good", "z").replace("bad", "q")}])
def test_without_scores_of_these_systems_there_is_no_section(files):
    assert TITLE not in page(files)


def test_a_report_by_the_human_score_does_not_compare_it_with_itself():
    assert TITLE not in page(FILES | {"people.csv": PEOPLE}, "human score")


def test_several_test_sets_have_a_row_each():
    parts = {path.replace(".tsv", f"/{name}.tsv"): text for name in "pq" for path, text in FILES.items()}
    text = page(parts | {"human-scores/q.csv": PEOPLE}, test_set=MACRO)
    caption = "Pairs by accuracy and by people, on each test set that people have judged"
    rows = re.search(rf"<caption>{caption}</caption>(.*?)</table>", text, re.DOTALL)[1]
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", rows.partition("<tbody>")[2])
    assert cells[:3] == ["q", "2", "1"]
    assert "1" in cells[3:]
