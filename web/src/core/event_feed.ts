// SPDX-License-Identifier: Apache-2.0
import type { LiveEvent } from "./answers.ts";

export type FeedState = "connecting" | "live" | "reconnecting";
export type FeedMessage =
  | { kind: "state"; state: FeedState; since: number }
  | { kind: "event"; event: LiveEvent }
  | { kind: "reset" };

const types = ["run.state", "result", "log", "store", "change", "job"];

/** Listens to a stream of events and says what happens to it. EventSource comes back by itself with the id of the last event. */
export class EventSourceFeed {
  private readonly source: EventSource;

  constructor(url: string, private readonly tell: (message: FeedMessage) => void) {
    this.source = new EventSource(url);
    this.say("connecting");
    this.source.onopen = () => this.say("live");
    this.source.onerror = () => this.say("reconnecting");
    this.source.addEventListener("reset", () => this.tell({ kind: "reset" }));
    for (const type of types)
      this.source.addEventListener(type, (event) => this.pass(type, event as MessageEvent<string>));
  }

  close(): void {
    this.source.close();
  }

  private say(state: FeedState): void {
    this.tell({ kind: "state", state, since: Date.now() });
  }

  private pass(type: string, event: MessageEvent<string>): void {
    try {
      this.tell({ kind: "event", event: { id: event.lastEventId, type, data: JSON.parse(event.data) as unknown } });
    } catch {
      this.tell({ kind: "event", event: { id: event.lastEventId, type: "log", data: { text: event.data } } });
    }
  }
}
