"""Committee, given and random confidences: by pencil, and what each needs."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.structures import conllx, dependency
from nlpsig_core.laboratory.confidence import METHODS, OUTPUTS, Prediction, methods_of
from nlpsig_core.laboratory.confidence.alignment import FORMATS, OF_TREES
from nlpsig_core.laboratory.confidence.outputs import Outputs, outputs_of
from nlpsig_core.laboratory.confidence.table import edges_of, resampled_units
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu, row, task

GOLD = "a/0/root b/1/obj c/1/obl"
SMALL = {
    "gold.conllu": conllu(GOLD),
    "systems/A.conllu": conllu(GOLD),
    "systems/B.conllu": conllu("a/0/root b/1/obl c/2/obl"),
    "systems/C.conllu": conllu("a/2/obj b/0/root c/1/obl"),
}


def outputs(contents: dict[str, str]) -> Outputs:
    small = task(contents)
    return outputs_of(small, small.test_set())


def confidences(valid: Outputs, method: str, against: str = "heads", seed: int = 0) -> dict[str, list[float]]:
    return {
        label: METHODS[method].run(Prediction(outputs=valid, output=i, against=against, seed=seed)).tolist()
        for i, label in enumerate(valid.labels)
    }


def test_the_committee_by_pencil():
    """Heads of a, b, c: A has 0 1 1, B has 0 1 2, C has 2 0 1.

    A's a: B agrees, C does not, 1/2; b: B, 1/2; c: C, 1/2. B's c: nobody. C's a and b: nobody.
    """
    valid = outputs(SMALL)
    assert confidences(valid, "committee") == {"A": [0.5, 0.5, 0.5], "B": [0.5, 0.5, 0], "C": [0, 0, 0.5]}
    assert [output.wrong("heads").tolist() for output in valid.parsed] == [
        [False, False, False],
        [False, False, True],
        [True, True, False],
    ]


def test_relations_count_where_they_are_asked_for():
    """A's b is obj and B's is obl: no vote, and B's is wrong. Subtypes do not matter."""
    valid = outputs(SMALL | {"systems/C.conllu": conllu("a/2/obj b/0/root c/1/obl:arg")})
    assert confidences(valid, "committee", "relations") == {"A": [0.5, 0, 0.5], "B": [0.5, 0, 0], "C": [0, 0, 0.5]}
    assert valid.parsed[1].wrong("relations").tolist() == [False, True, True]
    assert valid.parsed[2].wrong("relations").tolist() == [True, True, False]


def test_a_word_without_a_gold_word_is_a_wrong_edge_and_can_have_votes():
    """B and C split bc alike, which the gold has as one word: they agree on both halves, and all of these are wrong.

    A and the gold have the same word bc; nobody votes for it.
    """
    split = conllu("a/0/root b/1/obj c/2/obl")
    valid = outputs(
        {
            "gold.conllu": conllu("a/0/root bc/1/obj"),
            "systems/A.conllu": conllu("a/0/root bc/1/obj"),
            "systems/B.conllu": split,
            "systems/C.conllu": split,
        }
    )
    assert confidences(valid, "committee") == {"A": [1, 0], "B": [1, 0.5, 0.5], "C": [1, 0.5, 0.5]}
    assert valid.parsed[1].wrong("heads").tolist() == [False, True, True]


def test_words_of_a_multiword_token_are_the_same_if_their_forms_are():
    """A's im is in + dem, B's in + em: they share the word in, whose head is the root, and not the other one."""
    gold = "im=in/0/root+dem/1/det"
    other = conllu("im=in/0/root+em/1/det")
    valid = outputs({"gold.conllu": conllu(gold), "systems/A.conllu": conllu(gold), "systems/B.conllu": other})
    assert confidences(valid, "committee") == {"A": [1, 0], "B": [1, 0]}


def test_the_runs_of_a_system_share_its_vote():
    """Of the two runs of B one agrees with A on c: half a vote of one other system. B's runs have A alone to vote."""
    small = task(SMALL)
    small = small.with_systems(small.systems.assign(system=["A", "B", "B"], group="x", run=["1", "1", "2"]))
    valid = outputs_of(small, small.test_set())
    assert confidences(valid, "committee") == {
        "A, run 1": [0.5, 0.5, 0.5],
        "B, run 1": [1, 1, 0],
        "B, run 2": [0, 0, 1],
    }


def test_the_committee_of_one_does_not_exist():
    valid = outputs({"gold.conllu": SMALL["gold.conllu"], "systems/A.conllu": SMALL["systems/A.conllu"]})
    edges, notes = edges_of(valid, ["committee"], np.zeros(1, dtype=int))
    assert not edges
    assert notes == ["A: no committee confidence: a committee needs another system with a valid output"]


def test_the_committee_equals_a_plain_loop():
    """Five systems of a sample, votes counted word by word."""
    loaded = load_task("brelda-parsing")
    some = loaded.systems.head(5)
    valid = outputs_of(loaded.with_systems(some), loaded.test_set())
    read = [loaded.test_set().read(file, loaded.test_set().outputs[file].load()) for file in valid.files]
    words = [
        [
            (output.token_start[t], output.token_end[t], output.is_multiword[w] and output.fields["form"][w].lower())
            for w, t in enumerate(output.word_token)
        ]
        for output in read
    ]
    heads = [
        {word: "root" if head < 0 else words[i][head] for word, head in zip(words[i], output.head, strict=True)}
        for i, output in enumerate(read)
    ]
    assert [len(of_words) for of_words in heads] == [output.n_words for output in read]
    for i, votes in enumerate(confidences(valid, "committee").values()):
        others = [heads[j] for j in range(len(read)) if j != i]
        naive = [np.mean([other.get(word) == heads[i][word] for other in others]) for word in words[i]]
        assert votes == pytest.approx(naive, abs=1e-11)


@pytest.mark.parametrize("sample", ["brelda-parsing", "orvan-three-test-sets"])
def test_the_share_of_right_edges_is_the_precision_of_uas_and_las(sample):
    loaded = load_task(sample)
    test_set = loaded.test_set()
    valid = outputs_of(loaded, test_set)
    for file, output in list(zip(valid.files, valid.parsed, strict=True))[:4]:
        counts = dependency.count(test_set.gold, test_set.read(file, test_set.outputs[file].load()))
        for metric, against in (("UAS", "heads"), ("LAS", "relations")):
            columns = [dependency.COLUMNS.index(column) for column in METRICS[metric].columns]
            correct, predicted, _ = counts[:, columns].sum(axis=0)
            assert ((~output.wrong(against)).sum(), output.n_words) == (correct, predicted)


def test_the_share_of_right_edges_of_conllx_is_the_score_of_all_tokens():
    loaded = load_task("selmek-conllx")
    test_set = loaded.test_set()
    valid = outputs_of(loaded, test_set)
    file, output = valid.files[0], valid.parsed[0]
    counts = conllx.count(test_set.gold, test_set.read(file, test_set.outputs[file].load()))
    tokens, uas, las = counts[:, :3].sum(axis=0)
    assert (output.n_words, (~output.wrong("heads")).sum(), (~output.wrong("relations")).sum()) == (tokens, uas, las)


def test_edges_are_read_once(cache, monkeypatch):
    """The second time they come from the disk, and are the same."""
    first = outputs(SMALL)
    monkeypatch.setitem(FORMATS, "CoNLL-U", FORMATS["CoNLL-U"]._replace(edges=None))
    second = outputs(SMALL)
    assert all((a.values == b.values).all() for a, b in zip(first.parsed, second.parsed, strict=True))


def test_an_invalid_output_is_left_out_and_does_not_vote():
    valid = outputs(SMALL | {"systems/D.conllu": conllu("a/0/root b/0/root c/1/obl")})
    assert valid.labels == ("A", "B", "C")
    assert valid.problems == {"D": "systems/D.conllu, line 2: a second root; the sentence has 2"}
    assert confidences(valid, "committee")["A"] == [0.5, 0.5, 0.5]


def with_misc(*misc: str) -> str:
    """Two words, each with its MISC."""
    words = (row(1, "a", 0, "root"), row(2, "b", 1, "obj"))
    return "".join(f"{line.removesuffix('_')}{own}\n" for line, own in zip(words, misc, strict=True)) + "\n"


def given(*misc: str) -> tuple[list[float], list[str]]:
    """The confidences of an output with this MISC, and the notes."""
    files = {"gold.conllu": with_misc("_", "_"), "systems/A.conllu": with_misc("_", "_")}
    valid = outputs(files | {"systems/B.conllu": with_misc(*misc)})
    edges, notes = edges_of(valid, ["given", "random"], np.zeros(1, dtype=int))
    return next((output.confidence.tolist() for output in edges if output.method == "given"), []), notes


def test_confidences_are_read_from_misc():
    own, notes = given("SpaceAfter=No|Conf=0.25", "Prob=1|Gloss=Conf")
    assert own == [0.25, 1]
    assert notes == ["A: no given confidence: no word has Conf= or Prob= in its column MISC"]


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("_", "line 2: no confidence, but others have one; give all of them one, or none"),
        ("Conf=1.5", "line 2: the confidence '1.5' is not a number from 0 to 1"),
        ("Prob=nan", "line 2: the confidence 'nan' is not a number from 0 to 1"),
        ("Conf=high", "line 2: the confidence 'high' is not a number from 0 to 1"),
        ("Conf=", "line 2: the confidence '' is not a number from 0 to 1"),
    ],
)
def test_a_missing_or_wrong_confidence_is_told_with_its_line(second, reason):
    own, notes = given("Conf=0.5", second)
    assert own == []
    assert f"B: no given confidence: systems/B.conllu, {reason}" in notes


def test_random_confidences_depend_on_seed_and_output_alone():
    valid, fewer = outputs(SMALL), outputs({name: text for name, text in SMALL.items() if "B" not in name})
    first = confidences(valid, "random")
    assert first == confidences(valid, "random")
    assert confidences(fewer, "random") == {label: first[label] for label in ("A", "C")}
    assert confidences(valid, "random", seed=1) != first
    assert first["A"] != first["C"]


@pytest.mark.parametrize("method", methods_of(OUTPUTS).values(), ids=methods_of(OUTPUTS))
def test_every_method_of_outputs_keeps_to_what_it_says(method):
    """Confidences for every word; probabilities are between 0 and 1."""
    texts = SMALL | {f"systems/{name}.conllu": with_misc("Conf=0.5", "Conf=1") for name in "AB"}
    texts = texts | {"gold.conllu": with_misc("_", "_"), "systems/C.conllu": with_misc("_", "_")}
    valid = outputs(texts)
    for against in OF_TREES:
        prediction = Prediction(outputs=valid, output=0, against=against)
        assert method.applies(prediction) == ""
        confidence = method.run(prediction)
        assert confidence.shape == (2,)
        assert not method.probability or ((confidence >= 0) & (confidence <= 1)).all()


def test_some_formats_have_nothing_that_is_right_or_wrong():
    loaded = load_task("shumak-translation")
    with pytest.raises(ChoiceError, match=r"right or wrong one by one .*these files are Translations"):
        outputs_of(loaded, loaded.test_set())


def test_a_domain_and_documents_can_be_chosen():
    """Sentences 1 and 3 are news, and all three are of two documents."""
    domains = "sentence\tdomain\tdocument\n1\tnews\td1\n2\tblog\td1\n3\tnews\td2\n"
    small = task(
        {"gold.conllu": conllu(GOLD, GOLD, GOLD), "domains.tsv": domains, "systems/A.conllu": conllu(*[GOLD] * 3)}
    )
    test_set = small.test_set()
    assert resampled_units(test_set).tolist() == [0, 1, 2]
    assert resampled_units(test_set, "news").tolist() == [0, -1, 1]
    assert resampled_units(test_set, "", "document").tolist() == [0, 0, 1]
    with pytest.raises(ChoiceError, match=r"No domain called 'law'\. Available: blog, news"):
        resampled_units(test_set, "law")
