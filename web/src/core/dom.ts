// SPDX-License-Identifier: Apache-2.0
// Elements are made here and nowhere else, from texts and attributes: no text ever becomes markup.

export type Child = Node | string | number | null | undefined | false | readonly Child[];
type AttributeValue = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, AttributeValue>;

const svg_namespace = "http://www.w3.org/2000/svg";

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child as readonly Child[]);
    else parent.append(child instanceof Node ? child : String(child));
  }
}

/** Sets attributes; a function under "onclick" listens to "click"; null, undefined and false leave one out. */
export function set_attributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Makes an element of HTML. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set_attributes(element, attributes);
  append(element, children);
  return element;
}

/** Makes an element of SVG. Colours come from classes, so that a change of theme needs no drawing. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svg_namespace, tag);
  set_attributes(element, attributes);
  append(element, children);
  return element;
}

/** Replaces what an element holds. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

let last_id = 0;
/** Returns an id that no other element of this page has. */
export function new_id(stem: string): string {
  last_id += 1;
  return `${stem}-${last_id}`;
}

/** Calls `action` once calls have ceased for `wait_ms`. */
export function debounced(wait_ms: number, action: () => void): () => void {
  let timer = 0;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(action, wait_ms);
  };
}

/** Waits until what was drawn has been painted; a page that is hidden is not waited for. */
export function next_paint(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((done) => {
    window.setTimeout(done, 200);
    requestAnimationFrame(() => window.setTimeout(done));
  });
}

/** Waits until the page has been painted once. */
export function first_paint(): Promise<void> {
  return performance.getEntriesByType("paint").length > 0 ? Promise.resolve() : next_paint();
}

/** Lets the browser do what waits, as a press of a key, before what follows. */
export function next_task(): Promise<void> {
  return new Promise((done) => { window.setTimeout(done); });
}

/** Returns a place that says what is loading until `made` is there; what fails says so in its place. */
export function later(what: string, made: Promise<Child>): HTMLElement {
  const place = h("div", { class: "waiting" }, what);
  const settle = (...children: Child[]): void => {
    place.classList.remove("waiting");
    fill(place, children);
  };
  made.then(settle, (failure: unknown) => {
    if (failure instanceof DOMException && failure.name === "AbortError") return;
    settle(h("p", { class: "empty" }, failure instanceof Error ? failure.message : String(failure)));
  });
  return place;
}

/** Gives a file to the reader under this name. */
export function save_file(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Returns a file's name made of words: "Speed: time of a call" -> "speed-time-of-a-call.csv". */
export function file_name(words: string, ending: string): string {
  const stem = words.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `ridge-${stem || "chart"}.${ending}`;
}
