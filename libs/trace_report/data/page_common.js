// What every page has: errors and theme in data attributes of the root, what is asked for behind "#", tables that
// a click on a column sorts.
"use strict";
const page = (() => {
  const root = document.documentElement, byId = (id) => document.getElementById(id);
  window.addEventListener("error", (e) => { root.dataset.error = e.message; });
  const asked = new URLSearchParams(window.location.hash.slice(1));
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  root.dataset.theme = asked.get("theme") || (dark.matches ? "dark" : "light");
  function sort(table, column) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    const down = heads[column].getAttribute("aria-sort") !== "descending";
    for (const h of heads) h.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].map((row) => {
      const cell = row.cells[column], v = cell.dataset.v;
      return { row, number: v === undefined ? NaN : Number(v), text: cell.textContent };
    });
    rows.sort((a, b) => {
      if (Number.isNaN(a.number) !== Number.isNaN(b.number)) return Number.isNaN(a.number) ? 1 : -1;
      const order = Number.isNaN(a.number) ? b.text.localeCompare(a.text) : b.number - a.number;
      return down ? order : -order;
    });
    body.append(...rows.map((r) => r.row));
  }
  for (const table of document.querySelectorAll("table.sorts")) {
    [...table.tHead.rows[0].cells].forEach((h, column) => h.addEventListener("click", () => sort(table, column)));
  }
  byId("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  });
  return { root, byId, asked };
})();
