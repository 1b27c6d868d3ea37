// SPDX-License-Identifier: Apache-2.0
// The lane below a series' chart: which environment each run was made under, and which facts changed between neighbours. The
// store keeps environments by number for each point and no clocks, temperatures or powers, so that the lane shows none.
import type { Points } from "../core/answers.ts";
import { fill, h, s, set_attributes } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { PageContext } from "../core/page.ts";
import { optional } from "../core/page.ts";
import type { DenseView } from "../chart/dense_drawing.ts";
import { differing_facts, environment_of } from "./environments.ts";

const height = 16;
const most_asked = 12;

/** Runs that follow each other and were made under one environment; `first` and `last` are places among the points. */
export interface Stretch { environment: number; first: number; last: number }

/** Returns the stretches of the points, the oldest first. */
export function stretches(environments: readonly number[]): Stretch[] {
  const all: Stretch[] = [];
  environments.forEach((environment, at) => {
    const newest = all[all.length - 1];
    if (newest && newest.environment === environment) newest.last = at;
    else all.push({ environment, first: at, last: at });
  });
  return all;
}

export interface Lane { root: HTMLElement; show(view: DenseView): void }

function lane_of(all: readonly Stretch[], xs: readonly number[]): Lane {
  const drawn = s("svg", { class: "lane-bands", "aria-hidden": "true" });
  // A band ends half way between its last point and the next one's first.
  const edge = (place: number): number => (place <= 0 ? -Infinity : place >= xs.length ? Infinity : (xs[place - 1]! + xs[place]!) / 2);
  const show = (view: DenseView): void => {
    const pixel = (x: number): number => view.left + (Math.max(0, Math.min(1, (x - view.first) / (view.last - view.first))) * view.width);
    set_attributes(drawn, { width: view.left + view.width, height, viewBox: `0 0 ${view.left + view.width} ${height}` });
    drawn.replaceChildren(...all.flatMap(({ environment, first, last }, index) => {
      const from = pixel(edge(first));
      const width = pixel(edge(last + 1)) - from;
      if (width <= 0) return [];
      return [s("rect", { class: `lane-band lane-${index % 2}`, x: from, y: 0, width: Math.max(1, width), height }, s("title", {}, `environment ${environment}`)),
        ...(width > 26 ? [s("text", { class: "lane-name", x: from + 5, y: 12 }, String(environment))] : [])];
    }));
  };
  return { root: h("div", { class: "lane", "data-bands": all.length }, h("span", { class: "lane-title" }, "environment"), drawn), show };
}

// Says what changed at each boundary, the newest first; environments are asked for once each.
async function boundary_notes(context: PageContext, points: Points, all: readonly Stretch[]): Promise<Child> {
  const first_runs = new Map<number, string>();
  for (const { environment, first } of all) if (!first_runs.has(environment)) first_runs.set(environment, points.run[first]!);
  const boundaries = all.slice(1).map((after, index) => ({ before: all[index]!, after })).reverse();
  const told = boundaries.slice(0, most_asked);
  const wanted = [...new Set(told.flatMap(({ before, after }) => [before.environment, after.environment]))];
  const known = new Map(await Promise.all(wanted.map(async (number) => [number, await optional(environment_of(first_runs.get(number)!, context.signal))] as const)));
  return [
    h("ul", { class: "lane-notes" }, told.map(({ before, after }) => {
      const [was, is] = [known.get(before.environment), known.get(after.environment)];
      const run = points.run[after.first]!;
      const changed = was && is ? differing_facts(was, is) : null;
      const facts = !changed ? "which facts changed is not stored" : changed.length === 0 ? "no recorded fact changed"
        : changed.map(({ fact, before: old, after: now }) => `${fact.replace(/_/g, " ")} from ${old ?? "unknown"} to ${now ?? "unknown"}`).join("; ");
      return h("li", {}, h("span", { class: "id", title: run }, `…${run.slice(-6)}`), ` environment ${before.environment} → ${after.environment}: ${facts}`);
    })),
    boundaries.length > told.length && h("p", { class: "note" }, `The newest ${told.length} of ${boundaries.length} changes of environment.`),
  ];
}

/** Returns the lane, or null where all points have one environment, and what is said below it. */
export function environment_lane(context: PageContext, points: Points, xs: readonly number[]): readonly [Lane | null, Child] {
  const all = stretches(points.environment);
  if (all.length < 2) return [null, all.length === 1 && h("p", { class: "note" }, "All runs that are shown were made under one environment.")];
  const room = h("div");
  const details = h("details", { class: "chart-data" }, h("summary", {}, `what changed at ${all.length - 1} ${all.length === 2 ? "boundary" : "boundaries"} of environments`), room);
  details.addEventListener("toggle", () => {
    if (!details.open || room.childElementCount > 0) return;
    room.textContent = "environments are loading";
    void boundary_notes(context, points, all).then((notes) => fill(room, notes), () => { room.textContent = "The environments could not be loaded."; });
  });
  return [lane_of(all, xs), details];
}
