// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/trace/importer.hpp>

#include "input_opener.hpp"
#include "input_source.hpp"
#include "sniff.hpp"
#include "trace_cache.hpp"

namespace ridge::trace {
namespace {

const importer* importer_of(std::string_view head, std::span<const importer* const> importers) {
  const auto at = std::ranges::find_if(importers, [&](const importer* i) { return i->recognises(head); });
  return at == importers.end() ? nullptr : *at;
}

error unknown_format(const input_member& m, std::span<const importer* const> importers) {
  std::string known;
  for (const auto* i : importers) known += fmt::format("{}{}", known.empty() ? "" : ", ", i->format());
  return {name_of(m) + " is in none of the formats known", "known are: " + known};
}

// What reading the container showed that the importer cannot see.
void note_container(trace& t, const headed_source& source) {
  if (t.source.content_bytes == 0) t.source.content_bytes = source.given();
  if (const auto early = source.ended_early(); early && !t.quality.truncated())
    t.quality.add(flaw::truncated, source.given(), early->what);
  if (const auto extra = source.trailing_bytes(); extra > 0 && t.quality.count(flaw::trailing_bytes) == 0)
    t.quality.add(flaw::trailing_bytes, source.given(),
                  fmt::format("{} bytes behind the end of the compressed data", extra));
}

result<trace> read_member(input_opener& opener, const input_member& m,
                          std::span<const importer* const> importers, const open_options& options) {
  auto opened = opener.open(m);
  if (!opened) return opened.why();
  headed_source source(std::move(*opened));
  if (source.head().empty() && source.ended_early()) return *source.ended_early();
  if (auto why = unreadable_format(source.head(), name_of(m))) return *why;
  const auto* by = importer_of(source.head(), importers);
  if (is_zip(source.head()) || is_tar(source.head()))
    return error{name_of(m) + " is an archive in an archive", "unpack the outer one"};
  if (by == nullptr) return unknown_format(m, importers);
  auto made = by->read(source,
                       {.path = m.path,
                        .format = std::string(by->format()),
                        .container = m.container,
                        .member = m.member,
                        .file_bytes = m.file_bytes},
                       options.limits);
  if (made) note_container(*made, source);
  return made;
}

// Another limit may let more of a trace in.
bool is_worth_keeping(const trace& t, const open_options& options) {
  return t.source.content_bytes >= options.cached_from_bytes && t.quality.count(flaw::over_limit) == 0;
}

result<trace> found_or_read(input_opener& opener, const trace_cache& cache, const input_member& m,
                            std::span<const importer* const> importers, const open_options& options) {
  if (!options.cache) return read_member(opener, m, importers, options);
  if (auto kept = cache.find(m)) return std::move(*kept);
  auto made = read_member(opener, m, importers, options);
  if (made && is_worth_keeping(*made, options)) cache.keep(m, *made);
  return made;
}

result<trace> read_or_why(input_opener& opener, const trace_cache& cache, const input_member& m,
                          std::span<const importer* const> importers, const open_options& options) {
  try {
    return found_or_read(opener, cache, m, importers, options);
  } catch (const failure& f) {
    return f.why();
  }
}

bool is_wanted(const trace& t, const std::vector<int>& ranks) {
  return ranks.empty() || t.source.rank < 0 || std::ranges::find(ranks, t.source.rank) != ranks.end();
}

error nothing_read(const std::string& path, const opened_traces& all) {
  if (all.unread.size() == 1) return all.unread.front().why;
  if (all.unread.empty())
    return {path + " holds no trace of the ranks asked for", "name ranks that it has, or none"};
  const auto& first = all.unread.front();
  return {fmt::format("none of the {} files of {} is a trace; the first one: {}", all.unread.size(), path,
                      first.why.what),
          first.why.remedy};
}

}  // namespace

result<opened_traces> open(const std::string& path, std::span<const importer* const> importers,
                           const open_options& options) {
  const auto members = members_of(path, options.limits);
  if (!members) return members.why();
  opened_traces all;
  input_opener opener(options.limits);
  const trace_cache cache(
      options.cache_folder.empty() ? usual_cache_folder() : std::filesystem::path(options.cache_folder),
      options.version);
  for (const auto& m : *members) {
    if (options.progress) options.progress("reading " + name_of(m));
    auto made = read_or_why(opener, cache, m, importers, options);
    if (!made)
      all.unread.push_back({m, made.why()});
    else if (is_wanted(*made, options.ranks))
      all.traces.push_back(std::move(*made));
  }
  if (all.traces.empty()) return nothing_read(path, all);
  std::ranges::stable_sort(all.traces, {}, [](const trace& t) {
    return std::tuple(t.source.rank, t.source.path, t.source.member);
  });
  return all;
}

}  // namespace ridge::trace
