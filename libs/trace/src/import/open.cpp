// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/open.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

#include "cache/trace_cache.hpp"
#include "import/input_opener.hpp"
#include "import/input_source.hpp"
#include "import/rank_in_path.hpp"
#include "import/sniff.hpp"

namespace ridge::trace {
namespace fs = std::filesystem;
namespace {

const importer* importer_of(std::string_view head, std::span<const importer* const> importers) {
  const auto at = std::ranges::find_if(importers, [&](const importer* i) { return i->recognises(head); });
  return at == importers.end() ? nullptr : *at;
}

error unknown_format(const input_member& m, std::span<const importer* const> importers) {
  std::string known;
  for (const auto* i : importers) known += fmt::format("{}{}", known.empty() ? "" : ", ", i->format());
  return {name_of(m) + ": format not recognised", "known formats are: " + known};
}

// Adds the defects of the container, which the importer cannot see.
void note_container(trace& t, const headed_source& source) {
  if (t.source.content_bytes == 0)
    t.source.content_bytes = source.path() ? *source.size_hint() : source.given();
  if (const auto early = source.ended_early(); early && !t.quality.truncated())
    t.quality.add(flaw::truncated, source.given(), early->message);
  if (const auto extra = source.trailing_bytes(); extra > 0 && t.quality.count(flaw::trailing_bytes) == 0)
    t.quality.add(flaw::trailing_bytes, source.given(),
                  fmt::format("{} bytes behind the end of the compressed data", extra));
}

bool is_wanted(int rank, const std::vector<int>& ranks) {
  return ranks.empty() || rank < 0 || std::ranges::find(ranks, rank) != ranks.end();
}

fs::path cache_folder_of(const open_options& options) {
  return options.cache_folder.empty() ? usual_cache_folder() : fs::path(options.cache_folder);
}

// Opens members one after the other; nullopt for a rank that was not asked for.
class member_reader {
 public:
  member_reader(std::span<const importer* const> importers, const open_options& options,
                const rank_in_path& rank)
      : importers_(importers),
        options_(options),
        rank_(rank),
        opener_(options.limits),
        cache_(cache_folder_of(options), options.version) {}

  result<std::optional<trace>> read(const input_member& m) {
    try {
      if (rank_.is_chosen() && !is_wanted(rank_.of(m).value_or(-1), options_.ranks))
        return std::optional<trace>();
      auto made = found_or_parsed(m);
      if (!made || !*made) return made;
      auto& rank = (*made)->source.rank;
      if (rank < 0 || rank_.is_chosen()) rank = rank_.of(m).value_or(rank);
      if (!is_wanted(rank, options_.ranks)) return std::optional<trace>();
      return made;
    } catch (const failure& f) {
      return f.why();
    }
  }

 private:
  result<std::optional<trace>> found_or_parsed(const input_member& m) {
    if (!options_.cache) return parsed(m);
    if (auto kept = cache_.find(m)) return kept;
    auto made = parsed(m);
    if (made.ok() && *made && is_worth_keeping(**made)) cache_.keep(m, **made);
    return made;
  }

  result<std::optional<trace>> parsed(const input_member& m) {
    auto opened = opener_.open(m);
    if (!opened) return opened.why();
    headed_source source(std::move(*opened));
    if (source.head().empty() && source.ended_early()) return *source.ended_early();
    if (auto why = unreadable_format(source.head(), name_of(m))) return *why;
    const auto* by = importer_of(source.head(), importers_);
    if (by == nullptr) return unknown_format(m, importers_);
    if (!rank_.is_chosen() && !is_wanted(by->rank_in(source.head()).value_or(-1), options_.ranks))
      return std::optional<trace>();
    auto made = by->read(source, origin_of(m, *by), options_.limits);
    if (!made) return made.why();
    note_container(*made, source);
    return std::optional(std::move(*made));
  }

  static origin origin_of(const input_member& m, const importer& reader) {
    return {.path = m.path,
            .format = std::string(reader.format()),
            .container = m.container,
            .member = m.member,
            .file_bytes = m.file_bytes};
  }

  // A trace that was cut by a limit is not cached, because another limit may admit more of it.
  [[nodiscard]] bool is_worth_keeping(const trace& t) const {
    return t.source.content_bytes >= options_.cached_from_bytes && t.quality.count(flaw::over_limit) == 0;
  }

  std::span<const importer* const> importers_;
  const open_options& options_;
  const rank_in_path& rank_;
  input_opener opener_;
  trace_cache cache_;
};

error nothing_read(const std::string& path, const std::vector<unread_member>& unread) {
  if (unread.size() == 1) return unread.front().why;
  if (unread.empty())
    return {path + " holds no trace of the ranks asked for", "name ranks that it has, or none"};
  const auto& first = unread.front();
  return {fmt::format("none of the {} files of {} is a trace; the first one: {}", unread.size(), path,
                      first.why.message),
          first.why.remedy};
}

}  // namespace

result<std::vector<unread_member>> open_each(const std::string& path,
                                             std::span<const importer* const> importers,
                                             const open_options& options,
                                             const std::function<void(trace&&)>& take) {
  const auto rank = rank_in_path::made(options.rank_pattern, path);
  if (!rank) return rank.why();
  const auto members = members_of(path, options.limits);
  if (!members) return members.why();
  std::vector<unread_member> unread;
  std::size_t taken = 0;
  member_reader reader(importers, options, *rank);
  for (const auto& m : *members) {
    if (options.progress) options.progress("reading " + name_of(m));
    auto made = reader.read(m);
    if (!made) {
      unread.push_back({m, made.why()});
    } else if (*made) {
      ++taken;
      take(std::move(**made));
    }
  }
  if (taken == 0) return nothing_read(path, unread);
  return unread;
}

result<opened_traces> open(const std::string& path, std::span<const importer* const> importers,
                           const open_options& options) {
  opened_traces all;
  auto unread = open_each(path, importers, options, [&](trace&& t) { all.traces.push_back(std::move(t)); });
  if (!unread) return unread.why();
  all.unread = std::move(*unread);
  std::ranges::stable_sort(all.traces, {}, [](const trace& t) {
    return std::tuple(t.source.rank, t.source.path, t.source.member);
  });
  return all;
}

}  // namespace ridge::trace
