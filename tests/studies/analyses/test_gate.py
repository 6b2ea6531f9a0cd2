"""The gate on test sets and metrics: which decisions count, their lines, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses.gate import Gate, gate
from tests.builders import conllu, task

RECIPE = Resampling(2_000)
RIGHT, WRONG = "a/0/root b/1/obj", "a/0/root b/1/obl"
N = 60


def parses(wrong: int) -> str:
    """The outputs for sentences of two words, with the last arc wrong in the first ``wrong`` of them."""
    return conllu(*[WRONG] * wrong, *[RIGHT] * (N - wrong))


FILES = {
    "gold/en.conllu": parses(0),
    "gold/fr.conllu": parses(0),
    "systems/old/en.conllu": parses(20),
    "systems/old/fr.conllu": parses(5),
    "systems/new/en.conllu": parses(5),
    "systems/new/fr.conllu": parses(5),
    "systems/bad/en.conllu": parses(5),
    "systems/bad/fr.conllu": parses(30),
}
ONE = {"gold.conllu": parses(0), "systems/old.conllu": parses(5), "systems/new.conllu": parses(20)}


def selected(files: dict[str, str] = FILES, metric: str = "LAS", invalid: str = "") -> Selection:
    return select(task(files), METRICS[metric], "macro-average", invalid=invalid)


def gated(candidate: str, baseline: str = "old", *, within: float | None = None, **options) -> Gate:
    return gate([selected()], baseline, candidate, RECIPE, [Notion(within=within)], **options)


def shown(result: Gate) -> list[tuple[str, str, bool]]:
    return [(check.test_set, check.outcome, check.counts) for check in result.checks]


def test_each_test_set_counts_and_the_mean_is_beside():
    """The bad one wins 15 of 60 sentences in English and loses 25 in French: -8 points on average, not significant."""
    result = gated("bad")
    assert shown(result) == [
        ("en", "not worse", True),
        ("fr", "worse", True),
        ("macro-average", "undecided", False),
    ]
    assert (result.outcome, result.failed) == ("worse", True)
    assert result.line == "Worse: 1 worse, 1 not worse of 2 decisions"
    assert shown(gated("new")) == [
        ("en", "not worse", True),
        ("fr", "not worse", True),
        ("macro-average", "not worse", False),
    ]


def test_pooled_the_mean_counts_and_each_test_set_is_beside():
    result = gated("bad", pooled=True)
    assert shown(result) == [("macro-average", "undecided", True), ("en", "not worse", False), ("fr", "worse", False)]
    assert (result.outcome, result.failed) == ("undecided", False)
    assert result.line == result.checks[0].line
    assert gated("bad", pooled=True, strict=True).failed


def test_decisions_are_corrected_among_those_of_their_kind():
    """Two test sets: p of the first times 2; the mean is one decision."""
    english, french, mean = gated("bad").checks
    assert english.p_corrected == pytest.approx(min(2 * english.p, max(2 * english.p, french.p)), rel=0.5)
    assert min(english.p_corrected, french.p_corrected) == pytest.approx(2 * min(english.p, french.p))
    assert mean.p_corrected is None
    assert "corrected for 2 decisions" in english.line
    assert "corrected" not in mean.line


def test_a_corrected_p_without_a_hit_is_a_bound_too():
    """In French no resample is a hit: the small-sample p of 0.00230 is a bound, and twice that among two decisions."""
    english, french, mean = gated("bad").checks
    assert french.p == pytest.approx(0.0022972, rel=1e-3)
    assert french.line.endswith("; p < 0.0023; corrected for 2 decisions < 0.0046.")
    assert (english.p_shown, french.p_shown) == ("< 0.0047", "< 0.0046")
    assert "p = 0.054." in mean.line


def test_metrics_are_decisions_too_each_with_its_margin():
    """LAS and UAS: only labels are wrong, so UAS is the same in every sentence."""
    both = [selected(ONE), selected(ONE, "UAS")]
    result = gate(both, "old", "new", RECIPE, [Notion(within=1), Notion(within=2)])
    assert [(check.metric, check.outcome, check.within) for check in result.checks] == [
        ("LAS", "worse", 1),
        ("UAS", "not worse", 2),
    ]
    assert result.checks[1].line == ("Not worse: the two are the same in every sentence, so there is nothing to test.")
    assert (result.checks[1].p, result.checks[1].differing) == (1, 0)


@pytest.mark.parametrize(
    ("baseline", "candidate", "within", "line"),
    [
        ("old", "new", None, "Worse: old beats new by 12.50 LAS; p "),
        ("old", "new", 1, "Worse by more than 1.00 LAS: old beats new by 12.50 LAS, and new loses more than "),
        ("old", "new", 12, "Worse: old beats new by 12.50 LAS, and new loses less than "),
        ("old", "new", 30, "Not worse within 30.00 LAS: old beats new by 12.50 LAS, and new loses less than "),
        ("new", "old", None, "Not worse: old beats new by 12.50 LAS; p "),
        ("new", "old", 1, "Not worse: old beats new by 12.50 LAS, and old gains more than "),
    ],
)
def test_a_line_says_the_gain_the_bound_and_p(baseline, candidate, within, line):
    """15 of 60 sentences of two words each: 15 / 120 = 12.5%."""
    (check,) = gate([selected(ONE)], baseline, candidate, RECIPE, [Notion(within=within)]).checks
    assert check.line.startswith(line)
    assert ("(95% confidence)" in check.line) == (within is not None)
    assert f"p < {check.p_shown.removeprefix('< ')}" in check.line
    assert (check.score_baseline, check.score_candidate) == (
        (95.83333333333333, 83.33333333333333),
        (83.33333333333333, 95.83333333333333),
    )[baseline == "new"]
    assert check.gain == pytest.approx(check.score_candidate - check.score_baseline)
    assert check.gain_low < check.gain < check.gain_high
    assert check.signature.startswith("metric:LAS|test:bootstrap|b:2000|")
    assert f"|systems:{baseline},{candidate}|" in check.signature


def test_undecided_says_how_many_units_would_decide_or_that_too_few_differ():
    """5 or 7 wrong, and 5 or 6: two and one sentences differ."""
    near = ONE | {"systems/new.conllu": conllu(*[RIGHT] * 4, *[WRONG] * 8, *[RIGHT] * (N - 12))}
    (check,) = gate([selected(near)], "old", "new", RECIPE).checks
    assert check.outcome == "undecided"
    assert check.needed > N
    assert f"sentences would settle it (you have {N})." in check.line
    (check,) = gate(
        [selected(ONE | {"systems/new.conllu": parses(6)})], "old", "new", RECIPE, [Notion(within=5)]
    ).checks
    assert "and the two differ in too few sentences to compare it with the margin; p = 1.0." in check.line
    assert (check.above, check.needed) == (None, None)


def test_lower_is_better_and_the_margin_is_in_the_good_direction():
    """WER of a sample: the candidate has more errors, so it is worse, and not worse within more than that."""
    selection = load_task("mirvel-transcripts").select("WER")
    names = [name for _, name in sorted(zip(selection.stats.scores, selection.stats.names, strict=True))]
    best, worst = names[0], names[-1]
    (check,) = gate([selection], best, worst, RECIPE).checks
    assert check.score_candidate > check.score_baseline
    assert check.gain < 0
    assert check.outcome == "worse"
    assert gate([selection], best, worst, RECIPE, [Notion(within=-3 * check.gain)]).outcome == "not worse"
    assert gate([selection], worst, best, RECIPE).outcome == "not worse"


@pytest.mark.parametrize(
    ("baseline", "candidate", "message"),
    [
        ("old", "newer", r"No system called 'newer'; did you mean new\? Available: bad, new, old"),
        ("xyz", "new", r"No system called 'xyz'\. Available: bad, new, old"),
        ("old", "old", r"'old' against itself; name two of the systems: bad, new, old"),
    ],
)
def test_names_that_do_not_fit_are_refused(baseline, candidate, message):
    with pytest.raises(ChoiceError, match=message):
        gated(candidate, baseline)


@pytest.mark.parametrize(
    ("selections", "notions", "message"),
    [
        ([], [Notion()], "1 notion for 0 selections; give one for each"),
        (Notion(), [Notion()], "selections is Notion.*; it has to be a Sequence"),
        (["LAS"], [Notion()], "selection is 'LAS'; it has to be a Selection"),
    ],
)
def test_arguments_of_another_kind_are_refused(selections, notions, message):
    with pytest.raises(ChoiceError, match=message):
        gate(selections, "old", "new", RECIPE, notions)


@pytest.mark.parametrize("invalid", ["", "score as 0", "leave out"])
@pytest.mark.parametrize(("old", "new"), [("right", "broken"), ("broken", "right"), ("broken", "broken")])
def test_an_invalid_output_never_passes(old, new, invalid):
    """Even if both are scored as empty, and so are the same in every sentence."""
    outputs = {"right": parses(0), "broken": parses(0) + "1\tonly two columns\n\n"}
    files = {"gold.conllu": parses(0), "systems/x.conllu": parses(3), "systems/y.conllu": parses(2)}
    files |= {"systems/old.conllu": outputs[old], "systems/new.conllu": outputs[new]}
    role, name = ("candidate", "new") if new == "broken" else ("baseline", "old")
    message = (
        rf"The {role} {name} has no valid output, so nothing is decided; complete it: systems/{name}\.conllu, line"
    )
    with pytest.raises(TaskError, match=message):
        gate([selected(files, invalid=invalid)], "old", "new", RECIPE)


def test_a_test_set_that_one_system_lacks_is_refused_or_left_out_by_name():
    files = {path: text for path, text in FILES.items() if path != "systems/new/fr.conllu"}
    message = (
        "The candidate new has no valid output on fr, so nothing is decided; complete it, or choose other test sets"
    )
    with pytest.raises(TaskError, match=message):
        gate([selected(files)], "old", "new", RECIPE)
    with pytest.raises(TaskError, match="The baseline new has no valid output on fr"):
        gate([selected(files)], "new", "bad", RECIPE)
    whole = selected(files)
    assert gate([replace(whole, test_sets={"en": whole.test_sets["en"]})], "old", "new", RECIPE).outcome == "not worse"
    assert gate([selected(files)], "old", "bad", RECIPE).outcome == "worse", "others may lack a test set"


def test_units_without_a_score_of_the_candidate_do_not_pass():
    """They may be the hard ones: leaving them out for both is no test of the candidate."""
    scores = {"scores.tsv": "unit\told\tnew\n" + "".join(f"u{i}\t{i % 7}\t{i % 7 if i else ''}\n" for i in range(N))}
    for invalid in ("", "drop units"):
        selection = select(task(scores), METRICS["mean"], invalid=invalid)
        with pytest.raises(TaskError, match=r"The candidate new has no valid output.*: no score for unit u0 "):
            gate([selection], "old", "new", RECIPE)


def test_one_unit_is_refused():
    files = {"gold.conllu": conllu(RIGHT), "systems/old.conllu": conllu(RIGHT), "systems/new.conllu": conllu(WRONG)}
    with pytest.raises(TaskError, match="A comparison needs 2 sentences at least; here is 1"):
        gate([selected(files)], "old", "new", RECIPE)


def test_progress_counts_all_decisions_together():
    seen: list[tuple[float, object]] = []
    gated("new", progress=lambda done, of: seen.append((done, of)))
    shares = [done / of for done, of in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_no_number_of_units_is_said_to_decide_between_systems_with_several_runs():
    """More units do not reduce the variation between runs."""
    runs = load_task("dorvel-runs").select(metric="LAS")
    (check,) = gate([runs], "Krestquell-base", "Yustrony-base", RECIPE, [Notion(within=0.5)]).checks
    assert check.outcome == "undecided"
    assert check.needed is None
    assert "would" not in check.line
