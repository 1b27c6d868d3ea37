// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "run_page_parts.hpp"

namespace ridge::report {
namespace {

void write_facts(page_markup& page, const model::environment& e) {
  std::vector<std::vector<page_cell>> rows;
  const auto add = [&](const std::string& fact, const std::string& value) {
    if (!value.empty()) rows.push_back({page_cell(fact), page_cell(value)});
  };
  add("machine", e.machine);
  add("processor", e.cpu);
  add("cores", e.cores > 0 ? std::to_string(e.cores) : "");
  add("memory", e.memory_bytes > 0 ? format_quantity(e.memory_bytes, "B") : "");
  add("system", e.kernel);
  add("compiler", e.compiler);
  add("flags", e.flags);
  add("ridge", e.build);
  for (const auto& [fact, value] : e.facts) add(fact, value);
  page.table("Machine, toolchain and settings", {"fact", "value"}, rows);
}

}  // namespace

void write_environment(page_markup& page, const model::run& run) {
  page.raw("<section>\n");
  page.element("h2", "Environment");
  write_facts(page, run.environment);
  std::vector<std::vector<page_cell>> findings, ceilings;
  for (const auto& f : run.environment.findings)
    findings.push_back({f.id, std::string(name(f.severity)), f.seen});
  if (!findings.empty())
    page.table("Settings that distort benchmarks", {"setting", "severity", "value"}, findings);
  for (const auto& c : run.peak.ceilings) {
    ceilings.push_back({{c.id, "", c.description},
                        {format_quantity(c.value, c.unit), "figure"},
                        {c.threads > 0 ? std::to_string(c.threads) : "", "figure"},
                        c.variant,
                        c.note});
  }
  if (!ceilings.empty()) {
    page.raw("<details><summary>Measured ceilings</summary>\n");
    page.table("Measured ceilings", {"ceiling", "value", "threads", "reached by", "note"}, ceilings);
    page.raw("</details>\n");
  }
  page.raw("</section>\n");
}

}  // namespace ridge::report
