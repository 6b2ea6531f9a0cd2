"""Dependency parsing of given tokens and tags, in the ten columns of CoNLL 2006 and 2007."""

from collections.abc import Sequence

from nlpsig_core.laboratory.synthesis.language.difficulty import rate
from nlpsig_core.laboratory.synthesis.language.grammar import LONGEST, make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, xpos
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import all_decisions
from nlpsig_core.laboratory.synthesis.systems.outputs import single_outputs
from nlpsig_core.laboratory.synthesis.systems.parses import Parse, gold_parse

EASE = 0.15  # compared with raw text: given tokens and tags help


def make_conllx(order: Order) -> Files:
    """The files of a task in which systems fill in the last two columns of the gold, head and label."""
    bank = rate(make_treebank(order.seed, 0, order.units, longest=LONGEST), order.seed, 0, 2).easier(EASE)
    files = {"gold.conllx": conllx(bank.sentences, [gold_parse(sentence) for sentence in bank.sentences])}
    made = list(all_decisions(bank, order.entrants, order.seed))
    for decisions, output in zip(made, single_outputs(bank, order.entrants, order.seed, 0), strict=True):
        files[f"systems/{decisions.single.name}.conllx"] = conllx(bank.sentences, output.trees)
    files["domains.tsv"] = domain_table("sentence", bank.sentences)
    return files | side_files(order, "Dependency parsing of given tokens", "sentence", made)


def conllx(sentences: Sequence[Sentence], trees: Sequence[Parse]) -> str:
    """A file: ID, FORM, LEMMA, CPOSTAG, POSTAG, FEATS, HEAD, DEPREL and two empty columns."""
    lines = []
    for sentence, tree in zip(sentences, trees, strict=True):
        rows = zip(sentence.words, tree.heads, tree.labels, strict=True)
        for number, (word, head, label) in enumerate(rows, start=1):
            columns = [str(number), word.form, word.lemma, word.upos, xpos(word), word.feats, str(head), label]
            lines.append("\t".join([*columns, "_", "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"
