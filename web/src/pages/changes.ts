// SPDX-License-Identifier: Apache-2.0
// The changes of a series, and what people say of them.
import type { Change, Points, Series } from "../core/answers.ts";
import { Problem, api_path, send } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { PageContext } from "../core/page.ts";
import { keyed } from "../core/page.ts";
import { say } from "../core/say.ts";
import { run_link, verdict_cell } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { known } from "../chart/drawing.ts";
import { quantity_text } from "../core/quantity.ts";
import { Sheet } from "../sheet/sheet.ts";

const states = ["untriaged", "confirmed", "expected", "noise"];

function state_form(series: Series, change: Change): HTMLElement {
  const state = h("select", { "aria-label": `State of the change at ${change.run}` },
    states.map((name) => h("option", { value: name, selected: name === change.state }, name)));
  const note = h("input", { type: "text", value: change.note ?? "", placeholder: "note", "aria-label": "Note", maxlength: 500 });
  const keep = async (): Promise<void> => {
    try {
      await send("PATCH", api_path(`changes/${series.id}/${encodeURIComponent(change.run)}`), { state: state.value, note: note.value });
      say("kept; what was said before stays beside it");
      window.dispatchEvent(new Event("ridge:reset"));
    } catch (failure) {
      say(failure instanceof Problem ? failure.detail || failure.title : String(failure));
    }
  };
  return h("form", { class: "inline-form", onsubmit: (event: Event) => { event.preventDefault(); void keep(); } },
    state, note, h("button", { type: "submit", class: "tool" }, "keep"));
}

function watching_notes(series: Series, points: Points): string[] {
  const { watching } = points;
  if (!watching) return [];
  return [`Watched: the newest ${watching.runs} runs stand at ${quantity_text(watching.value, series.unit)} where the level is ${quantity_text(watching.level, series.unit)}; too few to call it a change.`];
}

function environment_notes(changes: readonly Change[]): string[] {
  return changes.filter(({ environment }) => environment.length > 0).map(({ run, environment }) =>
    `With run …${run.slice(-6)} the environment changed: ${environment.map(({ fact, before, after }) => `${fact.replace(/_/g, " ")} from ${before ?? "unknown"} to ${after ?? "unknown"}`).join("; ")}.`);
}

/** Returns the table of changes. */
export function changes_section(context: PageContext, series: Series, points: Points): Child {
  const columns: Column<Change>[] = [
    { key: "direction", header: "it got", unit: "text", value: (change) => change.direction, cell: (change) => verdict_cell(change.direction.toUpperCase()) },
    { key: "ratio", header: "times better", unit: "1", value: (change) => change.ratio, interval: (change) => (known(change.ratio_lo) && known(change.ratio_hi) ? { lo: change.ratio_lo, hi: change.ratio_hi } : null) },
    { key: "run", header: "first run after", unit: "text", value: (change) => change.run, cell: (change) => run_link(change.run) },
    { key: "before", header: "before", unit: series.unit, value: (change) => change.before },
    { key: "after", header: "after", unit: series.unit, value: (change) => change.after },
    { key: "p", header: "p", unit: "1", value: (change) => change.p, hint: "how often noise of this series makes a step as large" },
    { key: "state", header: "what people say", unit: "text", value: (change) => change.state, cell: (change) => state_form(series, change) },
  ];
  return keyed(context, new Sheet<Change>({
    key: "changes", title: "Changes", columns, rows: points.changes, tone: (change) => change.direction,
    empty: points.enough ? "No change was found: what differs is noise." : [`${series.points} runs are too few to tell a change. Each run adds a point: `, h("code", { class: "command" }, `ridge run ${series.experiment}`)],
    notes: [...watching_notes(series, points), ...environment_notes(points.changes)],
  }));
}
