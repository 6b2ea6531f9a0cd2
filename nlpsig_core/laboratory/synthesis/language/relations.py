"""The difficulty of each relation, and the relations that systems confuse it with."""

from typing import NamedTuple


class Relation(NamedTuple):
    """``difficulty`` on the latent scale; ``label_share``, the share of errors with the right head.

    ``confusions`` are other relations, the likeliest first.
    """

    difficulty: float
    label_share: float
    confusions: tuple[str, ...]


RELATIONS = {
    "acl": Relation(0.6, 0.15, ("advcl", "ccomp", "parataxis")),
    "advcl": Relation(0.7, 0.25, ("acl", "ccomp", "parataxis")),
    "advmod": Relation(0.25, 0.15, ("obl", "amod", "discourse")),
    "amod": Relation(-0.2, 0.35, ("nmod", "advmod", "det")),
    "appos": Relation(0.9, 0.4, ("nmod", "conj", "flat")),
    "aux": Relation(-0.7, 0.4, ("cop", "xcomp", "advcl")),
    "case": Relation(-0.7, 0.15, ("mark", "fixed", "advmod")),
    "cc": Relation(0.0, 0.05, ("advmod", "mark", "discourse")),
    "ccomp": Relation(0.6, 0.45, ("parataxis", "xcomp", "advcl")),
    "conj": Relation(0.6, 0.3, ("nmod", "parataxis", "appos")),
    "cop": Relation(-0.4, 0.35, ("aux", "xcomp", "advcl")),
    "det": Relation(-0.9, 0.2, ("nmod:poss", "amod", "advmod")),
    "discourse": Relation(0.2, 0.6, ("advmod", "vocative", "parataxis")),
    "fixed": Relation(0.3, 0.4, ("case", "advmod", "mark")),
    "flat": Relation(0.2, 0.5, ("nmod", "appos", "obj")),
    "iobj": Relation(0.5, 0.8, ("obj", "obl", "nsubj")),
    "mark": Relation(-0.3, 0.3, ("case", "advmod", "cc")),
    "nmod": Relation(0.35, 0.3, ("obl", "amod", "conj")),
    "nsubj": Relation(-0.05, 0.45, ("obj", "obl", "vocative")),
    "nummod": Relation(-0.1, 0.3, ("nmod", "amod", "obl")),
    "obj": Relation(0.0, 0.55, ("nsubj", "obl", "xcomp")),
    "obl": Relation(0.4, 0.3, ("nmod", "obj", "advmod")),
    "parataxis": Relation(0.9, 0.45, ("ccomp", "conj", "advcl")),
    "punct": Relation(0.1, 0.0, ("discourse",)),
    "root": Relation(-0.4, 0.0, ("parataxis", "conj", "ccomp")),
    "vocative": Relation(0.6, 0.6, ("nsubj", "obj", "appos")),
    "xcomp": Relation(0.3, 0.45, ("ccomp", "obj", "advcl")),
}
