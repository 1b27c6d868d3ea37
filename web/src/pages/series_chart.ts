// SPDX-License-Identifier: Apache-2.0
// The chart of a series: medians with their intervals, the level of each segment, and the changes between them.
import { address_of, remember } from "../core/address.ts";
import type { Change, Points, Series } from "../core/answers.ts";
import type { PageContext } from "../core/page.ts";
import { quantity_text, time_text } from "../core/quantity.ts";
import { DenseDrawing } from "../chart/dense_drawing.ts";
import type { DrawnChart, DrawnSeries } from "../chart/drawing.ts";
import { known } from "../chart/drawing.ts";
import { colours, hash_of } from "../chart/palette.ts";

/** Returns for each point the level of its segment; ids of runs sort by time. */
export function levels(points: Points): (number | null)[] {
  return points.run.map((run) => (points.segments ?? []).find(({ first_run, last_run }) => first_run <= run && run <= last_run)?.median ?? null);
}

/** Returns what a change is called: "1.031× worse, p ≤ .001, confirmed". */
export function change_text(change: Change): string {
  const { ratio, p } = change;
  const size = known(ratio) && ratio > 0 ? `${(ratio >= 1 ? ratio : 1 / ratio).toFixed(ratio > 2 || ratio < 0.5 ? 1 : 3)}× ${change.direction}` : change.direction;
  const chance = known(p) ? `, p ${p < 0.0015 ? "≤ .001" : p.toFixed(3)}` : "";
  return `${size}${chance}, ${change.state || "untriaged"}`;
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
  const { changes } = points;
  const thinned = points.points > points.run.length;
  const lines = (points.segments ?? []).length > 1 ? [medians, segments] : [medians];
  if (view["y"] === "zero") lines.push({ name: "", mark: "dashed", key: slot, x: xs, y: xs.map(() => 0), low: [], high: [], says: [] });
  const chart: DrawnChart = {
    title: `${series.variant} from run to run`,
    subtitle: `Median with its 95 % interval, ${series.better} is better. ${thinned ? `The least and greatest of ${points.points} points at each place. ` : ""}Drag to zoom, double click to reset; click a point to open its run.`,
    x: { label: by_time ? "started" : "run", unit: "", scale: "linear", categories: [] },
    y: { label: view["y"] === "ratio" ? `${series.metric}, first run = 1` : series.metric, unit: view["y"] === "ratio" ? "1" : series.unit, scale: "linear", categories: [] },
    series: lines,
    limits: [],
    rules: changes.flatMap((change) => {
      const at = points.run.findIndex((run) => run >= change.run);
      if (at < 0 || change.state === "noise") return [];
      return [{ x: xs[at]! - (by_time ? 0 : 0.5), says: change_text(change), tone: change.direction }];
    }),
    x_text: (value) => (by_time ? time_text(new Date(value * 1000).toISOString()) : thinned ? time_text(points.started[value - 1] ?? "") : `no. ${value}`),
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
