// The stage: scenes, guesses, keys, and what is kept between visits.

const FIGURES = {
  gain: testSet, draw: oneResample, fall: falling, slide: sliding, notion: tails, worlds, swaps, rules, pairs, threshold,
  votes,
};
const KEPT = "nlpsig-film";

// Guesses and the scenes whose answer was shown, by the pair of the film, the place, and whether the film is on: kept as
// long as the browser's tab. Streamlit builds a component anew when the theme or the pair changes, and the film goes on.
function memory(pair) {
  const all = { at: 0, on: false, pairs: {} };
  try { Object.assign(all, JSON.parse(sessionStorage.getItem(KEPT))); } catch { /* begin anew */ }
  const state = { guesses: {}, shown: [], at: all.at, on: all.on, ...all.pairs[pair] };
  const put = (changes) => {
    const { at, on, ...own } = Object.assign(state, changes);
    sessionStorage.setItem(KEPT, JSON.stringify({ at, on, pairs: { ...all.pairs, [pair]: own } }));
  };
  return { state, put };
}

// The question of a scene: a slider or a few options; guessed(value) is called with each guess.
function questionOf({ key, question }, guess, guessed) {
  if (question.options.length) {
    const options = question.options.map((option) => html("label", {}, html("input", {
      type: "radio", name: `guess-${key}`, value: option, checked: option === guess, onchange: () => guessed(option),
    }), option));
    return html("fieldset", { class: "options" }, html("legend", {}, "Your guess"), options);
  }
  const { high, step, unit } = question;
  const say = (value) => (value == null ? `? ${unit}` : `${whole(value)} ${unit}`);
  const hand = slider("Your guess", { min: 0, max: high, step, value: 0 }, say, guessed);
  if (guess != null) hand.set(guess);
  return hand.node;
}

// One scene on the stage: its words, figure and controls. An answer follows its animation.
function sceneOf(scene, data, { state, put }, tell) {
  const figure = FIGURES[scene.key](scene, data.figures, tell);
  const title = html("h2", { tabindex: "-1" }, scene.title);
  const ask = html("p", { class: "ask" }, marked(scene.question.ask));
  const after = html("div", { class: "after", "aria-live": "polite" });
  const sentences = (texts) => texts.map((text) => html("p", {}, marked(text)));
  const words = html("section", { class: "words" }, title, sentences(scene.text), after);
  const place = html("figure", { role: "img", "aria-label": scene.before }, figure.image.node);
  const guess = questionOf(scene, state.guesses[scene.key], (value) =>
    put({ guesses: { ...state.guesses, [scene.key]: value } }));
  const controls = html("div", { class: "controls" }, ask, guess,
    button("Show the answer", () => reveal(), { class: "primary" }));
  const skip = button("Skip", () => { figure.stop(); figure.reveal(true); });
  const isShown = () => state.shown.includes(scene.key);

  function answer() {
    after.replaceChildren(ask, html("p", { class: "guess" },
      `Your guess: ${guessOf(scene.question, state.guesses[scene.key])}. Answer: `,
      html("b", {}, answerOf(scene.question)), "."), ...sentences(scene.after));
    place.setAttribute("aria-label", scene.alt);
    const focused = controls.contains(controls.getRootNode().activeElement);
    controls.replaceChildren(...figure.controls);
    if (focused) title.focus({ preventScroll: true });  // A field would keep the arrows that turn scenes.
    words.scrollTop = after.offsetTop;
  }

  async function reveal() {
    put({ shown: [...state.shown, scene.key] });
    controls.replaceChildren(skip);
    skip.focus();
    await figure.reveal(false);
    if (controls.isConnected) answer();
  }

  return {
    parts: [words, place, controls],
    title,
    enter: () => {
      figure.image.watch();
      if (!isShown()) return;
      figure.reveal(true);
      answer();
    },
    leave: () => { figure.stop(); figure.image.forget(); },
    // What Enter does; false if there is nothing more to show.
    advance: () => {
      const more = skip.isConnected || !isShown();
      if (skip.isConnected) skip.click();
      else if (more) reveal();
      return more;
    },
  };
}

// The closing page on the stage.
function closingOf(data, guesses, actions) {
  const paper = handout(data, guesses), title = html("h2", { tabindex: "-1" }, "What was learnt");
  return {
    parts: [html("div", { class: "head" }, title, actions), closingPage(data, guesses)],
    title,
    enter: () => document.body.append(paper),
    leave: () => paper.remove(),
    advance: () => false,
  };
}

function stage(data, showOwn) {
  const { state, put } = memory(data.names.join(" over ")), last = data.scenes.length;
  let current = null;
  const told = html("p", { class: "told", role: "status" });
  const body = html("div", {}), where = html("span", { class: "where" });
  const titles = [...data.scenes.map((scene) => scene.title), "Closing page"];
  const labels = titles.map((_, index) => (index < last ? String(index + 1) : "End"));
  const stops = titles.map((title, index) => button(labels[index], () => go(index), {
    "aria-label": `${labels[index]}: ${title}`, title }));
  const back = button("Back", () => go(state.at - 1)), next = button("Next", () => go(state.at + 1));
  const own = data.names.length ? html("span", { class: "pair" }, marked("[A]"), ` ${data.names[0]}, `, marked("[B]"),
    ` ${data.names[1]}`) : showOwn && button("With your own systems", showOwn);
  const print = button("Print", () => window.print(), { class: "primary" });
  const anew = button("Start again", () => { put({ guesses: {}, shown: [] }); go(0); });
  const dialog = html("dialog", { class: "stage", "aria-label": "The film" },
    html("header", {}, where, html("nav", { "aria-label": "Scenes" }, stops),
      button("Close", () => dialog.close(), { class: "close" })),
    body, html("footer", {}, own ?? "", html("span", { class: "room" }), back, next));

  function go(index) {
    const at = Math.min(Math.max(index, 0), last), isScene = at < last;
    put({ at });
    current?.leave();
    told.replaceChildren();
    current = isScene ? sceneOf(data.scenes[at], data, { state, put }, (text) => told.replaceChildren(...marked(text)))
      : closingOf(data, state.guesses, [print, anew]);
    body.className = isScene ? "scene" : "end";
    body.replaceChildren(...current.parts, ...(isScene ? [told] : []));
    where.textContent = isScene ? `${at + 1} of ${last}` : "";
    stops.forEach((one, place) => (place === at
      ? one.setAttribute("aria-current", "step") : one.removeAttribute("aria-current")));
    back.disabled = at === 0;
    next.disabled = !isScene;
    current.enter();
    current.title.focus();
  }

  // A presenter has the keys PageDown and PageUp alone. Arrows and Space belong to a field that has the focus.
  dialog.onkeydown = (event) => {
    const field = event.target.closest("input, select"), pressed = event.target.closest("button, summary");
    const forward = () => current.advance() || go(state.at + 1);
    const keys = {
      PageDown: forward, PageUp: () => go(state.at - 1),
      ...(!field && { ArrowRight: () => go(state.at + 1), ArrowLeft: () => go(state.at - 1) }),
      ...(!pressed && { Enter: forward }), ...(!pressed && !field && { " ": forward }),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  };
  const open = () => {
    put({ on: true });
    dialog.showModal();
    go(state.at);
  };
  const leave = () => current?.leave();
  dialog.onclose = () => { put({ on: false }); leave(); };
  return { dialog, open, leave, state };
}

function whichPair({ names }) {
  return names.length ? `${names[0]} (A) and ${names[1]} (B)` : "two made-up taggers A and B";
}

function poster(data, { dialog, open, state }) {
  const start = button("", open, { class: "primary" });
  const image = picture((node, width, height) => drawHistogram(node, data.figures, width, height));
  const figure = html("figure", { role: "img", "aria-label": histogramOf(data.figures) }, image.node);
  const place = () => (state.at < data.scenes.length ? `scene ${state.at + 1}` : "the closing page");
  const name = () => { start.textContent = state.at ? `Go on with ${place()}` : "Start the film"; };
  name();
  dialog.addEventListener("close", () => { name(); start.focus(); });
  image.watch();
  return html("div", { class: "poster" }, html("div", {},
    html("h2", {}, "Is the better system really better?"),
    html("p", {}, `The paired bootstrap in ${data.scenes.length} scenes, on ${whichPair(data)}. Each scene asks for a guess `
      + "before it shows the answer. The film fills the window; arrow keys turn the scenes."),
    start), figure);
}

// Shows the film in an element; without setTriggerValue there are no other systems to go on with.
function mount(component) {
  const { data, parentElement, setTriggerValue } = component;
  const film = stage(data, setTriggerValue && (() => setTriggerValue("own", true)));
  parentElement.querySelector(".film").replaceChildren(poster(data, film), film.dialog);
  if (film.state.on) film.open();
  return film.leave;
}
