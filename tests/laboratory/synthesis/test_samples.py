"""The sample tasks: their files, odd submissions, and errors that correlate as announced."""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import zipfile
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.task.opening import open_files
from nlpsig_core.laboratory.synthesis import KINDS, SAMPLES, archive, synthesize, write_samples
from nlpsig_core.laboratory.synthesis.samples import OTHERS
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.resampling.recipe import Resampling

ROOT = pathlib.Path(__file__).resolve().parents[3]
MAIN, SEVERAL = "brelda-parsing", "orvan-three-test-sets"
SMALL = {"sentences": 30, "systems": 5, "groups": 3}
BY_KIND = {arguments["kind"]: name for name, arguments in SAMPLES.items() if "kind" in arguments}
# The metric of each sample with one output a system, and where the scores of all systems but the flawed one lie
SCORES = {
    MAIN: ("LAS", 55, 90),
    "shumak-translation": ("BLEU-13a", 18, 45),
    "rastel-summaries": ("ROUGE-1", 28, 55),
    "quorin-alignment": ("AER", 5, 30),
    "tavrin-constituency": ("F1-brackets", 70, 92),
    "selmek-conllx": ("LAS-2007", 70, 92),
    "pelune-entities": ("F1-entities", 66, 92),
    "varnil-scores": ("mean", 0.5, 0.9),
    "ilvet-stance": ("macro-F1", 40, 80),
    "morand-topics": ("micro-F1", 50, 90),
    "kessim-ratings": ("Spearman", 0, 0.95),
    "tolvak-inflection": ("exact-match", 50, 85),
    "sorvan-rankings": ("nDCG@10", 0.5, 0.8),
    "mirvel-transcripts": ("normalised-WER", 8, 30),
}


@pytest.fixture(scope="module")
def shipped():
    """The files of each shipped sample, as bytes by path."""
    found = {}
    for name in SAMPLES:
        with zipfile.ZipFile(ROOT / "sample_data" / f"{name}.zip") as bundle:
            found[name] = {path: bundle.read(path) for path in bundle.namelist()}
    return found


@pytest.fixture(scope="module")
def selections():
    return {name: load_task(name).select(metric=metric) for name, (metric, *_) in SCORES.items()}


def table(files, path):
    rows = [row.split("\t") for row in files[path].decode("utf-8").splitlines()]
    return pd.DataFrame(rows[1:], columns=rows[0])


def gold_rows(files):
    """The rows of the file with domains beside the answers or the scores."""
    if "gold.jsonl" in files:
        return pd.DataFrame(map(json.loads, files["gold.jsonl"].decode("utf-8").splitlines()))
    return table(files, "scores.tsv" if "scores.tsv" in files else "gold.tsv")


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "ulmeth-resampled"])
def test_shipped_samples_are_what_would_be_written_today(shipped, tmp_path, name):
    """Without trained parsers, which take too long; tests of resampled training sets check them."""
    (path,) = write_samples(tmp_path, [name])
    with zipfile.ZipFile(path) as bundle:
        assert {entry: bundle.read(entry) for entry in bundle.namelist()} == shipped[name]


def test_samples_are_small_and_described():
    readme = (ROOT / "sample_data" / "README.md").read_text("utf-8")
    assert sorted(path.stem for path in (ROOT / "sample_data").glob("*.zip")) == sorted(SAMPLES)
    assert all(f"`{name}`" in readme for name in SAMPLES)
    assert sum(path.stat().st_size for path in (ROOT / "sample_data").glob("*.zip")) < 5_600_000
    assert sorted(BY_KIND) == sorted(set(KINDS) - {"parsing"})
    assert all(name.endswith("-" + kind) for kind, name in BY_KIND.items())


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in OTHERS])
def test_files_beside_the_outputs(shipped, name):
    """One line says what it is; the tables name the same systems as the outputs do; every unit has a domain."""
    files = shipped[name]
    assert files["description.txt"].decode().count("\n") == 1
    groups, truth = table(files, "groups.tsv"), table(files, "truth.tsv")
    systems = {re.sub(r"systems/([^/.]+).*", r"\1", path) for path in files if path.startswith("systems/")}
    domains = gold_rows(files) if "domains.tsv" not in files else table(files, "domains.tsv")
    assert sorted(groups["system"]) == sorted(systems or domains.columns[3:])
    assert sorted(set(truth["system"])) == sorted(groups["system"])
    assert all(system.startswith(group + "-") for system, group in zip(groups["system"], groups["group"], strict=True))
    assert len(domains) == SAMPLES[name]["sentences"] * len(SAMPLES[name].get("test_sets", [""]))
    assert domains["domain"].nunique() == (4 if name == "ondvar-judgements" else 5)
    assert all(content.endswith(b"\n") and b"\r" not in content for content in files.values())


@pytest.mark.parametrize("name", SCORES)
def test_scores_lie_where_those_of_real_systems_do(selections, shipped, name):
    """They go with what systems can be expected to get right; a third of the field's range is never undone."""
    stats, (_, low, high) = selections[name].stats, SCORES[name]
    better = 1 if stats.metric.higher_is_better else -1
    truth = table(shipped[name], "truth.tsv").set_index("system")
    valid = [not truth.loc[system, "note"].startswith("invalid") for system in stats.names]
    assert low < stats.scores[valid].min() < stats.scores[valid].max() < high
    known = [i for i, system in enumerate(stats.names) if valid[i] and truth.loc[system, "expected_right"]]
    expected = truth.loc[[stats.names[i] for i in known], "expected_right"].astype(float).to_numpy()
    observed = better * stats.scores[known]
    assert len(known) >= 8
    assert np.corrcoef(expected, observed)[0, 1] > 0.9
    clear = expected[:, None] > expected + np.ptp(expected) / 3
    assert (observed[:, None] > observed)[clear].all()


@pytest.mark.parametrize("name", SCORES)
def test_groups_share_their_errors_and_pairs_come_near_the_level(selections, name):
    """All systems agree, those of a group agree more; some pairs have p near 0.05, so a threshold has a base."""
    pairs = selections[name].bootstrap(Resampling(4_000)).pairs()
    alike = pairs[pairs["gain"] > 0].groupby("comparison")["correlation"]
    assert alike.mean()["different groups"] > 0.2
    assert alike.mean()["same group"] > alike.mean()["different groups"] + 0.1
    near = pairs["p_value"].between(0.03, 0.07) & (pairs["comparison"] == "different groups")
    assert near.sum() >= 1


def test_the_main_sample_shows_what_it_is_for(selections):
    """Same-group pairs reach the level at less than half the gain of others; combinations lead."""
    results = selections[MAIN].bootstrap(Resampling(4_000))
    pairs = results.pairs()
    gains = pairs[pairs["p_value"].between(0.02, 0.1)].groupby("comparison")["gain"]
    assert gains.count().drop("system combination").min() >= 3
    assert gains.mean()["same group"] < 0.5 * gains.mean()["different groups"]
    assert all(system.endswith("-joint") for system in results.ranking()["system"].head(4))


def test_odd_submissions_of_the_main_sample(shipped):
    """One system submits the file of another one of its group; one file has a cycle."""
    files = shipped[MAIN]
    notes = table(files, "truth.tsv").set_index("system")["note"]
    (copy,), (flawed,) = notes[notes.str.startswith("same")].index, notes[notes.str.startswith("invalid")].index
    original = notes[copy].removeprefix("same file as ")
    assert files[f"systems/{copy}.conllu"] == files[f"systems/{original}.conllu"]
    assert copy.partition("-")[0] == original.partition("-")[0]
    assert len(set(files.values())) == len(files) - 1
    problems = load_task(MAIN).select(metric="LAS").first.counts.problems
    assert list(problems) == [flawed]
    assert "the heads form a cycle" in str(problems[flawed])


def test_odd_submissions_of_several_test_sets(shipped):
    """The last test set lacks a system, and in another's file for it one line has too few columns."""
    truth = table(shipped[SEVERAL], "truth.tsv")
    odd = truth[truth["note"] != ""]
    assert set(odd["test_set"]) == {SAMPLES[SEVERAL]["test_sets"][-1]}
    assert sorted(odd["note"]) == ["invalid: too few columns", "no file"]
    (gone,) = odd[odd["note"] == "no file"]["system"]
    paths = itertools.product(set(truth["system"]), SAMPLES[SEVERAL]["test_sets"])
    missing = set(itertools.starmap("systems/{}/{}.conllu".format, paths)) - set(shipped[SEVERAL])
    assert missing == {f"systems/{gone}/{odd['test_set'].iloc[0]}.conllu"}
    rankings = (
        truth.assign(right=truth["expected_right"].astype(float)).sort_values("right").groupby("test_set")["system"]
    )
    assert len({tuple(ranking) for _, ranking in rankings}) == 3


def test_alignments_of_a_group_are_made_of_its_two_directions(shipped):
    """Each target word has one link at most in the forward direction, each source word in the reverse one."""
    files = shipped["quorin-alignment"]
    sizes = Counter(table(files, "groups.tsv")["group"])
    full = [group for group, size in sizes.items() if size == 5]
    assert full
    for group in full:
        methods = ("forward", "reverse", "intersection", "union", "grow-diagonal")
        texts = [files[f"systems/{group}-{method}.txt"].decode().splitlines() for method in methods]
        for row in zip(*texts, strict=True):
            forward, reverse, intersection, union, grown = (set(line.split()) for line in row)
            assert len({link.split("-")[1] for link in forward}) == len(forward)
            assert len({link.split("-")[0] for link in reverse}) == len(reverse)
            assert (intersection, union) == (forward & reverse, forward | reverse)
            assert intersection <= grown <= union


def test_two_references_differ_in_words_and_order(shipped):
    one, other = (shipped["shumak-translation"][f"references/{name}.txt"].decode().splitlines() for name in "AB")
    words = [[sorted(re.findall(r"\w+", line.lower())) for line in lines] for lines in (one, other)]
    assert 0.05 < np.mean([a == b for a, b in zip(one, other, strict=True)]) < 0.5
    assert sum(a == b and x != y for a, b, x, y in zip(*words, one, other, strict=True)) >= 3


def test_some_groups_leave_tags_for_conlleval_to_repair(selections):
    selection = selections["pelune-entities"]
    loose = defaultdict(set)
    for system, group in zip(selection.systems["file"], selection.systems["group"], strict=True):
        loose[group].add(system in selection.first.counts.remarks)
    assert sorted(map(sorted, loose.values())) == [[False]] * 3 + [[True]] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_bytes(tmp_path, kind):
    first, again, other, many = (
        contents(synthesize(tmp_path / name, kind, **SMALL | {"seed": seed, "systems": systems}))
        for name, seed, systems in [("a", 1, 5), ("b", 1, 5), ("c", 2, 5), ("d", 1, 6)]
    )
    assert first == again
    assert sum(content != other.get(path) for path, content in first.items()) > len(first) / 2
    files = {path for path in first if not path.startswith(("systems/", "human-scores/"))}
    same = files - {"groups.tsv", "truth.tsv", "scores.tsv", "description.txt"}
    assert all(first[path] == many[path] for path in same), "a change of systems leaves the gold alone"


def test_an_archive_depends_on_the_content_only(tmp_path):
    folder = synthesize(tmp_path / "task", "scores", **SMALL)
    first = archive(folder, tmp_path / "first.zip")
    (folder / "groups.tsv").touch()
    assert first.read_bytes() == archive(folder, tmp_path / "second.zip").read_bytes()
    assert dict(open_files(first).items()).keys() == contents(folder).keys()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"systems": 3, "groups": 5}, "fewer than the 5 groups"),
        ({"groups": 0}, "groups is 0"),
        ({"sentences": 2}, "sentences is 2"),
        ({"combinations": -1}, "cannot be negative"),
        ({"systems": 200, "groups": 200}, f"there are names for {len(NAMES)}"),
        ({"systems": 2, "groups": 1, "invalid": False}, "needs 3 to vote"),
        ({"systems": 4, "groups": 4}, "duplicate=True needs a group with two systems"),
        ({"systems": 2, "groups": 1, "combinations": 0}, "too few for an invalid file"),
        ({"test_sets": ("a", "a")}, "different names"),
        ({"test_sets": "abc"}, "different names"),
        ({"test_sets": ("a/b", "c")}, "use letters, digits"),
        ({"missing": True}, "needs two test sets"),
        ({"systems": 3, "groups": 1, "missing": True, "test_sets": ("a", "b")}, "one more system"),
        ({"kind": "translatoin"}, "No kind of task called 'translatoin'. Available: alignment, conllx, constituency,"),
        (
            {"kind": "scores", "combinations": 2},
            "combinations, duplicate, invalid, missing and test_sets are for parsing",
        ),
        ({"kind": "conllx", "missing": True}, "are for parsing only"),
        ({"kind": "alignment", "systems": 7, "groups": 1}, "systems is 7; a group can enter 5 alignments: forward,"),
    ],
)
def test_nonsense_is_refused(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        synthesize(tmp_path / "task", **arguments)
    assert not (tmp_path / "task").exists()


def test_a_folder_with_files_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(FileExistsError, match="not empty"):
        synthesize(tmp_path, **SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_command_says_how_to_call_it():
    command = [sys.executable, "-m", "nlpsig_core.laboratory.synthesis"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert "usage: python -m nlpsig_core.laboratory.synthesis DIRECTORY" in done.stderr
