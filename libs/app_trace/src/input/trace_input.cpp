// SPDX-License-Identifier: Apache-2.0
#include "input/trace_input.hpp"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/version.hpp>
#include <ridge/trace/large_heap.hpp>
#include <ridge/trace/open.hpp>

#include "input/trace_importers.hpp"

namespace ridge::app_trace {
namespace {

std::string is_whole_number(const std::string& text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = code == std::errc{} && end == text.data() + text.size() && value >= 0;
  return good ? "" : fmt::format("\"{}\" is not a rank; write --rank 3", text);
}

trace::open_options options_of(const trace_input& input) {
  trace::open_options options{.cache = !input.no_cache,
                              .version = std::string(app::version_line()),
                              .rank_pattern = input.rank_pattern};
  for (const auto& rank : input.ranks) options.ranks.push_back(std::stoi(rank));
  if (!input.max_memory.empty()) options.limits = trace::limits_for(*app::parse_bytes(input.max_memory));
  return options;
}

error no_trace_named() { return {"no trace is named", "give a file, a folder of ranks or an archive"}; }

void tell_unread(const app::context& context, const std::vector<trace::unread_member>& unread) {
  constexpr std::size_t named = 10;  // a folder may hold many files that are no trace
  for (const auto& u : std::span(unread).first(std::min(unread.size(), named)))
    context.tell(fmt::format("left out {}{}: {}\n", u.member.path,
                             u.member.member.empty() ? "" : ":" + u.member.member, u.why.text()));
  if (unread.size() > named)
    context.tell(fmt::format("left out {} more files that are no trace\n", unread.size() - named));
}

}  // namespace

void add_trace_input(app::command& command, trace_input& input) {
  command
      .option("FILE", input.paths, "PATH",
              "A profile, a folder of ranks or an archive: PyTorch or other Chrome JSON, nsys SQLite, ncu "
              "CSV ...")
      .option("--rank", input.ranks, "N", "Read only this rank (repeats)")
      .checked(is_whole_number)
      .option(
          "--rank-pattern", input.rank_pattern, "PATTERN",
          "Where the rank stands in a file's path below FOLDER: host*/gpu{rank}_; without it the rank that "
          "the trace records, else the number behind \"rank\" in the path")
      .option("--steps", input.steps, "STEPS", "Read only these steps: 3, 2-5, last")
      .option("--communication-names", input.names, "FILE",
              "Names of communication kernels that take precedence over those that Ridge knows")
      .option("--max-memory", input.max_memory, "SIZE",
              "Memory for the events of a trace, 8GiB by default; what does not fit is left out and named")
      .checked(app::is_size)
      .flag("--no-cache", input.no_cache, "Neither read nor write the cache of parsed traces");
}

void add_trace_format(app::command& command, trace_input& input) {
  command.flag("--json", input.json, "Print one JSON object, with times in whole nanoseconds")
      .flag("--csv", input.csv, "Print the page's first table as CSV")
      .option("--table", input.table, "TABLE", "Print this table of the page as CSV; a wrong name lists all")
      .flag("--full-names", input.full_names, "Show the names of kernels whole");
}

result<void> open_each_trace(const app::context& context, const trace_input& input,
                             const std::function<void(trace::trace&&)>& take) {
  if (input.paths.empty()) return no_trace_named();
  trace::grow_heap_in_large_pages();
  auto options = options_of(input);
  app::progress_line line(context.err);
  options.progress = [&](std::string_view stage) { line.show(stage); };
  for (const auto& path : input.paths) {
    const auto unread = trace::open_each(path, trace_importers(), options, take);
    line.clear();
    if (!unread) return unread.why();
    tell_unread(context, *unread);
  }
  return {};
}

result<std::vector<trace::trace>> open_traces(const app::context& context, const trace_input& input) {
  if (input.paths.empty()) return no_trace_named();
  trace::grow_heap_in_large_pages();
  auto options = options_of(input);
  app::progress_line line(context.err);
  options.progress = [&](std::string_view stage) { line.show(stage); };
  std::vector<trace::trace> all;
  for (const auto& path : input.paths) {
    auto opened = trace::open(path, trace_importers(), options);
    line.clear();
    if (!opened) return opened.why();
    tell_unread(context, opened->unread);
    for (auto& t : opened->traces) all.push_back(std::move(t));
  }
  if (all.empty())
    return error{"the input holds no trace of that rank", "leave out --rank to see the ranks that it holds"};
  return all;
}

result<trace::communication_names> communication_names_of(const trace_input& input) {
  return input.names.empty() ? result(trace::communication_names::built_in())
                             : trace::communication_names_with(input.names);
}

}  // namespace ridge::app_trace
