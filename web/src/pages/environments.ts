// SPDX-License-Identifier: Apache-2.0
// Environments of runs, and in which facts two of them differ.
import type { Environment } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";

export interface FactChange { fact: string; before: string | null; after: string | null }

function flat(environment: Environment): Record<string, string> {
  const { facts, findings: _, ...rest } = environment;
  return Object.fromEntries([...Object.entries(rest), ...Object.entries(facts)].map(([name, value]) => [name, String(value)]));
}

/** Returns the environment that a run was made under. Throws a Problem. */
export async function environment_of(run: string, signal: AbortSignal): Promise<Environment> {
  return get<Environment>(`runs/${encodeURIComponent(run)}/environment`, {}, signal);
}

/** Returns the facts in which two environments differ; a fact that one of them has not recorded is null there. */
export function differing_facts(before: Environment, after: Environment): FactChange[] {
  const a = flat(before);
  const b = flat(after);
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((fact) => a[fact] !== b[fact])
    .map((fact) => ({ fact, before: a[fact] ?? null, after: b[fact] ?? null }));
}

/** Returns a table of what differs between two runs, which are named by the ends of their ids. */
export async function environment_difference(first: string, second: string, signal: AbortSignal): Promise<Child> {
  const [before, after] = await Promise.all([environment_of(first, signal), environment_of(second, signal)]);
  const changed = differing_facts(before, after);
  if (changed.length === 0) return h("p", { class: "empty" }, "The environments of these two runs are equal in everything that is recorded.");
  return h("div", { class: "sheet-scroll", tabindex: 0, role: "region", "aria-label": "Facts that differ" }, h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, ["fact", `…${first.slice(-6)}`, `…${second.slice(-6)}`].map((text) => h("th", { scope: "col", class: "word" }, text)))),
    h("tbody", {}, changed.map(({ fact, before: was, after: is }) =>
      h("tr", {}, h("th", { scope: "row", class: "word" }, fact.replace(/_/g, " ")), h("td", { class: "word" }, was ?? "–"), h("td", { class: "word" }, is ?? "–"))))));
}
