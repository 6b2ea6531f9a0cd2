"""The files of a site, in a folder that any web server or a browser alone can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.glossary import CHAPTERS
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.words import capital, file_stem
from nlpsig_core.data.task.files import PACK_ENDING
from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.output.film.script import CODE, STYLE, script
from nlpsig_core.output.report import binding
from nlpsig_core.output.report.about import Reading
from nlpsig_core.output.report.page import Page
from nlpsig_core.output.site.cards import Entry, card_of, grouped
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.studies.lessons.film import film

HERE = Path(__file__).parent
FOLDERS = (binding.HERE, HERE)
FRONT, FILM, GLOSSARY = "index.html", "film.html", "glossary.html"
# The names of all files of a site, by which its folder is known for one and the next site leaves nothing of it behind.
MANIFEST = f"{binding.SHARED}/files.txt"
# More tasks than this are easier to find by name.
MANY = 12


class Around(NamedTuple):
    """What is above a page of a site: the site's title, and where the page is, names with addresses."""

    title: str
    trail: Sequence[tuple[str, str]]


@dataclass(eq=False)
class Site:
    """A site in a ``folder`` that grows page by page; ``finish`` writes its front page, the film and the glossary.

    ``files`` are the sizes of its files in bytes, by path; ``failed`` names the tasks and test sets without a page.
    """

    folder: Path
    title: str
    entries: list[Entry] = field(default_factory=list)
    pages: int = 0
    files: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    stems: set[str] = field(default_factory=lambda: {"index", "film", "glossary", binding.SHARED})

    @property
    def size(self) -> int:
        """The size of all files in bytes."""
        return sum(self.files.values())

    def check(self) -> None:
        """Raise FileError if the folder holds anything but an earlier site."""
        if self.folder.exists() and not self.folder.is_dir():
            raise FileError(str(self.folder), None, "is a file; name a folder for the site")
        if self.folder.is_dir() and any(self.folder.iterdir()) and not (self.folder / MANIFEST).is_file():
            raise FileError(str(self.folder), None, "is not empty and holds no site; name another folder")

    def write(self, path: str, content: bytes) -> None:
        """Write a file of the site completely or not at all; FileError if it cannot be written."""
        target, self.files[path] = self.folder / path, len(content)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, content)
        except OSError as error:
            raise FileError(str(target), None, f"cannot be written: {error.strerror}") from None

    def stem(self, name: str) -> str:
        """Return a name for files that no other page has, whatever the case of letters."""
        wanted, number = file_stem(name), 1
        stem = wanted
        while stem.lower() in self.stems:
            number += 1
            stem = f"{wanted}-{number}"
        self.stems.add(stem.lower())
        return stem

    def add(self, name: str, about: str = "") -> Entry:
        """Begin a task: its pages follow; ``about`` is the campaign that it belongs to.

        Begins with the manifest, so that a site that is interrupted is known for one, and the next one clears it up.
        """
        self._list(self._earlier())
        if not self.entries:
            for file, text in shared().items():
                self.write(f"{binding.SHARED}/{file}", text.encode())
        self.entries.append(Entry(name=name, stem=self.stem(name), campaign=about))
        return self.entries[-1]

    def add_page(self, entry: Entry, results: Results, reading: Reading, part: str = "") -> None:
        """Write the page of a task, or of a ``part`` of it: one of its test sets."""
        stem = self.stem(f"{entry.stem}-{part}") if part else entry.stem
        trail = [(entry.name, f"{entry.stem}.html"), *([(part, f"{stem}.html")] if part else [])]
        page = Page(results, reading, Around(self.title, trail))
        self.pages += 1
        self.write(f"{stem}.html", page.html(binding.InFolder(stem, self.write)).encode())
        card = card_of(page, part or entry.name, f"{stem}.html")
        if part:
            entry.parts.append(card)
        else:
            entry.card = card

    def add_pack(self, entry: Entry, content: bytes) -> str:
        """Write the pack of a task; returns its address."""
        path = f"{entry.stem}/{entry.stem}{PACK_ENDING}"
        self.write(path, content)
        return path

    def finish(self) -> None:
        """Write the front page, the film and the glossary; TaskError without a task.

        Pages that an earlier site has and this one has not are removed, unless a task failed, and no other file.
        """
        self.entries = [entry for entry in self.entries if entry.card is not None]
        if not self.entries:
            raise TaskError("No page could be made, so there is no site; correct the tasks, or name others")
        self._page(FRONT, "", groups=grouped(self.entries), many=len(self.entries) > MANY)
        self._page(FILM, "The film", film=binding.json_in_script(script(Numbers(film=film()))))
        self._page(GLOSSARY, "Glossary", chapters=list(CHAPTERS.items()), capital=capital)
        if self.failed:
            self._list(self._earlier())
            return
        for left in self._left_behind():
            left.unlink()
            if not any(left.parent.iterdir()):
                left.parent.rmdir()
        self._list()

    def _list(self, earlier: Sequence[str] = ()) -> None:
        """Write the manifest: the files of this site, and those of an ``earlier`` one."""
        self.write(MANIFEST, "".join(f"{path}\n" for path in sorted({*self.files, *earlier, MANIFEST})).encode())

    def _earlier(self) -> list[str]:
        """Return the names in the folder's manifest; [] if there is none."""
        listed = self.folder / MANIFEST
        return listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []

    def _left_behind(self) -> list[Path]:
        """Return the files of the site that was in the folder before which this one has not, whatever their case."""
        written = {path.lower() for path in self.files}
        left = [self.folder / name for name in self._earlier() if name.lower() not in written]
        return [path for path in left if path.is_file() and path.resolve().is_relative_to(self.folder.resolve())]

    def _page(self, name: str, title: str, **content: Any) -> None:
        around = Around(self.title, [(title, name)] if title else [])
        content |= {"around": around, "title": title or self.title}
        self.pages += 1
        text = binding.render(f"{name}.jinja", content, binding.InFolder("", self.write), FOLDERS)
        self.write(name, text.encode())


def shared() -> dict[str, str]:
    """Return the scripts and style sheets of a site by file name."""
    own = {path.name: path.read_text(encoding="utf-8") for path in (HERE / "client").iterdir()}
    return {
        **{name: binding.asset(name) for name in (binding.DRAWING, binding.TASK, binding.STYLE)},
        "front.js": own["front.js"],
        "film.css": own["film_page.css"] + STYLE,
        "film.js": binding.one_script(CODE, own["film_page.js"]),
    }
