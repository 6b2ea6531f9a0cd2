"""Word aligners that learn from a bitext: ``train(kind, bitext)`` returns one, its ``align(bitext)`` links.

Each kind is an entry of ``ALIGNERS``. The room imports only ``errors``, ``compiled`` and ``kinds``, so that data made
with it share no mistakes with the code tested on them.
"""

from nlpsig_core.laboratory.aligners.aligner import Aligner, Posteriors
from nlpsig_core.laboratory.aligners.bitext import Bitext, HandLink, bitext_of, encode, read_bitext
from nlpsig_core.laboratory.aligners.kinds import ALIGNERS, SUPERVISED, VERSION, train
from nlpsig_core.laboratory.aligners.symmetrisation import SYMMETRISATIONS, links_text

__all__ = [
    "ALIGNERS",
    "SUPERVISED",
    "SYMMETRISATIONS",
    "VERSION",
    "Aligner",
    "Bitext",
    "HandLink",
    "Posteriors",
    "bitext_of",
    "encode",
    "links_text",
    "read_bitext",
    "train",
]
