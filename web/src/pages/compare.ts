// SPDX-License-Identifier: Apache-2.0
// Two runs side by side. They were not measured in pairs, so that no verdict is given: intervals are shown.
import { address_of, go } from "../core/address.ts";
import type { ComparedRow, ComparedRuns, Interval, RunEntry } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, page_head } from "../core/page.ts";
import { chance_text, ratio_text, unknown_mark } from "../core/quantity.ts";
import { Figure } from "../chart/figure.ts";
import type { DrawnChart } from "../chart/drawing.ts";
import { known } from "../chart/drawing.ts";
import { empty_state, interval_cell } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";
import { runs_sheet } from "./runs.ts";

interface Row extends ComparedRow { ci: Interval | null; apart: boolean; clear: number | null }

// By how many half widths of its interval the logarithm of a ratio is away from none: above 1 the interval does not hold 1.
// Two ratios are compared by it whatever their size, which percent cannot do: noise of 20 % hides what is plain at 1 %.
function clearness(ratio: ComparedRow["ratio"], ci: Interval | null): number | null {
  if (!known(ratio) || !ci || !(ratio > 0) || !(ci.lo > 0) || !(ci.hi > ci.lo)) return null;
  return Math.abs(Math.log(ratio)) / ((Math.log(ci.hi) - Math.log(ci.lo)) / 2);
}

/** Returns whether the intervals of both runs lie apart. */
export function judged(row: ComparedRow): Row {
  const { ratio_lo: lo, ratio_hi: hi } = row;
  const ci = known(lo) && known(hi) ? { lo, hi } : null;
  return { ...row, ci, clear: clearness(row.ratio, ci), apart: ci !== null && (ci.lo > 1 || ci.hi < 1) };
}

function tone_of(row: Row): string {
  return !row.apart || !known(row.ratio) ? "same" : row.ratio > 1 ? "better" : "worse";
}

const side = (row: Row, which: "a" | "b"): Child => {
  const lo = row[`${which}_lo`];
  const hi = row[`${which}_hi`];
  return interval_cell(row[which], known(lo) && known(hi) ? { lo, hi } : null, row.unit);
};

const columns: Column<Row>[] = [
  { key: "workload", header: "workload", unit: "text", value: (row) => row.workload, cell: (row) => h("span", { class: "clip", title: row.workload }, row.workload) },
  { key: "variant", header: "variant", unit: "text", value: (row) => row.variant },
  { key: "metric", header: "metric", unit: "text", value: (row) => row.metric, minor: true },
  { key: "a", header: "A", unit: "s", value: (row) => row.a, cell: (row) => side(row, "a") },
  { key: "b", header: "B", unit: "s", value: (row) => row.b, cell: (row) => side(row, "b") },
  { key: "ratio", header: "B better by", unit: "1", value: (row) => row.ratio, interval: (row) => row.ci, hint: "above 1: B is better; the interval is the widest that both runs allow" },
  {
    key: "clear", header: "clear by", unit: "1", value: (row) => row.clear,
    cell: (row) => (!known(row.ratio) ? h("span", { class: "note" }, "only one has it") : row.clear === null ? unknown_mark() : `${row.clear.toFixed(1)}${row.apart ? " apart" : ""}`),
    hint: "the difference in half widths of its interval: above 1 the intervals are apart",
  },
  {
    key: "p", header: "p", unit: "1", value: (row) => row.p, cell: (row) => (known(row.p) ? chance_text(row.p) : unknown_mark()),
    hint: "how often noise inside runs makes as large a difference of samples (rank sums); what differs between days is not in it",
  },
  {
    key: "samples", header: "samples", unit: "count", value: (row) => Math.min(row.a_samples, row.b_samples), minor: true,
    cell: (row) => (row.a_samples + row.b_samples === 0 ? unknown_mark() : `${row.a_samples}, ${row.b_samples}`), hint: "that are stored of A and of B",
  },
];

function forest(rows: readonly Row[]): DrawnChart | null {
  const drawn = rows.filter((row) => known(row.ratio) && row.ci !== null);
  if (drawn.length < 3) return null;
  return {
    title: "Ratios, sorted", subtitle: "How many times better B is than A, with intervals; above the line B is better.",
    x: { label: "rank", unit: "", scale: "linear", categories: [] },
    y: { label: "B better by", unit: "", scale: "logarithmic", categories: [] },
    series: (["better", "worse", "same"] as const).map((tone, key) => {
      const same_tone = drawn.map((row, rank) => ({ row, rank: rank + 1 })).filter(({ row }) => tone_of(row) === tone);
      return {
        name: { better: "B better", worse: "B worse", same: "intervals overlap" }[tone], mark: "points" as const, key: [0, 1, 7][key]!,
        x: same_tone.map(({ rank }) => rank), y: same_tone.map(({ row }) => row.ratio), low: same_tone.map(({ row }) => row.ci!.lo), high: same_tone.map(({ row }) => row.ci!.hi),
        says: same_tone.map(({ row }) => `${row.workload}\n${row.variant}\n${ratio_text(row.ratio!, row.ci!.lo, row.ci!.hi)}`),
      };
    }).filter(({ x }) => x.length > 0),
    limits: [{ value: 1, says: "no difference" }],
    x_text: (rank) => (Number.isInteger(rank) && rank > 0 ? String(rank) : ""),
  };
}

function environment_section(compared: ComparedRuns): Child {
  const differing = compared.environment;
  if (differing.length === 0) return h("p", { class: "note" }, "The environments are equal in everything that is recorded.");
  const machine = differing.some(({ fact }) => ["machine", "cpu", "gpu"].includes(fact));
  return h("section", { class: "difference" },
    machine && h("p", { class: "banner tone-worse" }, h("span", { class: "sign", "aria-hidden": "true" }, "✕"), "Different machines: these numbers answer different questions."),
    h("h2", {}, `Environment: ${differing.length} ${differing.length === 1 ? "fact differs" : "facts differ"}`),
    h("div", { class: "sheet-scroll", tabindex: 0, role: "region", "aria-label": "Facts that differ" },
      h("table", { class: "plain" },
        h("thead", {}, h("tr", {}, ["fact", "A", "B"].map((text) => h("th", { scope: "col", class: "word" }, text)))),
        h("tbody", {}, differing.map(({ fact, a, b }) => h("tr", {}, h("th", { scope: "row", class: "word" }, fact.replace(/_/g, " ")), h("td", { class: "word" }, a ?? "–"), h("td", { class: "word" }, b ?? "–")))))));
}

async function choice_page(context: PageContext): Promise<Child> {
  const { items } = await get<{ items: RunEntry[] }>("runs", { limit: 500 }, context.signal);
  const [newest, before] = items;
  return [
    page_head("Two runs", "Compare", h("p", { class: "lead" }, "Select two runs with x, or press the button; c compares them."),
      newest && before && h("p", { class: "ways" }, h("a", { href: address_of({ view: "compare", a: before.id, b: newest.id }) }, "the newest against the one before"))),
    runs_sheet(context, items, "Stored runs"),
    h("p", { class: "note" }, "Whether a change is faster is decided by measuring both builds in pairs: ", h("code", { class: "command" }, "ridge compare --against main ch01")),
  ];
}

export const compare_page: Page = async (context) => {
  context.title("Compare");
  const { a, b } = context.view;
  if (!a || !b) return choice_page(context);
  const compared = await get<ComparedRuns>("compare", { a, b }, context.signal);
  const rows = compared.rows.map(judged);
  const apart = rows.filter((row) => row.apart);
  const all = context.view["all"] === "1";
  const shown = [...(all ? rows : apart)].sort((first, second) => (second.clear ?? -1) - (first.clear ?? -1));
  // The clearest of all, whatever their direction.
  const chart = forest(shown.slice(0, 60).sort((first, second) => (second.ratio ?? 0) - (first.ratio ?? 0)));
  context.margin(facts("The two runs", [
    ["A", h("a", { href: address_of({ view: "run", run: a }), class: "id" }, a.slice(-6))],
    ["B", h("a", { href: address_of({ view: "run", run: b }), class: "id" }, b.slice(-6))],
    ["values in both", rows.filter(({ ratio }) => known(ratio)).length], ["only in one", rows.filter(({ ratio }) => !known(ratio)).length],
    ["B better", rows.filter((row) => tone_of(row) === "better").length],
    ["B worse", rows.filter((row) => tone_of(row) === "worse").length],
  ]));
  context.on_compare(() => go(address_of({ view: "compare", a: b, b: a })));
  return [
    page_head("Two runs", `${a.slice(-6)} against ${b.slice(-6)}`,
      h("p", { class: "lead" }, "Measured apart, not in pairs: intervals are shown and no verdict is given. To decide, measure both builds interleaved: ",
        h("code", { class: "command" }, "ridge compare --against REV TARGET")),
      h("p", { class: "ways" }, h("a", { href: address_of({ view: "compare", a: b, b: a }) }, "exchange A and B"),
        h("a", { href: address_of({ view: "compare", a, b, all: all ? "" : "1" }) }, all ? "only where intervals are apart" : "all rows"))),
    environment_section(compared),
    chart && new Figure(chart).root,
    keyed(context, new Sheet<Row>({
      key: "rows", title: all ? "Everything that either measured" : "Where the intervals are apart", columns, rows: shown, tone: tone_of,
      notes: shown.length > 1 ? ["Sorted by how clear a difference is: its size in half widths of its interval."] : [],
      empty: !rows.some(({ ratio }) => known(ratio)) ? empty_state("These runs have no workload in common:", `ridge show ${a}`) : "Nothing differs by more than the intervals.",
    })),
  ];
};
