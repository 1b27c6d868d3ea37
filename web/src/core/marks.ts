// SPDX-License-Identifier: Apache-2.0
// When parts of a page were seen, for tests/browser/figures: "ridge:drawn" and "ridge:chart", in the browser's own timeline.

/** Notes the time once the frame that shows what was just drawn is through; the first call for a name counts until clear_marks(). */
export function mark_painted(name: "drawn" | "chart"): void {
  if (asked.has(name)) return;
  asked.add(name);
  requestAnimationFrame(() => {
    window.setTimeout(() => performance.mark(`ridge:${name}`));
  });
}

const asked = new Set<string>();

/** Begins anew: another page is drawn. */
export function clear_marks(): void {
  asked.clear();
  performance.clearMarks("ridge:drawn");
  performance.clearMarks("ridge:chart");
}
