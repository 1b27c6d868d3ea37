// The timeline: tracks of lanes of boxes on a canvas. Times are nanoseconds since the page's zero.
"use strict";
const kinds = ["compute", "communication", "copy", "fill", "operator", "API call", "annotation", "Python", "wait",
  "system call", "profiler's overhead", "step", "other"];
const colors = {
  light: ["#79b98c", "#e3a04f", "#7ea6e0", "#a5cfc3", "#c9b6e4", "#e9c46a", "#a8c5da", "#d8cfc0", "#e59a9a", "#c7c7a6",
    "#cfcfcf", "#b9c7e8", "#d4d4d4"],
  dark: ["#5fa576", "#d18f3f", "#6b95d3", "#7fb3a5", "#9a83c4", "#c29f45", "#7697af", "#8f8672", "#c27272", "#8f8f6c",
    "#7d7d7d", "#7486b5", "#858585"],
};

function unpack(lane) {
  const text = atob(lane.data), n = lane.count;
  const made = { n, start: new Float64Array(n), end: new Float64Array(n), name: new Uint32Array(n),
    events: new Uint32Array(n), correlation: new Float64Array(n), event: new Float64Array(n) };
  let at = 0, start = 0, correlation = 0, event = 0;
  const next = () => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = text.charCodeAt(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const signed = (v) => (v % 2 === 0 ? v / 2 : -(v + 1) / 2);
  for (let i = 0; i < n; ++i) {
    made.start[i] = start += next();
    made.end[i] = start + next();
    made.name[i] = next();
    made.events[i] = next() + 1;
    made.correlation[i] = correlation += signed(next());
    made.event[i] = event += signed(next());
  }
  return made;
}

function timeText(ns) {
  const size = Math.abs(ns);
  const [unit, scale] = size >= 1e9 ? ["s", 1e9] : size >= 1e6 ? ["ms", 1e6] : size >= 1e3 ? ["µs", 1e3] : ["ns", 1];
  return `${(ns / scale).toFixed(scale === 1 ? 0 : 3)} ${unit}`;
}

// The first i of [0, n) with values[i] > wanted; n: none.
function firstAbove(values, n, wanted) {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

class Timeline {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.names = data.names;
    this.span = Math.max(1, data.span);
    this.tracks = data.tracks.map((t) => ({ ...t, lanes: t.lanes.map(unpack), folded: t.kind === "python" }));
    for (const t of this.tracks) t.few = t.lanes.length > 8 && t.kind !== "stream";
    this.marks = [];       // [from, to] of the finding chosen
    this.matching = null;  // per name, while a search is on
    this.pinned = null;
    this.hovered = null;
    this.past = [];
    this.laneHeight = 16;
    this.scroll = 0;
    this.fitAll();
  }

  get boxes() { return this.tracks.reduce((sum, t) => sum + t.lanes.reduce((n, l) => n + l.n, 0), 0); }
  get labelWidth() { return this.canvas.clientWidth < 700 ? 90 : 210; }
  lanesShown(t) { return t.folded ? 1 : t.few ? Math.min(8, t.lanes.length) : t.lanes.length; }

  // [{track, top, height} or {group, top, height}], top to bottom, before scrolling.
  rows() {
    const rows = [];
    let top = 22, group = null;
    for (const track of this.tracks) {
      if (track.group !== group) {
        group = track.group;
        rows.push({ group, top, height: group === "" ? 0 : 18 });
        top += group === "" ? 0 : 18;
      }
      const height = this.lanesShown(track) * this.laneHeight + 6;
      rows.push({ track, top, height });
      top += height;
    }
    this.fullHeight = top + 4;
    return rows;
  }

  resize() {
    this.rows();
    const width = this.canvas.clientWidth, ratio = window.devicePixelRatio || 1;
    const height = Math.max(120, Math.min(this.fullHeight, Math.round(window.innerHeight * 0.62)));
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.width = width;
    this.height = height;
    this.scrollBy(0);
  }

  show(from, to, remember = true) {
    const least = 20, length = Math.min(Math.max(to - from, least), this.span * 1.1);
    const middle = (from + to) / 2;
    if (remember && this.from !== undefined) this.past.push([this.from, this.to]);
    const edge = 0.05 * this.span;
    this.from = Math.max(-edge, Math.min(middle - length / 2, this.span + edge - length));
    this.to = this.from + length;
    this.draw();
  }
  fitAll() { this.show(-0.01 * this.span, 1.01 * this.span); }
  back() {
    const last = this.past.pop();
    if (last) this.show(last[0], last[1], false);
  }
  zoom(factor, around = (this.from + this.to) / 2) {
    this.show(around - (around - this.from) * factor, around + (this.to - around) * factor, false);
  }
  move(share) {
    const by = share * (this.to - this.from);
    this.show(this.from + by, this.to + by, false);
  }
  scrollBy(pixels) {
    this.scroll = Math.max(0, Math.min(this.scroll + pixels, this.fullHeight - this.height));
    this.draw();
  }

  timeAt(x) { return this.from + (x - this.labelWidth) / (this.width - this.labelWidth) * (this.to - this.from); }
  xOf(time) { return this.labelWidth + (time - this.from) / (this.to - this.from) * (this.width - this.labelWidth); }

  // What stands at a point of the canvas: {track} over its name, {track, lane, i} over a box.
  at(x, y) {
    const inside = y + this.scroll;
    const row = y < 22 ? undefined : this.rows().find((r) => r.track && inside >= r.top && inside < r.top + r.height);
    if (!row) return null;
    if (x < this.labelWidth) return { track: row.track };
    const lane = row.track.lanes[Math.floor((inside - row.top) / this.laneHeight)];
    if (!lane || Math.floor((inside - row.top) / this.laneHeight) >= this.lanesShown(row.track)) return null;
    const near = 2 * (this.to - this.from) / this.width;
    const time = this.timeAt(x), i = firstAbove(lane.start, lane.n, time + near) - 1;
    return i >= 0 && lane.end[i] + near >= time ? { track: row.track, lane, i } : null;
  }

  describe(hit) {
    const { lane, i, track } = hit, [name, kind] = this.names[lane.name[i]];
    const lines = [name, `${timeText(lane.end[i] - lane.start[i])} from ${timeText(lane.start[i])}`];
    lines.push(`${kinds[kind]}, ${track.group === "" ? "" : `${track.group}, `}${track.name}`);
    if (lane.events[i] > 1) lines.push(`${lane.events[i]} events merged; the longest is named`);
    const ids = [];
    if (lane.event[i] < 0xffffffff) ids.push(`event ${lane.event[i]}`);
    if (lane.correlation[i] > 0) ids.push(`correlation ${lane.correlation[i]}`);
    if (ids.length > 0) lines.push(ids.join(", "));
    return lines.join("\n");
  }

  search(text) {
    const wanted = text.trim().toLowerCase();
    this.matching = wanted === "" ? null : this.names.map(([name]) => name.toLowerCase().includes(wanted));
    this.hits = [];
    if (this.matching) {
      for (const track of this.tracks) {
        for (const lane of track.lanes) {
          for (let i = 0; i < lane.n; ++i) if (this.matching[lane.name[i]]) this.hits.push({ track, lane, i });
        }
      }
      this.hits.sort((a, b) => a.lane.start[a.i] - b.lane.start[b.i]);
    }
    this.hitAt = -1;
    this.draw();
    return this.hits.length;
  }
  nextHit(step = 1) {
    if (!this.hits || this.hits.length === 0) return;
    this.hitAt = (this.hitAt + step + this.hits.length) % this.hits.length;
    this.focus(this.hits[this.hitAt]);
  }
  focus(hit) {
    const length = Math.max(1, hit.lane.end[hit.i] - hit.lane.start[hit.i]);
    hit.track.folded = hit.track.folded && hit.track.lanes[0] === hit.lane;
    hit.track.few = hit.track.few && hit.track.lanes.indexOf(hit.lane) < 8;
    this.pinned = hit;
    this.resize();
    const row = this.rows().find((r) => r.track === hit.track);
    const y = row.top + hit.track.lanes.indexOf(hit.lane) * this.laneHeight;
    if (y < this.scroll + 22 || y > this.scroll + this.height - 20) this.scroll = Math.max(0, y - this.height / 2);
    this.scrollBy(0);
    this.show(hit.lane.start[hit.i] - 2 * length, hit.lane.end[hit.i] + 2 * length);
  }

  draw() {
    if (!this.width) return;
    const c = this.context, style = getComputedStyle(document.documentElement);
    this.theme = document.documentElement.dataset.theme === "dark" ? "dark" : "light";
    this.ink = style.getPropertyValue("--ink");
    this.quiet = style.getPropertyValue("--quiet");
    this.line = style.getPropertyValue("--line");
    this.panel = style.getPropertyValue("--panel");
    this.accent = style.getPropertyValue("--accent");
    this.drawn = 0;
    c.clearRect(0, 0, this.width, this.height);
    c.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    c.textBaseline = "middle";
    this.drawMarks(0.16);
    for (const row of this.rows()) {
      const y = row.top - this.scroll;
      if (y + row.height < 0 || y > this.height) continue;
      if (row.track) this.drawTrack(row.track, y, row.height);
      else this.drawGroup(row, y);
    }
    this.drawMarks(0);
    this.drawScale();
    document.documentElement.dataset.drawn = this.drawn;
    if (this.changed) this.changed();
  }

  drawMarks(fill) {
    const c = this.context;
    for (const [from, to] of this.marks) {
      const x = Math.max(this.labelWidth, this.xOf(from)), end = Math.min(this.width, this.xOf(to));
      if (end < this.labelWidth || x > this.width) continue;
      c.fillStyle = c.strokeStyle = this.accent;
      c.globalAlpha = fill || 1;
      if (fill) c.fillRect(x, 22, Math.max(1, end - x), this.height);
      else c.strokeRect(x, 21, Math.max(1, end - x), 2);
      c.globalAlpha = 1;
    }
  }

  drawGroup(row, y) {
    if (row.height === 0) return;
    const c = this.context;
    c.fillStyle = this.line;
    c.fillRect(0, y, this.width, 1);
    c.fillStyle = this.ink;
    c.font = "bold 11px system-ui, 'DejaVu Sans', sans-serif";
    c.fillText(row.group, 6, y + row.height / 2 + 1);
    c.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  }

  drawTrack(track, y, height) {
    const shown = this.lanesShown(track), c = this.context;
    c.save();
    c.beginPath();
    c.rect(this.labelWidth, 20, this.width - this.labelWidth, this.height);
    c.clip();
    for (let i = 0; i < shown; ++i) this.drawLane(track.lanes[i], y + 2 + i * this.laneHeight);
    c.restore();
    const more = track.lanes.length > 1 ? (shown < track.lanes.length ? "▸ " : "▾ ") : "   ";
    c.fillStyle = this.quiet;
    c.save();
    c.beginPath();
    c.rect(0, 20, this.labelWidth - 4, this.height);
    c.clip();
    c.fillText(more + track.name, 6, y + this.laneHeight / 2 + 2);
    c.restore();
    c.fillStyle = this.line;
    c.globalAlpha = 0.5;
    c.fillRect(0, y + height - 1, this.width, 1);
    c.globalAlpha = 1;
  }

  // Boxes narrower than a pixel are drawn once a pixel, in the colour of the widest.
  drawLane(lane, y) {
    const scale = (this.width - this.labelWidth) / (this.to - this.from), h = this.laneHeight - 2;
    let i = firstAbove(lane.end, lane.n, this.from);
    while (i < lane.n && lane.start[i] < this.to) {
      const x = this.xOf(lane.start[i]);
      let widest = i, pixels = (lane.end[i] - lane.start[i]) * scale;
      if (pixels < 1) {
        const limit = lane.start[i] + 1 / scale;
        let longest = lane.end[i] - lane.start[i];
        for (++i; i < lane.n && lane.end[i] <= limit; ++i) {
          if (lane.end[i] - lane.start[i] > longest) longest = lane.end[widest = i] - lane.start[i];
        }
        pixels = 1;
      } else {
        ++i;
      }
      this.drawBox(lane, widest, x, y, pixels, h);
    }
  }

  drawBox(lane, i, x, y, pixels, h) {
    const c = this.context, [name, kind] = this.names[lane.name[i]];
    const left = Math.max(x, this.labelWidth - 2), width = Math.min(x + pixels, this.width + 2) - left;
    c.globalAlpha = this.matching && !this.matching[lane.name[i]] ? 0.18 : 1;
    c.fillStyle = colors[this.theme][kind];
    c.fillRect(left, y, width > 3 ? width - 0.5 : Math.max(width, 0.8), h);
    const chosen = this.pinned && this.pinned.lane === lane && this.pinned.i === i;
    const partner = this.pinned && lane.correlation[i] > 0 && this.pinned.lane !== lane &&
      this.pinned.lane.correlation[this.pinned.i] === lane.correlation[i];
    if (chosen || partner) {
      c.strokeStyle = this.accent;
      c.lineWidth = 2;
      c.strokeRect(left, y, Math.max(width, 2), h);
      c.lineWidth = 1;
    }
    if (width > 34) {
      const room = Math.floor((width - 6) / 6);
      const text = lane.events[i] > 1 ? `${lane.events[i]} × ${name}` : name;
      c.fillStyle = "#101214";
      c.fillText(text.length <= room ? text : `${text.slice(0, room - 1)}…`, left + 3, y + h / 2 + 0.5);
    }
    c.globalAlpha = 1;
    ++this.drawn;
  }

  drawScale() {
    const c = this.context, length = this.to - this.from;
    c.fillStyle = this.panel;
    c.fillRect(0, 0, this.width, 20);
    const rough = length / Math.max(2, (this.width - this.labelWidth) / 130), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
    c.fillStyle = this.quiet;
    for (let t = Math.ceil(this.from / step) * step; t < this.to; t += step) {
      const x = this.xOf(t);
      c.fillRect(x, 14, 1, 6);
      if (x + 70 < this.width) c.fillText(step >= 1e9 ? timeText(t) : this.tick(t, step), x + 3, 10);
    }
    c.fillStyle = this.line;
    c.fillRect(0, 20, this.width, 1);
  }
  tick(t, step) {
    const [unit, scale] = step >= 1e6 ? ["ms", 1e6] : step >= 1e3 ? ["µs", 1e3] : ["ns", 1];
    return `${(Math.round(t / scale) + 0).toLocaleString("en").replace(/,/g, "\u202f")} ${unit}`;
  }
}
