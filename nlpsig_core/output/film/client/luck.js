// Luck alone: the gains of worlds without difference, and the pairs of equal systems.

// Worlds fall into a histogram of gains.
function worlds(scene, figures, tell) {
  const { play, stop } = player();
  const SIDES = ["one-sided", "two-sided"], all = figures.worlds.length;
  const { wide, odd } = afterSwaps(figures, figures.worlds.map(([one]) => one));
  const gain = ([one]) => one - odd;
  const least = Math.max(...counted(figures.worlds.map(gain), wide).values());
  let side = 0, shown = 0;
  const image = picture((node, width, height) => {
    const scale = scaleOf(figures, width), fallen = figures.worlds.slice(0, shown);
    const alarms = fallen.filter((world) => world[1 + side]).map(gain);
    baseline(node, figures, scale, width, height, [`${figures.gain_word} of A over B`, ""]);
    const options = { wide, least, slide: -odd, hit: () => false };
    bars(node, scale, height, fallen.map(gain), { ...options, kind: "world" });
    bars(node, scale, height, alarms, { ...options, kind: "hit" });
    lines(node, scale, height, [[0, "0", "zero"]]);
    const ends = [[-1, "B wins", "b"], [1, "A wins", "a"]];
    for (const [sign, name, kind] of ends) {
      node.append(svg("text", { class: `name ${kind}`, x: width * (0.5 + sign * 0.3), y: MARGIN.top - 18 }, name));
    }
  });
  const say = () => {
    const alarms = figures.worlds.filter((world) => world[1 + side]).length;
    tell(`The ${SIDES[side]} [p] is below ${figures.alpha} in ${alarms} of ${whole(all)} worlds.`);
  };
  const set = (number) => { shown = number; image.repaint(); };
  const reveal = async (resumed) => {
    if (resumed || await play(5000, (share) => set(Math.round(all * share ** 2)))) pick(SIDES[0]);
  };
  const pick = (chosen) => { side = SIDES.indexOf(chosen); set(all); say(); };
  return { image, controls: [segments("Sides", SIDES, SIDES[0], pick)], reveal, stop };
}

// Each square is a pair of equal systems.
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
