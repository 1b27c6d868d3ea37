// SPDX-License-Identifier: Apache-2.0
import type { Chart, ChartSeries, Maybe } from "../core/answers.ts";

/** A chart of the API, with what pages of this bundle add to it. */
export interface DrawnSeries extends ChartSeries {
  /** Drawn in ink and named at its end instead of in the key. */
  roof?: boolean;
  /** Drawn without dashes and with round dots, as long series are. */
  plain?: boolean;
  /** Where Enter leads from a point. */
  link?(point: number): string | null;
}
export interface DrawnChart extends Omit<Chart, "series"> {
  series: DrawnSeries[];
  /** Lines from top to bottom: changes of a series. */
  rules?: { x: number; says: string; tone: string }[];
  height?: number;
  /** Values of the x axis as text, where it is not the axis' own: times, ids of runs. */
  x_text?(value: number): string;
}

export interface Place { x: number; y: number }

/** What draws a chart into an element. Series and points are named by their index in the chart. */
export interface Drawing {
  readonly element: Element;
  draw(width: number, hidden: ReadonlySet<number>): void;
  place(series: number, point: number): Place | null;
  nearest(x: number, y: number): { series: number; point: number } | null;
  mark(series: number, point: number): void;
  unmark(): void;
}

export function known(value: Maybe<number>): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}
