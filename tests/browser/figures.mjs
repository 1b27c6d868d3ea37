// SPDX-License-Identifier: Apache-2.0
// Opens pages in Chromium and prints when they are seen, in milliseconds since the navigation began. Started by `figures`.
//   fresh browser   a process that was started for this one page: its own start-up is part of the number
//   fresh profile   nothing kept, in a browser that runs: what a first visit takes of the pages themselves
//   warm            loaded anew in a tab that showed a page of Ridge before
//   by a link       within the pages, as a reader goes from one to the other; since the press
import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { chromium } from "playwright";

const pages = process.env.RIDGE_PAGES;
const times = Number(process.env.RIDGE_TIMES ?? 15);
const floors = { overview: 300, series: 200 };
const launch = () => chromium.launch({ executablePath: process.env.RIDGE_BROWSER, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });

async function paint_of(page) {
  return page.evaluate(() => new Promise((done) => {
    const seen = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    if (seen() !== undefined) done(seen());
    else new PerformanceObserver((_, watcher) => { if (seen() !== undefined) { watcher.disconnect(); done(seen()); } }).observe({ type: "paint", buffered: true });
  }));
}

async function mark_of(page, name) {
  await page.waitForFunction((wanted) => performance.getEntriesByName(wanted).length > 0, name, { polling: 20 });
  return page.evaluate((wanted) => performance.getEntriesByName(wanted)[0].startTime, name);
}

async function seen_on(page, query, marks) {
  await page.goto("about:blank");
  await page.goto(`${pages}${query}`);
  const seen = { paint: await paint_of(page) };
  for (const name of marks) seen[name] = await mark_of(page, `ridge:${name}`);
  return seen;
}

async function visit(context, query, marks) {
  const page = await context.newPage();
  try { return await seen_on(page, query, marks); } finally { await page.close(); }
}

async function follow(page, query) {
  await seen_on(page, "", ["drawn"]);
  await page.evaluate((address) => {
    const link = Object.assign(document.createElement("a"), { href: address });
    document.body.append(link);
    performance.clearMarks("ridge:chart");
    link.click();
    link.remove();
  }, query);
  const painted = await mark_of(page, "ridge:chart");
  return { chart: painted - await mark_of(page, "ridge:asked") };
}

// Every visit is made so many times; the kinds take turns, so that a busy minute meets all of them.
async function measured(kinds) {
  const seen = new Map(kinds.map(({ name }) => [name, []]));
  for (let time = 0; time < times; time += 1)
    for (const { name, once } of kinds) seen.get(name).push(await once());
  return seen;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

const longest = (await (await fetch(`${pages}api/v1/series`)).json()).items.sort((a, b) => b.points - a.points)[0];
const series = `?series=${longest.id}&view=series`;
// The first answers of a server are computed; later ones come from what it keeps.
const first_answer = async (path) => {
  const start = performance.now();
  await (await fetch(`${pages}api/v1/${path}`)).arrayBuffer();
  return performance.now() - start;
};
const cold = { points: await first_answer(`series/${longest.id}/points?px=980`), again: await first_answer(`series/${longest.id}/points?px=980`) };

const browser = await launch();
const kept = await browser.newContext({ viewport: { width: 1280, height: 720 } });
const tab = await kept.newPage();
await seen_on(tab, "", ["drawn"]);
await seen_on(tab, series, ["chart"]);
const in_fresh_profile = async (query, marks) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try { return await visit(context, query, marks); } finally { await context.close(); }
};
const in_fresh_browser = async (query, marks) => {
  const own = await launch();
  try { return await visit(await own.newContext({ viewport: { width: 1280, height: 720 } }), query, marks); } finally { await own.close(); }
};
const load_before = loadavg()[0];
const seen = await measured([
  { name: "overview, fresh browser", once: () => in_fresh_browser("", ["drawn"]) },
  { name: "overview, fresh profile", once: () => in_fresh_profile("", ["drawn"]) },
  { name: "overview, warm", once: () => seen_on(tab, "", ["drawn"]) },
  { name: "series, fresh profile", once: () => in_fresh_profile(series, ["chart"]) },
  { name: "series, warm", once: () => seen_on(tab, series, ["chart"]) },
  { name: "series, by a link", once: () => follow(tab, series) },
]);
const version = browser.version();
await browser.close();

const rows = [...seen].flatMap(([page, visits]) => Object.keys(visits[0]).map((what) => ({
  page, what: { paint: "first contentful paint", drawn: "everything is drawn", chart: "the chart is painted" }[what],
  n: visits.length, median: quantile(visits.map((one) => one[what]), 0.5), p95: quantile(visits.map((one) => one[what]), 0.95),
})));
const median_of = (page, what) => rows.find((row) => row.page === page && row.what === what).median;
const held = {
  overview: Math.max(median_of("overview, fresh profile", "first contentful paint"), median_of("overview, warm", "first contentful paint")),
  series: Math.max(median_of("series, warm", "the chart is painted"), median_of("series, by a link", "the chart is painted")),
};
const where = { processors: availableParallelism(), load: [load_before, loadavg()[0]].map((load) => load.toFixed(1)).join(" to "), chromium: version, points: longest.points, server: execFileSync("uname", ["-m"], { encoding: "utf8" }).trim() };
if (process.env.RIDGE_JSON) console.log(JSON.stringify({ schema: "ridge.pages/1", ...where, cold_points_ms: cold.points, kept_points_ms: cold.again, rows }));
else {
  console.log(`Chromium ${version}, ${where.processors} processors (${where.server}), load ${where.load}; the series has ${longest.points} points`);
  console.log(`answer of its points: ${cold.points.toFixed(0)} ms the first time, ${cold.again.toFixed(0)} ms kept\n`);
  console.log(`${"page".padEnd(26)}${"ms until".padEnd(25)}${"n".padStart(4)}${"median".padStart(9)}${"p95".padStart(9)}`);
  for (const row of rows) console.log(`${row.page.padEnd(26)}${row.what.padEnd(25)}${String(row.n).padStart(4)}${row.median.toFixed(0).padStart(9)}${row.p95.toFixed(0).padStart(9)}`);
  for (const [page, floor] of Object.entries(floors)) console.log(`${page}: ${held[page].toFixed(0)} ms of ${floor} ms allowed: ${held[page] < floor ? "holds" : "MISSED"}`);
}
process.exitCode = Object.entries(floors).every(([page, floor]) => held[page] < floor) ? 0 : 1;
