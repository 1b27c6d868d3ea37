// SPDX-License-Identifier: Apache-2.0
// The rows of a table that are on the screen. A long one keeps as many elements as fit, and two empty rows that
// are as high as the rows they stand for.
import { h } from "../core/dom.ts";

export const long_sheet = 200;
const beyond = 12;

export class RowWindow<Row> {
  private rows: readonly Row[] = [];
  private first = -1;
  private last = -1;
  private height = 28;
  private unfolded = -1;
  private detail: HTMLElement | null = null;
  private waiting = false;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly body: HTMLElement,
    private readonly columns: number,
    private readonly draw: (row: Row, index: number) => HTMLElement,
  ) {
    scroller.addEventListener("scroll", () => this.later(), { passive: true });
  }

  /** Shows rows from the top; `detail` stands below the row of index `unfolded`. */
  show(rows: readonly Row[], unfolded: number, detail: HTMLElement | null): void {
    this.rows = rows;
    this.unfolded = unfolded;
    this.detail = detail;
    this.first = -1;
    this.update();
  }

  private later(): void {
    if (this.waiting || this.rows.length <= long_sheet) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.update();
    });
  }

  private update(): void {
    const long = this.rows.length > long_sheet;
    const top = long ? Math.max(0, Math.floor(this.scroller.scrollTop / this.height) - beyond) : 0;
    const fitting = Math.ceil((this.scroller.clientHeight || 700) / this.height) + 2 * beyond;
    const end = long ? Math.min(this.rows.length, top + fitting) : this.rows.length;
    if (top === this.first && end === this.last) return;
    this.first = top;
    this.last = end;
    const drawn: HTMLElement[] = [];
    if (top > 0) drawn.push(this.spacer(top));
    for (let index = top; index < end; index += 1) {
      drawn.push(this.draw(this.rows[index]!, index));
      if (index === this.unfolded && this.detail) drawn.push(this.detail);
    }
    if (end < this.rows.length) drawn.push(this.spacer(this.rows.length - end));
    this.body.replaceChildren(...drawn);
    const measured = this.body.querySelector<HTMLElement>("tr[data-index]:not([aria-expanded=true])")?.offsetHeight;
    if (measured) this.height = measured;
  }

  private spacer(rows: number): HTMLElement {
    const cell = h("td", { colspan: this.columns + 1 });
    cell.style.height = `${rows * this.height}px`;
    return h("tr", { class: "spacer", "aria-hidden": "true" }, cell);
  }
}
