// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "@playwright/test";

// tests/browser/run sets the variables.
export default defineConfig({
  testDir: ".",
  outputDir: "results",
  snapshotPathTemplate: `${process.env["RIDGE_SCREENS"] ?? "screens"}/{arg}{ext}`,
  workers: 1,
  timeout: 60_000,
  reporter: [["line"]],
  expect: { timeout: 10_000, toHaveScreenshot: { maxDiffPixelRatio: 0.04, threshold: 0.25, animations: "disabled", caret: "hide" } },
  use: {
    baseURL: process.env["RIDGE_PAGES"] ?? "http://127.0.0.1:8100/",
    viewport: { width: 1280, height: 720 },
    colorScheme: "light",
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-GB",
    launchOptions: { executablePath: process.env["RIDGE_BROWSER"] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] },
  },
});
