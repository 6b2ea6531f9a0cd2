"""The habits of each domain: the probability of each construction of the grammar where it is possible."""

BASE = {
    "adjective": 0.24, "adverb": 0.18, "adverbial": 0.06, "apposition": 0.015, "complement": 0.08,
    "contract": 0.8, "coordinate": 0.1, "copula": 0.18, "degree": 0.1, "determiner": 0.45, "digits": 0.2,
    "discourse": 0.0, "drop": 0.12, "exclaim": 0.02, "extraposed": 0.25, "fragment": 0.03,
    "imperative": 0.0, "listing": 0.07, "modal": 0.08, "name": 0.1, "negation": 0.07, "nominal": 0.16,
    "number": 0.05, "object": 0.65, "oblique": 0.34, "open": 0.08, "parataxis": 0.04, "parentheses": 0.1,
    "passive": 0.06, "past": 0.4, "perfect": 0.12, "possessive": 0.12, "possessive_pronoun": 0.07,
    "pronoun": 0.32, "question": 0.03, "quote": 0.0, "recipient": 0.05, "relative": 0.11,
    "relative_commas": 0.4, "time": 0.05, "topic": 0.2, "vocative": 0.0,
}  # fmt: skip

DOMAINS = {
    "news": BASE | {
        "adjective": 0.28, "apposition": 0.06, "complement": 0.12, "digits": 0.5, "name": 0.25,
        "nominal": 0.28, "number": 0.1, "oblique": 0.46, "passive": 0.14, "past": 0.65, "possessive": 0.18,
        "pronoun": 0.15, "quote": 0.05, "relative": 0.15, "time": 0.12,
    },
    "speech": BASE | {
        "coordinate": 0.14, "discourse": 0.25, "drop": 0.3, "exclaim": 0.1, "fragment": 0.2,
        "imperative": 0.1, "oblique": 0.24, "parataxis": 0.1, "pronoun": 0.62, "question": 0.16,
        "relative": 0.06, "topic": 0.4, "vocative": 0.08,
    },
    "letters": BASE | {
        "adverb": 0.28, "adverbial": 0.12, "coordinate": 0.18, "exclaim": 0.06, "open": 0.14,
        "possessive_pronoun": 0.2, "pronoun": 0.5, "vocative": 0.1,
    },
    "law": BASE | {
        "adverbial": 0.16, "apposition": 0.05, "contract": 0.5, "digits": 0.7, "exclaim": 0.0,
        "listing": 0.2, "modal": 0.3, "name": 0.03, "nominal": 0.4, "number": 0.12, "oblique": 0.5,
        "parentheses": 0.6, "passive": 0.35, "past": 0.05, "possessive": 0.25, "pronoun": 0.05,
        "question": 0.0, "relative": 0.28, "relative_commas": 0.7,
    },
    "fables": BASE | {
        "adjective": 0.32, "adverbial": 0.1, "coordinate": 0.18, "determiner": 0.6, "extraposed": 0.4,
        "past": 0.85, "quote": 0.14,
    },
}  # fmt: skip

DOMAIN_SHARES = ("news", "news", "news", "speech", "speech", "letters", "letters", "law", "fables", "fables")


def domain_of(document: int) -> str:
    """The domain of a document by its number: every ten documents have the same mixture, in mixed order."""
    return DOMAIN_SHARES[3 * document % len(DOMAIN_SHARES)]
