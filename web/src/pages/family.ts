// SPDX-License-Identifier: Apache-2.0
// What lies behind the table of one problem: its samples, every comparison, every check.
import type { Check, Comparison, Samples, Family } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { PageContext } from "../core/page.ts";
import { keyed, optional } from "../core/page.ts";
import { quantity_text } from "../core/quantity.ts";
import { Figure } from "../chart/figure.ts";
import { ecdf_chart } from "../chart/distribution.ts";
import type { DrawnChart } from "../chart/drawing.ts";
import { known } from "../chart/drawing.ts";
import { slots_of } from "../chart/palette.ts";
import { verdict_cell, verdict_tone } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";

const comparisons: Column<Comparison>[] = [
  { key: "candidate", header: "candidate", unit: "text", value: (pair) => pair.candidate },
  { key: "reference", header: "against", unit: "text", value: (pair) => pair.reference },
  { key: "metric", header: "metric", unit: "text", value: (pair) => pair.metric.name },
  { key: "ratio", header: "ratio", unit: "1", value: (pair) => pair.ratio, interval: (pair) => pair.ci },
  { key: "level", header: "level", unit: "%", value: (pair) => (pair.level ? pair.level * 100 : null) },
  { key: "pairs", header: "pairs", unit: "count", value: (pair) => pair.pairs },
  { key: "verdict", header: "verdict", unit: "text", value: (pair) => (pair.judged ? pair.verdict : "shown only"), cell: (pair) => (pair.judged ? verdict_cell(pair.verdict) : h("span", { class: "note" }, "shown only")) },
];

const signs: Record<string, string> = { pass: "✓", warn: "!", fail: "✕", failed: "✕", skipped: "–" };
interface CheckRow extends Check { about: string }
const checks: Column<CheckRow>[] = [
  { key: "result", header: "result", unit: "text", value: (check) => check.result, cell: (check) => h("span", { class: `check check-${check.result}` }, h("span", { class: "sign", "aria-hidden": "true" }, signs[check.result] ?? "·"), check.result) },
  { key: "id", header: "check", unit: "text", value: (check) => check.id.replace(/_/g, " ") },
  { key: "about", header: "of", unit: "text", value: (check) => check.about },
  { key: "evidence", header: "evidence", unit: "text", value: (check) => check.evidence, cell: (check) => h("span", { class: "wrap" }, check.evidence) },
];

const order: Record<string, number> = { fail: 0, failed: 0, warn: 1, skipped: 2, pass: 3 };

function check_rows(family: Family): CheckRow[] {
  const rows = family.checks.map((check) => ({ ...check, about: "problem" }));
  for (const pair of family.comparisons)
    for (const check of pair.checks ?? []) rows.push({ ...check, about: pair.candidate });
  return rows.sort((first, second) => (order[first.result] ?? 2) - (order[second.result] ?? 2));
}

function samples_chart(family: Family, samples: readonly (Samples | null)[]): DrawnChart {
  const slots = slots_of(family.measurements.map(({ variant }) => variant));
  const unit = samples.find((one) => one?.series[0])?.series[0]?.unit ?? "s";
  const named = family.measurements.map(({ variant }, index) => ({
    name: variant, slot: slots.get(variant) ?? 0, values: (samples[index]?.series[0]?.value ?? []).filter(known),
  }));
  return ecdf_chart(`Samples of ${family.experiment}`, family.measurements[0]?.metrics[0]?.metric.name ?? "", unit, named);
}

async function samples_of(context: PageContext, run: string, family: number, count: number): Promise<(Samples | null)[]> {
  return Promise.all(Array.from({ length: count }, (_, measurement) =>
    optional(get<Samples>(`runs/${encodeURIComponent(run)}/samples`, { family, measurement, format: "json" }, context.signal))));
}

/** Returns the parts that a reader opens below a problem. */
export function family_detail(context: PageContext, run: string, family: Family, index: number): Child {
  const drawn = h("div", { class: "waiting" }, "samples are loading");
  void samples_of(context, run, index, family.measurements.length).then((samples) => {
    if (samples.every((one) => !one?.series[0]?.value.length)) drawn.textContent = "The samples of this problem are not stored.";
    else drawn.replaceWith(new Figure(samples_chart(family, samples)).root);
  }, () => { drawn.textContent = "The samples could not be loaded."; });
  const rows = check_rows(family);
  const held = rows.filter(({ result }) => result === "pass").length;
  return [
    drawn,
    keyed(context, new Sheet<Comparison>({
      key: `p${index}`, title: "Comparisons", columns: comparisons, rows: family.comparisons, empty: "No two variants of this problem were compared.",
      tone: (pair) => (pair.judged ? verdict_tone(pair.verdict) : "same"),
    })),
    keyed(context, new Sheet<CheckRow>({
      key: `k${index}`, title: `Checks: ${held} of ${rows.length} passed`, columns: checks, rows, empty: "No check was stored.",
      tone: (row) => (row.result.startsWith("fail") ? "bad" : row.result === "warn" ? "warn" : null),
    })),
    h("p", { class: "note" }, `By definition a call does ${quantity_text(family.flop, "FLOP")}, reads ${quantity_text(family.bytes_read, "B")} and writes ${quantity_text(family.bytes_written, "B")}.`),
  ];
}
