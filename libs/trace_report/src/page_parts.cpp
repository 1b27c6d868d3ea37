// SPDX-License-Identifier: Apache-2.0
#include "page_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "kernel_names.hpp"

namespace ridge::trace_report {
namespace {

std::string file_name(const trace::origin& origin) {
  const auto path = origin.member.empty() ? origin.path : origin.member;
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string headline(const trace::trace& t) {
  std::vector<std::string> parts{file_name(t.source)};
  parts.push_back(t.source.producer.empty() ? t.source.format : t.source.producer);
  if (t.source.rank >= 0)
    parts.push_back(t.source.world_size > 0 ? fmt::format("rank {} of {}", t.source.rank, t.source.world_size)
                                            : fmt::format("rank {}", t.source.rank));
  parts.push_back(format_count(static_cast<long long>(t.events.size())) + " events");
  return join(parts, ", ");
}

document page_about(const scope& s, std::string_view verb) {
  const auto& t = *s.source;
  document d{.schema = fmt::format("ridge.trace.{}/1", verb), .title = headline(t)};
  if (s.window) d.title += fmt::format(", {} of {} steps", s.steps.size(), s.all_steps.steps.size());
  d.facts = {{"path", t.source.path}, {"format", t.source.format}, {"events", whole(t.events.size())}};
  if (!t.source.member.empty()) d.facts.emplace_back("member", t.source.member);
  if (t.source.rank >= 0) d.facts.emplace_back("rank", std::int64_t{t.source.rank});
  if (s.window) {
    d.facts.emplace_back("window.start_ns", s.window->start_ns);
    d.facts.emplace_back("window.end_ns", s.window->end_ns);
  }
  return d;
}

std::string short_name(std::string_view kernel, std::size_t columns) {
  if (is_python_frame(kernel)) return frame_name(kernel, columns);
  std::string kept;
  int depth = 0;
  for (const char c : kernel.substr(0, 4096)) {
    if (c == '<' && depth++ == 0) kept += "<..";
    if (depth == 0) kept += c == '\n' ? ' ' : c;
    if (c == '>' && depth > 0 && --depth == 0) kept += '>';
  }
  constexpr std::string_view unnamed = "(anonymous namespace)";
  auto parameters = kept.find('(');
  while (parameters != std::string::npos && std::string_view(kept).substr(parameters).starts_with(unnamed))
    parameters = kept.find('(', parameters + unnamed.size());
  if (parameters != std::string::npos && parameters > 0 && !kept.starts_with("Memcpy") &&
      !kept.starts_with("Copy"))
    kept.resize(parameters);
  if (kept.starts_with("void ")) kept.erase(0, 5);
  return cut_middle(kept, columns);
}

report::field name_field(bool full_names, std::string key, std::string header) {
  report::field made{std::move(key), std::move(header)};
  if (!full_names) made.fit = short_names;
  return made;
}

void shorten_texts(sheet& made, std::string_view key, std::size_t columns) {
  const auto at =
      static_cast<std::size_t>(std::ranges::find(made.fields, key, &field::key) - made.fields.begin());
  std::vector<std::string> names;
  for (const auto& r : made.rows) names.push_back(std::get<std::string>(r.values.at(at)));
  const auto short_ones = short_names(names, columns);
  for (std::size_t r = 0; r < names.size(); ++r) made.rows[r].values.at(at) = short_ones[r];
}

void give_short_names(sheet& made) {
  const auto place = [&](std::string_view key) {
    return static_cast<std::size_t>(std::ranges::find(made.fields, key, &field::key) - made.fields.begin());
  };
  const auto name = place("name"), shortened = place("short_name");
  constexpr std::size_t columns = 56;
  std::vector<std::string> names;
  for (const auto& r : made.rows) names.push_back(std::get<std::string>(r.values.at(name)));
  const auto short_ones = short_names(names, columns);
  for (std::size_t r = 0; r < names.size(); ++r) made.rows[r].values.at(shortened) = short_ones[r];
}

std::string device_name(const trace::trace& t, std::int32_t device) {
  const auto* facts = t.facts_of(device);
  return facts == nullptr || facts->name.empty() ? "" : facts->name;
}

std::string thread_name(const trace::trace& t, trace::track_id track) {
  if (track >= t.tracks.size()) return "";
  const auto& of = t.tracks[track];
  return of.name.empty() ? fmt::format("thread {}", of.thread) : of.name;
}

std::string seconds_text(trace::nanoseconds duration) {
  return format_quantity(static_cast<double>(duration) / 1e9, "s");
}

std::string command_with_files(std::string command, const std::vector<std::string>& files) {
  constexpr std::string_view place = "{file}";
  const auto found = command.find(place);
  if (found != std::string::npos) command.replace(found, place.size(), join(files, " "));
  return command;
}

std::vector<trace::time_range> step_windows_of(const scope& shown) {
  std::vector<trace::time_range> windows;
  for (const auto& step : shown.steps) windows.push_back(step.window);
  return windows;
}

value whole(std::uint64_t n) { return static_cast<std::int64_t>(n); }

value percent_of(double part, double all) { return all > 0 ? value(100 * part / all) : value(); }

std::size_t shown_rows(std::size_t there_are, std::size_t rows, sheet& table) {
  if (rows == 0 || there_are <= rows) return there_are;
  table.notes.push_back(fmt::format("{} more; --rows 0 shows all", there_are - rows));
  return rows;
}

sheet defects_sheet(const trace::trace& t) {
  sheet s{.key = "defects",
          .title = "What was wrong with the input",
          .fields = {{"kind", "what"},
                     {"count", "times", unit::count},
                     {"first_offset", "first at byte", unit::count},
                     {"text", "first"}}};
  for (const auto& d : t.quality.defects) {
    const auto offset = d.offsets.empty() ? value() : whole(d.offsets.front());
    s.rows.push_back({.values = {std::string(name(d.kind)), whole(d.count), offset, d.text},
                      .look = report::tone::doubtful});
  }
  return s;
}

}  // namespace ridge::trace_report
