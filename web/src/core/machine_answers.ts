// SPDX-License-Identifier: Apache-2.0
// What the API answers about limits and machines.
import type { Ceiling, Interval, Maybe } from "./answers.ts";

export interface Roof {
  id: string;
  kind: "bandwidth" | "compute";
  origin: "measured" | "specified";
  level: string;
  dtype: string;
  units: string;
  value: number;
  specified: Maybe<number>;
  label: string;
  shown: boolean;
}
export interface RooflinePoint {
  kernel: string;
  group: string;
  label: string;
  dtype: string;
  seconds: Maybe<number>;
  intensity: Maybe<number>;
  flop_per_s: Maybe<number>;
  flop_per_s_ci: Maybe<Interval>;
  bytes_per_s: Maybe<number>;
  verdict: Maybe<{ bound: string; roof: string; attainable: Maybe<number>; share: Maybe<number>; headroom: Maybe<number>; next: string }>;
}
export interface RooflineChart { backend: string; device: string; threads: number; roofs: Roof[]; points: RooflinePoint[] }
export interface Roofline { run: string; machine: string; started: string; charts: RooflineChart[] }

export interface ProbeNode {
  kind: string;
  name: string;
  facts: Record<string, { text: string; value: Maybe<number>; unit: string }>;
  children: ProbeNode[];
}
export interface AuditCheck {
  id: string;
  title: string;
  severity: string;
  seen: string;
  why: string;
  fix_bare_metal: string;
  fix_container: string;
  fix_kubernetes: string;
}
export interface Machine {
  probe: { machine: ProbeNode };
  audit: { checks: AuditCheck[] };
  /** The limits that its newest stored run was held against. */
  peak: Maybe<{ measured_at: string; ceilings: Ceiling[] }>;
}
