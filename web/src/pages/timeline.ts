// SPDX-License-Identifier: Apache-2.0
// What a run measured when. The store keeps the order of its problems and how long each took, from verification to verdict, and
// not when each began: they are drawn one behind the other.
import { address_of } from "../core/address.ts";
import type { Run } from "../core/answers.ts";
import type { Child } from "../core/dom.ts";
import { h, s } from "../core/dom.ts";
import { breakable } from "../core/page.ts";
import { quantity_text } from "../core/quantity.ts";
import { known } from "../chart/drawing.ts";
import { colours, hash_of } from "../chart/palette.ts";

const width = 1000;
interface Stretch { experiment: string; backend: string; from: number; until: number; bars: { from: number; took: number; says: string }[] }

/** Returns the stretches of problems of one experiment and backend that follow each other, in seconds since the first began. */
export function stretches_of(run: Run, problem_text: (problem: Run["families"][number]["problem"]) => string): Stretch[] {
  const all: Stretch[] = [];
  let at = 0;
  for (const { experiment, backend, problem, wall_s } of run.families) {
    const took = known(wall_s) ? wall_s : 0;
    let stretch = all[all.length - 1];
    if (!stretch || stretch.experiment !== experiment || stretch.backend !== backend) {
      stretch = { experiment, backend, from: at, until: at, bars: [] };
      all.push(stretch);
    }
    stretch.bars.push({ from: at, took, says: `${problem_text(problem) || "no axes"}: ${quantity_text(took, "s")}` });
    at += took;
    stretch.until = at;
  }
  return all;
}

/** Returns the folded timeline of a run; nothing where the store holds no times of its problems. */
export function timeline(run: Run, problem_text: (problem: Run["families"][number]["problem"]) => string): Child {
  const all = stretches_of(run, problem_text);
  const whole = all[all.length - 1]?.until ?? 0;
  if (!(whole > 0)) return null;
  const pixel = (seconds: number): number => (seconds / whole) * width;
  const beyond = known(run.wall_s) && run.wall_s > whole ? ` The run took ${quantity_text(run.wall_s, "s")} in all.` : "";
  return h("details", { class: "folded timeline" },
    h("summary", {}, "what was measured when"),
    h("p", { class: "note" }, `Problems in their order, ${quantity_text(whole, "s")} from verification to verdict; what passed between two of them is not stored.${beyond}`),
    h("ol", {}, all.map(({ experiment, backend, from, until, bars }) => h("li", {},
      h("a", { href: address_of({ view: "run", run: run.id, experiment }) }, breakable(experiment)),
      h("span", { class: "note" }, `${backend} · ${bars.length} ${bars.length === 1 ? "problem" : "problems"} · after ${quantity_text(from, "s")}, ${quantity_text(until - from, "s")}`),
      s("svg", { class: `slot-${hash_of(experiment) % colours}`, viewBox: `0 0 ${width} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "timeline-track", x: 0, y: 4, width, height: 2 }),
        bars.map(({ from: begin, took, says }) => s("rect", { class: "timeline-bar", x: pixel(begin), y: 0, width: Math.max(1, pixel(took) - 0.5), height: 10 }, s("title", {}, says))))))));
}
