// Luck alone: the gains of worlds without difference, and the pairs of equal systems.

// Scene 6: worlds fall into a histogram of gains.
function worlds(scene, figures, tell) {
  const { play, stop } = player();
  // A swap moves twice a sentence's gain: all gains are even, or all odd.
  const EVERY = 2;
  const SIDES = ["one-sided", "two-sided"];
  const most = Math.max(...counted(figures.worlds.map(([gain]) => gain)).values());
  let side = 0, shown = 0;
  const alarms = () => figures.worlds.slice(0, shown).filter((world) => world[1 + side]);
  const image = picture((node, width, height) => {
    const scale = scaleOf(figures, width), gains = (of) => counted(of.map(([gain]) => gain));
    baseline(node, figures, scale, width, height, ["gain of A over B in points", ""]);
    bars(node, scale, height, gains(figures.worlds.slice(0, shown)), { least: most, kind: "world", wide: EVERY });
    bars(node, scale, height, gains(alarms()), { least: most, kind: "hit", wide: EVERY });
    lines(node, scale, height, [[0, "0", "zero"]]);
    const ends = [[-1, "B wins", "b"], [1, "A wins", "a"]];
    for (const [sign, name, kind] of ends) {
      node.append(svg("text", { class: `name ${kind}`, x: scale.x(sign * figures.gain), y: MARGIN.top - 18 }, name));
    }
  });
  const say = () => tell(`The ${SIDES[side]} [p] is below 0.05 in `
    + `${alarms().length} of ${whole(shown)} worlds.`);
  const all = figures.worlds.length;
  const set = (number) => { shown = number; image.repaint(); };
  const reveal = async (resumed) => {
    if (resumed || await play(5000, (share) => set(Math.round(all * share ** 2)))) pick(SIDES[0]);
  };
  const pick = (chosen) => { side = SIDES.indexOf(chosen); set(all); say(); };
  return { image, controls: [segments("Sides", SIDES, SIDES[0], pick)], reveal, stop };
}

// Scene 7: each square is a pair of equal systems.
function pairs(scene, figures, tell) {
  const { play, stop } = player();
  const MARKED = 2, AFTER_HOLM = 3;
  let set = 0, rule = MARKED, shown = 0;
  const image = picture((node, width, height) => {
    const n = figures.systems, cell = Math.min(width / (n + 1), (height - 8) / n);
    const left = (width - (n - 1) * cell) / 2;
    figures.sets[set].forEach((pair, index) => {
      const [one, other] = [Math.min(pair[0], pair[1]), Math.max(pair[0], pair[1])];
      node.append(svg("rect", {
        class: index < shown && pair[rule] ? "square hit" : "square",
        x: left + (one - 1) * cell, y: 4 + (other - 2) * cell, width: cell - 2, height: cell - 2, rx: 2 },
      svg("title", {}, `Systems ${one} and ${other}`)));
    });
  });
  const all = figures.sets[0].length;
  const say = () => {
    const alarms = figures.sets[set].filter((pair) => pair[rule]).length;
    const adjusted = rule === AFTER_HOLM ? ", Holm's adjustment" : "";
    tell(`Set ${set + 1}: ${alarms} of ${all} pairs are marked${adjusted}.`);
  };
  const settle = () => { shown = all; image.repaint(); say(); };
  const mark = (share) => { shown = Math.round(all * share); image.repaint(); };
  const reveal = async (resumed) => { if (resumed || await play(2500, mark)) settle(); };
  const another = button("Another set", () => { set = (set + 1) % figures.sets.length; settle(); });
  const adjust = segments("Adjustment", ["no adjustment", "Holm"], "no adjustment", (chosen) => {
    rule = chosen === "Holm" ? AFTER_HOLM : MARKED;
    settle();
  });
  return { image, controls: [another, adjust], reveal, stop };
}
