// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include <ridge/report/peaks.hpp>
#include <ridge/report/table.hpp>

#include "peak_row.hpp"

namespace ridge::report {
namespace {

// Returns the first of these rows that was measured, or null.
const model::ceiling* first_of(const model::peak& peak, std::initializer_list<std::string_view> ids) {
  for (const auto id : ids) {
    if (const auto* row = peak.find(id)) return row;
  }
  return nullptr;
}

std::string found(const model::ceiling& row) {
  const peak_row words(row);
  return words.value + (words.of_spec.empty() ? "" : ", " + words.of_spec + " of what the vendor states");
}

// Returns why a subject has no row, as its probe reported it.
std::string why_not(const model::peak_report& report, std::string_view subject) {
  const auto at =
      std::ranges::find_if(report.probes, [&](const auto& p) { return p.id.starts_with(subject); });
  return at == report.probes.end() || at->skipped.empty() ? "not measured" : at->skipped;
}

}  // namespace

std::string peak_summary(const model::peak_report& report, const options& options) {
  table lines({{""}, {""}, {""}});
  const auto add = [&](const char* label, std::string_view subject,
                       std::initializer_list<std::string_view> ids) {
    const auto* row = first_of(report.peak, ids);
    row ? lines.row({label, row->id, found(*row)})
        : lines.row({label, std::string(subject), {why_not(report, subject), tone::dim}});
  };
  add("memory bandwidth", "cuda.copy", {"cuda.copy", "cpu.copy"});
  add("16-bit products", "cuda.mma",
      {"cuda.mma.fp16", "cuda.mma.bf16", "cpu.fma.bf16", "cpu.fma.fp16", "cpu.fma.fp32"});
  add("gain of graphs", "cuda.graph", {"cuda.graph.speedup"});
  add("NVLink", "cuda.p2p", {"cuda.p2p.read", "cuda.p2p.write"});
  const auto disturbed = std::ranges::count(report.peak.ceilings, true, &model::ceiling::disturbed);
  auto text = lines.text({.columns = options.columns, .color = options.color});
  text += fmt::format("{} rows in {:.1f} s", report.peak.ceilings.size(), report.wall_s);
  if (disturbed > 0) text += fmt::format(", {} of them disturbed", disturbed);
  const auto skipped = std::ranges::count_if(report.probes, [](const auto& p) { return !p.skipped.empty(); });
  return text + (skipped > 0 ? fmt::format(", {} subject{} skipped at least in part\n", skipped,
                                           skipped == 1 ? "" : "s")
                             : "\n");
}

}  // namespace ridge::report
