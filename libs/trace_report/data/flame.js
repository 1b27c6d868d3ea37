// A click on a frame zooms to it, Escape or a click on the root shows all; the search marks frames.
"use strict";
(() => {
  const script = document.currentScript;
  const svg = (script && script.ownerSVGElement) || document.documentElement;
  const margin = 10, characterWidth = 7.2, searchWidth = 220;
  const frames = Array.from(svg.querySelectorAll("g.f"), (g) => ({
    g,
    rect: g.querySelector("rect"),
    text: g.querySelector("text"),
    name: g.querySelector("title").textContent.split("\n")[0],
    start: Number(g.dataset.s), width: Number(g.dataset.w), depth: Number(g.dataset.d),
  }));
  if (frames.length === 0) return;
  const drawnHeight = Number(svg.getAttribute("height"));
  const words = svg.querySelector(".words"), subtitle = words.textContent;
  const box = document.createElementNS("http://www.w3.org/2000/svg", "foreignObject");
  const input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
  let shown = frames[0], pageWidth = 0;

  function place(f, x, width) {
    const room = Math.floor((width - 8) / characterWidth);
    f.rect.setAttribute("x", x.toFixed(2));
    f.rect.setAttribute("width", width.toFixed(2));
    f.text.setAttribute("x", (Math.max(x, margin) + 4).toFixed(2));
    f.text.textContent = room < 3 ? "" : f.name.length <= room ? f.name : f.name.slice(0, room - 1) + "…";
  }

  function show() {
    const room = pageWidth - 2 * margin, scale = room / Math.max(1, shown.width);
    const end = shown.start + shown.width;
    for (const f of frames) {
      const above = f.depth < shown.depth && f.start <= shown.start && f.start + f.width >= end;
      const inside = f.depth >= shown.depth && f.start >= shown.start && f.start + f.width <= end;
      const visible = above || (inside && f.width * scale >= 0.3);
      f.g.classList.toggle("off", !visible);
      f.g.classList.toggle("above", above);
      if (above) place(f, margin, room);
      else if (visible) place(f, margin + (f.start - shown.start) * scale, f.width * scale);
    }
    svg.dataset.shown = frames.filter((f) => !f.g.classList.contains("off")).length;
  }

  function fit() {
    const alone = svg === document.documentElement;
    const height = alone ? Math.max(drawnHeight, window.innerHeight - 4) : drawnHeight;
    const scrollbar = alone && drawnHeight > window.innerHeight ? 18 : 0;
    pageWidth = alone ? Math.max(480, window.innerWidth - scrollbar) : svg.clientWidth || 1200;
    svg.setAttribute("width", pageWidth);
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", `0 0 ${pageWidth} ${height}`);
    box.setAttribute("x", pageWidth - searchWidth - margin);
    show();
  }

  function search(wanted) {
    const text = wanted.trim().toLowerCase();
    const hits = frames.filter((f) => text !== "" && f.name.toLowerCase().includes(text));
    const marked = new Set(hits);
    for (const f of frames) f.g.classList.toggle("hit", marked.has(f));
    let covered = 0, end = 0;  // the union of the hits, so that nothing counts twice
    for (const f of hits.slice().sort((a, b) => a.start - b.start)) {
      covered += Math.max(0, f.start + f.width - Math.max(end, f.start));
      end = Math.max(end, f.start + f.width);
    }
    const share = (100 * covered / Math.max(1, frames[0].width)).toFixed(1);
    words.textContent = text === "" ? subtitle : `${hits.length} frames match, ${share} % of all`;
    svg.dataset.hits = hits.length;
  }

  for (const f of frames) f.g.addEventListener("click", () => { shown = f; show(); });
  window.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    input.value = "";
    search("");
    shown = frames[0];
    show();
  });
  window.addEventListener("resize", fit);
  box.setAttribute("y", 29);
  box.setAttribute("width", searchWidth);
  box.setAttribute("height", 30);
  input.setAttribute("placeholder", "Search");
  input.addEventListener("input", () => search(input.value));
  box.append(input);
  svg.append(box);
  fit();
  const asked = new URLSearchParams(window.location.hash.slice(1)).get("search");
  if (asked) {
    input.value = asked;
    search(asked);
  }
})();
