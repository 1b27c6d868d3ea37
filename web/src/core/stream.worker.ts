// SPDX-License-Identifier: Apache-2.0
// One stream of events for all pages of this browser: HTTP/1.1 leaves few connections to a server, and each page
// with a stream of its own would take one for good.
import { EventSourceFeed } from "./event_feed.ts";
import type { FeedMessage } from "./event_feed.ts";

const ports = new Set<MessagePort>();
let feed: EventSourceFeed | null = null;
let state: FeedMessage | null = null;

function tell(message: FeedMessage): void {
  if (message.kind === "state") state = message;
  for (const port of ports) port.postMessage(message);
}

(self as unknown as { onconnect: (event: MessageEvent) => void }).onconnect = (event) => {
  const port = event.ports[0]!;
  ports.add(port);
  port.onmessage = (message: MessageEvent<{ url?: string; leave?: boolean }>) => {
    if (message.data.leave) {
      ports.delete(port);
      if (ports.size > 0 || !feed) return;
      feed.close();
      feed = null;
    } else if (message.data.url && !feed) {
      feed = new EventSourceFeed(message.data.url, tell);
    } else if (state) {
      port.postMessage(state);
    }
  };
  port.start();
};
