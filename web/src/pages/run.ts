// SPDX-License-Identifier: Apache-2.0
// One run: what was asked, what every variant took, what the pairs say, and what was checked.
import { address_of, remember } from "../core/address.ts";
import type { Comparison, Family, Measurement, Run, RunEntry } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { fill, h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, optional, page_head } from "../core/page.ts";
import { count_text, date_text, quantity_text, time_text, unknown_mark } from "../core/quantity.ts";
import { empty_state, interval_cell, share_cell, verdict_cell, verdict_tone } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";
import { family_detail } from "./family.ts";
import { timeline } from "./timeline.ts";

export interface VariantRow {
  family: Family;
  index: number;
  place: number;
  measured: Measurement;
  pair: Comparison | null;
}

/** Returns a problem as text: "rows=4096 columns=2^12". */
export function problem_text(problem: Family["problem"]): string {
  return Object.entries(problem).map(([axis, value]) => `${axis}=${typeof value === "number" ? count_text(value) : value}`).join(" ");
}

/** Returns the rows of the variants of a run, each with the comparison that decides about it. */
export function variant_rows(families: readonly Family[]): VariantRow[] {
  return families.flatMap((family, index) => family.measurements.map((measured, place) => ({
    family, index, place, measured,
    pair: family.comparisons.find((pair) => pair.candidate === measured.variant && pair.headline)
      ?? family.comparisons.find((pair) => pair.candidate === measured.variant && pair.judged) ?? null,
  })));
}

const columns: Column<VariantRow>[] = [
  { key: "variant", header: "variant", unit: "text", value: (row) => row.measured.variant },
  { key: "role", header: "role", unit: "text", value: (row) => row.measured.role, minor: true },
  {
    key: "median", header: "median", unit: "s", value: (row) => row.measured.metrics[0]?.median,
    cell: (row) => not_measured(row.measured) ?? interval_cell(row.measured.metrics[0]?.median, row.measured.metrics[0]?.ci, row.measured.metrics[0]?.metric.unit ?? ""),
    hint: "of the metric that decides, with half the width of its 95 % interval",
  },
  { key: "of_ceiling", header: "of ceiling", unit: "1", value: (row) => row.measured.of_ceiling, cell: (row) => share_cell(row.measured.of_ceiling), hint: "share of the measured limit of this machine" },
  { key: "bound", header: "bound", unit: "text", value: (row) => (row.measured.bound === "unknown" ? "" : row.measured.bound), minor: true },
  { key: "ratio", header: "× baseline", unit: "1", value: (row) => row.pair?.ratio, interval: (row) => row.pair?.ci, hint: "how many times better than the baseline, from pairs; above 1 is better" },
  { key: "verdict", header: "verdict", unit: "text", value: (row) => row.pair?.verdict, cell: verdict_of },
  { key: "assurance", header: "assured", unit: "count", value: (row) => row.pair?.assurance, cell: (row) => (row.pair?.assurance === null || row.pair?.assurance === undefined ? unknown_mark() : `${row.pair.assurance} of 3`), minor: true },
];

function verdict_of(row: VariantRow): Child {
  if (row.measured.role === "baseline") return h("span", { class: "note" }, "baseline");
  if (row.pair) return verdict_cell(row.pair.verdict);
  // Libraries are references: how near the best variant comes stands in their row.
  const against = row.family.comparisons.filter(({ reference, ratio }) => reference === row.measured.variant && ratio);
  const best = against.sort((first, second) => (second.ratio ?? 0) - (first.ratio ?? 0))[0];
  if (!best?.ratio) return unknown_mark();
  return h("span", { class: "note" }, `${best.candidate}: ${best.ratio.toFixed(2)}× of it`);
}

function not_measured(measured: Measurement): Child {
  if (measured.refused) return h("span", { class: "tone-bad", title: measured.refused }, `refused: ${measured.refused}`);
  if (measured.skipped) return h("span", { class: "note", title: measured.skipped }, `skipped: ${measured.skipped}`);
  return null;
}

function family_section(context: PageContext, run: Run, index: number): HTMLElement {
  const family = run.families[index]!;
  const sheet = new Sheet<VariantRow>({
    key: `f${index}`,
    title: `${family.experiment} on ${family.backend}`,
    columns,
    rows: variant_rows([family]).map((row) => ({ ...row, index })),
    empty: family.skipped || "No variant of this problem was measured.",
    tone: (row) => verdict_tone(row.pair?.verdict),
    notes: [],
  });
  const detail = h("div", { class: "family-detail" });
  const folded = h("details", { class: "folded", open: context.view["problem"] === String(index) },
    h("summary", {}, "samples, comparisons, checks"), detail);
  let filled = false;
  const open = (): void => {
    if (!folded.open) return;
    remember({ problem: String(index) });
    if (filled) return;
    filled = true;
    fill(detail, family_detail(context, run.id, family, index));
  };
  folded.addEventListener("toggle", open);
  return h("article", { class: "family", id: `problem-${index}` },
    h("p", { class: "question" }, family.question),
    h("p", { class: "problem-line" },
      h("a", { href: address_of({ view: "experiment", experiment: family.experiment }) }, family.title), " · ", problem_text(family.problem) || "no axes",
      family.rounds > 0 && ` · ${family.rounds} rounds`, noise(family)),
    keyed(context, sheet), folded);
}

function noise(family: Family): string {
  const aa = family.comparisons.find((pair) => pair.aa)?.aa;
  if (!aa) return "";
  const floor = Math.max(Math.abs(1 - aa.lo), Math.abs(aa.hi - 1));
  return ` · noise floor ±${(floor * 100).toFixed(floor < 0.01 ? 2 : 1)} %`;
}

function run_facts(run: Run): Child {
  const { environment } = run;
  return [
    facts("This run", [
      ["started", `${time_text(run.started)} UTC`],
      ["took", run.wall_s === null || run.wall_s === undefined ? "never finished" : quantity_text(run.wall_s, "s")],
      ["profile", run.profile],
      ["problems", run.families.length],
      ["seed", String(run.seed)],
      ["least effect", `${(run.min_effect * 100).toFixed(1)} %`],
      ["id", h("span", { class: "id break" }, run.id)],
    ]),
    facts("Environment", [
      ["machine", environment.machine],
      ["processor", environment.cpu],
      ["cores", environment.cores],
      ["memory", quantity_text(environment.memory_bytes, "B")],
      ...Object.entries(environment.facts).map(([name, value]) => [name.replace(/_/g, " "), value] as const),
      ["kernel", environment.kernel],
      ["compiler", environment.compiler],
      ["flags", environment.flags],
      ["build", environment.build],
    ]),
  ];
}

export const run_page: Page = async (context) => {
  const id = context.view["run"] ?? "";
  const run = await get<Run>(`runs/${encodeURIComponent(id)}`, {}, context.signal);
  context.title(`Run ${run.id.slice(-6)}`);
  const around = await optional(get<{ items: RunEntry[] }>("runs", { limit: 500 }, context.signal));
  const at = (around?.items ?? []).findIndex((entry) => entry.id === run.id);
  const linked = (entry: RunEntry | undefined): string | null => (entry ? address_of({ view: "run", run: entry.id }) : null);
  const older = at >= 0 ? linked(around!.items[at + 1]) : null;
  const newer = at > 0 ? linked(around!.items[at - 1]) : null;
  context.neighbours(older, newer);
  context.margin(run_facts(run));
  const rows = variant_rows(run.families);
  const counted = count_verdicts(rows);
  const wanted = context.view["experiment"];
  const shown = run.families.map((family, index) => ({ family, index })).filter(({ family }) => !wanted || family.experiment === wanted);
  return [
    page_head(`Run of ${date_text(run.started)}`, `${run.environment.machine}`,
      h("p", { class: "run-command" }, h("code", {}, command_text(run.command))),
      h("p", { class: "tally" }, counted.map(([verdict, count]) => h("span", {}, verdict_cell(verdict), ` ${count}`))),
      h("p", { class: "ways" },
        older && h("a", { href: older }, "← the run before"), newer && h("a", { href: newer }, "the run after →"),
        h("a", { href: address_of({ view: "roofline", run: run.id }) }, "its roofline"),
        older && h("a", { href: address_of({ view: "compare", a: around!.items[at + 1]!.id, b: run.id }) }, "against the run before"))),
    run.families.length > 3 && contents(run, wanted),
    timeline(run, problem_text),
    shown.length === 0 ? h("p", { class: "empty" }, empty_state("This run holds no result.", `ridge show ${run.id}`)) : shown.map(({ index }) => family_section(context, run, index)),
  ];
};

function command_text(command: readonly string[]): string {
  return ["ridge", ...command.slice(1)].join(" ");
}

function count_verdicts(rows: readonly VariantRow[]): [string, number][] {
  const counted = new Map<string, number>();
  for (const { pair } of rows) if (pair) counted.set(pair.verdict, (counted.get(pair.verdict) ?? 0) + 1);
  return [...counted].sort((first, second) => second[1] - first[1]);
}

function contents(run: Run, wanted: string | undefined): HTMLElement {
  const names = [...new Set(run.families.map(({ experiment }) => experiment))];
  return h("nav", { class: "contents", "aria-label": "Experiments of this run" },
    h("a", { href: address_of({ view: "run", run: run.id }), "aria-current": wanted ? null : "true" }, "all"),
    names.map((name) => h("a", { href: address_of({ view: "run", run: run.id, experiment: name }), "aria-current": wanted === name ? "true" : null }, name)));
}
