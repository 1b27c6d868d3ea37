// SPDX-License-Identifier: Apache-2.0
// Series: one metric of one variant of one workload, followed from run to run.
import { address_of, change_view, remember } from "../core/address.ts";
import type { Environment, Points, Series } from "../core/answers.ts";
import { get, get_all } from "../core/api.ts";
import { fill, h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { breakable, facts, keyed, optional, page_head } from "../core/page.ts";
import { date_text, quantity_cell, quantity_text, time_text } from "../core/quantity.ts";
import { Figure } from "../chart/figure.ts";
import { empty_state, interval_cell, run_link } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";
import { changes_section } from "./changes.ts";
import { series_chart } from "./series_chart.ts";

const list_columns: Column<Series>[] = [
  { key: "experiment", header: "experiment", unit: "text", value: (one) => one.experiment },
  { key: "variant", header: "variant", unit: "text", value: (one) => one.variant },
  { key: "problem", header: "problem", unit: "text", value: (one) => one.problem },
  { key: "machine", header: "machine", unit: "text", value: (one) => one.machine },
  { key: "backend", header: "backend", unit: "text", value: (one) => one.backend },
  { key: "metric", header: "metric", unit: "text", value: (one) => one.metric },
  { key: "points", header: "runs", unit: "count", value: (one) => one.points },
];

async function list_page(context: PageContext): Promise<Child> {
  context.title("Series");
  const { experiment, machine, backend, problem, variant } = context.view;
  const series = await get_all<Series>("series", { experiment, machine, backend, problem, variant }, context.signal);
  context.margin(facts("Stored", [
    ["series", series.length],
    ["with two runs or more", series.filter(({ points }) => points > 1).length],
  ]));
  return [
    page_head(experiment ? `Series of ${experiment}` : "From run to run", "Series",
      h("p", { class: "lead" }, "One metric of one variant of one workload, each followed over all runs of its machine.")),
    keyed(context, new Sheet<Series>({
      key: "series", title: "Stored series", columns: list_columns, rows: series, sort: "-points",
      empty: empty_state("No series is stored yet. Every run adds a point to those of its workloads:", "ridge run ch01"),
      link: (one) => address_of({ view: "series", series: String(one.id) }),
    })),
  ];
}

interface PointRow { place: number; run: string; started: string; median: number | null; lo: number | null; hi: number | null; samples: number; environment: number }

function point_rows(points: Points): PointRow[] {
  return points.run.map((run, place) => ({
    place: place + 1, run, started: points.started[place] ?? "", median: points.median[place] ?? null,
    lo: points.lo[place] ?? null, hi: points.hi[place] ?? null,
    samples: points.samples[place] ?? 0, environment: points.environment[place] ?? 0,
  }));
}

function point_sheet(context: PageContext, series: Series, rows: PointRow[], chosen: (runs: string[]) => void): HTMLElement {
  const interval = (row: PointRow): { lo: number; hi: number } | null => (row.lo === null || row.hi === null ? null : { lo: row.lo, hi: row.hi });
  const columns: Column<PointRow>[] = [
    { key: "place", header: "no.", unit: "count", value: (row) => row.place },
    { key: "started", header: "started (UTC)", unit: "text", value: (row) => row.started, cell: (row) => time_text(row.started) },
    { key: "median", header: series.metric, unit: series.unit, value: (row) => row.median, cell: (row) => interval_cell(row.median, interval(row), series.unit) },
    { key: "samples", header: "samples", unit: "count", value: (row) => row.samples },
    { key: "environment", header: "environment", unit: "count", value: (row) => row.environment, hint: "equal numbers: equal environments" },
    { key: "run", header: "run", unit: "text", value: (row) => row.run, cell: (row) => run_link(row.run) },
  ];
  return keyed(context, new Sheet<PointRow>({
    key: "points", title: "Runs of this series", columns, rows, sort: "-place", empty: "This series has no point.",
    link: (row) => address_of({ view: "run", run: row.run, experiment: series.experiment }), id: (row) => row.run, selected: chosen,
  }));
}

async function environment_difference(context: PageContext, first: string, second: string): Promise<Child> {
  const [before, after] = await Promise.all([first, second].map((run) => get<Environment>(`runs/${encodeURIComponent(run)}/environment`, {}, context.signal)));
  const flat = (environment: Environment): Record<string, string> => {
    const { facts: named, findings: _, ...rest } = environment;
    return Object.fromEntries([...Object.entries(rest), ...Object.entries(named)].map(([name, value]) => [name, String(value)]));
  };
  const a = flat(before!);
  const b = flat(after!);
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
  if (names.length === 0) return h("p", { class: "empty" }, "The environments of these two runs are equal in everything that is recorded.");
  return h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, ["fact", first.slice(-6), second.slice(-6)].map((text) => h("th", { scope: "col", class: "word" }, text)))),
    h("tbody", {}, names.map((name) => h("tr", {}, h("th", { scope: "row", class: "word" }, name.replace(/_/g, " ")), h("td", { class: "word" }, a[name] ?? "–"), h("td", { class: "word" }, b[name] ?? "–")))));
}

function switches(context: PageContext): HTMLElement {
  const { view } = context;
  const choice = (name: string, value: string, text: string): HTMLElement =>
    h("button", { type: "button", class: "tool", "aria-pressed": String((view[name] ?? "") === value), onclick: () => change_view({ [name]: value }) }, text);
  return h("div", { class: "switches", role: "group", "aria-label": "How the series is drawn" },
    choice("y", "", "unit"), choice("y", "zero", "from zero"), choice("y", "ratio", "× first run"),
    h("span", { class: "gap" }), choice("x", "", "by run"), choice("x", "time", "by time"));
}

async function one_page(context: PageContext, id: string): Promise<Child> {
  const all = await get_all<Series>("series", {}, context.signal);
  const series = all.find((one) => String(one.id) === id);
  const width = Math.max(320, Math.min(2000, window.innerWidth));
  const points = await get<Points>(`series/${encodeURIComponent(id)}/points`, { px: width, first: context.view["first"], last: context.view["last"] }, context.signal);
  if (!series) return page_head("Series", "No such series", h("p", { class: "lead" }, `The store has no series ${id}.`));
  const { chart, drawing } = series_chart(context, series, points);
  context.title(`${series.variant} · ${series.experiment}`);
  const rows = point_rows(points);
  const newest = rows[rows.length - 1];
  context.margin(facts("This series", [
    ["experiment", h("a", { href: address_of({ view: "experiment", experiment: series.experiment }) }, breakable(series.experiment))],
    ["variant", series.variant], ["role", series.role], ["problem", series.problem], ["machine", series.machine], ["backend", series.backend],
    ["metric", `${series.metric}, ${series.better} is better`],
    ["runs", series.points],
    ["newest", newest ? quantity_cell(newest.median, series.unit) : ""],
    ["measured", newest ? date_text(newest.started) : ""],
    ["environments", new Set(points.environment).size],
  ]), siblings(all, series));
  const difference = h("div", { class: "difference" }, h("p", { class: "note" }, "Select two runs with x to see how their environments differ."));
  const chosen = (runs: string[]): void => {
    if (runs.length !== 2) return;
    const [first, second] = [...runs].sort() as [string, string];
    remember({ a: first, b: second });
    void optional(environment_difference(context, first, second)).then((shown) => fill(difference, shown ?? "The environments are not stored."));
  };
  const { a, b } = context.view;
  if (a && b) chosen([a, b]);
  return [
    page_head(series.experiment, [series.variant, " ", h("span", { class: "title-more" }, series.metric)],
      h("p", { class: "problem-line" }, `${series.problem || "no axes"} · ${series.backend} · ${series.machine}`),
      switches(context)),
    rows.length === 0 ? h("p", { class: "empty" }, empty_state("This series has no point yet:", `ridge run ${series.experiment}`)) : new Figure(chart, drawing).root,
    changes_section(context, series, points),
    point_sheet(context, series, rows, chosen),
    h("section", {}, h("h2", {}, "What differs between two runs"), difference),
    h("p", { class: "note" }, "The same on the command line: ", h("code", { class: "command" }, `ridge history ${series.experiment}`),
      newest ? ` shows the newest as ${quantity_text(newest.median, series.unit)}.` : ""),
  ];
}

function siblings(all: readonly Series[], series: Series): Child {
  const others = all.filter(({ workload, metric, id }) => workload === series.workload && metric === series.metric && id !== series.id);
  if (others.length === 0) return null;
  return h("section", { class: "facts" }, h("h2", {}, "Same workload"),
    h("ul", { class: "plain-list" }, others.map((one) => h("li", {}, h("a", { href: address_of({ view: "series", series: String(one.id) }) }, one.variant)))));
}

export const series_page: Page = async (context) => {
  const id = context.view["series"];
  return id ? one_page(context, id) : list_page(context);
};
