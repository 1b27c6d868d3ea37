// SPDX-License-Identifier: Apache-2.0
// When parts of a page were seen, for tests/browser/figures: "ridge:asked", "ridge:drawn" and "ridge:chart", in the browser's own timeline.

/**
 * Notes the time once what was just drawn has been painted; the first call for a name counts until clear_marks(). `in_frame`
 * says that the caller is called by a frame that is being made, as observers of sizes are: no other frame is waited for.
 */
export function mark_painted(name: "drawn" | "chart", in_frame: boolean): void {
  if (asked.has(name)) return;
  asked.add(name);
  const mark = (): void => { window.setTimeout(() => performance.mark(`ridge:${name}`)); };
  if (in_frame) mark();
  else requestAnimationFrame(mark);
}

const asked = new Set<string>();

/** Begins anew: another page is drawn. */
export function clear_marks(): void {
  asked.clear();
  performance.clearMarks("ridge:drawn");
  performance.clearMarks("ridge:chart");
  performance.clearMarks("ridge:asked");
  performance.mark("ridge:asked");
}
