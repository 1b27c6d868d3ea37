// SPDX-License-Identifier: Apache-2.0
import "./style/tokens.css";
import "./style/frame.css";
import "./style/sheet.css";
import "./style/chart.css";
import "./style/pages.css";
import { address_of, current_view, go, view_of } from "./core/address.ts";
import { Problem } from "./core/api.ts";
import { fill, first_paint, h, next_paint, next_task } from "./core/dom.ts";
import { listen_to_keys, show_keys } from "./core/keys.ts";
import { on_event, start_live } from "./core/live.ts";
import { clear_marks, mark_painted } from "./core/marks.ts";
import type { Page, PageContext } from "./core/page.ts";
import { problem_page } from "./core/page.ts";
import { say } from "./core/say.ts";
import { open_search } from "./core/search.ts";
import { open_session, sign_in_page } from "./core/session.ts";
import { build_shell } from "./core/shell.ts";
import type { Shell } from "./core/shell.ts";
import { start_theme } from "./core/theme.ts";
import type { SheetHandle } from "./sheet/sheet.ts";
import { pages } from "./pages/pages.ts";

start_theme();
// index.html shows the page's frame as soon as its style is there. Requests begin at once; the frame's buttons and the margin
// wait until that first picture is through, since building them takes longer than all before.
const framed: Promise<Shell> = first_paint().then(() => build_shell({ search: () => void open_search(), help: show_keys, redraw: () => void draw() }));
let following: (() => void)[] = [];
let margin: (shell: Shell) => void = () => {};
let sheets: SheetHandle[] = [];
let neighbours: [string | null, string | null] = [null, null];
let compare: (() => void) | null = null;
let drawing: AbortController | null = null;
let closed = false;

function context_of(signal: AbortSignal): PageContext {
  return {
    view: current_view(),
    signal,
    sheets,
    margin: (...notes) => { if (!signal.aborted) margin = (shell) => shell.margin(notes); },
    follow: (make) => {
      const place = h("div");
      following.push(() => fill(place, make()));
      return place;
    },
    title: (text) => { document.title = text ? `${text} · Ridge` : "Ridge"; },
    neighbours: (before, after) => { neighbours = [before, after]; },
    on_compare: (action) => { compare = action; },
  };
}

async function draw(): Promise<void> {
  drawing?.abort();
  drawing = new AbortController();
  const { signal } = drawing;
  const name = current_view()["view"] ?? "overview";
  const page: Page = pages[name] ?? (async () => { throw new Problem(404, "No such page", `No page is called “${name}”.`, "press ? for the keys, / to search"); });
  sheets = [];
  following = [];
  margin = (shell) => shell.margin([]);
  clear_marks();
  neighbours = [null, null];
  compare = null;
  const making = page(context_of(signal));
  making.catch(() => {});  // it is heard of below, once there is a frame to show it in
  const shell = await framed;
  if (signal.aborted) return;
  shell.offer_news(false);
  shell.section(name);
  delete document.documentElement.dataset["ready"];
  shell.main.setAttribute("aria-busy", "true");
  try {
    const drawn = await making;
    if (signal.aborted) return;
    fill(shell.main, drawn);
    margin(shell);
    if (following.length > 0) await next_paint();
    for (const make of following) {
      await next_task();
      if (signal.aborted) return;
      make();
    }
    if (signal.aborted) return;
  } catch (failure) {
    if (signal.aborted) return;
    shell.margin([]);
    closed = failure instanceof Problem && failure.status === 401;
    fill(shell.main, closed ? sign_in_page() : problem_page(failure));
  }
  shell.main.removeAttribute("aria-busy");
  document.documentElement.dataset["ready"] = name;
  mark_painted("drawn", false);
}

function navigate(): void {
  void draw();
  window.scrollTo(0, 0);
  void framed.then(({ main }) => main.focus({ preventScroll: true }));
}

// Links within the pages change the address without loading everything again.
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download") || link.origin !== location.origin || link.pathname !== location.pathname) return;
  event.preventDefault();
  go(address_of(view_of(link.search)));
});

window.addEventListener("ridge:navigate", navigate);
window.addEventListener("popstate", () => void draw());
window.addEventListener("ridge:reset", () => void draw());
// A page that is being read does not change under its reader's eyes: new results are offered.
on_event(({ type }) => { if (type === "store" && current_view()["view"] !== "live") void framed.then((shell) => shell.offer_news(true)); }, new AbortController().signal);
listen_to_keys({
  sheets: () => sheets,
  compare: () => (compare ? compare() : say("select two runs with x first")),
  neighbour: (step) => {
    const address = step < 0 ? neighbours[0] : neighbours[1];
    if (address) go(address);
    else say(step < 0 ? "nothing before this one" : "nothing after this one");
  },
  search: () => void open_search(),
});

// Without a token in the address the page is asked for at once.
(location.hash ? open_session() : Promise.resolve())
  .catch((failure: unknown) => say(failure instanceof Problem ? failure.detail || failure.title : String(failure)))
  .then(draw)
  .then(() => { if (!closed) start_live(); });
