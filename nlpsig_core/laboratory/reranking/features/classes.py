"""CLASSES: every class of features of a parse, one entry each: what it counts, and the function that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from nlpsig_core.laboratory.reranking.features import dependencies, rules, spans, words
from nlpsig_core.laboratory.reranking.features.places import Feature, Place, Places
from nlpsig_core.laboratory.reranking.lists import Candidate


def score(candidate: Candidate) -> Mapping[Feature, float]:
    """Return the negative score of the candidate, such as the logarithm of the base parser's probability."""
    return {("",): -candidate.score}


def given(candidate: Candidate) -> Mapping[Feature, float]:
    """Return the features that the file gives for a record, with their values."""
    return {("", name): value for name, value in candidate.parse.features.items()}


def itself(place: Place) -> Hashable:
    """Return the place itself, which differs from all others."""
    return place


@dataclass(frozen=True, kw_only=True)
class FeatureClass:
    """A class of features: either those ``of_place``, summed over the places of a tree, or those ``of_candidate``.

    ``what`` says in a few words what is counted, ``source`` who says so, and ``form`` for which parses: constituency,
    dependency or generic. Places of which ``sees`` is equal, in whatever lists, have the same features, which are
    extracted once; those of which it is None have none.
    """

    name: str
    label: str = ""
    what: str
    source: str
    form: str = "constituency"
    of_place: Callable[[Place], Iterable[Feature]] | None = None
    sees: Callable[[Place], Hashable] = itself
    of_candidate: Callable[[Candidate], Mapping[Feature, float] | Iterable[Feature]] | None = None

    def extract(self, candidate: Candidate) -> Counter[Feature]:
        """Return the features of a candidate and how often each occurs."""
        if self.of_candidate:
            return Counter(self.of_candidate(candidate))
        places = Places()
        numbers = places.place(candidate.parse).below
        assert self.of_place
        return Counter(feature for number in numbers for feature in self.of_place(places.all[number]))

    def show(self, feature: Feature) -> str:
        """Return the name of a feature, such as ``Word:2 (plan NN NP)``."""
        variant, *parts = feature
        seen = " ".join(parts)
        shown = f" {seen}" if seen.startswith("(") else f" ({seen})" if seen else ""
        return f"{self.name}{variant and ':'}{variant}{shown}"


def class_in(name: str) -> str:
    """Return the class of a feature by its name (``FeatureClass.show``), which begins with it."""
    return name.partition(" ")[0].partition(":")[0]


JOHNSON = "Johnson (2005), slide {}; Charniak and Johnson (2005), section 3"
ORIGINAL = "the reranker of Charniak and Johnson (2005)"
EDGES = "McDonald, Crammer and Pereira (2005), section 3"
ADAPTED = ", for dependencies"

CLASSES: dict[str, FeatureClass] = {entry.name: entry for entry in (
    FeatureClass(name="NLogP", what="negative logarithm of the base parser's probability", source=JOHNSON.format(22),
                 of_candidate=score),
    FeatureClass(name="Rule", what="a node with its children; with the parent, heads, or what joins it to siblings",
                 source=JOHNSON.format(23), of_place=rules.rule, sees=rules.sees_rule),
    FeatureClass(name="NGram", what="one to three adjacent children of a node, before or after its head",
                 source=JOHNSON.format(26), of_place=rules.ngram, sees=rules.sees_rule),
    FeatureClass(name="Word", what="a word with its tag, and with the tag's parent", source=JOHNSON.format(33),
                 of_place=words.word, sees=words.sees_word),
    FeatureClass(name="WProj", what="a word with its maximal projection and the parent of this",
                 source=JOHNSON.format(33), of_place=words.word_projection, sees=words.sees_projection),
    FeatureClass(name="RightBranch", what="nodes on the right-most branch, and others", source=JOHNSON.format(29),
                 of_place=spans.right_branch, sees=spans.sees_branch),
    FeatureClass(name="Heavy", what="a constituent's length, distance to the end, and punctuation",
                 source=JOHNSON.format(30), of_place=spans.heavy, sees=spans.sees_span),
    FeatureClass(name="NGramTree", what="the fragment that connects two or three adjacent words",
                 source=JOHNSON.format(35), of_place=words.ngram_tree, sees=words.sees_ngrams),
    FeatureClass(name="HeadTree", what="a head with all its projections and their neighbours",
                 source=JOHNSON.format(28), of_place=words.head_tree, sees=words.sees_lines),
    FeatureClass(name="Heads", what="a head with its governor, and with the governor's governor",
                 source=JOHNSON.format(27), of_place=words.heads, sees=words.sees_heads),
    FeatureClass(name="Neighbours",
                 what="a constituent's length, its own first tag, and the tag after it, as published",
                 source=JOHNSON.format(34), of_place=spans.neighbours, sees=spans.sees_span),
    FeatureClass(name="NeighboursCorrected", label="Neighbours, corrected",
                 what="a constituent's length, and the tags before and after it", source=JOHNSON.format(34),
                 of_place=spans.corrected_neighbours, sees=spans.sees_span),
    FeatureClass(name="CoPar", what="depth to which adjacent conjuncts have the same labels",
                 source=JOHNSON.format(31), of_place=spans.parallel, sees=spans.sees_coordination),
    FeatureClass(name="CoLenPar", what="difference in length of adjacent conjuncts", source=JOHNSON.format(32),
                 of_place=spans.parallel_length, sees=spans.sees_coordination),
    FeatureClass(name="Edges", what="a constituent's label and length with up to two tags around its edges",
                 source=ORIGINAL, of_place=spans.edges, sees=spans.sees_span),
    FeatureClass(name="WordEdges", what="a constituent's label and length with up to two words around its edges",
                 source=ORIGINAL, of_place=spans.word_edges, sees=spans.sees_span),
    FeatureClass(name="DepScore", what="negative score of the base parser", source=JOHNSON.format(22),
                 form="dependency", of_candidate=score),
    FeatureClass(name="DepTags",
                 what="the tags of a head and its dependent, on which side this is, and their relation", source=EDGES,
                 form="dependency", of_candidate=dependencies.tags),
    FeatureClass(name="DepDistance", what="how far a dependent is from its head, with tags or the relation",
                 source=EDGES, form="dependency", of_candidate=dependencies.distance),
    FeatureClass(name="DepNeighbours",
                 what="a word, the length of the span below it, and the tags before and after this",
                 source=JOHNSON.format(34) + ADAPTED, form="dependency", of_candidate=dependencies.neighbours),
    FeatureClass(name="DepRightBranch", what="words on the path from the root to the last word, and others",
                 source=JOHNSON.format(29) + ADAPTED, form="dependency", of_candidate=dependencies.right_branch),
    FeatureClass(name="DepCoPar", what="depth to which adjacent conjuncts have the same tags",
                 source=JOHNSON.format(31) + ADAPTED, form="dependency", of_candidate=dependencies.parallel),
    FeatureClass(name="DepCoLenPar", what="difference in length of adjacent conjuncts",
                 source=JOHNSON.format(32) + ADAPTED, form="dependency", of_candidate=dependencies.parallel_length),
    FeatureClass(name="DepNGramTree",
                 what="the tags of three words one below the other, and of adjacent dependents of a word",
                 source="McDonald and Pereira (2006), section 2; Carreras (2007)", form="dependency",
                 of_candidate=dependencies.fragments),
    FeatureClass(name="Score", what="negative score of the candidate", source=JOHNSON.format(22), form="generic",
                 of_candidate=score),
    FeatureClass(name="Given", what="the features that the file gives", source="the file", form="generic",
                 of_candidate=given),
)}  # fmt: skip


def classes_of(form: str) -> dict[str, FeatureClass]:
    """Return the classes for constituency, dependency or generic parses, by name."""
    return {name: entry for name, entry in CLASSES.items() if entry.form == form}
