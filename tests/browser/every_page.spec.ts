// SPDX-License-Identifier: Apache-2.0
// Every page over stored runs: it is drawn, nothing complains, nothing sticks out, and axe-core finds nothing.
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { epyc_run, h200_run, longest_series, open, test } from "./pages";

const axe_source = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const views: Record<string, string> = {
  overview: "",
  runs: "view=runs",
  run: `view=run&run=${h200_run}&experiment=ch01.arithmetic_intensity&problem=0`,
  "series list": "view=series",
  compare: `view=compare&a=${epyc_run}&b=${h200_run}&all=1`,
  "compare without runs": "view=compare",
  roofline: `view=roofline&run=${h200_run}`,
  analyses: "view=analyses",
  leaderboards: "view=analysis&name=leaderboards",
  pareto: "view=analysis&name=pareto",
  catalogue: "view=catalogue",
  experiment: "view=experiment&experiment=ch01.arithmetic_intensity",
  machine: "view=machine",
  live: "view=live",
};

async function violations(page: Page, options: object): Promise<string[]> {
  return page.evaluate(async (chosen) => {
    const axe = (window as unknown as { axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe;
    const found = await axe.run(chosen);
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(" | ")}`);
  }, options);
}

// Wide and light with all rules, then narrow and dark with those that depend on size and colour.
async function check(page: Page): Promise<void> {
  const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
  await expect(page.locator("h1")).toBeVisible();
  expect(await page.locator("[role=alert]").count()).toBe(0);
  expect(await width()).toBeLessThanOrEqual(1280);
  // Trusted types forbid a script element made of text; evaluate() needs none.
  await page.evaluate(axe_source);
  expect(await violations(page, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(100);
  expect(await width()).toBeLessThanOrEqual(390);
  expect(await violations(page, { runOnly: { type: "rule", values: ["color-contrast", "target-size", "scrollable-region-focusable"] } })).toEqual([]);
}

for (const [name, query] of Object.entries(views))
  test(`${name}, wide and narrow, light and dark`, async ({ page }) => {
    await open(page, query);
    await check(page);
  });

test("a series, wide and narrow, light and dark", async ({ page }) => {
  const { id } = await longest_series(page);
  await open(page, `view=series&series=${id}`);
  await expect(page.locator(".uplot canvas")).toBeVisible();
  await check(page);
});

test("in forced colours a verdict is still a sign and a word", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, `view=run&run=${h200_run}&experiment=ch01.arithmetic_intensity`);
  await expect(page.locator(".verdict").first()).toContainText("▲better");
});
