// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/report/document.hpp>
#include <ridge/trace/diagnosis.hpp>
#include <ridge/trace_report/pages.hpp>
#include <ridge/trace_report/perfetto.hpp>

namespace ridge::trace_report {

// A trace on the page: where it stands on the common clock, and what of it is shown.
struct html_trace {
  placed_trace at{};
  scope of{};
};

// Tables about one subject, one document for each trace or one for all.
struct html_section {
  std::string title{};
  std::vector<report::document> pages{};
};

struct html_content {
  std::string title{};
  std::vector<html_trace> traces{};
  std::vector<std::string> files{};  // as the user named them: they stand in the commands to type next
  std::optional<trace::diagnosis> found{};
  std::vector<html_section> sections{};
  std::vector<std::string> notes{};  // how the clocks were aligned
};

struct html_limits {
  std::size_t boxes = 300'000;  // drawn at most; above it short neighbours are merged
  std::uint32_t depth = 64;     // of nested events on a track; deeper ones are left out
};

struct html_counts {
  std::uint64_t events = 0;    // in the window
  std::uint64_t boxes = 0;     // that stand for them
  std::uint64_t too_deep = 0;  // events left out
  // Events shorter than this, with gaps shorter than this between them, were merged; 0: none were.
  trace::nanoseconds merged_below_ns = 0;
};

// One HTML file that needs nothing else and asks nothing of the network: timeline, partition of each device,
// findings, tables, search. Names are escaped, and cut after 600 characters. Written piece by piece to `out`.
html_counts write_html(const html_content& content, const std::function<void(std::string_view)>& out,
                       const html_limits& limits = {});

}  // namespace ridge::trace_report
