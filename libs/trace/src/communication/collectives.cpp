// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/collectives.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "communication/ordered_parts.hpp"
#include "communication/participants.hpp"
#include "communication/told_collective.hpp"

namespace ridge::trace {
namespace {

// The matching pattern by name; each name is looked up once.
class pattern_cache {
 public:
  pattern_cache(const trace& t, const communication_names& names) : trace_(t), names_(names) {}
  const communication_pattern* of(const device_work& w) {
    if (w.kind != category::kernel) return nullptr;
    const auto at = known_.find(w.name);
    if (at != known_.end()) return at->second;
    return known_.emplace(w.name, names_.match(trace_.names[w.name])).first->second;
  }

 private:
  const trace& trace_;
  const communication_names& names_;
  std::unordered_map<name_id, const communication_pattern*> known_{};
};

// A part that is not yet joined with those of the other ranks.
struct open_part {
  collective_part part{};
  told_collective told{};
  const communication_pattern* pattern = nullptr;
  std::string stream{};  // "stream 0": the n-th stream of its device that communicates
};

std::vector<open_part> parts_of(const trace& t, const participant& p, std::uint32_t index,
                                pattern_cache& patterns, const communication_names& names) {
  std::vector<open_part> parts;
  std::map<std::int32_t, int> streams;
  for (const auto& w : t.works_of(p.device)) {
    const auto* pattern = patterns.of(w);
    if (pattern == nullptr) continue;
    streams.emplace(w.stream, 0);
    const auto work = static_cast<work_id>(&w - t.works.data());
    parts.push_back({{index, work, w.start_ns, w.end_ns}, told_of(t, w, names), pattern, {}});
  }
  int n = 0;
  for (auto& [stream, number] : streams) number = n++;
  for (auto& part : parts) part.stream = fmt::format("stream {}", streams.at(t.works[part.part.work].stream));
  return parts;
}

bool between_two(const told_collective& told) {
  return told.by_framework && told.kind == collective_kind::send_receive;
}

// Returns the key that the parts of one series share. Sequence numbers count sends apart from collectives,
// hence the kind.
std::string series_of(const open_part& p, const participant& member) {
  const auto& told = p.told;
  const auto what = told.kind == collective_kind::unknown ? told.operation : std::string(name(told.kind));
  const auto where = told.group.empty() ? p.stream : fmt::format("group {} of {}", told.group, told.ranks);
  return fmt::format("{}|{}|{}", member.cohort, where, what);
}

collective_instance instance_of(const open_part& p, matched_by matched) {
  return {.operation = p.told.operation,
          .library = p.pattern->library,
          .group = p.told.group,
          .dtype = p.told.dtype,
          .kind = p.told.kind,
          .matched = matched,
          .heuristic = p.pattern->confidence == name_confidence::heuristic,
          .sequence = p.told.sequence,
          .group_size = p.told.group_size};
}

void join(collective_instance& instance, const open_part& p) {
  instance.parts.push_back(p.part);
  if (p.told.bytes) instance.bytes = std::max(instance.bytes.value_or(0), *p.told.bytes);
}

const open_part& first_open_part(const std::vector<std::vector<open_part>>& series) {
  return std::ranges::find_if(series, [](const auto& own) { return !own.empty(); })->front();
}

using series_parts = std::map<std::string, std::vector<std::vector<open_part>>>;  // by participant

// Joins parts with sequence numbers: the n-th of a number joins the n-th of that number on other ranks.
void match_by_sequence(const std::vector<std::vector<open_part>>& series, matched_collectives& matched) {
  std::map<std::pair<std::int64_t, int>, collective_instance> found;
  for (const auto& own : series) {
    std::map<std::int64_t, int> seen;
    for (const auto& p : own) {
      const auto key = std::pair(p.told.sequence, seen[p.told.sequence]++);
      join(found.try_emplace(key, instance_of(p, matched_by::sequence)).first->second, p);
    }
  }
  for (auto& [key, instance] : found) matched.instances.push_back(std::move(instance));
}

// A root or a sender ends when its data are on the way.
ends_of_ranks ends_of_kind(collective_kind kind) {
  switch (kind) {
    case collective_kind::broadcast:
    case collective_kind::reduce:
    case collective_kind::gather:
    case collective_kind::scatter:
    case collective_kind::send_receive:
      return ends_of_ranks::apart;
    default:
      return ends_of_ranks::together;
  }
}

void match_by_order(const std::vector<std::vector<open_part>>& series, matched_collectives& matched) {
  std::vector<std::vector<collective_part>> plain(series.size());
  for (std::size_t i = 0; i < series.size(); ++i)
    for (const auto& p : series[i]) plain[i].push_back(p.part);
  const auto kind = first_open_part(series).told.kind;
  const auto ordered = order_parts(plain, ends_of_kind(kind));
  matched.shifted = matched.shifted || ordered.shifted;
  std::map<std::int64_t, collective_instance> found;
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t k = 0; k < series[i].size(); ++k) {
      const auto& p = series[i][k];
      join(found.try_emplace(ordered.place[i][k], instance_of(p, matched_by::order)).first->second, p);
    }
  }
  for (auto& [place, instance] : found) matched.instances.push_back(std::move(instance));
}

void stand_alone(const std::vector<std::vector<open_part>>& series, matched_collectives& matched) {
  for (const auto& own : series) {
    for (const auto& p : own) {
      matched.instances.push_back(instance_of(p, matched_by::nothing));
      join(matched.instances.back(), p);
    }
  }
}

void match_series(const std::vector<std::vector<open_part>>& series, matched_collectives& matched) {
  const auto& told = first_open_part(series).told;
  if (between_two(told) && (told.sequence < 0 || told.group_size != 2)) return stand_alone(series, matched);
  return told.sequence >= 0 ? match_by_sequence(series, matched) : match_by_order(series, matched);
}

void finish(matched_collectives& all) {
  for (auto& i : all.instances) {
    if (i.parts.size() > 1) continue;
    i.matched = matched_by::nothing;
    all.unmatched += all.participants.size() > 1 ? 1U : 0U;
  }
  std::ranges::stable_sort(all.instances, {}, [](const auto& i) {
    return std::tuple(i.parts.front().participant, i.parts.front().start_ns, i.parts.front().work);
  });
}

}  // namespace

std::optional<bool> collective_instance::complete() const {
  if (group_size == 0) return std::nullopt;
  return parts.size() == group_size;
}

matched_collectives match_collectives(std::span<const trace> traces, const communication_names& names) {
  std::vector<pattern_cache> patterns;
  patterns.reserve(traces.size());
  for (const auto& t : traces) patterns.emplace_back(t, names);
  matched_collectives all;
  all.participants = participants_of(
      traces, [&](std::uint32_t t, const device_work& w) { return patterns[t].of(w) != nullptr; });
  series_parts series;
  for (std::uint32_t i = 0; i < all.participants.size(); ++i) {
    const auto& p = all.participants[i];
    for (auto& part : parts_of(traces[p.trace], p, i, patterns[p.trace], names)) {
      // Some of a series may lack the number that others have.
      auto key = series_of(part, p) + (part.told.sequence >= 0 ? "|numbered" : "");
      auto& own = series[std::move(key)];
      own.resize(all.participants.size());
      own[i].push_back(std::move(part));
    }
  }
  for (const auto& [key, parts] : series) match_series(parts, all);
  finish(all);
  return all;
}

}  // namespace ridge::trace
