// SPDX-License-Identifier: Apache-2.0
// What is stored while the page is open appears on it. Needs `ridge serve`.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { open, test } from "./pages";

const scratch = process.env["RIDGE_SCRATCH"] ?? "";
test.skip(process.env["RIDGE_SERVER"] !== "ridge", "only `ridge serve` follows a store");

test("a run that is stored now appears with its verdicts, on every page of the browser", async ({ page, context }) => {
  const second = await context.newPage();
  const third = await context.newPage();
  await open(third, "view=runs");
  await open(page, "view=live");
  await open(second, "view=live");
  for (const one of [page, second]) await one.locator(".stream-state[data-state=live]").waitFor();
  const run = JSON.parse(readFileSync(join(scratch, "runs/c29.json"), "utf8")) as { id: string; started: string };
  run.id = `${run.id.slice(0, -4)}ZZZZ`;
  const file = join(scratch, "now.json");
  writeFileSync(file, JSON.stringify(run));
  execFileSync(process.env["RIDGE"]!, ["--store", join(scratch, "store.db"), "import", file]);
  for (const one of [page, second]) {
    await expect(one.locator(".live-results")).toContainText("ch01.arithmetic_intensity");
    await expect(one.locator(".live-results .verdict").first()).toContainText("▲better");
    await expect(one.locator(".live-run")).toContainText("finished");
  }
  await third.getByRole("button", { name: "new results" }).click();
  await expect(third.locator("tbody")).toContainText("…JHZZZZ");
});
