// SPDX-License-Identifier: Apache-2.0
// Rows as text for other programs: the plain numbers in CSV, numbers as they are read in Markdown.
import { quantity_text } from "../core/quantity.ts";
import type { Column, Plain } from "./column.ts";
import { is_number_column } from "./column.ts";

function csv_field(value: Plain): string {
  const text = value === null || value === undefined ? "" : String(value);
  // A text that a spreadsheet would take for a formula is kept a text.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** Returns RFC 4180 with one header line. */
export function csv_of<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map((column) => csv_field(column.key)).join(",")];
  for (const row of rows) lines.push(columns.map((column) => csv_field(column.value(row))).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function markdown_field<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row);
  if (value === null || value === undefined) return "";
  const text = typeof value === "number" ? quantity_text(value, column.unit) : String(value);
  return text.replace(/\\/g, "\\\\").replace(/\|/g, "\\|").replace(/\s*\n\s*/g, " ");
}

/** Returns a table of Markdown. */
export function markdown_of<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const line = (fields: string[]): string => `| ${fields.join(" | ")} |`;
  const lines = [
    line(columns.map(({ header, key }) => header || key)),
    line(columns.map((column) => (is_number_column(column) ? "---:" : "---"))),
  ];
  for (const row of rows) lines.push(line(columns.map((column) => markdown_field(column, row))));
  return `${lines.join("\n")}\n`;
}
