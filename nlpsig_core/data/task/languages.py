"""The language family of a test set, from a name as those of Universal Dependencies: "en_ewt" is Indo-European."""

from __future__ import annotations

# Codes of languages by family, as Universal Dependencies classifies its languages (codes_and_flags.yaml in
# UniversalDependencies/docs-automation on GitHub, of 2019; the part before the comma of each family there).
LANGUAGES = {
    "Indo-European": (
        "af be bg bho bn br ca ckb cs cu cy da de el en es fa fo fr fro ga gl got grc hi hr hsb hy it kmr la lt lv mr "
        "nl no orv pl pt rm ro ru sa sd sk sl sr sv uk ur"
    ),
    "Uralic": "et fi hu kpv krl myv olo sme",
    "Turkic": "kk ky tr ug",
    "Afro-Asiatic": "aii akk am ar cop he mt so",
    "Sino-Tibetan": "lzh yue zh",
    "Dravidian": "kn ta te",
    "Austronesian": "id tl",
    "Austro-Asiatic": "pbv vi",
    "Niger-Congo": "wo yo",
    "Mongolic": "bxr",
    "Kartvelian": "ka",
    "Nakho-Dagestanian": "dar",
    "Mande": "bm",
    "Panoan": "shp",
    "Pama-Nyungan": "wbp",
    "Tai-Kadai": "th",
    "Basque": "eu",
    "Japanese": "ja",
    "Korean": "ko",
    "Creole": "pcm",
    "Code switching": "qhe",
    "Sign Language": "swl",
}
FAMILIES = {code: family for family, codes in LANGUAGES.items() for code in codes.split()}


def language_family(test_set: str) -> str:
    """The family of the language whose code begins the name: "en_ewt", "zh"; "" if it is no such name."""
    return FAMILIES.get(test_set.partition("_")[0], "")
