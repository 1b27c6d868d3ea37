// SPDX-License-Identifier: Apache-2.0
// Pages compared with how they looked when somebody looked at them: tests/browser/run --approve keeps new pictures.
// The guide shows some of them.
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { epyc_run, h200_run, longest_series, open, test } from "./pages";

test.skip(process.env["RIDGE_SERVER"] !== "ridge", "answers of the real analyses are what is looked at");

const looks = [
  { name: "overview-light", query: "", scheme: "light", width: 1280 },
  { name: "run-light", query: `view=run&run=${h200_run}&experiment=ch01.arithmetic_intensity&problem=0`, scheme: "light", width: 1280 },
  { name: "roofline-dark", query: `view=roofline&run=${h200_run}`, scheme: "dark", width: 1280, height: 640 },
  { name: "leaderboards-light", query: "view=analysis&name=leaderboards&machine=amd-epyc-x2", scheme: "light", width: 1280 },
  { name: "run-narrow-dark", query: `view=run&run=${epyc_run}&experiment=ch01.coalescing`, scheme: "dark", width: 390 },
] as const;

async function settled(page: Page): Promise<void> {
  await expect(page.locator("main .waiting")).toHaveCount(0);
  await page.locator(".stream-state[data-state=live]").waitFor();
  await page.waitForTimeout(200);
}

for (const { name, query, scheme, width, ...more } of looks) {
  test(name, async ({ page }) => {
    await page.setViewportSize({ width, height: "height" in more ? more.height : 720 });
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, query);
    await page.locator(".chart-svg, .spark, table").first().waitFor();
    await settled(page);
    await expect(page).toHaveScreenshot(`${name}.png`);
  });
}

test("series-dark", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  const { id } = await longest_series(page);
  await open(page, `view=series&series=${id}`);
  await settled(page);
  await expect(page).toHaveScreenshot("series-dark.png");
});
