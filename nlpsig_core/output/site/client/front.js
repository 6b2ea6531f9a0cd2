"use strict";
(() => {
  const find = document.getElementById("find"), cards = [...document.querySelectorAll(".card")];
  const show = () => {
    const wanted = find.value.trim().toLowerCase();
    for (const card of cards) card.hidden = !card.dataset.name.toLowerCase().includes(wanted);
    for (const group of document.querySelectorAll(".campaign")) group.hidden = !group.querySelector(".card:not([hidden])");
    const shown = cards.filter((card) => !card.hidden).length;
    document.getElementById("find-shown").textContent = `${shown} of ${cards.length} tasks`;
  };
  find.addEventListener("input", show);
  document.getElementById("find-tools").hidden = false;
  show();
})();
