// SPDX-License-Identifier: Apache-2.0
// A walk without a pointer: through the pages, over rows, into a comparison, over the points of a chart.
import { expect } from "@playwright/test";
import { drawn, h200_run, longest_series, open, test } from "./pages";

test("g and a letter lead to pages, j and x choose rows, c compares them", async ({ page }) => {
  await open(page, "");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page.locator("html")).toHaveAttribute("data-ready", "runs");
  for (const key of ["j", "x", "j", "j", "x"]) await page.keyboard.press(key);
  await expect(page.locator("tbody input:checked")).toHaveCount(2);
  await page.keyboard.press("c");
  await expect(page.locator("html")).toHaveAttribute("data-ready", "compare");
  expect(new URL(page.url()).searchParams.get("a")).toBeTruthy();
  await page.goBack();
  await expect(page.locator("html")).toHaveAttribute("data-ready", "runs");
});

test("Tab reaches the skip link first, and it leads past the margin", async ({ page }) => {
  await open(page, "");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("Tab");
  await expect(page.locator(".skip")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("/ finds an experiment", async ({ page }) => {
  await open(page, "");
  await page.keyboard.press("/");
  await page.keyboard.type("arithmetic_intensity");
  await expect(page.locator("dialog [role=option][aria-selected=true]")).toContainText("ch01.arithmetic_intensity");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-ready", "experiment");
  await expect(page.locator("h1")).toHaveText("Four operations: passes, vectors, fusion");
});

test("arrows walk over the points of a chart and say them; Enter opens the run", async ({ page }) => {
  const { id, points } = await longest_series(page);
  await open(page, `view=series&series=${id}`);
  await page.locator(".chart-plot").focus();
  await page.keyboard.press("ArrowRight");
  const spoken = page.locator(".chart [aria-live=polite]");
  await expect(spoken).toContainText("no. 1");
  await page.keyboard.press("End");
  await expect(spoken).toContainText(`no. ${points}`);
  const shown = page.locator(".chart-tip");
  await expect(shown).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(shown).toBeHidden();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-ready", "run");
});

test("[ and ] go to the runs before and after", async ({ page }) => {
  await open(page, `view=run&run=${h200_run}`);
  await page.keyboard.press("]");
  await expect.poll(() => new URL(page.url()).searchParams.get("run")).not.toBe(h200_run);
  await drawn(page);
  await page.keyboard.press("[");
  await expect.poll(() => new URL(page.url()).searchParams.get("run")).toBe(h200_run);
});

test("t changes the theme, ? shows the keys, letters in a field stay letters", async ({ page }) => {
  await open(page, "view=runs");
  await page.keyboard.press("t");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.keyboard.press("t");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.keyboard.press("?");
  await expect(page.locator("dialog")).toContainText("compare what is selected");
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  await page.keyboard.type("td?");
  await expect(page.locator(".filter")).toHaveValue("td?");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
