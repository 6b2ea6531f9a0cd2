// Every pair has an address, #pair=WINNER,OTHER; what is said of it is packed, a part of the pairs at a time.
const dialog = byId("pair");
function addressOf(pair) {
  return `#pair=${encodeURIComponent(names[data.a[pair]])},${encodeURIComponent(names[data.b[pair]])}`;
}

// A script element works where pages are opened as files, which scripts cannot fetch.
const packed = (number) => byId(`pairs-part-${number}`) ? Promise.resolve(read(`pairs-part-${number}`))
  : new Promise((resolve, reject) => {
    if (window.nlpsigPairs?.[number]) return void resolve(window.nlpsigPairs[number]);
    const script = document.createElement("script");
    script.src = `${data.folder}/pairs-${number}.js`;
    script.onload = () => resolve(window.nlpsigPairs[number]);
    script.onerror = () => reject(new Error(`${data.folder}/pairs-${number}.js is missing beside this page.`));
    document.head.append(script);
  });
const known = {};
async function unpacked(number) {
  const bytes = Uint8Array.from(atob(await packed(number)), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, attributes, text = "") {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

// The histogram of resampled gains with 0, the gain and twice the gain, each named in a row of its own.
const [HIGH, TOP, BOTTOM] = [240, 48, 4];
function histogram(gain, low, width, bars) {
  const WIDE = Math.min(byId("pair-body").clientWidth, 640) || 640;
  const ends = [low, low + width * bars.length, 0, 2 * gain];
  const [from, to] = [Math.min(...ends), Math.max(...ends)], room = (to - from || 1) * 0.03;
  const x = (value) => ((value - from + room) / (to - from + 2 * room || 1)) * WIDE;
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "histogram", "aria-hidden": "true" });
  const floor = HIGH - BOTTOM, most = Math.max(...bars, 1);
  bars.forEach((bar, at) => {
    const left = low + at * width, high = ((floor - TOP) * bar) / most;
    const kind = left + width / 2 < 0 || left + width / 2 > 2 * gain ? "bar beyond" : "bar";
    picture.append(svg("rect", { x: x(left), y: floor - high, width: Math.max(x(left + width) - x(left) - 0.6, 0.5), height: high, class: kind }));
  });
  picture.append(svg("path", { d: `M0 ${floor}H${WIDE}`, class: "floor" }));
  const marks = gain > 0 ? [[0, ""], [gain, `${data.gain} `], [2 * gain, `twice the ${data.gain} `]] : [[0, ""]];
  marks.forEach(([value, name], at) => {
    const anchor = x(value) < 80 ? "start" : x(value) > WIDE - 80 ? "end" : "middle";
    picture.append(svg("path", { d: `M${x(value)} ${TOP - 4}V${floor}`, class: "mark" }),
      svg("text", { x: x(value), y: 12 + 14 * at, "text-anchor": anchor }, name + value.toFixed(decimals)));
  });
  return picture;
}

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function pairContent(pair, of, at) {
  const answer = data.verdict[pair], gain = columns.gain[pair];
  const facts = element("dl", { class: "numbers" });
  data.numbers_of.forEach((name, place) => {
    const text = of.numbers[at][place];
    if (text) facts.append(element("div", {}, element("dt", {}, name), element("dd", {}, text)));
  });
  const [low, width, bars] = [of.low[at], of.width[at], of.bars[at]];
  const told = `Resampled ${data.gain}s from ${low.toFixed(decimals)} to ${(low + width * bars.length).toFixed(decimals)}; the observed ${data.gain} is ${gain.toFixed(decimals)}.`;
  return [
    element("p", { class: `verdict ${data.colours[answer]}` },
      element("strong", {}, `${data.symbols[answer]} ${of.word[at]}:`), ` ${of.reason[at]}`),
    element("div", { role: "img", "aria-label": told }, histogram(gain, low, width, bars)),
    element("p", { class: "note" }, `A histogram of the winner’s ${data.gain}s on resamples of the test set. The paper’s p is the share of resamples with more than twice the ${data.gain}; the two-sided p also counts those below 0, where the other system wins.`),
    facts,
    element("h3", {}, "For a paper"),
    element("pre", { tabindex: "0" }, of.sentence[at]),
  ];
}

async function openPair() {
  const asked = /^#pair=([^,]*),([^,]*)$/.exec(location.hash);
  if (!asked) return void (dialog.open && dialog.close());
  let pair = -1;
  try {
    const [a, b] = asked.slice(1).map((name) => names.indexOf(decodeURIComponent(name)));
    pair = everyPair.find((one) => (data.a[one] === a && data.b[one] === b) || (data.a[one] === b && data.b[one] === a)) ?? -1;
  } catch { /* no names */ }
  const body = byId("pair-body"), title = byId("pair-title");
  title.textContent = pair < 0 ? "No such pair" : `${names[data.a[pair]]} over ${names[data.b[pair]]}`;
  body.replaceChildren(element("p", {}, pair < 0 ? "The address names systems that are not on this page." : "Loading…"));
  if (!dialog.open) dialog.showModal();
  if (pair < 0) return;
  const number = Math.floor(pair / data.part);
  try {
    known[number] ??= await unpacked(number);
    body.replaceChildren(...pairContent(pair, known[number], pair % data.part));
  } catch (error) {
    body.replaceChildren(element("p", {}, error.message));
  }
  body.dataset.shown = location.hash;
}
dialog.addEventListener("close", () => {
  if (location.hash.startsWith("#pair=")) history.replaceState(null, "", location.pathname + location.search);
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
byId("pair-close").addEventListener("click", () => dialog.close());
window.addEventListener("hashchange", openPair);
openPair();
