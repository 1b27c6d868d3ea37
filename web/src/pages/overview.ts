// SPDX-License-Identifier: Apache-2.0
// What stands in the notebook: how much, what is new, what moves, and which questions it answers.
import { address_of } from "../core/address.ts";
import type { Analysis, List, Points, RunEntry, Series, SeriesChanges, Summary } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h, later, s } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, optional, page_head } from "../core/page.ts";
import { date_text, grouped, quantity_text } from "../core/quantity.ts";
import { name_of, stars } from "../core/stars.ts";
import { known } from "../chart/drawing.ts";
import { colours, hash_of } from "../chart/palette.ts";
import { empty_state, verdict_cell } from "../sheet/cells.ts";
import { runs_sheet } from "./runs.ts";
import { change_size } from "./series_chart.ts";

const spark_width = 220;
const spark_height = 54;
const most_sparks = 8;
const most_changes = 6;

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
    h("span", { class: "spark-more" }, series.experiment), h("span", { class: "spark-more" }, `${series.machine} · ${series.points} runs`));
}

// Series that the reader marked, or else the longest.
async function sparks(context: PageContext): Promise<Child> {
  const marked = new Set(stars());
  const starred = marked.size === 0 ? [] : (await get<List<Series>>("series", {}, context.signal)).items.filter((one) => marked.has(name_of(one)));
  const longest = async (): Promise<Series[]> =>
    (await get<List<Series>>("series", { sort: "-points", limit: most_sparks }, context.signal)).items.filter(({ points }) => points > 2);
  const shown = starred.length > 0 ? starred.slice(0, most_sparks) : await longest();
  if (shown.length === 0)
    return h("p", { class: "empty" }, empty_state("No workload was measured three times yet; a series needs runs:", "ridge run ch01"));
  const points = await Promise.all(shown.map((one) => get<Points>(`series/${one.id}/points`, { px: spark_width }, context.signal)));
  return [
    h("div", { class: "sparks" }, shown.map((one, index) => spark(one, points[index]!))),
    h("p", { class: "note" }, starred.length === 0 ? "The longest series. Those that you mark with ☆ on their page stand here instead."
      : starred.length > shown.length ? `${shown.length} of the ${starred.length} series that you marked.` : "The series that you marked."),
  ];
}

type NewChange = SeriesChanges & { change: SeriesChanges["changes"][number] };

// Changes of which nobody has said yet what they are, the newest first.
async function inbox(context: PageContext): Promise<Child> {
  const { items } = await get<List<SeriesChanges>>("changes", {}, context.signal);
  const all: NewChange[] = items.flatMap((series) => series.changes.map((change) => ({ ...series, change })));
  const untold = all.filter(({ change }) => !change.state || change.state === "untriaged").sort((first, second) => (first.change.run < second.change.run ? 1 : -1));
  const watched = items.filter(({ watching }) => watching).length;
  const ending = [
    all.length > untold.length && `${all.length - untold.length} more have been told what they are.`,
    watched > 0 && `${watched} series ${watched === 1 ? "is" : "are"} watched: ${watched === 1 ? "its" : "their"} newest runs differ, too few to call it a change.`,
  ].filter(Boolean).join(" ");
  if (untold.length === 0) return h("p", { class: "empty" }, all.length === 0 ? "No series changed: what differs from run to run is noise, or there are too few runs to tell." : "Every change was told what it is.", " ", ending);
  return [
    h("ul", { class: "inbox" }, untold.slice(0, most_changes).map(({ change, ...one }) => h("li", {},
      verdict_cell(change.direction.toUpperCase()), h("span", { class: "inbox-size" }, change_size(change).replace(/ \w+$/, "")),
      h("a", { href: address_of({ view: "series", series: String(one.series) }) }, `${one.experiment} ${one.variant}`),
      h("span", { class: "note" }, `${one.problem} · ${one.backend} · ${one.machine} · since ${date_text(change.started)}`)))),
    h("p", { class: "note" }, untold.length > most_changes && `The newest ${most_changes} of ${untold.length}. `, ending),
  ];
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
    h("section", {}, h("h2", {}, "From run to run"), later("series are loading", sparks(context))),
    h("section", {}, h("h2", {}, "Changes to look at"), later("changes are looked for", inbox(context))),
    runs_sheet(context, runs.items, "Newest runs"),
    analyses && questions(analyses.items),
  ];
};
