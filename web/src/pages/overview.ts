// SPDX-License-Identifier: Apache-2.0
// What stands in the notebook: how much, what is new, what moves, and which questions it answers.
import { address_of } from "../core/address.ts";
import type { Analysis, List, Points, RunEntry, Series, Summary } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h, s } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, optional, page_head } from "../core/page.ts";
import { date_text, grouped, quantity_text } from "../core/quantity.ts";
import { known } from "../chart/drawing.ts";
import { colours, hash_of } from "../chart/palette.ts";
import { empty_state, verdict_cell } from "../sheet/cells.ts";
import { runs_sheet } from "./runs.ts";

const spark_width = 220;
const spark_height = 54;
const most_sparks = 8;

/** Returns a series as a small line with its interval, and its newest value. */
export function spark(series: Series, points: Points): HTMLElement {
  const values = points.median.filter(known);
  const lo = Math.min(...points.lo.filter(known), ...values);
  const hi = Math.max(...points.hi.filter(known), ...values);
  const x = (at: number): number => 4 + (at / Math.max(1, points.run.length - 1)) * (spark_width - 8);
  const y = (value: number): number => (hi > lo ? spark_height - 5 - ((value - lo) / (hi - lo)) * (spark_height - 10) : spark_height / 2);
  const at = points.median.flatMap((value, place) => (known(value) ? [[x(place), y(value)] as const] : []));
  const path = at.map(([px, py], index) => `${index ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const whisker = points.run.flatMap((_, place) => {
    const low = points.lo[place];
    const high = points.hi[place];
    return known(low) && known(high) ? [`M${x(place).toFixed(1)} ${y(low).toFixed(1)}V${y(high).toFixed(1)}`] : [];
  }).join("");
  const newest = values[values.length - 1];
  const last = at[at.length - 1];
  return h("a", { class: "spark", href: address_of({ view: "series", series: String(series.id) }) },
    h("span", { class: "spark-name" }, series.variant), h("span", { class: "spark-value" }, quantity_text(newest, series.unit)),
    s("svg", { class: `slot-${hash_of(`${series.experiment} ${series.variant}`) % colours}`, viewBox: `0 0 ${spark_width} ${spark_height}`, "aria-hidden": "true" },
      s("path", { class: "chart-bar", d: whisker }), s("path", { class: "chart-line", d: path }),
      last && s("circle", { class: "chart-point", cx: last[0], cy: last[1], r: 3 })),
    h("span", { class: "spark-more" }, `${series.experiment} · ${series.machine} · ${points.run.length} runs`));
}

async function sparks(context: PageContext): Promise<Child> {
  const list = await optional(get<List<Series>>("series", {}, context.signal));
  const longest = (list?.items ?? []).filter(({ points }) => points > 2).sort((first, second) => second.points - first.points).slice(0, most_sparks);
  if (longest.length === 0)
    return h("p", { class: "empty" }, empty_state("No workload was measured three times yet; a series needs runs:", "ridge run ch01"));
  const points = await Promise.all(longest.map((one) => get<Points>(`series/${one.id}/points`, { px: spark_width }, context.signal)));
  return h("div", { class: "sparks" }, longest.map((one, index) => spark(one, points[index]!)));
}

function headline(summary: Summary): Child {
  const number = (value: number, text: string): Child => h("div", { class: "figure-cell" }, h("span", { class: "figure-number" }, grouped(value)), h("span", { class: "figure-text" }, text));
  return h("div", { class: "figures" },
    number(summary.runs, summary.runs === 1 ? "run" : "runs"), number(summary.families, "problems measured"),
    number(summary.comparisons, "comparisons in pairs"), number(summary.samples, "samples kept"));
}

function questions(analyses: readonly Analysis[]): Child {
  return h("section", {}, h("h2", {}, "Questions that the results answer"),
    h("ul", { class: "questions two" }, analyses.map((analysis) => h("li", {},
      h("a", { href: address_of({ view: "analysis", name: analysis.name }) },
        h("span", { class: "question-title" }, analysis.title), h("span", { class: "question" }, analysis.question))))));
}

export const overview_page: Page = async (context) => {
  context.title("");
  const [summary, runs, analyses] = await Promise.all([
    get<Summary>("summary", {}, context.signal),
    get<List<RunEntry>>("runs", { limit: 8 }, context.signal),
    optional(get<List<Analysis>>("analyses", {}, context.signal)),
  ]);
  context.margin(
    facts("Stored", [
      ["experiments", summary.experiments], ["workloads", summary.workloads], ["newest", summary.newest ? date_text(summary.newest.started) : ""],
    ]),
    facts("Newest verdicts", (["better", "worse", "inconclusive", "invalid", "unverified"] as const).map((name) => [verdict_cell(name.toUpperCase()), summary[name]] as const)),
    h("section", { class: "facts" }, h("h2", {}, "Machines"), h("ul", { class: "plain-list" }, summary.machines.map((name) =>
      h("li", {}, h("a", { href: address_of({ view: "series", machine: name }) }, name))))));
  const head = page_head("Laboratory notebook", "What was measured", headline(summary));
  if (summary.runs === 0)
    return [head, h("p", { class: "empty" }, empty_state("Nothing is stored yet. Measure the first chapter, in about a minute:", "ridge run ch01 --profile minimal")), analyses && questions(analyses.items)];
  return [
    head,
    h("section", {}, h("h2", {}, "From run to run"), await sparks(context)),
    runs_sheet(context, runs.items, "Newest runs"),
    analyses && questions(analyses.items),
  ];
};
