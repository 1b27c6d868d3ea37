// SPDX-License-Identifier: Apache-2.0
// What happens now: the run that is going on, its results as they are stored, its log; and the jobs.
import type { Catalogue, Job, List, LiveEvent } from "../core/answers.ts";
import { Problem, api_path, get, get_document, send } from "../core/api.ts";
import { address_of } from "../core/address.ts";
import { fill, h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import { events_so_far, on_event } from "../core/live.ts";
import type { Page, PageContext } from "../core/page.ts";
import { optional, page_head } from "../core/page.ts";
import { quantity_text, ratio_text } from "../core/quantity.ts";
import { say } from "../core/say.ts";
import { empty_state, verdict_cell } from "../sheet/cells.ts";

type Data = Readonly<Record<string, unknown>>;
const most_lines = 200;

function data_of(event: LiveEvent): Data {
  return event.data !== null && typeof event.data === "object" ? (event.data as Data) : {};
}
function text(data: Data, ...names: string[]): string {
  for (const name of names) if (typeof data[name] === "string" || typeof data[name] === "number") return String(data[name]);
  return "";
}
function number(data: Data, ...names: string[]): number | null {
  for (const name of names) if (typeof data[name] === "number") return data[name] as number;
  return null;
}

class LiveView {
  readonly state = h("section", { class: "live-run" });
  readonly results = h("ol", { class: "live-results", "aria-label": "Results, newest first" });
  readonly log = h("pre", { class: "log", tabindex: 0, role: "log", "aria-label": "Log" });

  constructor() {
    this.idle();
  }

  take(event: LiveEvent): void {
    const data = data_of(event);
    if (event.type === "run.state") this.run(data);
    else if (event.type === "result") this.result(data);
    else this.line(event, data);
  }

  private idle(): void {
    fill(this.state, h("p", { class: "empty" }, empty_state("No run is going on. Start one in a terminal beside this page:", "ridge run ch01")));
  }

  private run(data: Data): void {
    const done = number(data, "families");
    const total = number(data, "problems");
    const left = number(data, "left_s");
    const id = text(data, "run");
    fill(this.state,
      h("h2", {}, text(data, "state") || "running", " ", id && h("a", { class: "id", href: address_of({ view: "run", run: id }) }, `…${id.slice(-6)}`)),
      h("p", { class: "live-what" }, [text(data, "machine"), text(data, "experiment"), text(data, "problem")].filter(Boolean).join(" · ")),
      h("div", { class: "progress-row" },
        total !== null && done !== null && h("progress", { max: total, value: done, "aria-label": "Problems measured" }),
        done !== null && h("span", {}, total === null ? `${done} problems measured, ${number(data, "comparisons") ?? 0} comparisons` : `${done} of ${total} problems`),
        left !== null && h("span", { class: "note" }, `about ${quantity_text(left, "s", 2)} left`)));
  }

  private result(data: Data): void {
    const [ratio, lo, hi] = [number(data, "ratio"), number(data, "lo"), number(data, "hi")];
    const address = address_of({ view: "run", run: text(data, "run"), experiment: text(data, "experiment") });
    this.results.prepend(h("li", {},
      h("span", {}, h("a", { href: address }, text(data, "experiment")), ` ${text(data, "candidate")} `, h("span", { class: "note" }, `against ${text(data, "reference")}`)),
      h("span", { class: "live-ratio" }, ratio === null ? "" : ratio_text(ratio, lo ?? ratio, hi ?? ratio)),
      text(data, "verdict") ? verdict_cell(text(data, "verdict")) : h("span", { class: "note" }, "shown only")));
    while (this.results.children.length > most_lines) this.results.lastElementChild?.remove();
  }

  private line(event: LiveEvent, data: Data): void {
    const said = text(data, "text", "message") || Object.entries(data).map(([name, value]) => `${name} ${String(value)}`).join(", ");
    this.log.append(`${event.type.padEnd(10)} ${said}\n`);
    while (this.log.childNodes.length > most_lines) this.log.firstChild?.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }
}

function choice(name: string, choices: readonly string[]): HTMLElement {
  return h("div", { class: "field" }, h("label", { for: `job-${name}` }, name),
    h("select", { name, id: `job-${name}` }, h("option", { value: "" }, "as usual"), choices.map((one) => h("option", { value: one }, one))));
}

function suite_form(suites: readonly string[]): HTMLElement {
  const start = async (form: HTMLFormElement): Promise<void> => {
    const { suite, ...given } = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    const parameters = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
    try {
      await send("POST", api_path("jobs"), { suite, parameters });
      window.dispatchEvent(new Event("ridge:reset"));
    } catch (failure) {
      say(failure instanceof Problem ? [failure.detail || failure.title, failure.remedy].filter(Boolean).join(": ") : String(failure));
    }
  };
  return h("form", { class: "form", onsubmit: (event: Event) => { event.preventDefault(); void start(event.target as HTMLFormElement); } },
    h("div", { class: "field" }, h("label", { for: "suite" }, "suite"),
      h("input", { type: "text", name: "suite", id: "suite", required: true, placeholder: "ch01", list: "suites", spellcheck: "false", autocomplete: "off" }),
      h("datalist", { id: "suites" }, suites.map((suite) => h("option", { value: suite })))),
    choice("backend", ["cpu", "cuda"]), choice("profile", ["minimal", "standard", "deep"]),
    h("div", { class: "field field-submit" }, h("button", { type: "submit", class: "action" }, "Measure")));
}

function job_line(job: Job): HTMLElement {
  const stop = async (): Promise<void> => {
    try {
      await send("DELETE", api_path(`jobs/${encodeURIComponent(job.id)}`));
      window.dispatchEvent(new Event("ridge:reset"));
    } catch (failure) {
      say(failure instanceof Problem ? failure.detail || failure.title : String(failure));
    }
  };
  return h("li", {}, h("strong", {}, job.suite), " ", job.state, job.message && h("span", { class: "note" }, ` ${job.message}`),
    ["queued", "running"].includes(job.state) && h("button", { type: "button", class: "tool", onclick: () => void stop() }, "stop"));
}

async function jobs_part(context: PageContext): Promise<Child> {
  const offered = await optional(get_document<{ paths: Record<string, unknown> }>("openapi.json", context.signal));
  const jobs = offered && "/api/v1/jobs" in offered.paths ? await optional(get<List<Job>>("jobs", {}, context.signal)) : null;
  if (!jobs) return h("p", { class: "note" }, "This server starts no runs: they are started in a terminal and appear here. ", h("code", { class: "command" }, "ridge serve --allow-run"), " lets pages start declared suites.");
  const catalogue = await optional(get<Catalogue>("catalogue", {}, context.signal));
  const suites = (catalogue?.chapters ?? []).flatMap(({ id, experiments }) => [id, ...experiments.map((experiment) => experiment.id)]);
  return h("section", {}, h("h2", {}, "Jobs"), suite_form(suites), h("ul", { class: "plain-list" }, jobs.items.map(job_line)));
}

export const live_page: Page = async (context) => {
  context.title("Live");
  context.margin();
  const view = new LiveView();
  for (const event of events_so_far()) view.take(event);
  on_event((event) => view.take(event), context.signal);
  return [
    page_head("Now", "Live", h("p", { class: "lead" }, "Results appear as they are stored, whoever measures: this page follows the store.")),
    view.state,
    h("section", { class: "live-columns" }, h("div", {}, h("h2", {}, "Results"), view.results), h("div", {}, h("h2", {}, "Log"), view.log)),
    await jobs_part(context),
  ];
};
