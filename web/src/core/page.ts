// SPDX-License-Identifier: Apache-2.0
import type { View } from "./address.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import type { SheetHandle } from "../sheet/sheet.ts";
import { Problem } from "./api.ts";

/** What a page gets to draw itself. */
export interface PageContext {
  readonly view: View;
  /** Ends what the page began: requests, listeners. */
  readonly signal: AbortSignal;
  /** The sheets of the page, for its keys. */
  readonly sheets: SheetHandle[];
  /** What stands in the margin: facts about what is shown. */
  margin(...notes: Child[]): void;
  /** Returns a place that is filled once everything before it has been painted: for what stands below the first screen. */
  follow(make: () => Child): HTMLElement;
  /** Names the page in the browser's title. */
  title(text: string): void;
  /** What [ and ] lead to. */
  neighbours(before: string | null, after: string | null): void;
  /** What c does with the rows that are selected. */
  on_compare(action: () => void): void;
}

export type Page = (context: PageContext) => Promise<Child>;

/** Returns the head of a page. */
export function page_head(eyebrow: Child, title: Child, ...rest: Child[]): HTMLElement {
  return h("div", { class: "page-head" }, h("p", { class: "eyebrow" }, eyebrow), h("h1", {}, title), rest);
}

/** Adds a sheet to those that keys reach, and returns its element. */
export function keyed<T extends SheetHandle>(context: PageContext, sheet: T): HTMLElement {
  context.sheets.push(sheet);
  return sheet.root;
}

/** Returns a name that may be broken behind its dots, dashes and underscores. */
export function breakable(text: string): Child {
  return text.split(/(?<=[._/=-])/).map((part, index) => [index > 0 && h("wbr"), part]);
}

/** Returns facts as a list for the margin; those without a value are left out. */
export function facts(title: string, entries: readonly (readonly [Child, Child])[]): HTMLElement {
  return h("section", { class: "facts" },
    h("h2", {}, title),
    h("dl", {}, entries.filter(([, value]) => value !== "" && value !== null && value !== undefined)
      .map(([name, value]) => [h("dt", {}, name), h("dd", {}, typeof value === "string" ? breakable(value) : value)])));
}

/** Returns what is shown where a page cannot be drawn. */
export function problem_page(failure: unknown): HTMLElement {
  const problem = failure instanceof Problem ? failure : new Problem(0, "This page could not be drawn", String(failure), "");
  return h("div", { class: "problem", role: "alert" },
    page_head(problem.status > 0 ? `Status ${problem.status}` : "No answer", problem.title || "This cannot be shown"),
    h("p", { class: "problem-detail" }, problem.detail),
    problem.remedy && h("p", { class: "lead" }, problem.remedy));
}

/** Asks for something that a page can do without: null where the server has none of it. */
export async function optional<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (failure) {
    if (failure instanceof Problem && failure.status !== 401 && failure.status !== 0) return null;
    throw failure;
  }
}
