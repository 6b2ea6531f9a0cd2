"""Clauses of the invented language, built from phrases in its word order."""

from nlpsig_core.laboratory.synthesis.language.lexicon import attach, finite
from nlpsig_core.laboratory.synthesis.language.phrases import (
    Node,
    Voice,
    adjective,
    adverb,
    bare_noun,
    function_word,
    noun_phrase,
    prepositional,
    pronoun,
    punctuation,
)

NOUNS = ("NOUN", "PROPN")


def tensed(voice: Voice, base: str, subject: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Form and features of a finite verb that agrees with the subject's features."""
    tense = "Past" if voice.chance("past") else voice.one_of("Pres", "Pres", "Fut")
    person, number = subject.get("Person", "3"), subject.get("Number", "Sing")
    features = {"Mood": "Ind", "Number": number, "Person": person, "Tense": tense, "VerbForm": "Fin"}
    return finite(voice.language, base, tense, person, number), features


def auxiliary(voice: Voice, gloss: str, relation: str, subject: dict[str, str]) -> Node:
    """A finite auxiliary or copula."""
    lemma = voice.closed(gloss)
    form, features = tensed(voice, lemma, subject)
    return Node(form=form, lemma=lemma, upos="AUX", relation=relation, features=features)


def verb(voice: Voice, relation: str, form: str) -> Node:
    """A verb that does not agree: Inf, Part or Imp."""
    endings, lemma = voice.language.flavour.endings, voice.stem("VERB")
    features = {"Mood": "Imp", "VerbForm": "Fin"} if form == "Imp" else {"VerbForm": form}
    return Node(
        form=attach(lemma, endings[form]),
        lemma=attach(lemma, endings["Inf"]),
        upos="VERB",
        relation=relation,
        features=features,
    )


def verb_group(voice: Voice, relation: str, subject: dict[str, str], passive: bool) -> tuple[Node, list[Node]]:
    """The main verb and its auxiliaries."""
    if passive:
        return verb(voice, relation, "Part"), [auxiliary(voice, "get", "aux:pass", subject)]
    if voice.chance("perfect"):
        return verb(voice, relation, "Part"), [auxiliary(voice, "have", "aux", subject)]
    if voice.chance("modal"):
        return verb(voice, relation, "Inf"), [auxiliary(voice, "will", "aux", subject)]
    lemma = voice.stem("VERB")
    form, features = tensed(voice, lemma, subject)
    return Node(
        form=form,
        lemma=attach(lemma, voice.language.flavour.endings["Inf"]),
        upos="VERB",
        relation=relation,
        features=features,
    ), []


def make_subject(voice: Voice, depth: int, passive: bool = False) -> Node:
    """A pronoun or a noun phrase in the nominative."""
    relation = "nsubj:pass" if passive else "nsubj"
    if voice.chance("pronoun"):
        return pronoun(voice, relation, "Nom")
    return noun_phrase(voice, relation, "Nom", depth)


def make_object(voice: Voice, depth: int) -> Node:
    """A pronoun or a noun phrase in the accusative."""
    if voice.chance("pronoun", 1):
        return pronoun(voice, "obj", "Acc")
    return noun_phrase(voice, "obj", "Acc", depth)


def adjuncts(voice: Voice, depth: int) -> list[Node]:
    """Prepositional phrases, bare nouns of time and adverbs, possibly none."""
    nodes: list[Node] = []
    while len(nodes) < 4 and voice.chance("oblique", depth + len(nodes)):
        nodes.append(prepositional(voice, "obl", depth))
    if voice.chance("adverb"):
        nodes.insert(0, adverb(voice))
    if voice.chance("time", depth):
        nodes.append(bare_noun(voice, "obl:tmod", "Dat"))
    return nodes


def relative_clause(voice: Voice, noun: Node, depth: int) -> Node:
    """A relative clause of the noun, with commas according to the habits of the domain."""
    role = voice.one_of("nsubj", "nsubj", "obj")
    relative = function_word(voice, "who", "PRON", role, PronType="Rel")
    if role == "nsubj":
        node = clause(voice, "acl:relcl", depth + 2, subject=relative, agree=noun.features)
    else:
        node = clause(voice, "acl:relcl", depth + 2, gap="obj")
        node.before.insert(0, relative)
    if voice.chance("relative_commas"):
        node.before.insert(0, punctuation(","))
    return node


def add_relatives(voice: Voice, nouns: list[Node], depth: int) -> list[Node]:
    """Add relative clauses to the nouns; returns those extraposed to the end of the clause."""
    extraposed = []
    for noun in nouns:
        if noun.upos not in NOUNS or not voice.chance("relative", depth):
            continue
        node = relative_clause(voice, noun, depth)
        if voice.chance("extraposed"):
            node.governor = noun
            extraposed.append(node)
        else:
            noun.after.append(node)
    return extraposed


def complements(voice: Voice, depth: int) -> tuple[list[Node], list[Node]]:
    """The complements of the verb: objects, and clauses, which come last in every word order."""
    if voice.chance("complement", depth):
        node = clause(voice, "ccomp", depth + 1)
        node.before.insert(0, function_word(voice, voice.one_of("that", "that", "whether"), "SCONJ", "mark"))
        return [], [node]
    if voice.chance("open", depth):
        return [], [infinitive(voice, depth + 1)]
    if voice.chance("object"):
        objects = [make_object(voice, depth)]
        if voice.chance("recipient"):
            objects.append(pronoun(voice, "iobj", "Dat"))
        return objects, []
    return [], []


def infinitive(voice: Voice, depth: int) -> Node:
    """An infinitive without a subject, with its object and adjuncts."""
    node = verb(voice, "xcomp", "Inf")
    objects = [make_object(voice, depth)] if voice.chance("object") else []
    if voice.language.flavour.order == "SOV":
        node.before += objects
    else:
        node.after += objects
    node.after += adjuncts(voice, depth + 1)
    return node


def arrange(
    voice: Voice, head: Node, subject: list[Node], objects: list[Node], rest: list[Node], verbs: list[Node]
) -> None:
    """Put the phrases around the predicate in the word order of the language.

    ``rest`` are adjuncts, ``verbs`` auxiliaries and the negation.
    """
    if voice.language.flavour.order == "SVO":
        head.before = subject + verbs + head.before
        head.after = head.after + objects + rest
    elif voice.language.flavour.order == "SOV":
        head.before = subject + rest + objects + head.before
        head.after = head.after + verbs
    else:
        head.before = verbs + head.before
        head.after = head.after + subject + objects + rest


def negation(voice: Voice) -> list[Node]:
    """The negative particle, or nothing."""
    return [function_word(voice, "not", "PART", "advmod", Polarity="Neg")] if voice.chance("negation") else []


def copular(voice: Voice, relation: str, depth: int, subject: Node, agree: dict[str, str]) -> Node:
    """A clause whose predicate is a noun or an adjective."""
    if voice.generator.random() < 0.5:
        head = noun_phrase(voice, relation, "Nom", depth + 1)
    else:
        head = adjective(voice, relation, agree.get("Number", "Sing"))
    copula = [*negation(voice), auxiliary(voice, "be", "cop", agree)]
    arrange(voice, head, [subject], [], adjuncts(voice, depth + 1), copula)
    return head


def clause(
    voice: Voice,
    relation: str = "root",
    depth: int = 0,
    *,
    subject: Node | None = None,
    agree: dict[str, str] | None = None,
    gap: str = "",
) -> Node:
    """A finite clause, as the node of its predicate.

    The verb agrees with the features ``agree`` of a given ``subject``; ``gap`` names a missing argument.
    """
    passive = subject is None and not gap and voice.chance("passive")
    subject = subject or make_subject(voice, depth, passive)
    agree = agree or subject.features
    if not gap and not passive and voice.chance("copula"):
        return copular(voice, relation, depth, subject, agree)
    head, verbs = verb_group(voice, relation, agree, passive)
    verbs = negation(voice) + verbs
    objects, heavy = ([], []) if gap or passive else complements(voice, depth)
    rest = adjuncts(voice, depth)
    extraposed = add_relatives(voice, [subject, *objects, *rest], depth)
    dropped = subject.upos == "PRON" and relation == "root" and voice.chance("drop")
    arrange(voice, head, [] if dropped else [subject], objects, rest, verbs)
    head.after += heavy
    topicalise(voice, head, heavy)
    head.after += extraposed
    return head


def topicalise(voice: Voice, head: Node, heavy: list[Node]) -> None:
    """Sometimes move the object of an infinitive to the front of the whole clause."""
    for node in heavy:
        objects = [child for child in [*node.before, *node.after] if child.relation == "obj"]
        if node.relation == "xcomp" and objects and voice.chance("topic"):
            place = node.before if objects[0] in node.before else node.after
            place.remove(objects[0])
            objects[0].governor = node
            head.before.insert(0, objects[0])


def adverbial(voice: Voice, depth: int) -> Node:
    """A subordinate clause with its conjunction."""
    node = clause(voice, "advcl", depth + 1)
    node.before.insert(0, function_word(voice, voice.one_of("if", "because", "when"), "SCONJ", "mark"))
    return node


def coordinate(voice: Voice) -> Node:
    """A second main clause with a conjunction, sometimes without a subject."""
    if voice.generator.random() < 0.3:
        silent = pronoun(voice, "nsubj", "Nom")
        node = clause(voice, "conj", 1, subject=silent)
        node.before = [child for child in node.before if child is not silent]
        node.after = [child for child in node.after if child is not silent]
    else:
        node = clause(voice, "conj", 1)
        node.before.insert(0, punctuation(","))
    place = 1 if node.before and node.before[0].form == "," else 0
    node.before.insert(place, function_word(voice, voice.one_of("and", "and", "but"), "CCONJ", "cc"))
    return node
