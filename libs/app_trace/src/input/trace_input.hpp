// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
  bool no_cache = false;
  bool json = false;
  bool csv = false;
};

void add_trace_input(app::command& command, trace_input& input);
void add_trace_format(app::command& command, trace_input& input);  // options of pages: --json, --csv

// Returns the traces of all paths in the order given, and reports on stderr what could not be read. An error
// is returned when nothing could be read or an option is invalid.
[[nodiscard]] result<std::vector<trace::trace>> open_traces(const app::context& context,
                                                            const trace_input& input);

// Returns the built-in communication names, preceded by those of the user's file.
[[nodiscard]] result<trace::communication_names> communication_names_of(const trace_input& input);

}  // namespace ridge::app_trace
