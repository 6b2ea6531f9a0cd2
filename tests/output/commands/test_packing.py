"""The command ``pack``, and packs beside reports."""

from __future__ import annotations

import pytest

from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task

MAIN, RUNS = "brelda-parsing", "dorvel-runs"


@pytest.fixture
def packed(tmp_path, monkeypatch, counted_once):
    """A folder, which is the working one, with the pack of a sample."""
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))
    monkeypatch.chdir(tmp_path)
    assert main(["pack", RUNS, "--metrics", "LAS", "-o", "runs.nlpsig", "--about", "language=Dorvel"]) == 0
    return tmp_path


def test_commands_print_the_same_of_a_pack(packed, capsys):
    printed = []
    for task in (RUNS, "runs.nlpsig"):
        capsys.readouterr()
        assert main(["pairs", task, "--resamples", "1000"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert load_task("runs.nlpsig").test_set().about == {"language": "Dorvel"}


def test_a_pack_calls_speakers_what_they_are(tmp_path, capsys):
    """The unit can be named, and notes and signatures are those of the task."""
    said = []
    path = str(tmp_path / "speech.nlpsig")
    assert main(["pack", "mirvel-transcripts", "--metrics", "WER", "-o", path]) == 0
    for task in ("mirvel-transcripts", path):
        for unit in ([], ["--unit", "speaker"]):
            capsys.readouterr()
            assert main(["score", task, "--metric", "WER", "--resamples", "100", *unit]) == 0
            said.append(capsys.readouterr().err)
    assert all("|unit:speaker" in text for text in said)
    alike = "Utterances of one speaker are alike"
    assert [alike in text for text in said] == [True, False, True, False]


def test_a_pack_calls_units_as_the_task_does(tmp_path, capsys):
    path = str(tmp_path / "repairs.nlpsig")
    assert main(["pack", "solem-repairs", "--metrics", "solved", "-o", path]) == 0
    for task in ("solem-repairs", path):
        capsys.readouterr()
        assert main(["score", task, "--metric", "solved", "--resamples", "100"]) == 0
        assert "|unit:instance|" in capsys.readouterr().err


def test_check_says_whose_pack_it_is(packed, capsys):
    assert main(["pack", RUNS, "--check", "runs.nlpsig"]) == 0
    assert "runs.nlpsig is the pack of dorvel-runs: 20 outputs, 1 test set, all equal" in capsys.readouterr().err
    assert main(["pack", MAIN, "--check", "runs.nlpsig"]) == 2
    assert "runs.nlpsig is not the pack of brelda-parsing: " in capsys.readouterr().err
    assert main(["pack", RUNS, "--check", MAIN]) == 2
    assert "brelda-parsing is not a pack" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--about", "town=Dorvel"],
            "'town=Dorvel' is not KEY=TEXT with one of the keys source, language, year, campaign, test_set",
        ),
        (["--metrics", "BLEU"], "No metric called 'BLEU'"),
        (["--check", "runs.nlpsig", "-o", "x"], "--check writes nothing; leave out -o, --metrics and --about"),
        (["--domain", "news", "--unit", "document"], "A pack has all units and outputs: leave out --domain and --unit"),
        (["--check", "runs.nlpsig", "--domain", "news"], "A pack has all units and outputs: leave out --domain"),
        (["-o", "nowhere/x.nlpsig"], "the folder nowhere does not exist"),
    ],
)
def test_invalid_options_are_named(options, message, packed, capsys):
    assert main(["pack", RUNS, *options]) == 2
    assert message in capsys.readouterr().err


def test_a_report_links_to_the_pack_beside_it(packed, capsys):
    asked = ["report", RUNS, "--resamples", "500", "-o", "report.html", "--pack", "all runs.nlpsig"]
    assert main(asked) == 0
    page = (packed / "report.html").read_text(encoding="utf-8")
    assert '<a href="all%20runs.nlpsig" download>all runs.nlpsig</a>' in page
    assert (
        load_task(packed / "all runs.nlpsig").select("LAS").stats.digest == load_task(RUNS).select("LAS").stats.digest
    )
    assert main(["report", RUNS, "--resamples", "500", "-o", "report.html"]) == 0
    assert "download>" not in (packed / "report.html").read_text(encoding="utf-8")
