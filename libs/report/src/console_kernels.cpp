// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "console_notes.hpp"

namespace ridge::report {
namespace {

constexpr std::size_t most_named = 4;

// Returns "scale 2x 50 us 83 %, copy to host 10 us 17 %".
std::string in_one_line(const std::vector<model::kernel_use>& kernels) {
  std::vector<std::string> parts;
  for (const auto& k : kernels) {
    if (parts.size() == most_named) break;
    const auto times = k.count > 1 ? fmt::format(" {}x", k.count) : "";
    parts.push_back(
        fmt::format("{}{} {} {:.0f} %", k.name, times, format_quantity(k.time_s, "s"), k.share * 100));
  }
  if (kernels.size() > most_named) parts.push_back(fmt::format("{} more", kernels.size() - most_named));
  return join(parts, ", ");
}

}  // namespace

std::string kernels(const model::run& run, const model::family& family, const layout& layout) {
  if (run.profile != "deep") return "";
  table rows({{"on the GPU, per call"}, {""}});
  for (const auto& m : family.measurements) {
    if (!m.kernels.empty()) rows.row({m.variant, in_one_line(m.kernels)});
  }
  return rows.empty() ? "" : rows.text(layout);
}

}  // namespace ridge::report
