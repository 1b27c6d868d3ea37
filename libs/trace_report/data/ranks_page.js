// The page of ranks: filters, the chosen rank against the medians, its waits. What a test asks for stands in data
// attributes of the root: ready, rows, shown, chosen, waits, error.
"use strict";
(() => {
  const { root, byId, asked } = page;
  const table = byId("ranks"), rows = [...table.tBodies[0].rows];
  const measured = [...table.tHead.rows[0].cells].map((cell, column) => ({ name: cell.textContent, column }))
    .filter(({ column }) => table.tHead.rows[0].cells[column].dataset.m !== undefined);
  const valueOf = (row, column) => {
    const v = row.cells[column].dataset.v;
    return v === undefined ? NaN : Number(v);
  };
  function median(column) {
    const all = rows.map((row) => valueOf(row, column)).filter((v) => !Number.isNaN(v)).sort((a, b) => a - b);
    const half = Math.floor(all.length / 2);
    return all.length === 0 ? NaN : all.length % 2 ? all[half] : (all[half - 1] + all[half]) / 2;
  }
  const medians = measured.map(({ column }) => median(column));
  function timeText(ns) {
    if (Number.isNaN(ns)) return "";
    const [unit, size] = [["s", 1e9], ["ms", 1e6], ["µs", 1e3]].find(([, size]) => Math.abs(ns) >= size) || ["ns", 1];
    return `${Number((ns / size).toPrecision(3))} ${unit}`;
  }

  const filter = byId("filter"), onlyOut = byId("only-out");
  function show() {
    const wanted = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const text = [row.dataset.label, row.cells[1].textContent, row.dataset.path].join("\n").toLowerCase();
      row.hidden = (onlyOut.checked && !row.classList.contains("out")) || !text.includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    byId("shown").textContent = shown === rows.length ? `${rows.length} ranks` : `${shown} of ${rows.length} ranks`;
    root.dataset.shown = shown;
  }
  filter.addEventListener("input", show);
  onlyOut.addEventListener("change", show);

  // Tables beside the ranks' name ranks in their first one or two columns.
  const labels = new Set(rows.map((row) => row.dataset.label));
  function showWaits(label) {
    let waits = 0;
    for (const other of document.querySelectorAll("#beside tbody tr")) {
      const names = [...other.cells].filter((c) => !c.classList.contains("n")).map((c) => c.textContent);
      const isOfRanks = names.some((n) => labels.has(n));
      other.hidden = label !== null && isOfRanks && !names.includes(label);
      waits += label !== null && isOfRanks && !other.hidden ? 1 : 0;
    }
    root.dataset.waits = waits;
  }
  function cellOf(text, style) {
    const cell = document.createElement("td");
    cell.textContent = text;
    cell.className = style;
    return cell;
  }
  function commandsOf(row) {
    const number = Number(row.dataset.number), files = number < 0 ? row.dataset.path : table.dataset.files;
    const rank = number < 0 ? "" : ` --rank ${number}`, output = number < 0 ? "rank.html" : `rank-${number}.html`;
    return [`ridge diagnose ${files}${rank}`, `ridge trace idle ${files}${rank}`,
      `ridge trace html ${files}${rank} --output ${output}`].join("\n");
  }
  function choose(row) {
    for (const other of rows) other.classList.toggle("chosen", other === row);
    byId("chosen").hidden = !row;
    root.dataset.chosen = row ? row.dataset.label : "";
    showWaits(row ? row.dataset.label : null);
    if (!row) return;
    byId("chosen-name").textContent = row.dataset.label;
    byId("chosen-path").textContent = row.dataset.path;
    byId("next").textContent = commandsOf(row);
    byId("against").replaceChildren(...measured.map(({ name, column }, i) => {
      const line = document.createElement("tr"), own = valueOf(row, column), times = own / medians[i];
      line.append(cellOf(name, ""), cellOf(timeText(own), "n"), cellOf(timeText(medians[i]), "n"),
        cellOf(Number.isFinite(times) ? times.toFixed(2) : "", "n"));
      return line;
    }));
  }
  const chosen = () => rows.find((row) => row.classList.contains("chosen"));
  table.tBodies[0].addEventListener("click", (e) => {
    if (e.target.closest("a")) return;
    const row = e.target.closest("tr");
    choose(row === chosen() ? null : row);
  });
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape") choose(null);
    if (e.target === filter) return;
    if (e.key === "/") { e.preventDefault(); filter.focus(); }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    const shown = [...table.tBodies[0].rows].filter((row) => !row.hidden);  // as they are sorted
    if (shown.length === 0) return;
    e.preventDefault();
    const at = shown.indexOf(chosen()), next = at < 0 ? 0 : at + (e.key === "ArrowDown" ? 1 : -1);
    choose(shown[Math.max(0, Math.min(shown.length - 1, next))]);
  });

  // "#rank=3", "#filter=node 1", "#out=1": links into the page.
  filter.value = asked.get("filter") || "";
  onlyOut.checked = asked.get("out") === "1";
  show();
  root.dataset.rows = rows.length;
  choose(asked.get("rank") === null ? null : rows.find((row) => row.dataset.number === asked.get("rank")) || null);
  root.dataset.ready = "1";
})();
