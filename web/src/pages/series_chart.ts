// SPDX-License-Identifier: Apache-2.0
// The chart of a series: medians with their intervals, the level of each segment, and the changes between them.
import { address_of, remember } from "../core/address.ts";
import type { Change, Points, Series } from "../core/answers.ts";
import type { PageContext } from "../core/page.ts";
import { debounced, h } from "../core/dom.ts";
import { chance_text, time_text } from "../core/quantity.ts";
import { Brush } from "../chart/brush.ts";
import { DenseDrawing } from "../chart/dense_drawing.ts";
import type { DenseView } from "../chart/dense_drawing.ts";
import type { DrawnChart, DrawnSeries } from "../chart/drawing.ts";
import { known } from "../chart/drawing.ts";
import { Figure } from "../chart/figure.ts";
import { colours, hash_of } from "../chart/palette.ts";
import { environment_lane } from "./environment_lane.ts";

/** Returns for each point the level of its segment; ids of runs sort by time. */
export function levels(points: Points): (number | null)[] {
  const segments = points.segments ?? [];
  let at = 0;  // both are in the order of time
  return points.run.map((run) => {
    while (at < segments.length && segments[at]!.last_run < run) at += 1;
    const segment = segments[at];
    return segment && segment.first_run <= run ? segment.median ?? null : null;
  });
}

/** Returns how large a change is: "1.031× worse"; where the ratio is unknown its direction alone. */
export function change_size({ ratio, direction }: Change): string {
  if (!known(ratio) || ratio <= 0) return direction;
  const size = ratio >= 1 ? ratio : 1 / ratio;
  return `${size.toFixed(size > 2 ? 1 : 3)}× ${direction}`;
}

/** Returns what a change is called: "1.031× worse, p ≤ .001, confirmed". */
export function change_text(change: Change): string {
  const { p } = change;
  const chance = known(p) ? `, p ${chance_text(p)}` : "";
  return `${change_size(change)}${chance}, ${change.state || "untriaged"}`;
}

/** Returns the chart with the lane of environments and the strip of the whole series below it. */
export function series_chart(context: PageContext, series: Series, points: Points): Figure {
  const { view } = context;
  const first = points.median.find(known) ?? 1;
  const scale = view["y"] === "ratio" ? 1 / first : 1;
  const scaled = (values: readonly (number | null | undefined)[]): (number | null)[] => values.map((value) => (known(value) ? value * scale : null));
  const by_time = view["x"] === "time";
  const xs = points.run.map((_, at) => (by_time ? Date.parse(points.started[at] ?? "") / 1000 : at + 1));
  const slot = hash_of(`${series.experiment} ${series.variant}`) % colours;
  let said: string[] | null = null;  // made when a point is first read
  const medians: DrawnSeries = {
    name: series.variant, mark: "line", plain: true, key: slot, x: xs, y: scaled(points.median), low: scaled(points.lo), high: scaled(points.hi),
    get says() { return (said ??= points.run.map((run, at) => `${time_text(points.started[at] ?? "")}\n${points.samples[at] ?? 0} samples, environment ${points.environment[at] ?? "unknown"}\nrun …${run.slice(-6)}`)); },
    link: (at) => address_of({ view: "run", run: points.run[at] ?? "", experiment: series.experiment }),
  };
  const segments: DrawnSeries = { name: "level", mark: "steps", plain: true, key: (slot + 3) % colours, x: xs, y: scaled(levels(points)), low: [], high: [], says: [] };
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
    x_text: (value) => (by_time ? time_text(new Date(value * 1000).toISOString()) : thinned ? time_text(points.started[value - 1] ?? "") 
      : value < 1 || value > xs.length ? "" : `no. ${value}`),
  };
  const brush = xs.length > 2 ? new Brush({ x: xs, y: medians.y, text: (value) => chart.x_text!(by_time ? value : Math.round(value)) }, slot, (from, until) => drawing.zoom(from, until)) : null;
  const [lane, lane_filled] = environment_lane(context, points, xs);
  let noted: DenseView | null = null;
  const note = debounced(250, () => {
    if (!noted || context.signal.aborted) return;
    const whole = noted.first <= (xs[0] ?? 0) && noted.last >= (xs[xs.length - 1] ?? 1);
    remember({ from: whole ? null : noted.first.toFixed(2), until: whole ? null : noted.last.toFixed(2) });
  });
  const drawing: DenseDrawing = new DenseDrawing(chart, context.signal, (seen) => {
    brush?.show(seen.first, seen.last, seen.left, seen.width);
    lane?.show(seen);
    noted = seen;
    note();
  });
  const figure = new Figure(chart, drawing, h("div", { class: "chart-below" }, lane?.root, brush?.root, lane_filled));
  const [from, until] = [Number(view["from"]), Number(view["until"])];
  if (view["from"] && view["until"] && from < until) drawing.zoom(from, until);
  return figure;
}
