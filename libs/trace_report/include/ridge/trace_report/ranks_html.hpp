// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/rank_survey.hpp>

namespace ridge::trace_report {

// Everything that a page of ranks shows.
struct ranks_html_content {
  std::string title{};
  trace::survey_report survey{};
  std::vector<std::string> files{};  // as the user named them, for the commands to type next
  // The name of each trace's own page, beside this one, by participant::trace; empty: none was written.
  std::vector<std::string> pages{};
};

// Writes one self-contained HTML file that needs no network to `out`, piece by piece: a row for each rank
// with its states, what it waited and made others wait for, and in what it stands out; the longest waits, at
// most `most_pairs` (0: all); collectives inside and between nodes. In a browser its tables sort, ranks are
// filtered by text or by standing out, and one is chosen to be held against the medians. Names are escaped.
void write_ranks_html(const ranks_html_content& content, const std::function<void(std::string_view)>& out,
                      std::size_t most_pairs = 2000);

}  // namespace ridge::trace_report
