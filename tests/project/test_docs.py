"""The pages of docs/ build strictly, and their tables lack nothing; their commands run in ``test_shown_commands``."""

from __future__ import annotations

import html
import importlib.util
import os
import re
import subprocess
import sys

import pytest

from nlpsig_core.base.glossary import GLOSSARY
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.naming import ROLES
from nlpsig_core.data.task.samples import sample_names
from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.output.commands import COMMANDS, cli
from nlpsig_core.significance.paired_tests import TESTS
from tests.project.documents import DOCS, PAGES, ROOT, code_of, commands_of, rows_of, text_of
from tests.project.test_architecture import ORDER, WINGS
from ui.app.pages import PAGES as APP_PAGES

# Lines of the README.
LONGEST = 150
# What a browser would load from elsewhere.
LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=\"?(https?:[^\" >]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages as a website, built strictly: a warning, such as a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stderr
    return folder


def test_the_site_has_every_page(site):
    for name in PAGES:
        page = name.removesuffix("index.md").removesuffix(".md")
        assert (site / page / "index.html").is_file()


def test_the_site_needs_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not LOADED.findall(text), page


def test_the_command_line_shows_every_option(site):
    page = (site / "command-line" / "index.html").read_text(encoding="utf-8")
    hooks = _hooks()
    for command in COMMANDS:
        for option in hooks.options_of(command):
            assert f"<code>{option}" in page, f"{command} {option}"


def test_options_that_commands_share_are_in_one_table_and_those_without_meaning_are_named():
    """The app opens a task, but reads none; a pack is about all units, and is not resampled."""
    page = _hooks().on_page_markdown(PAGES["command-line.md"])
    assert page.count("| `--weights {") == page.count("| `--gold GOLD` |") == 1
    assert page.count("| `TASK` |") == 2
    sections = dict(section.split("\n", 1) for section in page.split("\n## ")[1:])
    assert "Without meaning here: `--weights`." in sections["sizes"]
    assert "| `--resamples B` | number of resamples (2000) |" in sections["confidence"]
    assert "| `--metric METRICS ...` |" in sections["gate"]
    assert "| `--format {tsv,json}` | ask, compare: format of the output (tsv) |" in sections["atlas"]
    assert "Without meaning here: `--weights`, `--resamples`, `--seed`." in sections["answers"]
    assert "SUPPRESS" not in page


def _hooks():
    spec = importlib.util.spec_from_file_location("docs_hooks", DOCS / "_hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_of_the_command_line_has_a_section_with_an_example():
    _, *sections = re.split(r"^## ", PAGES["command-line.md"], flags=re.MULTILINE)
    by_name = {section.partition("\n")[0]: section for section in sections}
    for command in COMMANDS:
        assert f"nlpsig {command}" in by_name[command]
        assert f"<!-- options: {command} -->" in by_name[command]


def test_every_column_of_pairs_is_explained(capsys):
    """With ``--within``, which adds the verdict."""
    assert cli.main(["pairs", "pelune-entities", "--within", "0.5", "--resamples", "1000"]) == 0
    printed = capsys.readouterr().out.partition("\n")[0].split("\t")
    rows = rows_of(PAGES["command-line.md"], "column")
    assert sorted(name for row in rows for name in re.findall("`([^`]+)`", row["column"])) == sorted(printed)


def test_the_experiment_in_a_population_has_the_share_that_its_command_prints(capsys):
    """The share of the last bin, p from 0.04 to 0.08, with one decimal."""
    text = PAGES["analyses.md"]
    (command,) = re.findall(r"^nlpsig (calibrate .* --population .*)$", text, re.M)
    assert cli.main(command.split()) == 0
    share = float(capsys.readouterr().out.splitlines()[-1].split("\t")[4])
    assert f"finds that {share:.1%} of the tests with p from 0.04 to 0.08" in " ".join(text.split())


def test_goals_stand_beside_the_seconds_on_screen_and_those_missed_are_named():
    page = PAGES["benchmarks.md"]
    rows = rows_of(_hooks().measured("screen.tsv"), "step")
    missed = [row["step"] for row in rows if float(row["seen"]) > float(row["goal"])]
    assert all(f"*{step}*" in page for step in missed)


def test_the_ranges_of_validation_are_those_of_its_rows(site):
    """Approximate randomization: the highest of its shares is 0.0519, and all 43 rows keep 5%."""
    assert "| false alarms | approximate randomization | 5% | 0.0% to 5.2% | 43 | 43 |" in _hooks().ranges()
    assert "<td>approximate randomization</td>" in (site / "validation" / "index.html").read_text(encoding="utf-8")
    assert (site / "validation.tsv").is_file()


def test_measured_rows_become_a_table(tmp_path, monkeypatch):
    """Columns of numbers are right-aligned; an empty cell may stand for an unknown number."""
    (tmp_path / "rows.tsv").write_text("what_is\tn\tnote\np\t10\t\np\t\tx\n", encoding="utf-8")
    hooks = _hooks()
    monkeypatch.setattr(hooks, "DOCS", tmp_path)
    assert hooks.on_page_markdown("a\n<!-- table: rows.tsv -->\nb") == (
        "a\n| what is | n | note |\n| --- | --: | --- |\n| p | 10 |  |\n| p |  | x |\nb"
    )


def test_every_metric_is_named_with_its_format_and_what_it_was_checked_against():
    rows = rows_of(PAGES["metrics.md"], "format")
    formats = {name: row["format"] for row in rows for name in row["metrics"].split(", ")}
    assert formats == {name: metric.family.reader for name, metric in METRICS.items()}
    assert all(row["checked against"] for row in rows)


def test_every_format_is_named_with_its_unit_and_endings():
    rows = {row["format"]: row for row in rows_of(PAGES["your-files.md"], "format")}
    assert set(rows) == set(READERS)
    for name, reader in READERS.items():
        assert rows[name]["unit"] == reader.unit
        assert not reader.endings or rows[name]["endings"] == ", ".join(f"`{ending}`" for ending in reader.endings)


def test_every_role_of_a_file_is_named():
    (row,) = [row for row in rows_of(PAGES["your-files.md"], "option") if "--role" in row["option"]]
    assert set(re.findall("`([^`]+)`", row["what it corrects"])) == set(ROLES)


def test_every_test_is_named_with_its_statistic_and_what_it_was_checked_against():
    rows = rows_of(PAGES["tests.md"], "test")
    assert {row["test"]: row["statistic"] for row in rows} == {test.label: test.statistic for test in TESTS.values()}
    assert all(row["p"] and row["checked against"] for row in rows)


def test_every_feature_class_is_in_the_table_of_the_site(site):
    page = (site / "reranking" / "index.html").read_text(encoding="utf-8")
    for feature in CLASSES.values():
        assert (f"<td>{feature.name}</td>\n<td>{feature.what}</td>" in page) == (feature.form == "constituency")


def test_every_sample_is_named():
    assert {row["sample"].strip("`") for row in rows_of(PAGES["getting-started.md"], "sample")} == set(sample_names())


def test_the_ways_in_link_to_every_page():
    """From the README and the menu of the site; the README names the pages of the API by their index."""
    pages = {name for name in PAGES if "/" not in name} - {"index.md", "changelog.md"}
    readme = text_of(ROOT / "README.md").replace("](CONTRIBUTING.md)", "](docs/contributing.md)")
    assert {name for name in pages if f"](docs/{name})" not in readme} == set()
    menu = text_of(ROOT / "mkdocs.yml").partition("\nnav:\n")[2]
    assert {name for name in PAGES if f": {name}\n" not in menu} == set()


def test_contributors_are_told_every_command_of_make():
    commands = re.findall(r"^# (make [a-z-]+) ", text_of(ROOT / "Makefile"), re.MULTILINE)
    listed = re.findall(r"^    (make [a-z-]+) ", text_of(ROOT / "CONTRIBUTING.md"), re.MULTILINE)
    assert set(commands) - {"make mutants"} < set(listed)


def test_the_readme_is_short_shows_both_ways_in_and_its_links_lead_somewhere():
    """Commands on one's own files, and code with its output; ``test_shown_commands`` runs them."""
    readme = text_of(ROOT / "README.md")
    assert len(readme.splitlines()) <= LONGEST
    assert commands_of(readme)
    assert all(block.output for block in code_of(readme))
    for target in re.findall(r"\]\(([^)]+)\)", readme):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_top_of_the_repository_is_not_crowded():
    """At most 27 entries are under version control at the top."""
    ignored = {".git", ".venv", *(line.strip("/") for line in text_of(ROOT / ".gitignore").splitlines())}
    shown = [entry for entry in ROOT.iterdir() if entry.name not in ignored and not entry.name.endswith(".egg-info")]
    assert len(shown) <= 27, sorted(entry.name for entry in shown)


def test_the_rooms_are_those_that_the_architecture_test_orders():
    rows = rows_of(PAGES["architecture.md"], "wing")
    listed = [f"{row['wing']}.{room}".replace("`", "") for row in rows for room in row["rooms"].split(", ")]
    assert listed == ORDER


def test_every_wing_has_a_page_of_the_api_with_all_its_rooms():
    for wing, rooms in WINGS.items():
        listed = re.findall(rf"^::: nlpsig_core\.{wing}\.(\w+)$", PAGES[f"api/{wing}.md"], re.MULTILINE)
        assert listed == list(rooms)


def test_every_page_of_the_app_is_in_the_list_of_pages():
    assert {row["page"] for row in rows_of(PAGES["getting-started.md"], "page")} == {page.title for page in APP_PAGES}


def test_pages_that_name_a_module_name_one_that_exists():
    """Decisions end with the modules that have the details, below a wing."""
    for modules in re.findall(r"\*\((`[^)]+`)\)\*", PAGES["decisions.md"]):
        for module in re.findall("`([^`]+)`", modules):
            inner = module.replace(".", "/")
            assert [*ROOT.glob(f"nlpsig_core/*/{inner}"), *ROOT.glob(f"nlpsig_core/*/{inner}.py")], module


def test_the_glossary_of_the_docs_has_every_term_under_its_anchor(site):
    page = (site / "glossary" / "index.html").read_text(encoding="utf-8")
    for term in GLOSSARY.values():
        assert f'<h3 id="{term.anchor}">' in page, term.name
        assert html.escape(term.source, quote=False) in page, term.source
