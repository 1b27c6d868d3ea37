// SPDX-License-Identifier: Apache-2.0
// The experiments by chapter: what each asks, its variants, and what is stored of it.
import { address_of } from "../core/address.ts";
import type { Catalogue, CatalogueExperiment, Chapter, Series } from "../core/answers.ts";
import { Problem, get, get_all } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, optional, page_head } from "../core/page.ts";
import { date_text } from "../core/quantity.ts";
import { empty_state, run_link, verdict_cell, verdict_tone } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";

function stored_text(experiment: CatalogueExperiment): Child {
  const { id, workloads, newest } = experiment;
  if (workloads === 0) return [h("span", { class: "note" }, "nothing stored: "), h("code", { class: "command" }, `ridge run ${id}`)];
  return h("span", { class: "note" }, `${counted(workloads, "workload")} stored${newest ? `, newest ${date_text(newest)}` : ""}`);
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function backends(experiment: CatalogueExperiment): string {
  const counts = new Map<string, number>();
  for (const { backend } of experiment.variants) counts.set(backend, (counts.get(backend) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} on ${name}`).join(", ");
}

function chapter_title(id: string): string {
  return /^ch\d\d$/.test(id) ? `Chapter ${Number(id.slice(2))}` : id;
}

function chapter_part({ id, experiments }: Chapter): HTMLElement {
  return h("section", { class: "chapter" },
    h("h2", {}, h("span", { class: "chapter-number" }, chapter_title(id))),
    h("ul", { class: "questions" }, experiments.map((experiment) => h("li", {},
      h("a", { href: address_of({ view: "experiment", experiment: experiment.id }) },
        h("span", { class: "question-title" }, experiment.title), h("span", { class: "question" }, experiment.question)),
      h("span", { class: "question-side" }, h("span", { class: "id" }, experiment.id), h("span", { class: "note" }, backends(experiment)), stored_text(experiment))))));
}

export const catalogue_page: Page = async (context) => {
  context.title("Catalogue");
  const { chapters } = await get<Catalogue>("catalogue", {}, context.signal);
  const wanted = context.view["chapter"];
  const shown = chapters.filter(({ id }) => !wanted || id === wanted);
  context.margin(h("section", { class: "facts" }, h("h2", {}, "Chapters"),
    h("ul", { class: "plain-list" }, h("li", {}, h("a", { href: address_of({ view: "catalogue" }), "aria-current": wanted ? null : "true" }, "all")),
      chapters.map(({ id, experiments }) => h("li", {},
        h("a", { href: address_of({ view: "catalogue", chapter: id }), "aria-current": id === wanted ? "true" : null }, chapter_title(id)), h("span", { class: "unit" }, ` ${experiments.length}`))))));
  return [
    page_head("What can be measured", "Catalogue", h("p", { class: "lead" }, "Each experiment asks one question and holds several answers, from what a competent newcomer writes to the best.")),
    shown.length === 0 && h("p", { class: "empty" }, empty_state("This program was built without experiments, or the chapter has none. Build all:", "make run")),
    shown.map(chapter_part),
  ];
};

type Variant = CatalogueExperiment["variants"][number];
const variants: Column<Variant>[] = [
  { key: "name", header: "variant", unit: "text", value: (variant) => variant.name },
  { key: "backend", header: "backend", unit: "text", value: (variant) => variant.backend },
  { key: "role", header: "role", unit: "text", value: (variant) => variant.role },
  { key: "idea", header: "idea", unit: "text", value: (variant) => variant.idea, cell: (variant) => h("span", { class: "wrap" }, variant.idea) },
  { key: "unavailable", header: "here", unit: "text", value: (variant) => variant.unavailable || "can run", cell: (variant) => h("span", { class: "note wrap" }, variant.unavailable || "can run") },
];

interface Board { variant: string; workload: string; machine: string; backend: string; rank: number; shown: string; verdict: string | null; ratio: number | null; ratio_lo: number | null; ratio_hi: number | null; run: string }
const boards: Column<Board>[] = [
  { key: "workload", header: "problem", unit: "text", value: (row) => row.workload.replace(/^\S+ ?/, "") || "no axes" },
  { key: "machine", header: "machine", unit: "text", value: (row) => row.machine },
  { key: "backend", header: "backend", unit: "text", value: (row) => row.backend },
  { key: "rank", header: "rank", unit: "count", value: (row) => row.rank },
  { key: "variant", header: "variant", unit: "text", value: (row) => row.variant },
  { key: "shown", header: "median", unit: "text", value: (row) => row.shown },
  { key: "ratio", header: "× baseline", unit: "1", value: (row) => row.ratio, interval: (row) => (row.ratio_lo === null || row.ratio_hi === null ? null : { lo: row.ratio_lo, hi: row.ratio_hi }) },
  { key: "verdict", header: "verdict", unit: "text", value: (row) => row.verdict, cell: (row) => (row.verdict ? verdict_cell(row.verdict) : "") },
  { key: "run", header: "run", unit: "text", value: (row) => row.run, cell: (row) => run_link(row.run) },
];

async function stored_part(context: PageContext, experiment: CatalogueExperiment): Promise<Child> {
  const [answer, series] = await Promise.all([
    optional(get<{ speed?: Board[]; latency?: Board[]; throughput?: Board[] }>("analyses/leaderboards", { experiment: experiment.id }, context.signal)),
    optional(get_all<Series>("series", { experiment: experiment.id }, context.signal)),
  ]);
  const rows = answer?.speed?.length ? answer.speed : answer?.latency?.length ? answer.latency : (answer?.throughput ?? []);
  return [
    keyed(context, new Sheet<Board>({
      key: "stored", title: "What is stored", columns: boards, rows, groups: 3, tone: (row) => verdict_tone(row.verdict),
      empty: empty_state("Nothing of this experiment is stored yet:", `ridge run ${experiment.id}`),
    })),
    series && series.length > 0 && h("p", { class: "ways" },
      h("a", { href: address_of({ view: "series", experiment: experiment.id }) }, `its ${series.length} series`),
      h("a", { href: address_of({ view: "runs", experiment: experiment.id }) }, "its runs")),
  ];
}

export const experiment_page: Page = async (context) => {
  const id = context.view["experiment"] ?? "";
  const { chapters } = await get<Catalogue>("catalogue", {}, context.signal);
  const experiment = chapters.flatMap(({ experiments }) => experiments).find((one) => one.id === id);
  if (!experiment) throw new Problem(404, "No such experiment", `No experiment of this program is called “${id}”.`, "`ridge list` names them");
  context.title(experiment.id);
  context.margin(facts("Experiment", [
    ["id", experiment.id], ["goal", experiment.goal], ["tags", experiment.tags.join(", ")], ["variants", backends(experiment)],
  ]));
  return [
    page_head(h("a", { href: address_of({ view: "catalogue", chapter: id.split(".")[0]! }) }, id), experiment.title,
      h("p", { class: "question" }, experiment.question),
      h("p", { class: "note" }, "Measure it: ", h("code", { class: "command" }, `ridge run ${id}`))),
    keyed(context, new Sheet<Variant>({ key: "variants", title: "Variants", columns: variants, rows: experiment.variants, empty: "This experiment has no variant on this machine." })),
    await stored_part(context, experiment),
  ];
};

