"""The sample tasks of every kind: their formats, by plain readers, and errors that correlate as announced."""

import csv
import io
import itertools
import pathlib
import re
import zipfile
from collections import Counter, defaultdict

import numpy as np
import pytest

from nlpsig_core.laboratory.synthesis import KINDS, SAMPLES, synthesize

ROOT = pathlib.Path(__file__).resolve().parents[3]
OTHERS = [kind for kind in KINDS if kind != "parsing"]
NAMES = {arguments["kind"]: name for name, arguments in SAMPLES.items() if "kind" in arguments}
ENDINGS = {"constituency": "mrg", "conllx": "conllx", "entities": "bio"}
# Of the score that ``statistics`` tells, in percent: where all systems should lie
RANGES = {
    "translation": (45, 75), "summaries": (28, 50), "alignment": (70, 94), "constituency": (70, 92),
    "conllx": (70, 91), "entities": (66, 92), "scores": (50, 90),
}  # fmt: skip

# How many pairs of different groups have p near 0.05 by the score that ``statistics`` tells, at least
FEWEST = {"translation": 1, "summaries": 3, "alignment": 4, "constituency": 4, "conllx": 5, "entities": 5, "scores": 2}


def table(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


class Task:
    """A shipped sample, as texts by path, with what the tables say."""

    def __init__(self, kind):
        with zipfile.ZipFile(ROOT / "sample_data" / f"{NAMES[kind]}.zip") as bundle:
            self.files = {path: bundle.read(path).decode("utf-8") for path in bundle.namelist()}
        self.kind = kind
        self.units = SAMPLES[NAMES[kind]]["sentences"]
        self.groups = {row["system"]: row["group"] for row in table(self.files["groups.tsv"])}

    def output(self, system):
        return self.files[f"systems/{system}.{ENDINGS.get(self.kind, 'txt')}"]

    def gold(self):
        return self.files[f"gold.{ENDINGS.get(self.kind, 'txt')}"]


@pytest.fixture(scope="module")
def tasks():
    return {kind: Task(kind) for kind in OTHERS}


def shared(one, other):
    """How many items two multisets have in common."""
    return (Counter(one) & Counter(other)).total()


def words_of(line):
    return re.findall(r"\w+", line.lower())


def of_texts(references, output):
    """Twice the words in common with the nearest reference, and the words of both, per line."""
    lines = zip(*(text.splitlines() for text in [output, *references]), strict=True)
    for words, *known in ([words_of(line) for line in row] for row in lines):
        best = max(known, key=lambda reference: 2 * shared(words, reference) / (len(words) + len(reference)))
        yield 2 * shared(words, best), len(words) + len(best)


def of_summaries(references, output):
    """The harmonic mean of precision and recall of single words, per line; each line weighs the same."""
    return [(common / size, 1) for common, size in of_texts(references, output)]


def links_of(line):
    return {tuple(map(int, re.split("[-p]", link))) for link in line.split()}


def of_alignments(gold, output):
    """Och and Ney's error rate is one minus the ratio of these."""
    for line, links in zip(gold.splitlines(), map(links_of, output.splitlines()), strict=True):
        sure, possible = links_of(" ".join(re.findall(r"\d+-\d+", line))), links_of(line)
        yield len(links & sure) + len(links & possible), len(links) + len(sure)


def brackets_of(line):
    """(label, first word, last word) of every bracket that is more than a tag, and the words with their tags."""
    stack, found, words = [], [], []
    for token in re.findall(r"\(|\)|[^() ]+", line):
        if token == "(":
            stack.append(["", len(words)])
        elif token == ")":
            label, start = stack.pop()
            if label and label != "TOP":
                found.append((label, start, len(words)))
        elif not stack[-1][0]:
            stack[-1][0] = token
        else:
            words.append((stack[-1][0], token))
            stack[-1][0] = ""
    assert not stack
    return found, words


def of_trees(gold, output):
    for one, other in zip(gold.splitlines(), output.splitlines(), strict=True):
        wanted, found = brackets_of(one)[0], brackets_of(other)[0]
        yield 2 * shared(wanted, found), len(wanted) + len(found)


def blocks_of(text):
    """Rows of the columns of each sentence."""
    return [[line.split("\t") for line in block.split("\n") if line] for block in text.split("\n\n") if block.strip()]


def of_parses(gold, output):
    for one, other in zip(blocks_of(gold), blocks_of(output), strict=True):
        yield sum(a[6:8] == b[6:8] for a, b in zip(one, other, strict=True)), len(one)


def entities_of(rows):
    """(type, first, last) of the entities, read as conlleval does: any change of type begins a new one."""
    found, before = [], "O"
    for i, (_, tag) in enumerate(rows):
        if tag[0] == "B" or (tag[0] == "I" and before[2:] != tag[2:]):
            found.append([tag[2:], i, i])
        elif tag[0] == "I":
            found[-1][2] = i
        before = tag
    return [tuple(entity) for entity in found]


def of_entities(gold, output):
    for one, other in zip(blocks_of(gold), blocks_of(output), strict=True):
        if one[0][0] != "-DOCSTART-":
            wanted, found = entities_of(one), entities_of(other)
            yield 2 * shared(wanted, found), len(wanted) + len(found)


def statistics(task):
    """Systems, and two (systems, units) arrays: a score is the sum of the first over that of the second."""
    if task.kind == "scores":
        rows = table(task.files["scores.tsv"])
        top = np.array([[float(row[name]) for row in rows] for name in task.groups])
        return list(task.groups), top, np.ones_like(top)
    references = [text for path, text in sorted(task.files.items()) if path.startswith("references/")]
    count = {
        "translation": of_texts, "summaries": of_summaries, "alignment": of_alignments, "constituency": of_trees,
        "conllx": of_parses, "entities": of_entities,
    }[task.kind]  # fmt: skip
    both = [list(count(references or task.gold(), task.output(name))) for name in task.groups]
    top, bottom = np.moveaxis(np.array(both, dtype=float), -1, 0)
    return list(task.groups), top, bottom


@pytest.fixture(scope="module")
def counted(tasks):
    return {kind: statistics(task) for kind, task in tasks.items()}


def test_each_kind_has_a_sample():
    assert sorted(NAMES) == sorted(OTHERS)
    assert all(name.endswith("-" + kind) for kind, name in NAMES.items())


@pytest.mark.parametrize("kind", OTHERS)
def test_files_beside_the_outputs(tasks, kind):
    """One line says what it is; the tables name the same systems as the outputs do; every unit has a domain."""
    task = tasks[kind]
    description = task.files["description.txt"]
    assert description.count("\n") == 1
    assert len(description) <= 111
    systems = [re.sub(r"systems/(.*)\.\w+", r"\1", path) for path in sorted(task.files) if path.startswith("systems/")]
    names = systems or list(table(task.files["scores.tsv"])[0])[3:]
    truth = table(task.files["truth.tsv"])
    assert sorted(names) == sorted(task.groups) == [row["system"] for row in truth]
    assert 10 <= len(names) <= 14
    assert 5 <= len(set(task.groups.values())) <= 6
    assert all(name.startswith(group + "-") for name, group in task.groups.items())
    rows = table(task.files["scores.tsv" if kind == "scores" else "domains.tsv"])
    assert [int(next(iter(row.values()))) for row in rows] == list(range(1, task.units + 1))
    assert len({row["domain"] for row in rows}) == 5
    assert len({row["document" if kind == "scores" else "doc"] for row in rows}) >= 15
    assert all(text.endswith("\n") and "\r" not in text for text in task.files.values())


def test_domains_are_those_of_translated_documents(tasks):
    rows = table(tasks["translation"].files["domains.tsv"])
    assert list(rows[0]) == ["segment", "doc", "domain"]
    assert len({row["doc"] for row in rows}) >= 25


@pytest.mark.parametrize("kind", ["translation", "summaries"])
def test_texts_have_a_line_a_unit(tasks, kind):
    task = tasks[kind]
    for path, text in task.files.items():
        if path.endswith(".txt") and path != "description.txt":
            lines = text.splitlines()
            assert len(lines) == task.units
            assert all(lines)
            assert all(line[0] in "«(" or line[0].isupper() or line[0].isdecimal() for line in lines)


def test_two_references_differ_in_words_and_order(tasks):
    one, other = (tasks["translation"].files[f"references/{name}.txt"].splitlines() for name in "AB")
    same = [sorted(words_of(a)) == sorted(words_of(b)) and a != b for a, b in zip(one, other, strict=True)]
    assert 0.05 < np.mean([a == b for a, b in zip(one, other, strict=True)]) < 0.4
    assert sum(same) >= 3  # another order alone


def test_documents_are_much_longer_than_their_summaries(tasks):
    files = tasks["summaries"].files
    assert len(files["source.txt"]) > 4.5 * len(files["references/ref.txt"])
    lengths = [np.mean([len(words_of(line)) for line in t.splitlines()]) for p, t in files.items() if "systems/" in p]
    assert 15 < min(lengths) <= max(lengths) < 35


def test_alignments_link_tokens_that_there_are(tasks):
    task = tasks["alignment"]
    sizes = [[len(line.split()) for line in task.files[f"{side}.txt"].splitlines()] for side in ("source", "target")]
    for text, mark in [(task.gold(), "[-p]"), *((task.output(name), "-") for name in task.groups)]:
        lines = text.splitlines()
        assert len(lines) == task.units
        for line, n_source, n_target in zip(lines, *sizes, strict=True):
            assert re.fullmatch(rf"(\d+{mark}\d+( \d+{mark}\d+)*)?", line)
            assert len(links_of(line)) == len(line.split())
            assert all(i < n_source and j < n_target for i, j in links_of(line))
    kinds = Counter(re.findall("[-p]", task.gold()))
    assert 0.1 < kinds["p"] / kinds["-"] < 0.6


def test_alignments_of_a_group_are_made_of_its_two_directions(tasks):
    """Each target token has one link at most in the forward direction, each source token in the reverse one."""
    task = tasks["alignment"]
    full = {group for group, size in Counter(task.groups.values()).items() if size == 5}
    assert full
    for group in full:
        methods = ("forward", "reverse", "intersection", "union", "grow-diagonal")
        texts = [map(links_of, task.output(f"{group}-{method}").splitlines()) for method in methods]
        for forward, reverse, intersection, union, grown in zip(*texts, strict=True):
            assert len({j for _, j in forward}) == len(forward)
            assert len({i for i, _ in reverse}) == len(reverse)
            assert (intersection, union) == (forward & reverse, forward | reverse)
            assert intersection <= grown <= union


def test_trees_are_brackets_over_the_same_words(tasks):
    task = tasks["constituency"]
    gold = [brackets_of(line) for line in task.gold().splitlines()]
    labels = Counter(label for found, _ in gold for label, *_ in found)
    assert set(labels) == {"S", "NP", "VP", "PP", "SBAR", "WHNP", "ADJP", "ADVP", "INTJ", "PRN"}
    assert len(gold) == task.units
    tagged = []
    for name in task.groups:
        lines = task.output(name).splitlines()
        assert all(line.startswith("(TOP (") for line in lines)
        trees = [brackets_of(line) for line in lines]
        for (_, words), (_, own) in zip(gold, trees, strict=True):
            assert [word for _, word in words] == [word for _, word in own]
        pairs = zip((w for _, ws in gold for w in ws), (w for _, ws in trees for w in ws), strict=True)
        tagged.append(np.mean([one == other for one, other in pairs]))
    assert 0.9 < min(tagged) < max(tagged) < 0.99


def test_parses_fill_in_heads_and_labels_and_nothing_else(tasks):
    task = tasks["conllx"]
    gold = blocks_of(task.gold())
    assert len(gold) == task.units
    assert "#" not in task.gold()
    for name in task.groups:
        for rows, own in zip(gold, blocks_of(task.output(name)), strict=True):
            assert [int(row[0]) for row in own] == list(range(1, len(rows) + 1))
            assert [[*row[:6], *row[8:]] for row in own] == [[*row[:6], "_", "_"] for row in rows]
            assert [row[6] for row in own].count("0") == 1
            assert all(0 <= int(row[6]) <= len(rows) and row[6] != row[0] and row[7] for row in own)


def test_entities_have_types_and_documents(tasks):
    task = tasks["entities"]
    gold = blocks_of(task.gold())
    assert sum(rows == [["-DOCSTART-", "O"]] for rows in gold) >= 20
    assert len(gold) - task.units == sum(rows[0][0] == "-DOCSTART-" for rows in gold)
    types = Counter(kind for rows in gold for kind, _, _ in entities_of(rows))
    assert set(types) == {"PER", "LOC", "ORG"}
    assert types.total() > 200
    assert loose_tags(gold) == 0
    for name in task.groups:
        own = blocks_of(task.output(name))
        assert [[row[0] for row in rows] for rows in own] == [[row[0] for row in rows] for rows in gold]
        assert {row[1] for rows in own for row in rows} <= {"O", *(f"{a}-{b}" for a in "BI" for b in types)}


def loose_tags(sentences):
    """How many tags continue an entity that nothing begins."""
    pairs = [pair for rows in sentences for pair in itertools.pairwise([["", "O"], *rows])]
    return sum(tag[0] == "I" and before[2:] != tag[2:] for (_, before), (_, tag) in pairs)


def test_some_groups_leave_tags_for_conlleval_to_repair(tasks):
    task = tasks["entities"]
    loose = defaultdict(set)
    for name, group in task.groups.items():
        loose[group].add(loose_tags(blocks_of(task.output(name))) > 0)
    assert sorted(map(sorted, loose.values())) == [[False]] * 3 + [[True]] * 3


def test_scores_are_numbers_with_four_decimals(tasks):
    lines = tasks["scores"].files["scores.tsv"].splitlines()
    assert lines[0].split("\t")[:3] == ["unit", "document", "domain"]
    assert all(re.fullmatch(r"[01]\.\d{4}", cell) for line in lines[1:] for cell in line.split("\t")[3:])


@pytest.mark.parametrize("kind", OTHERS)
def test_scores_lie_where_those_of_real_systems_do(counted, kind):
    _, top, bottom = counted[kind]
    scores = 100 * top.sum(axis=1) / bottom.sum(axis=1)
    low, high = RANGES[kind]
    assert low < scores.min()
    assert scores.max() < high
    assert np.ptp(scores) > 6


@pytest.mark.parametrize("kind", OTHERS)
def test_truth_agrees_with_what_is_observed(tasks, counted, kind):
    """Scores go with what systems can be expected to get right; a third of the field's range is never undone."""
    names, top, bottom = counted[kind]
    observed = dict(zip(names, top.sum(axis=1) / bottom.sum(axis=1), strict=True))
    rows = table(tasks[kind].files["truth.tsv"])
    truth = {row["system"]: float(row["expected_right"]) for row in rows if row["expected_right"]}
    assert len(truth) >= 8
    both = np.array([[truth[name], observed[name]] for name in truth]).T
    assert np.corrcoef(both)[0, 1] > 0.9
    assert rank_correlation(*both) > 0.5
    clear = np.ptp(both[0]) / 3
    for better, worse in itertools.permutations(truth, 2):
        assert truth[better] < truth[worse] + clear or observed[better] > observed[worse]
    assert all((row["quality"] == "") == (row["note"] == "from both directions") for row in rows)


def rank_correlation(one, other):
    """Spearman's, without ties."""
    return np.corrcoef(np.argsort(np.argsort(one)), np.argsort(np.argsort(other)))[0, 1]


@pytest.mark.parametrize("kind", OTHERS)
def test_groups_share_their_errors(tasks, counted, kind):
    """Gains over a score's mean, unit by unit: all systems agree, those of a group agree more."""
    names, top, bottom = counted[kind]
    residuals = top - bottom * (top.sum(axis=1) / bottom.sum(axis=1))[:, None]
    correlation = np.corrcoef(residuals)
    groups = [tasks[kind].groups[name] for name in names]
    same, different = [], []
    for i, j in itertools.combinations(range(len(names)), 2):
        (same if groups[i] == groups[j] else different).append(correlation[i, j])
    assert np.mean(different) > 0.2
    assert np.mean(same) > np.mean(different) + 0.2
    assert min(same) > np.mean(different)


@pytest.mark.parametrize("kind", OTHERS)
def test_pairs_come_near_the_level(tasks, counted, kind):
    """Some pairs of different groups have p near 0.05, so that a threshold has something to rest on."""
    names, top, bottom = counted[kind]
    groups = [tasks[kind].groups[name] for name in names]
    found = sum(0.04 <= p_value <= 0.06 for i, j, p_value in bootstrap(top, bottom) if groups[i] != groups[j])
    assert found >= FEWEST[kind]


def bootstrap(top, bottom, resamples=4000):
    """Pairs and p-values of resampling units, the winner first."""
    n = top.shape[1]
    counts = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
    scores, observed = (counts @ top.T) / (counts @ bottom.T), top.sum(axis=1) / bottom.sum(axis=1)
    for i, j in itertools.permutations(range(len(top)), 2):
        gain = observed[i] - observed[j]
        if gain > 0:
            yield i, j, np.mean(scores[:, i] - scores[:, j] > 2 * gain)


SMALL = {"sentences": 30, "systems": 5, "groups": 3}


@pytest.mark.parametrize("kind", OTHERS)
def test_same_seed_same_bytes(tmp_path, kind):
    first, again, other = (
        synthesize(tmp_path / name, kind, seed=seed, **SMALL) for name, seed in [("a", 1), ("b", 1), ("c", 2)]
    )
    files = {path.relative_to(first): path.read_bytes() for path in first.rglob("*") if path.is_file()}
    assert files == {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()}
    changed = [
        path for path, content in files.items() if not (other / path).exists() or content != (other / path).read_bytes()
    ]
    assert len(changed) > len(files) / 2


@pytest.mark.parametrize("kind", ["translation", "alignment", "conllx"])
def test_a_change_of_systems_leaves_the_gold_alone(tmp_path, kind):
    few, many = (synthesize(tmp_path / str(n), kind, **SMALL | {"systems": n}) for n in (4, 6))
    for path in few.rglob("*"):
        if path.is_file() and path.parent.name != "systems" and path.stem not in ("groups", "truth", "description"):
            assert path.read_bytes() == (many / path.relative_to(few)).read_bytes()


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        ("translatoin", {}, "No kind of task called 'translatoin'. Available: alignment, conllx, constituency,"),
        ("scores", {"combinations": 2}, "combinations, duplicate, invalid, missing and test_sets are for parsing only"),
        ("entities", {"test_sets": ("a", "b")}, "kind is 'entities'; combinations,"),
        ("conllx", {"duplicate": True}, "are for parsing only"),
        ("conllx", {"invalid": True}, "are for parsing only"),
        ("conllx", {"missing": True}, "are for parsing only"),
        ("conllx", {"sentences": 4}, "sentences is 4"),
        ("alignment", {"systems": 7, "groups": 1}, "systems is 7; a group can enter 5 alignments: forward, reverse,"),
    ],
)
def test_nonsense_is_refused(tmp_path, kind, arguments, message):
    with pytest.raises(ValueError, match=message):
        synthesize(tmp_path / "task", kind, **arguments)
    assert not (tmp_path / "task").exists()


def test_what_other_kinds_have_not_may_be_said(tmp_path):
    folder = synthesize(tmp_path / "task", "scores", combinations=0, duplicate=False, test_sets=(), **SMALL)
    assert len(table((folder / "groups.tsv").read_text("utf-8"))) == 5
