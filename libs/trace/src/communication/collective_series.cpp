// SPDX-License-Identifier: Apache-2.0
#include "communication/collective_series.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "communication/ordered_parts.hpp"

namespace ridge::trace {
namespace {

using parts_of_one = std::vector<open_part>;
using member_parts = std::vector<const parts_of_one*>;  // by participant

bool between_two(const told_collective& told) {
  return told.by_framework && told.kind == collective_kind::send_receive;
}

// Returns the key that the parts of one series share. Sequence numbers count sends apart from collectives,
// hence the kind; some of a series may lack the number that others have. A group that is not told is the n-th
// stream of its device that communicates.
std::string series_of(const told_collective& told, int stream, bool numbered) {
  const auto what = told.kind == collective_kind::unknown ? told.operation : std::string(name(told.kind));
  const auto where = told.group.empty() ? fmt::format("stream {}", stream)
                                        : fmt::format("group {} of {}", told.group, told.ranks);
  return fmt::format("{}|{}{}", where, what, numbered ? "|numbered" : "");
}

collective_instance instance_of(const open_part& p, matched_by matched) {
  const auto& told = p.common->told;
  return {.operation = told.operation,
          .library = p.common->pattern->library,
          .group = told.group,
          .dtype = told.dtype,
          .kind = told.kind,
          .matched = matched,
          .heuristic = p.common->pattern->confidence == name_confidence::heuristic,
          .sequence = p.sequence,
          .group_size = told.group_size};
}

void join(collective_instance& instance, const open_part& p) {
  instance.parts.push_back(p.part);
  if (const auto bytes = p.common->told.bytes) instance.bytes = std::max(instance.bytes.value_or(0), *bytes);
}

template <class Key>
void hand_over(std::map<Key, collective_instance>& found, const collective_series::visitor& visit) {
  for (auto& [key, instance] : found) {
    if (instance.parts.size() == 1) instance.matched = matched_by::nothing;
    visit(std::move(instance));
  }
}

// Joins parts with sequence numbers: the n-th of a number joins the n-th of that number on other ranks.
void match_by_sequence(const member_parts& members, const collective_series::visitor& visit) {
  std::map<std::pair<std::int64_t, int>, collective_instance> found;
  for (const auto* own : members) {
    std::map<std::int64_t, int> seen;
    for (const auto& p : *own) {
      const auto [at, fresh] = found.try_emplace({p.sequence, seen[p.sequence]++});
      if (fresh) at->second = instance_of(p, matched_by::sequence);
      join(at->second, p);
    }
  }
  hand_over(found, visit);
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

bool match_by_order(const member_parts& members, const collective_series::visitor& visit) {
  std::vector<std::vector<collective_part>> plain(members.size());
  for (std::size_t i = 0; i < members.size(); ++i)
    for (const auto& p : *members[i]) plain[i].push_back(p.part);
  const auto ordered = order_parts(plain, ends_of_kind(members.front()->front().common->told.kind));
  std::map<std::int64_t, collective_instance> found;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t k = 0; k < members[i]->size(); ++k) {
      const auto& p = (*members[i])[k];
      const auto [at, fresh] = found.try_emplace(ordered.place[i][k]);
      if (fresh) at->second = instance_of(p, matched_by::order);
      join(at->second, p);
    }
  }
  hand_over(found, visit);
  return ordered.shifted;
}

void stand_alone(const member_parts& members, const collective_series::visitor& visit) {
  for (const auto* own : members) {
    for (const auto& p : *own) {
      auto alone = instance_of(p, matched_by::nothing);
      join(alone, p);
      visit(std::move(alone));
    }
  }
}

bool match_series(const member_parts& members, const collective_series::visitor& visit) {
  const auto& first = members.front()->front();
  const auto& told = first.common->told;
  if (between_two(told) && (first.sequence < 0 || told.group_size != 2)) {
    stand_alone(members, visit);
    return false;
  }
  if (first.sequence < 0) return match_by_order(members, visit);
  match_by_sequence(members, visit);
  return false;
}

// Returns the number of each stream of a device among those that communicate.
std::map<std::int32_t, int> communicating_streams(std::span<const device_work> works,
                                                  pattern_cache& patterns) {
  std::map<std::int32_t, int> streams;
  for (const auto& w : works)
    if (patterns.of(w) != nullptr) streams.emplace(w.stream, 0);
  int n = 0;
  for (auto& [stream, number] : streams) number = n++;
  return streams;
}

}  // namespace

const told_part* collective_series::kept(told_collective told, const communication_pattern* pattern) {
  told.sequence = -1;
  return &*told_.insert({std::move(told), pattern}).first;
}

void collective_series::add(series& target, std::uint32_t participant, const open_part& part) const {
  if (target.empty() || target.back().participant != participant) target.push_back({participant, {}});
  target.back().parts.push_back(part);
}

void collective_series::take(const trace& t, std::int32_t device, std::uint32_t index,
                             pattern_cache& patterns, const communication_names& names) {
  const auto works = t.works_of(device);
  const auto streams = communicating_streams(works, patterns);
  std::map<std::tuple<const told_part*, int, bool>, series*> found;  // a key is written once for many parts
  for (const auto& w : works) {
    const auto* pattern = patterns.of(w);
    if (pattern == nullptr) continue;
    auto told = told_of(t, w, names);
    const auto sequence = told.sequence;
    const auto* common = kept(std::move(told), pattern);
    auto& target = found[{common, streams.at(w.stream), sequence >= 0}];
    if (target == nullptr) target = &series_[series_of(common->told, streams.at(w.stream), sequence >= 0)];
    const auto work = static_cast<work_id>(&w - t.works.data());
    add(*target, index, {{index, work, w.start_ns, w.end_ns}, sequence, common});
  }
  for (auto& [key, target] : found) target->back().parts.shrink_to_fit();
}

bool collective_series::match(std::span<const std::uint32_t> cohorts, const visitor& visit) const {
  bool shifted = false;
  for (const auto& [key, all] : series_) {
    std::map<std::uint32_t, member_parts> by_cohort;
    for (const auto& own : all) by_cohort[cohorts[own.participant]].push_back(&own.parts);
    for (const auto& [cohort, members] : by_cohort) shifted = match_series(members, visit) || shifted;
  }
  return shifted;
}

}  // namespace ridge::trace
