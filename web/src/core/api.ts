// SPDX-License-Identifier: Apache-2.0
// Requests to this page's own server.

/** An answer that is no success: application/problem+json, or what the network said. */
export class Problem extends Error {
  constructor(readonly status: number, readonly title: string, readonly detail: string, readonly remedy: string) {
    super(detail || title);
  }
}

async function problem_of(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const member = (name: string): string => (typeof body[name] === "string" ? (body[name] as string) : "");
    return new Problem(response.status, member("title"), member("detail"), member("remedy"));
  } catch {
    return new Problem(response.status, response.statusText || `status ${response.status}`, text.slice(0, 300), "");
  }
}

async function answered(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "AbortError") throw failure;
    throw new Problem(0, "The server does not answer", String(failure), "start it again with `ridge serve`");
  }
  if (response.ok) return response;
  const problem = await problem_of(response);
  if (response.status === 401) window.dispatchEvent(new Event("ridge:signed-out"));
  throw problem;
}

export type Query = Record<string, string | number | null | undefined>;

/** Returns "/api/v1/runs?limit=20"; parameters without a value are left out. */
export function api_path(path: string, query: Query = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") text.set(name, String(value));
  const suffix = text.toString();
  return `api/v1/${path}${suffix ? `?${suffix}` : ""}`;
}

/** Asks for JSON under /api/v1. Throws a Problem. */
export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const response = await answered(api_path(path, query), signal ? { signal } : {});
  return (await response.json()) as T;
}

/** Asks for a document outside the versioned API, as /openapi.json. */
export async function get_document<T>(path: string, signal: AbortSignal): Promise<T> {
  return (await (await answered(path, { signal })).json()) as T;
}

/** Sends JSON: the header and the content type are what the server asks of everything that changes something. */
export async function send<T>(method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json", "X-Ridge-Request": "1" };
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await answered(path, init);
  const text = await response.text();
  return (text ? JSON.parse(text) : null) as T;
}

/** Asks for a list to its end, or until `most` items are there. */
export async function get_all<T>(path: string, query: Query, signal: AbortSignal, most = 5000): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await get<{ items: T[]; next?: string | null }>(path, { ...query, cursor }, signal);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}
