"""READERS: every format, one entry each; to add a format, add a function that reads it and an entry."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from nlpsig_core.data.readers.alignments import (
    READ_AS,
    SENTENCES,
    looks_like_alignments,
    read_alignments,
    read_gold_alignments,
)
from nlpsig_core.data.readers.base import Editions, Reader
from nlpsig_core.data.readers.brackets import PARAMETERS, looks_like_trees, read_gold_trees, read_trees
from nlpsig_core.data.readers.conll.conllu import looks_like_conllu, read_conllu
from nlpsig_core.data.readers.conll.conllx import looks_like_conllx, read_conllx
from nlpsig_core.data.readers.items.beside import BESIDE_ITEMS, DOCUMENTS
from nlpsig_core.data.readers.items.gold import read_items
from nlpsig_core.data.readers.items.kinds import likeness
from nlpsig_core.data.readers.items.reading import ANSWER_COLUMNS, read_rows
from nlpsig_core.data.readers.lines import SOURCE, looks_like_lines, target_tokenizer
from nlpsig_core.data.readers.logs.evaluations import read_answers, read_questions
from nlpsig_core.data.readers.logs.every_eval_ever import EVERY_EVAL_EVER
from nlpsig_core.data.readers.logs.helm import HELM
from nlpsig_core.data.readers.logs.inspect_logs import INSPECT
from nlpsig_core.data.readers.logs.lighteval import LIGHTEVAL
from nlpsig_core.data.readers.logs.lm_eval import LM_EVAL
from nlpsig_core.data.readers.logs.openai_evals import OPENAI_EVALS
from nlpsig_core.data.readers.logs.outcomes import OUTCOMES
from nlpsig_core.data.readers.logs.swe_bench import SWE_BENCH
from nlpsig_core.data.readers.people.alone import split_rated_table
from nlpsig_core.data.readers.people.ratings import looks_like_segment_scores
from nlpsig_core.data.readers.people.segment_scores import (
    SEGMENT_DOCUMENTS,
    read_people,
    read_segment_scores,
)
from nlpsig_core.data.readers.rankings.judgements import looks_like_judgements, read_judgements
from nlpsig_core.data.readers.rankings.queries import TOPICS
from nlpsig_core.data.readers.rankings.runs import looks_like_run, read_run
from nlpsig_core.data.readers.tables.score_tables import ONE_FILE
from nlpsig_core.data.readers.tables.scores import read_scored_units, read_scores
from nlpsig_core.data.readers.tagged import looks_like_tagged, read_tagged
from nlpsig_core.data.readers.texts import CONDENSED, read_references, read_texts
from nlpsig_core.data.readers.transcripts import (
    TRANSCRIPT_FORMS,
    TRANSCRIPTS,
    read_gold_transcripts,
    read_transcripts,
    usual_text,
)

# The endings of files with one answer an item, beside that of plain text; other formats have them as well.
OF_ITEMS = (".tsv", ".csv", ".jsonl", ".json")


def _of_items(name: str) -> Reader:
    """Return the format of one answer an item of this kind (``items.answers.KINDS``)."""
    return Reader(
        name=name,
        unit="item",
        endings=(".txt",),
        shared_endings=OF_ITEMS,
        read=read_rows,
        drawing="items",
        read_gold=partial(read_items, name),
        version=11,
        companions=BESIDE_ITEMS,
        read_as=ANSWER_COLUMNS,
    )


def _of_texts(name: str, unit: str, editions: Editions, condenses: float = 0.0) -> Reader:
    """Return the format of one text a unit, compared with one or several references."""
    return Reader(
        name=name,
        unit=unit,
        endings=(".txt",),
        read=read_texts,
        looks_like=looks_like_lines,
        version=9,
        drawing=name.lower(),
        read_gold=read_references,
        several_gold=True,
        companions=(SOURCE,),
        condenses=condenses,
        unlike=likeness,
        editions=editions,
    )


# The first that recognises a file reads it; tables of outcomes are recognised by their columns alone, so they are last.
LOG_FORMATS = (LM_EVAL, INSPECT, HELM, LIGHTEVAL, EVERY_EVAL_EVER, OPENAI_EVALS, SWE_BENCH, OUTCOMES)

# If several formats share an ending, the first one that looks like the file is used.
READERS = {
    "CoNLL-U": Reader(
        name="CoNLL-U",
        unit="sentence",
        endings=(".conllu", ".conll"),
        endings_in_systems={".txt": looks_like_conllu},
        read=read_conllu,
        looks_like=looks_like_conllu,
        drawing="raw-text dependencies",
        editions=Editions(
            title="Evaluation",
            help="AllTags, Lemmas and CLAS differ between the CoNLL 2018 and 2017 editions.",
            usual="2018",
        ),
    ),
    "CoNLL-X": Reader(
        name="CoNLL-X",
        unit="sentence",
        endings=(".conllx", ".conll", ".conll06", ".conll07", ".conll09", ".txt"),
        read=read_conllx,
        version=2,
        looks_like=looks_like_conllx,
        drawing="dependencies",
        editions=Editions(
            title="Tokens",
            help="2007: all of them. 2006: without punctuation.",
            usual="2007",
        ),
    ),
    "Tagged tokens": Reader(
        name="Tagged tokens",
        unit="sentence",
        endings=(".bio", ".iob", ".iob2", ".bioes", ".tags", ".conll", ".txt"),
        read=read_tagged,
        looks_like=looks_like_tagged,
        drawing="spans",
        version=10,
    ),
    "Bracketed trees": Reader(
        name="Bracketed trees",
        unit="sentence",
        version=2,
        endings=(".mrg", ".gld", ".tst", ".ptb", ".trees", ".brackets", ".parse", ".txt"),
        read=read_trees,
        looks_like=looks_like_trees,
        drawing="brackets",
        read_gold=read_gold_trees,
        gold_endings=(".gld",),
        companions=(PARAMETERS,),
        editions=Editions(
            title="Brackets",
            help="EVALB counts outermost brackets without a label; labelled leaves them out.",
            usual="EVALB",
        ),
    ),
    "Rankings": Reader(
        name="Rankings",
        unit="topic",
        endings=(".qrels", ".qrel", ".run", ".res", ".trec", ".txt"),
        endings_in_systems=dict.fromkeys((".tsv", ".json"), looks_like_run),
        read=read_run,
        looks_like=looks_like_judgements,
        drawing="rankings",
        version=4,
        read_gold=read_judgements,
        gold_endings=(".qrels", ".qrel"),
        companions=(TOPICS,),
        editions=Editions(
            title="Topics",
            help="All judged topics, 0 for those that a run lacks, or only those that it has.",
            usual="all",
        ),
    ),
    "Word alignments": Reader(
        name="Word alignments",
        unit="sentence",
        version=2,
        endings=(".align", ".talp", ".wa", ".pharaoh", ".txt"),
        read=read_alignments,
        looks_like=looks_like_alignments,
        drawing="alignment grids",
        read_gold=read_gold_alignments,
        companions=(SENTENCES,),
        read_as=READ_AS,
    ),
    "Segment scores": Reader(
        name="Segment scores",
        unit="segment",
        endings=(".score",),
        shared_endings=(".tsv", ".csv"),
        read=read_segment_scores,
        looks_like=looks_like_segment_scores,
        drawing="segments",
        read_gold=read_people,
        companions=(SEGMENT_DOCUMENTS,),
        version=3,
    ),
    **{name: _of_items(name) for name in ("Labels", "Label sets", "Numbers", "Strings")},
    TRANSCRIPTS: Reader(
        name=TRANSCRIPTS,
        unit="utterance",
        endings=(".trn", ".stm", ".ctm", ".txt"),
        shared_endings=OF_ITEMS,
        read=read_transcripts,
        version=9,
        drawing="transcripts",
        read_gold=read_gold_transcripts,
        companions=(DOCUMENTS,),
        read_as=TRANSCRIPT_FORMS,
        editions=Editions(
            title="Text",
            help="Normalised: lower case, and a space for every character but letters, marks (such as vowel signs), "
            "numbers and '. White space is collapsed in both.",
            usual=usual_text,
        ),
    ),
    "Summaries": _of_texts(
        "Summaries",
        "document",
        Editions(title="Words", help="Porter's stemmer conflates hope, hopes and hoping.", usual="stemmed"),
        condenses=CONDENSED,
    ),
    "Translations": _of_texts(
        "Translations",
        "segment",
        Editions(
            title="BLEU tokeniser",
            help="The default depends on the script of the references.",
            usual=target_tokenizer,
        ),
    ),
    "Score table": Reader(
        name="Score table",
        unit="unit",
        read=read_scores,
        version=4,
        drawing="score rows",
        read_gold=read_scored_units,
        editions=Editions(title="Better is", help="Is a higher or a lower score better?", usual=None),
        bundle=replace(ONE_FILE, split=split_rated_table),
    ),
    "Evaluation logs": Reader(
        name="Evaluation logs",
        unit="question",
        read=read_answers,
        drawing="questions",
        read_gold=read_questions,
        logs={format.name: format for format in LOG_FORMATS},
        version=4,
    ),
}
ENDINGS = tuple(dict.fromkeys(ending for reader in READERS.values() for ending in reader.endings))
SHARED_ENDINGS = frozenset(ending for reader in READERS.values() for ending in reader.shared_endings)
BUNDLE_ENDINGS = tuple(ending for reader in READERS.values() if reader.bundle for ending in reader.bundle.endings)
LOG_ENDINGS = tuple(
    ending for reader in READERS.values() for format in reader.logs.values() for ending in format.endings
)
COMPANIONS = tuple(dict.fromkeys(companion for reader in READERS.values() for companion in reader.companions))
GOLD_ENDINGS = tuple(ending for reader in READERS.values() for ending in reader.gold_endings)

__all__ = [
    "BUNDLE_ENDINGS",
    "COMPANIONS",
    "ENDINGS",
    "GOLD_ENDINGS",
    "LOG_ENDINGS",
    "READERS",
    "SHARED_ENDINGS",
    "Editions",
    "Reader",
]
