"""Transcripts of speech in an invented language: speakers whom some groups understand better, files of four shapes."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import language_of, make_treebank
from nlpsig_core.laboratory.synthesis.language.lexicon import OPEN_CLASSES
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, lines, plain, stream
from nlpsig_core.laboratory.synthesis.language.wording import Thesaurus
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, side_files, table
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, RatedTreebank, all_decisions, rate

EASE = 0.15
SPEAKERS = 24
ACCENT = 0.3  # standard deviation of how well a group understands a speaker
# Upper limits of the first draw of a wrong word for each kind of error
FAULTS = {"ending": 0.35, "word": 0.75, "left out": 0.9, "split": 1.0}
LACKING = 3  # utterances that a system leaves out; it has no words for the next one

Utterances = Sequence[tuple[str, list[str]]]
Shape = Callable[[Utterances], tuple[str, str]]


def spoken(words: Sequence[str]) -> str:
    """Return words as one hears them: in lower case, without marks."""
    return " ".join(word.lower() for word in words if word[:1].isalnum())


def kaldi(utterances: Utterances) -> tuple[str, str]:
    """Return the ending and the content of a file with an id and words a line."""
    return "txt", lines(f"{name} {spoken(words)}".strip() for name, words in utterances)


def sclite(utterances: Utterances) -> tuple[str, str]:
    """Return a file with words and an id in brackets a line."""
    return "trn", lines(f"{spoken(words)} ({name})".strip() for name, words in utterances)


def manifest(utterances: Utterances) -> tuple[str, str]:
    """Return a JSON object for each recording, with capitals and marks."""
    rows = ({"audio_filepath": f"audio/{name}.wav", "pred_text": plain(words)} for name, words in utterances)
    return "jsonl", lines(json.dumps(row, ensure_ascii=False) for row in rows)


def tabbed(utterances: Utterances) -> tuple[str, str]:
    """Return a table with names of columns, with capitals and marks."""
    return "tsv", table(["utterance", "transcript"], [(name, plain(words)) for name, words in utterances])


SHAPES: tuple[Shape, ...] = (kaldi, sclite, manifest, tabbed)


def make_transcripts(order: Order) -> Files:
    """Make the files of a task with one utterance per sentence; several documents have the same speaker.

    The second system leaves some utterances out.
    """
    bank = rate(make_treebank(order.seed, 0, order.units), order.seed, ease=EASE)
    thesaurus, groups = Thesaurus(language_of(order.seed, 0)), order.entrants.groups
    names = list(ids(bank.sentences))
    said = [[word.form for word in sentence.words] for sentence in bank.sentences]
    made = [accented(decisions, bank, groups, order) for decisions in all_decisions(bank, order.entrants, order.seed)]
    files = {
        "gold.txt": kaldi(list(zip(names, said, strict=True)))[1],
        "domains.tsv": table(["utterance", "domain"], [[str(i), s.domain] for i, s in enumerate(bank.sentences, 1)]),
    }
    lacking = made[1].name
    for decisions, single in zip(made, order.entrants.singles, strict=True):
        utterances = list(zip(names, heard(thesaurus, bank, decisions), strict=True))
        if single.name == lacking:
            utterances = [(utterances[0][0], []), *utterances[LACKING + 1 :]]
        ending, content = SHAPES[groups.index(single.group) % len(SHAPES)](utterances)
        files[f"systems/{single.name}.{ending}"] = content
    notes = {lacking: f"{LACKING} utterances missing, one empty"}
    return files | side_files(order, "Transcripts of speech", "utterance", made, notes=notes)


def speaker(sentence: Sentence) -> int:
    """Return the number of the speaker of a sentence, the same for its document."""
    return sentence.document % SPEAKERS


def ids(sentences: Sequence[Sentence]) -> Iterator[str]:
    """Yield the id of each utterance: speaker, document, number."""
    for number, sentence in enumerate(sentences, 1):
        yield f"{100 + 7 * speaker(sentence)}-{sentence.document:03d}-{number:04d}"


def accented(decisions: Decisions, bank: RatedTreebank, groups: Sequence[str], order: Order) -> Decisions:
    """Return decisions as changed by how well the group of the system understands each speaker."""
    single = next(single for single in order.entrants.singles if single.name == decisions.name)
    ease = ACCENT * stream(order.seed, 60, groups.index(single.group)).standard_normal(SPEAKERS)
    speakers = np.array([speaker(sentence) for sentence in bank.sentences])
    return decisions._replace(margin=decisions.margin + ease[speakers][bank.sentence_of])


def heard(thesaurus: Thesaurus, bank: RatedTreebank, decisions: Decisions) -> Iterator[list[str]]:
    """Yield the words that a system hears in each utterance."""
    for sentence, faults in zip(bank.sentences, decisions.faults(bank), strict=True):
        yield list(misheard(thesaurus, sentence, faults))


def misheard(thesaurus: Thesaurus, sentence: Sentence, faults: Mapping[int, Sequence[float]]) -> Iterator[str]:
    """Yield the words of a sentence, with the faults of some of them, by their draws."""
    for place, word in enumerate(sentence.words):
        wording = thesaurus.wording(word, first=place == 0)
        if place not in faults or word.upos == "PUNCT":
            yield str(wording)
            continue
        first, draw, _ = faults[place]
        fault = next(name for name, limit in FAULTS.items() if first < limit)
        if fault == "ending" and word.upos in OPEN_CLASSES:
            yield str(thesaurus.misinflected(wording, draw))
        elif fault == "split":
            yield from (str(wording), str(thesaurus.replaced(wording._replace(stem=""), draw)))
        elif fault != "left out":
            yield str(thesaurus.replaced(wording, draw))
