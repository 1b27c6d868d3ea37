// SPDX-License-Identifier: Apache-2.0
// The runs that the store holds, newest first.
import { address_of, go } from "../core/address.ts";
import type { RunEntry } from "../core/answers.ts";
import { get_all } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, page_head } from "../core/page.ts";
import { quantity_cell, time_text } from "../core/quantity.ts";
import { say } from "../core/say.ts";
import { empty_state, run_link } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";

const columns: Column<RunEntry>[] = [
  { key: "started", header: "started (UTC)", unit: "text", value: (run) => run.started, cell: (run) => time_text(run.started) },
  { key: "machine", header: "machine", unit: "text", value: (run) => run.machine },
  { key: "profile", header: "profile", unit: "text", value: (run) => run.profile },
  { key: "families", header: "problems", unit: "count", value: (run) => run.families, hint: "measured together, variant beside variant" },
  { key: "comparisons", header: "comparisons", unit: "count", value: (run) => run.comparisons },
  {
    key: "wall_s", header: "took", unit: "s", value: (run) => run.wall_s,
    cell: (run) => (run.wall_s === null || run.wall_s === undefined ? h("span", { class: "note" }, "never finished") : quantity_cell(run.wall_s, "s")),
  },
  { key: "id", header: "id", unit: "text", value: (run) => run.id, cell: (run) => run_link(run.id) },
];

/** Returns a table of runs whose rows can be selected and compared. */
export function runs_sheet(context: PageContext, rows: RunEntry[], title: string): HTMLElement {
  let chosen: string[] = [];
  const compare = (): void => {
    if (chosen.length !== 2) return say(`select two runs with x: ${chosen.length} selected`);
    const [a, b] = [...chosen].sort() as [string, string];
    go(address_of({ view: "compare", a, b }));
  };
  context.on_compare(compare);
  const button = h("button", { type: "button", class: "action", disabled: true, onclick: compare }, "Compare the two selected");
  const sheet = new Sheet<RunEntry>({
    key: "runs", title, columns, rows,
    empty: empty_state("Nothing is stored yet. Measure a chapter:", "ridge run ch01"),
    link: (run) => address_of({ view: "run", run: run.id }),
    id: (run) => run.id,
    selected: (ids) => {
      chosen = ids;
      button.disabled = ids.length !== 2;
    },
  });
  return h("div", {}, keyed(context, sheet), rows.length > 1 && h("p", { class: "actions" }, button));
}

export const runs_page: Page = async (context) => {
  context.title("Runs");
  const experiment = context.view["experiment"];
  const runs = await get_all<RunEntry>("runs", { experiment, limit: 500 }, context.signal);
  const machines = new Map<string, number>();
  for (const run of runs) machines.set(run.machine, (machines.get(run.machine) ?? 0) + 1);
  context.margin(facts("Machines", [...machines].map(([name, count]) => [name, count] as const)));
  return [
    page_head(experiment ? `Runs of ${experiment}` : "The notebook", "Runs",
      h("p", { class: "lead" }, "What was measured, newest first. Select two to see what differs between them.")),
    runs_sheet(context, runs, "Stored runs"),
  ];
};
