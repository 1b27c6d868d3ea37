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

// What every command that reads traces takes.
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

void add_trace_input(app::command& to, trace_input& in);
void add_trace_format(app::command& to, trace_input& in);  // of pages: --json, --csv

// The traces of all paths, in the order given; what could not be read is told on stderr. An error when
// nothing could, or an option makes no sense.
[[nodiscard]] result<std::vector<trace::trace>> open_traces(const app::context& in, const trace_input& from);

// The map that ships, and what the user's file adds before it.
[[nodiscard]] result<trace::communication_names> communication_names_of(const trace_input& from);

}  // namespace ridge::app_trace
