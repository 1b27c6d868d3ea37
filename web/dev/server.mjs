// SPDX-License-Identifier: Apache-2.0
// Serves the built pages over saved runs, for work on the pages; it asks for no token and keeps nothing.
// usage: node dev/server.mjs [--port N] [--ridge PROGRAM | --api ADDRESS] [--dist FOLDER] [RUN.json|FOLDER...]
// --api passes requests on to a `ridge serve --no-token`.
import { createServer, request as ask } from "node:http";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Refused, answered } from "./answers.mjs";
import { page_headers, types } from "./headers.mjs";
import { index_of, read_runs } from "./stored.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string", default: "0" }, ridge: { type: "string" }, api: { type: "string" }, dist: { type: "string", default: join(here, "../dist") } },
});
const runs = values.api ? [] : read_runs(positionals.length > 0 ? positionals : [join(here, "../../results")]);
const scratch = mkdtempSync(join(tmpdir(), "ridge-web-"));
const data = {
  runs, ...index_of(runs), ridge: values.ridge,
  file_of: (run) => {
    const path = join(scratch, `${run.id}.json`);
    writeFileSync(path, JSON.stringify(run));
    return path;
  },
};
const dist = resolve(values.dist);
const streams = new Set();

function send(response, status, body, headers) {
  response.writeHead(status, { ...page_headers, ...headers });
  response.end(body);
}

function api(request, response, url) {
  const path = url.pathname.slice("/api/v1/".length);
  if (path === "events") {
    response.writeHead(200, { ...page_headers, "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write("retry: 2000\n\n");
    streams.add(response);
    request.on("close", () => streams.delete(response));
    return;
  }
  try {
    if (request.method !== "GET") throw new Refused(403, "Not here", "This server changes nothing.", "use `ridge serve`");
    const body = JSON.stringify(answered(data, path, Object.fromEntries(url.searchParams)));
    send(response, 200, body, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  } catch (failure) {
    const { status = 500, title = "Failed", remedy = "" } = failure instanceof Refused ? failure : {};
    send(response, status, JSON.stringify({ type: "about:blank", title, status, detail: String(failure.message), remedy }), { "Content-Type": "application/problem+json" });
  }
}

function pass_on(request, response) {
  const { host, origin, ...headers } = request.headers;
  const asked = ask(new URL(request.url, values.api), { method: request.method, headers: { ...headers, ...(origin ? { origin: new URL(values.api).origin } : {}) } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  asked.on("error", () => send(response, 502, "no answer", {}));
  response.on("close", () => asked.destroy());
  request.pipe(asked);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  if (values.api && (url.pathname.startsWith("/api/") || ["/openapi.json", "/session"].includes(url.pathname))) return pass_on(request, response);
  if (url.pathname.startsWith("/api/v1/")) return api(request, response, url);
  if (url.pathname === "/openapi.json") return send(response, 200, JSON.stringify({ paths: {} }), { "Content-Type": "application/json" });
  if (url.pathname === "/dev/event" && request.method === "POST") {
    request.on("data", (text) => { for (const stream of streams) stream.write(`${text}\n\n`); });
    return request.on("end", () => send(response, 204));
  }
  const file = resolve(join(dist, url.pathname === "/" ? "index.html" : url.pathname));
  try {
    if (!file.startsWith(dist)) throw new Error("outside");
    send(response, 200, readFileSync(file), { "Content-Type": types[extname(file)] ?? "application/octet-stream" });
  } catch {
    send(response, 404, "no such file", { "Content-Type": "text/plain" });
  }
});
server.listen(Number(values.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
