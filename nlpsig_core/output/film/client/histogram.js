// Histograms of gains in whole steps: they fall into it, it is slid, and its tails are counted.

const MARGIN = { left: 12, right: 12, top: 40, bottom: 40 };
// About the width of a character of a name where nothing is drawn yet.
const CHARACTER = 8;

// The number of gains in each bar, by its middle; bars are ``wide`` steps wide.
function counted(gains, wide) {
  const counts = new Map();
  for (const gain of gains) {
    const middle = Math.round(gain / wide) * wide;
    counts.set(middle, (counts.get(middle) ?? 0) + 1);
  }
  return counts;
}

// The bars of gains after swaps. A swap moves twice a unit's gain: gains that come in steps are an even number of steps
// apart, and ``odd`` is the lowest of them from 0 on.
function afterSwaps({ lattice, bar }, gains) {
  return { wide: 2 * bar, odd: lattice && lattice * Math.abs(Math.round(gains[0] / lattice) % 2) };
}

// The horizontal scale of all histograms.
function scaleOf(figures, width) {
  const { low, high, bar } = figures;
  const step = (width - MARGIN.left - MARGIN.right) / (high - low + bar);
  return { low, high, step, x: (gain) => MARGIN.left + (gain - low + bar / 2) * step };
}

// A round distance of about so many marks on a range.
function roundStep(range, marks) {
  const power = 10 ** Math.floor(Math.log10(range / marks));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => range / one <= marks);
}

function baseline(node, figures, scale, width, height, title = [`${figures.gain_word} δ*`, "star"]) {
  const bottom = height - MARGIN.bottom;
  node.append(svg("line", { class: "axis", x1: MARGIN.left, x2: width - MARGIN.right, y1: bottom, y2: bottom }));
  const every = roundStep((scale.high - scale.low) * figures.point, width < 500 ? 5 : 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(every) + 1e-9));
  for (let number = Math.ceil((scale.low * figures.point) / every); ; number++) {
    const gain = (number * every) / figures.point;
    if (gain > scale.high) break;
    node.append(svg("text", { class: "tick", x: scale.x(gain), y: bottom + 16 }, fixed(number * every, decimals)));
  }
  const name = `${title[0]}${figures.points && ` in${figures.points}`}`;
  node.append(svg("text", { class: `title ${title[1]}`, x: width / 2, y: bottom + 33 }, name));
}

// Moves the outer ones of three names away from the middle one, where they would run into it.
function keepApart([first, middle, last]) {
  if (!last) return;
  const at = (name) => Number(name.getAttribute("x"));
  const room = (name) => (name.getComputedTextLength() || CHARACTER * name.textContent.length) / 2 + CHARACTER / 2;
  first.setAttribute("x", Math.min(at(first), at(middle) - room(middle) - room(first)));
  last.setAttribute("x", Math.max(at(last), at(middle) + room(middle) + room(last)));
}

// A line at a gain with its name above it; lines are [gain, name, class], from left to right.
function lines(node, scale, height, marks) {
  keepApart(marks.map(([gain, name, kind]) => {
    const x = scale.x(gain), text = svg("text", { class: `name ${kind}`, x, y: MARGIN.top - 18 }, name);
    node.append(
      svg("line", { class: `mark ${kind}`, x1: x, x2: x, y1: MARGIN.top - 10, y2: height - MARGIN.bottom }), text);
    return text;
  }));
}

// Bars of gains moved by ``slide`` to the left, and before them those of the gains that are hit(gain), of a class.
// The highest bar, or ``least`` where that is more, fills the height. Returns the height of a number of gains.
function bars(node, scale, height, gains, { wide, hit, kind = "", marked = "hit", slide = 0, least = 12 }) {
  const all = counted(gains, wide), room = height - MARGIN.top - MARGIN.bottom;
  const most = Math.max(least, ...all.values());
  const draw = (counts, of) => counts.forEach((number, middle) => node.append(svg("rect", {
    class: `bar ${of}`, x: scale.x(middle - slide) - scale.step * wide * 0.44, width: scale.step * wide * 0.88,
    y: height - MARGIN.bottom - (room * number) / most, height: (room * number) / most })));
  draw(all, kind);
  draw(counted(gains.filter(hit), wide), marked);
  return (gain) => (room * (all.get(Math.round(gain / wide) * wide) ?? 0)) / most;
}

function threeLines(figures) {
  const { gain } = figures;
  return [[0, "0", "zero"], [gain, `δ = ${inPoints(figures, gain)}`, "delta"], [2 * gain, "2δ", "delta"]];
}

// Lines of a slid histogram.
function slidLines(figures) {
  return [[-figures.gain, "−δ", "delta"], [0, "0", "zero"], [figures.gain, "δ", "delta"]];
}

// Resamples fall one by one, then by hundreds.
function falling(scene, figures, tell) {
  const { play, stop } = player();
  let shown = 0, batch = [], share = 0;
  const image = picture((node, width, height) => {
    const scale = scaleOf(figures, width), gains = figures.gains.slice(0, shown);
    baseline(node, figures, scale, width, height);
    const high = bars(node, scale, height, gains, { wide: figures.bar, hit: (gain) => gain < 0, marked: "lost" });
    lines(node, scale, height, threeLines(figures));
    const bottom = height - MARGIN.bottom, top = MARGIN.top;
    batch.slice(0, 40).forEach((gain, index) => {
      const fall = Math.min(1, Math.max(0, share * 1.5 - (index / 40) * 0.5)) ** 2;
      const end = bottom - high(gain);
      node.append(svg("circle", { class: "drop", cx: scale.x(gain), cy: top + (end - top) * fall, r: 4.5 }));
    });
  });
  const say = () => {
    const below = figures.gains.slice(0, shown).filter((gain) => gain < 0).length;
    const last = shown ? ` The last [δ*] is ${inPoints(figures, figures.gains[shown - 1])}.` : "";
    tell(`${whole(shown)} resamples; [B] wins ${whole(below)}.${last}`);
  };
  const settle = (number) => { shown = number; batch = []; image.repaint(); say(); };
  const drop = async (number, milliseconds) => {
    stop();
    batch = figures.gains.slice(shown, shown + number);
    const finished = await play(milliseconds, (now) => { share = now; image.repaint(); });
    if (finished) settle(Math.min(shown + number, figures.gains.length));
    return finished;
  };
  const reveal = async (resumed) => {
    if (resumed || still()) return settle(figures.first);
    settle(0);
    while (shown < figures.first) {
      const going = shown < 10 ? await drop(1, 450) : shown < 100 ? await drop(10, 450) : await drop(100, 450);
      if (!going) return;
      await null;
    }
  };
  const controls = [1, 10, 100, 1000].map((number) => button(`+${whole(number)}`, () => {
    stop();
    settle(shown);
    drop(number, 500);
  }, { "aria-label": `Add ${whole(number)} ${number === 1 ? "resample" : "resamples"}` }));
  controls.push(button("Empty", () => { stop(); settle(0); }));
  return { image, controls, reveal, stop };
}

// The histogram is slid by hand, by its slider or by dragging it.
function sliding(scene, figures, tell) {
  const { play, stop } = player(), { gain, gains } = figures;
  let slide = 0, scale = scaleOf(figures, 600), open = false;
  const above = (one) => one - slide > gain;
  const image = picture((node, width, height) => {
    scale = scaleOf(figures, width);
    baseline(node, figures, scale, width, height);
    bars(node, scale, height, gains, { wide: figures.bar, slide, hit: (one) => open && above(one) });
    lines(node, scale, height, threeLines(figures));
  });
  const say = (steps) => `${inPoints(figures, steps ?? 0)} of ${inPoints(figures, gain)}`;
  const set = (steps) => {
    slide = steps;
    hand.set(slide);
    image.repaint();
    const hits = gains.filter(above).length;
    tell(`Slid by ${say(slide)}: ${whole(hits)} of ${whole(gains.length)} ${figures.gain_word}s are above [δ], `
      + `${pText(hits, gains.length)}.`);
  };
  const hand = slider("Slide by", { min: 0, max: gain, step: 1, value: 0 }, say, (steps) => { stop(); set(steps); });
  const reveal = async (resumed) => {
    open = true;
    const glide = (share) => { slide = gain * eased(share); image.repaint(); };
    if (resumed || await play(2600, glide)) set(gain);
  };
  let from = null;
  image.node.onpointerdown = (event) => {
    if (!open) return;
    stop();
    from = { x: event.clientX, slide };
    image.node.setPointerCapture(event.pointerId);
  };
  image.node.onpointermove = (event) => {
    const pixels = (scale.step * image.node.clientWidth) / image.node.viewBox.baseVal.width;
    if (from) set(Math.round(Math.min(gain, Math.max(0, from.slide - (event.clientX - from.x) / pixels))));
  };
  image.node.onpointerup = image.node.onpointercancel = () => { from = null; };
  image.node.classList.add("slides");
  return { image, controls: [hand.node], reveal, stop };
}

// One or two tails against the level.
function tails(scene, figures, tell) {
  const { gain, gains } = figures;
  let sides = "one-sided", level = figures.alpha;
  const hit = (one) => one > 2 * gain || (sides === "two-sided" && one < 0);
  const image = picture((node, width, height) => {
    const scale = scaleOf(figures, width);
    baseline(node, figures, scale, width, height);
    bars(node, scale, height, gains, { wide: figures.bar, slide: gain, hit });
    lines(node, scale, height, slidLines(figures));
  });
  const update = () => {
    image.repaint();
    const hits = gains.filter(hit).length, p = hits / gains.length;
    const is = p < level ? "is below" : "is not below";
    tell(`The ${sides} [p] ${hits ? "= " : ""}${pText(hits, gains.length)} ${is} [α] = ${fixed(level)}: ${p < level ? "" : "not "}significant.`);
  };
  const pick = (chosen) => { sides = chosen; update(); };
  const choice = segments("Sides", ["one-sided", "two-sided"], "two-sided", pick);
  const hand = slider("Level [α]", { min: 0.01, max: 0.1, step: 0.01, value: level },
    (value) => fixed(value ?? level), (value) => { level = value; update(); });
  return { image, controls: [choice, hand.node], reveal: async () => pick("two-sided"), stop: () => {} };
}
