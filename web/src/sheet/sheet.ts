// SPDX-License-Identifier: Apache-2.0
// The one renderer of tables: sorted, filtered, copied, walked by keys, and drawn only where it is seen when long.
import { current_view, go, remember } from "../core/address.ts";
import { debounced, file_name, fill, h, new_id, save_file } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import { quantity_cell, unknown_mark } from "../core/quantity.ts";
import { copy_text, say } from "../core/say.ts";
import { filtered, sorted } from "./arrange.ts";
import { ratio_cell, ratio_scale } from "./cells.ts";
import type { RatioScale } from "./cells.ts";
import type { Column, SheetOptions } from "./column.ts";
import { is_number_column } from "./column.ts";
import { csv_of, markdown_of } from "./export.ts";
import { RowWindow, long_sheet } from "./row_window.ts";

/** What the keys of a page do with a sheet. */
export interface SheetHandle {
  readonly root: HTMLElement;
  move(step: number): void;
  toggle(): void;
  open(): void;
  focus_filter(): boolean;
}

// What stands in a row of the table: one of the rows, or the line above those that share their first columns.
type Line<Row> = { row: Row; index: number } | { head: Row };

export class Sheet<Row> implements SheetHandle {
  readonly root: HTMLElement;
  private order: string;
  private wanted: string;
  private shown: Row[] = [];
  private readonly body = h("tbody");
  private readonly heads = new Map<string, HTMLElement>();
  private readonly counted = h("span", { class: "sheet-count" });
  private readonly nothing = h("p", { class: "empty" });
  private readonly scroller: HTMLElement;
  private readonly chosen = new Set<string>();
  private readonly scales = new Map<string, RatioScale>();
  private readonly filter: HTMLInputElement | null;
  private readonly lines: RowWindow<Line<Row>>;
  private opened: Row | null = null;
  private folded = 0;

  constructor(private readonly options: SheetOptions<Row>) {
    const view = current_view();
    this.order = view[`${options.key}.sort`] ?? options.sort ?? "";
    this.wanted = view[`${options.key}.find`] ?? "";
    const title_id = new_id("sheet");
    const table = h("table", { "aria-labelledby": title_id, "aria-rowcount": options.rows.length + 1 }, this.head(), this.body);
    this.scroller = h("div", { class: "sheet-scroll", role: "region", tabindex: 0, "aria-labelledby": title_id }, table);
    this.filter = options.rows.length > 8 ? this.filter_field() : null;
    this.lines = new RowWindow(this.scroller, this.body, options.columns.length,
      (line) => ("head" in line ? this.group_head(line.head) : this.row(line.row, line.index)));
    this.root = h(
      "section",
      { class: "sheet" },
      h("div", { class: "sheet-head" }, h("h2", { id: title_id }, options.title), this.counted, this.tools()),
      options.rows.length > 0 && this.scroller,
      this.nothing,
      (options.notes ?? []).map((note) => h("p", { class: "note" }, note)),
    );
    this.arrange();
  }

  move(step: number): void {
    const rows = [...this.body.querySelectorAll<HTMLElement>("tr[data-index]")];
    if (rows.length === 0) return;
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step));
    rows[next]!.focus();
    rows[next]!.scrollIntoView({ block: "nearest" });
  }

  toggle(): void {
    const row = this.focused();
    if (row && this.options.id) this.choose(row, !this.chosen.has(this.options.id(row)));
  }

  open(): void {
    const row = this.focused();
    const address = row && this.options.link?.(row);
    if (address) go(address);
    else if (row && this.options.detail) this.unfold(row);
  }

  focus_filter(): boolean {
    this.filter?.focus();
    return this.filter !== null;
  }

  private focused(): Row | null {
    const row = document.activeElement?.closest<HTMLElement>("tr[data-index]");
    return row && this.body.contains(row) ? (this.shown[Number(row.dataset["index"])] ?? null) : null;
  }

  private group_of(row: Row): string {
    return this.options.columns.slice(0, this.folded).map((column) => String(column.value(row))).join("\n");
  }

  // Rows of one group share a scale: ratios of different groups are not to be compared.
  private scale_of(column: Column<Row>, row: Row): RatioScale {
    const group = this.group_of(row);
    const key = `${column.key}\n${group}`;
    const known = this.scales.get(key);
    if (known) return known;
    const scale = ratio_scale(this.options.rows.filter((other) => this.group_of(other) === group).flatMap((other) => {
      const ci = column.interval?.(other);
      return [column.value(other) as number, ci?.lo, ci?.hi];
    }));
    this.scales.set(key, scale);
    return scale;
  }

  private head(): HTMLElement {
    const cells = this.options.columns.map((column) => {
      const button = h("button", { type: "button", title: column.hint, onclick: () => this.sort_by(column) }, column.header);
      const cell = h("th", { scope: "col", class: this.cell_class(column) }, button);
      this.heads.set(column.key, cell);
      return cell;
    });
    const select = this.options.id && h("th", { scope: "col", class: "choice" }, h("span", { class: "visually-hidden" }, "selected"));
    return h("thead", {}, h("tr", {}, select, cells));
  }

  private cell_class(column: Column<Row>): string {
    return `${is_number_column(column) ? "number" : "word"}${column.minor ? " minor" : ""}`;
  }

  private tools(): HTMLElement {
    const { title, columns } = this.options;
    if (this.options.rows.length === 0) return h("span");
    const button = (text: string, label: string, action: () => void): HTMLElement =>
      h("button", { type: "button", class: "tool", "aria-label": label, onclick: action }, text);
    return h(
      "div",
      { class: "tools" },
      this.filter,
      button("CSV", `CSV: save ${title}`, () =>
        save_file(file_name(title, "csv"), new Blob([csv_of(columns, this.shown)], { type: "text/csv" }))),
      button("MD", `MD: copy ${title} as Markdown`, () => void copy_text(markdown_of(columns, this.shown), "Markdown")),
    );
  }

  private filter_field(): HTMLInputElement {
    const changed = debounced(120, () => {
      this.wanted = field.value;
      remember({ [`${this.options.key}.find`]: this.wanted });
      this.arrange();
      say(`${this.shown.length} of ${this.options.rows.length} rows`);
    });
    const field = h("input", {
      type: "search", class: "filter", placeholder: "filter", value: this.wanted,
      "aria-label": `Filter ${this.options.title}`, oninput: changed, spellcheck: "false",
    });
    return field;
  }

  private sort_by(column: Column<Row>): void {
    const first = is_number_column(column) ? `-${column.key}` : column.key;
    const second = is_number_column(column) ? column.key : `-${column.key}`;
    this.order = this.order === first ? second : this.order === second ? "" : first;
    remember({ [`${this.options.key}.sort`]: this.order });
    this.arrange();
  }

  private arrange(): void {
    const { columns, rows } = this.options;
    this.shown = sorted(filtered(rows, columns, this.wanted), columns, this.order);
    for (const [key, head] of this.heads) {
      const state = this.order === key ? "ascending" : this.order === `-${key}` ? "descending" : null;
      if (state) head.setAttribute("aria-sort", state);
      else head.removeAttribute("aria-sort");
    }
    const groups = this.order === "" ? (this.options.groups ?? 0) : 0;
    const lines = this.grouped_lines(groups);
    columns.slice(0, this.options.groups ?? 0).forEach(({ key }) => { this.heads.get(key)!.hidden = this.folded > 0; });
    this.counted.textContent = this.shown.length === rows.length ? (rows.length ? String(rows.length) : "") : `${this.shown.length} of ${rows.length}`;
    this.nothing.hidden = this.shown.length > 0;
    fill(this.nothing, rows.length === 0 ? this.options.empty : `No row holds “${this.wanted}”.`);
    this.scroller.classList.toggle("is-long", this.shown.length > long_sheet);
    const opened = this.opened;
    this.lines.show(lines, opened ? lines.findIndex((line) => "row" in line && line.row === opened) : -1, this.detail_row());
  }

  private grouped_lines(groups: number): Line<Row>[] {
    this.folded = 0;
    if (groups === 0) return this.shown.map((row, index) => ({ row, index }));
    const same = (row: Row, other: Row | undefined): boolean => other !== undefined &&
      this.options.columns.slice(0, groups).every((column) => column.value(row) === column.value(other));
    const starts = this.shown.map((row, index) => !same(row, this.shown[index - 1]));
    const count = starts.filter(Boolean).length;
    const wide = this.options.columns.length > 8;
    this.folded = this.shown.length > 1 && (wide || this.shown.length >= 1.5 * count) ? groups : 0;
    return this.shown.flatMap((row, index): Line<Row>[] =>
      (this.folded > 0 && starts[index] ? [{ head: row }, { row, index }] : [{ row, index }]));
  }

  private group_head(row: Row): HTMLElement {
    const columns = this.options.columns;
    const parts = columns.slice(0, this.folded).map((column, place) =>
      h("span", { class: place === 0 ? "group-name" : "note" }, String(column.value(row) ?? "")));
    return h("tr", { class: "group-head" }, h("th", { scope: "rowgroup", colspan: columns.length - this.folded + (this.options.id ? 1 : 0) }, parts));
  }

  private detail_row(): HTMLElement | null {
    if (!this.opened || !this.options.detail) return null;
    const columns = this.options.columns.length + (this.options.id ? 1 : 0);
    return h("tr", { class: "detail" }, h("td", { colspan: columns }, this.options.detail(this.opened)));
  }

  private unfold(row: Row): void {
    this.opened = this.opened === row ? null : row;
    this.arrange();
    this.body.querySelector<HTMLElement>(`tr[data-index="${this.shown.indexOf(row)}"]`)?.focus();
  }

  private choose(row: Row, on: boolean): void {
    const id = this.options.id!(row);
    if (on) this.chosen.add(id);
    else this.chosen.delete(id);
    const index = this.shown.indexOf(row);
    const box = this.body.querySelector<HTMLInputElement>(`tr[data-index="${index}"] input[type=checkbox]`);
    if (box) box.checked = on;
    this.options.selected?.([...this.chosen]);
  }

  private row(row: Row, index: number): HTMLElement {
    const { columns, id, tone, link } = this.options;
    const mark = tone?.(row);
    const repeated = this.folded > 0 ? 0 : this.repeated_columns(index);
    const box = id && h("input", {
      type: "checkbox", "aria-label": `select ${id(row)}`, checked: this.chosen.has(id(row)),
      onchange: (event: Event) => this.choose(row, (event.target as HTMLInputElement).checked),
    });
    return h(
      "tr",
      {
        "data-index": index, tabindex: -1, "aria-rowindex": index + 2, class: mark ? `row-${mark}` : null,
        onkeydown: (event: KeyboardEvent) => this.key_in_row(event, row),
      },
      box && h("td", { class: "choice" }, box),
      columns.map((column, place) => place >= this.folded && h("td", { class: `${this.cell_class(column)}${place < repeated ? " again" : ""}` }, this.cell(column, row, place === 0 ? (link?.(row) ?? null) : null))),
    );
  }

  // How many of the first columns, which hold words, say the same as in the row above.
  private repeated_columns(index: number): number {
    const row = this.shown[index];
    const above = this.shown[index - 1];
    if (!row || !above) return 0;
    const { columns } = this.options;
    let place = 0;
    while (place < columns.length - 1 && columns[place]!.unit === "text" && columns[place]!.value(row) === columns[place]!.value(above)) place += 1;
    return place;
  }

  private key_in_row(event: KeyboardEvent, row: Row): void {
    if (event.key !== "Enter" || (event.target as Element).closest("a,button,input")) return;
    event.preventDefault();
    const address = this.options.link?.(row);
    if (address) go(address);
    else if (this.options.detail) this.unfold(row);
  }

  private cell(column: Column<Row>, row: Row, address: string | null): Child {
    const content = this.content(column, row);
    if (address) return h("a", { href: address }, content);
    const first = column === this.options.columns[0];
    if (first && this.options.detail)
      return h("button", {
        type: "button", class: "unfold", "aria-expanded": String(this.opened === row), onclick: () => this.unfold(row),
      }, content);
    return content;
  }

  private content(column: Column<Row>, row: Row): Child {
    if (column.interval) {
      const tone = this.options.tone?.(row) ?? "";
      return ratio_cell(column.value(row) as number | null, column.interval(row), this.scale_of(column, row), tone);
    }
    if (column.cell) return column.cell(row);
    const value = column.value(row);
    if (typeof value === "string" && value.length > 26) return h("span", { title: value }, value);
    if (value === null || value === undefined || value === "") return column.unit === "text" ? "" : unknown_mark();
    return typeof value === "number" ? quantity_cell(value, column.unit) : String(value);
  }
}
