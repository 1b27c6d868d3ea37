// SPDX-License-Identifier: Apache-2.0
// Series that a reader marked, kept in this browser only. They are named by what they measure: ids differ from store to store.
import type { Series } from "./answers.ts";

const place = "ridge.stars";
const most = 64;

/** Returns what a series measures, as one text. */
export function name_of(series: Series): string {
  const { machine, experiment, problem, backend, variant, metric } = series;
  return [machine, experiment, problem, backend, variant, metric].join("\n");
}

/** Returns the names of the series that are marked. */
export function stars(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name): name is string => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** Marks a series or takes its mark away, and returns whether it is marked now. */
export function toggle_star(series: Series): boolean {
  const name = name_of(series);
  const before = stars();
  const is_new = !before.includes(name);
  const after = is_new ? [...before, name].slice(-most) : before.filter((one) => one !== name);
  try {
    localStorage.setItem(place, JSON.stringify(after));
  } catch {
    return false;  // a browser that keeps nothing marks nothing
  }
  return is_new;
}
