// SPDX-License-Identifier: Apache-2.0
// Which rows a sheet shows, and in which order.
import type { Column, Plain } from "./column.ts";

// Made when two texts are first compared: making one takes ten milliseconds, which pages have better uses for when they start.
let collator: Intl.Collator | null = null;

/** Compares two values of a column; unknown ones come last in either direction. */
export function compared(first: Plain, second: Plain, descending: boolean): number {
  const absent = (value: Plain): boolean =>
    value === null || value === undefined || value === "" || (typeof value === "number" && !Number.isFinite(value));
  if (absent(first) || absent(second)) return Number(absent(first)) - Number(absent(second));
  const order =
    typeof first === "number" && typeof second === "number" ? first - second
      : (collator ??= new Intl.Collator("en", { numeric: true, sensitivity: "base" })).compare(String(first), String(second));
  return descending ? -order : order;
}

/** Returns the rows that hold every word of `wanted` in any column. */
export function filtered<Row>(rows: readonly Row[], columns: readonly Column<Row>[], wanted: string): Row[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = columns.map((column) => String(column.value(row) ?? "")).join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the rows in the order of "key" or "-key"; rows that are equal keep theirs. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: string): Row[] {
  const descending = order.startsWith("-");
  const column = columns.find(({ key }) => key === (descending ? order.slice(1) : order));
  if (!column) return [...rows];
  const keyed = rows.map((row) => ({ row, value: column.value(row) }));
  return keyed.sort((first, second) => compared(first.value, second.value, descending)).map(({ row }) => row);
}
