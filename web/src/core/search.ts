// SPDX-License-Identifier: Apache-2.0
// One field that finds pages, analyses, experiments and runs.
import type { Analysis, Catalogue, RunEntry } from "./answers.ts";
import { address_of, go } from "./address.ts";
import { get } from "./api.ts";
import { fill, h } from "./dom.ts";
import { optional } from "./page.ts";
import { time_text } from "./quantity.ts";
import { sections } from "./sections.ts";

interface Place { kind: string; text: string; more: string; address: string }
let places: Place[] | null = null;

async function load(): Promise<Place[]> {
  const [analyses, catalogue, runs] = await Promise.all([
    optional(get<{ items: Analysis[] }>("analyses")),
    optional(get<Catalogue>("catalogue")),
    optional(get<{ items: RunEntry[] }>("runs", { limit: 200 })),
  ]);
  return [
    ...sections.map(({ view, text }) => ({ kind: "page", text, more: "", address: address_of({ view: view === "overview" ? "" : view }) })),
    ...(analyses?.items ?? []).map(({ name, title, question }) => ({ kind: "analysis", text: title, more: question, address: address_of({ view: "analysis", name }) })),
    ...(catalogue?.chapters ?? []).flatMap(({ experiments }) => experiments).map(({ id, title }) => ({
      kind: "experiment", text: id, more: title, address: address_of({ view: "experiment", experiment: id }),
    })),
    ...(runs?.items ?? []).map(({ id, machine, started }) => ({ kind: "run", text: id, more: `${time_text(started)} ${machine}`, address: address_of({ view: "run", run: id }) })),
  ];
}

function matching(all: readonly Place[], wanted: string): Place[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ kind, text, more }) => words.every((word) => `${kind} ${text} ${more}`.toLowerCase().includes(word))).slice(0, 14);
}

/** Opens the field. */
export async function open_search(): Promise<void> {
  const list = h("ul", { role: "listbox", id: "search-list", "aria-label": "Found" });
  const field = h("input", {
    type: "search", role: "combobox", "aria-expanded": "true", "aria-controls": "search-list", "aria-autocomplete": "list",
    "aria-label": "Search", placeholder: "page, experiment, run", spellcheck: "false", autocomplete: "off",
  });
  const dialog = h("dialog", { class: "dialog search", "aria-label": "Search" }, field, list);
  let found: Place[] = [];
  let at = 0;
  const choose = (place: Place | undefined): void => {
    dialog.close();
    if (place) go(place.address);
  };
  const draw = (): void => {
    found = matching(places ?? [], field.value);
    at = Math.min(at, Math.max(0, found.length - 1));
    fill(list, found.map((place, index) => h("li", {
      role: "option", id: `found-${index}`, "aria-selected": String(index === at), onclick: () => choose(place),
    }, h("span", { class: "kind" }, place.kind), h("span", { class: "found-text" }, place.text), h("span", { class: "more" }, place.more))));
    field.setAttribute("aria-activedescendant", found.length > 0 ? `found-${at}` : "");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  field.addEventListener("input", () => { at = 0; draw(); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") at = Math.min(at + 1, found.length - 1);
    else if (event.key === "ArrowUp") at = Math.max(at - 1, 0);
    else if (event.key === "Enter") { event.preventDefault(); choose(found[at]); return; }
    else return;
    event.preventDefault();
    draw();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  draw();
  places ??= await load().catch(() => []);
  draw();
}
