// SPDX-License-Identifier: Apache-2.0
// What the tests of pages share: how a page is opened, and what must hold of every page.
import { expect, test as base } from "@playwright/test";
import type { Page } from "@playwright/test";

interface Watched { page: Page; complaints: string[] }

/** A page whose console stays silent: an error, a warning or a breach of the content policy fails the test. */
export const test = base.extend<Watched>({
  complaints: async ({}, use) => { await use([]); },
  page: async ({ page, complaints }, use) => {
    page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") complaints.push(message.text()); });
    page.on("pageerror", (failure) => complaints.push(String(failure)));
    await use(page);
    expect(complaints.filter((text) => !text.includes("status of 404") && !text.includes("status of 400"))).toEqual([]);
  },
});

/** Opens a view and waits until it is drawn. */
export async function open(page: Page, query: string): Promise<void> {
  await page.goto(`./${query ? `?${query}` : ""}`);
  await drawn(page);
}

export async function drawn(page: Page): Promise<void> {
  await page.locator("html[data-ready]").waitFor();
  await page.evaluate(() => document.fonts.ready);
}

export const h200_run = "01M8410KAEEC8B0V5VPED14QW9";
export const epyc_run = "01M84324X2VMNDKSBAD4P68TYT";

/** Returns the id of the longest series of the store. */
export async function longest_series(page: Page): Promise<{ id: number; experiment: string; variant: string; points: number; unit: string }> {
  const answer = await page.request.get("api/v1/series");
  const { items } = (await answer.json()) as { items: { id: number; points: number; variant: string; experiment: string; unit: string; metric: string }[] };
  const timed = items.filter(({ metric, variant }) => metric === "time" && variant === "fused");
  return timed.sort((first, second) => second.points - first.points)[0]!;
}
