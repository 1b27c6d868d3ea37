// SPDX-License-Identifier: Apache-2.0
// From the layout of an answer to sheets.
import type { Answer, Field, Interval, SheetLayout, Value } from "../core/answers.ts";
import { address_of } from "../core/address.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import { facts } from "../core/page.ts";
import { quantity_cell, quantity_text, unknown_mark } from "../core/quantity.ts";
import { run_link, share_cell, verdict_cell, verdict_tone } from "../sheet/cells.ts";
import type { Column, Plain } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";

type Row = Readonly<Record<string, Value>>;
interface TonedRow { row: Row; tone: number }
// report::tone: plain, strong, dim, good, bad, doubtful.
const tones = ["", "strong", "faint", "better", "worse", "warn"];

/** Returns the value under a key whose dots nest: "pct.idle". */
export function value_at(row: Row, key: string): Plain {
  let value: Value = row;
  for (const part of key.split(".")) {
    if (value === null || typeof value !== "object") return null;
    value = value[part];
  }
  return typeof value === "object" ? null : value;
}

function known_number(row: Row, key: string): number | null {
  const value = value_at(row, key);
  return typeof value === "number" ? value : null;
}

function interval_at(row: Row, key: string): Interval | null {
  const lo = known_number(row, `${key}_lo`);
  const hi = known_number(row, `${key}_hi`);
  return lo === null || hi === null ? null : { lo, hi };
}

function text_cell(key: string, row: Row): Child | undefined {
  const value = value_at(row, key);
  if (typeof value !== "string" || value === "") return undefined;
  if (/(^|[._])verdict$/.test(key)) return verdict_cell(value);
  if (/(^|[._])run$/.test(key)) return run_link(value);
  if (key === "experiment") return h("a", { href: address_of({ view: "experiment", experiment: value }) }, value);
  if (/^ridge [a-z]/.test(value)) return h("code", { class: "command" }, value);
  if (value.length > 60 && key !== "workload") return h("span", { class: "wrap", title: value }, commands_in(value));
  if (value.length > 26) return h("span", { title: value }, value);
  return undefined;
}

// Columns of words that say the same in every row: said once, so that the others have room.
function constant_fields(fields: readonly Field[], rows: readonly TonedRow[]): Field[] {
  if (rows.length < 2) return [];
  return fields.slice(1).filter(({ key, header, unit }) => {
    const first = value_at(rows[0]!.row, key);
    return header && unit === "text" && typeof first === "string" && first !== "" && rows.every(({ row }) => value_at(row, key) === first);
  });
}

function word_of(value: Plain): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value ?? "");
}

function is_ratio({ key }: Field, fields: readonly Field[]): boolean {
  return /(^|[._])ratio$/.test(key) && fields.some((other) => other.key === `${key}_lo`);
}

function column_of(field: Field, fields: readonly Field[]): Column<TonedRow> {
  const { key, header, unit } = field;
  const column: Column<TonedRow> = { key, header, unit, value: ({ row }) => value_at(row, key), minor: key === "role" };
  if (is_ratio(field, fields)) column.interval = ({ row }) => interval_at(row, key);
  else if (unit === "text") column.cell = ({ row }) => text_cell(key, row) ?? word_of(value_at(row, key));
  else if (key === "of_ceiling") column.cell = ({ row }) => share_cell(unit === "%" ? (known_number(row, key) ?? NaN) / 100 : known_number(row, key));
  return column;
}

function rows_of(answer: Answer, layout: SheetLayout): TonedRow[] {
  const found = answer[layout.key];
  const rows: Row[] = Array.isArray(found) ? (found as Row[]) : found !== null && typeof found === "object"
    ? Object.values(found as Record<string, Row>).filter((value) => typeof value === "object") : [];
  return rows.map((row, index) => ({ row, tone: layout.tones[index] ?? 0 }));
}

function shown_value(field: Field, row: Row): Child {
  const value = value_at(row, field.key);
  if (value === null || value === undefined || value === "") return unknown_mark();
  if (typeof value === "number") return quantity_cell(value, field.unit);
  return text_cell(field.key, row) ?? word_of(value);
}

function single_sheet(answer: Answer, layout: SheetLayout): HTMLElement | null {
  const row = answer[layout.key];
  if (row === null || typeof row !== "object") return layout.empty ? h("p", { class: "empty" }, commands_in(layout.empty)) : null;
  const entries = layout.fields.filter(({ header }) => header).map((field) => [field.header, shown_value(field, row as Row)] as const);
  return h("div", { class: "single" }, facts(layout.title, entries), layout.notes.map((note) => h("p", { class: "note" }, note)));
}

/** Returns a text whose commands (`ridge run`, in backticks or not) stand in the type of commands. */
export function commands_in(text: string): Child {
  return text.split(/(`[^`]+`)/).map((part) =>
    (part.startsWith("`") ? h("code", { class: "command" }, part.slice(1, -1)) : part));
}

/** Returns a sheet for each entry of the layout, in its order. */
export function answer_sheets(answer: Answer): (Sheet<TonedRow> | HTMLElement)[] {
  return answer.layout.flatMap((layout): (Sheet<TonedRow> | HTMLElement)[] => {
    if (layout.single) {
      const single = single_sheet(answer, layout);
      return single ? [single] : [];
    }
    const rows = rows_of(answer, layout);
    if (rows.length === 0 && !layout.empty) return [];
    const constant = constant_fields(layout.fields, rows);
    const once = constant.map(({ header, key }) => `${header} ${String(value_at(rows[0]!.row, key))}`).join(" · ");
    const ratios = layout.fields.filter((field) => is_ratio(field, layout.fields)).map(({ key }) => key);
    const drawn = ratios.flatMap((key) => [`${key}_lo`, `${key}_hi`]);  // the interval stands in the cell of its ratio
    const shown = layout.fields.filter((field) => field.header && !constant.includes(field) && !drawn.includes(field.key));
    const groups = shown.findIndex(({ key }) => !["workload", "machine", "backend"].includes(key));
    return [new Sheet<TonedRow>({
      key: layout.key, title: layout.title || layout.key, rows,
      columns: shown.map((field) => column_of(field, layout.fields)), groups: Math.max(0, groups),
      empty: commands_in(layout.empty), notes: once ? [`In every row: ${once}.`, ...layout.notes] : layout.notes,
      tone: ({ row, tone }) => verdict_tone(String(value_at(row, "verdict") ?? "")) || tones[tone] || null,
    })];
  });
}

/** Returns the members of an answer that are facts about all of it. */
export function fact_entries(answer: Answer): (readonly [string, Child])[] {
  return Object.entries(answer).flatMap(([name, value]) => {
    if (["title", "schema", "layout", "charts"].includes(name)) return [];
    if (typeof value === "number") return [[name.replace(/_/g, " "), quantity_text(value, Number.isInteger(value) ? "count" : "1")] as const];
    return typeof value === "string" || typeof value === "boolean" ? [[name.replace(/_/g, " "), String(value)] as const] : [];
  });
}
