// SPDX-License-Identifier: Apache-2.0
// Saved runs as a store would hold them: workloads, series, points.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

function files_of(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => {
    const inner = join(path, name);
    if (statSync(inner).isDirectory()) return ["peaks", "plan-kernels"].includes(name) ? [] : files_of(inner);
    return name.endsWith(".json") ? [inner] : [];
  });
}

/** Reads every saved run below the paths, oldest first. */
export function read_runs(paths) {
  const runs = [];
  for (const path of paths.flatMap(files_of)) {
    const document = JSON.parse(readFileSync(path, "utf8"));
    if (document.schema === "ridge.run/1") runs.push(document);
  }
  return runs.sort((first, second) => (first.started < second.started ? -1 : 1));
}

/** Returns the axes of a problem as the store names it: "rows=4096 columns=4096". */
export function problem_text(problem) {
  return Object.entries(problem).map(([axis, value]) => `${axis}=${value}`).join(" ");
}

/** Returns workloads and series with their points. */
export function index_of(runs) {
  const workloads = new Map();
  const series = new Map();
  const environments = new Map();
  for (const run of runs) {
    const text = JSON.stringify(run.environment);
    if (!environments.has(text)) environments.set(text, environments.size + 1);
    for (const family of run.families) {
      const problem = problem_text(family.problem);
      const key = [run.environment.machine, family.experiment, family.backend, problem].join("|");
      if (!workloads.has(key)) workloads.set(key, { id: workloads.size + 1, machine: run.environment.machine, families: 0 });
      const workload = Object.assign(workloads.get(key), {
        experiment: family.experiment, title: family.title, problem, axes: family.problem, backend: family.backend, goal: family.goal,
        flop: family.flop, bytes: family.bytes_read + family.bytes_written, items: family.items, newest: { run, family },
      });
      workload.families += 1;
      for (const measured of family.measurements)
        for (const [at, value] of measured.metrics.entries()) add_point(series, workload, measured, value, at, run, environments.get(text));
    }
  }
  return { workloads: [...workloads.values()], series: [...series.values()] };
}

function add_point(series, workload, measured, value, at, run, environment) {
  const key = [workload.id, measured.variant, value.metric.name].join("|");
  if (!series.has(key))
    series.set(key, {
      id: series.size + 1, workload: workload.id, variant: measured.variant, role: measured.role, metric: value.metric.name,
      unit: value.metric.unit, better: value.metric.better, points: 0, machine: workload.machine, experiment: workload.experiment,
      problem: workload.problem, backend: workload.backend, seen: [],
    });
  const one = series.get(key);
  one.points += 1;
  one.seen.push({ run: run.id, started: run.started, environment, median: value.median, lo: value.ci?.lo ?? null, hi: value.ci?.hi ?? null, samples: measured.samples[at]?.value.length ?? 0 });
}
