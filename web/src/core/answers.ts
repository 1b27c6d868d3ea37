// SPDX-License-Identifier: Apache-2.0
// What the API answers, version 1. A member that may be absent or null is unknown, never zero.

export type * from "./machine_answers.ts";

export interface Interval { lo: number; hi: number }
export type Maybe<T> = T | null | undefined;
export interface List<T> { items: T[]; next?: Maybe<string> }

export interface Summary {
  runs: number;
  families: number;
  comparisons: number;
  samples: number;
  machines: string[];
  experiments: number;
  workloads: number;
  newest: Maybe<RunEntry>;
  /** Comparisons of the newest results by their verdict. */
  better: number;
  worse: number;
  inconclusive: number;
  invalid: number;
  unverified: number;
}

export interface RunEntry {
  id: string;
  started: string;
  machine: string;
  profile: string;
  wall_s: Maybe<number>;
  families: number;
  comparisons: number;
}

export interface Metric { name: string; unit: string; better: "lower" | "higher" }
export interface Check { id: string; result: string; value: Maybe<number>; limit: Maybe<number>; unit: string; evidence: string }

export interface MetricValue { metric: Metric; median: Maybe<number>; ci: Maybe<Interval> }
export interface Measurement {
  variant: string;
  role: string;
  idea: string;
  skipped: string;
  refused: string;
  metrics: MetricValue[];
  quantiles?: { name?: string; p?: number; value?: number }[];
  memory: Maybe<{ peak_bytes: Maybe<number> }>;
  energy_j: Maybe<number>;
  flop_per_s: Maybe<number>;
  bytes_per_s: Maybe<number>;
  of_ceiling: Maybe<number>;
  ceiling: Maybe<string>;
  bound: Maybe<string>;
  max_rel_error: Maybe<number>;
  max_abs_error: Maybe<number>;
  threads?: number;
}

export interface Comparison {
  reference: string;
  candidate: string;
  metric: Metric;
  ratio: Maybe<number>;
  ci: Maybe<Interval>;
  level: Maybe<number>;
  verdict: string;
  headline: boolean;
  judged: boolean;
  assurance: Maybe<number>;
  pairs: Maybe<number>;
  aa: Maybe<Interval>;
  checks?: Check[];
}

export interface Family {
  experiment: string;
  title: string;
  question: string;
  goal: string;
  backend: string;
  problem: Record<string, string | number>;
  flop: number;
  bytes_read: number;
  bytes_written: number;
  rounds: number;
  wall_s: Maybe<number>;
  skipped: string;
  measurements: Measurement[];
  comparisons: Comparison[];
  checks: Check[];
}

export interface Environment {
  machine: string;
  host: string;
  cpu: string;
  kernel: string;
  compiler: string;
  flags: string;
  build: string;
  cores: number;
  memory_bytes: Maybe<number>;
  facts: Record<string, string>;
  findings: unknown[];
}

export interface Ceiling {
  id: string;
  what: string;
  unit: string;
  value: Maybe<number>;
  ci: Maybe<Interval>;
  variant: string;
  threads: number;
  specified: Maybe<number>;
  specified_by: string;
  issue_limit: Maybe<number>;
  disturbed: boolean;
  note: string;
}

export interface Run {
  id: string;
  started: string;
  command: string[];
  profile: string;
  seed: number;
  wall_s: Maybe<number>;
  min_effect: number;
  level: number;
  environment: Environment;
  peak?: Maybe<{ measured_at: string; ceilings: Ceiling[] }>;
  families: Family[];
}

/** The samples of one variant, a series for each metric; the first is the one that decides. */
export interface Samples { variant: string; series: { metric: string; unit: string; value: Maybe<number>[]; marked: number[] }[] }

/** The samples of one series in several runs; without values where a run has none. */
export interface SeriesSamples { items: { run: string; started: string; value: Maybe<number>[]; marked: number[] }[] }

export interface Series {
  id: number;
  workload: number;
  variant: string;
  role: string;
  metric: string;
  unit: string;
  better: "lower" | "higher";
  points: number;
  machine: string;
  experiment: string;
  problem: string;
  backend: string;
}

export interface Change {
  /** The first run of the new level, and the last of the one before. */
  run: string;
  run_before: string;
  before: Maybe<number>;
  after: Maybe<number>;
  direction: "better" | "worse";
  /** How many times better, with its interval. */
  ratio: Maybe<number>;
  ratio_lo: Maybe<number>;
  ratio_hi: Maybe<number>;
  p: Maybe<number>;
  q: Maybe<number>;
  points_after: number;
  state: string;
  note: string;
  environment: { fact: string; before: Maybe<string>; after: Maybe<string> }[];
}

/** The changes of one series, as /changes lists them. */
export interface SeriesChanges extends Omit<Series, "id" | "workload" | "role"> { series: number; changes: (Change & { started: string })[]; watching: Maybe<Watching> }

export interface Segment { first_run: string; last_run: string; points: number; median: Maybe<number>; lo: Maybe<number>; hi: Maybe<number> }
export interface Watching { first_run: string; runs: number; level: Maybe<number>; value: Maybe<number>; direction: string }

export interface Points {
  run: string[];
  started: string[];
  environment: number[];
  median: Maybe<number>[];
  lo: Maybe<number>[];
  hi: Maybe<number>[];
  samples: number[];
  /** How many there are before they are thinned out. */
  points: number;
  /** So many that a change can be told. */
  enough: boolean;
  segments: Segment[];
  changes: Change[];
  watching: Maybe<Watching>;
}

export interface ComparedRow {
  workload: string;
  variant: string;
  metric: string;
  unit: string;
  better: "lower" | "higher";
  a: Maybe<number>;
  a_lo: Maybe<number>;
  a_hi: Maybe<number>;
  b: Maybe<number>;
  b_lo: Maybe<number>;
  b_hi: Maybe<number>;
  /** How many times better B is, and the bounds that both intervals allow. */
  ratio: Maybe<number>;
  ratio_lo: Maybe<number>;
  ratio_hi: Maybe<number>;
  /** How many samples are stored, and how often noise inside runs makes as large a difference. */
  a_samples: number;
  b_samples: number;
  p: Maybe<number>;
  paired: boolean;
}
export interface ComparedRuns {
  /** The facts that differ. */
  environment: { fact: string; a: Maybe<string>; b: Maybe<string> }[];
  rows: ComparedRow[];
  note: string;
}

export interface CatalogueExperiment {
  id: string;
  title: string;
  question: string;
  goal: string;
  tags: string[];
  variants: { name: string; role: string; backend: string; idea: string; unavailable: string }[];
  /** What is stored: how many workloads, and when one was measured last. */
  workloads: number;
  newest: Maybe<string>;
}
export interface Chapter { id: string; experiments: CatalogueExperiment[] }
export interface Catalogue { chapters: Chapter[] }

export type ParameterKind = "text" | "choice" | "count" | "quantity" | "flag";
export interface Parameter {
  key: string;
  kind: ParameterKind;
  placeholder: string;
  help: string;
  preset: string;
  unit: string;
  choices: string[];
}
export interface Analysis { name: string; command: string; title: string; question: string; parameters: Parameter[] }

export type Value = string | number | boolean | null | undefined | { [key: string]: Value };
export interface Field { key: string; header: string; unit: string }
export interface SheetLayout { key: string; title: string; single: boolean; empty: string; notes: string[]; fields: Field[]; tones: number[] }
export interface ChartAxis { label: string; unit: string; scale: "linear" | "logarithmic"; categories: string[] }
export type ChartMark = "line" | "dashed" | "points" | "steps" | "outline";
export interface ChartSeries {
  name: string;
  mark: ChartMark;
  key: number | null;
  x: Maybe<number>[];
  y: Maybe<number>[];
  says: string[];
  low: Maybe<number>[];
  high: Maybe<number>[];
}
export interface Chart {
  title: string;
  subtitle: string;
  x: ChartAxis;
  y: ChartAxis;
  series: ChartSeries[];
  limits: { value: number; says: string }[];
}
export interface Answer { title: string; layout: SheetLayout[]; charts: Chart[]; [member: string]: unknown }

export interface Job { id: string; suite: string; state: string; started: string; message: string }
export interface LiveEvent { id: string; type: string; data: unknown }
