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

// The first of these rows that was measured, or null.
const model::ceiling* first_of(const model::peak& from, std::initializer_list<std::string_view> ids) {
  for (const auto id : ids) {
    if (const auto* row = from.find(id)) return row;
  }
  return nullptr;
}

std::string found(const model::ceiling& row) {
  const peak_row words(row);
  return words.value + (words.of_spec.empty() ? "" : ", " + words.of_spec + " of what the vendor states");
}

// Why a subject has no row, in the words of its probe.
std::string why_not(const model::peak_report& of, std::string_view subject) {
  const auto at = std::ranges::find_if(of.probes, [&](const auto& p) { return p.id.starts_with(subject); });
  return at == of.probes.end() || at->skipped.empty() ? "not measured" : at->skipped;
}

}  // namespace

std::string peak_summary(const model::peak_report& of, const options& in) {
  table lines({{""}, {""}, {""}});
  const auto add = [&](const char* what, std::string_view subject,
                       std::initializer_list<std::string_view> ids) {
    const auto* row = first_of(of.peak, ids);
    row ? lines.row({what, row->id, found(*row)})
        : lines.row({what, std::string(subject), {why_not(of, subject), tone::dim}});
  };
  add("memory bandwidth", "cuda.copy", {"cuda.copy", "cpu.copy"});
  add("16-bit products", "cuda.mma", {"cuda.mma.fp16", "cuda.mma.bf16", "cpu.mma.bf16", "cpu.fma.fp32"});
  add("gain of graphs", "cuda.graph", {"cuda.graph.speedup"});
  add("NVLink", "cuda.p2p", {"cuda.p2p.read", "cuda.p2p.write"});
  const auto disturbed = std::ranges::count(of.peak.ceilings, true, &model::ceiling::disturbed);
  auto text = lines.text({.columns = in.columns, .color = in.color});
  text += fmt::format("{} rows in {:.1f} s", of.peak.ceilings.size(), of.wall_s);
  if (disturbed > 0) text += fmt::format(", {} of them disturbed", disturbed);
  const auto skipped = std::ranges::count_if(of.probes, [](const auto& p) { return !p.skipped.empty(); });
  return text + (skipped > 0 ? fmt::format(", {} subject{} skipped at least in part\n", skipped,
                                           skipped == 1 ? "" : "s")
                             : "\n");
}

}  // namespace ridge::report
