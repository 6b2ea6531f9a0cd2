"""The atlas: pairs of many test sets, the threshold of each, thresholds by size, shares as predicted and as seen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, plural, share, two_digits
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import AXIS, view_limit
from nlpsig_core.output.plots.style.hover import lines, plain, template
from nlpsig_core.output.plots.style.layout import finish, legend_above, log_axis, note
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, GREEN, LIGHT, NEUTRAL
from nlpsig_core.output.plots.style.wording import ends, of_all, sentence
from nlpsig_core.studies.atlas.store import n_test_sets

# More dots than this say nothing more, and weigh on the browser.
MOST = 4_000
HEIGHT = 470
BAND = "rgba(0,114,178,0.14)"


def cloud_figure(
    rows: pd.DataFrame, *, n: int, unit: str, metric: Metric, threshold: float, gain: float | None,
    confidence: float, signature: str,
) -> go.Figure:  # fmt: skip
    """Confidence against gain for the pairs of all test sets (``views.nearby``), and the reader's gain among them.

    Gains of test sets of another size are drawn at what they would be, in standard errors, on ``n`` units. At most
    MOST pairs are drawn, those on about n units first. ``confidence`` is what the ``gain`` is likely to have.
    """
    drawn = _thinned(rows)
    figure = go.Figure()
    of_n = f"on about {n:,} {plural(n, unit)}"
    for name, about, colour in (("of other sizes, scaled", False, NEUTRAL), (of_n, True, BLUE)):
        part = drawn[drawn["about_n"] == about]
        where = zip(part["task"], part["test_set"], part["language"], part["n"], part["gain"], strict=True)
        hover = [
            lines(plain(f"{test_set} ({task})"), plain(str(language)), f"{size:,} units, gain {two_digits(own)}")
            for task, test_set, language, size, own in where
        ]
        figure.add_trace(
            go.Scatter(
                x=part["gain_at_n"].to_numpy("float32"), y=(1 - part["p_value"]).to_numpy("float32"), mode="markers",
                marker={"color": colour, "size": 4, "opacity": 0.75 if about else 0.35}, text=hover,
                hovertemplate=template(), name=f"{name} ({int((rows['about_n'] == about).sum()):,})",
            )
        )  # fmt: skip
    _vertical(figure, threshold, f"{two_digits(threshold)} usually significant", ACCENT)
    limit = view_limit(drawn.assign(gain=drawn["gain_at_n"]))
    if gain is not None:
        limit = max(limit, 1.3 * gain)
        marker = {"color": ACCENT, "size": 15, "symbol": "star", "line": {"color": LIGHT, "width": 1.5}}
        figure.add_trace(
            go.Scatter(
                x=[gain], y=[confidence], mode="markers", marker=marker, name=f"a gain of {gain:g}",
                hovertemplate=template(f"a gain of {gain:g}: {share(confidence)} to be expected"),
            )
        )  # fmt: skip
    figure.update_xaxes(title=f"{metric.gain_axis}, at {n:,} {plural(n, unit)}", range=[0, limit], zeroline=False)
    figure.update_yaxes(title=AXIS, range=[0.485, 1.012], zeroline=False)
    alt = cloud_alt(rows, n=n, unit=unit, metric=metric, threshold=threshold)
    return legend_above(finish(figure, HEIGHT, alt=alt, signature=signature), 1.08)


def cloud_alt(rows: pd.DataFrame, *, n: int, unit: str, metric: Metric, threshold: float) -> str:
    """How many of the pairs are significant, on about n units and on all sizes, and the threshold."""
    about = rows[rows["about_n"]]
    return sentence(
        f"{of_all(int(rows['significant'].sum()), len(rows), 'pair')} are significant",
        f"{of_all(int(about['significant'].sum()), len(about), 'pair')} on about {n:,} {plural(n, unit)}",
        f"above a gain of {two_digits(threshold)} pairs are usually significant",
        about=f"Pairs of {count(n_test_sets(rows), 'test set')} by {metric.label}",
    )


def _thinned(rows: pd.DataFrame) -> pd.DataFrame:
    """At most MOST rows: those about n first, the others evenly."""
    about, others = rows[rows["about_n"]], rows[~rows["about_n"]]
    return pd.concat([_evenly(about, MOST), _evenly(others, max(MOST - len(about), 0))])


def _evenly(rows: pd.DataFrame, most: int) -> pd.DataFrame:
    if len(rows) <= most:
        return rows
    return rows.iloc[np.linspace(0, len(rows) - 1, most).astype(int)] if most else rows.iloc[:0]


def _vertical(figure: go.Figure, x: float, text: str, colour: str) -> None:
    figure.add_vline(x=x, line={"color": colour, "dash": "dot", "width": 1.8})
    note(figure, text, x=x, y=1, xref="x", yref="y domain", yanchor="bottom", colour=colour)


def strip_figure(
    table: pd.DataFrame, *, n: int, unit: str, metric: Metric, interval: tuple[float, float, float],
    gain: float | None, signature: str,
) -> go.Figure:  # fmt: skip
    """The threshold of each test set at ``n`` units (``views.strip``), and the interval of a new one.

    ``interval`` is the low end, the centre and the high end; its ends are NaN where none is known. customdata is the
    row.
    """
    low, centre, high = interval
    figure = go.Figure()
    if np.isfinite([low, high]).all():
        figure.add_vrect(x0=low, x1=high, fillcolor=BAND, line_width=0, layer="below")
    where = zip(
        table["task"], table["test_set"], table["language"], table["year"], table["n"], table["threshold"], strict=True
    )
    hover = [
        lines(
            plain(f"{test_set} ({task})"), plain(" ".join(filter(None, (str(language), str(year))))),
            f"{two_digits(own)} on its {size:,} {plural(size, unit)}",
        )
        for task, test_set, language, year, size, own in where
    ]  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=table["at_n"], y=np.arange(len(table)), mode="markers", text=hover, customdata=table.index,
            marker={"color": BLUE, "size": 8, "line": {"color": LIGHT, "width": 0.5}},
            hovertemplate=template(), showlegend=False,
        )
    )  # fmt: skip
    _vertical(figure, centre, two_digits(centre), ACCENT)
    if gain is not None:
        figure.add_vline(x=gain, line={"color": GREEN, "width": 2})
        note(
            figure, f" gain {gain:g}", colour=GREEN, x=gain, xref="x", xanchor="left", y=0, yref="y domain",
            yanchor="bottom",
        )  # fmt: skip
    figure.update_xaxes(title=f"threshold of {metric.label} at {n:,} {plural(n, unit)}", rangemode="tozero")
    figure.update_yaxes(title="test sets, by threshold", showticklabels=False, showgrid=False, zeroline=False)
    alt = strip_alt(table, n=n, unit=unit, metric=metric, interval=interval)
    return finish(figure, HEIGHT, alt=alt, signature=signature)


def strip_alt(table: pd.DataFrame, *, n: int, unit: str, metric: Metric, interval: tuple[float, float, float]) -> str:
    """The lowest and highest threshold, and the interval for a new test set."""
    low, centre, high = interval
    return sentence(
        ends(table["at_n"], table["test_set"].astype(str), ".3g"),
        f"{two_digits(centre)}{_between(low, high)} on a new one",
        about=f"Thresholds of {metric.label} on {count(len(table), 'test set')} at {n:,} {plural(n, unit)}",
    )


def _between(low: float, high: float) -> str:
    """Return an interval in words; "" where none is known."""
    return "" if low != low else f" ({two_digits(low)} to {two_digits(high)})"


def threshold_by_size_figure(
    table: pd.DataFrame, *, n: int, unit: str, metric: Metric, gain: float | None, published: pd.DataFrame,
    signature: str,
) -> go.Figure:  # fmt: skip
    """The threshold of a new test set by its number of units (``views.curve``), with its interval and ``n`` marked.

    ``published`` are thresholds from elsewhere, with the columns n, threshold, data and comparison.
    """
    figure, known = go.Figure(), table.dropna()
    for column, fill in (("high", None), ("low", "tonexty")) if len(known) else ():
        figure.add_trace(
            go.Scatter(
                x=table["n"], y=table[column], mode="lines", line={"width": 0}, fill=fill, fillcolor=BAND,
                hoverinfo="skip", showlegend=column == "low", name="90% interval, new test set",
            )
        )  # fmt: skip
    text = f"%{{x:,}} {plural(2, unit)}: %{{two_digits(y)}}"
    figure.add_trace(
        go.Scatter(x=table["n"], y=table["threshold"], mode="lines", line={"color": BLUE, "width": 2.4},
                   name="usually significant above", hovertemplate=template(text))
    )  # fmt: skip
    if len(published):
        hover = [
            lines(plain(row.data), plain(row.comparison), f"{two_digits(row.threshold)} on {row.n:,}, one-sided p")
            for row in published.itertuples()
        ]
        figure.add_trace(
            go.Scatter(
                x=published["n"], y=published["threshold"], mode="markers", text=hover, hovertemplate=template(),
                marker={"color": ACCENT, "symbol": "diamond", "size": 9}, name="in the paper",
            )
        )  # fmt: skip
    figure.add_vline(x=n, line={"color": ACCENT, "dash": "dot", "width": 1.8})
    if gain is not None:
        figure.add_hline(y=gain, line={"color": GREEN, "width": 2})
        note(
            figure, f"gain {gain:g}", colour=GREEN, x=1, xref="x domain", xanchor="right", y=np.log10(gain),
            yanchor="bottom",
        )  # fmt: skip
    figure.update_layout(
        xaxis=log_axis(f"{plural(2, unit)} in the test set", [*table["n"], *published["n"]]),
        yaxis=log_axis(metric.gain_axis, [*known["low"], *table["threshold"], *known["high"], *published["threshold"]]),
    )
    alt = threshold_by_size_alt(table, unit=unit, metric=metric)
    return legend_above(finish(figure, HEIGHT, alt=alt, signature=signature))


def threshold_by_size_alt(table: pd.DataFrame, *, unit: str, metric: Metric) -> str:
    """The threshold at the smallest and largest size."""
    texts = [
        f"{two_digits(row.threshold)}{_between(row.low, row.high)} on {count(int(row.n), unit)}"
        for row in table.iloc[[0, -1]].itertuples()
    ]
    return sentence(*texts, about=f"The threshold of {metric.label} falls with the size of the test set")


def predicted_shares_figure(shares: pd.DataFrame, *, signature: str) -> go.Figure:
    """The share of significant pairs seen on test sets left out, in ten bins, against the share predicted."""
    figure = go.Figure()
    figure.add_shape(type="line", x0=0, y0=0, x1=1, y1=1, line={"color": NEUTRAL, "dash": "dash", "width": 1.2})
    hover = [
        f"predicted {share(row.predicted)}, seen {share(row.seen)}<br>{row.pairs:,} pairs"
        for row in shares.itertuples()
    ]
    figure.add_trace(
        go.Scatter(
            x=shares["predicted"], y=shares["seen"], mode="markers+lines", text=hover, hovertemplate=template(),
            marker={"color": BLUE, "size": 10}, line={"color": BLUE, "width": 1}, showlegend=False,
        )
    )  # fmt: skip
    axis = {"range": [-0.03, 1.03], "tickformat": ".0%", "zeroline": False}
    figure.update_xaxes(title="significant pairs predicted", **axis)
    figure.update_yaxes(title="significant pairs seen", **axis)
    return finish(figure, HEIGHT - 60, alt=predicted_shares_alt(shares), signature=signature)


def predicted_shares_alt(shares: pd.DataFrame) -> str:
    """The share seen where the smallest and the largest was predicted, and the largest difference of a bin."""
    texts = [f"{share(row.seen)} seen where {share(row.predicted)} was predicted" for row in shares.itertuples()]
    off = (shares["seen"] - shares["predicted"]).abs().max()
    return sentence(*texts[:1], *texts[-1:], f"the largest difference is {100 * off:.0f} points",
                    about="Significant pairs of test sets that were left out, in ten bins")  # fmt: skip
