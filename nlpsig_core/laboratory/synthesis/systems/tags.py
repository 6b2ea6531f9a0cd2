"""Tags, features and lemmas with errors in given layers."""

from typing import NamedTuple

from nlpsig_core.laboratory.synthesis.language.treebank import Word

CONFUSED_TAGS = {
    "ADJ": "NOUN", "ADP": "ADV", "ADV": "ADJ", "AUX": "VERB", "CCONJ": "ADV", "DET": "PRON", "INTJ": "ADV",
    "NOUN": "ADJ", "NUM": "NOUN", "PART": "ADV", "PRON": "DET", "PROPN": "NOUN", "PUNCT": "PUNCT",
    "SCONJ": "ADP", "VERB": "NOUN",
}  # fmt: skip

CONFUSED_VALUES = {
    "Case=Nom": "Case=Acc", "Case=Acc": "Case=Nom", "Case=Gen": "Case=Dat", "Case=Dat": "Case=Gen",
    "Number=Sing": "Number=Plur", "Number=Plur": "Number=Sing", "Tense=Pres": "Tense=Fut",
    "Tense=Fut": "Tense=Pres", "Tense=Past": "Tense=Pres", "VerbForm=Inf": "VerbForm=Part",
    "VerbForm=Part": "VerbForm=Inf", "PronType=Art": "PronType=Dem", "PronType=Dem": "PronType=Art",
    "PronType=Rel": "PronType=Prs",
}  # fmt: skip


class Tags(NamedTuple):
    """Lemma, universal tag and features of a word."""

    lemma: str
    upos: str
    feats: str


def gold_tags(word: Word) -> Tags:
    """The gold tags."""
    return Tags(word.lemma, word.upos, word.feats)


def wrong_tags(word: Word, upos: bool, feats: bool, lemma: bool) -> Tags:
    """Tags with errors in the layers that are not right; features are right only with the right tag."""
    if word.upos == "PUNCT":
        return gold_tags(word)
    return Tags(
        word.lemma if lemma else wrong_lemma(word),
        word.upos if upos else CONFUSED_TAGS[word.upos],
        wrong_features(word.feats, upos) if not (upos and feats) else word.feats,
    )


def wrong_lemma(word: Word) -> str:
    """The form or, if that is the lemma, the form without its last letter."""
    form = word.form.lower()
    return form if form != word.lemma else form[:-1] or form + form


def wrong_features(feats: str, upos: bool) -> str:
    """Features with one wrong value, or no features for a wrong tag."""
    if not upos:
        return "_" if feats != "_" else "Number=Sing"
    pairs = feats.split("|")
    place = next((i for i, pair in enumerate(pairs) if pair in CONFUSED_VALUES), None)
    if place is None:
        return feats
    return "|".join([*pairs[:place], CONFUSED_VALUES[pairs[place]], *pairs[place + 1 :]])
