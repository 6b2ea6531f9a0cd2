// Histograms of resampled gains in whole words: they fall into it, it is slid, and its tails are counted.

const MARGIN = { left: 12, right: 12, top: 40, bottom: 40 };

// The number of gains at each number of words.
function counted(gains) {
  const counts = new Map();
  gains.forEach((gain) => counts.set(gain, (counts.get(gain) ?? 0) + 1));
  return counts;
}

// The horizontal scale of all histograms: from the lowest slid gain to the highest gain.
function scaleOf(figures, width) {
  const low = figures.range[0] - figures.gain - 1, high = figures.range[1] + 1;
  const step = (width - MARGIN.left - MARGIN.right) / (high - low + 1);
  return { low, high, step, x: (words) => MARGIN.left + (words - low + 0.5) * step };
}

function baseline(node, figures, scale, width, height, title = ["gain δ* in points", "star"]) {
  const bottom = height - MARGIN.bottom;
  node.append(svg("line", { class: "axis", x1: MARGIN.left, x2: width - MARGIN.right, y1: bottom, y2: bottom }));
  const every = width < 500 ? 4 : 2;
  for (let points = -20; points <= 20; points += every) {
    const words = points / figures.point;
    if (words < scale.low || words > scale.high) continue;
    node.append(svg("text", { class: "tick", x: scale.x(words), y: bottom + 16 }, fixed(points, 0)));
  }
  node.append(svg("text", { class: `title ${title[1]}`, x: width / 2, y: bottom + 33 }, title[0]));
}

// A line at a number of words with its name above it; lines are [words, name, class].
function lines(node, scale, height, marks) {
  for (const [words, name, kind] of marks) {
    const x = scale.x(words);
    node.append(
      svg("line", { class: `mark ${kind}`, x1: x, x2: x, y1: MARGIN.top - 10, y2: height - MARGIN.bottom }),
      svg("text", { class: `name ${kind}`, x, y: MARGIN.top - 18 }, name));
  }
}

// Bars of counts by words, moved by ``slide`` words to the left, each of a kind: a class, or kind(words).
// The highest bar, or ``least`` where that is more, fills the height; ``wide`` is the words that a bar is wide.
function bars(node, scale, height, counts, { slide = 0, kind = "", least = 12, wide = 1 } = {}) {
  const most = Math.max(least, ...counts.values()), room = height - MARGIN.top - MARGIN.bottom;
  const high = (number) => (room * number) / most;
  for (const [words, number] of counts) {
    node.append(svg("rect", {
      class: `bar ${typeof kind === "string" ? kind : kind(words)}`,
      x: scale.x(words - slide) - scale.step * wide * 0.44, width: scale.step * wide * 0.88,
      y: height - MARGIN.bottom - high(number), height: high(number) }));
  }
  return high;
}

function threeLines(figures) {
  const { gain } = figures;
  return [[0, "0", "zero"], [gain, `δ = ${fixed(gain * figures.point)}`, "delta"], [2 * gain, "2δ", "delta"]];
}

// Scene 3: resamples fall one by one, then by hundreds.
function falling(scene, figures, tell) {
  const { play, stop } = player();
  let shown = 0, batch = [], share = 0;
  const image = picture((node, width, height) => {
    const scale = scaleOf(figures, width), counts = counted(figures.gains.slice(0, shown));
    baseline(node, figures, scale, width, height);
    const high = bars(node, scale, height, counts, { kind: (words) => (words < 0 ? "lost" : "") });
    lines(node, scale, height, threeLines(figures));
    const bottom = height - MARGIN.bottom, top = MARGIN.top;
    batch.slice(0, 40).forEach((words, index) => {
      const end = bottom - high(counts.get(words) ?? 0);
      const fall = Math.min(1, Math.max(0, share * 1.5 - (index / 40) * 0.5)) ** 2;
      node.append(svg("circle", { class: "drop", cx: scale.x(words), cy: top + (end - top) * fall, r: 4.5 }));
    });
  });
  const say = () => {
    const below = figures.gains.slice(0, shown).filter((gain) => gain < 0).length;
    const last = shown ? ` The last [δ*] is ${fixed(figures.gains[shown - 1] * figures.point)}.` : "";
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

// Scene 4: the histogram is slid by hand, by its slider or by dragging it.
function sliding(scene, figures, tell) {
  const { play, stop } = player();
  const { gain, point } = figures, all = counted(figures.gains);
  let slide = 0, scale = scaleOf(figures, 600), open = false;
  const above = (words) => words - slide > gain;
  const image = picture((node, width, height) => {
    scale = scaleOf(figures, width);
    baseline(node, figures, scale, width, height);
    bars(node, scale, height, all, { slide, kind: (words) => (open && above(words) ? "hit" : "") });
    lines(node, scale, height, threeLines(figures));
  });
  const say = (words) => `${fixed((words ?? 0) * point)} of ${fixed(gain * point)}`;
  const set = (words) => {
    slide = words;
    hand.set(slide);
    image.repaint();
    const hits = figures.gains.filter(above).length;
    tell(`Slid by ${say(slide)}: ${whole(hits)} of ${whole(figures.gains.length)} gains are above [δ], `
      + `${fixed(hits / figures.gains.length, 4)}.`);
  };
  const hand = slider("Slide by", { min: 0, max: gain, step: 1, value: 0 }, say, (words) => { stop(); set(words); });
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
    if (from) set(Math.round(Math.min(gain, Math.max(0, from.slide - (event.clientX - from.x) / scale.step))));
  };
  image.node.onpointerup = image.node.onpointercancel = () => { from = null; };
  image.node.classList.add("slides");
  return { image, controls: [hand.node], reveal, stop };
}

// Scene 5: one or two tails against the level.
function tails(scene, figures, tell) {
  const { gain } = figures, all = counted(figures.gains);
  let sides = "one-sided", level = figures.alpha;
  const hit = (words) => words > 2 * gain || (sides === "two-sided" && words < 0);
  const image = picture((node, width, height) => {
    const scale = scaleOf(figures, width);
    baseline(node, figures, scale, width, height);
    bars(node, scale, height, all, { slide: gain, kind: (words) => (hit(words) ? "hit" : "") });
    lines(node, scale, height, [[-gain, "−δ", "delta"], [0, "0", "zero"], [gain, "δ", "delta"]]);
  });
  const update = () => {
    image.repaint();
    const p = figures.gains.filter(hit).length / figures.gains.length;
    const is = p < level ? "is below" : "is not below";
    tell(`The ${sides} [p] = ${fixed(p, 4)} ${is} [α] = ${fixed(level)}: ${p < level ? "" : "not "}significant.`);
  };
  const pick = (chosen) => { sides = chosen; update(); };
  const choice = segments("Sides", ["one-sided", "two-sided"], "two-sided", pick);
  const hand = slider("Level [α]", { min: 0.01, max: 0.1, step: 0.01, value: level },
    (value) => fixed(value ?? level), (value) => { level = value; update(); });
  return { image, controls: [choice, hand.node], reveal: async () => pick("two-sided"), stop: () => {} };
}
