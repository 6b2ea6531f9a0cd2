// A list of pairs with a field that filters it: arrows move through it, and the pair that is moved to is marked in a
// figure of the page and chosen after a pause. Only the options in view are elements.

// Pixels of an option, options beyond the edges that are drawn as well, and milliseconds from the last move to the choice.
const OPTION = 30, BEYOND = 8, PAUSE = 150;

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

function optionOf({ names, short, first, second, values, answers, symbols, answer }, pair, place, of) {
  const [a, b] = [first[pair], second[pair]], verdict = answers[answer[pair]];
  return make("div", {
    class: "option", role: "option", id: `option-${pair}`, "data-place": place, style: `top: ${place * OPTION}px`,
    "aria-setsize": of, "aria-posinset": place + 1, "aria-selected": "false", title: `${names[a]} over ${names[b]}`,
    "aria-label": `${names[a]} over ${names[b]}, ${values[pair]}, ${verdict}`,
  }, make("span", {}, `${short[a]} over ${short[b]}`), make("span", { class: "value" }, values[pair]),
  make("span", { class: "symbol" }, symbols[answer[pair]]), make("span", { class: "answer" }, verdict));
}

function pairList(root) {
  const label = make("label", { for: "filter" });
  const field = make("input", {
    id: "filter", type: "text", role: "combobox", "aria-controls": "options", "aria-expanded": "true",
    "aria-autocomplete": "list", placeholder: "Filter by name", autocomplete: "off", spellcheck: "false",
  });
  const all = make("div", { role: "presentation" });
  const box = make("div", { id: "options", class: "options", role: "listbox", tabindex: "0" }, all);
  const found = make("p", { class: "found", role: "status" });
  root.replaceChildren(label, field, box, found);

  // ``sent``: choices that the page has not answered yet, in their order.
  let data = {}, shown = [], chosen = -1, sent = [], pause = 0, mark = null, send = () => {};

  const at = () => shown.indexOf(chosen);

  function draw() {
    const top = Math.max(0, Math.floor(box.scrollTop / OPTION) - BEYOND);
    const end = Math.min(shown.length, Math.ceil((box.scrollTop + box.clientHeight) / OPTION) + BEYOND);
    const places = Array.from({ length: Math.max(0, end - top) }, (_, index) => top + index);
    if (at() >= 0 && !places.includes(at())) places.push(at());
    all.replaceChildren(...places.map((place) => optionOf(data, shown[place], place, shown.length)));
    const active = all.querySelector(`#option-${chosen}`);
    active?.setAttribute("aria-selected", "true");
    for (const node of [field, box]) {
      if (active) node.setAttribute("aria-activedescendant", active.id);
      else node.removeAttribute("aria-activedescendant");
    }
  }

  function fill() {
    shown = matching(data, field.value);
    all.style = `position: relative; height: ${shown.length * OPTION}px`;
    const [some, every] = [shown, data.rows].map((pairs) => pairs.length.toLocaleString("en-US"));
    found.textContent = `${some === every ? "" : `${some} of `}${every} pairs`;
    draw();
  }

  // Scroll the list, and nothing else, until the option is in view.
  function reveal(place) {
    const top = place * OPTION, below = top + OPTION - box.clientHeight;
    if (place >= 0) box.scrollTop = Math.max(Math.min(box.scrollTop, top), below);
  }

  function clear() {
    field.value = "";
    fill();
  }

  function show(pair) {
    chosen = pair;
    if (at() < 0 && field.value) clear();
    reveal(at());
    draw();
    mark?.show(data.rows[pair]);
  }

  function choose(pair, wait) {
    show(pair);
    clearTimeout(pause);
    pause = setTimeout(() => {
      pause = 0;
      sent.push(data.rows[pair]);
      send(data.rows[pair]);
    }, wait);
  }

  function moved(event) {
    const here = at(), page = Math.max(1, Math.floor(box.clientHeight / OPTION) - 1), last = shown.length - 1;
    const inText = event.target === field && field.value;
    return {
      ArrowDown: here + 1, ArrowUp: here < 0 ? last : here - 1, PageDown: here + page, PageUp: here - page,
      ...(!inText && { Home: 0, End: last }),
    }[event.key];
  }

  function pressed(event) {
    const to = moved(event);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (to !== undefined && shown.length) choose(shown[Math.min(Math.max(to, 0), shown.length - 1)], PAUSE);
    else if (event.key === "Enter" && at() >= 0) choose(chosen, 0);
    else if (event.key === "Escape" && field.value) clear();
    else return;
    event.preventDefault();
  }

  root.onkeydown = pressed;
  field.oninput = () => { box.scrollTop = 0; fill(); reveal(at()); };
  box.onscroll = draw;
  box.onclick = (event) => {
    const option = event.target.closest(".option");
    if (option) choose(shown[option.dataset.place], 0);
  };

  // The mark in the figure that the page shows now, in the colours of its theme.
  function follow(figure) {
    if (mark?.key !== figure) {
      mark?.forget();
      mark = figure && markIn(figure, (row) => choose(data.rows.indexOf(row), 0));
    }
    const style = getComputedStyle(root);
    mark?.paint(style.getPropertyValue("--st-text-color"), style.getPropertyValue("--st-background-color"));
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
    fill();
    if (data.rows[chosen] !== before) show(chosen);
    else mark?.show(before);
  }

  return { update, forget: () => { clearTimeout(pause); mark?.forget(); } };
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
