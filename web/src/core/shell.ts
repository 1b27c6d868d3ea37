// SPDX-License-Identifier: Apache-2.0
// What stands around every page: the name, the ways to the pages, the margin, the state of the stream.
import { address_of } from "./address.ts";
import { fill, h, s } from "./dom.ts";
import type { Child } from "./dom.ts";
import { on_live_state } from "./live.ts";
import { say, say_region } from "./say.ts";
import { sections } from "./sections.ts";
import { next_density, next_theme } from "./theme.ts";

// Pages that no entry of the list leads to, and the entry under which they stand.
const under: Record<string, string> = { run: "runs", analysis: "analyses", experiment: "catalogue" };

function mark(): SVGElement {
  return s("svg", { class: "wordmark-sign", viewBox: "0 0 36 20", width: 36, height: 20, "aria-hidden": "true" },
    s("path", { class: "wordmark-roof", d: "M1 19 17 4H35" }),
    s("circle", { class: "wordmark-point", cx: 11, cy: 14, r: 2 }),
    s("circle", { class: "wordmark-point", cx: 25, cy: 9, r: 2 }));
}

export interface Shell {
  readonly main: HTMLElement;
  margin(notes: Child[]): void;
  section(view: string): void;
  /** Offers to draw the page anew, or takes the offer back. */
  offer_news(are_there: boolean): void;
}

/** Builds the page's frame; `actions` are opened by its buttons. */
export function build_shell(actions: { search(): void; help(): void; redraw(): void }): Shell {
  const notes = h("div", { class: "margin-notes" });
  // In a narrow window the margin stands above the sheet, and its notes are folded.
  const narrow = matchMedia("(max-width: 60rem)");
  const folded = h("details", { class: "margin-fold", open: !narrow.matches }, h("summary", {}, "facts"), notes);
  narrow.addEventListener("change", () => { folded.open = !narrow.matches; });
  const main = h("main", { id: "main", tabindex: -1 });
  const links = sections.map(({ view, text, key }) =>
    h("a", { href: address_of({ view: view === "overview" ? "" : view }), "data-view": view, title: `g ${key}` }, text));
  const state = h("span", { class: "stream-state", role: "status" }, "no stream yet");
  on_live_state((now, since) => {
    const at = new Date(since).toISOString().slice(11, 19);
    state.dataset["state"] = now;
    state.textContent = now === "live" ? "live" : now === "connecting" ? "connecting" : `reconnecting, stale since ${at} UTC`;
  });
  const news = h("button", { type: "button", class: "news", hidden: true, onclick: actions.redraw }, "new results: show them");
  const button = (text: string, label: string, action: () => void): HTMLElement =>
    h("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: action }, text);
  fill(document.body,
    h("a", { class: "skip", href: "#main", onclick: (event: Event) => { event.preventDefault(); main.focus(); } }, "Skip to the page"),
    h("div", { class: "page" },
      h("header", { class: "margin" },
        h("a", { class: "wordmark", href: address_of({}), "aria-label": "Ridge, overview" }, mark(), h("span", {}, "Ridge")),
        h("nav", { "aria-label": "Pages" }, links),
        h("div", { class: "margin-tools" },
          button("search", "Search ( / )", actions.search),
          button("theme", "Change the theme ( t )", () => say(`theme: ${next_theme()}`)),
          button("rows", "Change the height of rows ( d )", () => say(`rows: ${next_density()}`)),
          button("keys", "Show the keys ( ? )", actions.help)),
        state,
        news,
        folded),
      main),
    say_region());
  return {
    main,
    margin: (children) => {
      fill(notes, children);
      folded.hidden = notes.childElementCount === 0;
    },
    offer_news: (are_there) => { news.hidden = !are_there; },
    section: (view) => {
      for (const link of links) {
        if (link.dataset["view"] === (under[view] ?? view)) {
          link.setAttribute("aria-current", "page");
          if (narrow.matches) link.scrollIntoView({ inline: "center", block: "nearest" });
        } else link.removeAttribute("aria-current");
      }
    },
  };
}
