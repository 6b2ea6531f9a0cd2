"""Several domains or test sets beside one another: pairs, agreement of the rankings, and one pair."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.comparison.notion import NONE, Notion
from nlpsig_core.metrics.base import Metric
from nlpsig_core.plots.pairs import MANY, draw_level, view_limit
from nlpsig_core.plots.theme import LABEL_SIZE, NEUTRAL, STYLES, finish, plain, short_name
from nlpsig_core.words import p_text

# A colour and a symbol for each series; all colours have a contrast of 3:1 on white and on dark.
SERIES = (
    ("#0072B2", "circle"), ("#D55E00", "diamond"), ("#009E73", "square"), ("#B65C92", "triangle-up"),
    ("#B07D12", "cross"), ("#7B61C9", "hexagon"), ("#C8392B", "triangle-down"), ("#14899B", "star"),
    ("#6B8E23", "x"), ("#9C5F4A", "pentagon"), ("#4F81E0", "bowtie"),
)  # fmt: skip
PANEL_COLUMNS, PANEL_HEIGHT = 3, 250
# From no agreement to full, and on the other side contradiction; opaque, so that the page's colour does not matter.
AGREEING = ("#F0EDE4", "#9ECAE1", "#4A98C9", "#0B4A8F")
CONTRADICTING = ("#8C1B2F", "#D6604D", "#F4A582")
# From here on cells are dark enough for light numbers.
DARK_CELL, ON_DARK, ON_LIGHT = 0.75, "#FFFFFF", "#1B2530"
# With more domains than these, numbers do not fit into the cells.
MOST_WITH_INTERVALS, MOST_WITH_NUMBERS = 8, 20
BLUE = STYLES["different groups"][0]


def series(place: int) -> tuple[str, str]:
    """Colour and symbol of a series by its place; beyond the last the colours come again with other symbols."""
    again, at = divmod(place, len(SERIES))
    return SERIES[at][0], SERIES[(at + again) % len(SERIES)][1]


def domains_figure(
    pairs: pd.DataFrame,
    *,
    metric: Metric,
    n_resamples: int,
    signature: str,
    decimals: int = 2,
    notion: Notion = Notion(),
    panels: bool = False,
) -> go.Figure:
    """Confidence (1 - p) against gain (``domains.pairs_by_domain``), a trace a domain; customdata is the pair's row.

    The paper's figure 11: the same systems on test sets of one size. ``panels`` draws each domain by itself
    on the same axes. Pairs beyond ``view_limit`` are not drawn. The line is where the notion is reached, unadjusted.
    """
    with_gain = pairs[pairs["gain"] > 0]
    limit = view_limit(with_gain)
    drawn = with_gain[with_gain["gain"] <= limit]
    names = list(dict.fromkeys(pairs["domain"]))
    columns = max(1, min(PANEL_COLUMNS, len(names))) if panels else 1
    rows = max(1, -(-len(names) // columns)) if panels else 1
    figure = _panels(names, rows, columns) if panels else go.Figure()
    cells = [{"row": i // columns + 1, "col": i % columns + 1} if panels else {} for i in range(len(names))]
    for place, (name, cell) in enumerate(zip(names, cells, strict=True)):
        trace = _dots(drawn[drawn["domain"] == name], place, metric, n_resamples, decimals, len(drawn) > MANY)
        trace.update(name=f"{plain(name)} ({(with_gain['domain'] == name).sum():,})", showlegend=not panels)
        figure.add_trace(trace, **cell)
    draw_level(figure, replace(notion, adjust=NONE), xref="x domain")
    lowest = min(0.5, 1 - float(drawn["p_value"].max())) - 0.015 if len(drawn) else 0.485
    finish(figure, signature, 110 + PANEL_HEIGHT * rows if panels else 620)
    figure.update_xaxes(range=[0, limit], zeroline=False)
    figure.update_yaxes(range=[lowest, 1.008], zeroline=False)
    figure.update_yaxes(title={"text": "confidence, 1 − p"}, **({"col": 1} if panels else {}))
    figure.update_xaxes(title={"text": metric.gain_axis}, **({"row": rows, "col": 1} if panels else {}))
    # Each column of panels ends where its last panel is.
    for cell in cells[-columns:]:
        figure.update_xaxes(showticklabels=True, **cell)
    return figure


def _panels(names: list[str], rows: int, columns: int) -> go.Figure:
    figure = make_subplots(
        rows=rows, cols=columns, shared_xaxes=True, shared_yaxes=True, subplot_titles=[plain(name) for name in names],
        horizontal_spacing=0.03, vertical_spacing=0.3 / rows / 2,
    )  # fmt: skip
    figure.update_annotations(font={"size": LABEL_SIZE + 2})
    return figure


def _dots(rows: pd.DataFrame, place: int, metric: Metric, n_resamples: int, decimals: int, many: bool):
    colour, symbol = series(place)
    columns = ["domain", "system_a", "system_b", "gain", "gain_low", "gain_high", "p_value", "p_two_sided"]
    hover = [
        f"{plain(domain)}: <b>{plain(a)}</b> over <b>{plain(b)}</b>"
        f"<br>{metric.gain} {gain:.{decimals}f}, 95 % interval {low:.{decimals}f} to {high:.{decimals}f}"
        f"<br>p {p_text(p, n_resamples)} one-sided, {p_text(p2, n_resamples)} two-sided"
        for domain, a, b, gain, low, high, p, p2 in rows[columns].itertuples(index=False)
    ]
    return (go.Scattergl if many else go.Scatter)(
        x=rows["gain"].to_numpy("float32"),
        y=(1 - rows["p_value"]).to_numpy("float32"),
        mode="markers",
        marker={"color": colour, "symbol": symbol, "size": 7, "opacity": 0.85},
        customdata=rows.index.to_numpy("int32"),
        text=hover,
        hovertemplate="%{text}<extra></extra>",
    )


def agreement_figure(agreement: pd.DataFrame, *, signature: str, decimals: int = 2) -> go.Figure:
    """Kendall's tau between the rankings of each two domains (``domains.agreement``), below the diagonal."""
    names = list(dict.fromkeys([*agreement["domain_a"], *agreement["domain_b"]]))
    tau = agreement.pivot(index="domain_b", columns="domain_a", values="tau").reindex(names[1:], columns=names[:-1])
    rows, places = agreement.set_index(["domain_b", "domain_a"]), list(range(len(names) - 1))
    labels, below_zero = [plain(short_name(name, 24)) for name in names], bool((agreement["tau"] < 0).any())
    cells = [[rows.loc[(b, a)] if (b, a) in rows.index else None for a in names[:-1]] for b in names[1:]]
    hovers = [
        [_cell_hover(a, b, cell, decimals) for a, cell in zip(names[:-1], of_row, strict=True)]
        for b, of_row in zip(names[1:], cells, strict=True)
    ]
    figure = go.Figure(
        go.Heatmap(
            z=tau.to_numpy(), x=places, y=places, zmin=-1 if below_zero else 0, zmax=1, xgap=2, ygap=2,
            colorscale=[*CONTRADICTING, *AGREEING] if below_zero else list(AGREEING),
            text=hovers, hovertemplate="%{text}<extra></extra>", hoverongaps=False,
            colorbar={"title": {"text": "tau"}, "thickness": 12, "len": 0.7},
        )
    )  # fmt: skip
    if len(names) <= MOST_WITH_NUMBERS:
        figure.add_trace(_numbers(cells, decimals, with_intervals=len(names) <= MOST_WITH_INTERVALS))
    axis = {"tickmode": "array", "showgrid": False, "zeroline": False, "automargin": True}
    return finish(
        figure,
        signature,
        max(300, 190 + (52 if len(names) <= MOST_WITH_INTERVALS else 30) * len(names)),
        xaxis=axis | {"tickvals": places, "ticktext": labels[:-1]},
        yaxis=axis | {"tickvals": places, "ticktext": labels[1:], "autorange": "reversed"},
    )


def _numbers(cells: list[list[pd.Series | None]], decimals: int, with_intervals: bool) -> go.Scatter:
    """What stands in the cells: tau, and below it its interval where there is room."""
    told = [(x, y, row) for y, of_row in enumerate(cells) for x, row in enumerate(of_row) if row is not None]
    told = [(x, y, row) for x, y, row in told if pd.notna(row["tau"])]
    texts = [
        f"{row['tau']:.{decimals}f}"
        + (f"<br><sub>{row['low']:.{decimals}f}–{row['high']:.{decimals}f}</sub>" if with_intervals else "")
        for _, _, row in told
    ]
    colours = [ON_DARK if abs(row["tau"]) >= DARK_CELL else ON_LIGHT for _, _, row in told]
    return go.Scatter(
        x=[x for x, _, _ in told], y=[y for _, y, _ in told], mode="text", text=texts, textfont={"color": colours},
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def _cell_hover(a: str, b: str, row: pd.Series | None, decimals: int) -> str:
    if row is None:
        return ""
    return (
        f"<b>{plain(a)}</b> and <b>{plain(b)}</b><br>Kendall's tau {row['tau']:.{decimals}f}, interval "
        f"{row['low']:.{decimals}f} to {row['high']:.{decimals}f}, {row['systems']} systems"
    )


def pair_by_domain_figure(
    table: pd.DataFrame,
    *,
    a: str,
    b: str,
    metric: Metric,
    n_resamples: int,
    signature: str,
    decimals: int = 2,
) -> go.Figure:
    """The gain of one system over another in each domain (``domains.pair_by_domain``), a dot with its interval.

    Full dots are significant. Domains without numbers have a row without a dot.
    """
    table = table.reset_index(drop=True)
    tested = table[table["gain"].notna()]
    clear = tested["significant"].astype(bool)
    figure = go.Figure(
        go.Scatter(
            x=tested["gain"],
            y=tested.index,
            error_x={
                "type": "data", "symmetric": False, "thickness": 2, "width": 0, "color": "rgba(90,155,205,0.8)",
                "array": tested["high"] - tested["gain"], "arrayminus": tested["gain"] - tested["low"],
            },
            mode="markers",
            marker={"size": 10, "color": BLUE, "symbol": clear.map({True: "circle", False: "circle-open"}),
                    "line": {"width": 2, "color": BLUE}},
            text=[_pair_hover(row, a, b, metric, n_resamples, decimals) for row in tested.itertuples()],
            hovertemplate="%{text}<extra></extra>",
            showlegend=False,
        )
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5})
    for row in table[table["gain"].isna()].itertuples():
        figure.add_annotation(
            x=0, y=row.Index, text=plain(row.reason), showarrow=False, xanchor="left", xshift=6,
            font={"size": LABEL_SIZE, "color": NEUTRAL},
        )  # fmt: skip
    names = [
        f"{plain(short_name(name))} ({units:,})" for name, units in zip(table["domain"], table["units"], strict=True)
    ]
    for x, text in ((0, f"← {plain(short_name(b, 18))} better"), (1, f"{plain(short_name(a, 18))} better →")):
        figure.add_annotation(
            x=x, xref="paper", y=1, yref="paper", text=text, showarrow=False, xanchor="right" if x else "left",
            yanchor="bottom", font={"size": LABEL_SIZE + 1},
        )  # fmt: skip
    return finish(
        figure,
        signature,
        170 + 34 * len(table),
        xaxis={"title": {"text": metric.gain_axis}, "zeroline": False},
        yaxis={
            "tickmode": "array", "tickvals": list(table.index), "ticktext": names, "range": [len(table) - 0.4, -0.6],
            "showgrid": False, "zeroline": False, "automargin": True,
        },
    )  # fmt: skip


def _pair_hover(row, a: str, b: str, metric: Metric, n_resamples: int, decimals: int) -> str:
    return (
        f"<b>{plain(row.domain)}</b><br>{plain(a)} {row.score_a:.{decimals}f}, {plain(b)} {row.score_b:.{decimals}f}"
        f"<br>{metric.gain} {row.gain:.{decimals}f}, 95 % interval {row.low:.{decimals}f} to {row.high:.{decimals}f}"
        f"<br>p {p_text(row.p_value, n_resamples)} one-sided, {p_text(row.p_two_sided, n_resamples)} two-sided"
    )
