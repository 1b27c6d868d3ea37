// SPDX-License-Identifier: Apache-2.0
// Light, dark or the system's choice; close or roomy rows. Kept in this browser only.

export type Theme = "auto" | "light" | "dark";

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing shows the system's choice again next time.
  }
}

function apply(name: "theme" | "density", value: string): void {
  if (value === "auto" || value === "roomy") delete document.documentElement.dataset[name];
  else document.documentElement.dataset[name] = value;
  window.dispatchEvent(new Event("ridge:theme"));
}

/** Applies what was kept. */
export function start_theme(): void {
  apply("theme", kept("ridge.theme") ?? "auto");
  apply("density", kept("ridge.density") ?? "roomy");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => window.dispatchEvent(new Event("ridge:theme")));
}

/** Goes from the system's choice to light, to dark and back; returns what holds now. */
export function next_theme(): Theme {
  const order: Theme[] = ["auto", "light", "dark"];
  const now = (document.documentElement.dataset["theme"] ?? "auto") as Theme;
  const next = order[(order.indexOf(now) + 1) % order.length]!;
  apply("theme", next);
  keep("ridge.theme", next);
  return next;
}

/** Switches between roomy and close rows; returns what holds now. */
export function next_density(): string {
  const next = document.documentElement.dataset["density"] === "close" ? "roomy" : "close";
  apply("density", next);
  keep("ridge.density", next);
  return next;
}

// Asking for a computed style makes the browser lay out the page, so that each token is asked for once a theme.
const resolved = new Map<string, string[]>();
window.addEventListener("ridge:theme", () => resolved.clear());

function parts_of(token: string): string[] {
  const before = resolved.get(token);
  if (before) return before;
  const probe = document.createElement("i");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? ["0", "0", "0"];
  probe.remove();
  resolved.set(token, parts.slice(0, 3));
  return parts.slice(0, 3);
}

/** Returns the colour of a token as it is in force, for what is drawn on a canvas. */
export function colour_of(token: string, alpha = 1): string {
  return `rgba(${parts_of(token).join(", ")}, ${alpha})`;
}

/** Returns the family of the text of pages. */
export function text_font(): string {
  return getComputedStyle(document.body).fontFamily;
}
