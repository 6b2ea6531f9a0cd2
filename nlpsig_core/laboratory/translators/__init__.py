"""Translators that learn from a bitext with links: ``train(kind, bitext, links)`` returns one.

Its ``translate(sentences)`` returns their translations. Each kind is an entry of ``TRANSLATORS``. The room imports only
``errors``, ``compiled``, ``kinds`` and the bitexts of ``aligners``, so that data made with it share no mistakes with
the code tested on them.
"""

from nlpsig_core.laboratory.translators.corpus import Links
from nlpsig_core.laboratory.translators.kinds import TRANSLATORS, train
from nlpsig_core.laboratory.translators.translator import Translator, text_of
from nlpsig_core.laboratory.translators.tuning import tune

__all__ = ["TRANSLATORS", "Links", "Translator", "text_of", "train", "tune"]
