"""The command line: columns, digits, formats, exit codes and messages."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest

from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import p_text
from nlpsig_core.data.task.loading import SHAPES
from nlpsig_core.output.commands import COMMANDS, command_named
from nlpsig_core.output.commands.cli import main
from nlpsig_core.output.commands.output import write as write_table
from nlpsig_core.output.report.export import csv_text, latex_text, p_texts
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import COLUMNS
from nlpsig_core.significance.paired_tests import TESTS
from tests.builders import conllu, write, zipped

RIGHT = "a/0/root b/1/obj"
WRONG = "a/0/root b/1/obl"
N = 12
SMALL = {
    "gold.conllu": conllu(*[RIGHT] * N),
    "domains.tsv": "sentence\tdomain\n" + "".join(f"{i + 1}\t{'blog' if i < 4 else 'news'}\n" for i in range(N)),
    "groups.tsv": "system\tgroup\nA\tx\nB\tx\n",
    "systems/A.conllu": conllu(*[WRONG] * 2, *[RIGHT] * (N - 2)),
    "systems/B.conllu": conllu(*[WRONG] * 8, *[RIGHT] * (N - 8)),
    "systems/C__1.conllu": conllu(*[RIGHT] * (N - 5), *[WRONG] * 5),
}


@pytest.fixture(autouse=True)
def once(counted_once, monkeypatch, one_process):
    """Counts that other tests have made may be used, and counting starts no processes."""
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "task", SMALL)


@pytest.fixture
def run(capsys):
    """The exit code, standard output and standard error of a command."""

    def run(*arguments):
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def rows(out: str) -> list[dict[str, str]]:
    header, *lines = out.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def test_results_by_instance_have_no_gold_to_name(run, tmp_path):
    folder = write(tmp_path / "task", {f"{m}.csv": "id,solved\nq1,1\nq2,0\n" for m in "ab"})
    assert "note: read as Evaluation logs: 2 systems" in run("score", folder, "--resamples", 200)[2].splitlines()


FEW = (
    "note: 12 sentences are few to resample: the bootstrap's p comes out too small; "
    "approximate randomization's does not"
)


def test_score(run, folder):
    """LAS of 24 words: A misses 2 (91.67), C__1 5 (79.17), B 8 (66.67)."""
    code, out, err = run("score", folder, "--resamples", 2000)
    assert code == 0
    *notes, signature = err.splitlines()
    assert notes == [
        "note: groups.tsv has no row for 'C__1'; its group is taken from its name",
        FEW,
        "note: Each system has one run: p does not cover the variation between training runs",
        "note: read as CoNLL-U: 3 systems against gold.conllu",
        "note: Undecided: A is ahead of C__1 by 12.50 LAS, but the gain could be -16.67 to +37.50; p = 0.24. "
        "About 66 sentences would settle a gain of this size (you have 12).",
        "note: 1 of 3 pairs differ on their own (0 after correcting); the largest gain in LAS of the others is 12.50",
        "note: ranks and ties: two-sided p < 0.05 after Holm over 3 pairs",
    ]
    assert signature.startswith("signature: metric:LAS|test:bootstrap|b:2000|seed:0|unit:sentence|n:12|task:task|data:")
    assert out.splitlines()[0] == "system\tgroup\tscore\tlow\thigh\trank_low\trank_high\ttied_group\tstatus"
    found = rows(out)
    assert [row["system"] for row in found] == ["A", "C__1", "B"]
    assert [row["group"] for row in found] == ["x", "C", "x"]
    assert [row["score"] for row in found] == ["91.666667", "79.166667", "66.666667"]
    assert all(re.fullmatch(r"\d+\.\d{6}", row[c]) for row in found for c in ("score", "low", "high"))
    assert all(float(row["low"]) < float(row["score"]) < float(row["high"]) for row in found)


def test_pairs(run, folder):
    code, out, _ = run("pairs", folder, "--resamples", 2000)
    assert code == 0
    assert (
        out.splitlines()[0].split("\t")
        == (
            "system_a system_b comparison score_a score_b gain gain_low gain_high "
            "verdict p p_corrected needed p_value p_two_sided hits hits_two_sided resamples p_error p_small_one_sided "
            "p_small_two_sided p_holm p_bh p_by significant units differing correlation standard_error "
            "detectable_gain"
        ).split()
    )
    found = {(row["system_a"], row["system_b"]): row for row in rows(out)}
    assert set(found) == {("A", "B"), ("A", "C__1"), ("C__1", "B")}
    assert found["A", "B"]["comparison"] == "same group"
    assert found["A", "B"]["gain"] == "25.000000"
    assert (found["A", "B"]["units"], found["A", "B"]["differing"]) == ("12", "6")
    assert (found["A", "B"]["p_value"], found["A", "B"]["hits"]) == ("0.0", "0")
    assert float(found["A", "B"]["p_error"]) == 3 / 2000


@pytest.mark.parametrize("format_", ["tsv", "json"])
def test_numbers_stay_numbers_in_machine_formats(run, folder, format_):
    """pandas reads every p as a float; p = hits / b of 3,000 has more than six digits, and none is cut."""
    _, out, _ = run("pairs", folder, "--resamples", 3000, "--format", format_)
    table = pd.read_json(io.StringIO(out)) if format_ == "json" else pd.read_table(io.StringIO(out))
    columns = [name for name in table if name.split("_")[0] == "p"]
    assert len(columns) == 10
    assert table[columns].dtypes.map(pd.api.types.is_float_dtype).all()
    assert table[["hits", "hits_two_sided", "resamples"]].dtypes.map(pd.api.types.is_integer_dtype).all()
    assert (table["resamples"] == 3000).all()
    assert table["p_value"].to_numpy() == pytest.approx((table["hits"] / 3000).to_numpy(), rel=1e-13)
    assert table["p_two_sided"].to_numpy() == pytest.approx((table["hits_two_sided"] / 3000).to_numpy(), rel=1e-13)
    assert 0 in table["p_value"].tolist()
    assert (table["p"] > 0).all()


def test_pairs_by_another_test(run, folder):
    """p-values are the test's, the rest is as before; the signature names the test, and the sentence of a pair too."""
    _, plain, _ = run("pairs", folder, "--resamples", 2000)
    of_p = {"p", "verdict", "needed", "hits", "hits_two_sided", "resamples", "significant"}
    for test in ("randomization", "bootstrap-t", "sign", "t", "Wilcoxon"):
        code, out, err = run("pairs", folder, "--resamples", 2000, "--test", test)
        assert code == 0
        assert f"|test:{test}|b:2000|seed:0|" in err.splitlines()[-1]
        assert "|test:bootstrap|" not in err
        for row, other in zip(rows(out), rows(plain), strict=True):
            own = [c for c in row if not c.startswith("p_") and c not in of_p]
            assert [row[c] for c in own] == [other[c] for c in own]
            assert row["p_two_sided"] != other["p_two_sided"]
            assert row["p_small_two_sided"] == ""
            assert row["resamples"] == ("2000" if TESTS[test].resamples else "0")
            assert float(row["p"]) == float(row["p_two_sided"])
        assert (
            f"by {'the ' * TESTS[test].takes_article}{TESTS[test].label}"
            in run("compare", folder, "A", "B", "--resamples", 2000, "--test", test)[1].splitlines()[0]
        )
    assert run("pairs", folder, "--resamples", 2000, "--test", "bootstrap")[1] == plain


def test_a_test_that_cannot_be_used(run, folder):
    code, out, err = run("pairs", folder, "--test", "McNemar")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == (
        "nlpsig: McNemar cannot be used here: each sentence must be right or wrong, and one scores 50 of 100. "
        "Tests that can: bootstrap, randomization, bootstrap-t, sign, t, robust-t, Wilcoxon"
    )


def test_compare(run, folder):
    """C__1 misses the last 5 objects, A the first 2: A is better on 5 sentences, C__1 on 2, 5 are tied.

    2 * (1 + 7 + 21) / 2^7 = 0.4531. As many swaps of 7 sentences give 3 of 24 words or more, so p is the same but for
    five standard errors of 2,000 swaps.
    """
    code, out, err = run("compare", folder, "C__1", "A", "--resamples", 2000)
    assert code == 0
    shown = {what: number.strip() for what, _, number in (line.partition(":") for line in out.splitlines())}
    assert shown["sentences in the test set"] == "12"
    assert shown["LAS of C__1"].startswith("79.17  (bootstrap 95% interval 6")
    assert shown["LAS of A"].startswith("91.67  (bootstrap 95% interval 7")
    assert (shown["C__1 better on"], shown["A better on"]) == ("2 sentences  (16.7%)", "5 sentences  (41.7%)")
    assert shown["tied on"] == "5 sentences  (41.7%)"
    assert shown["p by the sign test on the sentences won"] == "0.45"
    p = float(shown["p by approximate randomization"])
    assert abs(p - 0.4531) < 5 * (0.25 / 2000) ** 0.5 + 0.005
    _, pairs, _ = run("pairs", folder, "--resamples", 2000)
    row = next(row for row in rows(pairs) if (row["system_a"], row["system_b"]) == ("A", "C__1"))
    assert p_text(float(row["p"])) == shown["p"]
    assert p_text(float(row["p_corrected"])) == shown["p corrected for 3 pairs (Holm)"]
    assert p_text(float(row["p_two_sided"])) == shown["p by the paired bootstrap, two-sided"]
    assert p_text(float(row["p_value"])) == shown["p by the paired bootstrap, one-sided as in the paper"]
    assert out.startswith("Undecided: A is ahead of C__1 by 12.50 LAS, ")
    assert FEW in err.splitlines()
    randomized = run("compare", folder, "A", "C__1", "--resamples", 2000, "--test", "randomization")[2]
    assert "few to resample" not in randomized
    assert "|test:bootstrap|b:2000|seed:0|" in err.splitlines()[-1]
    assert "|systems:C__1,A|" in err.splitlines()[-1]


def test_fewer_units_carry_a_corrected_verdict(run, tmp_path):
    """A wins 17 of 400 units and B 3, and C and D differ from both in 10 of their own: only A and B differ, of 6 pairs.

    With 10 wins of A, p is 0.067, so the pair alone is carried by 7. Corrected, p must be below 0.05 / 5: with 16 wins
    it is 0.008, with 15 it is 0.011, so 2 units carry the verdict.
    """
    right = [range(17), range(17, 20), range(20, 30), range(30, 40)]
    lines = [",".join(str(int(unit in own or unit >= 60)) for own in right) for unit in range(400)]
    write(tmp_path, {"scores.csv": "item,A,B,C,D\n" + "".join(f"{n},{line}\n" for n, line in enumerate(lines))})
    asked = ("compare", tmp_path / "scores.csv", "A", "B", "--edition", "higher", "--resamples", 50_000, "--scope")
    parts = [
        re.search(r"without (\d+) of 400 units", run(*asked, scope)[1]) for scope in ("alone", "both", "corrected")
    ]
    carried = [part[1] for part in parts]
    assert carried == ["7", "7", "2"]


def test_compare_systems_that_cannot_be(run, folder):
    code, out, err = run("compare", folder, "A", "E")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == "nlpsig: No system called 'E'. Available: A, B, C__1"
    code, out, err = run("compare", folder, "A", "A")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == "nlpsig: 'A' against itself; name two of the systems: A, B, C__1"
    write(folder, {"systems/D.conllu": SMALL["systems/A.conllu"]})
    code, out, _ = run("compare", folder, "A", "D", "--resamples", 100)
    assert code == 0
    assert out.splitlines()[-1].startswith("Nothing can be tested: both systems have the same statistics in every")


@pytest.mark.parametrize(("more", "noted"), [((), True), (("--test", "bootstrap"), False)])
def test_compare_says_why_an_interval_excludes_0_though_p_does_not_decide(run, more, noted):
    """Of 24 speakers p is by randomization, 0.058, and the interval, 0.15 to 7.47, by the bootstrap."""
    _, _, err = run("compare", "mirvel-transcripts", "Yusvandor-3", "Drimolka-2", "--resamples", 2000, *more)
    note = "note: p is by approximate randomization, and intervals by the bootstrap, so one may exclude 0 where"
    assert (note in err) == noted


def test_compare_by_the_macro_average(run, tmp_path):
    package = {f"gold/{t}.conllu": SMALL["gold.conllu"] for t in ("de", "en")}
    package |= {f"systems/{s}/{t}.conllu": SMALL[f"systems/{s}.conllu"] for s in "AB" for t in ("de", "en")}
    write(tmp_path, package)
    code, out, err = run("compare", tmp_path, "A", "B", "--resamples", 2000, "--test-set", "macro-average")
    assert code == 0
    assert out.startswith("Yes: A beats B by ")
    assert out.splitlines()[2].endswith("  12 + 12")
    assert "better on" not in out
    assert out.splitlines()[-1].startswith("Omitted: sentences won, sign test; ")
    assert "|test:bootstrap|" in err.splitlines()[-1]
    code, _, err = run("pairs", tmp_path, "--test-set", "macro-average", "--test", "t")
    assert code == 2
    assert err.endswith("a macro-average is of several. Tests that can: bootstrap, randomization\n")
    code, out, err = run("pairs", tmp_path, "--test-set", "macro-average", "--test", "randomization", "--resamples", 50)
    assert code == 0
    assert "signature: metric:macro-average of LAS|test:randomization|" in err


@pytest.mark.parametrize(
    ("usual", "other"),
    [
        (["score"], ["score", "--interval", "normal"]),
        (["compare", "A", "B"], ["compare", "A", "B", "--interval", "normal"]),
        (["power", "--pair", "A", "B"], ["power", "--pair", "A", "B", "--interval", "normal"]),
        (["power", "--gain", "5"], ["power", "--gain", "7"]),
        (["power", "--gain", "5"], ["power", "--gain", "5", "--power", "0.9"]),
    ],
)
def test_signatures_tell_what_changes_numbers(run, folder, usual, other):
    signed = [run(command, folder, "--resamples", 200, *more) for command, *more in (usual, other)]
    assert [code for code, *_ in signed] == [0, 0]
    fields = [set(re.search(r"^signature: (.*)$", err, re.MULTILINE)[1].split("|")) for *_, err in signed]
    option, value = other[-2:]
    assert f"{option[2:]}:{value if option == '--interval' else float(value)}" in fields[1] - fields[0]


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("sizes brelda-parsing --sizes 100", "|sizes:100|parts:initial|window:0.04-0.06|"),
        ("domains brelda-parsing --size 40", "|domains:news,fables,letters,speech,law|"),
        ("domains brelda-parsing --agreement", "|domains:news,fables,letters,speech,law|"),
        ("domains brelda-parsing --pair Krestluvo-3 Krestluvo-2", "|pair:Krestluvo-3 over Krestluvo-2|"),
        ("answers orlun-evaluation --answers 2 4", "|answers:2-4|power:0.8|"),
        ("answers orlun-evaluation --level 0.01 --sides one", "|level:0.01|sides:one|answers:1-2-4-8|"),
        ("calibrate brelda-parsing --population --draws 2", "|size:65|draws:2|"),
        ("score tolvak-inflection --all-metrics", "|metrics:"),
        ("campaign orvan-three-test-sets --pair Plunaro-1 Drimolka-1", "|pair:Plunaro-1 over Drimolka-1|"),
    ],
)
def test_every_result_carries_a_signature(run, words, fields):
    code, _, err = run(*words.split(), "--resamples", 100)
    assert code == 0
    assert fields in re.search(r"^signature: .*$", err, re.MULTILINE)[0]


@pytest.mark.parametrize(
    "words",
    [
        "answers orlun-evaluation",
        "score tolvak-inflection --all-metrics",
        *(f"campaign orvan-three-test-sets --table {table}" for table in ("scores", "ranks", "agreement")),
    ],
)
def test_what_resamples_nothing_is_not_signed_with_resamples(run, words):
    signed = {re.search("^signature: .*$", run(*words.split(), *more)[2], re.M)[0] for more in ((), ("--seed", "3"))}
    assert len(signed) == 1
    assert not re.search(r"[:|](test|b|seed|adjust):", signed.pop())


@pytest.mark.parametrize(("table", "has_intervals"), [("systems", True), ("pairs", False)])
def test_the_kind_of_interval_is_signed_where_a_table_has_one(run, table, has_intervals):
    words = f"campaign orvan-three-test-sets --table {table} --interval normal --resamples 100"
    assert ("|interval:normal|" in run(*words.split())[2]) == has_intervals


def test_the_signature_of_thresholds_tells_the_groups(run, folder):
    def signed() -> str:
        return run("threshold", folder, "--resamples", 200)[2].splitlines()[-1]

    before = signed()
    write(folder, {"groups.tsv": "system\tgroup\nA\tx\nB\tx\nC__1\tx\n"})
    assert re.sub("groups:[0-9a-f]+", "", before) == re.sub("groups:[0-9a-f]+", "", signed())
    assert before != signed()


def test_threshold(run, folder, tmp_path):
    """There is none on fewer than 20 units, as on the page Test size and of domains."""
    few = {
        row[of] for row in rows(run("threshold", folder, "--resamples", 2000)[1]) for of in ("reason", "model_reason")
    }
    assert few == {"12 units; 20 are needed"}
    twice = {path: text * 2 for path, text in SMALL.items() if path.endswith("conllu")}
    folder = write(tmp_path / "twice", twice | {"groups.tsv": SMALL["groups.tsv"]})
    code, out, _ = run("threshold", folder, "--resamples", 2000)
    assert code == 0
    header = out.splitlines()[0].split("\t")
    assert header == list(COLUMNS)
    found = rows(out)
    assert [row["comparison"] for row in found] == ["different groups", "same group"]
    assert [row["threshold"] for row in found] == ["", ""]
    assert found[0]["reason"].endswith("with p in 0.04 to 0.06; 20 are needed")
    assert found[0]["model_reason"].endswith("with a difference up to 4 times what they need; 10 are needed")


def test_all_metrics(run, folder):
    code, out, _ = run("score", folder, "--all-metrics")
    assert code == 0
    assert out.splitlines()[0] == "system\tmetric\tname\tscore\tprecision\trecall\tf1"
    found = {(row["system"], row["metric"]): row for row in rows(out)}
    assert found["A", "LAS"]["f1"] == "91.666667"
    assert found["A", "Tokens"]["f1"] == "100.000000"
    assert ("A", "MLAS") in found
    assert ("A", "Feats") not in found
    for more in (["--baseline", "B"], ["--metrics", "LAS"]):
        _, _, err = run("score", folder, "--all-metrics", *more)
        assert err.endswith("--all-metrics prints only scores; leave out --metrics and --baseline\n")


@pytest.mark.parametrize("command", ["score", "pairs", "threshold", "domains", "report"])
def test_the_direction_is_asked_before_a_table_is_split(run, tmp_path, monkeypatch, command):
    """Which a large table takes long to be; a metric of another format and a full name are answered at once as well."""
    monkeypatch.setattr("nlpsig_core.data.task.loading.SHAPES", [shape._replace(unfold=None) for shape in SHAPES])
    write(tmp_path, {"scores.csv": "unit,A,B\n1,2,3\n2,3,4\n"})
    asked = "nlpsig: Is a higher or a lower score better? Choose an edition (--edition): higher, lower\n"
    assert run(command, tmp_path / "scores.csv") == (2, "", asked)
    assert run(command, tmp_path, "--kind", "Score table") == (2, "", asked)
    other = "nlpsig: LAS is a metric of CoNLL-U and CoNLL-X\n"
    assert run(command, tmp_path, "--metric", "LAS") == (2, "", other)
    with pytest.raises(TypeError):
        run(command, tmp_path, "--metric", "mean-lower")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("ROUGE-L", "ROUGE-L is a metric of summaries: --kind Summaries"),
        ("ROUGE-L-plain", "ROUGE-L-plain is a metric of summaries: --kind Summaries"),
        ("MLAS", "MLAS is a metric of CoNLL-U"),
        ("LAS", "LAS is a metric of CoNLL-U and CoNLL-X"),
        ("mean", "mean is a metric of score tables"),
        ("F1", "F1 is a metric of tagged tokens, bracketed trees, word alignments and strings"),
    ],
)
def test_a_metric_of_another_kind_is_explained(run, tmp_path, metric, message):
    text = "the dog barks at the cat\n" * 3
    write(tmp_path, {"references/r.txt": text, "systems/A.txt": text})
    assert run("score", tmp_path, "--metric", metric) == (2, "", f"nlpsig: {message}\n")
    if "--kind" in message:
        assert run("score", tmp_path, "--metric", metric, "--kind", "Summaries", "--resamples", 10)[0] == 0


def test_a_metric_of_one_edition_says_which(run):
    """mean-lower says which direction is better; mean says the other; without a metric it is asked."""
    orders = []
    for metric in ("mean", "mean-lower"):
        code, out, _ = run("score", "varnil-scores", "--metric", metric, "--resamples", 100)
        assert code == 0
        orders.append([row["system"] for row in rows(out)])
    assert orders[0][0] == orders[1][-1]
    code, _, err = run("score", "varnil-scores")
    assert code == 2
    assert err == "nlpsig: Is a higher or a lower score better? Choose an edition (--edition): higher, lower\n"


def test_names_with_tabs_and_line_breaks_stay_in_their_cells(run, folder):
    (folder / "systems/A.conllu").rename(folder / "systems/A\u2028\tx.conllu")
    (folder / "groups.tsv").unlink()
    _, out, err = run("score", folder, "--resamples", 10)
    assert [row["system"] for row in rows(out)] == ["A\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}x", "C__1", "B"]
    assert err.splitlines()[-1].startswith("signature: ")


def test_no_number_prints_as_a_negative_0(capsys):
    write_table(pd.DataFrame({"gain_low": [-1e-9, -0.25]}), "tsv")
    assert capsys.readouterr().out == "gain_low\n0.000000\n-0.250000\n"


def test_the_same_seed_gives_the_same_bytes(run, folder):
    first = run("pairs", folder, "--resamples", 3000, "--seed", 4)
    assert run("pairs", folder, "--resamples", 3000, "--seed", 4) == first
    assert run("pairs", folder, "--resamples", 3000, "--seed", 5)[1] != first[1]


def test_invalid_outputs_are_noted_and_scored_or_left_out(run, folder):
    write(folder, {"systems/D.conllu": "nonsense\n"})
    code, out, err = run("score", folder, "--resamples", 100)
    assert code == 0
    assert "note: D: systems/D.conllu, line 1: 1 tab-separated columns instead of 10: 'nonsense' (score as 0)" in err
    last = rows(out)[-1]
    assert (last["system"], last["score"]) == ("D", "0.000000")
    assert last["status"].startswith("systems/D.conllu, line 1: ")
    _, out, _ = run("score", folder, "--resamples", 100, "--invalid", "leave out")
    assert "D" not in [row["system"] for row in rows(out)]


def test_several_test_sets(run, tmp_path):
    package = {f"gold/{t}.conllu": SMALL["gold.conllu"] for t in ("de", "en")}
    package |= {f"systems/{s}/de.conllu": SMALL[f"systems/{s}.conllu"] for s in "AB"}
    package |= {f"systems/{s}/en.conllu": SMALL["gold.conllu"] for s in "AB"}
    write(tmp_path, package)
    _, out, err = run("score", tmp_path, "--resamples", 100)
    assert "note: test set de, the first of de, en" in err
    assert rows(out)[0]["score"] == "91.666667"
    _, out, err = run("score", tmp_path, "--resamples", 100, "--test-set", "en")
    assert "first of" not in err
    assert rows(out)[0]["score"] == "100.000000"
    code, out, err = run("score", tmp_path, "--test-set", "fr")
    assert (code, out, err) == (2, "", "nlpsig: No test set called 'fr'. Available: de, en\n")


def test_gold_apart(run, tmp_path):
    write(tmp_path, {"runs/A.conllu": SMALL["gold.conllu"], "runs/B.conllu": SMALL["gold.conllu"]})
    write(tmp_path, {"truth.conllu": SMALL["gold.conllu"]})
    code, out, _ = run("score", tmp_path / "runs", "--gold", tmp_path / "truth.conllu", "--resamples", 100)
    assert code == 0
    assert [row["system"] for row in rows(out)] == ["A", "B"]


def test_gold_apart_has_its_own_path_in_messages(run, tmp_path, monkeypatch):
    """That of the file, plain or in gzip, and of files in a folder or a zip; --role takes it."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"runs/A.conllu": SMALL["gold.conllu"], "runs/B.conllu": SMALL["gold.conllu"]})
    write(tmp_path, {"some/truth.conllu": SMALL["gold.conllu"], "truth.conllu": SMALL["gold.conllu"]})
    write(tmp_path, {"bad.conllu": "x\n"})
    Path("packed.conllu.gz").write_bytes(gzip.compress(SMALL["gold.conllu"].encode()))
    with ZipFile("some.zip", "w") as packed:
        packed.write("truth.conllu")

    def noted(gold: str, *more: str) -> str:
        code, _, err = run("score", "runs", "--gold", gold, "--resamples", 100, *more)
        return err if code else re.search("2 systems against (.*)", err)[1]

    assert [noted(gold) for gold in ("truth.conllu", "./some", "some.zip", "packed.conllu.gz")] == [
        "truth.conllu", "some/truth.conllu", "some.zip/truth.conllu", "packed.conllu"
    ]  # fmt: skip
    assert noted(str(tmp_path / "truth.conllu")) == str(tmp_path / "truth.conllu")
    assert noted("bad.conllu") == "nlpsig: bad.conllu, line 1: 1 tab-separated columns instead of 10: 'x'\n"
    assert noted("some", "--role", "x=gold").endswith("Available: A.conllu, B.conllu, some/truth.conllu\n")
    for gold in ("truth.conllu", "some"):
        path = noted(gold)
        assert noted(gold, "--role", f"{path}=gold") == path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--metric", "lass"],
            "No metric called 'lass'; did you mean LAS or MLAS or CLAS? Available: AllTags, AllTags-2017, BLEX, CLAS, ",
        ),
        (
            ["--metric", "MLAS", "--edition", "2016"],
            "No edition called '2016'; did you mean 2018 or 2017? Available: 2017, 2018",
        ),
        (["--test-set", "en"], "No test set called 'en'; there is one, without a name: leave the choice out"),
        (["--role", "gold"], "'gold' is not FILE=WHAT; name a file of the task and what it is"),
        (["--domain", "wiki"], "No domain called 'wiki'. Available: blog, news"),
        (["--resamples", "0"], "0 resamples; choose between 1 and 1,000,000,000"),
        (["--seed", "-1"], "The seed -1 is negative; choose 0 or more"),
        (["--gold", "nowhere.conllu"], "nowhere.conllu does not exist; give the gold file"),
    ],
)
def test_bad_requests_end_with_one_clear_line(run, folder, arguments, message):
    write(folder, {"groups.tsv": "system\tgroup\nA\tx\nB\tx\nC__1\ty\n"})
    code, out, err = run("pairs", folder, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"nlpsig: {message}")
    assert err.count("\n") == 1


def test_bad_input(run, tmp_path):
    code, out, err = run("score", tmp_path / "nothing")
    assert (code, out) == (2, "")
    assert err.endswith("does not exist; give a task folder, a zip of one, or a sample's name\n")
    code, out, err = run("score", write(tmp_path / "a", {"gold.conllu": "x", "systems/A.conllu": "x"}))
    assert (code, out) == (2, "")
    assert err == "nlpsig: gold.conllu, line 1: 1 tab-separated columns instead of 10: 'x'\n"
    code, out, err = run("score", write(tmp_path / "b", {"gold.conllu": conllu(RIGHT, RIGHT)}))
    assert (code, out) == (2, "")
    assert "but no system output" in err


@pytest.mark.parametrize("number", ["200", "2e2", "0.2e3", "0,200"])
def test_numbers_of_resamples_may_have_an_exponent_or_commas(run, folder, number):
    assert "|b:200|" in run("pairs", folder, "--resamples", number)[2]


@pytest.mark.parametrize("number", ["1,5", "1.5", "1e400", "nan", "many"])
def test_a_number_of_resamples_that_is_none_has_an_example_of_one(capsys, number):
    with pytest.raises(SystemExit):
        main(["pairs", "brelda-parsing", "--resamples", number])
    expected = f"argument --resamples: {number!r} is not a whole number, such as 1000000 or 1e6; see"
    assert capsys.readouterr().err.startswith(f"nlpsig: {expected}")


@pytest.mark.parametrize(("command", "averaged"), [("score", True), ("answers", False), ("pack", False)])
def test_the_help_says_where_test_sets_are_averaged(capsys, command, averaged):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "NAME ...] only these test sets" in text
    assert ("several of them are averaged" in text) == averaged
    assert ("number of resamples" in text) == averaged


def test_bad_options_are_told_by_the_parser(capsys, folder):
    for arguments in (["pairs", str(folder), "--interval", "exact"], ["pairs", str(folder), "--metrik", "LAS"], []):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("nlpsig: ")
        assert err.count("\n") == 1
        assert err.endswith("--help\n")


def test_notes_take_the_place_of_progress_where_a_terminal_can_clear_it(capsys, monkeypatch, folder):
    """An invalid output ends the reading at less than 100%; a terminal without codes has no progress."""
    for term in ("xterm", "dumb"):
        monkeypatch.setenv("TERM", term)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        assert main(["score", str(folder), "--resamples", "200"]) == 0
        shown = capsys.readouterr().err
        assert ("\r\x1b[Kreading " in shown) == ("\r\x1b[Knote: " in shown) == (term == "xterm")
        assert "\nnote: " not in shown or term == "dumb"


def test_help_and_version(capsys):
    for arguments, text in ((["--version"], f"nlpsig {__version__}"), (["pairs", "--help"], "--resamples")):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        assert text in capsys.readouterr().out


def test_sizes(run, folder):
    """The columns, a row for each size, draw and class; all units are one draw."""
    _, out, _ = run("sizes", folder, "--resamples", 500, "--sizes", 4, 12, "--draws", 2, "--fewest", 1)
    assert out.splitlines()[0].startswith("size\tdraw\tcomparison\tthreshold\tpairs_in_window\tpairs\tmodel_")
    found = {(row["size"], row["draw"]) for row in rows(out)}
    assert found == {("4", "1"), ("4", "2"), ("12", "1")}
    _, fit, _ = run("sizes", folder, "--resamples", 500, "--sizes", 4, 12, "--fit")
    assert {row["reason"][:10] for row in rows(fit)} == {"thresholds"}
    code, _, err = run("sizes", folder, "--sizes", 13)
    assert (code, err.splitlines()[-1]) == (
        2,
        "nlpsig: A size of 13 sentences: there are 12; choose whole numbers from 2 to 12",
    )


def test_domains_and_agreement(run, folder):
    _, out, _ = run("domains", folder, "--resamples", 500, "--fewest", 1)
    assert [row["domain"] for row in rows(out)][:1] == ["news"], "the largest"
    assert {row["domain"] for row in rows(out)} == {"blog", "news"}
    _, out, _ = run("domains", folder, "--agreement")
    (row,) = rows(out)
    assert (row["domain_a"], row["domain_b"], row["systems"]) == ("news", "blog", "3")
    assert -1 <= float(row["low"]) <= float(row["tau"]) <= float(row["high"]) <= 1


def test_several_runs_of_a_system_are_not_swapped_and_a_comparison_says_so(run):
    pair = ("Krestquell-nano", "Zemnaro-nano")
    *lines, last = run("compare", "solem-repairs", *pair, "--metric", "cost", "--resamples", 500)[1].splitlines()
    assert lines[-1].startswith("p by the sign test on the instances won:")
    assert not [line for line in lines if "randomization" in line]
    why = "systems have several runs, and this test takes one output per system"
    assert last == f"Omitted: approximate randomization; {why}."


SEVERAL = "orvan-three-test-sets"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"pack {SEVERAL} --test-set brelda", "--test-set is not for packs; name test sets by --test-sets"),
        (f"campaign {SEVERAL} --baseline Nope", "--baseline is for --table systems and --table pairs"),
        ("calibrate brelda-parsing --draws 3", "--size and --draws are those of --population"),
        ("calibrate brelda-parsing --population --from law", "--population draws test sets from all units; leave out"),
        ("domains brelda-parsing --agreement --size 20", "--size is for thresholds; leave it out with --agreement and"),
        ("people halvet-metrics --invalid nonsense", "Segments that a metric on trial has no score of are left out;"),
        ("people ondvar-judgements --metric=human~score", "human score is people's own verdict: name a metric by"),
    ],
)
def test_options_that_would_be_ignored_are_refused(run, words, message):
    code, out, err = run(*(word.replace("~", " ") for word in words.split()))
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"nlpsig: {message}")


def test_a_folder_that_is_not_empty_is_named_once(run, folder):
    assert run("synthesize", folder)[2] == f"nlpsig: {folder} exists and is not empty; name a new folder\n"


NO_AVERAGE = "--weights are those of a macro-average, which is not computed here"


@pytest.mark.parametrize(
    ("command", "option", "message"),
    [
        *((command, "weights", NO_AVERAGE) for command in "sizes answers domains calibrate people".split()),
        ("power --gain 1", "weights", NO_AVERAGE),
        ("confidence", "metric", "--metric has no meaning for confidences"),
        ("pack", "domain", "A pack has all units and outputs: leave out --domain"),
        ("pack", "weights", NO_AVERAGE),
        ("pack", "test-set", "--test-set is not for packs"),
    ],
)
def test_an_option_that_is_always_refused_is_not_in_the_help(run, capsys, command, option, message):
    first, *others = command.split()
    code, _, err = run(first, SEVERAL, *others, f"--{option}", "by size")
    assert code == 2
    assert err.startswith(f"nlpsig: {message}")
    with pytest.raises(SystemExit):
        main([first, "--help"])
    assert not re.search(rf"^ +--{option} ", capsys.readouterr().out, re.M)


def test_domains_of_one_of_several_test_sets(run):
    code, out, err = run("domains", SEVERAL, "--test-set", "brelda", "--resamples", 500)
    assert code == 0
    assert "|n:77+57+48+34+24|" in err
    assert {row["domain"] for row in rows(out)} == {"news", "fables", "letters", "speech", "law"}
    beside = run("domains", SEVERAL, "--test-set", "brelda", "--with", "brelda-parsing", "--resamples", 500)
    assert {row["domain"] for row in rows(beside[1])} == {"brelda", "brelda-parsing"}
    assert run("calibrate", SEVERAL, "--test-set", "nope")[2].startswith("nlpsig: No test set called 'nope'")


def test_domains_by_a_rule_or_of_another_task(run, folder, tmp_path):
    (folder / "domains.tsv").unlink()
    code, _, err = run("domains", folder)
    assert code == 2
    assert "There is one test set and its domains are not known; name another task with --with" in err
    twin = write(tmp_path / "twin", SMALL)
    _, out, _ = run("domains", folder, "--with", twin, "--agreement")
    assert [(row["domain_a"], row["domain_b"], row["tau"]) for row in rows(out)] == [("task", "twin", "1.000000")]
    _, out, _ = run(
        "domains", folder, "--with", twin, "--with", write(tmp_path / "other" / "twin", SMALL), "--agreement"
    )
    pairs = [(row["domain_a"], row["domain_b"]) for row in rows(out)]
    assert pairs == [("task", "twin"), ("task", "twin #2"), ("twin", "twin #2")], "of the same name, not the same"
    code, _, err = run("score", folder, "--domain-rule", "(", "--resamples", 10)
    assert code == 2
    assert "is not a regular expression" in err


def test_submissions_of_a_bundle(run, tmp_path):
    """blue's last submission has 4 of 6 right, its best by the list 5; red has one, of which 3 are right."""
    gold = "".join(f"{n}\t{'ab'[n % 2]}\n" for n in range(6))
    zips = {
        f"ID_{n}_run.zip": zipped({"answer.txt": gold.replace("\ta", "\tb", wrong)})
        for n, wrong in ((1, 1), (2, 2), (3, 3))
    }
    table = "Submission ID,Owner,Score\n1,blue,0.9\n2,blue,0.8\n3,red,0.7\n"
    path = tmp_path / "bulk.zip"
    path.write_bytes(zipped(zips | {"gold.tsv": gold, "submissions.csv": table}))
    for choice, expected in (("last", [66.67, 50]), ("best", [83.33, 50]), ("all", [83.33, 66.67, 50])):
        code, out, _ = run("score", path, "--metric", "accuracy", "--submissions", choice, "--resamples", 10)
        assert (code, [round(float(row["score"]), 2) for row in rows(out)]) == (0, expected)
    _, out, err = run("score", path, "--resamples", 10)
    assert [(row["system"], row["group"]) for row in rows(out)] == [("blue", "blue"), ("red", "red")]
    assert "ID_1_run.txt is not used: an earlier submission of blue; the last one is ID_2_run" in err
    code, _, err = run("score", path, "--submissions", "best", "--role", "submissions.csv=not used", "--resamples", 10)
    assert (code, "No list of submissions" in err) == (0, False)


def test_calibrate(run, folder):
    """On the news A is better than B, B than C__1; on the blog C__1 than A, A than B: one of three agrees."""
    _, out, err = run("calibrate", folder, "--from", "news", "--resamples", 500, "--bins", 0, 1)
    (row,) = rows(out)
    assert (row["other"], row["pairs"], float(row["agree"])) == ("blog", "3", 1)
    assert "note: winners on news" in err
    code, _, err = run("calibrate", folder, "--population")
    assert (code, "are too few for a population" in err) == (2, True)
    code, _, err = run("calibrate", folder, "--from", "wiki")
    assert (code, err.splitlines()[-1]) == (2, "nlpsig: No domain or test set called 'wiki'. Available: blog, news")


def test_the_macro_average_on_the_command_line(run, tmp_path):
    package = {f"gold/{t}.conllu": SMALL["gold.conllu"] for t in ("de", "en")}
    package |= {f"systems/{s}/de.conllu": SMALL[f"systems/{s}.conllu"] for s in "AB"}
    package |= {f"systems/{s}/en.conllu": SMALL["gold.conllu"] for s in "AB"}
    write(tmp_path, package)
    _, out, err = run("score", tmp_path, "--resamples", 100, "--test-set", "macro-average")
    assert [float(row["score"]) for row in rows(out)] == pytest.approx([(91.666667 + 100) / 2, (66.666667 + 100) / 2])
    assert "signature: metric:macro-average of LAS|" in err
    _, out, _ = run("pairs", tmp_path, "--resamples", 100, "--test-set", "macro-average")
    assert rows(out)[0]["gain"] == "12.500000"


def test_verdicts_and_notions_on_the_command_line(run, folder):
    """A over B: 6 units of 12 differ, all won by A. Better on its own, not among three pairs; never equivalent."""

    def found(*options):
        code, out, err = run("pairs", folder, "--resamples", 2000, *options)
        row = next(row for row in rows(out) if (row["system_a"], row["system_b"]) == ("A", "B"))
        return code, row["verdict"], float(row["p"]), row["p_corrected"], err

    _, verdict, p, corrected, err = found()
    assert verdict == "better on its own"
    assert p < 0.05 < float(corrected)
    assert "note: 1 of 3 pairs differ on their own (0 after correcting); " in err
    assert "|level:0.05|sides:two|scope:both|adjust:Holm|" in err.splitlines()[-1]
    _, verdict, p_alone, none, err = found("--scope", "alone", "--within", 1)
    assert (verdict, p_alone, none) == ("better", p, "")
    assert "note: 1 of 3 pairs differ on their own; " in err
    assert "|scope:alone|within:1|" in err.splitlines()[-1]
    _, verdict, p_corrected, _, err = found("--scope", "corrected")
    assert (verdict, p_corrected) == ("undecided", float(corrected))
    assert "note: 0 of 3 pairs differ after correcting; " in err
    _, verdict, one_sided, _, err = found("--scope", "alone", "--sides", "one")
    assert (verdict, one_sided) == ("better", 0.0)
    assert "(winner's one-sided p < 0.05)" in err
    _, verdict, _, _, err = found("--scope", "corrected", "--within", 100)
    assert verdict == "equivalent"
    assert "p and intervals account for it" in err
    err = run("pairs", folder, "--resamples", 20)[2]
    assert "note: Holm over 3 pairs cannot go below 0.05 with so few resamples; use 60 or more" in err
    code, out, err = run("pairs", folder, "--adjust", "max-t", "--resamples", 20)
    assert (code, out) == (2, "")
    assert "max-t needs 200 sentences, and there are 12; choose Holm" in err


def test_csv_has_numbers_and_latex_what_people_read():
    """No hit in 1,000 resamples is 0 of 1,000 in CSV, "< 0.001" in a paper; the bound has no column."""
    table = pd.DataFrame({"system_a": ["a"], "p": [0.0012], "p_value": [0.0], "p_error": [0.003], "resamples": [1000]})
    table["p_bound"] = 0.001
    assert csv_text(table, "s").splitlines()[1:] == ["system_a,p,p_value,p_error,resamples", "a,0.0012,0.0,0.003,1000"]
    assert "a & $<$ 0.001 & $<$ 0.001 & 0.00 & 1000" in latex_text(table, "s")
    of_all = {"p_corrected": 0.004, "p_corrected_bound": 0.004, "p_holm": 0.004, "p_holm_bound": 0.004}
    texts = p_texts(table.assign(**of_all, p_by=0.004, p_two_sided=1 / 1001, hits_two_sided=0))
    assert (texts["p_corrected"], texts["p_holm"], texts["p_by"]) == (["< 0.004"], ["< 0.004"], ["0.0040"])
    assert texts["p_two_sided"] == ["< 0.001"], "a test that counts the observed outputs as one more resample"
    assert p_texts(table.assign(p_two_sided=4 / 1001, hits_two_sided=3))["p_two_sided"] == ["0.0040"]
    by_formula = table.drop(columns=["p_bound"]).assign(resamples=0)
    assert "a & 0.0012 & $<$ 1e-300 &" in latex_text(by_formula, "s")


def imported_for(*arguments: str) -> set[str]:
    """Those of some large packages that a help text imports."""
    code = """if True:
        import sys
        from nlpsig_core.output.commands.cli import main
        try:
            main(sys.argv[1:])
        except SystemExit:
            slow = {"numba", "plotly", "jinja2", "nlpsig_core.laboratory.parsers", "nlpsig_core.laboratory.synthesis"}
            print(*slow & set(sys.modules), sep="\\n")
        """
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("\n\n")[2].split())


def test_a_command_does_not_wait_for_the_imports_of_others():
    assert imported_for("score", "--help") == set()


def test_no_help_waits_for_numba():
    """Every command is imported for this one, kernels included."""
    imported = imported_for("--help")
    assert "nlpsig_core.laboratory.parsers" in imported
    assert not imported & {"numba", "plotly", "jinja2"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_listed_with_what_it_does(name, capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    command, _ = command_named(name)
    assert command.__doc__
    printed = " ".join(capsys.readouterr().out.split())
    assert f"{name} {command.__doc__.strip()}" in printed


def test_an_unknown_command_is_told_the_others_and_an_unknown_option_those_like_it(capsys):
    assert main(["scor", "pairs"]) == 2
    out, message = capsys.readouterr()
    assert (out, message.count("\n")) == ("", 1)
    assert message.startswith("nlpsig: No command called 'scor'; did you mean score? Available: ")
    assert all(name in message for name in COMMANDS)
    with pytest.raises(SystemExit):
        main(["score", "brelda-parsing", "--resample", "10", "--metrik", "LAS"])
    message = capsys.readouterr().err
    assert message.startswith("nlpsig: unrecognized arguments: --metrik LAS; did you mean --metric or --metrics?; see ")
    assert message.endswith("; see nlpsig score --help\n")
    with pytest.raises(SystemExit):  # it prints no table
        main(["report", "brelda-parsing", "--format", "json"])
    assert "unrecognized arguments: --format json" in capsys.readouterr().err


def test_score_against_a_baseline(capsys):
    """The columns follow the score; the golden tables without a baseline have none of them."""
    arguments = ["score", "brelda-parsing", "--baseline", "Krestluvo-3", "--resamples", "20000", "--format", "json"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    rows = {row["system"]: row for row in json.loads(printed.out)}
    assert list(rows["Krestluvo-3"])[2:9] == ["score", "low", "high", "gain", "verdict", "p", "p_corrected"]
    assert rows["Krestluvo-3"]["verdict"] == "baseline"
    worst = rows["Drimolka-1"]
    assert worst["gain"] == pytest.approx(worst["score"] - rows["Krestluvo-3"]["score"])
    assert worst["verdict"] == "worse"
    assert " beats Krestluvo-3 by " in printed.err


def test_score_against_a_baseline_by_several_metrics(capsys):
    """28 systems by each of two metrics, in the order of the command."""
    arguments = ["score", "brelda-parsing", "--metrics", "UAS", "LAS", "--resamples", "200"]
    assert main([*arguments, "--baseline", "Krestluvo-3"]) == 0
    printed = capsys.readouterr()
    header, *rows = (line.split("\t") for line in printed.out.splitlines())
    assert header == ["metric", "system", "score", "gain", "gain_low", "gain_high", "verdict", "p", "p_corrected"]
    assert [row[0] for row in rows] == ["UAS"] * 28 + ["LAS"] * 28
    assert "|metrics:UAS,LAS|" in printed.err
    assert main(arguments) == 2
    assert "--metrics needs --baseline" in capsys.readouterr().err


def test_a_baseline_is_guessed_said_and_left_out_on_demand(run, folder):
    """C__1 is the baseline by its name: score, campaign and report speak of it, unless there is to be none."""
    (folder / "systems/C__1.conllu").rename(folder / "systems/our-baseline.conllu")
    code, out, err = run("score", folder, "--resamples", 2000)
    assert code == 0
    assert "note: baseline: our-baseline, by its name; --baseline none for none" in err
    assert "note: No system beats our-baseline." in err
    assert [row["verdict"] for row in rows(out)] == ["undecided", "baseline", "undecided"]
    _, out, err = run("score", folder, "--resamples", 2000, "--baseline", "none")
    assert "verdict" not in out.splitlines()[0]
    assert "our-baseline, by its name" not in err
    assert "our-baseline, by its name" in run("report", folder, "--resamples", 200, "-o", folder / "report.html")[2]


def test_an_unknown_baseline_is_refused_before_resampling(run, folder, tmp_path, monkeypatch):
    monkeypatch.setattr(Selection, "bootstrap", None)
    of_campaign = ["campaign", SEVERAL, "--table", "systems"]
    for command in (["score", folder], ["report", folder, "-o", tmp_path / "x.html"], of_campaign):
        code, _, err = run(*command, "--baseline", "Nope")
        assert (code, "nlpsig: No system called 'Nope'" in err) == (2, True)


def test_a_subset_of_test_sets(run, tmp_path):
    """Two of three: their average, one of them, and a name that there is not; campaign ranks on them alone."""
    package = {f"gold/{t}.conllu": SMALL["gold.conllu"] for t in ("de", "en", "fr")}
    package |= {f"systems/{s}/{t}.conllu": SMALL[f"systems/{s}.conllu"] for s in "AB" for t in ("de", "en", "fr")}
    write(tmp_path, package)
    two = ("--test-sets", "fr", "de", "--resamples", 200)
    for command in (("score",), ("pairs",), ("compare", "A", "B"), ("threshold",)):
        name, *systems = command
        code, _, err = run(name, tmp_path, *systems, *two)
        assert code == 0
        assert "|test_sets:de,fr|" in err.splitlines()[-1]
    code, out, _ = run("campaign", tmp_path, *two)
    assert code == 0
    assert {"de", "fr"} < set(out.splitlines()[0].split("\t"))
    assert "en" not in out.splitlines()[0].split("\t")
    assert "|n:12|" in run("score", tmp_path, *two, "--test-set", "fr")[2]
    assert "|n:12|" in run("score", tmp_path, "--test-sets", "fr", "--resamples", 200)[2]
    code, out, err = run("score", tmp_path, "--test-sets", "de", "it")
    assert (code, out) == (2, "")
    assert "No test set called 'it'. Available: de, en, fr" in err
    code, _, err = run("score", tmp_path, *two, "--test-set", "en")
    assert code == 2
    assert "No test set called 'en'" in err


def test_what_counts_is_printed_without_decimals(run, tmp_path):
    """Units that pairs need, in a table with pairs that need none, and ranks beside outputs that are missing."""
    undecided = [row for row in rows(run("pairs", "brelda-parsing", "--resamples", 1_000)[1]) if row["needed"]]
    assert undecided
    assert all(row["needed"].isdigit() and row["verdict"] == "undecided" for row in undecided)
    result = json.loads(run("pairs", "brelda-parsing", "--resamples", 1_000, "--format", "json")[1])
    needed = [row["needed"] for row in result if row["needed"] is not None]
    assert needed == [float(row["needed"]) for row in undecided]
    package = {f"gold/{t}.conllu": SMALL["gold.conllu"] for t in ("de", "en")}
    package |= {f"systems/{s}/de.conllu": SMALL[f"systems/{s}.conllu"] for s in "AB"}
    package["systems/A/en.conllu"] = SMALL["systems/A.conllu"]
    write(tmp_path, package)
    ranks = rows(run("campaign", tmp_path, "--table", "ranks")[1])
    assert [(row["system"], row["de"], row["en"]) for row in ranks] == [("A", "1", "1"), ("B", "2", "missing")]


def test_the_atlas_says_nothing_of_a_gain_that_was_not_given(run):
    asked = ("atlas", "ask", "--metric", "LAS", "--n", 500)
    of_gain = ("share", "pairs", "test_sets", "units")
    (without,), (of_two) = rows(run(*asked)[1]), rows(run(*asked, "--gain", 2)[1])[0]
    assert float(without["threshold"]) > 0
    assert [without[name] for name in of_gain] == [""] * 4
    assert all(float(of_two[name]) > 0 for name in of_gain)
    (row,) = json.loads(run(*asked, "--format", "json")[1])
    assert [row[name] for name in of_gain] == [None] * 4


def test_measures_of_metrics_draw_systems_as_often_as_is_asked_for(run):
    message = "--measures and --metrics are about all segments: leave out --unit, --invalid and --scores"
    code, out, err = run("people", "halvet-metrics", "--measures", "--unit", "document")
    assert (code, out, err) == (2, "", f"nlpsig: {message}\n")
    printed = [run("people", "halvet-metrics", "--measures", *more) for more in ((), ("--resamples", 500))]
    assert ["|b:10000|" in printed[0][2], "|b:500|" in printed[1][2]] == [True, True]
    usual, few = ([(row["low"], row["high"]) for row in rows(out) if row["low"]] for _, out, _ in printed)
    assert len(usual) == len(few)
    assert usual != few


@pytest.mark.parametrize(("task", "metric"), [("kessim-ratings", "Spearman"), ("ilvet-stance", "kappa")])
def test_json_of_a_comparison_has_null_where_there_is_no_number(run, task, metric):
    """Units that are won, where no unit has a score of its own."""
    pair = [row["system"] for row in rows(run("score", task, "--resamples", 200)[1])[:2]]
    code, out, _ = run("compare", task, *pair, "--metric", metric, "--resamples", 500, "--format", "json")
    assert code == 0

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    assert json.loads(out, parse_constant=refuse)["difference"]["won"] == [None] * 3


@pytest.mark.parametrize(
    "words", ["people ondvar-judgements", "people halvet-metrics --metrics", "people halvet-metrics --unit document"]
)
def test_people_sign_what_counts_as_significant(run, words):
    """The test, level, sides and scope: of few documents, the test is approximate randomization."""
    *_, usual = run(*words.split(), "--resamples", 500)
    *_, other = run(*words.split(), "--resamples", 500, "--sides", "one", "--scope", "alone")
    test = "randomization" if "--unit" in words else "bootstrap"
    assert f"|test:{test}|" in usual
    assert "|level:0.05|sides:two|scope:both|adjust:Holm|" in usual
    assert "|level:0.05|sides:one|scope:alone|" in other


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--metric SPA", "These outputs are metrics on trial: name one by --scores; --metric is for --metrics"),
        ("--measures --metric SPA", "--measures prints all measures; --metric is for --metrics"),
    ],
)
def test_people_refuse_a_metric_that_they_would_not_use(run, words, message):
    assert run("people", "halvet-metrics", *words.split()) == (2, "", f"nlpsig: {message}\n")


def test_metrics_beside_each_other_are_signed_with_their_baseline(run):
    words = ("score", "brelda-parsing", "--metrics", "LAS", "UAS", "--resamples", 200, "--baseline", "Quennaro-joint")
    assert "|metrics:LAS,UAS|baseline:Quennaro-joint|" in run(*words)[2]


@pytest.mark.parametrize("command", ["power", "sizes", "answers"])
def test_commands_about_one_test_set_say_so_of_the_average(run, command):
    code, out, err = run(command, "orvan-three-test-sets", "--test-set", "macro-average")
    message = "This command is about one test set, not about the macro-average: brelda, llethir, shumak"
    assert (code, out, err.splitlines()[-1]) == (2, "", f"nlpsig: {message}")


def test_a_metric_is_not_that_of_another_edition_than_the_one_that_is_named(run):
    """As written, other systems lead than in normalised text."""
    words = ("score", "mirvel-transcripts", "--edition", "normalised", "--resamples", 100, "--metric")
    message = "nlpsig: WER is as written; choose --metric normalised-WER, or leave out --edition"
    code, out, err = run(*words, "WER")
    assert (code, out, err.splitlines()[-1]) == (2, "", message)
    assert "metric:normalised-WER|" in run(*words, "normalised-WER")[2]


def test_huge_numbers_of_units_are_printed(run):
    """More than a whole number of the machine holds, to settle a gain of a ten-thousandth of a millionth."""
    words = ("brelda-parsing", "--resamples", 300, "--within", 1e-10)
    code, out, _ = run("pairs", *words)
    assert code == 0
    needed = [row["needed"] for row in rows(out) if row["needed"]]
    assert needed
    assert all(of.isdigit() for of in needed)
    assert max(map(int, needed)) > 2**63
    code, out, _ = run("gate", *words, "--baseline", "Habsique-4", "--candidate", "Plunaro-2")
    assert code == 4
    (row,) = rows(out)
    assert row["needed"].isdigit()


def test_signatures_have_the_baseline_and_the_pair_with_its_winner_first(run):
    words = ("score", "brelda-parsing", "--resamples", 200, "--baseline")
    assert "|baseline:Oskblit-joint|" in run(*words, "Oskblit-joint")[2]
    assert "baseline:" not in run(*words, "none")[2]
    words = ("power", "brelda-parsing", "--resamples", 200, "--pair")
    pair = ["Oskblit-joint", "Quennaro-joint"]
    assert all("|pair:Quennaro-joint over Oskblit-joint|" in run(*words, *of)[2] for of in (pair, pair[::-1]))
    assert "signature:" not in run(*words, "Nobody", "Oskblit-joint")[2]


def test_an_edition_of_rankings_that_there_is_not_is_named(run):
    code, _, err = run("score", "sorvan-rankings", "--metric", "AP", "--edition", "foo")
    assert code == 2
    assert "No edition called 'foo'" in err
