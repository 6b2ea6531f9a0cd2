"""The answers of systems to items: a table of confusions, numbers against the gold, and what two systems solve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import capital, count, share
from nlpsig_core.output.plots.style.layout import add_dots, add_line, axis, finish, legend_above, rows_axis
from nlpsig_core.output.plots.style.texts import label, labels, lines, of_all, plain, sentence, template
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, DARK, NEUTRAL, PALE
from nlpsig_core.studies.pair.answers import OTHER, on_one_scale

# Pixels of a row of the table, and of its margins.
ROW, AROUND = 30, 150
# With more columns, cells have no room for shares below their counts, nor for names side by side.
WITH_SHARES = 6
# The length of the names of classes, for a phone.
NAME = 14
# Pixels of the table of what two systems solve, and the length of a system's name beside it.
SOLVED_HEIGHT, BESIDE = 250, 18
# How far dots are moved sideways, as a share of the distance between the two values of a gold.
ASIDE = 0.18
GOLDEN_RATIO = 0.618034


# The look of cells of shares with texts.
CELLS: dict[str, Any] = {
    "colorscale": list(PALE[1:]),
    "zmin": 0,
    "zmax": 1,
    "showscale": False,
    "xgap": 1,
    "ygap": 1,
    "texttemplate": "%{text}",
    "textfont": {"color": DARK},
    "hovertemplate": template("%{hovertext}"),
}


def confusion_figure(confusion: pd.DataFrame, *, system: str, unit: str, signature: str) -> go.Figure:
    """Draw how often each label of the gold (rows) got each answer (``answers.confusion``) of one system.

    Cells have the number of items, and are bluer for a larger share of the row; the right ones are framed. All systems
    have the same scale of colours.
    """
    table = confusion[confusion["system"] == system]
    items, shares = (table.pivot(index="gold", columns="answer", values=value) for value in ("items", "share"))
    gold, answers = (list(dict.fromkeys(table[column])) for column in ("gold", "answer"))
    items, shares = items.loc[gold, answers].to_numpy(), shares.loc[gold, answers].to_numpy()
    few = len(answers) <= WITH_SHARES
    texts = [
        [lines(f"{n:,}", share(part) if few else "") if n else "" for n, part in zip(*row, strict=True)]
        for row in zip(items.tolist(), shares.tolist(), strict=True)
    ]
    hover = [
        [_cell(row, answer, n, part, unit) for answer, n, part in zip(answers, *of_row, strict=True)]
        for row, *of_row in zip(gold, items.tolist(), shares.tolist(), strict=True)
    ]
    figure = go.Figure().add_heatmap(z=shares, text=texts, hovertext=hover, **CELLS)
    right = [(row, answers.index(name)) for row, name in enumerate(gold) if name != OTHER]
    for row, at in right:
        frame = {"x0": at - 0.5, "x1": at + 0.5, "y0": row - 0.5, "y1": row + 0.5}
        figure.add_shape(type="rect", line={"color": BLUE, "width": 2}, **frame)
    correct = of_all(sum(int(items[cell]) for cell in right), int(items.sum()), unit)
    shown = f"{correct} are right" + (" and have one of the labels shown" if OTHER in gold else "")
    alt = sentence(shown, about=f"Answers of {system} by label of the gold")
    ticks = {"tickvals": list(range(len(answers))), "ticktext": labels(answers, NAME), "tickangle": -90 * (not few)}
    across = axis(f"answer of {label(system)}", side="top", fixedrange=True, showgrid=False, automargin=True, **ticks)
    sizes = [f"{name} ({n:,})" for name, n in zip(labels(gold, NAME), items.sum(axis=1).tolist(), strict=True)]
    rows = rows_axis(sizes, title={"text": f"label of the gold ({unit}s)"}, fixedrange=True)
    finish(figure, AROUND + ROW * (1 + few) * len(gold), alt=alt, signature=signature, xaxis=across, yaxis=rows)
    return figure.update_layout(margin={"b": 20})


def _cell(gold: str, answer: str, items: int, part: float, unit: str) -> str:
    return lines(
        f"gold <b>{plain(gold)}</b>, answer <b>{plain(answer)}</b>", f"{count(items, unit)}, {share(part)} of the row"
    )


def numbers_figure(numbers: pd.DataFrame, *, system: str, ranked: bool, two_values: bool, signature: str) -> go.Figure:
    """Draw the numbers of one system (column ``predicted``) against the gold, with the items that matter most marked.

    ``numbers`` has also the columns gold, text, for the hover card, and marked. If they are
    ``ranked`` or on one scale, both are equal on a dashed line. Dots of a gold of ``two_values`` are spread sideways.
    """
    figure, x = go.Figure(), numbers["gold"].to_numpy(dtype=float)
    ends = np.array([x.min(), x.max()])
    if two_values:
        x = x + ASIDE * np.ptp(ends) * (np.arange(len(x)) * GOLDEN_RATIO % 1 - 0.5)
    elif ranked or on_one_scale(numbers["gold"], numbers["predicted"]):
        add_line(figure, ends, ends, {"color": NEUTRAL, "width": 1.5, "dash": "dash"}, name="equal")
    hover = [
        lines(f"<b>{plain(str(row.text))}</b>", f"gold {row.gold:.6g}, {plain(system)} {row.predicted:.6g}")
        for row in numbers.itertuples()
    ]
    for marked, name, look in (
        (False, "items", {"color": BLUE, "size": 6, "opacity": 0.55}),
        (True, "largest pull", {"color": ACCENT, "size": 10, "symbol": "diamond"}),
    ):
        of_kind = (numbers["marked"] == marked).to_numpy()
        texts = [text for text, shown in zip(hover, of_kind, strict=True) if shown]
        add_dots(figure, x[of_kind], numbers["predicted"][of_kind], look, texts, name=name)
    values, more = ("Ranks", " (rank)") if ranked else ("Numbers", "")
    alt = sentence(f"{values} of {system} against the gold, {count(len(numbers), 'item')}")
    across = axis(f"gold{more}", **({"tickvals": ends.tolist()} if two_values else {}))
    finish(figure, 400, alt=alt, signature=signature, xaxis=across, yaxis=axis(f"{label(system)}{more}"))
    return legend_above(figure)


def solved_figure(counts: pd.DataFrame, *, a: str, b: str, solved: str, unit: str, signature: str) -> go.Figure:
    """Draw how many units both systems, only one of them, and neither ``solved`` (``outcomes.counts``).

    Rows are those of a, columns those of b; the darker a cell, the more units. The gain is the difference between the
    two cells of one system alone.
    """
    names = [f"{a} and {b}", f"only {a}", f"only {b}", "neither"]
    texts = [lines(f"<b>{row.instances:,}</b>", share(row.share)) for row in counts.itertuples()]
    hover = [
        lines(f"<b>{plain(name)}</b>", f"{count(n, unit)} {solved}", f"{share(part)} of all")
        for name, n, part in zip(names, counts["instances"].tolist(), counts["share"], strict=True)
    ]
    z, text, hovertext = (np.reshape(values, (2, 2)) for values in (counts["share"], texts, hover))
    figure = go.Figure().add_heatmap(z=z, text=text.tolist(), hovertext=hovertext.tolist(), **CELLS)
    listed = ", ".join(f"{name} {n:,}" for name, n in zip(names, counts["instances"].tolist(), strict=True))
    ticks = {"tickvals": [0, 1], "ticktext": ["yes", "no"]}
    name_a, name_b = labels((a, b), BESIDE)
    across = axis(f"{solved} by {name_b}", side="top", fixedrange=True, showgrid=False, automargin=True, **ticks)
    rows = rows_axis(["yes", "no"], title={"text": f"{solved} by {name_a}"}, fixedrange=True)
    alt = sentence(listed, about=f"{capital(unit)}s {solved} by {a} and {b}")
    finish(figure, SOLVED_HEIGHT, alt=alt, signature=signature, xaxis=across, yaxis=rows)
    return figure.update_layout(margin={"b": 20})
