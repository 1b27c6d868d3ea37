// SPDX-License-Identifier: Apache-2.0
// The whole of a series in a low strip below its chart, with a window over what the chart shows. The window and both its
// ends are dragged, or moved by arrows.
import { h, s, set_attributes } from "../core/dom.ts";
import { known } from "./drawing.ts";

const height = 46;
const least_share = 0.002;

export interface BrushData { x: readonly number[]; y: readonly (number | null | undefined)[]; text(x: number): string }
type Part = "first" | "last" | "both";
const names: Record<Part, string> = { first: "First that is shown", last: "Last that is shown", both: "What is shown" };

export class Brush {
  readonly root: HTMLElement;
  private readonly drawn = s("svg", { class: "brush-line", "aria-hidden": "true" });
  private readonly parts = new Map<Part, HTMLElement>();
  private range: [number, number];
  private place: { left: number; width: number } = { left: 0, width: 0 };
  private grip: { part: Part; x: number; range: [number, number] } | null = null;

  /** `slot` names the colour; `moved` is told the range of x that is wanted. */
  constructor(private readonly data: BrushData, slot: number, private readonly moved: (first: number, last: number) => void) {
    this.range = [this.least(), this.most()];
    for (const part of ["both", "first", "last"] as const) this.parts.set(part, this.handle(part));
    this.root = h("div", { class: `brush slot-${slot}`, role: "group", "aria-label": "The whole series" }, this.drawn, [...this.parts.values()]);
  }

  /** Shows which range the chart shows; `left` and `width` are those of its plot. */
  show(first: number, last: number, left: number, width: number): void {
    this.range = [Math.max(this.least(), first), Math.min(this.most(), last)];
    if (width !== this.place.width || left !== this.place.left) {
      this.place = { left, width };
      this.draw();
    }
    this.set_parts();
  }

  private least(): number { return this.data.x[0] ?? 0; }
  private most(): number { return this.data.x[this.data.x.length - 1] ?? 1; }
  private span(): number { return this.most() - this.least() || 1; }
  private pixel(x: number): number { return this.place.left + ((x - this.least()) / this.span()) * this.place.width; }

  // In each pixel column the line from the least to the greatest value: as many points as there are pixels.
  private draw(): void {
    const { x, y } = this.data;
    const values = y.filter(known);
    const lo = values.reduce((least, value) => Math.min(least, value), Infinity);
    const hi = values.reduce((most, value) => Math.max(most, value), -Infinity);
    const at = (value: number): number => (hi > lo ? height - 5 - ((value - lo) / (hi - lo)) * (height - 10) : height / 2);
    let path = "";
    x.forEach((one, index) => {
      const value = y[index];
      if (known(value)) path += `${path ? "L" : "M"}${this.pixel(one).toFixed(1)} ${at(value).toFixed(1)}`;
    });
    const whole = this.place.left + this.place.width;
    set_attributes(this.drawn, { width: whole + 12, height, viewBox: `0 0 ${whole + 12} ${height}` });
    this.drawn.replaceChildren(s("path", { class: "chart-line", d: path }));
  }

  private set_parts(): void {
    const [first, last] = this.range.map((x) => this.pixel(x)) as [number, number];
    const both = this.parts.get("both")!;
    both.style.left = `${first}px`;
    both.style.width = `${Math.max(2, last - first)}px`;
    this.parts.get("first")!.style.left = `${first - 12}px`;
    this.parts.get("last")!.style.left = `${last - 12}px`;
    const text = this.range.map((x) => this.data.text(x));
    for (const [part, element] of this.parts)
      set_attributes(element, {
        "aria-valuemin": 0, "aria-valuemax": 100,
        "aria-valuenow": Math.round(((this.range[part === "last" ? 1 : 0] - this.least()) / this.span()) * 100),
        "aria-valuetext": part === "both" ? text.join(" to ") : part === "first" ? text[0]! : text[1]!,
      });
  }

  private handle(part: Part): HTMLElement {
    return h("div", {
      class: `brush-${part === "both" ? "window" : "end"}`, tabindex: 0, role: "slider", "aria-label": names[part], "aria-orientation": "horizontal",
      onpointerdown: (event: PointerEvent) => this.take(event, part),
      onpointermove: (event: PointerEvent) => this.drag(event),
      onpointerup: () => { this.grip = null; },
      onpointercancel: () => { this.grip = null; },
      onkeydown: (event: KeyboardEvent) => this.key(event, part),
    });
  }

  private take(event: PointerEvent, part: Part): void {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.grip = { part, x: event.clientX, range: [...this.range] };
    event.preventDefault();
    (event.currentTarget as HTMLElement).focus();
  }

  private drag(event: PointerEvent): void {
    if (!this.grip || this.place.width === 0) return;
    this.move(this.grip.part, this.grip.range, ((event.clientX - this.grip.x) / this.place.width) * this.span());
  }

  private key(event: KeyboardEvent, part: Part): void {
    const step = (this.span() * (event.shiftKey ? 10 : 1)) / 100;
    const steps: Record<string, number> = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageUp: 10 * step, PageDown: -10 * step, Home: -this.span(), End: this.span() };
    const by = steps[event.key];
    if (event.key === "Escape") this.moved(this.least(), this.most());
    else if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    else this.move(part, [...this.range], by);
    event.preventDefault();
    event.stopPropagation();
  }

  // Moves an end, which stops before the other, or the window, which stops at the ends of the series.
  private move(part: Part, [first, last]: [number, number], by: number): void {
    const least = this.span() * least_share;
    if (part === "first") first = Math.max(this.least(), Math.min(last - least, first + by));
    else if (part === "last") last = Math.min(this.most(), Math.max(first + least, last + by));
    else {
      const kept = Math.max(this.least() - first, Math.min(this.most() - last, by));
      [first, last] = [first + kept, last + kept];
    }
    this.moved(first, last);
  }
}
