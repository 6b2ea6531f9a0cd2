// A list of pairs with a field that filters it: arrows move through it, and the pair that is moved to is marked in a
// figure of the page and chosen after a pause. Only the options in view are elements.

// Pixels of an option, options beyond the edges that are drawn as well, and milliseconds from the last move to the choice.
const OPTION = 44, BEYOND = 6, PAUSE = 150;

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// The pairs, by index, that have every word in one of their names.
function matching({ names, first, second }, text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word && word !== "over");
  const has = words.map((word) => names.map((name) => name.toLowerCase().includes(word)));
  return [...first.keys()].filter((pair) => has.every((of) => of[first[pair]] || of[second[pair]]));
}

// A name on one line: where room is short its middle goes, since the names of systems often differ at their ends.
function named(names, system, before = "") {
  const name = names[system], cut = Math.max(name.length - 9, 0);
  return make("span", { class: "name", "data-system": system }, make("span", {}, `${before}${name.slice(0, cut)}`), make("span", {}, name.slice(cut)));
}

function optionOf({ names, first, second, values, answers, symbols, answer }, pair, place, of) {
  const [a, b] = [first[pair], second[pair]], verdict = answers[answer[pair]];
  return make("div", {
    class: "option", role: "option", id: `option-${pair}`, "data-place": place, style: `top: ${place * OPTION}px`,
    "aria-setsize": of, "aria-posinset": place + 1, "aria-selected": "false",
    title: `${names[a]} over ${names[b]}: ${verdict}`,
  }, named(names, a), make("span", {}, values[pair]), named(names, b, "over "),
  make("span", {}, symbols[answer[pair]], make("span", { class: "unseen" }, ` ${verdict}`)));
}

// The place that a key leads to from ``here`` (-1: none) among ``places`` with ``page`` of them in view; else undefined.
function moved(key, here, places, page) {
  const to = {
    ArrowDown: here + 1, ArrowUp: here < 0 ? places : here - 1, PageDown: here + page, PageUp: here - page,
    Home: 0, End: places,
  }[key];
  return to === undefined || !places ? undefined : Math.min(Math.max(to, 0), places - 1);
}

// A box of options, of which only those in view are elements. option(place) makes one.
function optionsIn(box, option) {
  const all = make("div", { role: "presentation" });
  box.append(all);

  // Draw so many options, the ``active`` one among them; returns its element.
  function draw(places, active) {
    all.style = `position: relative; height: ${places * OPTION}px`;
    const top = Math.max(0, Math.floor(box.scrollTop / OPTION) - BEYOND);
    const end = Math.min(places, Math.ceil((box.scrollTop + box.clientHeight) / OPTION) + BEYOND);
    const drawn = Array.from({ length: Math.max(0, end - top) }, (_, index) => top + index);
    if (active >= 0 && !drawn.includes(active)) drawn.push(active);
    all.replaceChildren(...drawn.map(option));
    return all.children[drawn.indexOf(active)];
  }

  // Scroll the box, and nothing else, until an option is in view; in its middle if it was far away.
  function reveal(place) {
    const top = place * OPTION, room = box.clientHeight - OPTION, below = top - box.scrollTop;
    const isFar = below < -OPTION || below > room + OPTION;
    if (place >= 0) box.scrollTop = isFar ? top - room / 2 : Math.min(Math.max(box.scrollTop, top - room), top);
  }

  return { draw, reveal, page: () => Math.max(1, Math.floor(box.clientHeight / OPTION) - 1) };
}

function pairList(root) {
  const label = make("label", { for: "filter" });
  const field = make("input", {
    id: "filter", type: "text", role: "combobox", "aria-controls": "options", "aria-expanded": "true",
    "aria-autocomplete": "list", placeholder: "Filter by name", autocomplete: "off", spellcheck: "false",
  });
  const box = make("div", { id: "options", class: "options", role: "listbox", tabindex: "0" });
  const found = make("p", { class: "found", role: "status" });
  root.replaceChildren(label, field, box, found);

  // ``sent``: choices that the page has not answered yet, in their order.
  let data = {}, shown = [], chosen = -1, sent = [], pause = 0, mark = null, marked = true, send = null;
  const options = optionsIn(box, (place) => optionOf(data, shown[place], place, shown.length));
  const at = () => shown.indexOf(chosen);

  function draw() {
    const active = options.draw(shown.length, at());
    active?.setAttribute("aria-selected", "true");
    for (const node of [field, box]) node.setAttribute("aria-activedescendant", active?.id ?? "");
  }

  // How many pairs are in the list, and whether the figure leaves out the chosen one.
  function tell() {
    const [some, every] = [shown, data.rows].map((pairs) => pairs.length.toLocaleString("en-US"));
    const things = data.rows.length === 1 ? "pair" : "pairs";
    const text = `${some === every ? "" : `${some} of `}${every} ${things}${marked ? "" : "; the chosen one is not drawn"}`;
    if (found.textContent !== text) found.textContent = text;
  }

  function filter(text) {
    field.value = text;
    shown = matching(data, text);
    tell();
    draw();
  }

  function show(pair) {
    chosen = pair;
    if (at() < 0 && field.value) filter("");
    options.reveal(at());
    draw();
    mark.show(data.rows[pair]);
  }

  function choose(pair, wait) {
    if (pair < 0) return;
    show(pair);
    clearTimeout(pause);
    pause = setTimeout(() => {
      pause = 0;
      sent.push(data.rows[pair]);
      send(data.rows[pair]);
    }, wait);
  }

  root.onkeydown = (event) => {
    const inText = event.target === field && field.value && ["Home", "End"].includes(event.key);
    const to = moved(event.key, at(), shown.length, options.page());
    if (inText || event.altKey || event.ctrlKey || event.metaKey) return;
    if (to !== undefined) choose(shown[to], PAUSE);
    else if (event.key === "Enter") choose(chosen, 0);
    else if (event.key === "Escape" && field.value) filter("");
    else return;
    event.preventDefault();
  };
  field.oninput = () => { box.scrollTop = 0; filter(field.value); options.reveal(at()); };
  // The dots or cells of the system under the pointer glow in the figure, without asking the page.
  box.onpointerover = ({ target }) => {
    const system = Number(target.closest("[data-system]")?.dataset.system ?? -1);
    mark.glow(data.rows.filter((_, pair) => data.first[pair] === system || data.second[pair] === system));
  };
  box.onpointerleave = () => mark.glow([]);
  box.onscroll = draw;
  box.onclick = ({ target }) => choose(shown[target.closest(".option")?.dataset.place] ?? -1, 0);

  // The mark in the figure that the page shows now, in the colours of its theme.
  function follow(figure) {
    if (mark?.key !== figure) {
      mark?.forget();
      mark = markIn(figure, (row) => choose(data.rows.indexOf(row), 0), (drawn) => { marked = drawn; tell(); });
    }
    const style = getComputedStyle(root);
    mark.paint(style.getPropertyValue("--st-text-color"), style.getPropertyValue("--st-background-color"));
  }

  // The page's data. Its choice is taken over unless a newer one was made here, which the page does not know yet.
  function update(fresh, choice) {
    const before = data.rows?.[chosen], answered = sent.indexOf(fresh.chosen);
    sent = answered < 0 ? [] : sent.slice(answered + 1);
    const newer = pause || sent.length ? fresh.rows.indexOf(before) : -1;
    data = fresh;
    send = choice;
    label.textContent = data.label;
    box.setAttribute("aria-label", data.label);
    follow(data.figure);
    chosen = newer >= 0 ? newer : data.rows.indexOf(data.chosen);
    filter(field.value);
    if (data.rows[chosen] === before) mark.show(before);
    else show(chosen);
  }

  return { update, forget: () => { clearTimeout(pause); mark.forget(); } };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".pair-list");
  root.list ??= pairList(root);
  root.list.update(data, (row) => setTriggerValue("chosen", row));
  return () => {
    root.list?.forget();
    delete root.list;
  };
}
