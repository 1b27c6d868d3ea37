// SPDX-License-Identifier: Apache-2.0
// How samples are distributed: the share at or below each value, and how many fall into each of equal bins.
import type { DrawnChart } from "./drawing.ts";

/** Values in any order, drawn under one name and in the colour of a slot. */
export interface NamedValues { name: string; slot: number; values: readonly number[] }

/** Returns the empirical distribution functions as lines of steps. */
export function ecdf_chart(title: string, label: string, unit: string, all: readonly NamedValues[]): DrawnChart {
  const series = all.filter(({ values }) => values.length > 0).map(({ name, slot, values }) => {
    const sorted = [...values].sort((first, second) => first - second);
    return {
      name, mark: "steps" as const, key: slot,
      x: sorted, y: sorted.map((_, at) => ((at + 1) / sorted.length) * 100), says: sorted.map(() => ""), low: [], high: [],
    };
  });
  const values = series.flatMap(({ x }) => x);
  const wide = Math.max(...values) > 4 * Math.min(...values) && Math.min(...values) > 0;
  return {
    title, subtitle: "Share of samples at or below each value: steep is steady, left is fast where less is better.",
    x: { label, unit, scale: wide ? "logarithmic" : "linear", categories: [] },
    y: { label: "share of samples", unit: "%", scale: "linear", categories: [] },
    series, limits: [],
  };
}

/** Returns how many bins so many values are sorted into: those of Freedman and Diaconis, between 4 and 40. */
export function bin_count(sorted: readonly number[]): number {
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  const width = (2 * (at(0.75) - at(0.25))) / Math.cbrt(sorted.length);
  const span = sorted[sorted.length - 1]! - sorted[0]!;
  return width > 0 && span > 0 ? Math.min(40, Math.max(4, Math.ceil(span / width))) : 4;
}

/** Returns histograms over common bins, each in percent of its own samples so that unequal counts can be compared. */
export function histogram_chart(title: string, label: string, unit: string, all: readonly NamedValues[]): DrawnChart | null {
  const drawn = all.filter(({ values }) => values.length > 0);
  const sorted = drawn.flatMap(({ values }) => [...values]).sort((first, second) => first - second);
  const least = sorted[0];
  const most = sorted[sorted.length - 1];
  if (least === undefined || most === undefined || !(most > least)) return null;
  const bins = bin_count(sorted);
  const width = (most - least) / bins;
  const bin_of = (value: number): number => Math.min(bins - 1, Math.floor((value - least) / width));
  const series = drawn.map(({ name, slot, values }) => {
    const counts = new Array<number>(bins).fill(0);
    for (const value of values) counts[bin_of(value)]! += 1;
    const edges = counts.flatMap((_, bin) => [least + bin * width, least + (bin + 1) * width]);
    const heights = counts.flatMap((count) => [(count / values.length) * 100, (count / values.length) * 100]);
    return {
      name, mark: "outline" as const, key: slot, x: [least, ...edges, most], y: [0, ...heights, 0], low: [], high: [],
      says: ["", ...counts.flatMap((count) => [`${count} of ${values.length} samples`, `${count} of ${values.length} samples`]), ""],
    };
  });
  return {
    title, subtitle: `Share of the samples of a run in each of ${bins} equal bins.`,
    x: { label, unit, scale: "linear", categories: [] },
    y: { label: "share of samples", unit: "%", scale: "linear", categories: [] },
    series, limits: [],
  };
}
