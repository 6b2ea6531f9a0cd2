const byId = (id) => document.getElementById(id);
const read = (id) => JSON.parse(byId(id).textContent);
const plots = [...document.querySelectorAll(".plot")];

// On paper the style sheet sets the width of figures; they are drawn before the page is laid out for print.
const paper = matchMedia("print");
const PAPER_WIDTH = 670;

// Figures use the colours of the page, which depend on the reader's preference and differ in print.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dress = (layout) => {
  const [page, text, grid, line] = ["--page", "--text", "--grid", "--line"].map(colour);
  const axis = { gridcolor: grid, linecolor: line, tickcolor: line };
  const label = { bgcolor: page, bordercolor: line, font: { color: text } };
  return Object.assign(layout, {
    autosize: !paper.matches, width: paper.matches ? PAPER_WIDTH : undefined,
    paper_bgcolor: page, plot_bgcolor: page, font: { ...layout.font, color: text },
    xaxis: { ...layout.xaxis, ...axis }, yaxis: { ...layout.yaxis, ...axis },
    hoverlabel: { ...layout.hoverlabel, ...label },
  });
};
// A phone has no room for buttons above a figure. No button sends a figure to the makers of plotly.
const narrow = matchMedia("(max-width: 40rem)").matches;
const configOf = (id) => ({
  responsive: true, displaylogo: false, showSendToCloud: false, plotlyServerURL: "",
  displayModeBar: narrow ? false : "hover", modeBarButtonsToRemove: ["select2d", "lasso2d"],
  toImageButtonOptions: { format: "svg", filename: id },
});
const broken = (text) => text.replace("</b> over <b>", "</b><br>over <b>");
const redress = () => plots.forEach((plot) => {
  if (plot.data) Plotly.react(plot, plot.data, dress(plot.layout), configOf(plot.id));
});

// Figures are drawn when they come near the window, and all of them for print. What waits for one is in ``onceDrawn``.
const onceDrawn = {};
const ready = window.Plotly ? Promise.resolve()
  : new Promise((resolve) => byId("drawing").addEventListener("load", resolve));
function draw(plot) {
  if (plot.data) return;
  const figure = read(`${plot.id}-data`);
  if (narrow) for (const trace of figure.data) trace.text = trace.text?.map((t) => t.map?.(broken) ?? broken(t));
  Plotly.newPlot(plot, figure.data, dress(figure.layout), configOf(plot.id));
  onceDrawn[plot.id]?.();
}
const drawAll = () => { if (window.Plotly) plots.forEach(draw); };
const near = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
  if (!isIntersecting) return;
  near.unobserve(target);
  ready.then(() => draw(target));
}), { rootMargin: "600px" });
plots.forEach((plot) => near.observe(plot));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redress);
paper.addEventListener("change", () => { drawAll(); redress(); });
window.addEventListener("beforeprint", drawAll);
for (const button of document.querySelectorAll("[data-figure]")) {
  const plot = byId(button.dataset.figure);
  button.addEventListener("click", () => ready.then(() => {
    draw(plot);
    Plotly.downloadImage(plot, { format: "svg", filename: plot.id, width: 900, height: 600 });
  }));
}
