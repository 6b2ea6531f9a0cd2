// The stage: scenes, guesses, keys, and what is kept between visits.

const FIGURES = {
  gain: testSet, draw: oneResample, fall: falling, slide: sliding, notion: tails, worlds, pairs, threshold,
};
const KEPT = "nlpsig-film";

// Guesses by scene, the scenes whose answer was shown, and the place: kept as long as the browser's tab.
function memory() {
  const empty = () => ({ guesses: {}, shown: [], at: 0 });
  let state = empty();
  try { state = { ...state, ...JSON.parse(sessionStorage.getItem(KEPT)) }; } catch { /* begin anew */ }
  const keep = () => sessionStorage.setItem(KEPT, JSON.stringify(state));
  return {
    get state() { return state; },
    keep,
    clear: () => { state = empty(); keep(); },
  };
}

// The question of a scene: a slider or a few options; guessed(value) is called with each guess.
function questionOf({ key, question }, guess, guessed) {
  if (question.options.length) {
    const options = question.options.map((option) => html("label", {}, html("input", {
      type: "radio", name: `guess-${key}`, value: option, checked: option === guess, onchange: () => guessed(option),
    }), option));
    return html("fieldset", { class: "options" }, html("legend", {}, "Your guess"), options);
  }
  const { low, high, step, unit } = question;
  const say = (value) => (value == null ? `? ${unit}` : `${value.toLocaleString("en-US")} ${unit}`);
  const hand = slider("Your guess", { min: low, max: high, step, value: low }, say, guessed);
  if (guess != null) hand.set(guess);
  return hand.node;
}

// One scene on the stage: its words, figure and controls.
function sceneOf(scene, data, kept, tell) {
  const { guesses, shown } = kept.state;
  const figure = FIGURES[scene.key](scene, data.figures, tell);
  const ask = html("p", { class: "ask" }, marked(scene.question.ask));
  const after = html("div", { class: "after", "aria-live": "polite" });
  const place = html("figure", { role: "img", "aria-label": scene.before }, figure.image.node);
  const controls = html("div", { class: "controls" });
  let playing = false;
  const isShown = () => shown.includes(scene.key);
  const answer = () => {
    playing = false;
    after.replaceChildren(ask, html("p", { class: "guess" },
      `Your guess: ${guessOf(scene.question, guesses[scene.key])}. Answer: `, html("b", {}, answerOf(scene.question)),
      "."), ...scene.after.map((text) => html("p", {}, marked(text))));
    words.scrollTop = after.offsetTop;
    place.setAttribute("aria-label", scene.alt);
    const focused = controls.contains(controls.getRootNode().activeElement);
    controls.replaceChildren(...figure.controls);
    if (focused) (controls.querySelector("input, button") ?? title).focus();
  };
  const skip = () => { figure.stop(); figure.reveal(true); };
  const reveal = async () => {
    shown.push(scene.key);
    kept.keep();
    playing = true;
    const passing = button("Skip", skip);
    controls.replaceChildren(passing);
    passing.focus();
    await figure.reveal(false);
    if (controls.isConnected) answer();
  };
  const show = button("Show the answer", reveal, { class: "primary" });
  controls.append(ask, questionOf(scene, guesses[scene.key], (guess) => {
    guesses[scene.key] = guess;
    kept.keep();
  }), show);
  const title = html("h2", { tabindex: "-1" }, scene.title);
  const words = html("section", { class: "words" }, title,
    scene.text.map((text) => html("p", {}, marked(text))), after);
  return {
    parts: [words, place, controls],
    enter: () => {
      figure.image.watch();
      if (!isShown()) return;
      figure.reveal(true);
      answer();
    },
    leave: () => { figure.stop(); figure.image.forget(); },
    // What Enter does here; whether there was anything to do.
    primary: () => {
      const open = playing || !isShown();
      if (playing) skip();
      else if (open) reveal();
      return open;
    },
  };
}

// The closing page on the stage.
function closingOf(data, kept, actions) {
  const paper = handout(data, kept.state.guesses);
  const head = html("div", { class: "head" }, html("h2", { tabindex: "-1" }, "What was learnt"), actions);
  return {
    parts: [head, closingPage(data, kept.state.guesses)],
    enter: () => document.body.append(paper),
    leave: () => paper.remove(),
    primary: () => false,
  };
}

function stage(data, openStep) {
  const kept = memory(), last = data.scenes.length;
  let current = null;
  const told = html("p", { class: "told", role: "status" });
  const tell = (text) => told.replaceChildren(...marked(text));
  const body = html("div", { class: "body" });
  const where = html("span", { class: "where" });
  const titles = [...data.scenes.map((scene) => scene.title), "Closing page"];
  const stops = titles.map((title, index) => button(String(index + 1), () => go(index), {
    "aria-label": `${index + 1} ${title}`, title }));
  const back = button("Back", () => go(kept.state.at - 1)), next = button("Next", () => go(kept.state.at + 1));
  const own = button("With your own systems", () => {
    dialog.close();
    openStep(data.scenes[kept.state.at]?.step ?? "1");
  });
  const dialog = html("dialog", { class: "stage", "aria-label": "The film" },
    html("header", {}, where, html("nav", { "aria-label": "Scenes" }, stops),
      button("Close", () => dialog.close(), { class: "close" })),
    body, html("footer", {}, own, html("span", { class: "room" }), back, next));

  function go(index) {
    current?.leave();
    kept.state.at = Math.min(Math.max(index, 0), last);
    kept.keep();
    const { at } = kept.state;
    tell("");
    current = at < last ? sceneOf(data.scenes[at], data, kept, tell) : closingOf(data, kept, [
      button("Print", () => window.print(), { class: "primary" }),
      button("Start again", () => { kept.clear(); go(0); }),
    ]);
    body.className = at < last ? "body scene" : "body";
    body.replaceChildren(...current.parts, ...(at < last ? [told] : []));
    where.textContent = `${at + 1} of ${last + 1}`;
    stops.forEach((one, place) => (place === at
      ? one.setAttribute("aria-current", "step") : one.removeAttribute("aria-current")));
    back.disabled = at === 0;
    next.disabled = at === last;
    current.enter();
    body.querySelector("h2").focus();
  }

  dialog.onclose = () => current?.leave();
  dialog.onkeydown = (event) => {
    const field = event.target.closest("input"), pressed = event.target.closest("button, summary");
    const turn = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (turn && !field) go(kept.state.at + turn);
    else if ((event.key === "Enter" && !pressed) || (event.key === " " && !pressed && !field)) {
      if (!current.primary()) go(kept.state.at + 1);
    } else return;
    event.preventDefault();
  };
  return { dialog, open: () => { dialog.showModal(); go(kept.state.at); }, at: () => kept.state.at, leave: () => current?.leave() };
}

function poster(data, film) {
  const start = button("", film.open, { class: "primary" });
  const name = () => {
    const at = film.at();
    start.textContent = at ? `Go on with scene ${at + 1}` : "Start the film";
  };
  name();
  film.dialog.addEventListener("close", () => { name(); start.focus(); });
  return html("div", { class: "poster" }, html("div", {},
    html("h2", {}, "Is the better system really better?"),
    html("p", {}, `The paired bootstrap in ${data.scenes.length} scenes on a small made-up test set. Each scene asks for a guess `
      + "before it shows the answer. It fills the window; arrow keys turn the scenes."),
    start), printedHistogram(data.figures));
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".film");
  const film = stage(data, (step) => setTriggerValue("step", step));
  root.replaceChildren(poster(data, film), film.dialog);
  return () => film.leave();
}
