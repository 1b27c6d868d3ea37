// SPDX-License-Identifier: Apache-2.0
// Events of the server for whoever asks in this page: by a worker that all pages share, or by a stream of this
// page's own where a browser has no such worker.
import workerUrl from "./stream.worker.ts?sharedworker&url";
import { api_path } from "./api.ts";
import type { LiveEvent } from "./answers.ts";
import { EventSourceFeed } from "./event_feed.ts";
import type { FeedMessage, FeedState } from "./event_feed.ts";

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();
const state_listeners = new Set<(state: FeedState, since: number) => void>();
const kept: LiveEvent[] = [];
const most_kept = 500;
let started = false;

function take(message: FeedMessage): void {
  if (message.kind === "state") {
    for (const listener of state_listeners) listener(message.state, message.since);
  } else if (message.kind === "reset") {
    kept.length = 0;
    window.dispatchEvent(new Event("ridge:reset"));
  } else {
    kept.push(message.event);
    if (kept.length > most_kept) kept.splice(0, kept.length - most_kept);
    for (const listener of listeners) listener(message.event);
  }
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown };
}
// The content policy asks that addresses of scripts come from a named policy; this one knows a single address.
function worker_address(): string {
  const url = new URL(workerUrl, import.meta.url).href;
  const trusted = (window as unknown as { trustedTypes?: TrustedTypes }).trustedTypes;
  if (!trusted) return url;
  return trusted.createPolicy("ridge", { createScriptURL: () => url }).createScriptURL(url) as string;
}

/** Connects once; later calls do nothing. */
export function start_live(): void {
  if (started) return;
  started = true;
  const url = new URL(api_path("events"), location.href).href;
  try {
    const worker = new SharedWorker(worker_address(), { type: "module", name: `ridge ${location.origin}` });
    worker.port.onmessage = (message: MessageEvent<FeedMessage>) => take(message.data);
    worker.port.start();
    worker.port.postMessage({ url });
    worker.port.postMessage({});
    window.addEventListener("pagehide", () => worker.port.postMessage({ leave: true }));
  } catch {
    new EventSourceFeed(url, take);
  }
}

/** Hears every event until the signal ends it. */
export function on_event(listener: Listener, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener));
}

/** Returns the events of this page so far, oldest first. */
export function events_so_far(): readonly LiveEvent[] {
  return kept;
}

/** Hears of the stream's state. */
export function on_live_state(listener: (state: FeedState, since: number) => void): void {
  state_listeners.add(listener);
}
