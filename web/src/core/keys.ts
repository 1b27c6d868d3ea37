// SPDX-License-Identifier: Apache-2.0
// The keys, everywhere the same as on the terminal's screens. Letters are left alone where text is typed.
import { address_of, go } from "./address.ts";
import { h } from "./dom.ts";
import type { SheetHandle } from "../sheet/sheet.ts";
import { say } from "./say.ts";
import { sections } from "./sections.ts";
import { next_density, next_theme } from "./theme.ts";

export interface KeyTargets {
  sheets(): readonly SheetHandle[];
  compare(): void;
  neighbour(step: -1 | 1): void;
  search(): void;
}

const described: readonly (readonly [string, string])[] = [
  ["/", "search for a page, an experiment, a run"],
  ["f", "filter the table"],
  ...sections.map(({ key, text }) => [`g ${key}`, text] as const),
  ["j k", "next and previous row"],
  ["Enter", "open the row or point"],
  ["x", "select the row"],
  ["c", "compare what is selected"],
  ["[ ]", "the run before and after"],
  ["← → ↑ ↓", "on a chart: walk over its points and series"],
  ["d", "height of rows"],
  ["t", "theme: the system's, light, dark"],
  [".", "to the tools of what is shown"],
  ["?", "these keys"],
];

/** Shows the keys. */
export function show_keys(): void {
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, "Keys"),
    h("dl", { class: "keys" }, described.map(([key, text]) => [h("dt", {}, key.split(" ").map((part) => [h("kbd", {}, part), " "])), h("dd", {}, text)])),
    h("form", { method: "dialog" }, h("button", { type: "submit" }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function is_typing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=checkbox]),select,textarea,[contenteditable]") !== null;
}

/** Listens to the keys of all pages. */
export function listen_to_keys(targets: KeyTargets): void {
  let going = 0;
  const sheet = (): SheetHandle | undefined => {
    const all = targets.sheets();
    return all.find(({ root }) => root.contains(document.activeElement)) ?? all[0];
  };
  const actions: Record<string, () => void> = {
    "/": () => targets.search(),
    f: () => { if (!sheet()?.focus_filter()) say("nothing to filter here"); },
    j: () => sheet()?.move(1),
    k: () => sheet()?.move(-1),
    x: () => sheet()?.toggle(),
    c: () => targets.compare(),
    "[": () => targets.neighbour(-1),
    "]": () => targets.neighbour(1),
    d: () => say(`rows: ${next_density()}`),
    t: () => say(`theme: ${next_theme()}`),
    ".": () => document.querySelector<HTMLElement>("main .tools button")?.focus(),
    "?": () => show_keys(),
    g: () => { going = Date.now(); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (is_typing(event.target)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    if (going && Date.now() - going < 1500) {
      going = 0;
      const section = sections.find(({ key }) => key === event.key);
      if (section) {
        event.preventDefault();
        go(address_of({ view: section.view === "overview" ? "" : section.view }));
      }
      return;
    }
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
