// SPDX-License-Identifier: Apache-2.0
#include "input/trace_input.hpp"

#include <charconv>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/version.hpp>
#include <ridge/trace/open.hpp>

#include "input/trace_importers.hpp"

namespace ridge::app_trace {
namespace {

std::string is_whole_number(const std::string& text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = code == std::errc{} && end == text.data() + text.size() && value >= 0;
  return good ? "" : fmt::format("\"{}\" is no rank; write --rank 3", text);
}

trace::open_options options_of(const trace_input& from) {
  trace::open_options options{.cache = !from.no_cache, .version = std::string(app::version_line())};
  for (const auto& rank : from.ranks) options.ranks.push_back(std::stoi(rank));
  if (!from.max_memory.empty()) options.limits = trace::limits_for(*app::parse_bytes(from.max_memory));
  return options;
}

void tell_unread(const app::context& in, const std::vector<trace::unread_member>& unread) {
  for (const auto& u : unread)
    in.tell(fmt::format("left out {}{}: {}\n", u.what.path, u.what.member.empty() ? "" : ":" + u.what.member,
                        u.why.text()));
}

}  // namespace

void add_trace_input(app::command& to, trace_input& in) {
  to.option(
        "FILE", in.paths, "PATH",
        "A profile, a folder of ranks or an archive: PyTorch or other Chrome JSON, nsys SQLite, ncu CSV ...")
      .option("--rank", in.ranks, "N", "Read only this rank (repeats)")
      .checked(is_whole_number)
      .option("--steps", in.steps, "STEPS", "Read only these steps: 3, 2-5, last")
      .option("--communication-names", in.names, "FILE",
              "Names of communication kernels that take precedence over those that Ridge knows")
      .option("--max-memory", in.max_memory, "SIZE",
              "Memory for the events of a trace, 8GiB by default; what does not fit is left out and named")
      .checked(app::is_size)
      .flag("--no-cache", in.no_cache, "Neither read nor write the cache of parsed traces");
}

void add_trace_format(app::command& to, trace_input& in) {
  to.flag("--json", in.json, "Print one JSON object, with times in whole nanoseconds")
      .flag("--csv", in.csv, "Print CSV");
}

result<std::vector<trace::trace>> open_traces(const app::context& in, const trace_input& from) {
  if (from.paths.empty()) return error{"no trace is named", "give a file, a folder of ranks or an archive"};
  auto options = options_of(from);
  app::progress_line line(in.err);
  options.progress = [&](std::string_view what) { line.show(what); };
  std::vector<trace::trace> all;
  for (const auto& path : from.paths) {
    auto opened = trace::open(path, trace_importers(), options);
    line.clear();
    if (!opened) return opened.why();
    tell_unread(in, opened->unread);
    for (auto& t : opened->traces) all.push_back(std::move(t));
  }
  if (all.empty())
    return error{"no trace of that rank in what was given", "leave out --rank to see which there are"};
  return all;
}

result<trace::communication_names> communication_names_of(const trace_input& from) {
  return from.names.empty() ? result(trace::communication_names::built_in())
                            : trace::communication_names_with(from.names);
}

}  // namespace ridge::app_trace
