// SPDX-License-Identifier: Apache-2.0
// How a reader gets in: by the printed address, whose token leaves it at once, or by pasting the token.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

test.skip(process.env["RIDGE_SERVER"] !== "ridge", "only `ridge serve` asks for tokens");

let server: ChildProcess;
let printed: URL;
test.beforeAll(async () => {
  server = spawn(process.env["RIDGE"]!, ["--store", join(process.env["RIDGE_SCRATCH"]!, "store.db"), "serve", "--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
  printed = await new Promise<URL>((done) => {
    let text = "";
    server.stdout!.on("data", (part: Buffer) => {
      text += part.toString();
      const found = /http:\/\/\S+#t=\S+/.exec(text);
      if (found) done(new URL(found[0]));
    });
  });
});
test.afterAll(() => { server.kill(); });

test("the printed address opens the pages, and its token leaves the address", async ({ page, context }) => {
  await page.goto(printed.href);
  await expect(page.locator("h1")).toHaveText("What was measured");
  expect(new URL(page.url()).hash).toBe("");
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  await page.reload();
  await expect(page.locator("h1")).toHaveText("What was measured");
});

test("without a token the page asks for one, refuses a wrong one and takes the right one", async ({ page }) => {
  await page.goto(`${printed.origin}/?view=runs`);
  await expect(page.locator("h1")).toHaveText("This server wants its token");
  await page.getByLabel("Token").fill("not-the-token");
  await page.keyboard.press("Enter");
  await expect(page.locator("[role=alert]")).toContainText("token");
  await page.getByLabel("Token").fill(printed.href);
  await page.keyboard.press("Enter");
  await expect(page.locator("h1")).toHaveText("Runs");
  await expect(page.locator(".stream-state")).toHaveText("live");
});
