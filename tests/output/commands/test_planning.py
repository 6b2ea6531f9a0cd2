"""power and domains of one pair, and calibrate: the sentences of the pages, beside numbers."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

from nlpsig_core.output.commands import analyses
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.detectable import Aim

TASK = ("brelda-parsing", "--metric", "LAS", "--resamples", "2000")
UNDECIDED, BEST = ("Habsique-4", "Plunaro-2"), ("Quennaro-joint", "Oskblit-joint")


@pytest.fixture
def run(capsys):
    """Run a command; its table and what it says beside."""

    def run(command: str, *options: str) -> tuple[pd.DataFrame, str]:
        assert main([command, *TASK, *options]) == 0
        out, err = capsys.readouterr()
        return pd.read_csv(io.StringIO(out), sep="\t"), err

    return run


def test_power_of_a_pair_says_what_would_settle_it(run):
    table, said = run("power", "--pair", *UNDECIDED)
    (row,) = table.itertuples()
    assert "note: Undecided: Habsique-4 is ahead of Plunaro-2 by 1.01 LAS" in said
    assert " sentences would settle a gain of this size (you have 650)." in said
    assert row.units_low < row.units < row.units_high
    twice, said = run("power", "--pair", *UNDECIDED, "--gain", str(2 * row.gain))
    assert twice["units"][0] == pytest.approx(row.units / 4, rel=0.01)
    assert "would settle a true gain of 2.01 LAS (you have 650)." in said


def test_what_would_settle_an_undecided_pair_is_about_the_gain_that_it_is_planned_with(capsys):
    """Undecided among all pairs, while its own interval is above 0: the units are those of the observed gain."""
    pair, among_all = ("Krestquell-base", "Gavsique-base"), ("--scope", "corrected", "--format", "json")
    assert main(["power", "solem-repairs", "--metric", "solved", *among_all, "--pair", *pair]) == 0
    out, said = capsys.readouterr()
    (row,) = json.loads(out)
    assert (row["gain"], round(row["units"], -1)) == (4.5, 720)
    assert "note: Undecided: Krestquell-base is ahead" in said
    assert "note: About 720 instances would settle a gain of this size (you have 200)." in said
    assert f"|pair:{pair[0]} over {pair[1]}|" in said


def test_domains_of_a_pair_say_why_p_and_intervals_disagree(run, capsys):
    assert main(["domains", "mirvel-transcripts", "--resamples", "2000", "--pair", "Yusvandor-3", "Drimolka-2"]) == 0
    said = capsys.readouterr().err
    assert (
        "note: There are few speakers: p and intervals account for it, but not for skewed reductions; p is by "
        "approximate" in said
    )
    assert " are few" not in run("domains", "--pair", *BEST)[1]


def test_agreement_of_rankings_uses_the_resamples_that_are_asked_for_and_signs_them(run, monkeypatch, capsys):
    assert main(["domains", *TASK[:3], "--agreement"]) == 0
    out, said = capsys.readouterr()
    usual = pd.read_csv(io.StringIO(out), sep="\t")
    assert "|b:1000|seed:0|" in said
    again, said = run("domains", "--agreement", "--resamples", "1000", "--seed", "7")
    assert "|b:1000|seed:7|" in said
    monkeypatch.setattr(analyses, "agreement", lambda selections, recipe, progress: usual)
    assert "|b:1000000|" in run("domains", "--agreement", "--resamples", "1000000")[1]
    assert usual["tau"].equals(again["tau"])
    assert not usual["low"].equals(again["low"])


def test_calibration_signs_its_bins_and_where_winners_come_from(run):
    edges = ("--bins", "0", "0.1", "0.5", "1")
    assert "|bins:" not in run("calibrate", "--population", "--draws", "2")[1]
    assert "|bins:0-0.1-0.5-1|" in run("calibrate", "--population", "--draws", "2", *edges)[1]
    said = run("calibrate", "--from", "law", *edges)[1]
    assert "|domains:news,fables,letters,speech,law|test:bootstrap|" not in said
    assert "|from:law|bins:0-0.1-0.5-1|" in said


def test_power_of_a_pair_with_several_runs_says_what_more_units_do_not_do(capsys):
    options = ["--pair", "Krestquell-base", "Krestquell-small", "--resamples", "1000"]
    assert main(["power", "dorvel-runs", *options]) == 0
    assert "note: More units do not reduce the variation between runs" in capsys.readouterr().err


def test_power_follows_the_correction(run):
    """By Holm among 378 pairs the level of a pair on its own is lower, so it needs more units."""
    alone, corrected = (
        run("power", "--gain", "1", "--scope", scope)[0].set_index("comparison")["units"]
        for scope in ("alone", "corrected")
    )
    assert (corrected > 1.5 * alone).any()
    assert Aim(1.0, level=0.05 / 378).z > Aim(1.0).z


def test_power_needs_a_gain_or_a_pair(run, capsys):
    assert main(["power", *TASK]) != 0
    assert "No gain to find; give --gain, or --pair with two systems" in capsys.readouterr().err
    assert main(["power", *TASK, "--pair", "Habsique-4", "Nobody"]) != 0
    assert "No system called 'Nobody'" in capsys.readouterr().err
    assert main(["power", *TASK, "--pair", "Habsique-4", "Habsique-4"]) != 0
    assert "'Habsique-4' against itself; name two of the systems: " in capsys.readouterr().err


def test_domains_of_a_pair_have_its_verdict_in_each(run):
    table, said = run("domains", "--pair", *BEST)
    assert "note: Quennaro-joint is ahead of Oskblit-joint in 4 of 5 domains, significantly in none" in said
    assert table["domain"].tolist() == ["news", "fables", "letters", "speech", "law"]
    assert set(table["verdict"]) == {"undecided"}
