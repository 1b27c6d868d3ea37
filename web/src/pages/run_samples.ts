// SPDX-License-Identifier: Apache-2.0
// The raw samples of one or two runs of a series: a histogram and the distribution functions.
import type { Run, Samples, Series } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { PageContext } from "../core/page.ts";
import { ecdf_chart, histogram_chart } from "../chart/distribution.ts";
import type { NamedValues } from "../chart/distribution.ts";
import { Figure } from "../chart/figure.ts";
import { known } from "../chart/drawing.ts";
import { colours, hash_of } from "../chart/palette.ts";
import { problem_text } from "./run.ts";

// Which family and which measurement of a run a series follows.
function place_of(run: Run, series: Series): { family: number; measurement: number } | null {
  const family = run.families.findIndex((one) => one.experiment === series.experiment && one.backend === series.backend && problem_text(one.problem) === series.problem);
  const measurement = run.families[family]?.measurements.findIndex(({ variant }) => variant === series.variant) ?? -1;
  return family < 0 || measurement < 0 ? null : { family, measurement };
}

async function values_of(context: PageContext, series: Series, id: string, slot: number): Promise<NamedValues> {
  const run = await get<Run>(`runs/${encodeURIComponent(id)}`, {}, context.signal);
  const place = place_of(run, series);
  const samples = place && await get<Samples>(`runs/${encodeURIComponent(id)}/samples`, { ...place, format: "json" }, context.signal);
  const found = samples?.series.find(({ metric }) => metric === series.metric);
  return { name: `run …${id.slice(-6)}`, slot, values: (found?.value ?? []).filter(known) };
}

/** Returns both charts of the samples of these runs. Throws a Problem. */
export async function samples_of_runs(context: PageContext, series: Series, runs: readonly string[]): Promise<Child> {
  const first = hash_of(`${series.experiment} ${series.variant}`) % colours;
  const all = await Promise.all(runs.map((id, index) => values_of(context, series, id, (first + 3 * index) % colours)));
  const empty = all.filter(({ values }) => values.length === 0).map(({ name }) => name);
  const without = empty.length > 0 && h("p", { class: "note" }, `No samples are stored of ${empty.join(" and ")}.`);
  if (empty.length === all.length) return without;
  const histogram = histogram_chart("Samples by value", series.metric, series.unit, all);
  return [
    h("div", { class: "charts" },
      histogram && new Figure(histogram).root,
      new Figure(ecdf_chart("Share of samples", series.metric, series.unit, all)).root),
    without,
  ];
}
