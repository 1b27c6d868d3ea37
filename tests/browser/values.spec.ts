// SPDX-License-Identifier: Apache-2.0
// What pages show is what the API answers: numbers, orders, links, files.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { drawn, h200_run, longest_series, open, test } from "./pages";

const first_of_many = "01M8FRA2NYGJY6JF9ZCD4ZRX5B";
const last_of_many = "01M8FRAP2X3GWP0GZ8VQW8Q0BQ";

test("the table of a run holds its medians, ratios and verdicts", async ({ page }) => {
  await open(page, `view=run&run=${h200_run}&experiment=ch01.arithmetic_intensity`);
  const row = page.locator("tbody tr", { hasText: "two_a_pass" }).first();
  await expect(row).toContainText("258 µs");
  await expect(row).toContainText("3.0280×");
  await expect(row.locator(".verdict")).toContainText("better");
  await expect(page.locator("tbody tr", { hasText: "cub" }).first()).toContainText("fused: 0.98× of it");
});

test("sorting and filtering stand in the address, and the address alone brings them back", async ({ page }) => {
  await open(page, "view=analysis&name=leaderboards");
  await page.getByRole("button", { name: "variant", exact: true }).first().click();
  await page.locator(".filter").first().fill("fused");
  await expect.poll(() => new URL(page.url()).searchParams.get("speed.find")).toBe("fused");
  expect(new URL(page.url()).searchParams.get("speed.sort")).toBe("variant");
  const before = await page.locator("tbody").first().innerText();
  await page.reload();
  await drawn(page);
  await expect(page.locator(".filter").first()).toHaveValue("fused");
  expect(await page.locator("tbody").first().innerText()).toBe(before);
});

test("unknown values come last in either direction", async ({ page }) => {
  await open(page, "view=analysis&name=leaderboards&machine=amd-epyc-x2&speed.sort=-ratio");
  const last = page.locator("tbody").first().locator("tr").last();
  await expect(last.locator(".unknown").first()).toBeVisible();
  await page.getByRole("button", { name: "× baseline" }).first().click();
  await expect(page.locator("tbody").first().locator("tr").last().locator(".unknown").first()).toBeVisible();
});

test("CSV of a sheet holds plain numbers", async ({ page }) => {
  await open(page, `view=run&run=${h200_run}&experiment=ch01.arithmetic_intensity`);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^CSV: save/ }).first().click()]);
  const lines = readFileSync((await saved.path())!, "utf8").split("\r\n");
  expect(lines[0]).toBe("variant,role,median,of_ceiling,bound,ratio,verdict,assurance");
  const fields = lines.find((line) => line.startsWith("two_a_pass,"))!.split(",");
  expect(Number(fields[2])).toBeCloseTo(0.000258, 5);
  expect(fields[6]).toBe("BETTER");
});

test("a chart is saved as SVG without classes and as PNG, and its table holds its points", async ({ page }) => {
  await open(page, `view=roofline&run=${h200_run}`);
  const [vector] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^SVG, save/ }).first().click()]);
  const svg = readFileSync((await vector.path())!, "utf8");
  expect(svg).toContain("DRAM read 4.62 TB/s");
  expect(svg).not.toContain("class=");
  const [pixels] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^PNG, save/ }).first().click()]);
  expect(readFileSync((await pixels.path())!).subarray(1, 4).toString()).toBe("PNG");
  await page.locator(".chart-data summary").first().click();
  await expect(page.locator(".chart-data tbody tr").nth(40)).toBeAttached();
});

test("the series page shows as many runs as the series has, and names the difference of two", async ({ page }) => {
  const { id, points } = await longest_series(page);
  await open(page, `view=series&series=${id}`);
  await expect(page.locator(".sheet", { hasText: "Runs of this series" }).locator("tbody tr")).toHaveCount(points);
  await page.locator("tbody input[type=checkbox]").nth(0).check();
  await page.locator("tbody input[type=checkbox]").nth(4).check();
  await expect(page.locator(".difference")).toContainText(/load|equal/);
});

test("a long table keeps few rows and shows the last when it is scrolled", async ({ page }) => {
  await open(page, "view=series&series.sort=experiment");
  const rows = page.locator("tbody tr[data-index]");
  expect(await rows.count()).toBeLessThan(90);
  const count = Number(await page.locator(".sheet-count").first().innerText());
  expect(count).toBeGreaterThan(200);
  await page.locator(".sheet-scroll").first().evaluate((element) => { element.scrollTop = element.scrollHeight; });
  await expect(page.locator(`tbody tr[data-index="${count - 1}"]`)).toBeVisible();
});

test("a parameter that is wrong is refused beside the form", async ({ page }) => {
  await open(page, "view=analysis&name=leaderboards&top=none");
  await expect(page.locator("[role=alert]")).toContainText("top");
  await page.getByLabel("top", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Ask" }).click();
  await expect(page.locator("[role=alert]")).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get("top")).toBe("1");
  await expect(page.locator(".page-head .command")).toHaveText(/^ridge analyze --leaderboards.* --top 1/);
});

test("what is not there says which command fills it; an unknown page says so", async ({ page }) => {
  await open(page, "view=series&experiment=ch99.*");
  await expect(page.locator(".empty")).toContainText("ridge run");
  await open(page, "view=nowhere");
  await expect(page.locator("[role=alert]")).toContainText("nowhere");
});

test("runs are compared by how clear they differ, the clearest first, and only what differs unless all is wanted", async ({ page }) => {
  await open(page, `view=compare&a=${first_of_many}&b=${last_of_many}&all=1`);
  const all = Number(await page.locator(".sheet-count").last().innerText());
  const column = (await page.locator(".sheet thead th").allInnerTexts()).findIndex((text) => text.trim() === "clear by");
  const told = await page.locator(`.sheet tbody tr[data-index] > :nth-child(${column + 1})`).allInnerTexts();
  const numbers = told.filter((text) => /^\d/.test(text)).map(parseFloat);
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual([...numbers].sort((first, second) => second - first));
  await open(page, `view=compare&a=${first_of_many}&b=${last_of_many}`);
  const apart = told.filter((text) => text.endsWith("apart")).length;
  await expect(page.locator(".sheet tbody tr[data-index]")).toHaveCount(apart);
  expect(all).toBeGreaterThanOrEqual(apart);
});

test("a size in the middle between two texts is rounded as on the command line", async ({ page }) => {
  await page.route("**/api/v1/analyses/pareto*", async (route) => {
    const answer = (await (await route.fetch()).json()) as { variants: { memory: number }[] };
    for (const row of answer.variants) row.memory = 1.125 * 2 ** 30;
    answer.variants[0]!.memory = 1.375 * 2 ** 30;
    await route.fulfill({ json: answer });
  });
  await open(page, "view=analysis&name=pareto");
  await expect(page.locator("tbody").first()).toContainText("1.12 GiB");
  await expect(page.locator("tbody").first()).toContainText("1.38 GiB");
  await expect(page.locator("tbody").first()).not.toContainText("1.13 GiB");
});

test("a comparison says how many samples there are of each run, and how often noise makes the difference", async ({ page }) => {
  const answer = (await (await page.request.get("api/v1/runs?limit=50")).json()) as { items: { id: string; families: number; machine: string }[] };
  const [a, b] = answer.items.filter(({ families, machine }) => families === 1 && machine === "intel-xeon-x2").map(({ id }) => id);
  const { rows } = (await (await page.request.get(`api/v1/compare?a=${a}&b=${b}`)).json()) as { rows: { variant: string; p: number | null; a_samples: number; b_samples: number }[] };
  const row = rows.find(({ p }) => p !== null)!;
  await open(page, `view=compare&a=${a}&b=${b}&all=1`);
  const cells = page.locator("tbody tr", { hasText: row.variant }).first().locator("td");
  await expect(cells.last()).toHaveText(`${row.a_samples}, ${row.b_samples}`);
  await expect(cells.nth(-2)).toHaveText(row.p! < 0.0015 ? "≤ .001" : row.p!.toFixed(3));
});

test("a run says what was measured when: its problems in their order, as long as they took", async ({ page }) => {
  const run = (await (await page.request.get(`api/v1/runs/${h200_run}`)).json()) as { families: { experiment: string; wall_s: number }[] };
  await open(page, `view=run&run=${h200_run}`);
  await page.getByText("what was measured when").click();
  const bars = page.locator(".timeline-bar");
  await expect(bars).toHaveCount(run.families.length);
  await expect(page.locator(".timeline li a").first()).toHaveText(run.families[0]!.experiment);
  const whole = run.families.reduce((sum, { wall_s }) => sum + wall_s, 0);
  const places = await bars.evaluateAll((all) => all.map((bar) => [Number(bar.getAttribute("x")), Number(bar.getAttribute("width"))]));
  let before = 0;
  places.forEach(([x, width], at) => {
    expect(x).toBeCloseTo((1000 * before) / whole, 6);
    expect(Math.abs(width! - (1000 * run.families[at]!.wall_s) / whole)).toBeLessThanOrEqual(1);
    before += run.families[at]!.wall_s;
  });
});

test("each analysis names the command that answers it alone", async ({ page }) => {
  await open(page, "view=analyses");
  const commands = await page.locator(".questions .command").allInnerTexts();
  expect(new Set(commands).size).toBe(commands.length);
  await page.locator(".questions a", { hasText: "Pareto" }).click();
  await expect(page.locator(".page-head .command")).toHaveText("ridge analyze --pareto");
  const printed = execFileSync(process.env["RIDGE"]!, ["--store", join(process.env["RIDGE_SCRATCH"]!, "store.db"), "analyze", "--pareto", "--json"], { encoding: "utf8", maxBuffer: 64 << 20 });
  const { analyses } = JSON.parse(printed) as { analyses: { schema: string }[] };
  expect(analyses.map(({ schema }) => schema)).toEqual(["ridge.pareto/1"]);
});
