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

// A trace on the page: its place on the common clock, and the part that is shown.
struct html_trace {
  placed_trace placed{};
  scope shown{};
};

// Tables about one subject, with one document per trace or one for all.
struct html_section {
  std::string title{};
  std::vector<report::document> pages{};
};

// Everything that a page shows.
struct html_content {
  std::string title{};
  std::vector<html_trace> traces{};
  std::vector<std::string> files{};  // as the user named them, for the commands to type next
  std::optional<trace::diagnosis> found{};
  std::vector<html_section> sections{};
  std::vector<std::string> notes{};  // how the clocks were aligned
};

// Limits of a page's size.
struct html_limits {
  std::size_t boxes = 300'000;  // most boxes drawn; above it short neighbours are merged
  std::uint32_t depth = 64;     // deepest nesting of events on a track; deeper ones are left out
};

// What a page shows of the events.
struct html_counts {
  std::uint64_t events = 0;    // events in the window
  std::uint64_t boxes = 0;     // boxes that represent them
  std::uint64_t too_deep = 0;  // events left out
  // Events shorter than this with gaps shorter than this between them were merged; 0: no events were merged.
  trace::nanoseconds merged_below_ns = 0;
};

// Writes one self-contained HTML file that needs no network to `out`, piece by piece: timeline, partition of
// each device, findings, tables, search. Names are escaped and cut after 600 characters.
html_counts write_html(const html_content& content, const std::function<void(std::string_view)>& out,
                       const html_limits& limits = {});

}  // namespace ridge::trace_report
