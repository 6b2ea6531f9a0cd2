"""Short ways to write bundles of submissions, as platforms hand them out."""

from __future__ import annotations

from nlpsig_core.data.task.shared_task import Correction, SharedTask
from tests.builders import task, zipped

GOLD = "id\tlabel\n" + "".join(f"{n}\t{'yes' if n % 2 else 'no'}\n" for n in range(6))
LIST = "bulk/submissions.csv"


def answers(wrong: int) -> str:
    """Answers of which the first ones are wrong."""
    return "".join(f"{n}\t{'yes' if (n % 2 == 1) != (n < wrong) else 'no'}\n" for n in range(6))


def submitted(**wrong: int) -> dict[str, bytes]:
    """A zip with one file of answers for each name, with as many wrong ones."""
    return {f"{name}.zip": zipped({"answer.txt": answers(n)}) for name, n in wrong.items()}


def systems(found: SharedTask) -> list[tuple[str, str]]:
    return list(found.systems[["system", "group"]].itertuples(index=False, name=None))


def read(files: dict[str, str | bytes], choice: str = "", **roles: str) -> SharedTask:
    return task(files, Correction(submissions=choice, roles=roles))


# As Codabench's button "Download CSV" writes it; the scores are those of later versions.
CODABENCH = """Submission ID,File Name,Owner,Created When,Status,Phase,Score
85,run.zip,blue,2025-03-30T15:47:43.398404Z,Finished,Test Phase,0.5
84,run.zip,red,2025-03-30T14:00:00.000000Z,Finished,Test Phase,0.8
83,other.zip,blue,2025-03-29T14:37:52.352186Z,Finished,Test Phase,0.9
82,run.zip,red,2025-03-29T05:12:56.912404Z,Failed,Test Phase,
81,run.zip,red,2025-02-01T05:12:56.912404Z,Finished,Dev Phase,0.99
"""
BULK = submitted(ID_85_run=3, ID_84_run=1, ID_83_other=0, ID_82_run=6, ID_81_run=0)


def bulk(table: str = CODABENCH, gold: str = "gold.tsv") -> dict[str, str | bytes]:
    """An upload of the gold, and of the zip of all submissions with their list in it."""
    return {gold: GOLD, "bulk.zip": zipped(BULK | {"submissions.csv": table})}


def run(place: str, wrong: int, dataset: str = "", name: str = "run.tsv") -> dict[str, str]:
    """A run as TIRA keeps it."""
    about = {"run.prototext": f'softwareId: "s1"\ninputDataset: "{dataset}"\n', "stdout.txt": "", "file-list.txt": ""}
    return {f"{place}/{path}": text for path, text in {f"output/{name}": answers(wrong), **about}.items()}
