// SPDX-License-Identifier: Apache-2.0
// Draws a chart as SVG: scatters, sweeps, steps, outlines, categories, roofs.
import { s } from "../core/dom.ts";
import { axis_text, scale_of } from "./scale.ts";
import type { Scale } from "./scale.ts";
import { dash_of, shape_path, colours } from "./palette.ts";
import type { DrawnChart, DrawnSeries, Drawing, Place } from "./drawing.ts";
import { known } from "./drawing.ts";

const top = 14;
const bottom = 44;
const right = 22;

export class PlainDrawing implements Drawing {
  readonly element = s("svg", { class: "chart-svg", role: "img", "aria-hidden": "true" });
  private readonly ring = s("circle", { class: "chart-ring", r: 7, cx: -20, cy: -20 });
  private places: (Place | null)[][] = [];
  private hidden: ReadonlySet<number> = new Set();

  constructor(private readonly chart: DrawnChart) {}

  draw(width: number, hidden: ReadonlySet<number>): void {
    const { chart } = this;
    this.hidden = hidden;
    const height = chart.height ?? Math.max(240, Math.min(380, Math.round(width * 0.46)));
    const left = this.left_room(height);
    const shown = chart.series.filter((_, index) => !hidden.has(index));
    const xs = shown.flatMap((series) => series.x.filter(known));
    const ys = shown.flatMap((series) => [...series.y, ...series.low, ...series.high].filter(known));
    const x = scale_of(chart.x, [...xs, ...(chart.rules ?? []).map((rule) => rule.x)], left, width - right, Math.max(2, Math.floor((width - left) / 84)));
    const y = scale_of(chart.y, [...ys, ...chart.limits.map(({ value }) => value)], height - bottom, top, Math.round(height / 48));
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.setAttribute("width", String(width));
    this.element.setAttribute("height", String(height));
    this.places = chart.series.map((series, index) =>
      series.x.map((at, point) => (hidden.has(index) ? null : place_of(x, y, at, series.y[point]))));
    this.element.replaceChildren(
      paper(x, y, left, width - right, height - bottom),
      axes(chart, x, y, left, width, height),
      ...(chart.rules ?? []).map((rule) => s("g", { class: `chart-rule tone-${rule.tone}` },
        s("line", { x1: x.place(rule.x), x2: x.place(rule.x), y1: top, y2: height - bottom }),
        s("title", {}, rule.says))),
      ...chart.limits.filter(({ value }) => known(value) && (!y.logarithmic || value > 0)).map((limit) =>
        s("g", { class: "chart-limit" },
          s("line", { x1: left, x2: width - right, y1: y.place(limit.value), y2: y.place(limit.value) }),
          s("text", { x: width - right - 4, y: y.place(limit.value) - 4, "text-anchor": "end" }, limit.says))),
      ...chart.series.map((series, index) => (hidden.has(index) ? s("g") : this.series(series, index, x, y, width))),
      this.ring,
    );
    this.unmark();
  }

  place(series: number, point: number): Place | null {
    return this.places[series]?.[point] ?? null;
  }

  nearest(x: number, y: number): { series: number; point: number } | null {
    let best: { series: number; point: number } | null = null;
    let least = 34 ** 2;
    this.places.forEach((places, series) => {
      if (this.hidden.has(series) || this.chart.series[series]?.roof) return;
      places.forEach((place, point) => {
        if (!place) return;
        const distance = (place.x - x) ** 2 + (place.y - y) ** 2;
        if (distance < least) {
          least = distance;
          best = { series, point };
        }
      });
    });
    return best;
  }

  mark(series: number, point: number): void {
    const place = this.place(series, point);
    if (!place) return;
    this.ring.setAttribute("cx", String(place.x));
    this.ring.setAttribute("cy", String(place.y));
  }

  unmark(): void {
    this.ring.setAttribute("cx", "-20");
    this.ring.setAttribute("cy", "-20");
  }

  // Long names of categories are rare on the vertical axis; ticks of numbers have at most nine letters.
  private left_room(height: number): number {
    const ys = this.chart.series.flatMap((series) => series.y.filter(known));
    const texts = scale_of(this.chart.y, ys, height - bottom, top, 6).ticks.map(({ text }) => text.length);
    return Math.min(220, 18 + 6.6 * Math.max(3, ...texts));
  }

  private series(series: DrawnSeries, index: number, x: Scale, y: Scale, width: number): SVGElement {
    const slot = series.key !== null && series.key >= 0 ? series.key : index;
    const places = this.places[index]!;
    const line = path_of(places, series.mark === "steps");
    const group = s("g", { class: series.roof ? "chart-roof" : `slot-${slot % colours}` });
    if (series.mark === "outline") group.append(s("path", { class: "chart-outline", d: `${line}Z` }));
    else group.append(...spread(series, places, x, y));
    if (["line", "dashed", "steps"].includes(series.mark))
      group.append(s("path", {
        class: "chart-line", d: line,
        "stroke-dasharray": series.mark === "dashed" ? "4 4" : series.roof ? null : dash_of(slot) || null,
      }));
    const dots = series.mark === "points" || (series.mark === "line" && !series.roof && places.length <= 200);
    if (dots) for (const place of places) if (place) group.append(dot(place, slot, places.length));
    if (series.roof) group.append(roof_label(series, places, width));
    return group;
  }
}

function place_of(x: Scale, y: Scale, at: number | null | undefined, value: number | null | undefined): Place | null {
  if (!known(at) || !known(value)) return null;
  if ((x.logarithmic && at <= 0) || (y.logarithmic && value <= 0)) return null;
  return { x: x.place(at), y: y.place(value) };
}

function path_of(places: readonly (Place | null)[], steps: boolean): string {
  let path = "";
  let before: Place | null = null;
  for (const place of places) {
    if (place) path += !before ? `M${point(place)}` : steps ? `H${place.x.toFixed(1)}V${place.y.toFixed(1)}` : `L${point(place)}`;
    before = place;
  }
  return path;
}
function point(place: Place): string {
  return `${place.x.toFixed(1)} ${place.y.toFixed(1)}`;
}

function dot(place: Place, slot: number, count: number): SVGElement {
  return s("path", { class: "chart-point", d: shape_path(slot, count > 400 ? 2.4 : 3.6), transform: `translate(${point(place)})` });
}

// A band around a line, or a bar at each point.
function spread(series: DrawnSeries, places: readonly (Place | null)[], x: Scale, y: Scale): SVGElement[] {
  if (series.low.length !== series.x.length || series.high.length !== series.x.length) return [];
  const ends = series.x.map((at, index) => [place_of(x, y, at, series.low[index]), place_of(x, y, at, series.high[index])] as const);
  if (series.mark === "points")
    return ends.flatMap(([low, high], index) =>
      low && high && places[index] ? [s("path", { class: "chart-bar", d: `M${point(low)}L${point(high)}` })] : []);
  const there = ends.filter(([low, high]) => low && high);
  if (there.length < 2) return [];
  const outline = [...there.map(([low]) => low!), ...there.map(([, high]) => high!).reverse()];
  return [s("path", { class: "chart-band", d: `${path_of(outline, false)}Z` })];
}

function paper(x: Scale, y: Scale, left: number, end: number, base: number): SVGElement {
  const upright = (value: number, kind: string): SVGElement =>
    s("line", { class: kind, x1: x.place(value), x2: x.place(value), y1: top, y2: base });
  const level = (value: number, kind: string): SVGElement =>
    s("line", { class: kind, x1: left, x2: end, y1: y.place(value), y2: y.place(value) });
  return s("g", {},
    x.minor.map((value) => upright(value, "paper-fine")), y.minor.map((value) => level(value, "paper-fine")),
    x.ticks.map(({ value }) => upright(value, "paper-line")), y.ticks.map(({ value }) => level(value, "paper-line")),
    s("path", { class: "chart-frame", d: `M${left} ${top}V${base}H${end}` }));
}

function axes(chart: DrawnChart, x: Scale, y: Scale, left: number, width: number, height: number): SVGElement {
  const base = height - bottom;
  const text_of = (value: number, text: string): string => (chart.x_text ? chart.x_text(value) : text);
  const room = (width - left - right) / Math.max(1, x.ticks.length);
  const shorten = (text: string): string => (text.length * 6.4 > room ? `${text.slice(0, Math.max(3, Math.floor(room / 6.4) - 1))}…` : text);
  return s("g", { class: "chart-text" },
    x.ticks.map(({ value, text }) => s("text", { x: x.place(value), y: base + 16, "text-anchor": "middle" }, shorten(text_of(value, text)),
      chart.x.categories.length > 0 && s("title", {}, text))),
    // A tick at the top would stand in the axis' name.
    y.ticks.filter(({ value }) => !axis_name(chart.y) || y.place(value) > top + 3).map(({ value, text }) => s("text", { x: left - 7, y: y.place(value) + 3.5, "text-anchor": "end" }, text)),
    s("text", { class: "chart-axis", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, axis_name(chart.x)),
    s("text", { class: "chart-axis", x: 2, y: 9 }, axis_name(chart.y)));
}

function axis_name(axis: DrawnChart["x"]): string {
  return axis.label;
}

function roof_label(series: DrawnSeries, places: readonly (Place | null)[], width: number): SVGElement {
  const drawn = places.filter((place): place is Place => place !== null);
  const first = drawn[0];
  const last = drawn[drawn.length - 1];
  if (!first || !last) return s("g");
  const flat = Math.abs(first.y - last.y) < 2;
  if (flat) return s("text", { x: Math.min(last.x, width - right) - 4, y: last.y - 5, "text-anchor": "end" }, series.name);
  if (width < 520) return s("g");  // a slanted name would cover the points
  const angle = (Math.atan2(last.y - first.y, last.x - first.x) * 180) / Math.PI;
  return s("text", { transform: `translate(${first.x + 8} ${first.y - 7}) rotate(${angle.toFixed(1)})` }, series.name);
}

/** Returns what the cursor says of a point. */
export function point_text(chart: DrawnChart, series: number, at: number): { name: string; lines: string[] } {
  const drawn = chart.series[series]!;
  const x = drawn.x[at];
  const y = drawn.y[at];
  const lines: string[] = [];
  if (known(x)) lines.push(`${chart.x.label ? `${chart.x.label}: ` : ""}${chart.x_text ? chart.x_text(x) : axis_text(chart.x, x, 4)}`);
  if (known(y)) lines.push(`${chart.y.label ? `${chart.y.label}: ` : ""}${axis_text(chart.y, y, 4)}`);
  const low = drawn.low[at];
  const high = drawn.high[at];
  if (known(low) && known(high)) lines.push(`${axis_text(chart.y, low, 4)} to ${axis_text(chart.y, high, 4)}`);
  const says = drawn.says[at];
  if (says) lines.push(...says.split("\n"));
  return { name: drawn.name, lines };
}
