// SPDX-License-Identifier: Apache-2.0
// Colour, shape and dashes of series. Colours are those of Okabe and Ito, which people with any colour vision tell
// apart, darkened on paper until they have three times its luminance; shapes and dashes repeat what they say.
import { s } from "../core/dom.ts";

export const colours = 8;

/** Returns a number that depends on the text alone, so that a series keeps its colour from page to page. */
export function hash_of(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return hash >>> 0;
}

/** Gives each name the colour of its hash, or the next one that no other name of the same chart has. */
export function slots_of(names: readonly string[]): Map<string, number> {
  const slots = new Map<string, number>();
  const taken = new Set<number>();
  for (const name of [...new Set(names)].sort()) {
    const first = hash_of(name) % colours;
    const round = Math.floor(taken.size / colours) * colours;
    let slot = round + first;
    for (let step = 1; taken.has(slot); step += 1) slot = round + ((first + step) % colours);
    taken.add(slot);
    slots.set(name, slot);
  }
  return slots;
}

// Slots from 8 on repeat the colours with other shapes.
function shape_of(slot: number): number {
  return (slot + 3 * Math.floor(slot / colours)) % 8;
}

const dashes = ["", "7 3", "2 3", "9 3 2 3", "", "5 5", "1 4", "12 4"];
export function dash_of(slot: number): string {
  return dashes[shape_of(slot)]!;
}

const shapes: ((r: number) => string)[] = [
  (r) => `M${-r} 0A${r} ${r} 0 1 0 ${r} 0A${r} ${r} 0 1 0 ${-r} 0Z`,
  (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
  (r) => `M0 ${-1.25 * r}L${1.15 * r} ${0.85 * r}H${-1.15 * r}Z`,
  (r) => `M0 ${-1.3 * r}L${1.3 * r} 0L0 ${1.3 * r}L${-1.3 * r} 0Z`,
  (r) => `M0 ${1.25 * r}L${1.15 * r} ${-0.85 * r}H${-1.15 * r}Z`,
  (r) => `M${-r} ${-0.4 * r}H${-0.4 * r}V${-r}H${0.4 * r}V${-0.4 * r}H${r}V${0.4 * r}H${0.4 * r}V${r}H${-0.4 * r}V${0.4 * r}H${-r}Z`,
  (r) => `M${-1.2 * r} 0L${-0.3 * r} ${-0.3 * r}L0 ${-1.2 * r}L${0.3 * r} ${-0.3 * r}L${1.2 * r} 0L${0.3 * r} ${0.3 * r}L0 ${1.2 * r}L${-0.3 * r} ${0.3 * r}Z`,
  (r) => `M${-r} ${-0.5 * r}H${r}V${0.5 * r}H${-r}Z`,
];

/** Returns the path of a slot's shape around the origin. */
export function shape_path(slot: number, radius = 3.6): string {
  return shapes[shape_of(slot)]!(radius);
}

/** Returns the sample of a series that stands in the key. */
export function key_sample(slot: number, mark: string, plain = false): SVGSVGElement {
  const line = mark !== "points" && mark !== "outline";
  return s(
    "svg",
    { class: `key-sample slot-${slot % colours}`, viewBox: "-13 -7 26 14", width: 26, height: 14, "aria-hidden": "true" },
    line && s("path", { class: "chart-line", d: "M-12 0H12", "stroke-dasharray": mark === "dashed" ? "4 3" : plain ? null : dash_of(slot) || null }),
    mark === "outline" && s("rect", { class: "chart-outline", x: -9, y: -5, width: 18, height: 10 }),
    mark !== "outline" && mark !== "dashed" && mark !== "steps" && s("path", { class: "chart-point", d: plain ? shape_path(0) : shape_path(slot) }),
  );
}
