"""Files beside a gold of items, by what they hold."""

from __future__ import annotations

from nlpsig_core.data.readers.base import DOCUMENT, Companion

SPEAKER, RECORDING = "speaker", "recording"
# What the documents of a file are, by its name.
CLUSTERS = {
    **dict.fromkeys(("clusters", "documents"), DOCUMENT),
    **dict.fromkeys(("utt2spk", "speakers"), SPEAKER),
    **dict.fromkeys(("utt2reco", "recordings"), RECORDING),
}
TEXTS = Companion(role="input", names=("source", "src", "input", "texts"))
DOCUMENTS = Companion(role="documents", names=tuple(CLUSTERS))
LABEL_NAMES = Companion(role="label names", names=("label-names", "label_names"))
BESIDE_ITEMS = (TEXTS, DOCUMENTS, LABEL_NAMES)
