// The mark: a ring around the dot, or a frame around the cell, of one row in a figure of the page.
//
// The figure is another element of the page, which Streamlit draws when it likes. It is marked here, not by its own
// data, since other data would be another figure to Streamlit: drawn anew at each step, and without the reader's zoom.

const RING = 20, EDGE = 4, GLOW = "rgb(255 176 0 / 0.5)";

// Where some rows are drawn: points, and whether they are cells. customdata of points are rows.
function pointsOf(graph, rows) {
  const points = [], add = (row, x, y, cell) => rows.has(row) && points.push({ x, y, cell });
  for (const { visible, customdata, type, x, y } of graph?._fullData ?? []) {
    if (visible !== true || !customdata) continue;
    if (type !== "heatmap") customdata.forEach((row, at) => add(row, x[at], y[at], false));
    else customdata.forEach((cells, i) => cells.forEach((row, j) => add(row, x[j], y[i], true)));
  }
  return points;
}

// The mark in the figure that the page draws under ``key``. picked(row) is called with the row of a point clicked on,
// drawn(whether) when it is known whether the figure has the marked row.
function markIn(key, picked, drawn) {
  const ring = document.createElement("div");
  ring.className = "mark";
  // A point with a shadow for each dot or cell that glows.
  const lights = document.createElement("div");
  lights.className = "lights";
  lights.style = "position: absolute; left: 0; top: 0; width: 2px; height: 2px; border-radius: 1px; pointer-events: none";
  let graph = null, row = null;

  function place() {
    const { xaxis, yaxis } = graph?._fullLayout ?? {}, frame = graph?.querySelector(".svg-container");
    if (!xaxis?.d2p || !frame) return;
    const [point] = pointsOf(graph, new Set([row]));
    drawn(point !== undefined);
    const x = point && xaxis.d2p(point.x), y = point && yaxis.d2p(point.y);
    const inside = point && x >= 0 && x <= xaxis._length && y >= 0 && y <= yaxis._length;
    ring.hidden = !inside;
    if (!inside) return;
    const width = point.cell ? Math.abs(xaxis.d2p(1) - xaxis.d2p(0)) + EDGE : RING;
    const height = point.cell ? Math.abs(yaxis.d2p(1) - yaxis.d2p(0)) + EDGE : RING;
    Object.assign(ring.style, {
      left: `${xaxis._offset + x - width / 2}px`, top: `${yaxis._offset + y - height / 2}px`,
      width: `${width}px`, height: `${height}px`, borderRadius: point.cell ? "2px" : "50%",
    });
    if (ring.parentElement !== frame) frame.append(ring);
  }

  // Let some rows glow, until other ones do.
  function glow(rows) {
    const { xaxis, yaxis } = graph?._fullLayout ?? {};
    const places = (xaxis?.d2p ? pointsOf(graph, new Set(rows)) : []).map(({ x, y }) => [xaxis.d2p(x), yaxis.d2p(y)]);
    const inside = places.filter(([x, y]) => x >= 0 && x <= xaxis._length && y >= 0 && y <= yaxis._length);
    lights.style.boxShadow = inside.map(([x, y]) =>
      `${xaxis._offset + x - 1}px ${yaxis._offset + y - 1}px 3px 6px ${GLOW}`).join(", ");
    if (inside.length) graph.querySelector(".svg-container").append(lights);
  }

  const clicked = ({ points }) => {
    if (points[0]?.customdata != null) picked(points[0].customdata);
  };
  const events = { plotly_click: clicked, plotly_afterplot: place, plotly_relayouting: place };

  function attach() {
    const found = document.querySelector(`.st-key-${key} .js-plotly-plot`);
    if (found === graph || (found && !found.on)) return;
    detach();
    graph = found;
    for (const [name, act] of Object.entries(events)) graph?.on(name, act);
    place();
  }

  function detach() {
    ring.remove();
    lights.remove();
    for (const [name, act] of Object.entries(events)) graph?.removeListener?.(name, act);
    graph = null;
  }

  const observer = new MutationObserver(attach);
  observer.observe(document.body, { childList: true, subtree: true });
  attach();
  return {
    key,
    glow,
    show: (wanted) => { row = wanted; place(); },
    // Seen on dots and cells of any colour: a line in the colour of text between two in that of the background.
    paint: (ink, paper) => Object.assign(ring.style, {
      position: "absolute", boxSizing: "border-box", pointerEvents: "none", border: `2.5px solid ${ink}`,
      boxShadow: `0 0 0 1.5px ${paper}, inset 0 0 0 1.5px ${paper}`,
    }),
    forget: () => { observer.disconnect(); detach(); },
  };
}
