// SPDX-License-Identifier: Apache-2.0
// Two answers in the shape of the API, computed from the newest family of each workload: every kind of parameter,
// sheet and chart that the page must draw.
const workload_parameters = [
  { key: "experiment", kind: "text", placeholder: "GLOB", help: "experiments that match", preset: "", unit: "", choices: [] },
  { key: "machine", kind: "text", placeholder: "GLOB", help: "machines that match", preset: "", unit: "", choices: [] },
  { key: "backend", kind: "choice", placeholder: "", help: "where variants run", preset: "", unit: "", choices: ["cpu", "cuda"] },
];
export const analyses = [
  {
    name: "leaderboards", command: "analyze", title: "Leaderboards", question: "Which variant of a workload is best, and which cannot be told apart?",
    parameters: [...workload_parameters, { key: "top", kind: "count", placeholder: "N", help: "rows of each workload", preset: "10", unit: "", choices: [] }, { key: "ties", kind: "flag", placeholder: "", help: "only variants that share a rank", preset: "", unit: "", choices: [] }],
  },
  {
    name: "pareto", command: "analyze", title: "Pareto frontier", question: "Which variants are beaten in nothing, over time and memory?",
    parameters: [...workload_parameters, { key: "vram", kind: "quantity", placeholder: "BYTES", help: "the memory that there is", preset: "", unit: "GiB", choices: [] }],
  },
];

const field = (key, header = "", unit = "text") => ({ key, header, unit });

function chosen(data, query) {
  return data.workloads.filter((workload) => ["experiment", "machine", "backend"].every((key) => !query[key] || workload[key] === query[key] || (query[key].includes("*") && workload[key].startsWith(query[key].split("*")[0]))));
}

function ranked(workload, top) {
  const { run, family } = workload.newest;
  const timed = family.measurements.filter(({ metrics }) => metrics[0]?.metric.unit === "s" && metrics[0].median > 0).sort((first, second) => first.metrics[0].median - second.metrics[0].median);
  return timed.slice(0, top).map((measured, place) => {
    const pair = family.comparisons.find(({ candidate, headline }) => candidate === measured.variant && headline);
    const { median, ci } = measured.metrics[0];
    return {
      workload: `${workload.experiment} ${workload.problem}`.trim(), machine: workload.machine, backend: workload.backend, rank: place + 1, variant: measured.variant, role: measured.role,
      value: median, lo: ci?.lo, hi: ci?.hi, ratio: pair?.ratio ?? null, ratio_lo: pair?.ci?.lo ?? null, ratio_hi: pair?.ci?.hi ?? null, verdict: pair?.verdict ?? null,
      memory: measured.memory?.peak_bytes ?? null, run: run.id,
    };
  });
}

function leaderboards(data, query, Refused) {
  const top = Number(query.top ?? 10);
  if (!(top > 0)) throw new Refused(400, "Wrong parameter", `top is “${query.top}”, not a whole number above 0`, "try top=10");
  const workloads = chosen(data, query);
  const speed = workloads.flatMap((workload) => ranked(workload, top));
  const fields = [field("workload", "workload"), field("machine", "machine"), field("backend", "backend"), field("rank", "rank", "count"), field("variant", "variant"), field("role", "role"), field("value", "median", "s"), field("ratio", "× baseline", "1"), field("ratio_lo"), field("ratio_hi"), field("verdict", "verdict"), field("run", "run")];
  return {
    title: "Leaderboards", layout: [{ key: "speed", title: "Speed: time of a call", single: false, empty: "no workload matches; `ridge run ch01` measures some", notes: ["Ranks hold within one workload."], fields, tones: [] }],
    charts: [], schema: "ridge.leaderboards/1", workloads: workloads.length, speed,
  };
}

function frontier_chart(workload) {
  const rows = ranked(workload, 100).filter(({ memory }) => memory !== null);
  const front = rows.filter((row, place) => rows.slice(0, place).every((other) => other.memory > row.memory));
  const series = (name, mark, rows, key) => ({ name, mark, key, x: rows.map(({ value }) => value), y: rows.map(({ memory }) => memory / 1024), says: rows.map(({ variant }) => variant), low: [], high: [] });
  return {
    title: `${workload.experiment} on ${workload.machine}`, subtitle: workload.problem, x: { label: "time", unit: "s", scale: "logarithmic", categories: [] }, y: { label: "peak memory, KiB", unit: "", scale: "linear", categories: [] },
    series: [series("frontier", "steps", front, 7), series("variants", "points", rows, 0)], limits: [],
  };
}

function pareto(data, query) {
  const workloads = chosen(data, query).filter((workload) => new Set(ranked(workload, 100).map(({ memory }) => memory)).size > 2).slice(0, 4);
  const charts = workloads.map(frontier_chart);
  const rows = workloads.flatMap((workload) => ranked(workload, 100)).map(({ workload, variant, value, memory, run }) => ({ workload, variant, value, memory, run }));
  return {
    title: "Pareto frontier", layout: [{ key: "variants", title: "Variants", single: false, empty: "no workload matches; `ridge run ch01` measures some", notes: [], fields: [field("workload", "workload"), field("variant", "variant"), field("value", "time", "s"), field("memory", "memory", "B"), field("run", "run")], tones: [] }],
    charts, schema: "ridge.pareto/1", workloads: workloads.length, variants: rows,
  };
}

export function answer_of(data, name, query, Refused) {
  if (name === "leaderboards") return leaderboards(data, query, Refused);
  if (name === "pareto") return pareto(data, query);
  throw new Refused(404, "No such analysis", `No analysis is called ${name}.`);
}
