// Other tests of the same pair: swaps beside draws, and p by many rules.

// Draws above, swaps below, on one scale; those that count towards the two-sided p are marked.
function swaps(scene, figures, tell) {
  const { play, stop } = player(), { gain, gains, swapped } = figures;
  const { wide, odd } = afterSwaps(figures, swapped);
  let shown = 0, sides = "two-sided";
  const two = () => sides === "two-sided";
  const drawHit = (one) => one > 2 * gain || (two() && one < 0);
  const swapHit = (one) => one + odd >= gain || (two() && one + odd <= -gain);
  const image = picture((node, width, height) => {
    const scale = scaleOf(figures, width), half = height / 2;
    const parts = [
      ["Draws, slid to 0", gains, { wide: figures.bar, slide: gain, hit: drawHit }],
      ["Swaps", swapped.slice(0, shown).map((one) => one - odd), { wide, slide: -odd, hit: swapHit }],
    ];
    parts.forEach(([name, of, options], index) => {
      const part = svg("g", { transform: `translate(0 ${index * half})` });
      node.append(part);
      baseline(part, figures, scale, width, half, [`${figures.gain_word} of A over B`, ""]);
      bars(part, scale, half, of, options);
      lines(part, scale, half, slidLines(figures));
      part.append(svg("text", { class: "heading end", x: width - 6, y: MARGIN.top - 18 }, name));
    });
  });
  const say = () => {
    const drawn = gains.filter(drawHit).length;
    const hits = swapped.filter((one) => swapHit(one - odd)).length;
    const p = { draws: pText(drawn, gains.length), swaps: pText(hits + 1, swapped.length + 1) };
    tell(`${capital(sides)} [p]: ${p.draws} by draws, ${p.swaps} by swaps.`);
  };
  const settle = () => { shown = swapped.length; image.repaint(); say(); };
  const fall = (now) => { shown = Math.round(swapped.length * now ** 2); image.repaint(); };
  const reveal = async (resumed) => { if (resumed || await play(3000, fall)) settle(); };
  const choice = segments("Sides", ["one-sided", "two-sided"], sides, (chosen) => { sides = chosen; settle(); });
  return { image, controls: [choice], reveal, stop };
}

// A row for each rule, with its p on a logarithmic scale: a full dot one-sided, an empty one two-sided.
function rules(scene, figures, tell) {
  const { play, stop } = player(), all = figures.rules;
  const least = Math.min(figures.alpha / 5, ...all.flatMap(({ p }) => p)) / 1.5;
  let shown = 1, chosen = 0;
  const image = picture((node, width, height) => {
    const narrow = width < 560, left = narrow ? 14 : Math.min(width * 0.4, 340), right = 20, top = 26;
    const row = (height - top - 24) / all.length, bottom = top + row * all.length;
    const x = (p) => left + (width - left - right) * (1 - Math.log(Math.min(p, 1)) / Math.log(least));
    const mark = { class: "mark alpha", x1: x(figures.alpha), x2: x(figures.alpha), y1: top - 6, y2: bottom };
    node.append(svg("line", mark),
      svg("text", { class: "name alpha", x: x(figures.alpha), y: top - 11 }, `α = ${figures.alpha}`));
    for (let p = 1; p >= least; p /= 10) {
      node.append(svg("text", { class: "tick", x: x(p), y: bottom + 18 }, Number(p.toPrecision(1))));
    }
    all.forEach(({ rule, p }, index) => {
      const middle = top + row * (index + (narrow ? 0.72 : 0.5)), picked = index === chosen ? "chosen" : "";
      const name = narrow ? { class: `start ${picked}`, x: 4, y: middle - 8 }
        : { class: `end ${picked}`, x: left - 14, y: middle + 5 };
      const pick = () => { chosen = index; list.value = index; settle(); };
      node.append(svg("line", { class: "rule", x1: left, x2: width - right, y1: middle, y2: middle }),
        svg("text", { ...name, onclick: pick }, rule));
      if (index >= shown) return;
      p.forEach((one, side) => node.append(svg("circle", {
        class: `p-dot ${side ? "hollow" : ""} ${one < figures.alpha ? "hit" : ""}`, cx: x(one), cy: middle,
        r: (index === chosen ? 8 : 6) * (narrow ? 0.7 : 1), onclick: pick })));
    });
  });
  const say = () => tell(`${capital(all[chosen].rule)}: ${all[chosen].text}. ${all[chosen].why}`);
  const settle = () => { shown = all.length; image.repaint(); say(); };
  const reveal = async (resumed) => {
    const appear = (now) => { shown = 1 + Math.round((all.length - 1) * now); image.repaint(); };
    if (resumed || await play(2000, appear)) settle();
  };
  const list = html("select", { onchange: () => { chosen = Number(list.value); settle(); } },
    all.map(({ rule }, index) => html("option", { value: index }, rule)));
  return { image, controls: [html("label", { class: "list" }, "Rule", list)], reveal, stop };
}
