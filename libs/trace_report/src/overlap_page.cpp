// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/overlap.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {

document overlap_page(const scope& s) {
  auto d = page_about(s, "overlap");
  sheet made{.key = "overlap",
             .title = "Time in which work of two classes ran together; in its own column a class ran at all",
             .fields = {{"device", "GPU"},
                        {"class", "class"},
                        {"compute_ns", "compute", unit::nanoseconds},
                        {"communication_ns", "communication", unit::nanoseconds},
                        {"copy_ns", "copy", unit::nanoseconds},
                        {"fill_ns", "fill", unit::nanoseconds},
                        {"alone_ns", "alone", unit::nanoseconds},
                        {"twice_ns", "twice at once", unit::nanoseconds}},
             .empty = "no device work is in this window"};
  for (const auto& m : trace::overlaps_of(*s.source, s.classes, s.window)) {
    for (std::size_t c = 0; c < trace::work_class_count; ++c) {
      row r{.values = {std::int64_t{m.device}, std::string(name(static_cast<trace::work_class>(c)))}};
      for (const auto ns : m.both_ns[c]) r.values.emplace_back(ns);
      r.values.emplace_back(m.alone_ns[c]);
      r.values.emplace_back(m.twice_ns[c]);
      if (m.both_ns[c][c] > 0) made.rows.push_back(std::move(r));
    }
  }
  d.sheets.push_back(std::move(made));
  return d;
}

}  // namespace ridge::trace_report
