// SPDX-License-Identifier: Apache-2.0
// From values of an axis to places on the screen, and the ticks that people can read.
import type { ChartAxis } from "../core/answers.ts";
import { count_text, quantity_text } from "../core/quantity.ts";

export interface Tick { value: number; text: string }
export interface Scale {
  readonly lo: number;
  readonly hi: number;
  readonly logarithmic: boolean;
  /** The place of a value between the ends of the range. */
  place(value: number): number;
  /** The value at a place. */
  value_at(place: number): number;
  readonly ticks: Tick[];
  /** Lines between ticks, as on graph paper. */
  readonly minor: number[];
}

function nice_step(span: number, most: number): number {
  const raw = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const share = raw / power;
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

/** Returns an axis value as ticks and the cursor show it. */
export function axis_text(axis: ChartAxis, value: number, digits = 3): string {
  if (axis.categories.length > 0) return axis.categories[Math.round(value)] ?? "";
  if (axis.unit === "n") return count_text(value);
  return quantity_text(value, axis.unit, digits);
}

function linear_ticks(axis: ChartAxis, lo: number, hi: number, most: number): { ticks: Tick[]; minor: number[] } {
  if (axis.categories.length > 0)
    return { ticks: axis.categories.map((text, value) => ({ value, text })), minor: [] };
  // Steps of bytes are round in the prefix that they are shown with.
  const unit = axis.unit === "B" ? 1024 ** Math.max(0, Math.floor(Math.log2(Math.max(Math.abs(lo), Math.abs(hi), 1)) / 10)) : 1;
  const step = nice_step((hi - lo) / unit, most) * unit;
  const ticks: Tick[] = [];
  const minor: number[] = [];
  // Ticks that are near to each other need more digits to differ.
  const digits = Math.max(3, Math.ceil(Math.log10(Math.max(Math.abs(lo), Math.abs(hi)) / step)) + 1);
  for (let at = Math.ceil(lo / step - 1e-9); at * step <= hi * (1 + 1e-12) + step * 1e-9; at += 1) {
    const value = at * step;
    ticks.push({ value, text: trimmed(axis_text(axis, Math.abs(value) < step * 1e-9 ? 0 : value, digits)) });
  }
  for (let at = Math.ceil((lo / step) * 5); (at * step) / 5 <= hi; at += 1) minor.push((at * step) / 5);
  return { ticks, minor };
}

/** Leaves out zeros behind the point: "1.20 ms" -> "1.2 ms". */
export function trimmed(text: string): string {
  return text.replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
}

function log_ticks(axis: ChartAxis, lo: number, hi: number, most: number): { ticks: Tick[]; minor: number[] } {
  // Less than a decade: ticks at round numbers, as on a linear axis.
  if (hi / lo < 10) return linear_ticks(axis, lo, hi, most);
  const base = axis.unit === "n" || axis.unit === "B" ? 2 : 10;
  const first = Math.floor(Math.log(lo) / Math.log(base) + 1e-9);
  const last = Math.ceil(Math.log(hi) / Math.log(base) - 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / most));
  const within = (value: number): boolean => value >= lo * (1 - 1e-9) && value <= hi * (1 + 1e-9);
  const ticks: Tick[] = [];
  const minor: number[] = [];
  const steps = base === 10 && last - first <= 2 ? [1, 2, 5] : [1];
  for (let power = first; power <= last; power += 1) {
    for (const step of steps) {
      const value = step * base ** power;
      if (within(value) && (power - first) % every === 0) ticks.push({ value, text: trimmed(axis_text(axis, value)) });
    }
    if (base === 10) for (let digit = 2; digit < 10; digit += 1) if (within(digit * base ** power)) minor.push(digit * base ** power);
  }
  return { ticks, minor };
}

/** Returns the scale of an axis over values from `start` to `end` pixels with at most `most` ticks. */
export function scale_of(axis: ChartAxis, values: readonly number[], start: number, end: number, most: number): Scale {
  const logarithmic = axis.scale === "logarithmic" && axis.categories.length === 0;
  const usable = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  let lo = usable.reduce((least, value) => Math.min(least, value), Infinity);
  let hi = usable.reduce((greatest, value) => Math.max(greatest, value), -Infinity);
  if (axis.categories.length > 0) {
    lo = -0.5;
    hi = axis.categories.length - 0.5;
  } else if (!Number.isFinite(lo)) {
    lo = logarithmic ? 1 : 0;
    hi = logarithmic ? 10 : 1;
  } else if (logarithmic) {
    const pad = Math.max((Math.log(hi) - Math.log(lo)) * 0.05, 0.08);
    lo = Math.exp(Math.log(lo) - pad);
    hi = Math.exp(Math.log(hi) + pad);
  } else {
    if (lo > 0 && lo < 0.35 * hi) lo = 0;
    const pad = hi > lo ? (hi - lo) * 0.05 : Math.abs(hi) * 0.05 || 1;
    lo = lo === 0 ? 0 : lo - pad;
    hi += pad;
  }
  const across = (value: number): number => (logarithmic ? Math.log(value) : value);
  const span = across(hi) - across(lo);
  const drawn = logarithmic ? log_ticks(axis, lo, hi, most) : linear_ticks(axis, lo, hi, most);
  return {
    lo, hi, logarithmic,
    place: (value) => start + ((across(value) - across(lo)) / span) * (end - start),
    value_at: (place) => {
      const at = across(lo) + ((place - start) / (end - start)) * span;
      return logarithmic ? Math.exp(at) : at;
    },
    ...drawn,
  };
}
