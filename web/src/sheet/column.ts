// SPDX-License-Identifier: Apache-2.0
import type { Child } from "../core/dom.ts";
import type { Interval, Maybe } from "../core/answers.ts";

export type Plain = string | number | boolean | null | undefined;

/** One column of a sheet: what its cells are sorted, filtered and exported by, and how they look. */
export interface Column<Row> {
  key: string;
  header: string;
  /** The unit of numbers, as in quantity(); "text" for words. */
  unit: string;
  value(row: Row): Plain;
  /** The look of a cell where it is not the value in its unit. */
  cell?(row: Row): Child;
  /** The interval of a ratio: its cell is drawn on a scale that the whole column shares. */
  interval?(row: Row): Maybe<Interval>;
  /** Said by the header to those who point at it. */
  hint?: string;
  /** May be left out where room lacks. */
  minor?: boolean;
}

export interface SheetOptions<Row> {
  /** Names the sheet in the address of the view: "runs" keeps its order as `runs.sort`. */
  key: string;
  title: string;
  columns: Column<Row>[];
  rows: Row[];
  /** What is said where there is no row; it names the command that makes one. */
  empty: Child;
  notes?: string[];
  link?(row: Row): string | null;
  tone?(row: Row): string | null;
  /** Below the row when it is opened. */
  detail?(row: Row): Child;
  /** Identifies a row for selection; absent where rows cannot be selected. */
  id?(row: Row): string;
  /** Called when the selection changed. */
  selected?(ids: string[]): void;
  sort?: string;
  /** So many of the first columns, which hold words, become a line above the rows that share them, as long as
   *  the rows stand in their own order. */
  groups?: number;
}

export function is_number_column<Row>(column: Column<Row>): boolean {
  return column.unit !== "text";
}
