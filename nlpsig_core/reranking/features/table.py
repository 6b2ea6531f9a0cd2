"""The registry of feature classes: one literal entry each."""

from __future__ import annotations

from nlpsig_core.reranking.features import coordination, fragments, governors, rules, spans, words
from nlpsig_core.reranking.features.base import FeatureClass

JOHNSON = "Johnson (2005), slide {}; Charniak and Johnson (2005), section 3"
ORIGINAL = "the reranker of Charniak and Johnson (2005)"

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
}  # fmt: skip
