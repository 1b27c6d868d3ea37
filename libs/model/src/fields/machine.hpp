// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/audit.hpp>
#include <ridge/model/environment.hpp>
#include <ridge/model/machine_tree.hpp>
#include <ridge/model/peak_report.hpp>

#include "is.hpp"

// The fields of a machine: its ceilings, tree, audit and environment.
namespace ridge::model::detail {

void fields(auto& a, is<ceiling_point> auto& x) {
  a("at", x.place);
  a("value", x.value);
}

void fields(auto& a, is<ceiling> auto& x) {
  a("id", x.id);
  a("what", x.description);
  a("unit", x.unit);
  a("value", x.value);
  a("ci", x.ci);
  a("variant", x.variant);
  a("threads", x.threads);
  a("size_bytes", x.size_bytes);
  a("note", x.note);
  a("zeros", x.zeros);
  a("clock_hz", x.clock_hz);
  a("power_w", x.power_w);
  a("issue_limit", x.issue_limit);
  a("specified", x.specified);
  a("specified_by", x.specified_by);
  a("disturbed", x.disturbed);
  a("series", x.series);
}

void fields(auto& a, is<peak> auto& x) {
  a("measured_at", x.measured_at);
  a("ceilings", x.ceilings);
}

void fields(auto& a, is<probed> auto& x) {
  a("id", x.id);
  a("title", x.title);
  a("means", x.means);
  a("skipped", x.skipped);
  a("rows", x.rows);
  a("wall_s", x.wall_s);
}

void fields(auto& a, is<fact_value> auto& x) {
  a("text", x.text);
  a("value", x.value);
  a("unit", x.unit);
}

void fields(auto& a, is<machine_node> auto& x) {
  a("kind", x.kind);
  a("name", x.name);
  a("facts", x.facts);
  a("children", x.children);
}

void fields(auto& a, is<audit_check> auto& x) {
  a("id", x.id);
  a("title", x.title);
  a("severity", x.severity);
  a("seen", x.seen);
  a("why", x.why);
  a("fix_bare_metal", x.fix_bare_metal);
  a("fix_container", x.fix_container);
  a("fix_kubernetes", x.fix_kubernetes);
}

void fields(auto& a, is<audit> auto& x) { a("checks", x.checks); }

void fields(auto& a, is<audit_finding> auto& x) {
  a("id", x.id);
  a("severity", x.severity);
  a("seen", x.seen);
}

void fields(auto& a, is<environment> auto& x) {
  a("machine", x.machine);
  a("host", x.host);
  a("cpu", x.cpu);
  a("kernel", x.kernel);
  a("compiler", x.compiler);
  a("flags", x.flags);
  a("build", x.build);
  a("cores", x.cores);
  a("memory_bytes", x.memory_bytes);
  a("facts", x.facts);
  a("findings", x.findings);
}

void fields(auto& a, is<peak_report> auto& x) {
  a("measured_at", x.peak.measured_at);
  a("depth", x.depth);
  a("wall_s", x.wall_s);
  a("environment", x.environment);
  a("ceilings", x.peak.ceilings);
  a("probes", x.probes);
}

}  // namespace ridge::model::detail
