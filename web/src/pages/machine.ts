// SPDX-License-Identifier: Apache-2.0
// This machine: what it is, what about it distorts measurements, and what it can do.
import type { AuditCheck, Ceiling, Machine, ProbeNode } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, optional, page_head } from "../core/page.ts";
import { quantity_cell, time_text, unknown_mark } from "../core/quantity.ts";
import { empty_state, interval_cell, share_cell } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";
import { commands_in } from "./answer_sheets.ts";

const signs: Record<string, string> = { ok: "✓", info: "i", warning: "!", warn: "!", problem: "✕", error: "✕", unknown: "?" };
const weight: Record<string, number> = { problem: 0, error: 0, warning: 1, warn: 1, unknown: 2, info: 3, ok: 4 };

function fixes(check: AuditCheck): Child {
  const known = [["bare metal", check.fix_bare_metal], ["container", check.fix_container], ["Kubernetes", check.fix_kubernetes]].filter(([, fix]) => fix);
  return h("div", { class: "reading" }, h("p", {}, commands_in(check.why)),
    known.length > 0 && h("dl", { class: "fixes" }, known.map(([place, fix]) => [h("dt", {}, place), h("dd", {}, h("code", {}, fix))])));
}

const checks: Column<AuditCheck>[] = [
  { key: "title", header: "setting", unit: "text", value: (check) => check.title },
  { key: "severity", header: "finding", unit: "text", value: (check) => check.severity, cell: (check) => h("span", { class: `check check-${check.severity}` }, h("span", { class: "sign", "aria-hidden": "true" }, signs[check.severity] ?? "·"), check.severity) },
  { key: "seen", header: "seen", unit: "text", value: (check) => check.seen, cell: (check) => h("span", { class: "wrap" }, commands_in(check.seen)) },
];

const ceilings: Column<Ceiling>[] = [
  { key: "id", header: "limit", unit: "text", value: (one) => one.id },
  { key: "what", header: "what", unit: "text", value: (one) => one.what, cell: (one) => h("span", { class: "wrap" }, one.what) },
  { key: "value", header: "measured", unit: "B/s", value: (one) => one.value, cell: (one) => interval_cell(one.value, one.ci, one.unit) },
  { key: "variant", header: "by", unit: "text", value: (one) => one.variant },
  { key: "threads", header: "threads", unit: "count", value: (one) => one.threads },
  { key: "issue", header: "of issue limit", unit: "1", value: (one) => (one.issue_limit && one.value ? one.value / one.issue_limit : null), cell: (one) => (one.issue_limit && one.value ? share_cell(one.value / one.issue_limit) : unknown_mark()), hint: "of what the units can do at the clock they ran at" },
  { key: "specified", header: "stated", unit: "B/s", value: (one) => one.specified || null, cell: (one) => (one.specified ? quantity_cell(one.specified, one.unit) : unknown_mark()) },
  { key: "disturbed", header: "remark", unit: "text", value: (one) => (one.disturbed ? "disturbed" : one.note) },
];

function tree(node: ProbeNode, depth: number): HTMLElement {
  const named = Object.entries(node.facts);
  const body = [
    named.length > 0 && h("dl", { class: "probe-facts" }, named.map(([name, fact]) => [h("dt", {}, name), h("dd", {}, fact.text)])),
    node.children.length > 0 && h("ul", {}, node.children.map((child) => tree(child, depth + 1))),
  ];
  const name = [h("span", { class: "probe-kind" }, node.kind.replace(/_/g, " ")), node.name === node.kind ? "" : node.name];
  return h("li", {}, named.length + node.children.length === 0 ? h("span", { class: "probe-leaf" }, name)
    : h("details", { open: depth < 2 }, h("summary", {}, name), body));
}

function audit_part(context: PageContext, audit: Machine["audit"] | undefined): Child {
  const rows = [...(audit?.checks ?? [])].sort((first, second) => (weight[first.severity] ?? 2) - (weight[second.severity] ?? 2));
  return keyed(context, new Sheet<AuditCheck>({
    key: "audit", title: "What distorts measurements here", columns: checks, rows, detail: fixes,
    tone: (check) => (weight[check.severity] === 0 ? "bad" : weight[check.severity] === 1 ? "warn" : null),
    empty: empty_state("The settings of this machine were not looked at:", "ridge audit"),
  }));
}

export const machine_page: Page = async (context) => {
  context.title("Machine");
  const machine = await optional(get<Machine>("machine", {}, context.signal));
  const { audit, peak } = machine ?? {};
  const root = machine?.probe.machine;
  const ok = audit?.checks.filter(({ severity }) => severity === "ok").length ?? 0;
  context.margin(root && facts("This machine", Object.entries(root.facts).map(([name, fact]) => [name, fact.text] as const)),
    audit && facts("Audit", [["settings looked at", audit.checks.length], ["as they should be", ok]]));
  return [
    page_head(["Where ", h("code", {}, "ridge serve"), " runs"], root?.name ?? "Machine"),
    audit_part(context, audit),
    keyed(context, new Sheet<Ceiling>({
      key: "peaks", title: "What it can do", columns: ceilings, rows: peak?.ceilings ?? [],
      empty: empty_state("No stored run of this machine knows its limits. Measure them, then run something:", "ridge peak", "ridge run ch01"),
      notes: peak?.measured_at ? [`As the newest stored run of this machine found them, ${time_text(peak.measured_at)} UTC.`] : [],
    })),
    h("section", { class: "probe" }, h("h2", {}, "What it is"),
      root ? h("ul", { class: "probe-tree" }, tree(root, 0)) : h("p", { class: "empty" }, empty_state("This machine was not looked at:", "ridge probe"))),
  ];
};
