"""A task in which every text that files can give tries to be something else: HTML, Markdown, TeX or a formula."""

from __future__ import annotations

import csv
import io
import re

from tests.builders import row

# What becomes of a text when it is not shown as it is: the flag is set, or one of the words stands alone.
RUN = "window.__hit=1"
WORDS = ["zzbold", "zzcode", "zzcolour", "zzlink", "zztag", "zztex", "zztemplate"]
MARKDOWN = " :red[zzcolour]"
NAMES = (
    f"<img src=x onerror={RUN}>{MARKDOWN}",
    f"[zzlink](javascript:{RUN}){MARKDOWN}",
    ":red[zzcolour] $zztex$ `zzcode` **zzbold**",
    f"=1+1{MARKDOWN}",
    f"@SUM(A1){MARKDOWN}",
    f"${{{RUN}}}%{{zztemplate}}<b>zztag{MARKDOWN}",
    f"\"'--><svg onload={RUN}>{MARKDOWN}",
    f"+1-1{MARKDOWN}",
    f'x;=1+1;"{MARKDOWN}',
    f"\uff1d1+1; @SUM(A1){MARKDOWN}",
)
TEXTS = (
    f"<script>{RUN}</script>",
    "![zzlink](http://evil.example/a.png)",
    '<a href="http://evil.example">zztag</a>',
    "[zzlink](http://evil.example)",
    f"</style></script><iframe src=javascript:parent.{RUN}>",
    "-2+3+cmd|' /C calc'!A0",
    *NAMES,
)
TEST_SETS = (f"<img src=x onerror={RUN}>", '$zztex$ :red[zzcolour],=HYPERLINK("http:evil.example"),x')
# What begins a formula, and what separates the cells of a CSV file in one spreadsheet or another.
SIGNS, SEPARATORS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r"), (",", ";", "\t")
SENTENCES, LENGTH = 40, 5
# Of all elements, those inside shadow roots as well: what was read as something else, and what leads elsewhere. An
# address in a description may be a link to itself, as Markdown makes it.
FOUND = """words => {
    const all = root => [...root.querySelectorAll('*')]
        .flatMap(one => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])])
    const elements = all(document)
    const alone = elements.filter(one => words.includes(one.textContent.trim()))
    const tex = elements.filter(one => one.matches('.katex') && one.textContent.includes('zztex'))
    const made = elements.filter(one => one.matches(
        '[onerror], [onload], img[src="x"], a[href^="javascript:"], [src*="evil.example"], '
        + '[href*="evil.example"]:not([href^="data:"])')
        && !(one.matches('a') && one.textContent.startsWith('http://')))
    const ran = window.__hit ? ['a script ran'] : []
    return [...ran, ...[...alone, ...tex, ...made].map(one => one.outerHTML.slice(0, 300))]
}"""


def files() -> dict[str, str]:
    """A task of several test sets, with groups, domains, documents and a description."""
    groups = [f"{name}\t{TEXTS[number % 5]}\tsystem" for number, name in enumerate(NAMES)]
    contents = {
        "groups.tsv": "\n".join(["system\tgroup\tkind", *groups, ""]),
        "description.txt": " ".join(TEXTS),
    }
    domains = []
    for shift, test_set in enumerate(TEST_SETS):
        contents[f"gold/{test_set}.conllu"] = _treebank(test_set, set())
        domains += [f"{test_set}\t{number + 1}\t{TEXTS[number % 3]}" for number in range(SENTENCES)]
        for place, name in enumerate(NAMES):
            wrong = {number for number in range(SENTENCES) if (7 * number + 3 * place + shift) % (place + 2) == 0}
            contents[f"systems/{name}/{test_set}.conllu"] = _treebank(test_set, wrong)
    contents["domains.tsv"] = "\n".join(["test_set\tunit\tdomain", *domains, ""])
    return contents


def _treebank(name: str, wrong: set[int]) -> str:
    """Every word hangs on the one before it; in sentences that are ``wrong``, the last one on the first."""
    lines = []
    for number in range(SENTENCES):
        lines += [f"# newdoc id = {TEXTS[number // 8]}"] * (number % 8 == 0)
        lines += [f"# sent_id = {name} {number}"]
        for word in range(LENGTH):
            text = TEXTS[(LENGTH * number + word) % len(TEXTS)].replace(" ", "_")
            astray = number in wrong and word == LENGTH - 1
            label = f"dep:{NAMES[word + astray]}" if word else "root"
            lines.append(row(word + 1, text, 1 if astray else word, label, lemma=text, upos=NAMES[word % 2 + astray]))
        lines.append("")
    return "\n".join([*lines, ""])


def formulas_in(name: str, content: bytes) -> list[str]:
    """The cells of a saved table that a spreadsheet, or TeX, would read as something else than text."""
    text = content.decode("utf-8")
    assert text.startswith("% " if name.endswith(".tex") else "# ")
    if name.endswith(".tex"):
        return re.findall(r"(?<!\\)\$zztex|(?<!\\)\{zztemplate", text.partition("\n")[2])
    read = [csv.reader(io.StringIO(text), delimiter=separator) for separator in SEPARATORS]
    cells = [cell for table in read for line in table for cell in line]
    return [cell for cell in cells if cell.strip(" ").startswith(SIGNS) and not _is_number(cell)]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
