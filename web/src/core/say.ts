// SPDX-License-Identifier: Apache-2.0
// A line that is shown for a moment and read out by screen readers.
import { h } from "./dom.ts";

const region = h("div", { class: "said", role: "status", "aria-live": "polite" });
let timer = 0;

/** Returns the element that holds the line; it belongs into the page once. */
export function say_region(): HTMLElement {
  return region;
}

/** Says one line. */
export function say(line: string): void {
  region.textContent = line;
  region.classList.add("is-shown");
  window.clearTimeout(timer);
  timer = window.setTimeout(() => region.classList.remove("is-shown"), 3500);
}

/** Puts a text on the clipboard and says so. */
export async function copy_text(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${name} copied`);
  } catch {
    say(`${name} could not be copied: this browser allows it only from https or this machine`);
  }
}
