// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_steps.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <ridge/trace/hta_programs.hpp>

#include "hta/hta_host_rows.hpp"

namespace ridge::trace {
namespace {

struct step_row {
  std::uint64_t offset = 0;
  time_range range{};
  std::int64_t number = 0;
};

std::string_view after_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

}  // namespace

std::optional<std::int64_t> hta_step_number(std::string_view name) {
  constexpr std::string_view head = "ProfilerStep";
  if (!name.starts_with(head)) return std::nullopt;
  name = after_blanks(name.substr(head.size()));
  if (!name.starts_with('#')) return std::nullopt;
  name = after_blanks(name.substr(1));
  std::int64_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  if (read.ec != std::errc() || number < 0) return std::nullopt;
  return number;
}

hta_step_clock::hta_step_clock(const trace& t, const hta_rows& rows, const hta_options& options) {
  std::vector<step_row> steps;
  for_each_host_row(t, rows, options, [&](event_id e, time_range at, bool) {
    const auto number = hta_step_number(t.name_of(e));
    if (number) steps.push_back({t.events.offset[e], at, *number});
  });
  std::ranges::stable_sort(steps, {}, &step_row::offset);
  for (const auto& s : steps) {
    starts_.push_back(s.range.start_ns);
    starts_.push_back(s.range.end_ns);
  }
  std::ranges::sort(starts_);
  starts_.erase(std::ranges::unique(starts_).begin(), starts_.end());
  steps_.assign(starts_.size(), -1);
  for (const auto& s : steps) {
    const auto first = std::ranges::lower_bound(starts_, s.range.start_ns) - starts_.begin(),
               last = std::ranges::lower_bound(starts_, s.range.end_ns) - starts_.begin();
    for (auto i = first; i < last; ++i) steps_[static_cast<std::size_t>(i)] = s.number;
  }
}

std::int64_t hta_step_clock::step_at(nanoseconds t) const {
  const auto after = std::ranges::upper_bound(starts_, t);
  return after == starts_.begin() ? -1 : steps_[static_cast<std::size_t>(after - starts_.begin() - 1)];
}

std::vector<std::int64_t> hta_profiler_steps(const trace& t, const hta_options& options) {
  std::set<std::int64_t> numbers;
  for_each_host_row(t, hta_rows_of(t, options), options, [&](event_id e, time_range, bool kept) {
    const auto number = kept ? hta_step_number(t.name_of(e)) : std::nullopt;
    if (number) numbers.insert(*number);
  });
  return {numbers.begin(), numbers.end()};
}

}  // namespace ridge::trace
