// Elements, symbols in their colours, numbers in words, motion, and pictures that fit their place.

const SVG = "http://www.w3.org/2000/svg";
// The colour of each symbol is a class of film.css.
const SYMBOLS = { A: "a", B: "b", "δ": "delta", "2δ": "delta", "δ*": "star", p: "p", "α": "alpha" };

// An element with attributes, handlers (functions) and children; false and null are left out.
function make(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node[name] = value;
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

function html(tag, attributes = {}, ...children) {
  return make(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return make(document.createElementNS(SVG, tag), attributes, children);
}

// A text with [symbols] as nodes.
function marked(text) {
  return text.split(/\[([^\]]+)\]/).map((part, index) =>
    index % 2 ? html("b", { class: `symbol ${SYMBOLS[part]}` }, part) : part);
}

// A text with [symbols] as plain text.
function unmarked(text) {
  return text.replace(/\[([^\]]+)\]/g, "$1");
}

function whole(number) {
  return number.toLocaleString("en-US");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A gain in steps as a score.
function inPoints(figures, steps) {
  return fixed(steps * figures.point + 0, figures.decimals);
}

function fixed(number, decimals = 2) {
  return number.toFixed(decimals).replace("-", "−");
}

// The share of hits as a p-value is printed.
function pText(hits, all) {
  return hits ? fixed(hits / all, 4) : `< ${fixed(1 / all, 4)}`;
}

// Whether the reader asked for no motion.
function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// One animation at a time: ``play`` calls draw(share), share from 0 to 1, and resolves to whether it came to its end.
function player() {
  let end = () => {};
  const stop = () => end(false);
  const play = (milliseconds, draw) => new Promise((resolve) => {
    stop();
    let frame = 0;
    end = (finished) => {
      cancelAnimationFrame(frame);
      end = () => {};
      if (finished) draw(1);
      resolve(finished);
    };
    if (still()) return end(true);
    const start = performance.now();
    const step = (now) => {
      const share = Math.max(0, (now - start) / milliseconds);
      if (share >= 1) return end(true);
      draw(share);
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  });
  return { play, stop };
}

function eased(share) {
  return share * share * (3 - 2 * share);
}

// The largest print, in pixels, for which pictures are laid out; for larger print the whole picture is enlarged.
const LARGEST = 18.75;

// An SVG of the size of its place, painted anew by paint(svg, width, height) whenever that changes, or on repaint().
function picture(paint) {
  const node = svg("svg", { class: "picture", "aria-hidden": "true" });
  const repaint = () => {
    const { clientWidth: width, clientHeight: height } = node.parentElement ?? {};
    if (!width || !height) return;
    const zoom = Math.max(1, parseFloat(getComputedStyle(node.parentElement).fontSize) / LARGEST);
    node.style.fontSize = zoom > 1 ? `${LARGEST}px` : "";
    node.setAttribute("viewBox", `0 0 ${width / zoom} ${height / zoom}`);
    node.replaceChildren();
    paint(node, width / zoom, height / zoom);
  };
  const observer = new ResizeObserver(repaint);
  const watch = () => observer.observe(node.parentElement);
  return { node, repaint, watch, forget: () => observer.disconnect() };
}

function button(label, onclick, attributes = {}) {
  return html("button", { type: "button", onclick, ...attributes }, label);
}

// One of a few options as buttons that are pressed or not.
function segments(label, options, chosen, choose) {
  const buttons = options.map((option) => button(option, () => {
    buttons.forEach((one) => one.setAttribute("aria-pressed", one.textContent === option));
    choose(option);
  }, { "aria-pressed": String(option === chosen) }));
  return html("div", { class: "segments", role: "group", "aria-label": label }, buttons);
}

// A slider with its value beside it; say(value) puts the value in words.
function slider(label, attributes, say, change) {
  const output = html("output", {}, say(null));
  const input = html("input", { type: "range", "aria-label": unmarked(label), "aria-valuetext": say(null),
    ...attributes });
  const set = (value) => {
    input.value = value;
    output.textContent = say(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.oninput = () => {
    set(input.value);
    change(Number(input.value));
  };
  return { node: html("label", { class: "slider" }, html("span", {}, marked(label)), input, output), set };
}
