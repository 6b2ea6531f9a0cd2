"""Rewording: synonyms, wrong endings and other words."""

from typing import NamedTuple

from nlpsig_core.laboratory.synthesis.language.lexicon import INFLECTIONS, Language
from nlpsig_core.laboratory.synthesis.language.treebank import Word


class Wording(NamedTuple):
    """A word of an open class split into stem and ending, or any other word with an empty ending."""

    stem: str
    ending: str
    upos: str

    def __str__(self) -> str:
        """The word as it is written within a sentence."""
        return self.stem + self.ending


class Thesaurus:
    """The words of a language by class; stems mean the same in pairs, the first two, the next two and so on."""

    def __init__(self, language: Language) -> None:
        self.endings = language.flavour.endings
        self.stems = language.stems
        self.places = {upos: {stem: i for i, stem in enumerate(stems)} for upos, stems in self.stems.items()}
        self.closed = list(language.closed.values())

    def wording(self, word: Word, first: bool) -> Wording:
        """Split a word into stem and ending, without the capital of the ``first`` word of a sentence."""
        form = word.form if word.upos == "PROPN" or not first else word.form[:1].lower() + word.form[1:]
        stem = word.lemma.removesuffix(self.endings["Inf"]) if word.upos == "VERB" else word.lemma
        known = stem in self.places.get(word.upos, ()) and form.startswith(stem)
        return Wording(stem, form[len(stem) :], word.upos) if known else Wording(form, "", word.upos)

    def synonym(self, wording: Wording) -> Wording:
        """Return a synonym in the same form; names have none."""
        place = self.places.get(wording.upos, {}).get(wording.stem)
        if place is None or wording.upos == "PROPN":
            return wording
        return wording._replace(stem=self.stems[wording.upos][place ^ 1])

    def misinflected(self, wording: Wording, draw: float) -> Wording:
        """Return the word with the ending of another form."""
        options = [self.endings.get(name, "") for name in INFLECTIONS.get(wording.upos, ())]
        options = [ending for ending in options if ending != wording.ending]
        return wording._replace(ending=options[int(draw * len(options))]) if options else wording

    def replaced(self, wording: Wording, draw: float) -> Wording:
        """Return another word of the same class in the same form; for function words any function word."""
        stems = self.stems.get(wording.upos)
        if stems and wording.stem in self.places[wording.upos]:
            return wording._replace(stem=stems[int(draw * draw * len(stems))])
        return wording._replace(stem=self.closed[int(draw * len(self.closed))])
