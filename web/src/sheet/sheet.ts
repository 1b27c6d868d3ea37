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
  private readonly rows_seen: RowWindow<Row>;
  private opened: Row | null = null;
  private grouped = false;

  constructor(private readonly options: SheetOptions<Row>) {
    const view = current_view();
    this.order = view[`${options.key}.sort`] ?? options.sort ?? "";
    this.wanted = view[`${options.key}.find`] ?? "";
    for (const column of options.columns)
      if (column.interval) this.scales.set(column.key, this.scale_of(column));
    const title_id = new_id("sheet");
    const table = h("table", { "aria-labelledby": title_id, "aria-rowcount": options.rows.length + 1 }, this.head(), this.body);
    this.scroller = h("div", { class: "sheet-scroll", role: "region", tabindex: 0, "aria-labelledby": title_id }, table);
    this.filter = options.rows.length > 8 ? this.filter_field() : null;
    this.rows_seen = new RowWindow(this.scroller, this.body, options.columns.length, (row, index) => this.row(row, index));
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

  private scale_of(column: Column<Row>): RatioScale {
    return ratio_scale(this.options.rows.flatMap((row) => {
      const ci = column.interval?.(row);
      return [column.value(row) as number, ci?.lo, ci?.hi];
    }));
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
    const first = columns[0];
    this.grouped = first !== undefined && this.shown.length > 3 && new Set(this.shown.map((row) => first.value(row))).size < this.shown.length * 0.6;
    this.counted.textContent = this.shown.length === rows.length ? (rows.length ? String(rows.length) : "") : `${this.shown.length} of ${rows.length}`;
    this.nothing.hidden = this.shown.length > 0;
    fill(this.nothing, rows.length === 0 ? this.options.empty : `No row holds “${this.wanted}”.`);
    this.scroller.classList.toggle("is-long", this.shown.length > long_sheet);
    this.rows_seen.show(this.shown, this.opened ? this.shown.indexOf(this.opened) : -1, this.detail_row());
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
    const repeated = this.repeated_columns(index);
    const starts = index > 0 && this.grouped && repeated === 0;
    const box = id && h("input", {
      type: "checkbox", "aria-label": `select ${id(row)}`, checked: this.chosen.has(id(row)),
      onchange: (event: Event) => this.choose(row, (event.target as HTMLInputElement).checked),
    });
    return h(
      "tr",
      {
        "data-index": index, tabindex: -1, "aria-rowindex": index + 2, class: [mark && `row-${mark}`, starts && "group-start"].filter(Boolean).join(" ") || null,
        onkeydown: (event: KeyboardEvent) => this.key_in_row(event, row),
      },
      box && h("td", { class: "choice" }, box),
      columns.map((column, place) => h("td", { class: `${this.cell_class(column)}${place < repeated ? " again" : ""}` }, this.cell(column, row, place === 0 ? (link?.(row) ?? null) : null))),
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
      return ratio_cell(column.value(row) as number | null, column.interval(row), this.scales.get(column.key)!, tone);
    }
    if (column.cell) return column.cell(row);
    const value = column.value(row);
    if (typeof value === "string" && value.length > 26) return h("span", { title: value }, value);
    if (value === null || value === undefined || value === "") return column.unit === "text" ? "" : unknown_mark();
    return typeof value === "number" ? quantity_cell(value, column.unit) : String(value);
  }
}
