// SPDX-License-Identifier: Apache-2.0
// A page of another origin gets nothing of the server: no answer, no change, no event. Needs `ridge serve`.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { expect, test } from "@playwright/test";

const pages = new URL(process.env["RIDGE_PAGES"] ?? "http://127.0.0.1:8100/");
test.skip(process.env["RIDGE_SERVER"] !== "ridge", "only `ridge serve` has these defences");

async function hostile_origin(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end("<!doctype html><title>elsewhere</title>");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

test("reading, changing and listening from another origin fail", async ({ page }) => {
  const elsewhere = await hostile_origin();
  try {
    await page.goto(elsewhere.url);
    const got = await page.evaluate(async (target) => {
      const tried = async (path: string, init: RequestInit): Promise<string> => {
        try {
          const response = await fetch(`${target}${path}`, init);
          return response.type === "opaque" ? "opaque" : `read ${response.status}`;
        } catch { return "refused"; }
      };
      const stream = await new Promise<string>((done) => {
        const source = new EventSource(`${target}api/v1/events`, { withCredentials: true });
        source.onopen = () => done("open");
        source.onerror = () => done("refused");
      });
      return {
        read: await tried("api/v1/runs", { credentials: "include" }),
        change: await tried("api/v1/jobs", { method: "POST", credentials: "include", headers: { "Content-Type": "application/json", "X-Ridge-Request": "1" }, body: "{}" }),
        remove: await tried("api/v1/jobs/1", { method: "DELETE", credentials: "include" }),
        stream,
      };
    }, pages.href);
    expect(got).toEqual({ read: "refused", change: "refused", remove: "refused", stream: "refused" });
  } finally {
    elsewhere.close();
  }
});

// As after DNS rebinding: the name of the attacker's page leads to this machine.
function answer_to(request: string): Promise<string> {
  return new Promise((done, failed) => {
    let text = "";
    const socket = connect(Number(pages.port), pages.hostname, () => socket.write(request));
    socket.setTimeout(3000, () => socket.destroy());
    socket.on("data", (part) => { text += part.toString(); });
    socket.on("close", () => done(text));
    socket.on("error", failed);
  });
}
for (const path of ["/", "/api/v1/runs", "/api/v1/events", "/x/../api/v1/runs"])
  test(`a Host of another name gets nothing from ${path}`, async () => {
    const answer = await answer_to(`GET ${path} HTTP/1.1\r\nHost: rebound.example:${pages.port}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer).not.toContain("\"items\"");
    expect(answer.toLowerCase()).not.toContain("access-control-allow-origin");
  });

test("pages cannot be framed and load nothing from elsewhere", async ({ request }) => {
  const response = await request.get(pages.href);
  const policy = response.headers()["content-security-policy"] ?? "";
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) expect(policy).toContain(part);
});
