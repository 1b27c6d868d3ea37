// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them. The rules are those of the command line: three significant digits, SI prefixes,
// binary ones for bytes; what is not known is a dash.
import { h } from "./dom.ts";

const decimal: readonly (readonly [number, string])[] = [
  [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"],
  [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"],
];
const binary: readonly (readonly [number, string])[] = [
  [2 ** 40, "Ti"], [2 ** 30, "Gi"], [2 ** 20, "Mi"], [2 ** 10, "Ki"], [1, ""],
];
export const unknown = "–";

/** A number's text and its unit apart: "10.4" and "ms". */
export interface Quantity {
  readonly digits: string;
  readonly unit: string;
}

/** Returns so many decimals. What lies in the middle between two texts, as sizes in bytes often do, goes to the even one, as
 *  on the command line: 1.125 is 1.12. */
function with_decimals(value: number, decimals: number): string {
  const exact = Math.abs(value).toFixed(60);
  const end = exact.length - 60 + decimals;
  const shorter = exact.slice(0, end).replace(/\.$/, "");
  if (!/^50*$/.test(exact.slice(end)) || !/[02468]$/.test(shorter)) return value.toFixed(decimals);
  return value < 0 ? `-${shorter}` : shorter;
}

/** Returns so many significant digits: 0.0123, 12.3, 12345; below 0.0001 with an exponent. */
export function significant(value: number, digits = 3): string {
  if (value === 0) return "0";
  if (Math.abs(value) < 1e-4) return value.toExponential(digits - 1).replace(/-/g, "−");
  const whole = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits))))) + 1;
  return with_decimals(value, Math.min(Math.max(digits - whole, 0), 12)).replace("-", "−");
}

/** Returns a whole number in groups of three: "16 777 216". */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, " ").replace("-", "−");
}

/** Returns a size as the command line shows it: powers of two as 2^24. */
export function count_text(value: number): string {
  if (!Number.isInteger(value)) return significant(value);
  if (value >= 1024 && Math.log2(value) % 1 === 0) return `2^${Math.log2(value)}`;
  return grouped(value);
}

/** Returns value and unit at the prefix under which the number, once rounded, is at least one. */
export function quantity(value: number, unit: string, digits = 3): Quantity {
  if (!Number.isFinite(value)) return { digits: unknown, unit: "" };
  const scaled = (steps: readonly (readonly [number, string])[]): Quantity => {
    const size = Math.abs(value);
    const least = 1 - 0.5 * 10 ** -digits;
    const step = size === 0 ? ([1, ""] as const) : (steps.find(([f]) => size >= f * least) ?? steps[steps.length - 1]!);
    return { digits: significant(value / step[0], digits), unit: step[1] + unit };
  };
  switch (unit) {
    case "%":
      return { digits: significant(value, digits), unit: "%" };
    case "USD":
      return { digits: significant(value, digits), unit: "USD" };
    case "ns":
      return quantity(value / 1e9, "s", digits);
    case "B":
      return scaled(binary);
    case "s":
      return Math.abs(value) >= 1 ? { digits: significant(value, digits), unit } : scaled(decimal);
    case "count":
      return { digits: grouped(value), unit: "" };
    case "n":
      return { digits: count_text(value), unit: "" };
    case "1":
    case "":
    case "text":
      return { digits: significant(value, digits), unit: "" };
    default:
      return unit.includes("/") || ["J", "W", "FLOP", "Hz"].includes(unit)
        ? scaled(decimal)
        : { digits: significant(value, digits), unit };
  }
}

/** Returns the quantity as one text: "10.4 ms". */
export function quantity_text(value: number | null | undefined, unit: string, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknown;
  const { digits: number, unit: shown } = quantity(value, unit, digits);
  return shown ? `${number} ${shown}` : number;
}

/** Returns the quantity as an element whose unit is set lighter. */
export function quantity_cell(value: number | null | undefined, unit: string, digits = 3): HTMLElement {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknown_mark();
  const { digits: number, unit: shown } = quantity(value, unit, digits);
  return h("span", { class: "quantity" }, number, shown && h("span", { class: "unit" }, ` ${shown}`));
}

/** The mark of a value that nobody knows. */
export function unknown_mark(): HTMLElement {
  return h("span", { class: "unknown", title: "unknown" }, unknown);
}

/** Returns a ratio with as many decimals as its interval supports. */
export function ratio_text(ratio: number, lo: number, hi: number): string {
  if (!Number.isFinite(ratio)) return unknown;
  const half = Math.max((hi - lo) / 2, 1e-9);
  const decimals = ratio >= 100 ? 1 : Math.min(Math.max(Math.ceil(-Math.log10(half)) + 1, 2), 4);
  return `${with_decimals(ratio, decimals)}×`;
}

/** Returns a probability with three decimals: "0.034", "≤ .001" below. */
export function chance_text(p: number): string {
  return p < 0.0015 ? "≤ .001" : p.toFixed(3);
}

/** Returns "2026-11-23 11:36" of an ISO time, in UTC. */
export function time_text(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** Returns "23 Nov 2026" of an ISO time. */
export function date_text(iso: string): string {
  const month = months[Number(iso.slice(5, 7)) - 1];
  return month ? `${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)}` : iso;
}

/** Returns the end of a run's id, which differs from run to run, whole ids being long. */
export function short_id(id: string): string {
  return id.length > 10 ? `…${id.slice(-6)}` : id;
}
