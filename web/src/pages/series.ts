// SPDX-License-Identifier: Apache-2.0
// The list of series: one metric of one variant of one workload each, followed from run to run.
import { address_of } from "../core/address.ts";
import type { Series } from "../core/answers.ts";
import { get_all } from "../core/api.ts";
import type { Child } from "../core/dom.ts";
import { h } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, page_head } from "../core/page.ts";
import { empty_state } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";
import { one_series_page } from "./one_series.ts";

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

export const series_page: Page = async (context) => {
  const id = context.view["series"];
  return id ? one_series_page(context, id) : list_page(context);
};
