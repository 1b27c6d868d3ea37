// SPDX-License-Identifier: Apache-2.0
// Draws long series on a canvas: zoomed by dragging or the wheel, reset by a double click.
import uPlot from "uplot";
import { h } from "../core/dom.ts";
import { colour_of, text_font } from "../core/theme.ts";
import type { DrawnChart, DrawnSeries, Drawing, Place } from "./drawing.ts";
import { draw_columns, is_dense } from "./dense_columns.ts";
import { known } from "./drawing.ts";
import { colours } from "./palette.ts";
import { axis_text, trimmed } from "./scale.ts";

const band_opacity = 0.18;
const linear = uPlot.paths.linear!();
// What is drawn as columns has no path.
const sparse_line: uPlot.Series.PathBuilder = (plot, ...place) => (is_dense(plot) ? null : linear(plot, ...place));

/** What is seen of the x axis, and where the plot stands in the element, in CSS pixels. */
export interface DenseView { first: number; last: number; left: number; width: number }

/** Series of such a chart share their x values. */
export class DenseDrawing implements Drawing {
  readonly element = h("div", { class: "chart-dense" });
  private readonly ring = h("div", { class: "dense-ring", hidden: true });
  private plot: uPlot | null = null;
  private hidden: ReadonlySet<number> = new Set();
  private width = 0;
  private range: [number, number] | null = null;
  private lines: number[] = [];  // where each series stands among the plot's, which has edges of bands as well

  constructor(private readonly chart: DrawnChart, signal: AbortSignal, private readonly viewed: (view: DenseView) => void = () => {}) {
    const again = (): void => { if (this.plot) this.draw(this.width, this.hidden); };
    window.addEventListener("ridge:theme", again, { signal });
    signal.addEventListener("abort", () => this.plot?.destroy());
  }

  draw(width: number, hidden: ReadonlySet<number>): void {
    this.width = width;
    this.hidden = hidden;
    this.plot?.destroy();
    this.plot = new uPlot(this.options(width), this.data(), this.element);
    this.plot.over.append(this.ring);
    if (this.range) this.zoom(...this.range);
  }

  /** Shows this range of the x axis, at once or when it is drawn first; it stays when sizes or themes change. */
  zoom(first: number, last: number): void {
    this.range = [first, last];
    this.plot?.setScale("x", { min: first, max: last });
  }

  place(series: number, point: number): Place | null {
    const { plot } = this;
    const x = this.chart.series[series]?.x[point];
    const y = this.chart.series[series]?.y[point];
    if (!plot || this.hidden.has(series) || !known(x) || !known(y)) return null;
    const { min, max } = plot.scales["x"]!;
    if (known(min) && known(max) && (x < min || x > max)) return null;
    const ratio = devicePixelRatio;
    return { x: plot.valToPos(x, "x") + plot.bbox.left / ratio, y: plot.valToPos(y, "y") + plot.bbox.top / ratio };
  }

  nearest(x: number): { series: number; point: number } | null {
    const { plot } = this;
    if (!plot) return null;
    const series = this.chart.series.findIndex((one, index) => one.mark !== "steps" && !this.hidden.has(index));
    if (series < 0) return null;
    const point = plot.posToIdx(x - plot.bbox.left / devicePixelRatio);
    return known(this.chart.series[series]!.y[point]) ? { series, point } : null;
  }

  mark(series: number, point: number): void {
    const { plot } = this;
    const x = this.chart.series[series]?.x[point];
    const y = this.chart.series[series]?.y[point];
    if (!plot || !known(x) || !known(y)) return;
    this.ring.hidden = false;
    this.ring.style.transform = `translate(${plot.valToPos(x, "x") - 7}px, ${plot.valToPos(y, "y") - 7}px)`;
  }

  unmark(): void {
    this.ring.hidden = true;
  }

  private data(): uPlot.AlignedData {
    const xs = this.chart.series[0]!.x.map((x) => x ?? 0);
    const columns: (number | null | undefined)[][] = [];
    for (const series of this.chart.series) {
      columns.push(series.y.slice());
      if (series.low.length > 0) columns.push(series.low.slice(), series.high.slice());
    }
    return [xs, ...columns] as uPlot.AlignedData;
  }

  private options(width: number): uPlot.Options {
    const { chart } = this;
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    this.lines = [];
    chart.series.forEach((one, index) => {
      const slot = `--slot-${(one.key ?? index) % colours}`;
      const show = !this.hidden.has(index);
      this.lines.push(series.length);
      series.push(this.line(one, colour_of(slot), show));
      if (one.low.length === 0) return;
      const low = series.length;
      const edge = (): uPlot.Series => ({ show, width: 0, paths: sparse_line, points: { show: false } });
      series.push(edge(), edge());
      bands.push({ series: [low + 1, low], fill: colour_of(slot, band_opacity) });
    });
    const text = colour_of("--dim");
    const font = `12px ${text_font()}`;
    const axis = { stroke: text, font, grid: { stroke: colour_of("--paper-line"), width: 1 }, ticks: { show: false } };
    return {
      width, height: chart.height ?? 340, series, bands, padding: [14, 14, 0, 4],
      legend: { show: false },
      cursor: { points: { show: false }, drag: { x: true, y: false, setScale: true }, y: false },
      scales: { x: { time: false, range: (plot, least, greatest) => whole_padded(plot.data[0], least, greatest) }, y: { distr: chart.y.scale === "logarithmic" ? 3 : 1 } },
      axes: [
        { ...axis, size: 34, values: (_, at) => at.map((value) => (Number.isInteger(value) && chart.x_text ? chart.x_text(value) : "")), space: 96, ...(this.by_run() ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000] } : {}) },
        { ...axis, size: 74, values: (_, at) => at.map((value) => (known(value) ? trimmed(axis_text(chart.y, value, 4)) : "")) },
      ],
      hooks: {
        drawSeries: [(plot, drawn) => this.columns(plot, drawn)],
        draw: [(plot) => this.rules(plot), (plot) => this.tell_view(plot)],
        ready: [(plot) => wheel_zoom(plot)],
      },
    };
  }

  private tell_view(plot: uPlot): void {
    const { min, max } = plot.scales["x"]!;
    const ratio = devicePixelRatio;
    if (!known(min) || !known(max)) return;
    const xs = plot.data[0];
    this.range = min <= xs[0]! && max >= xs[xs.length - 1]! ? null : [min, max];
    this.viewed({ first: min, last: max, left: plot.bbox.left / ratio, width: plot.bbox.width / ratio });
  }

  private by_run(): boolean {
    return this.chart.x.label === "run";
  }

  private line(one: DrawnSeries, colour: string, show: boolean): uPlot.Series {
    const dots = one.mark === "points" || one.mark === "line";
    const line: uPlot.Series = { show, stroke: one.mark === "points" ? "transparent" : colour, width: one.mark === "steps" ? 1 : 1.5 };
    if (one.mark === "steps") line.paths = uPlot.paths.stepped!({ align: 1 });
    if (one.mark === "line") line.paths = sparse_line;
    if (one.mark === "dashed") line.dash = [5, 4];
    line.points = dots ? { show: one.x.length <= 600, size: 6, fill: colour, stroke: colour } : { show: false };
    return line;
  }

  // A line of more points than there are pixels, and its band; `drawn` is its place among the plot's series.
  private columns(plot: uPlot, drawn: number): void {
    const index = this.lines.indexOf(drawn);
    const one = this.chart.series[index];
    if (one?.mark !== "line" || !is_dense(plot)) return;
    const slot = `--slot-${(one.key ?? index) % colours}`;
    if (one.low.length > 0) draw_columns(plot, one.low, one.high, colour_of(slot, band_opacity), 0);
    draw_columns(plot, one.y, one.y, colour_of(slot), 1.5);
  }

  private rules(plot: uPlot): void {
    const { ctx, bbox } = plot;
    for (const rule of this.chart.rules ?? []) {
      const x = Math.round(plot.valToPos(rule.x, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.save();
      ctx.strokeStyle = colour_of(`--${rule.tone}`);
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillStyle = ctx.strokeStyle;
      ctx.font = `${12 * devicePixelRatio}px ${text_font()}`;
      const room = bbox.left + bbox.width - x;
      ctx.textAlign = room < 160 * devicePixelRatio ? "right" : "left";
      ctx.fillText(rule.says, x + (ctx.textAlign === "left" ? 6 : -6) * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
      ctx.restore();
    }
  }
}

// The whole stands a little apart from the edges; a part of it is shown as it was asked for.
function whole_padded(xs: ArrayLike<number>, least: number, greatest: number): [number, number] {
  if (least > xs[0]! || greatest < xs[xs.length - 1]!) return [least, greatest];
  const pad = (greatest - least) * 0.015 || 0.5;
  return [least - pad, greatest + pad];
}

function wheel_zoom(plot: uPlot): void {
  plot.over.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;  // the wheel alone scrolls the page
    event.preventDefault();
    const { min, max } = plot.scales["x"]!;
    if (!known(min) || !known(max)) return;
    const at = plot.posToVal(event.offsetX, "x");
    const factor = event.deltaY < 0 ? 0.75 : 1 / 0.75;
    const xs = plot.data[0];
    const first = Math.max(xs[0]!, at - (at - min) * factor);
    const last = Math.min(xs[xs.length - 1]!, at + (max - at) * factor);
    plot.setScale("x", { min: first, max: last });
  }, { passive: false });
}
