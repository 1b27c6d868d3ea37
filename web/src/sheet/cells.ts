// SPDX-License-Identifier: Apache-2.0
// Cells that are more than a number: verdicts, intervals, links, bars.
import type { Interval, Maybe } from "../core/answers.ts";
import { address_of } from "../core/address.ts";
import { h, s } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import { quantity_text, ratio_text, short_id, unknown_mark } from "../core/quantity.ts";

interface Look { sign: string; tone: string; means: string }
const looks: Record<string, Look> = {
  BETTER: { sign: "▲", tone: "better", means: "the interval of the ratio lies above 1 by more than the least effect" },
  WORSE: { sign: "▼", tone: "worse", means: "the interval of the ratio lies below 1 by more than the least effect" },
  EQUIVALENT: { sign: "=", tone: "same", means: "the interval lies within the least effect around 1" },
  DIFFERENT_BUT_SMALL: { sign: "≈", tone: "same", means: "they differ, by less than the least effect" },
  INCONCLUSIVE: { sign: "?", tone: "open", means: "the interval is too wide to say" },
  INVALID: { sign: "✕", tone: "bad", means: "a check failed: this ratio says nothing" },
  UNVERIFIED: { sign: "○", tone: "open", means: "not verified: this ratio says nothing yet" },
};

/** Returns a verdict as a sign and a word, so that colour says nothing alone. */
export function verdict_cell(verdict: Maybe<string>): Child {
  if (!verdict) return unknown_mark();
  const look = looks[verdict.toUpperCase().replace(/ /g, "_")];
  const words = verdict.toLowerCase().replace(/_/g, " ");
  if (!look) return words;
  return h(
    "span",
    { class: `verdict tone-${look.tone}`, title: look.means },
    h("span", { class: "sign", "aria-hidden": "true" }, look.sign),
    words,
  );
}

export function verdict_tone(verdict: Maybe<string>): string {
  return (verdict && looks[verdict.toUpperCase().replace(/ /g, "_")]?.tone) || "";
}

/** Returns a link to a run, which is named by the end of its id. */
export function run_link(id: Maybe<string>, text?: string): Child {
  if (!id) return unknown_mark();
  return h("a", { href: address_of({ view: "run", run: id }), class: "id", title: id }, text ?? short_id(id));
}

/** Returns the median with its interval in small type behind it. */
export function interval_cell(median: Maybe<number>, ci: Maybe<Interval>, unit: string): Child {
  if (median === null || median === undefined) return unknown_mark();
  const half = ci ? (ci.hi - ci.lo) / 2 / Math.abs(median) : NaN;
  const spread = Number.isFinite(half) ? `±${half < 0.0995 ? (half * 100).toFixed(1) : Math.round(half * 100)} %` : "";
  const title = ci ? `${quantity_text(ci.lo, unit, 4)} to ${quantity_text(ci.hi, unit, 4)}` : undefined;
  return h("span", { class: "measured", title }, quantity_text(median, unit), h("span", { class: "spread" }, spread));
}

/** A common logarithmic scale of ratios, which holds 1: that is where a line is drawn. */
export interface RatioScale { least: number; most: number }
export function ratio_scale(values: readonly (number | null | undefined)[]): RatioScale {
  const scale = { least: 1, most: 1 };
  for (const value of values) {
    if (!value || !(value > 0) || !Number.isFinite(value)) continue;
    scale.least = Math.min(scale.least, value);
    scale.most = Math.max(scale.most, value);
  }
  if (scale.most / scale.least < 1.05) return { least: scale.least / 1.03, most: scale.most * 1.03 };
  return scale;
}

const strip_width = 104;
/** Returns a ratio with its interval drawn on the scale, and the number beside it. */
export function ratio_cell(ratio: Maybe<number>, ci: Maybe<Interval>, scale: RatioScale, tone: string): Child {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio)) return unknown_mark();
  const lo = ci?.lo ?? ratio;
  const hi = ci?.hi ?? ratio;
  const whole = Math.log(scale.most / scale.least);
  const place = (value: number): number => {
    const share = Math.log(Math.max(value, 1e-12) / scale.least) / whole;
    return 5 + Math.max(0, Math.min(1, share)) * (strip_width - 10);
  };
  const strip = s(
    "svg",
    { class: `strip tone-${tone || "same"}`, viewBox: `0 0 ${strip_width} 14`, width: strip_width, height: 14, "aria-hidden": "true" },
    s("line", { class: "strip-one", x1: place(1), x2: place(1), y1: 0, y2: 14 }),
    s("line", { class: "strip-reach", x1: place(1), x2: place(ratio), y1: 7, y2: 7 }),
    s("line", { class: "strip-interval", x1: place(lo), x2: Math.max(place(hi), place(lo) + 1), y1: 7, y2: 7 }),
    s("circle", { class: "strip-dot", cx: place(ratio), cy: 7, r: 3 }),
  );
  const title = ci ? `${ratio_text(lo, lo, hi)} to ${ratio_text(hi, lo, hi)}` : undefined;
  return h("span", { class: "ratio", title }, strip, h("span", { class: "ratio-number" }, ratio_text(ratio, lo, hi)));
}

/** Returns a share of something as a bar and its percent; above 1 the bar is full. */
export function share_cell(share: Maybe<number>): Child {
  if (share === null || share === undefined || !Number.isFinite(share)) return unknown_mark();
  const width = 44;
  return h(
    "span",
    { class: "share" },
    s(
      "svg",
      { class: "share-bar", viewBox: `0 0 ${width} 6`, width, height: 6, "aria-hidden": "true" },
      s("rect", { class: "share-whole", x: 0, y: 0, width, height: 6 }),
      s("rect", { class: "share-part", x: 0, y: 0, width: Math.max(0, Math.min(1, share)) * width, height: 6 }),
    ),
    h("span", { class: "share-number" }, `${Math.round(share * 100)} %`),
  );
}

/** Returns how an empty place is filled: a sentence and the command. */
export function empty_state(sentence: string, ...commands: string[]): Child {
  return [
    h("span", {}, sentence),
    commands.map((command) => [" ", h("code", { class: "command" }, command)]),
  ];
}
