// SPDX-License-Identifier: Apache-2.0
// The page of one series: the strip of the whole, the lane of environments, samples of runs; and series on the overview.
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { longest_series, open, test } from "./pages";

interface Points { run: string[]; environment: number[]; samples: number[] }
const points_of = async (page: Page, id: number): Promise<Points> => (await (await page.request.get(`api/v1/series/${id}/points`)).json()) as Points;
const shown_range = (page: Page): [string | null, string | null] => {
  const asked = new URL(page.url()).searchParams;
  return [asked.get("from"), asked.get("until")];
};

test("the strip moves what the chart shows, by keys and by dragging, and the address brings it back", async ({ page }) => {
  const { id, points } = await longest_series(page);
  await open(page, `view=series&series=${id}`);
  const first = page.getByRole("slider", { name: "First that is shown" });
  await expect(first).toHaveAttribute("aria-valuetext", "no. 1");
  await first.focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("Shift+ArrowRight");
  const behind = `no. ${Math.round(1 + 0.3 * (points - 1))}`;
  await expect(first).toHaveAttribute("aria-valuetext", behind);
  await expect.poll(() => Number(shown_range(page)[0])).toBeCloseTo(1 + 0.3 * (points - 1), 1);
  await page.reload();
  await expect(first).toHaveAttribute("aria-valuetext", behind);
  const both = page.getByRole("slider", { name: "What is shown" });
  const before = (await both.boundingBox())!;
  await page.mouse.move(before.x + before.width / 2, before.y + 20);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width / 2 - 5000, before.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(first).toHaveAttribute("aria-valuetext", "no. 1");
  expect((await both.boundingBox())!.width).toBeCloseTo(before.width, 0);
  await both.focus();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("slider", { name: "Last that is shown" })).toHaveAttribute("aria-valuetext", `no. ${points}`);
  await expect.poll(() => shown_range(page)).toEqual([null, null]);
});

test("the lane has a band for each stretch of one environment and names the facts that changed", async ({ page }) => {
  const { id } = await longest_series(page);
  const { environment } = await points_of(page, id);
  const stretches = environment.filter((number, at) => number !== environment[at - 1]).length;
  expect(stretches).toBeGreaterThan(1);
  await open(page, `view=series&series=${id}`);
  await expect(page.locator(".lane")).toHaveAttribute("data-bands", String(stretches));
  await expect(page.locator(".lane-band")).toHaveCount(stretches);
  await page.getByText("boundaries of environments").click();
  await expect(page.locator(".lane-notes li").first()).toContainText(/environment \d+ → \d+: .*load from .* to /);
});

test("samples of the newest run are drawn by value and by share, and none is lost", async ({ page }) => {
  const { id } = await longest_series(page);
  const { samples } = await points_of(page, id);
  await open(page, `view=series&series=${id}`);
  await page.getByRole("button", { name: "show those of the newest run" }).click();
  const histogram = page.locator("figure", { hasText: "Samples by value" });
  await histogram.getByText("table", { exact: true }).click();
  const told = await histogram.locator("td", { hasText: / of \d+ samples/ }).allInnerTexts();
  const counts = told.map((text) => text.match(/(\d+) of (\d+) samples/)!.slice(1).map(Number) as [number, number]);
  const newest = samples[samples.length - 1]!;
  expect(counts.every(([, whole]) => whole === newest)).toBe(true);
  // Both edges of a bin say how many it holds.
  expect(counts.reduce((sum, [count]) => sum + count, 0)).toBe(2 * newest);
  await expect(page.locator("figure", { hasText: "Share of samples" }).locator("svg.chart-svg path.chart-line")).toHaveCount(1);
});

test("a line of more points than pixels is drawn in every pixel column, from its least to its greatest value", async ({ page }) => {
  const { id } = await longest_series(page);
  const count = 4000;
  const column = <T,>(value: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => value(at));
  const median = column((at) => 1e-3 * (1 + 0.4 * Math.sin(at / 3)));
  await page.route(/\/points\?px=/, (route) => route.fulfill({ json: {
    series: id, points: count, run: column((at) => `01${String(at).padStart(24, "0")}`), started: column(() => "2026-11-28T00:00:00Z"), environment: column(() => 1), median,
    lo: median.map((value) => value * 0.99), hi: median.map((value) => value * 1.01), samples: column(() => 9), enough: true, segments: [], changes: [], watching: null, notes: [],
  } }));
  await open(page, `view=series&series=${id}`);
  await expect(page.locator(".uplot canvas")).toBeVisible();
  const inked = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".uplot canvas")!;
    const wanted = getComputedStyle(document.querySelector(".brush")!).color.match(/\d+/g)!.map(Number);
    const { data, width, height } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_row, y) => 4 * (y * width + x))
      .filter((at) => data[at + 3] === 255 && wanted.every((part, channel) => Math.abs(data[at + channel]! - part) < 4)).length);
  });
  const first = inked.findIndex((pixels) => pixels > 0);
  const last = inked.findLastIndex((pixels) => pixels > 0);
  expect(last - first).toBeGreaterThan(700);
  // Four points stand in a column: the line crosses it from one to the next, here by tens of pixels.
  expect(inked.slice(first, last + 1).filter((pixels) => pixels === 0)).toEqual([]);
  expect(Math.max(...inked)).toBeGreaterThan(60);
});

test("the command line that shows the same is quoted for a shell", async ({ page }) => {
  await open(page, "view=series");
  const id = await page.evaluate(async () => ((await (await fetch("api/v1/series")).json()) as { items: { id: number; problem: string }[] }).items.find(({ problem }) => problem.includes(" "))!.id);
  await open(page, `view=series&series=${id}`);
  await expect(page.locator(".command-line .command").first()).toHaveText(/^ridge history \S+ --problem '[^']+' --variant \S+$/);
});

test("a series that is marked stands alone on the overview, until the mark is taken away", async ({ page }) => {
  const { id } = await longest_series(page);
  await open(page, `view=series&series=${id}`);
  await page.locator(".star").click();
  await open(page, "");
  await expect(page.locator(".spark")).toHaveCount(1);
  await expect(page.locator(".spark")).toHaveAttribute("href", new RegExp(`series=${id}$|series=${id}&`));
  await page.locator(".spark").click();
  await page.locator(".star[aria-pressed=true]").click();
  await open(page, "");
  await expect(page.locator(".spark").nth(1)).toBeVisible();
});

test("changes that nobody has told what they are stand on the overview, the newest first", async ({ page }) => {
  const answer = (await (await page.request.get("api/v1/changes")).json()) as { items: { changes: { run: string; state: string }[] }[] };
  const untold = answer.items.flatMap(({ changes }) => changes).filter(({ state }) => !state || state === "untriaged");
  await open(page, "");
  await expect(page.locator("main .waiting")).toHaveCount(0);
  await expect(page.locator(".inbox li")).toHaveCount(Math.min(6, untold.length));
});
