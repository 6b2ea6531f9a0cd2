// Units as cards: the test set sorted by who is better, and one resample drawn card by card.

const CARD = { width: 60, height: 32, gap: 5 };
// Below this scale, cards have no bars.
const LEGIBLE = 0.5;

// The places of n cards in a box, left to right and top to bottom, as [x, y, scale].
function places(n, left, top, width, height) {
  const wide = CARD.width + CARD.gap, high = CARD.height + CARD.gap;
  const fitting = (columns) => Math.min(width / (columns * wide), height / (Math.ceil(n / columns) * high));
  const columns = [5, 8, 10, 16, 20, 25, 32, 40, 50].reduce((best, one) => (fitting(one) > fitting(best) ? one : best));
  const scale = fitting(columns), indent = left + (width - columns * wide * scale) / 2;
  return Array.from({ length: n }, (_, index) => [
    indent + (index % columns) * wide * scale,
    top + Math.floor(index / columns) * high * scale,
    scale,
  ]);
}

function between(from, to, share) {
  return from.map((value, index) => value + (to[index] - value) * share);
}

// A card at a place; ``times`` is how often it was drawn. A small one has a colour in place of its bars.
function card(figures, unit, [x, y, scale], kind = "", times = 0) {
  const small = scale < LEGIBLE;
  const badge = times > 1 && !small && [
    svg("circle", { class: "badge", cx: CARD.width - 5, cy: 6, r: 8.5 }),
    svg("text", { class: "times", x: CARD.width - 5, y: 10 }, times),
  ];
  const bar = (system, top, name) => [
    svg("rect", { class: "track", x: 5, y: top, width: 50, height: 7, rx: 2 }),
    svg("rect", { class: name, x: 5, y: top, width: 50 * figures.bars[system][unit], height: 7, rx: 2 }),
  ];
  const better = ["B is better", "a tie", "A is better"][figures.won[unit] + 1];
  return svg("g", { class: `card ${kind} ${small ? "small" : ""} ${times > 1 ? "again" : ""}`,
    transform: `translate(${x} ${y}) scale(${scale})` },
  svg("title", {}, `${capital(figures.unit)} ${unit + 1}: ${better}`),
  svg("rect", { class: "paper", width: CARD.width, height: CARD.height, rx: 4 }),
  !small && [bar(0, 6, "fill-a"), bar(1, 19, "fill-b")].flat(), badge);
}

// Which of n units or draws are shown, where there are too many.
function onlyFirst(shown, n, what) {
  return shown < n ? `, the first ${whole(shown)} of ${whole(n)} ${what}s` : "";
}

// The gain: on reveal the cards move into three groups.
function testSet(scene, figures, tell) {
  const { order } = figures, all = figures.won.map((_, unit) => unit), { play, stop } = player();
  const place = new Map(order.map((unit, index) => [unit, index]));
  const kinds = ["won-b", "tie", "won-a"];
  let share = 0;
  const image = picture((node, width, height) => {
    const top = all.length < figures.n ? 20 : 8, cells = places(all.length, 4, top, width - 8, height - top - 4);
    if (all.length < figures.n) {
      node.append(svg("text", { class: "heading", x: 6, y: 12 },
        `Test set${onlyFirst(all.length, figures.n, figures.unit)}`));
    }
    for (const unit of all) {
      const at = between(cells[unit], cells[place.get(unit)], eased(share));
      node.append(card(figures, unit, at, share === 1 ? kinds[figures.won[unit] + 1] : ""));
    }
  });
  const sort = (to) => { share = to; image.repaint(); };
  const finish = () => {
    const [a, b, ties] = figures.outcomes.map(whole);
    sort(1);
    tell(`[A] is better in ${a}, neither in ${ties}, [B] in ${b} ${figures.unit}s.`);
  };
  const reveal = async (resumed) => { if (resumed || await play(1500, sort)) finish(); };
  return { image, controls: [], reveal, stop };
}

// One resample: cards are drawn and fly into it.
function oneResample(scene, figures, tell) {
  const { play, stop } = player(), shown = figures.won.length, { n } = figures;
  const gains = [];
  let resample = -1, drawn = 0;
  const image = picture((node, width, height) => {
    const half = (height - 34) / 2;
    const from = places(shown, 4, 18, width - 8, half), to = places(shown, 4, half + 36, width - 8, half - 4);
    const draws = resample < 0 ? [] : figures.drawn[resample].slice(0, Math.ceil(drawn)), done = drawn === shown;
    const times = done ? figures.times[resample] : Array(shown).fill(0);
    if (!done) draws.forEach((unit) => { times[unit] += 1; });
    const name = resample < 0 ? "Resample" : `Resample ${resample + 1}`;
    node.append(
      svg("text", { class: "heading", x: 6, y: 12 }, `Test set${onlyFirst(shown, n, figures.unit)}`),
      svg("text", { class: "heading", x: 6, y: half + 30 }, `${name}${onlyFirst(shown, n, "draw")}`));
    for (let unit = 0; unit < shown; unit++) {
      node.append(card(figures, unit, from[unit], done && !times[unit] ? "missed" : "", times[unit]));
    }
    to.slice(draws.length).forEach(([x, y, scale]) => node.append(svg("rect", {
      class: "empty", x, y, width: CARD.width * scale, height: CARD.height * scale, rx: 4 * scale })));
    draws.forEach((unit, place) => {
      if (unit >= shown) return;
      const share = done ? 1 : Math.min(1, drawn - place);
      node.append(card(figures, unit, between(from[unit], to[place], eased(share))));
    });
  });
  const say = () => {
    const before = gains.map((gain) => inPoints(figures, gain)).join(", ");
    tell(`Resample ${resample + 1} misses ${whole(figures.missed[resample])} ${figures.unit}s. `
      + `${capital(figures.gain_word)}s [δ*] so far: ${before}.`);
  };
  const finish = () => { drawn = shown; image.repaint(); say(); };
  const draw = async (number, resumed) => {
    resample = number;
    if (gains.length <= resample) gains.push(figures.gains[resample]);
    drawn = 0;
    const fly = (share) => { drawn = share * shown; image.repaint(); };
    if (resumed || await play(resample ? 2500 : 6000, fly)) finish();
  };
  const another = button("Draw another resample", () => draw((resample + 1) % figures.drawn.length, false));
  return { image, controls: [another], reveal: (resumed) => draw(0, resumed), stop };
}
