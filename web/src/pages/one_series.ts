// SPDX-License-Identifier: Apache-2.0
// One series: its chart, its changes, its runs, and what differs between two of them.
import { address_of, change_view, remember } from "../core/address.ts";
import type { Points, Series } from "../core/answers.ts";
import { get, get_all } from "../core/api.ts";
import { command_line, command_text } from "../core/command_line.ts";
import { fill, h, later } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { PageContext } from "../core/page.ts";
import { breakable, facts, keyed, page_head } from "../core/page.ts";
import { date_text, quantity_cell, time_text } from "../core/quantity.ts";
import { say } from "../core/say.ts";
import { name_of, stars, toggle_star } from "../core/stars.ts";
import { empty_state, interval_cell, run_link } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";
import { changes_section } from "./changes.ts";
import { environment_difference } from "./environments.ts";
import { samples_of_runs } from "./run_samples.ts";
import { series_chart } from "./series_chart.ts";

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

function switches(context: PageContext, ...more: Child[]): HTMLElement {
  const { view } = context;
  const choice = (name: string, value: string, text: string): HTMLElement =>
    h("button", { type: "button", class: "tool", "aria-pressed": String((view[name] ?? "") === value), onclick: () => change_view({ [name]: value }) }, text);
  return h("div", { class: "switches", role: "group", "aria-label": "How the series is drawn" },
    choice("y", "", "unit"), choice("y", "zero", "from zero"), choice("y", "ratio", "× first run"),
    h("span", { class: "gap" }), choice("x", "", "by run"), choice("x", "time", "by time"), h("span", { class: "gap" }), more);
}

function star_button(series: Series): HTMLElement {
  const button = h("button", { type: "button", class: "tool star", onclick: () => show(toggle_star(series), true) });
  function show(is_on: boolean, aloud: boolean): void {
    button.setAttribute("aria-pressed", String(is_on));
    button.textContent = is_on ? "★ on the overview" : "☆ show on the overview";
    if (aloud) say(is_on ? "the overview shows this series" : "the overview no longer shows this series");
  }
  show(stars().includes(name_of(series)), false);
  return button;
}

// Other variants of the workload, which [ and ] lead to. They are asked for once the chart is there.
async function siblings(context: PageContext, series: Series): Promise<Child> {
  const { machine, experiment, backend, problem } = series;
  const all = await get_all<Series>("series", { machine, experiment, backend, problem }, context.signal);
  const same = all.filter(({ workload, metric }) => workload === series.workload && metric === series.metric);
  const at = same.findIndex(({ id }) => id === series.id);
  const address = (one: Series | undefined): string | null => (one ? address_of({ view: "series", series: String(one.id), x: context.view["x"], y: context.view["y"] }) : null);
  if (!context.signal.aborted) context.neighbours(address(same[at - 1]), address(same[at + 1]));
  if (same.length < 2) return h("span", {}, "This is the only variant with this metric.");
  return h("ul", { class: "plain-list" }, same.map((one) => h("li", {},
    h("a", { href: address(one) ?? "", "aria-current": one.id === series.id ? "page" : null }, one.variant))));
}

// What is shown of the runs that are selected: the samples of one or two, and how the environments of two differ.
function selected_runs(context: PageContext, series: Series, newest: PointRow | undefined): { root: HTMLElement; choose(runs: string[]): void } {
  const samples = h("div", {}, h("p", { class: "note" }, "Select a run with x to see its samples, two to compare them."));
  const difference = h("div", { class: "difference" }, h("p", { class: "note" }, "Select two runs with x to see how their environments differ."));
  const choose = (runs: string[]): void => {
    const [first, second] = [...runs].sort().slice(-2);
    remember({ a: first, b: second });
    if (!first) return;
    fill(samples, later("samples are loading", samples_of_runs(context, series, second ? [first, second] : [first])));
    if (second) fill(difference, later("environments are loading", environment_difference(first, second, context.signal)));
  };
  const shown = h("button", { type: "button", class: "tool", onclick: () => { if (newest) choose([newest.run]); } }, "show those of the newest run");
  return {
    root: h("section", {}, h("div", { class: "sheet-head" }, h("h2", {}, "Samples of a run"), newest && shown), samples,
      h("h2", { class: "second" }, "What differs between two runs"), difference),
    choose,
  };
}

function series_facts(series: Series, points: Points, newest: PointRow | undefined): HTMLElement {
  return facts("This series", [
    ["experiment", h("a", { href: address_of({ view: "experiment", experiment: series.experiment }) }, breakable(series.experiment))],
    ["variant", series.variant], ["role", series.role], ["problem", series.problem], ["machine", series.machine], ["backend", series.backend],
    ["metric", `${series.metric}, ${series.better} is better`],
    ["runs", series.points],
    ["newest", newest ? quantity_cell(newest.median, series.unit) : ""],
    ["measured", newest ? date_text(newest.started) : ""],
    ["environments", new Set(points.environment).size],
  ]);
}

function same_on_the_terminal(series: Series): HTMLElement {
  const words = ["ridge", "history", series.experiment] as const;
  return h("section", {}, h("h2", { class: "second" }, "The same on the command line"),
    h("p", {}, command_line(command_text([...words, ["--problem", series.problem], ["--variant", series.variant]]))),
    h("p", {}, command_line(command_text([...words, "--changes"]))));
}

/** Returns the page of the series of this id. */
export async function one_series_page(context: PageContext, id: string): Promise<Child> {
  const path = `series/${encodeURIComponent(id)}`;
  const { first, last, a, b } = context.view;
  const { px } = document.documentElement.dataset;
  const [{ series }, points] = await Promise.all([
    get<{ series: Series }>(path, {}, context.signal),
    get<Points>(`${path}/points`, { px, first, last }, context.signal),
  ]);
  context.title(`${series.variant} · ${series.experiment}`);
  const rows = point_rows(points);
  const newest = rows[rows.length - 1];
  context.margin(series_facts(series, points, newest),
    h("section", { class: "facts" }, h("h2", {}, "Same workload"), later("variants are loading", siblings(context, series))));
  const selected = selected_runs(context, series, newest);
  if (a) selected.choose(b ? [a, b] : [a]);
  return [
    page_head(series.experiment, [series.variant, " ", h("span", { class: "title-more" }, series.metric)],
      h("p", { class: "problem-line" }, `${series.problem || "no axes"} · ${series.backend} · ${series.machine}`),
      switches(context, star_button(series))),
    rows.length === 0 ? h("p", { class: "empty" }, empty_state("This series has no point yet:", `ridge run ${series.experiment}`)) : series_chart(context, series, points).root,
    context.follow(() => changes_section(context, series, points)),
    context.follow(() => [point_sheet(context, series, rows, selected.choose), selected.root, same_on_the_terminal(series)]),
  ];
}
