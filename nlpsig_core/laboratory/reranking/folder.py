"""Where an experiment keeps its tables in the folder of its task."""

from pathlib import Path

# Hidden, so that no reader of the task takes them for outputs.
FOLDER, ABOUT = ".tables", "about.json"


def has_summary(folder: Path) -> bool:
    """Return whether a folder is that of a task with the tables of an experiment."""
    return (folder / FOLDER / ABOUT).is_file()
