// SPDX-License-Identifier: Apache-2.0
// The frame of every chart: title, key, tools, a cursor for pointer and keyboard, and the same numbers as a table.
import { go } from "../core/address.ts";
import { debounced, fill, h, new_id, set_attributes } from "../core/dom.ts";
import { mark_painted } from "../core/marks.ts";
import type { Child } from "../core/dom.ts";
import { copy_text } from "../core/say.ts";
import type { Drawing, DrawnChart } from "./drawing.ts";
import { chart_markdown, columns_of, rows_of, save_csv, save_picture } from "./export.ts";
import { key_sample } from "./palette.ts";
import { PlainDrawing, point_text } from "./plain_drawing.ts";
import { quantity_text } from "../core/quantity.ts";

const rows_in_table = 250;

export class Figure {
  readonly root: HTMLElement;
  private readonly hidden = new Set<number>();
  private readonly plot: HTMLElement;
  private readonly tip = h("div", { class: "chart-tip", hidden: true, "aria-hidden": "true" });
  private readonly spoken = h("p", { class: "visually-hidden", "aria-live": "polite" });
  private readonly speak = debounced(150, () => { this.spoken.textContent = this.last_text; });
  private last_text = "";
  private at: { series: number; point: number } | null = null;
  private width = 0;
  private pressed: [number, number] = [0, 0];

  constructor(private readonly chart: DrawnChart, private readonly drawing: Drawing = new PlainDrawing(chart), below: Child = null) {
    const table_id = new_id("data");
    this.plot = h("div", {
      class: "chart-plot", tabindex: 0, role: "application", "aria-roledescription": "chart", "aria-details": table_id,
      "aria-label": `${chart.title}. ${chart.subtitle} Arrow keys walk over the points, Enter opens one.`,
      onkeydown: (event: KeyboardEvent) => this.key(event),
      onpointermove: (event: PointerEvent) => this.point_at(event),
      onpointerleave: () => this.leave(),
      onblur: () => this.leave(),
      onpointerdown: (event: PointerEvent) => { this.pressed = [event.clientX, event.clientY]; },
      onclick: (event: MouseEvent) => this.click(event),
    }, this.drawing.element, this.tip);
    this.root = h(
      "figure",
      { class: "chart", "aria-label": chart.title },
      h("figcaption", {},
        h("div", {}, h("h2", {}, chart.title), chart.subtitle && h("p", { class: "chart-subtitle" }, chart.subtitle)),
        this.tools()),
      this.key_list(),
      this.plot,
      below,
      this.table(table_id),
      this.spoken,
    );
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  private draw(): void {
    const width = Math.floor(this.plot.clientWidth);
    if (width < 60 || width === this.width) return;
    this.width = width;
    this.drawing.draw(width, this.hidden);
    mark_painted("chart", true);
  }

  private tools(): HTMLElement {
    const tool = (text: string, label: string, action: () => void): HTMLElement =>
      h("button", { type: "button", class: "tool", "aria-label": `${label}: ${this.chart.title}`, onclick: action }, text);
    return h("div", { class: "tools" },
      tool("CSV", "CSV, save the numbers", () => save_csv(this.chart, this.hidden)),
      tool("SVG", "SVG, save", () => void save_picture(this.chart, this.hidden, "svg")),
      tool("PNG", "PNG, save", () => void save_picture(this.chart, this.hidden, "png")),
      tool("MD", "MD, copy the numbers as Markdown", () => void copy_text(chart_markdown(this.chart, this.hidden), "Markdown")));
  }

  private key_list(): HTMLElement | null {
    const named = this.chart.series.map((series, index) => ({ series, index })).filter(({ series }) => series.name && !series.roof);
    if (named.length < 2) return null;
    return h("ul", { class: "chart-key" }, named.map(({ series, index }) => {
      const slot = series.key !== null && series.key >= 0 ? series.key : index;
      const button = h("button", { type: "button", "aria-pressed": "true", onclick: () => this.toggle(index, button) },
        key_sample(slot, series.mark, series.plain), series.name);
      return h("li", {}, button);
    }));
  }

  private toggle(index: number, button: HTMLElement): void {
    if (this.hidden.has(index)) this.hidden.delete(index);
    else this.hidden.add(index);
    button.setAttribute("aria-pressed", String(!this.hidden.has(index)));
    this.leave();
    this.drawing.draw(this.width, this.hidden);
  }

  private table(id: string): HTMLElement {
    const room = h("div", { class: "sheet-scroll", tabindex: 0, role: "region", "aria-label": `${this.chart.title} as a table` });
    const details = h("details", { class: "chart-data", id }, h("summary", {}, "table"), room);
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      const rows = rows_of(this.chart, this.hidden);
      const columns = columns_of(this.chart, rows);
      fill(room, h("table", {},
        h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: column.unit === "text" ? "word" : "number" }, column.header)))),
        h("tbody", {}, rows.slice(0, rows_in_table).map((row) => h("tr", {}, columns.map((column) => {
          const value = column.value(row);
          return h("td", { class: column.unit === "text" ? "word" : "number" }, typeof value === "number" ? quantity_text(value, column.unit, 4) : String(value ?? ""));
        }))))),
        rows.length > rows_in_table && h("p", { class: "note" }, `The first ${rows_in_table} of ${rows.length} points; CSV has all.`));
    });
    return details;
  }

  private point_at(event: PointerEvent): void {
    const bounds = this.plot.getBoundingClientRect();
    const found = this.drawing.nearest(event.clientX - bounds.left, event.clientY - bounds.top);
    if (found) this.visit(found.series, found.point, false);
    else this.leave();
  }

  private leave(): void {
    this.at = null;
    this.tip.hidden = true;
    this.drawing.unmark();
  }

  private visit(series: number, point: number, aloud: boolean): void {
    const place = this.drawing.place(series, point);
    if (!place) return;
    this.at = { series, point };
    this.drawing.mark(series, point);
    const { name, lines } = point_text(this.chart, series, point);
    fill(this.tip, name && h("strong", {}, name), lines.map((line) => h("span", {}, line)));
    this.tip.hidden = false;
    const room = this.plot.clientWidth;
    const beside = place.x > room * 0.6;
    set_attributes(this.tip, { "data-side": beside ? "left" : "right" });
    this.tip.style.top = `${Math.max(0, place.y - 12)}px`;
    this.tip.style.left = beside ? "auto" : `${place.x + 14}px`;
    this.tip.style.right = beside ? `${room - place.x + 14}px` : "auto";
    if (!aloud) return;
    this.last_text = [name, ...lines].join(", ");
    this.speak();
  }

  // A press that moved was a drag; one far from the point means nothing.
  private click(event: MouseEvent): void {
    const place = this.at && this.drawing.place(this.at.series, this.at.point);
    if (!place || Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 4) return;
    const bounds = this.plot.getBoundingClientRect();
    if (Math.hypot(event.clientX - bounds.left - place.x, event.clientY - bounds.top - place.y) < 24) this.open();
  }

  private open(): void {
    const link = this.at && this.chart.series[this.at.series]?.link?.(this.at.point);
    if (link) go(link);
  }

  private walkable(): number[] {
    return this.chart.series.flatMap((_, index) =>
      !this.hidden.has(index) && this.points_of(index).length > 0 ? [index] : []);
  }

  private points_of(series: number): number[] {
    return (this.chart.series[series]?.x ?? []).flatMap((_, point) => (this.drawing.place(series, point) ? [point] : []));
  }

  private key(event: KeyboardEvent): void {
    const all = this.walkable();
    if (all.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const series = this.at?.series ?? all[0]!;
    const points = this.points_of(series);
    const at = this.at ? points.indexOf(this.at.point) : -1;
    const step = (by: number): void => this.visit(series, points[Math.max(0, Math.min(points.length - 1, at + by))]!, true);
    const other = (by: number): void => {
      const next = all[(all.indexOf(series) + by + all.length) % all.length]!;
      const near = this.points_of(next);
      this.visit(next, near[Math.min(Math.max(at, 0), near.length - 1)]!, true);
    };
    const moves: Record<string, () => void> = {
      ArrowRight: () => step(event.shiftKey ? 10 : 1),
      ArrowLeft: () => step(event.shiftKey ? -10 : at < 0 ? 1 : -1),
      ArrowDown: () => other(1),
      ArrowUp: () => other(-1),
      Home: () => step(-points.length),
      End: () => step(points.length),
      Enter: () => this.open(),
      Escape: () => this.leave(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }
}
