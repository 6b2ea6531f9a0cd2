// Gain and confidence of all pairs, and the threshold on test sets of growing size.
function threshold(scene, figures, tell) {
  const { play, stop } = player();
  const sizes = Object.keys(figures.sizes);
  const most = Math.max(...sizes.flatMap((size) => figures.sizes[size].gain));
  let size = sizes[0], line = figures.sizes[size].threshold;
  const image = picture((node, width, height) => {
    const left = 44, right = 14, top = MARGIN.top, bottom = height - MARGIN.bottom;
    const x = (gain) => left + ((width - left - right) * gain) / most;
    const y = (confidence) => bottom - (bottom - top) * confidence;
    const of = figures.sizes[size], level = 1 - figures.alpha;
    node.append(
      svg("line", { class: "axis", x1: left, x2: width - right, y1: bottom, y2: bottom }),
      svg("line", { class: "axis", x1: left, x2: left, y1: top, y2: bottom }));
    of.gain.forEach((gain, pair) => node.append(svg("circle", {
      class: of.significant[pair] ? "dot hit" : "dot", cx: x(gain), cy: y(of.confidence[pair]), r: 3.5 })));
    node.append(
      svg("line", { class: "mark alpha", x1: left, x2: width - right, y1: y(level), y2: y(level) }),
      svg("text", { class: "name alpha end", x: width - right, y: y(level) + 18 }, "1 − α = 0.95"),
      svg("line", { class: "mark threshold", x1: x(line), x2: x(line), y1: top, y2: bottom }),
      svg("text", { class: "name threshold start", x: x(line) + 4, y: bottom - 10 },
        `threshold ${fixed(of.threshold)}`));
    for (let gain = 0; gain <= most; gain += 2) {
      node.append(svg("text", { class: "tick", x: x(gain), y: bottom + 16 }, gain));
    }
    for (const confidence of [0, 0.5, 1]) {
      node.append(svg("text", { class: "tick end", x: left - 6, y: y(confidence) + 4 }, fixed(confidence, 1)));
    }
    node.append(svg("text", { class: "tick", x: (left + width) / 2, y: bottom + 33 }, "gain in points"),
      svg("text", { class: "tick start", x: 4, y: top - 18 }, `confidence, ${size} sentences`));
  });
  const choose = async (chosen, resumed) => {
    const from = line, to = figures.sizes[chosen].threshold;
    size = chosen;
    const move = (share) => { line = from + (to - from) * eased(share); image.repaint(); };
    if (resumed) move(1);
    else if (!await play(900, move)) return;
    const of = figures.sizes[size];
    const number = of.significant.filter(Boolean).length;
    tell(`${size} sentences: ${number} of ${of.gain.length} pairs are significant; threshold ${fixed(to)} points.`);
  };
  const control = segments("Sentences", sizes, sizes[1], (chosen) => choose(chosen, false));
  return { image, controls: [html("span", { class: "label" }, "Sentences"), control],
    reveal: (resumed) => choose(sizes[1], resumed), stop };
}
