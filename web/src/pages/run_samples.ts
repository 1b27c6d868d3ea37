// SPDX-License-Identifier: Apache-2.0
// The raw samples of some runs of a series: a histogram and the distribution functions.
import type { Series, SeriesSamples } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { PageContext } from "../core/page.ts";
import { ecdf_chart, histogram_chart } from "../chart/distribution.ts";
import type { NamedValues } from "../chart/distribution.ts";
import { Figure } from "../chart/figure.ts";
import { known } from "../chart/drawing.ts";
import { colours, hash_of } from "../chart/palette.ts";

/** Returns both charts of the samples of these runs. Throws a Problem. */
export async function samples_of_runs(context: PageContext, series: Series, runs: readonly string[]): Promise<Child> {
  const first = hash_of(`${series.experiment} ${series.variant}`) % colours;
  const { items } = await get<SeriesSamples>(`series/${series.id}/samples`, { runs: runs.join(",") }, context.signal);
  const all: NamedValues[] = items.map(({ run, value }, index) => ({ name: `run …${run.slice(-6)}`, slot: (first + 3 * index) % colours, values: value.filter(known) }));
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
