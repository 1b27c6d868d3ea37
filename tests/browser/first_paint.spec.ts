// SPDX-License-Identifier: Apache-2.0
// What is seen before the scripts run, and that the scripts take what was asked for early.
import { expect } from "@playwright/test";
import { drawn, longest_series, open, test } from "./pages";

test("without scripts the page's name and ways are there, the same as with them, and no number", async ({ page, browser }) => {
  await open(page, "");
  const bare = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env["RIDGE_PAGES"] ?? "" });
  const still = await bare.newPage();
  await still.goto("./");
  const ways = (links: Element[]): string[] => links.map((link) => `${link.textContent} ${(link as HTMLAnchorElement).href}`);
  expect(await still.locator(".margin nav a").evaluateAll(ways)).toEqual(await page.locator(".margin nav a").evaluateAll(ways));
  expect(await still.locator("body .page").innerText()).not.toMatch(/\d/);
  await bare.close();
});

test("a theme that was chosen holds before the pages' script is there", async ({ page }) => {
  await open(page, "");
  for (let press = 0; press < 2; press += 1) await page.keyboard.press("t");
  let let_through = (): void => {};
  const held = new Promise<void>((done) => { let_through = done; });
  await page.route("**/assets/index-*.js", async (route) => { await held; await route.continue(); });
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator(".margin nav a").first()).toBeVisible();
  await expect(page.locator("h1")).toHaveCount(0);
  let_through();
  await drawn(page);
  await expect(page.locator("h1")).toBeVisible();
});

for (const [name, query, wanted] of [["the overview", "", ["summary", "runs?limit=8", "analyses"]], ["a series", "series", []]] as const)
  test(`${name} asks for nothing twice`, async ({ page }) => {
    const { id } = await longest_series(page);
    const asked: string[] = [];
    page.on("request", (request) => { if (request.url().includes("/api/v1/")) asked.push(request.url().split("/api/v1/")[1]!); });
    await open(page, query && `view=series&series=${id}`);
    // Long enough for the browser to complain of an answer that was asked for early and is not used.
    await page.waitForTimeout(3500);
    for (const path of wanted) expect(asked).toContain(path);
    if (query) expect(asked).toContain(`series/${id}`);
    const repeated = asked.filter((path, at) => asked.indexOf(path) !== at);
    expect(repeated).toEqual([]);
  });
