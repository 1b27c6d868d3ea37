// SPDX-License-Identifier: Apache-2.0
// The routes under /api/v1, over saved runs. Only what pages need to be looked at: the real answers are those of `ridge serve`.
import { spawnSync } from "node:child_process";
import { problem_text } from "./stored.mjs";
import { analyses, answer_of } from "./analyses.mjs";

export class Refused extends Error {
  constructor(status, title, detail, remedy = "") {
    super(detail);
    Object.assign(this, { status, title, detail, remedy });
  }
}

const matches = (pattern, text) => !pattern || new RegExp(`^${pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`).test(text);

function entry_of(run) {
  return {
    id: run.id, started: run.started, machine: run.environment.machine, profile: run.profile, wall_s: run.wall_s,
    families: run.families.length, comparisons: run.families.reduce((sum, { comparisons }) => sum + comparisons.length, 0),
  };
}

function run_named(data, id) {
  const run = data.runs.find((one) => one.id.startsWith(id));
  if (!run) throw new Refused(404, "No such run", `The store holds no run whose id starts with “${id}”.`, "see `ridge history`");
  return run;
}

function ridge(data, ...words) {
  if (!data.ridge) return null;
  // An audit that found something exits with another status, and prints all the same.
  const { stdout } = spawnSync(data.ridge, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 64 << 20 });
  return JSON.parse(stdout);
}

function series_named(data, id) {
  const series = data.series.find((one) => String(one.id) === id);
  if (!series) throw new Refused(404, "No such series", `The store has no series ${id}.`);
  return series;
}

function points_of(data, id) {
  const series = series_named(data, id);
  const column = (name) => series.seen.map((point) => point[name]);
  const columns = ["run", "started", "environment", "median", "lo", "hi", "samples"].map((name) => [name, column(name)]);
  return { series: series.id, points: series.points, ...Object.fromEntries(columns), enough: series.points > 9, segments: [], changes: [], watching: null, notes: [] };
}

function samples_of_series(data, id, { runs = "" }) {
  const series = series_named(data, id);
  const values = (run) => run.families.filter(({ experiment, backend, problem }) => experiment === series.experiment && backend === series.backend && problem_text(problem) === series.problem)
    .flatMap(({ measurements }) => measurements).find(({ variant }) => variant === series.variant)?.samples.find(({ metric }) => metric.name === series.metric);
  return { series: series.id, items: runs.split(",").map((name) => {
    const run = run_named(data, name);
    return { run: run.id, started: run.started, value: values(run)?.value ?? [], marked: values(run)?.marked ?? [] };
  }), next: null };
}

function compared(data, query) {
  const [a, b] = [run_named(data, query.a), run_named(data, query.b)];
  const flat = ({ environment: { facts, findings: _, ...rest } }) => ({ ...rest, ...facts });
  const [left, right] = [flat(a), flat(b)];
  const environment = [...new Set([...Object.keys(left), ...Object.keys(right)])].map((fact) => ({
    fact, a: left[fact] === undefined ? null : String(left[fact]), b: right[fact] === undefined ? null : String(right[fact]),
  }));
  const values = (run) => new Map(run.families.flatMap((family) => family.measurements.flatMap((measured) => measured.metrics.slice(0, 1).map((value) =>
    [[family.experiment, problem_text(family.problem), family.backend, measured.variant, value.metric.name].join("|"), { family, measured, value }]))));
  const others = values(b);
  const rows = [...values(a)].flatMap(([key, { family, measured, value }]) => {
    const other = others.get(key)?.value;
    const ratio = (first, second) => (first > 0 && second > 0 ? (value.metric.better === "higher" ? second / first : first / second) : null);
    const lower = value.metric.better === "lower";
    return [{
      workload: `${family.experiment} ${problem_text(family.problem)} ${family.backend}`, variant: measured.variant, metric: value.metric.name,
      unit: value.metric.unit, better: value.metric.better, a: value.median, a_lo: value.ci?.lo, a_hi: value.ci?.hi, b: other?.median ?? null, b_lo: other?.ci?.lo, b_hi: other?.ci?.hi,
      ratio: ratio(value.median, other?.median), ratio_lo: lower ? ratio(value.ci?.lo, other?.ci?.hi) : ratio(value.ci?.hi, other?.ci?.lo), ratio_hi: lower ? ratio(value.ci?.hi, other?.ci?.lo) : ratio(value.ci?.lo, other?.ci?.hi), a_samples: 0, b_samples: 0, p: null, paired: false,
    }];
  });
  return { a: a.id, b: b.id, note: "not measured in pairs", environment: environment.filter((fact) => fact.a !== fact.b), rows };
}

function catalogue(data) {
  const chapters = new Map();
  for (const experiment of ridge(data, "list", "--json")?.experiments ?? []) {
    const stored = data.workloads.filter((workload) => workload.experiment === experiment.id);
    const id = experiment.id.split(".")[0];
    if (!chapters.has(id)) chapters.set(id, { id, experiments: [] });
    chapters.get(id).experiments.push({ ...experiment, workloads: stored.length, newest: stored.map(({ newest }) => newest.run.started).sort().at(-1) ?? null });
  }
  return { chapters: [...chapters.values()] };
}

function roofline(data, query) {
  if (!data.ridge) throw new Refused(404, "No roofline", "This server was started without the program.");
  const run = query.run ? run_named(data, query.run) : data.runs.at(-1);
  return ridge(data, "roofline", "--json", run.path ?? data.file_of(run));
}

function samples(data, run, query) {
  const measured = run.families[Number(query.family)]?.measurements[Number(query.measurement)];
  if (!measured) throw new Refused(400, "No measurement", "The family has no such measurement.");
  return { variant: measured.variant, series: measured.samples.map(({ metric, value, marked }) => ({ metric: metric.name, unit: metric.unit, better: metric.better, value, marked })) };
}

function without_samples(run) {
  return { ...run, families: run.families.map((family) => ({ ...family, measurements: family.measurements.map(({ samples: _, ...rest }) => rest) })) };
}

function summary(data) {
  const { runs } = data;
  const sum = (value_of) => runs.reduce((total, run) => total + run.families.reduce((inner, family) => inner + value_of(family), 0), 0);
  return {
    runs: runs.length, families: sum(() => 1), comparisons: sum(({ comparisons }) => comparisons.length),
    samples: sum(({ measurements }) => measurements.reduce((total, { samples: all }) => total + all.reduce((inner, { value }) => inner + value.length, 0), 0)),
    machines: [...new Set(runs.map(({ environment }) => environment.machine))], experiments: new Set(data.workloads.map(({ experiment }) => experiment)).size,
    workloads: data.workloads.length, newest: runs.at(-1) ? entry_of(runs.at(-1)) : null,
    ...Object.fromEntries(["better", "worse", "inconclusive", "invalid", "unverified"].map((word) => [word, data.workloads.reduce((total, { newest }) =>
      total + newest.family.comparisons.filter(({ verdict, judged }) => judged && verdict === word.toUpperCase()).length, 0)])),
  };
}

/** Answers GET of a path below /api/v1/. */
export function answered(data, path, query) {
  const [name, id, part] = path.split("/").map(decodeURIComponent);
  const chosen = (one) => matches(query.experiment, one.experiment) && matches(query.machine, one.machine) && matches(query.backend, one.backend) && matches(query.problem, one.problem) && matches(query.variant, one.variant);
  if (name === "summary") return summary(data);
  if (name === "runs" && !id) return { items: data.runs.filter((run) => run.families.some((family) => matches(query.experiment, family.experiment)) || !query.experiment).map(entry_of).reverse().slice(0, Number(query.limit ?? 20)), next: null };
  if (name === "runs" && part === "environment") return run_named(data, id).environment;
  if (name === "runs" && part === "samples") return samples(data, run_named(data, id), query);
  if (name === "runs") return without_samples(run_named(data, id));
  if (name === "series" && part === "points") return points_of(data, id);
  if (name === "series" && part === "samples") return samples_of_series(data, id, query);
  if (name === "series" && id) {
    const { seen: _, ...series } = series_named(data, id);
    return { series };
  }
  // Changes are searched by `ridge serve` alone.
  if (name === "changes") return { items: [], next: null };
  if (name === "series") {
    const all = data.series.filter(chosen).map(({ seen: _, ...rest }) => rest);
    if (query.sort === "-points") all.sort((first, second) => second.points - first.points);
    return { items: all.slice(0, Number(query.limit ?? all.length)), next: null };
  }
  if (name === "workloads") return { items: data.workloads.filter(chosen).map(({ newest: _, ...rest }) => rest), next: null };
  if (name === "compare") return compared(data, query);
  if (name === "catalogue") return catalogue(data);
  if (name === "machine") return { probe: ridge(data, "probe", "--json"), audit: ridge(data, "audit", "--json"), peak: data.runs.at(-1)?.peak ?? null };
  if (name === "roofline") return roofline(data, query);
  if (name === "analyses" && !id) return { items: analyses, next: null };
  if (name === "analyses") return answer_of(data, id, query, Refused);
  throw new Refused(404, "No such address", `Nothing is served under ${path}.`);
}
