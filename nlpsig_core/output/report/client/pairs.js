if (!byId("pairs-data")) return;
const data = read("pairs-data");
const { names, scores, classes, columns, decimals } = data;
const everyPair = data.a.map((_, place) => place);

// Table: sorting, filtering, paging.
const PAGE = 25;
const table = document.querySelector("table.pairs");
const value = {
  a: (pair) => names[data.a[pair]], b: (pair) => names[data.b[pair]],
  comparison: (pair) => classes[data.comparison[pair]], verdict: (pair) => data.answers[data.verdict[pair]],
};
for (const name of Object.keys(columns)) value[name] = (pair) => columns[name][pair];
const gainText = (name, digits) => (pair) => columns[name][pair].toFixed(digits);
const [from, to] = [gainText("gain_low", decimals), gainText("gain_high", decimals)];
const cells = [
  [value.a, "name"], [value.b, "name"], [value.comparison, "wide"], [(pair) => `${data.symbols[data.verdict[pair]]} ${value.verdict(pair)}`, ""], [gainText("gain", decimals + 1), "number"],
  [(pair) => `${from(pair)} – ${to(pair)}`, "number"],
  ...Object.values(data.texts).map((texts) => [(pair) => texts[pair], "number"]),
  [gainText("correlation", 3), "number"], [gainText("differing", 0), "number"],
];
let chosen = everyPair;
let start = 0;
const show = () => {
  const rows = chosen.slice(start, start + PAGE).map((pair) => {
    const row = document.createElement("tr");
    for (const [text, kind] of cells) {
      const cell = row.insertCell();
      cell.textContent = text(pair);
      if (kind) cell.className = kind;
      if (kind === "name") cell.title = cell.textContent;
    }
    const link = document.createElement("a");
    link.href = addressOf(pair);
    link.append(...row.cells[0].childNodes);
    row.cells[0].append(link);
    return row;
  });
  byId("pairs-rows").replaceChildren(...rows);
  const range = rows.length ? `${start + 1} to ${start + rows.length} of ` : "";
  byId("pairs-shown").textContent = `${range}${chosen.length.toLocaleString("en")} ${chosen.length === 1 ? "pair" : "pairs"}`;
  byId("pairs-back").disabled = start === 0;
  byId("pairs-next").disabled = start + PAGE >= chosen.length;
};
const choose = () => {
  const wanted = byId("pairs-system").value.trim().toLowerCase();
  const kind = byId("pairs-class").value;
  const group = Number(byId("pairs-group")?.value || -1);
  const verdict = byId("pairs-verdict").value;
  const has = (name) => name.toLowerCase().includes(wanted);
  chosen = everyPair.filter((pair) => (has(value.a(pair)) || has(value.b(pair)))
    && (group < 0 || data.groups[data.a[pair]] === group || data.groups[data.b[pair]] === group)
    && (!kind || value.comparison(pair) === kind)
    && (!verdict || value.verdict(pair) === verdict));
  const sorted = table.querySelector("[aria-sort]");
  if (sorted) {
    const of = value[sorted.querySelector("button").dataset.by];
    const sign = sorted.getAttribute("aria-sort") === "ascending" ? 1 : -1;
    const compare = (x, y) => typeof x === "string" ? x.localeCompare(y, "en") : x - y;
    chosen.sort((x, y) => sign * compare(of(x), of(y)) || x - y);
  }
  start = 0;
  show();
  drawChosen();
};
for (const button of table.querySelectorAll("thead button")) {
  button.addEventListener("click", () => {
    const header = button.closest("th");
    const next = header.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    for (const other of table.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", next);
    choose();
  });
}
for (const id of ["pairs-system", "pairs-group", "pairs-class", "pairs-verdict"]) byId(id)?.addEventListener("input", choose);
const turn = (by) => () => { start += by; show(); };
byId("pairs-back").addEventListener("click", turn(-PAGE));
byId("pairs-next").addEventListener("click", turn(PAGE));

// CSV below its signature; no text can run as a spreadsheet formula.
const safe = (text) => /^[=+\-@]/.test(text) ? `'${text}` : text;
const quoted = (text) => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const csvOf = (pairs) => {
  const named = { system_a: value.a, system_b: value.b, comparison: value.comparison, verdict: value.verdict };
  const numbers = {
    score_a: (pair) => scores[data.a[pair]], score_b: (pair) => scores[data.b[pair]],
    ...Object.fromEntries(Object.keys(columns).map((name) => [name, value[name]])),
  };
  const header = [...Object.keys(named), ...Object.keys(numbers)].join(",");
  const rows = pairs.map((pair) => [
    ...Object.values(named).map((of) => quoted(safe(of(pair)))), ...Object.values(numbers).map((of) => of(pair)),
  ].join(","));
  return [`# ${data.signature}`, header, ...rows, ""].join("\n");
};
byId("pairs-csv").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csvOf(chosen)], { type: "text/csv" }));
  link.download = "pairs.csv";
  link.click();
  URL.revokeObjectURL(link.href);
});
for (const id of ["pairs-tools", "pairs-filter"]) byId(id).hidden = false;
show();
