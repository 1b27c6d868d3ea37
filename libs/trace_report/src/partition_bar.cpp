// SPDX-License-Identifier: Apache-2.0
#include "partition_bar.hpp"

#include <string_view>

#include <fmt/format.h>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

std::string bar_part(std::string_view style, std::string_view state, trace::nanoseconds part,
                     const trace::device_partition& partition) {
  if (part <= 0) return "";
  const double percent = partition.percent(part);
  const auto label = percent >= 10 ? fmt::format("{:.1f} %", percent) : std::string();
  return fmt::format("<span class=\"{}\" style=\"width:{:.3f}%\" title=\"{}: {}, {:.2f} %\">{}</span>", style,
                     percent, state, seconds_text(part), percent, label);
}

}  // namespace

std::string partition_bar(const trace::device_partition& p) {
  return "<div class=\"bar\">" + bar_part("k-compute", "compute", p.compute_ns, p) +
         bar_part("k-comm", "exposed communication", p.exposed_communication_ns, p) +
         bar_part("k-copy", "exposed copies", p.exposed_copy_ns, p) +
         bar_part("k-idle", "idle", p.idle_ns, p) + "</div>";
}

std::string partition_legend() {
  return "<p class=\"legend\"><span class=\"k-compute\">compute</span> <span class=\"k-comm\">exposed "
         "communication</span> <span class=\"k-copy\">exposed copies</span> <span "
         "class=\"k-idle\">idle</span></p>\n";
}

}  // namespace ridge::trace_report
