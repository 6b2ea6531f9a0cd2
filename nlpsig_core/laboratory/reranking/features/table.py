"""The registry of feature classes: one literal entry each."""

from __future__ import annotations

from nlpsig_core.laboratory.reranking.features import (
    coordination,
    dependencies,
    fragments,
    given,
    governors,
    rules,
    spans,
    words,
)
from nlpsig_core.laboratory.reranking.features.base import FeatureClass

JOHNSON = "Johnson (2005), slide {}; Charniak and Johnson (2005), section 3"
ORIGINAL = "the reranker of Charniak and Johnson (2005)"
EDGES = "McDonald, Crammer and Pereira (2005), section 3"
ADAPTED = ", for dependencies"

CLASSES: dict[str, FeatureClass] = {
    "NLogP": FeatureClass(
        name="NLogP", what="negative logarithm of the base parser's probability", source=JOHNSON.format(22),
        of_candidate=words.log_probability,
    ),
    "Rule": FeatureClass(
        name="Rule", what="a node with its children; with the parent, heads, or what joins it to siblings",
        source=JOHNSON.format(23), of_place=rules.rule, sees=rules.sees_rule,
    ),
    "NGram": FeatureClass(
        name="NGram", what="one to three adjacent children of a node, before or after its head",
        source=JOHNSON.format(26), of_place=rules.ngram, sees=rules.sees_rule,
    ),
    "Word": FeatureClass(
        name="Word", what="a word with its tag, and with the tag's parent", source=JOHNSON.format(33),
        of_place=words.word, sees=words.sees_tag,
    ),
    "WProj": FeatureClass(
        name="WProj", what="a word with its maximal projection and the parent of this", source=JOHNSON.format(33),
        of_place=words.word_projection, sees=words.sees_projection,
    ),
    "RightBranch": FeatureClass(
        name="RightBranch", what="nodes on the right-most branch, and others", source=JOHNSON.format(29),
        of_place=spans.right_branch, sees=spans.sees_branch,
    ),
    "Heavy": FeatureClass(
        name="Heavy", what="a constituent's length, distance to the end, and punctuation", source=JOHNSON.format(30),
        of_place=spans.heavy, sees=spans.sees_span,
    ),
    "NGramTree": FeatureClass(
        name="NGramTree", what="the fragment that connects two or three adjacent words", source=JOHNSON.format(35),
        of_place=fragments.ngram_tree, sees=fragments.sees_subtree,
    ),
    "HeadTree": FeatureClass(
        name="HeadTree", what="a head with all its projections and their neighbours", source=JOHNSON.format(28),
        of_place=fragments.head_tree, sees=fragments.sees_subtree_and_role,
    ),
    "Heads": FeatureClass(
        name="Heads", what="a head with its governor, and with the governor's governor", source=JOHNSON.format(27),
        of_place=governors.heads, sees=governors.sees_heads,
    ),
    "Neighbours": FeatureClass(
        name="Neighbours", what="a constituent's length, its own first tag, and the tag after it, as published",
        source=JOHNSON.format(34), of_place=spans.neighbours, sees=spans.sees_span,
    ),
    "NeighboursCorrected": FeatureClass(
        name="NeighboursCorrected", label="Neighbours, corrected",
        what="a constituent's length, and the tags before and after it", source=JOHNSON.format(34),
        of_place=spans.corrected_neighbours, sees=spans.sees_span,
    ),
    "CoPar": FeatureClass(
        name="CoPar", what="depth to which adjacent conjuncts have the same labels", source=JOHNSON.format(31),
        of_place=coordination.parallel, sees=coordination.sees_coordination,
    ),
    "CoLenPar": FeatureClass(
        name="CoLenPar", what="difference in length of adjacent conjuncts", source=JOHNSON.format(32),
        of_place=coordination.parallel_length, sees=coordination.sees_coordination,
    ),
    "Edges": FeatureClass(
        name="Edges", what="a constituent's label and length with up to two tags around its edges", source=ORIGINAL,
        of_place=spans.edges, sees=spans.sees_span,
    ),
    "WordEdges": FeatureClass(
        name="WordEdges", what="a constituent's label and length with up to two words around its edges",
        source=ORIGINAL, of_place=spans.word_edges, sees=spans.sees_span,
    ),
    "DepScore": FeatureClass(
        name="DepScore", what="negative score of the base parser", source=JOHNSON.format(22), of="dependency",
        of_candidate=words.log_probability,
    ),
    "DepTags": FeatureClass(
        name="DepTags", what="the tags of a head and its dependent, on which side this is, and their relation",
        source=EDGES, of="dependency", of_candidate=dependencies.tags,
    ),
    "DepDistance": FeatureClass(
        name="DepDistance", what="how far a dependent is from its head, with tags or the relation", source=EDGES,
        of="dependency", of_candidate=dependencies.distance,
    ),
    "DepNeighbours": FeatureClass(
        name="DepNeighbours", what="a word, the length of the span below it, and the tags before and after this",
        source=JOHNSON.format(34) + ADAPTED, of="dependency", of_candidate=dependencies.neighbours,
    ),
    "DepRightBranch": FeatureClass(
        name="DepRightBranch", what="words on the path from the root to the last word, and others",
        source=JOHNSON.format(29) + ADAPTED, of="dependency", of_candidate=dependencies.right_branch,
    ),
    "DepCoPar": FeatureClass(
        name="DepCoPar", what="depth to which adjacent conjuncts have the same tags",
        source=JOHNSON.format(31) + ADAPTED, of="dependency", of_candidate=dependencies.parallel,
    ),
    "DepCoLenPar": FeatureClass(
        name="DepCoLenPar", what="difference in length of adjacent conjuncts", source=JOHNSON.format(32) + ADAPTED,
        of="dependency", of_candidate=dependencies.parallel_length,
    ),
    "DepNGramTree": FeatureClass(
        name="DepNGramTree", what="the tags of three words one below the other, and of adjacent dependents of a word",
        source="McDonald and Pereira (2006), section 2; Carreras (2007)", of="dependency",
        of_candidate=dependencies.fragments,
    ),
    "Score": FeatureClass(
        name="Score", what="negative score of the candidate", source=JOHNSON.format(22), of="generic",
        of_candidate=words.log_probability,
    ),
    "Given": FeatureClass(
        name="Given", what="the features that the file gives", source="the file", of="generic",
        of_candidate=given.given,
    ),
}  # fmt: skip


def classes_of(of: str) -> dict[str, FeatureClass]:
    """The classes for constituency, dependency or generic parses, by name."""
    return {name: one for name, one in CLASSES.items() if one.of == of}
