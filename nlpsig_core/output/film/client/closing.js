// The closing page, and the print-out: what was learnt, the guesses beside the answers, questions with answers.

const NOTICEABLE = "Significant is not noticeable";
const histogramOf = (figures) => `Histogram of resampled ${figures.gain_word}s`;

function answerOf(question) {
  const { answer, unit } = question;
  return question.options.length ? answer : `${whole(answer)} ${answer === 1 ? unit.slice(0, -1) : unit}`;
}

function guessOf(question, guess) {
  return guess == null ? "no guess" : question.options.length ? guess : whole(guess);
}

function heads(names) {
  return html("thead", {}, html("tr", {}, names.map((name) => html("th", { scope: "col" }, name))));
}

function guessTable(scenes, guesses) {
  const rows = scenes.map(({ key, question }) => html("tr", {},
    html("td", {}, marked(question.ask)), html("td", { class: "guess" }, guessOf(question, guesses[key])),
    html("td", { class: "answer" }, answerOf(question))));
  return html("table", {},
    heads(["Question", "Your guess", "Answer"]), html("tbody", {}, rows));
}

function closingPage(data, guesses) {
  const asked = data.questions.map(({ ask, answer }) =>
    html("details", {}, html("summary", {}, ask), html("p", {}, answer)));
  return html("div", { class: "closing", tabindex: "0", role: "group", "aria-label": "Closing page" },
    html("section", {}, html("h3", {}, "In short"), html("ul", {}, data.learnt.map((text) =>
      html("li", {}, marked(text)))),
    html("h3", {}, NOTICEABLE), html("ul", {}, data.noticeable.map((text) => html("li", {}, marked(text))))),
    html("section", {}, html("h3", {}, "Your guesses"), guessTable(data.scenes, guesses)),
    html("section", { class: "questions" }, html("h3", {}, "Questions"), asked));
}

// The print-out stands at the end of the page's body: on paper it is all that is shown, on screen it is hidden.
const PRINT = `
@media screen { .nlpsig-handout { display: none; } }
@media print {
  @page { size: A4; margin: 12mm; }
  html, body { height: auto !important; overflow: visible !important; background: #fff; }
  body > :not(.nlpsig-handout) { display: none !important; }
  .nlpsig-handout { color: #000; }
  .nlpsig-handout, .nlpsig-handout * { font-size: 8pt; line-height: 1.28; }
  .nlpsig-handout h1 { font-size: 14pt; margin: 0 0 1mm; }
  .nlpsig-handout h2 { font-size: 10pt; margin: 2.5mm 0 1mm; }
  .nlpsig-handout p, .nlpsig-handout ol, .nlpsig-handout ul { margin: 0 0 1mm; padding-left: 0; }
  .nlpsig-handout li { margin: 0 0 0 5mm; break-inside: avoid; }
  .nlpsig-handout .columns { columns: 2; column-gap: 7mm; }
  .nlpsig-handout table { border-collapse: collapse; width: 100%; }
  .nlpsig-handout td, .nlpsig-handout th { border-bottom: 0.3pt solid #999; padding: 0.5mm 1mm; text-align: left; }
  .nlpsig-handout svg { display: block; width: 100%; height: 32mm; }
  .nlpsig-handout .bar { fill: #b9c4cf; } .nlpsig-handout .hit { fill: #b3135f; }
  .nlpsig-handout .axis, .nlpsig-handout .mark { stroke: #333; }
  .nlpsig-handout text { font-size: 11px; text-anchor: middle; }
}`;

// All gains, with those of the two-sided p marked.
function drawHistogram(node, figures, width, height) {
  const { gain, gains } = figures, scale = scaleOf(figures, width);
  baseline(node, figures, scale, width, height);
  bars(node, scale, height, gains, { wide: figures.bar, hit: (one) => one > 2 * gain || one < 0 });
  lines(node, scale, height, threeLines(figures));
}

function printedHistogram(figures) {
  const node = svg("svg", { viewBox: "0 0 700 200", role: "img", "aria-label": histogramOf(figures) });
  drawHistogram(node, figures, 700, 200);
  return node;
}

function handout(data, guesses) {
  const guess = ({ key, question }) => (guesses[key] == null ? "" : guessOf(question, guesses[key]));
  const rows = data.scenes.map((scene, index) => html("tr", {},
    html("td", {}, `${index + 1} ${scene.title}`), html("td", {}, unmarked(scene.question.ask)),
    html("td", {}, guess(scene)), html("td", {}, scene.short)));
  return html("section", { class: "nlpsig-handout", "aria-hidden": "true" }, html("style", {}, PRINT),
    html("h1", {}, "Is the better system really better?"),
    html("p", {}, `The paired bootstrap in ${data.scenes.length} scenes, after Berg-Kirkpatrick, Burkett and Klein (2012), on `
      + `${whichPair(data)}.`),
    printedHistogram(data.figures),
    html("p", {}, `${whole(data.figures.gains.length)} resampled ${data.figures.gain_word}s; those below 0 and above 2δ are marked: the `
      + "two-sided p."),
    html("h2", {}, "Scenes"),
    html("table", {}, heads(["Scene", "Question", "Guess", "Answer"]), html("tbody", {}, rows)),
    html("h2", {}, "What was learnt"),
    html("ul", { class: "columns" }, data.learnt.map((text) => html("li", {}, unmarked(text)))),
    html("h2", {}, "Questions"),
    html("ol", { class: "columns" }, data.questions.map(({ ask, answer }) =>
      html("li", {}, html("b", {}, ask), ` ${answer}`))));
}
