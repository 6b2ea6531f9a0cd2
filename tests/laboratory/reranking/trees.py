"""Small trees and n-best lists for the tests of reranking."""

from __future__ import annotations

from nlpsig_core.laboratory.grammars.trees import Sharing
from nlpsig_core.laboratory.reranking.lists import Candidate, Lists, NBestList
from nlpsig_core.laboratory.reranking.lists.constituency import lists_of_trees

SAW = "(S1 (S (NP (NNS Dogs)) (VP (VBD saw) (NP (DT the) (NN cat))) (. .)))"
# The same words as a noun phrase: nothing of SAW but words, tags and the phrase "the cat" is in it.
PHRASE = "(S1 (NP (NP (NNS Dogs)) (VP (VBD saw) (NP (DT the) (NN cat))) (. .)))"
PLAIN = "(S1 (S (NP (NNS Dogs)) (VP (VBD saw) (DT the) (NN cat)) (. .)))"
BOTH = "(S1 (S (NP (NP (NNS dogs)) (CC and) (NP (JJ big) (NNS cats))) (VP (VBD ran))))"
ONE = "(S1 (S (NP (NNS dogs) (CC and) (JJ big) (NNS cats)) (VP (VBD ran))))"


def lists(*sentences: tuple[str, ...], digest: str = "") -> Lists:
    """A list for each sentence, whose first parse is the gold; scores are -1.25, -2.5 and so on."""
    nbest_lists = []
    for number, texts in enumerate(sentences, start=1):
        sharing = Sharing()
        candidates = tuple(Candidate(-1.25 * i, sharing.read(text)) for i, text in enumerate(texts, start=1))
        nbest_lists.append(NBestList(str(number), candidates, candidates[0].parse))
    return lists_of_trees("small", nbest_lists, digest)
