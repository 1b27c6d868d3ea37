// The page around the timeline: input and findings. What a test asks for stands in data attributes of
// the root: ready, boxes, drawn, findings, rows, finding (chosen), matches, error.
"use strict";
(() => {
  const { root, byId, asked } = page;
  const canvas = byId("canvas"), tip = byId("tip"), details = byId("details");
  const timeline = new Timeline(canvas, JSON.parse(byId("trace-data").textContent));
  timeline.changed = () => {
    byId("shown-range").textContent = `${timeText(timeline.from)} … ${timeText(timeline.to)} (${timeText(timeline.to - timeline.from)})`;
  };

  function united(ranges) {
    const made = [];
    for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
      const last = made[made.length - 1];
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else made.push([from, to]);
    }
    return made;
  }
  function choose(card, button) {
    const buttons = button ? [button] : [...card.querySelectorAll("button.show")];
    for (const other of document.querySelectorAll(".finding.chosen")) other.classList.remove("chosen");
    card.classList.add("chosen");
    root.dataset.finding = card.dataset.rank;
    timeline.marks = united(buttons.map((b) => [Number(b.dataset.a), Number(b.dataset.b)]));
    if (timeline.marks.length === 0) return timeline.draw();
    const from = Math.min(...timeline.marks.map((m) => m[0])), to = Math.max(...timeline.marks.map((m) => m[1]));
    timeline.show(from - 0.1 * (to - from), to + 0.1 * (to - from));
    byId("timeline").scrollIntoView();
  }
  const cards = [...document.querySelectorAll(".finding")];
  for (const card of cards) {
    card.addEventListener("click", (e) => {
      if (e.target.closest("summary, pre")) return;
      choose(card, e.target.closest("button.show"));
    });
  }

  function hover(e) {
    const r = canvas.getBoundingClientRect(), hit = timeline.at(e.clientX - r.left, e.clientY - r.top);
    tip.hidden = !hit;
    if (!hit) return;
    tip.textContent = hit.lane ? timeline.describe(hit) : `${hit.track.group}\n${hit.track.name}`;
    const right = Math.min(e.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
    const below = e.clientY + 18 + tip.offsetHeight > window.innerHeight ? e.clientY - tip.offsetHeight - 10 : e.clientY + 18;
    tip.style.left = `${Math.max(4, right)}px`;
    tip.style.top = `${below}px`;
  }

  let drag = null;
  canvas.addEventListener("pointerdown", (e) => {
    drag = { x: e.clientX, y: e.clientY, from: timeline.from, to: timeline.to, moved: false };
    if (e.isTrusted) canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!drag) return hover(e);
    const dx = e.clientX - drag.x;
    drag.moved = drag.moved || Math.abs(dx) + Math.abs(e.clientY - drag.y) > 3;
    if (!drag.moved) return;
    const by = dx / (timeline.width - timeline.labelWidth) * (drag.to - drag.from);
    timeline.show(drag.from - by, drag.to - by, false);
    timeline.scrollBy(drag.lastY === undefined ? 0 : drag.lastY - e.clientY);
    drag.lastY = e.clientY;
  });
  canvas.addEventListener("pointerup", (e) => {
    const still = drag && !drag.moved, r = canvas.getBoundingClientRect();
    drag = null;
    if (!still) return;
    const hit = timeline.at(e.clientX - r.left, e.clientY - r.top);
    if (hit && !hit.lane) {  // folded -> some -> all -> folded
      if (hit.track.folded) hit.track.folded = false;
      else if (hit.track.few) hit.track.few = false;
      else { hit.track.folded = hit.track.lanes.length > 1; hit.track.few = hit.track.lanes.length > 8; }
      return timeline.resize();
    }
    timeline.pinned = hit;
    if (hit) details.textContent = timeline.describe(hit).replaceAll("\n", " · ");
    timeline.draw();
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("dblclick", (e) => {
    const r = canvas.getBoundingClientRect(), hit = timeline.at(e.clientX - r.left, e.clientY - r.top);
    if (hit && hit.lane) timeline.focus(hit);
  });
  canvas.addEventListener("wheel", (e) => {
    const x = e.clientX - canvas.getBoundingClientRect().left;
    if (x < timeline.labelWidth) {
      const before = timeline.scroll;
      timeline.scrollBy(e.deltaY);
      if (timeline.scroll !== before) e.preventDefault();
      return;
    }
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) timeline.move((e.deltaX || e.deltaY) / 1000);
    else timeline.zoom(Math.exp(Math.max(-300, Math.min(300, e.deltaY)) / 400), timeline.timeAt(x));
  }, { passive: false });

  const search = byId("search");
  function find() {
    const n = timeline.search(search.value);
    byId("matches").textContent = search.value.trim() === "" ? "" : `${n.toLocaleString("en")} match`;
    root.dataset.matches = n;
  }
  search.addEventListener("input", find);
  search.addEventListener("keydown", (e) => {
    if (e.key === "Enter") timeline.nextHit(e.shiftKey ? -1 : 1);
    if (e.key === "Escape") { search.value = ""; find(); search.blur(); }
  });
  const keys = {
    w: () => timeline.zoom(0.7), s: () => timeline.zoom(1 / 0.7), a: () => timeline.move(-0.2), d: () => timeline.move(0.2),
    ArrowLeft: () => timeline.move(-0.2), ArrowRight: () => timeline.move(0.2), "+": () => timeline.zoom(0.7),
    "-": () => timeline.zoom(1 / 0.7), 0: () => timeline.fitAll(), Backspace: () => timeline.back(), "/": () => search.focus(),
  };
  window.addEventListener("keydown", (e) => {
    if (e.target === search || e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });
  byId("zoom-in").addEventListener("click", keys.w);
  byId("zoom-out").addEventListener("click", keys.s);
  byId("fit").addEventListener("click", keys[0]);
  byId("back").addEventListener("click", keys.Backspace);
  byId("theme").addEventListener("click", () => timeline.draw());
  window.addEventListener("resize", () => timeline.resize());

  timeline.resize();
  root.dataset.boxes = timeline.boxes;
  byId("timeline").hidden = timeline.boxes === 0;
  root.dataset.findings = cards.length;
  root.dataset.rows = document.querySelectorAll("tbody tr").length;
  // "#finding=1", "#find=gemm", "#range=FROM,TO" (ns): links into a page.
  const card = cards.find((c) => c.dataset.rank === asked.get("finding"));
  if (card) choose(card);
  if (asked.get("range")) timeline.show(...asked.get("range").split(",").map(Number));
  if (asked.get("find")) {
    search.value = asked.get("find");
    find();
  }
  root.dataset.ready = "1";
})();
