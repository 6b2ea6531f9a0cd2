"""``nlpsig gate``: exit codes, what it prints and writes, and what it refuses."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from nlpsig_core.output.commands.cli import main
from nlpsig_core.output.commands.gate import EXIT_CODES
from tests.builders import conllu, write
from tests.project.documents import ROOT

RIGHT, WRONG = "a/0/root b/1/obj", "a/0/root b/1/obl"
N = 60


def parses(wrong: int, of: int = N) -> str:
    return conllu(*[WRONG] * wrong, *[RIGHT] * (of - wrong))


TASK = {
    "gold.conllu": parses(0),
    "systems/old.conllu": parses(5),
    "systems/same.conllu": parses(5),
    "systems/worse.conllu": parses(25),
    "systems/close.conllu": conllu(*[RIGHT] * 4, *[WRONG] * 8, *[RIGHT] * (N - 12)),
}


@pytest.fixture(autouse=True)
def once(counted_once, monkeypatch, one_process):
    """Counts that other tests have made may be used, and counting starts no processes."""
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "task", TASK)


@pytest.fixture
def run(capsys):
    def run(*words: object, resamples: int = 2_000) -> tuple[int, str, str]:
        code = main(["gate", *map(str, words), "--resamples", str(resamples)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_every_outcome_has_an_exit_code_of_its_own_and_none_is_that_of_a_failure():
    assert EXIT_CODES == {"not worse": 0, "worse": 3, "undecided": 4}
    assert not set(EXIT_CODES.values()) & {1, 2, 130}


def test_the_pair_has_the_unit_and_the_p_that_it_has_everywhere(run, capsys):
    """Speakers are resampled since that matters for the systems of the task; for these two alone it would not."""
    pair = ["Yusvandor-3", "Yusvandor-4"]
    words = ["--format", "json", "--resamples", "2000"]
    assert main(["compare", "mirvel-transcripts", *pair, "--scope", "alone", *words]) == 0
    out, err = capsys.readouterr()
    p = json.loads(out)["difference"]["p"]
    sign = next(line for line in err.splitlines() if line.startswith("signature: "))
    _, out, err = run("mirvel-transcripts", "--baseline", pair[0], "--candidate", pair[1], "--format", "json")
    assert json.loads(out)["checks"][0]["p"] == p
    assert "|unit:speaker" in sign
    assert "|unit:speaker" in err
    assert re.search(r"data:\w+", err)[0] == re.search(r"data:\w+", sign)[0]


def test_people_need_not_have_judged_all_that_a_pair_is_compared_on(run):
    """The pair has the units of the table of pairs; a system that nobody has judged cannot pass."""
    by_people = ("--metric", "human score", "--baseline", "Plunaro-2")
    code, out, _ = run("ondvar-judgements", *by_people, "--candidate", "Drimolka-1", "--format", "json")
    (check,) = json.loads(out)["checks"]
    assert (code, check["outcome"], check["units"]) == (4, "undecided", 60)
    pair = ("--metric", "human score", "--baseline", "Plunaro-2", "--candidate", "Drimolka-1")
    code, _, err = run("ondvar-judgements", *pair, "--invalid", "leave out")
    assert code == 2
    assert "has no valid output" in err


@pytest.mark.parametrize(
    ("candidate", "options", "code", "outcome"),
    [
        ("same", [], 0, "not worse"),
        ("worse", [], 3, "worse"),
        ("close", [], 4, "undecided"),
        ("close", ["--strict"], 3, "undecided"),
        ("worse", ["--strict"], 3, "worse"),
        ("same", ["--strict"], 0, "not worse"),
        ("close", ["--within", "20"], 0, "not worse"),
        ("worse", ["--within", "50"], 0, "not worse"),
    ],
)
def test_exit_codes(run, folder, candidate, options, code, outcome):
    found, out, err = run(folder, "--baseline", "old", "--candidate", candidate, *options)
    assert found == code
    header, row = (line.split("\t") for line in out.splitlines())
    assert dict(zip(header, row, strict=True))["outcome"] == outcome
    assert err.splitlines()[-1].startswith("signature: metric:LAS|")


def test_the_table_has_numbers_and_no_none(run, folder):
    """Five sentences of 60 are wrong, and 25: 20 are lost. The interval is -25 to -9, and without a margin no bound."""
    _, out, err = run(folder, "--baseline", "old", "--candidate", "worse")
    header, row = (line.split("\t") for line in out.splitlines())
    cells = dict(zip(header, row, strict=True))
    assert (cells["lost"], cells["won"], cells["differing"], cells["units"]) == ("20", "0", "20", "60")
    assert (cells["score_baseline"], cells["score_candidate"], cells["gain"]) == (
        "95.833333",
        "79.166667",
        "-16.666667",
    )
    assert float(cells["gain_low"]) < -16.7 < float(cells["gain_high"]) < 0
    assert (cells["above"], cells["p_corrected"], cells["needed"]) == ("", "", "")
    assert "None" not in out
    assert "note: Worse: old beats worse by 16.67 LAS; p " in err


def test_json_has_everything(run, folder):
    code, out, _ = run(folder, "--baseline", "old", "--candidate", "close", "--strict", "--format", "json")
    found = json.loads(out, parse_constant=pytest.fail)
    assert (code, found["outcome"], found["strict"], found["failed"]) == (3, "undecided", True, True)
    (check,) = found["checks"]
    assert check["needed"] > N
    assert (check["flips"]["lost"], check["flips"]["won"]) == (7, 4)
    assert [flip["unit"] for flip in check["flips"]["worst"]] == [6, 7, 8, 9, 10, 11, 12]
    assert [flip["gain"] for flip in check["flips"]["best"]] == [50.0] * 4


def test_units_without_scores_of_their_own_are_neither_lost_nor_won(run):
    """``compare`` omits items won there, too; an empty cell is not 0."""
    pair = ["--baseline", "Vorquell-1", "--candidate", "Vorquell-2"]
    _, out, _ = run("ilvet-stance", *pair, "--metric", "macro-F1", "accuracy")
    header, *rows = (line.split("\t") for line in out.splitlines())
    cells = [dict(zip(header, row, strict=True)) for row in rows]
    found = [(one["metric"], one["lost"], one["won"]) for one in cells]
    assert found == [("macro-F1", "", ""), ("accuracy", "12", "11")]


def test_files_are_written_for_pipelines(run, folder, tmp_path):
    """The summary is added to what is there, as other steps of a job may have written some."""
    summary, results = tmp_path / "summary.md", tmp_path / "gate.xml"
    summary.write_text("before\n")
    files = ["--markdown", summary, "--junit", results]
    for candidate in ("worse", "close"):
        run(folder, "--baseline", "old", "--candidate", candidate, *files)
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("before\n### ✗ Worse: worse against old\n")
    assert "### ? Undecided: close against old\n" in text
    assert ElementTree.parse(results).getroot().attrib == {"tests": "1", "failures": "0", "errors": "0", "skipped": "1"}
    assert results.read_bytes().endswith(b"</testsuites>\n")


def test_several_metrics_and_margins(run, folder):
    code, out, err = run(
        folder,
        "--baseline",
        "old",
        "--candidate",
        "worse",
        "--metric",
        "LAS",
        "UAS",
        "--within",
        1,
        2,
        "--format",
        "json",
    )
    found = json.loads(out)
    assert [(one["metric"], one["within"], one["outcome"]) for one in found["checks"]] == [
        ("LAS", 1.0, "worse"),
        ("UAS", 2.0, "not worse"),
    ]
    assert code == 3
    assert err.count("note: Each system has one run") == 1
    assert "note: Worse: 1 worse, 1 not worse of 2 decisions" in err


def test_two_files_and_a_gold_need_no_folder(run, folder):
    old, worse = (folder / "systems" / f"{name}.conllu" for name in ("old", "worse"))
    code, out, _ = run(old, worse, "--gold", folder / "gold.conllu", "--format", "json")
    found = json.loads(out)
    assert (code, found["baseline"], found["candidate"]) == (3, "baseline", "candidate")
    assert run(worse, old, "--gold", folder / "gold.conllu")[0] == 0
    _, in_folder, _ = run(folder, "--baseline", "old", "--candidate", "worse", "--format", "json")
    same = ("gain", "gain_low", "gain_high", "p")
    assert [found["checks"][0][name] for name in same] == [json.loads(in_folder)["checks"][0][name] for name in same]
    code, _, err = run(old, worse)
    assert code == 2
    assert "Name one file gold.conllu, or put" in err
    assert err.endswith(". You can also name the gold with --gold\n")
    tables = write(folder, {"a.csv": "id,label\nx,good\n", "b.tsv": "id\tlabel\nx\tbad\n"})
    code, _, err = run(tables / "a.csv", tables / "b.tsv")
    assert code == 2
    assert "If these are answers, name one file gold.csv. You can also name the gold with --gold" in err


def test_two_files_have_their_own_paths_in_all_messages(run, folder, tmp_path):
    """Not those inside the task that they become; options name them as the command does."""
    old, new = folder / "systems" / "old.conllu", tmp_path / "systems" / "baseline.conllu"
    write(tmp_path, {"systems/baseline.conllu": "1\tx\n\n"})
    words = (old, new, "--gold", folder / "gold.conllu", "--junit", tmp_path / "gate.xml")
    code, _, err = run(*words)
    assert code == 2
    assert f"note: candidate: {new}, line 1: " in err
    assert f"complete it: {new}, line 1: " in err
    (suite,) = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert f"complete it: {new}, line 1: " in suite[0].find("error").get("message")
    assert f"Available: {folder / 'gold.conllu'}, {old}, {new}\n" in run(*words, "--role", "x=gold")[2]
    assert f"nlpsig: {new} cannot be read as 'x': CoNLL-U has only one" in run(*words, "--read-as", f"{new}=x")[2]
    missing = run(old, "none.conllu", "--gold", folder / "gold.conllu")[2]
    assert missing == "nlpsig: none.conllu does not exist; give the path of a file\n"


def test_a_file_against_itself_is_refused_as_a_system_is(run, folder):
    old, again = folder / "systems" / "old.conllu", folder / "." / "again.conllu"
    again.symlink_to(old)
    for other in (old, again):
        code, out, err = run(old, other, "--gold", folder / "gold.conllu")
        assert (code, out) == (2, "")
        assert f"nlpsig: {other} against itself; name the files of two outputs" in err


def test_two_packed_files(run, folder, tmp_path):
    for name in ("old", "worse"):
        packed = tmp_path / f"{name}.conllu.gz"
        packed.write_bytes(gzip.compress((folder / "systems" / f"{name}.conllu").read_bytes()))
    assert run(tmp_path / "old.conllu.gz", tmp_path / "worse.conllu.gz", "--gold", folder / "gold.conllu")[0] == 3


def solved(model: str, right: int) -> str:
    """An evaluation log that names its model."""
    rows = [{"model": model, "instance_id": f"q{i}", "resolved": i < right} for i in range(N)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_two_logs_need_no_gold_and_may_name_their_systems(run, tmp_path):
    """They solve 50 and 30 of 60 questions."""
    write(tmp_path, {"a.jsonl": solved("first", 50), "b.jsonl": solved("second", 30)})
    code, _, err = run(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert code == 2
    assert "These files name their systems themselves (first, second); add --baseline and --candidate" in err
    assert run(tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--baseline", "first", "--candidate", "second")[0] == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--baseline", "old"], "Two systems are compared; name them with --baseline and --candidate"),
        (["--baseline", "old", "--candidate", "wors"], "No system called 'wors'; did you mean worse"),
        (["--baseline", "old", "--candidate", "old"], "'old' against itself"),
        (["--within", "-1"], "A margin of -1 is not above 0; leave out --within for none"),
        (["--within", "0"], "A margin of 0 is not above 0"),
        (["--within", "inf"], "A margin of inf is not above 0"),
        (["--within", "nan"], "A margin of nan is not above 0"),
        (["--within", "1", "2"], "2 margins for 1 metric; give --within one, or one for each metric"),
        (["--metric", "LAS", "UAS", "CLAS", "--within", "1", "2"], "2 margins for 3 metrics"),
        (["--metric", "LASS"], "No metric called 'LASS'"),
        (["--test-set", "en"], "No test set called 'en'"),
        (["--weights", "by size"], "--weights are those of a macro-average; there is one test set"),
        (["--level", "0.7"], "The level 0.7 is not between 0 and 0.5"),
        (["--junit", "."], "is a folder"),
        (["--junit", "-"], "--markdown and --junit write files; name one in place of -"),
        (["--markdown", "-"], "--markdown and --junit write files; name one in place of -"),
        (
            ["--markdown", "gate.out", "--junit", "./gate.out"],
            "gate.out and ./gate.out are the same file; choose another",
        ),
        (["--markdown", "none/summary.md"], "the folder none does not exist"),
        (["--markdown", "gate.txt", "--junit", "./gate.txt"], "gate.txt and ./gate.txt are the same file"),
    ],
)
def test_what_cannot_be_used_ends_with_2_and_decides_nothing(run, folder, words, message, tmp_path):
    named = [] if "--baseline" in words else ["--baseline", "old", "--candidate", "same"]
    code, out, err = run(folder, *named, *words)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--candidate", "wors"], "No system called 'wors'"),
        (["--candidate", "same", "--level", "0.7"], "The level 0.7 is not between 0 and 0.5"),
        (["--candidate", "same", "--markdown", "none/summary.md"], "the folder none does not exist"),
    ],
)
def test_an_error_leaves_no_results_of_an_earlier_run(run, folder, tmp_path, words, message):
    """A workspace that is kept would report the tests of yesterday."""
    results = tmp_path / "gate.xml"
    assert run(folder, "--baseline", "old", "--candidate", "same", "--junit", results)[0] == 0
    assert run(folder, "--baseline", "old", *words, "--junit", results)[0] == 2
    (suite,) = ElementTree.parse(results).getroot()
    assert (suite.get("tests"), suite.get("errors")) == ("1", "1")
    assert message in suite[0].find("error").get("message")


@pytest.mark.parametrize(("end", "code"), [(KeyboardInterrupt, 130), (MemoryError, 1), (BrokenPipeError, 1)])
def test_what_ends_a_run_leaves_no_results_of_an_earlier_one(run, folder, tmp_path, monkeypatch, end, code):
    words = (folder, "--baseline", "old", "--candidate", "same", "--junit", tmp_path / "gate.xml")
    assert run(*words)[0] == 0

    def ended(*_, **__):
        raise end

    monkeypatch.setattr("nlpsig_core.output.commands.gate.decided", ended)
    assert run(*words)[0] == code
    assert ElementTree.parse(tmp_path / "gate.xml").getroot().get("errors") == "1"


def test_an_invalid_candidate_ends_with_2_even_if_the_baseline_is_invalid_in_the_same_way(run, tmp_path):
    folder = write(tmp_path / "task", TASK | {f"systems/{name}.conllu": "1\tx\n\n" for name in ("old", "new")})
    code, out, err = run(folder, "--baseline", "old", "--candidate", "new")
    assert (code, out) == (2, "")
    assert (
        "nlpsig: The candidate new has no valid output, so nothing is decided; complete it: systems/new.conllu" in err
    )
    files = [folder / "systems" / f"{name}.conllu" for name in ("same", "new")]
    _, _, err = run(*files, "--gold", folder / "gold.conllu")
    assert "nlpsig: The candidate has no valid output, so nothing is decided" in err


@pytest.mark.parametrize(("candidate", "code"), [("worse", 3), ("same", 0)])
@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_reader_who_leaves_lets_nothing_pass(folder, closed, candidate, code):
    """Without a reader of the table, the decision stands; without one of the notes before it, nothing passes."""
    words = ["gate", str(folder), "--baseline", "old", "--candidate", candidate, "--resamples", "1000"]
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "nlpsig_core", *words]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {closed: writing}
    done = subprocess.run(command, cwd=ROOT, check=False, **streams)
    os.close(writing)
    assert done.returncode == (code if closed == "stdout" else 1)


def test_several_test_sets_are_decided_on_each_or_pooled(run):
    pair = ["orvan-three-test-sets", "--baseline", "Vorquell-1", "--candidate", "Vorquell-3", "--within", "0.5"]
    code, out, _ = run(*pair, "--format", "json")
    found = json.loads(out)
    assert (code, found["outcome"]) == (4, "undecided")
    assert [(one["test_set"], one["counts"]) for one in found["checks"]] == [
        ("brelda", True), ("llethir", True), ("shumak", True), ("macro-average", False),
    ]  # fmt: skip
    for pooled in (["--pooled"], ["--test-set", "macro-average"]):
        code, out, _ = run(*pair, *pooled, "--format", "json")
        assert (code, [one["test_set"] for one in json.loads(out)["checks"] if one["counts"]]) == (0, ["macro-average"])
    _, out, _ = run(*pair, "--test-sets", "brelda", "shumak", "--format", "json")
    assert [one["test_set"] for one in json.loads(out)["checks"]] == ["brelda", "shumak", "macro-average"]
    _, out, _ = run(*pair, "--test-set", "shumak", "--format", "json")
    (check,) = json.loads(out)["checks"]
    assert (check["test_set"], check["p_corrected"]) == ("shumak", None)


def test_a_test_set_without_a_valid_output_is_named(run):
    words = ["orvan-three-test-sets", "--baseline", "Feltrony-1", "--candidate", "Zemblit-1"]
    code, _, err = run(*words)
    assert code == 2
    assert (
        "The candidate Zemblit-1 has no valid output on llethir, so nothing is decided; complete it, or choose" in err
    )
    assert run(*words, "--test-sets", "brelda", "shumak")[0] == 3
