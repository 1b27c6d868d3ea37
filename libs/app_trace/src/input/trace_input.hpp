// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>
#include <ridge/trace/importer.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::app_trace {

// The options of every command that reads traces.
struct trace_input {
  std::vector<std::string> paths{};
  std::vector<std::string> ranks{};
  std::string steps{};  // "2-5", "last"; empty: all
  std::string names{};  // --communication-names
  std::string max_memory{};
  std::string rank_pattern{};  // --rank-pattern
  bool no_cache = false;
  bool json = false;
  bool csv = false;
  std::string table{};  // --table: the key of the table that is printed as CSV; empty: the first
  bool full_names = false;
};

void add_trace_input(app::command& command, trace_input& input);
void add_trace_format(app::command& command, trace_input& input);  // options of pages

// Returns the traces of all paths in the order given, and reports on stderr what could not be read. An error
// is returned when nothing could be read or an option is invalid.
[[nodiscard]] result<std::vector<trace::trace>> open_traces(const app::context& context,
                                                            const trace_input& input);

// Hands over the traces of all paths as they are read, so that only one is held at a time; reports and errors
// as open_traces.
[[nodiscard]] result<void> open_each_trace(const app::context& context, const trace_input& input,
                                           const std::function<void(trace::trace&&)>& take);

// Returns the built-in communication names, preceded by those of the user's file.
[[nodiscard]] result<trace::communication_names> communication_names_of(const trace_input& input);

}  // namespace ridge::app_trace
