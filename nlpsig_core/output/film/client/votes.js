// Trees that vote on edges: an arc for each edge, as thick as its votes.
function votes(scene, figures, tell) {
  const { play, stop } = player(), { words, own, gold, trees } = figures.votes;
  const levels = Object.keys(figures.votes.votes);
  // Of all noises, so that an arc keeps its height.
  const spans = Object.values(figures.votes.votes).flatMap((level) =>
    level.flatMap((heads, index) => heads.map(([head]) => head && Math.abs(head - index - 1))));
  const longest = Math.max(...spans);
  let noise = levels[0], faint = 0;
  // The votes for each word's own head.
  const kept = () => figures.votes.votes[noise].map((heads, index) => new Map(heads).get(own[index]) ?? 0);
  const image = picture((node, width, height) => {
    const numbers = kept(), slot = (width - 24) / words.length, bottom = height - 62, top = 30;
    const x = (word) => 12 + slot * (word - 0.5);
    const rise = (distance) => ((bottom - top) * distance) / (longest + 0.6);
    figures.votes.votes[noise].forEach((heads, index) => heads.forEach(([head, number]) => {
      const word = index + 1, mine = head === own[index];
      const from = x(head), to = x(word), peak = bottom - 1.3 * rise(Math.abs(head - word));
      const over = `M ${from} ${bottom} C ${from} ${peak}, ${to} ${peak}, ${to} ${bottom}`;
      const kind = faint && head !== gold[index] ? "wrong" : "right";
      node.append(svg("path", { class: `arc ${kind} ${mine ? "" : "other"}`, d: head ? over : `M ${to} 8 V ${bottom}`,
        "stroke-width": 1 + (9 * number) / trees, opacity: mine ? 1 : 0.6 * faint }));
    }));
    words.forEach((text, index) => {
      const number = numbers[index];
      const narrow = slot < 90, lower = narrow && index % 2 ? 16 : 0;
      node.append(
        svg("text", { class: "word", x: x(index + 1), y: bottom + 20 + lower }, text),
        svg("text", { class: `votes ${number < trees * 0.8 ? "few" : ""}`, x: x(index + 1), y: bottom + 54 }, number));
    });
  });
  const say = () => {
    const numbers = kept();
    const least = Math.min(...numbers), word = words[numbers.indexOf(least)];
    tell(least === trees ? `Noise ${noise}: all ${trees} trees agree.`
      : `Noise ${noise}: the least sure edge is that to “${word}”, with ${least} of ${trees} trees.`);
  };
  const choose = async (chosen, resumed) => {
    noise = chosen;
    const appear = (share) => { faint = share; image.repaint(); };
    if (resumed) appear(1);
    else if (!await play(1200, appear)) return;
    say();
  };
  const usual = String(figures.votes.noise);
  const control = segments("Noise", levels, usual, (chosen) => choose(chosen, false));
  return { image, controls: [html("span", { class: "label" }, "Noise"), control],
    reveal: (resumed) => choose(usual, resumed), stop };
}
