// SPDX-License-Identifier: Apache-2.0
// Any analysis: its parameters are a form, its layout tables, its charts plots. What a document says is decided
// in the analysis; this page only shows it.
import { address_of, go } from "../core/address.ts";
import type { Analysis, Answer, List, Parameter } from "../core/answers.ts";
import { Problem, get } from "../core/api.ts";
import { command_line, shell_word } from "../core/command_line.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, page_head } from "../core/page.ts";
import { Figure } from "../chart/figure.ts";
import { answer_sheets, fact_entries } from "./answer_sheets.ts";

function field_of(parameter: Parameter, value: string): HTMLElement {
  const id = `p-${parameter.key}`;
  const common = { id, name: parameter.key, "aria-describedby": parameter.help ? `${id}-help` : null };
  if (parameter.kind === "choice")
    return h("select", common, parameter.preset === "" && h("option", { value: "" }, "any"),
      parameter.choices.map((choice) => h("option", { value: choice, selected: choice === (value || parameter.preset) }, choice)));
  if (parameter.kind === "flag") return h("input", { ...common, type: "checkbox", value: "1", checked: value !== "" });
  const number = parameter.kind === "count" || parameter.kind === "quantity";
  return h("input", {
    ...common, type: "text", value, inputmode: number ? "decimal" : null, spellcheck: "false", autocomplete: "off",
    placeholder: parameter.preset || parameter.placeholder.toLowerCase(),
  });
}

function form_of(analysis: Analysis, context: PageContext, refused: Problem | null): HTMLElement {
  const form = h("form", { class: "form", "aria-label": `Parameters of ${analysis.title}`, onsubmit: (event: Event) => {
    event.preventDefault();
    const view: Record<string, string> = { view: "analysis", name: analysis.name };
    for (const [name, value] of new FormData(form)) if (typeof value === "string" && value.trim()) view[name] = value.trim();
    go(address_of(view));
  } },
  analysis.parameters.map((parameter) => h("div", { class: `field field-${parameter.kind}` },
    h("label", { for: `p-${parameter.key}` }, parameter.key, parameter.unit && h("span", { class: "unit" }, ` ${parameter.unit}`)),
    field_of(parameter, context.view[parameter.key] ?? ""),
    parameter.help && h("p", { id: `p-${parameter.key}-help`, class: "help" }, parameter.help))),
  h("div", { class: "field field-submit" }, h("button", { type: "submit", class: "action" }, "Ask"),
    h("a", { href: address_of({ view: "analysis", name: analysis.name }) }, "reset")));
  return h("div", {}, form, refused && h("div", { class: "problem", role: "alert" },
    h("p", { class: "problem-detail" }, refused.detail || refused.title), refused.remedy && h("p", { class: "note" }, refused.remedy)));
}

// A command that several analyses share is told which one is wanted.
function words_of({ command, name }: Analysis): string[] {
  return command === name ? ["ridge", command] : ["ridge", command, `--${name}`];
}

/** Returns the command line that gives the same answer. */
export function command_of(analysis: Analysis, view: Readonly<Record<string, string>>): string {
  const given = analysis.parameters.flatMap(({ key, kind }) => {
    const value = view[key];
    if (!value) return [];
    return kind === "flag" ? [`--${key}`] : [`--${key} ${shell_word(value)}`];
  });
  return [...words_of(analysis), ...given].join(" ");
}

function others(all: readonly Analysis[], name: string): Child {
  return h("section", { class: "facts" }, h("h2", {}, "Questions"),
    h("ul", { class: "plain-list" }, all.map((one) => h("li", {},
      h("a", { href: address_of({ view: "analysis", name: one.name }), "aria-current": one.name === name ? "true" : null }, one.title)))));
}

export const analysis_page: Page = async (context) => {
  const { items } = await get<List<Analysis>>("analyses", {}, context.signal);
  const name = context.view["name"] ?? items[0]?.name ?? "";
  const analysis = items.find((one) => one.name === name);
  if (!analysis) throw new Problem(404, "No such analysis", `No analysis is called “${name}”.`, "see the list under Analyses");
  context.title(analysis.title);
  const given = Object.fromEntries(analysis.parameters.map(({ key }) => [key, context.view[key]]));
  let answer: Answer | null = null;
  let refused: Problem | null = null;
  try {
    answer = await get<Answer>(`analyses/${encodeURIComponent(name)}`, given, context.signal);
  } catch (failure) {
    if (!(failure instanceof Problem) || failure.status !== 400) throw failure;
    refused = failure;
  }
  // A question that was not asked yet is no mistake of the reader's.
  const unasked = Object.values(given).every((value) => !value);
  context.margin(answer && fact_entries(answer).length > 0 && facts("Answer", fact_entries(answer)), others(items, name));
  return [
    page_head("Analysis", analysis.title,
      h("p", { class: "question" }, analysis.question),
      h("p", { class: "note" }, "The same on the command line: ", command_line(command_of(analysis, context.view)))),
    analysis.parameters.length > 0 && form_of(analysis, context, unasked ? null : refused),
    unasked && refused && h("p", { class: "empty" }, `Nothing was asked yet: ${refused.remedy.replace(/: --.*$/, "")}.`),
    answer && h("div", { class: answer.charts.length > 2 ? "charts" : "" }, answer.charts.map((chart) => new Figure(chart).root)),
    answer && answer_sheets(answer).map((sheet) => (sheet instanceof HTMLElement ? sheet : keyed(context, sheet))),
  ];
};

export const analyses_page: Page = async (context) => {
  context.title("Analyses");
  const { items } = await get<List<Analysis>>("analyses", {}, context.signal);
  context.margin();
  return [
    page_head("What the results answer", "Analyses",
      h("p", { class: "lead" }, "The comparable unit is the workload: one problem of one experiment on one backend of one machine. Nothing is ranked across workloads.")),
    h("ul", { class: "questions" }, items.map((analysis) => h("li", {},
      h("a", { href: address_of({ view: "analysis", name: analysis.name }) },
        h("span", { class: "question-title" }, analysis.title), h("span", { class: "question" }, analysis.question)),
      h("code", { class: "command" }, words_of(analysis).join(" "))))),
  ];
};
