// SPDX-License-Identifier: Apache-2.0
// The chart of a series: medians with their intervals, the level of each segment, and the changes between them.
import { address_of, remember } from "../core/address.ts";
import type { Points, Series } from "../core/answers.ts";
import type { PageContext } from "../core/page.ts";
import { quantity_text, time_text } from "../core/quantity.ts";
import { DenseDrawing } from "../chart/dense_drawing.ts";
import type { DrawnChart, DrawnSeries } from "../chart/drawing.ts";
import { known } from "../chart/drawing.ts";
import { colours, hash_of } from "../chart/palette.ts";

function median_of(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const ordered = [...values].sort((first, second) => first - second);
  const middle = Math.floor(ordered.length / 2);
  return ordered.length % 2 ? ordered[middle]! : (ordered[middle - 1]! + ordered[middle]!) / 2;
}

/** Returns for each point the median of its segment; segments end where a change begins. */
export function levels(points: Points): (number | null)[] {
  const starts = new Set((points.changes ?? []).filter(({ state }) => state !== "noise").map(({ run }) => run));
  const level: (number | null)[] = [];
  let first = 0;
  const close = (end: number): void => {
    const value = median_of(points.median.slice(first, end).filter(known));
    for (; first < end; first += 1) level.push(value);
  };
  points.run.forEach((run, at) => { if (starts.has(run)) close(at); });
  close(points.run.length);
  return level;
}

/** Returns what a change is called: "+3.1 %, p .001, confirmed". */
export function change_text(change: { ratio?: number | null | undefined; p?: number | null | undefined; state: string }): string {
  const size = known(change.ratio) ? `${change.ratio >= 1 ? "+" : "−"}${Math.abs((change.ratio - 1) * 100).toFixed(1)} %` : "changed";
  const chance = known(change.p) ? `, p ${change.p < 0.0015 ? "≤ .001" : change.p.toFixed(3)}` : "";
  return `${size}${chance}, ${change.state}`;
}

export function series_chart(context: PageContext, series: Series, points: Points): { chart: DrawnChart; drawing: DenseDrawing } {
  const { view } = context;
  const first = points.median.find(known) ?? 1;
  const scale = view["y"] === "ratio" ? 1 / first : 1;
  const scaled = (values: readonly (number | null | undefined)[]): (number | null)[] => values.map((value) => (known(value) ? value * scale : null));
  const by_time = view["x"] === "time";
  const xs = points.run.map((_, at) => (by_time ? Date.parse(points.started[at] ?? "") / 1000 : at + 1));
  const slot = hash_of(`${series.experiment} ${series.variant}`) % colours;
  const medians: DrawnSeries = {
    name: series.variant, mark: "line", key: slot, x: xs, y: scaled(points.median), low: scaled(points.lo), high: scaled(points.hi),
    says: points.run.map((run, at) => `${time_text(points.started[at] ?? "")}\n${points.samples[at] ?? 0} samples, environment ${points.environment[at] ?? "unknown"}\nrun …${run.slice(-6)}`),
    links: points.run.map((run) => address_of({ view: "run", run, experiment: series.experiment })),
  };
  const segments: DrawnSeries = { name: "level", mark: "steps", key: (slot + 3) % colours, x: xs, y: scaled(levels(points)), low: [], high: [], says: [] };
  const changes = points.changes ?? [];
  const lines = changes.length > 0 ? [medians, segments] : [medians];
  if (view["y"] === "zero") lines.push({ name: "", mark: "dashed", key: slot, x: xs, y: xs.map(() => 0), low: [], high: [], says: [] });
  const chart: DrawnChart = {
    title: `${series.variant} from run to run`,
    subtitle: `Median with its 95 % interval, ${series.better} is better. Drag to zoom, double click to reset; click a point to open its run.`,
    x: { label: by_time ? "started" : "run", unit: "", scale: "linear", categories: [] },
    y: { label: view["y"] === "ratio" ? `${series.metric}, first run = 1` : series.metric, unit: view["y"] === "ratio" ? "1" : series.unit, scale: "linear", categories: [] },
    series: lines,
    limits: [],
    rules: changes.flatMap((change) => {
      const at = points.run.indexOf(change.run);
      if (at < 0 || change.state === "noise") return [];
      const worse = known(change.ratio) && (change.ratio > 1) === (series.better === "lower");
      return [{ x: xs[at]! - (by_time ? 0 : 0.5), says: change_text(change), tone: worse ? "worse" : "better" }];
    }),
    x_text: (value) => (by_time ? time_text(new Date(value * 1000).toISOString()) : `no. ${value}`),
  };
  const last = xs[xs.length - 1] ?? 1;
  const drawing = new DenseDrawing(chart, context.signal, (from, until) => {
    const whole = from <= (xs[0] ?? 0) && until >= last;
    remember({ from: whole ? null : from.toFixed(2), until: whole ? null : until.toFixed(2) });
  });
  return { chart, drawing };
}

/** Returns the newest value of a series as text. */
export function newest_text(series: Series, points: Points): string {
  return quantity_text(points.median[points.median.length - 1], series.unit);
}
