"""The synthetic task: valid files, faults where they are announced, errors that correlate as announced."""

import csv
import itertools
import pathlib
import subprocess
import sys
import zipfile
from collections import defaultdict

import conllu
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpsig_core.laboratory.synthesis import SAMPLES, archive, synthesize, write_samples
from nlpsig_core.laboratory.synthesis.language.difficulty import rate
from nlpsig_core.laboratory.synthesis.language.grammar import make_treebank
from nlpsig_core.laboratory.synthesis.language.lexicon import attach, contracted
from nlpsig_core.laboratory.synthesis.language.relations import RELATIONS
from nlpsig_core.laboratory.synthesis.language.treebank import (
    Contraction,
    Sentence,
    Word,
    gold_conllu,
    output_conllu,
    stream,
    text,
)
from nlpsig_core.laboratory.synthesis.samples import RESAMPLED
from nlpsig_core.laboratory.synthesis.systems.combinations import vote, voted_heads
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES, enter, group_sizes
from nlpsig_core.laboratory.synthesis.systems.outputs import expected_las
from nlpsig_core.laboratory.synthesis.systems.parses import Parse, gold_parse, rivals, wrong_parse
from nlpsig_core.laboratory.synthesis.systems.retokenisation import tokenised
from nlpsig_core.laboratory.synthesis.systems.tokenisation import draw_faults, extra_words, kept

ROOT = pathlib.Path(__file__).resolve().parents[3]
SMALL = {"sentences": 40, "systems": 5, "groups": 3, "combinations": 1}
MAIN, SEVERAL = "brelda-parsing", "orvan-three-test-sets"
UNTRAINED = [name for name in SAMPLES if name not in RESAMPLED]


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """The directory with the sample tasks as they are written today, packed and unpacked.

    Without trained parsers, which take too long; tests of resampled training sets check them.
    """
    directory = tmp_path_factory.mktemp("samples")
    for path in write_samples(directory, UNTRAINED):
        with zipfile.ZipFile(path) as bundle:
            bundle.extractall(directory / path.stem)
    return directory


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return synthesize(tmp_path_factory.mktemp("small") / "task", **SMALL)


def table(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def sentences_of(content):
    """Per sentence the rows of ten (or fewer) columns; plain and independent of the code under test."""
    blocks = [[line.split("\t") for line in b.split("\n") if line[:1] != "#"] for b in content.split("\n\n")]
    return [[row for row in block if row != [""]] for block in blocks if block != [[""]]]


def tokens_of(sentence):
    """(form, numbers of its words) of each surface token."""
    hidden = set()
    for row in sentence:
        first, _, last = row[0].partition("-")
        numbers = list(range(int(first), int(last or first) + 1))
        if last:
            hidden.update(numbers)
        if last or int(first) not in hidden:
            yield row[1], numbers


def characters(content):
    return "".join(form for sentence in sentences_of(content) for form, _ in tokens_of(sentence))


def arcs(content):
    """Head and label by word; a word is the span of its token and, inside one of several words, its form."""
    result, start = {}, 0
    for sentence in sentences_of(content):
        words = {int(row[0]): row for row in sentence if row[0].isdecimal()}
        keys = {0: "root"}
        for form, numbers in tokens_of(sentence):
            span = (start, start + len(form))
            keys |= {n: (*span, words[n][1].lower() if len(numbers) > 1 else form.lower()) for n in numbers}
            start = span[1]
        result |= {keys[n]: (keys[int(row[6])], row[7].split(":")[0]) for n, row in words.items()}
    return result


def las(gold, output):
    """F1 in percent of the arcs that both have."""
    return 200 * sum(gold.get(key) == arc for key, arc in output.items()) / (len(gold) + len(output))


def problem(sentence):
    """What is wrong with a sentence, or an empty string."""
    if any(len(row) != 10 or not all(row) for row in sentence):
        return "columns"
    words = [row for row in sentence if row[0].isdecimal()]
    heads = [int(row[6]) for row in words]
    if [int(row[0]) for row in words] != list(range(1, len(words) + 1)):
        return "numbers"
    if heads.count(0) != 1 or any((row[7] == "root") != (row[6] == "0") for row in words):
        return "root"
    return "" if is_tree(heads) else "cycle"


def is_tree(heads):
    """Whether every word reaches the one root."""
    for number in range(1, len(heads) + 1):
        for _ in heads:
            number = heads[number - 1] if number else 0
        if number:
            return False
    return heads.count(0) == 1


def crosses(heads):
    """Whether two arcs cross, so that the tree is not projective."""
    spans = [tuple(sorted((i, head))) for i, head in enumerate(heads, start=1)]
    return any(a < c < b < d for (a, b), (c, d) in itertools.permutations(spans, 2))


def flawed_systems(folder):
    return {row["system"] for row in table(folder / "truth.tsv") if row["note"].startswith("invalid")}


def classes(folder):
    """The group of each system, "joint" for combinations."""
    rows = table(folder / "groups.tsv")
    return {row["system"]: row["group"] if row["kind"] == "system" else "joint" for row in rows}


def gold_of(folder):
    return (folder / "gold.conllu").read_text("utf-8")


def systems_of(folder):
    return {path.stem: path.read_text("utf-8") for path in sorted((folder / "systems").glob("*.conllu"))}


@pytest.fixture(scope="module")
def correct(samples):
    """Classes of the valid systems, and (systems, words) whether each gold arc is found."""
    folder = samples / MAIN
    gold, outputs, groups = arcs(gold_of(folder)), systems_of(folder), classes(folder)
    names = [name for name in groups if name not in flawed_systems(folder)]
    found = [arcs(outputs[name]) for name in names]
    matrix = np.array([[of_system.get(key) == arc for key, arc in gold.items()] for of_system in found])
    return [groups[name] for name in names], matrix


TWO_IN_ONE = Sentence(
    words=(
        Word(form="Na", lemma="na", upos="ADP", feats="_", head=3, relation="case"),
        Word(form="lo", lemma="lo", upos="DET", feats="_", head=3, relation="det"),
        Word(form="kasum", lemma="kas", upos="NOUN", feats="Case=Dat", head=4, relation="obl"),
        Word(form="pirova", lemma="pirovare", upos="VERB", feats="_", head=0, relation="root", space_after=False),
        Word(form=".", lemma=".", upos="PUNCT", feats="_", head=4, relation="punct"),
    ),
    contractions=(Contraction(1, 2, "No"),),
    domain="news",
    document=1,
    opens=True,
)


def test_words_by_hand():
    """Two vowels meet: the first goes. The preposition loses its rhyme, the article its onset."""
    assert [attach("tola", "um"), attach("tol", "um"), attach("tol", "n")] == ["tolum", "tolum", "tolen"]
    assert contracted("na", "lo") == "no"
    assert text(TWO_IN_ONE) == "No kasum pirova."
    assert sentences_of(gold_conllu([TWO_IN_ONE]))[0][0] == ["1-2", "No", *"________"]


def test_votes_by_hand():
    """Words 1-3: two of three voters have 2 as root with 1 and 3 below it, and 'obj' for word 3."""
    right = Parse([2, 0, 2], ["nsubj", "root", "obj"])
    other = Parse([2, 0, 1], ["nsubj", "root", "nmod"])
    label = Parse([2, 0, 2], ["nsubj", "root", "obl"])
    assert vote([right, other, right]) == right
    assert vote([other, right, label]).heads == [2, 0, 2]
    assert vote([label, right, other, right]) == right


def test_votes_never_close_a_cycle():
    """1 hangs on 2 and 2 on 1 with two votes each; the second arc has to give way."""
    assert voted_heads([[2, 3, 0], [2, 3, 0], [3, 1, 0], [3, 1, 0]]) == [2, 3, 0]
    assert voted_heads([[2, 3, 0, 3], [3, 1, 0, 3], [2, 4, 0, 3]]) == [2, 3, 0, 3]


def random_tree(size, generator):
    """Heads of a tree in which every word hangs on one that stands earlier in a random order."""
    order = generator.permutation(size) + 1
    heads = [0] * size
    for i in range(1, size):
        heads[order[i] - 1] = int(order[generator.integers(i)])
    return heads


@given(st.integers(1, 9), st.integers(1, 5), st.integers(0, 2**32))
def test_any_vote_is_a_tree(size, voters, seed):
    generator = np.random.default_rng(seed)
    assert is_tree(voted_heads([random_tree(size, generator) for _ in range(voters)]))


@settings(max_examples=100)
@given(st.integers(0, 199), st.integers(0, 2**32), st.floats(0, 1))
def test_exactly_the_chosen_words_are_wrong(which, seed, share):
    """Only a root that is wrong alone stays right, for lack of another one."""
    sentence = TREEBANK[which]
    generator, numbers = np.random.default_rng(seed), range(1, len(sentence.words) + 1)
    wrong = {n: generator.random(3).tolist() for n in numbers if generator.random() < share}
    gold = gold_parse(sentence)
    parse = wrong_parse(gold, wrong, {n: rivals(sentence, n, generator.random(11).tolist()) for n in wrong})
    before, after = ([(head, label.split(":")[0]) for head, label in zip(*tree, strict=True)] for tree in (gold, parse))
    lone_root = set(wrong) == {gold.heads.index(0) + 1}
    assert is_tree(parse.heads)
    assert [label for head, label in after if head == 0 or label == "root"] == ["root"]
    assert {n for n in numbers if before[n - 1] != after[n - 1]} == (set() if lone_root else set(wrong))


TREEBANK = make_treebank(3, 0, 200)


def test_confusions_are_wrong_whatever_the_subtype():
    for name, relation in RELATIONS.items():
        others = {other.split(":")[0] for other in relation.confusions}
        assert name not in others
        assert "root" not in others
        assert others <= set(RELATIONS)


@pytest.mark.parametrize("kind", ["unsplit", "misspell", "oversplit", "glue", "break", "join"])
def test_each_fault_of_a_tokeniser(kind):
    """Characters stay, sentences stay trees, and a perfect parse has just the arcs said to be kept."""
    rates = dict.fromkeys(["unsplit", "misspell", "oversplit", "glue", "break", "join"], 0.0) | {kind: 0.4}
    faults = draw_faults(TREEBANK, rates, np.random.default_rng(1))
    gold, output = gold_conllu(TREEBANK), output_conllu(tokenised(TREEBANK, faults))
    assert output_conllu(TREEBANK) != output
    assert characters(output) == characters(gold)
    assert [problem(sentence) for sentence in sentences_of(output) if problem(sentence)] == []
    right, found = arcs(gold), arcs(output)
    assert sum(right[key] == found.get(key) for key in right) == kept(TREEBANK, faults).sum()
    assert len(found) - len(right) == extra_words(faults)


def test_a_perfect_tokeniser_changes_nothing():
    rates = dict.fromkeys(["unsplit", "misspell", "oversplit", "glue", "break", "join"], 0.0)
    faults = draw_faults(TREEBANK, rates, np.random.default_rng(1))
    assert tokenised(TREEBANK, faults) == TREEBANK
    assert kept(TREEBANK, faults).all()


def test_gold_is_a_varied_treebank(samples):
    folder = samples / MAIN
    parsed = conllu.parse(gold_of(folder))
    lengths = np.array([sum(isinstance(token["id"], int) for token in sentence) for sentence in parsed])
    assert 10 < lengths.mean() < 13
    assert np.percentile(lengths, 99) > 2.5 * np.median(lengths)
    heads = [[token["head"] for token in s if isinstance(token["id"], int)] for s in parsed]
    assert 0.02 < np.mean([crosses(h) for h in heads]) < 0.2
    assert sum(isinstance(token["id"], tuple) for s in parsed for token in s) > 50
    domains = table(folder / "domains.tsv")
    assert [s.metadata["sent_id"] for s in parsed] == [row["sent_id"] for row in domains]
    documents = np.diff([i for i, s in enumerate(parsed) if "newdoc id" in s.metadata])
    assert documents.min() >= 5
    assert documents.max() <= 25
    labels = {token["deprel"] for s in parsed for token in s}
    assert labels >= {"nmod:poss", "acl:relcl", "ccomp", "xcomp", "advcl", "parataxis", "appos", "flat"}


def test_gold_says_its_own_text():
    """Tokens with their spaces, as another reader puts them together, give the text of the comment."""
    for sentence in conllu.parse(gold_conllu(TREEBANK)):
        spans = [token["id"] for token in sentence if isinstance(token["id"], tuple)]
        inside = {number for first, _, last in spans for number in range(first, last + 1)}
        tokens = [token for token in sentence if token["id"] not in inside]
        spaced = [t["form"] + " " * (not t["misc"]) for t in tokens]
        assert "".join(spaced).rstrip() == sentence.metadata["text"]


def test_domains_differ_in_length():
    lengths = defaultdict(list)
    for sentence in make_treebank(1, 0, 800):
        lengths[sentence.domain].append(len(sentence.words))
    assert set(lengths) == {"news", "speech", "letters", "law", "fables"}
    assert np.mean(lengths["law"]) > 1.8 * np.mean(lengths["speech"])


def test_every_output_but_one_is_valid(samples):
    folder = samples / MAIN
    gold, outputs = gold_of(folder), systems_of(folder)
    assert len(outputs) == 28
    broken = {}
    for name, content in outputs.items():
        assert characters(content) == characters(gold), name
        problems = [found for sentence in sentences_of(content) if (found := problem(sentence))]
        if problems:
            broken[name] = problems
    assert broken == {name: ["cycle"] for name in flawed_systems(folder)}


def test_conllu_reads_every_small_output(small):
    for content in systems_of(small).values():
        assert len(conllu.parse(content)) == len(sentences_of(content))


def test_one_output_is_a_copy(samples):
    folder = samples / MAIN
    outputs, groups = systems_of(folder), classes(folder)
    twins = [pair for pair in itertools.combinations(outputs, 2) if outputs[pair[0]] == outputs[pair[1]]]
    notes = {row["system"]: row["note"] for row in table(folder / "truth.tsv") if "same" in row["note"]}
    assert len(twins) == 1
    first, second = twins[0]
    assert notes in ({first: f"same file as {second}"}, {second: f"same file as {first}"})
    assert groups[first] == groups[second]


def test_several_test_sets(samples):
    """The last test set lacks a system, and in another's file for it one line has too few columns."""
    folder = samples / SEVERAL
    names = [row["system"] for row in table(folder / "groups.tsv")]
    last = SAMPLES[SEVERAL]["test_sets"][-1]
    notes = {(r["system"], r["test_set"]): r["note"] for r in table(folder / "truth.tsv")}
    for test_set, name in itertools.product(SAMPLES[SEVERAL]["test_sets"], names):
        path = folder / "systems" / name / f"{test_set}.conllu"
        assert path.exists() == (notes[name, test_set] != "no file")
        if path.exists():
            problems = [p for s in sentences_of(path.read_text("utf-8")) if (p := problem(s))]
            assert problems == ["columns"] * (notes[name, test_set] == "invalid: too few columns")
    assert sorted(note for (_, test_set), note in notes.items() if note and test_set == last) == [
        "invalid: too few columns",
        "no file",
    ]
    assert not any(note for (_, test_set), note in notes.items() if test_set != last)


def test_rankings_differ_between_test_sets(samples):
    rows = table(samples / SEVERAL / "truth.tsv")
    ranking = defaultdict(list)
    for row in sorted(rows, key=lambda row: -float(row["expected_las"])):
        ranking[row["test_set"]].append(row["system"])
    assert len({tuple(order) for order in ranking.values()}) == 3


def test_same_seed_same_bytes(small, tmp_path):
    again = synthesize(tmp_path / "again", **SMALL)
    other = synthesize(tmp_path / "other", **SMALL, seed=1)
    files = sorted(path.relative_to(small) for path in small.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert all((small / path).read_bytes() == (again / path).read_bytes() for path in files)
    assert (small / "gold.conllu").read_bytes() != (other / "gold.conllu").read_bytes()


def test_groups_share_their_errors(correct):
    """Right and wrong words: systems of a group agree more than others do, and all agree more than chance."""
    groups, matrix = correct
    correlation = np.corrcoef(matrix)
    same, different = [], []
    for i, j in itertools.combinations(range(len(groups)), 2):
        if "joint" not in (groups[i], groups[j]):
            (same if groups[i] == groups[j] else different).append(correlation[i, j])
    assert min(different) > 0.2
    assert min(same) > max(different)


def test_the_main_sample_shows_what_it_is_for(samples, correct):
    """Pairs with p near 0.05: same-group pairs reach it at less than half the gain of other pairs."""
    groups, matrix = correct
    lengths = [sum(row[0].isdecimal() for row in s) for s in sentences_of(gold_of(samples / MAIN))]
    gains = defaultdict(list)
    for (i, j), gain, p_value in bootstrap(matrix, lengths):
        if 0.04 <= p_value <= 0.06 and "joint" not in (groups[i], groups[j]):
            gains[groups[i] == groups[j]].append(gain)
    assert len(gains[True]) >= 3
    assert len(gains[False]) >= 10
    assert np.mean(gains[True]) < 0.5 * np.mean(gains[False])


def bootstrap(matrix, lengths, resamples=8000):
    """Pairs, gains in percent and p-values of resampling sentences of these lengths."""
    right = np.add.reduceat(matrix.astype(float), np.cumsum([0, *lengths[:-1]]), axis=1)
    n, words = len(lengths), np.array(lengths) / 100
    counts = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
    scores, observed = counts @ right.T / (counts @ words)[:, None], right.sum(axis=1) / words.sum()
    for i, j in itertools.permutations(range(len(matrix)), 2):
        gain = observed[i] - observed[j]
        if gain > 0:
            yield (i, j), gain, np.mean(scores[:, i] - scores[:, j] > 2 * gain)


def test_truth_agrees_with_what_is_observed(samples):
    """Scores of 650 sentences have standard errors of some 0.7; 3 points are more than four of them."""
    folder = samples / MAIN
    gold = arcs(gold_of(folder))
    truth = {row["system"]: float(row["expected_las"]) for row in table(folder / "truth.tsv")}
    outputs = systems_of(folder)
    observed = {name: las(gold, arcs(outputs[name])) for name in truth if name not in flawed_systems(folder)}
    assert max(abs(truth[name] - observed[name]) for name in observed) < 3
    assert 55 < min(observed.values()) < 65
    assert 83 < max(observed.values()) < 90
    for better, worse in itertools.permutations(observed, 2):
        if truth[better] > truth[worse] + 3:
            assert observed[better] > observed[worse]


def test_truth_hardly_depends_on_the_simulation():
    """Two populations of 800 sentences: all systems shift together, differences move by less than 0.8."""
    entrants = enter(4, 6, 2, 1, False, False)
    truths = []
    for key in (1, 2):
        bank = rate(make_treebank(4, 0, 800, key), 4, 0, 2, key)
        truths.append(np.array(list(expected_las(bank, entrants, 4, 0, key).values())))
    shift = (truths[0] - truths[1])[:-1]
    assert np.ptp(shift) < 0.8


def test_shipped_samples_are_what_would_be_written_today(samples):
    assert sorted(path.stem for path in (ROOT / "sample_data").glob("*.zip")) == sorted(SAMPLES)
    for name in UNTRAINED:
        with zipfile.ZipFile(ROOT / "sample_data" / f"{name}.zip") as bundle:
            shipped = {entry: bundle.read(entry) for entry in bundle.namelist()}
        fresh = samples / name
        today = {p.relative_to(fresh).as_posix(): p.read_bytes() for p in fresh.rglob("*") if p.is_file()}
        assert shipped == today


def test_samples_are_small_and_described():
    readme = (ROOT / "sample_data" / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in readme for name in SAMPLES)
    assert sum(path.stat().st_size for path in (ROOT / "sample_data").glob("*.zip")) < 5_000_000


def test_archive_depends_on_the_content_only(small, tmp_path):
    first = archive(small, tmp_path / "first.zip")
    (small / "groups.tsv").touch()
    assert first.read_bytes() == archive(small, tmp_path / "second.zip").read_bytes()
    with zipfile.ZipFile(first) as bundle:
        assert bundle.namelist() == sorted(bundle.namelist())
        assert bundle.read("gold.conllu") == (small / "gold.conllu").read_bytes()


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
    ],
)
def test_nonsense_is_refused(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        synthesize(tmp_path / "task", **arguments)
    assert not (tmp_path / "task").exists()


def test_a_folder_with_files_is_left_alone(small):
    before = sorted(small.rglob("*"))
    with pytest.raises(FileExistsError, match="not empty"):
        synthesize(small, **SMALL)
    assert sorted(small.rglob("*")) == before


@pytest.mark.parametrize(("systems", "groups"), [(24, 9), (5, 3), (1, 1), (30, 3), (7, 7)])
def test_group_sizes_add_up(systems, groups):
    sizes = group_sizes(systems, groups)
    assert sum(sizes) == systems
    assert min(sizes) >= 1
    assert max(sizes) <= max(5, -(-systems // groups))


def test_a_change_of_systems_leaves_the_gold_alone(small, tmp_path):
    folder = synthesize(tmp_path / "task", **SMALL | {"systems": 4, "combinations": 0})
    assert (folder / "gold.conllu").read_bytes() == (small / "gold.conllu").read_bytes()


def test_streams_are_independent_of_each_other():
    assert stream(1, 2).random() == stream(1, 2).random()
    assert len({stream(1).random(), stream(1, 0).random(), stream(1, 1).random(), stream(2).random()}) == 4


def test_the_command_says_how_to_call_it():
    command = [sys.executable, "-m", "nlpsig_core.laboratory.synthesis"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert "usage: python -m nlpsig_core.laboratory.synthesis DIRECTORY" in done.stderr
