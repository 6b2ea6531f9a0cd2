// Sentences as cards: the test set sorted by who is better, and one resample drawn card by card.

const CARD = { width: 60, height: 32, gap: 5 };

// The places of n cards in a box, left to right and top to bottom, as [x, y, scale].
function places(n, left, top, width, height) {
  const columns = [5, 8, 10, 20].map((columns) => {
    const rows = Math.ceil(n / columns);
    const scale = Math.min(width / (columns * (CARD.width + CARD.gap)), height / (rows * (CARD.height + CARD.gap)));
    return { columns, scale };
  }).reduce((best, one) => (one.scale > best.scale ? one : best));
  const { scale } = columns;
  const indent = left + (width - columns.columns * (CARD.width + CARD.gap) * scale) / 2;
  return Array.from({ length: n }, (_, index) => [
    indent + (index % columns.columns) * (CARD.width + CARD.gap) * scale,
    top + Math.floor(index / columns.columns) * (CARD.height + CARD.gap) * scale,
    scale,
  ]);
}

function between(from, to, share) {
  return from.map((value, index) => value + (to[index] - value) * share);
}

// A card at a place; ``times`` is how often it was drawn.
function card(figures, sentence, [x, y, scale], kind = "", times = 0) {
  const { A, B } = figures.right;
  const badge = times > 1 && [
    svg("circle", { class: "badge", cx: CARD.width - 5, cy: 6, r: 8.5 }),
    svg("text", { class: "times", x: CARD.width - 5, y: 10 }, times),
  ];
  const bar = (right, top, name) => [
    svg("rect", { class: "track", x: 5, y: top, width: 50, height: 7, rx: 2 }),
    svg("rect", { class: name, x: 5, y: top, width: (50 * right) / figures.words, height: 7, rx: 2 }),
  ];
  return svg("g", { class: `card ${kind}`, transform: `translate(${x} ${y}) scale(${scale})` },
    svg("title", {}, `Sentence ${sentence + 1}: A ${A[sentence]}, B ${B[sentence]} right words`),
    svg("rect", { class: "paper", width: CARD.width, height: CARD.height, rx: 4 }),
    bar(A[sentence], 6, "fill-a"), bar(B[sentence], 19, "fill-b"), badge);
}

function winner(figures, sentence) {
  const gain = figures.right.A[sentence] - figures.right.B[sentence];
  return gain > 0 ? "won-a" : gain < 0 ? "won-b" : "tie";
}

// Scene 1: on reveal the cards move into three groups.
function testSet(scene, figures, tell) {
  const all = figures.right.A.map((_, sentence) => sentence);
  const gain = (sentence) => figures.right.A[sentence] - figures.right.B[sentence];
  const order = [...all].sort((one, other) => gain(other) - gain(one) || one - other);
  const { play, stop } = player();
  let share = 0;
  const image = picture((node, width, height) => {
    const cells = places(all.length, 4, 8, width - 8, height - 12);
    for (const sentence of all) {
      const place = between(cells[sentence], cells[order.indexOf(sentence)], eased(share));
      node.append(card(figures, sentence, place, share === 1 ? winner(figures, sentence) : ""));
    }
  });
  const sort = (to) => { share = to; image.repaint(); };
  const number = (kind) => all.filter((sentence) => winner(figures, sentence) === kind).length;
  const finish = () => {
    sort(1);
    tell(`[A] is better in ${number("won-a")}, neither in ${number("tie")}, [B] in ${number("won-b")} sentences.`);
  };
  const reveal = async (resumed) => { if (resumed || await play(1500, sort)) finish(); };
  return { image, controls: [], reveal, stop };
}

// Scene 2: cards are drawn and fly into the resample.
function oneResample(scene, figures, tell) {
  const { play, stop } = player();
  const n = figures.right.A.length;
  const gains = [];
  let resample = -1, drawn = 0, flying = 0;
  const image = picture((node, width, height) => {
    const half = (height - 34) / 2;
    const from = places(n, 4, 18, width - 8, half), to = places(n, 4, half + 36, width - 8, half - 4);
    const units = resample < 0 ? [] : figures.drawn[resample];
    const times = (sentence) => units.slice(0, Math.ceil(drawn)).filter((unit) => unit === sentence).length;
    node.append(svg("text", { class: "heading", x: 6, y: 12 }, "Test set"),
      svg("text", { class: "heading", x: 6, y: half + 30 }, resample < 0 ? "Resample" : `Resample ${resample + 1}`));
    for (let sentence = 0; sentence < n; sentence++) {
      const often = times(sentence);
      node.append(card(figures, sentence, from[sentence], drawn === n && !often ? "missed" : "", often));
    }
    to.forEach(([x, y, scale]) => node.append(svg("rect", {
      class: "empty", x, y, width: CARD.width * scale, height: CARD.height * scale, rx: 4 * scale })));
    units.slice(0, Math.ceil(drawn)).forEach((sentence, place) => {
      const share = Math.min(1, drawn - place + (drawn === n ? 1 : 0));
      node.append(card(figures, sentence, between(from[sentence], to[place], eased(share))));
    });
  });
  const say = () => {
    const missed = n - new Set(figures.drawn[resample]).size;
    const before = gains.map((gain) => fixed(gain * figures.point)).join(", ");
    tell(`Resample ${resample + 1} misses ${missed} sentences. Gains [δ*] so far: ${before}.`);
  };
  const finish = () => { drawn = n; image.repaint(); say(); };
  const draw = async (number, resumed) => {
    resample = number;
    if (gains.length <= resample) gains.push(figures.gains[resample]);
    drawn = 0;
    const fly = (share) => { drawn = share * n; image.repaint(); };
    if (resumed || await play(resample ? 2500 : 6000, fly)) finish();
  };
  const another = button("Draw another resample", () => draw((resample + 1) % figures.drawn.length, false));
  return { image, controls: [another], reveal: (resumed) => draw(0, resumed), stop };
}
