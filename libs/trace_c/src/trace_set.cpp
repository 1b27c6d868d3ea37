// SPDX-License-Identifier: Apache-2.0
#include "trace_set.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <ridge_trace.h>
#include <ridge/trace/hta_series.hpp>

#include "arguments.hpp"
#include "readers.hpp"
#include "refused.hpp"

#ifndef RIDGE_VERSION
#define RIDGE_VERSION "unknown"
#endif

namespace ridge::trace_c {
namespace {

bool switch_of(const std::string& option, const std::string& value) {
  if (value != "0" && value != "1")
    throw wrong_use("the option " + option + " is \"" + value + "\"", "0 or 1 is wanted");
  return value == "1";
}

std::uint64_t bytes_of(const std::string& option, const std::string& value) {
  const auto n = integer_of(value);
  if (!n || *n <= 0)
    throw wrong_use("the option " + option + " is \"" + value + "\"", "a number of bytes above 0 is wanted");
  return static_cast<std::uint64_t>(*n);
}

}  // namespace

void trace_set::set(const std::string& option, const std::string& value) {
  zero_ns_.reset();
  if (option == "last_step")
    hta_.include_last_step = switch_of(option, value);
  else if (option == "round_to_us")
    hta_.round_to_us = switch_of(option, value);
  else if (option == "rank_pattern")
    open_.rank_pattern = value;
  else if (option == "memory_bytes")
    open_.limits = trace::limits_for(bytes_of(option, value));
  else if (option == "cache")
    open_.cache = switch_of(option, value);
  else
    throw wrong_use("there is no option " + option,
                    "there are last_step, round_to_us, rank_pattern, memory_bytes and cache");
}

void trace_set::add(const std::string& path, std::int64_t rank) {
  open_.version = "libridge_trace " RIDGE_VERSION;
  auto opened = trace::open(path, readers(), open_);
  if (!opened) throw refused(ridge_trace_unreadable, opened.why());
  auto& traces = opened.value().traces;
  if (rank >= 0 && traces.size() != 1)
    throw wrong_use(path + " holds " + std::to_string(traces.size()) + " traces, and one of rank " +
                        std::to_string(rank) + " is wanted",
                    "name one file for each rank");
  std::map<std::int64_t, const trace::trace*> added;
  for (const auto& t : traces) {
    const auto own = rank >= 0 ? rank : std::max<std::int64_t>(t.source.rank, 0);
    const auto there = ranks_.find(own);
    const auto* other = there != ranks_.end() ? &there->second : nullptr;
    if (const auto same = added.find(own); same != added.end()) other = same->second;
    if (other != nullptr)
      throw wrong_use(t.source.path + " is rank " + std::to_string(own) + ", and so is " + other->source.path,
                      "name the rank of each file");
    added.emplace(own, &t);
  }
  zero_ns_.reset();
  for (const auto& [own, t] : added)
    ranks_.emplace(own, std::move(traces[static_cast<std::size_t>(t - traces.data())]));
}

std::vector<std::int64_t> trace_set::chosen(std::span<const std::int64_t> ranks) const {
  std::vector<std::int64_t> out(ranks.begin(), ranks.end());
  for (const auto rank : out) {
    if (!ranks_.contains(rank)) {
      std::string there;
      for (const auto& [own, t] : ranks_) there += (there.empty() ? "" : ", ") + std::to_string(own);
      throw wrong_use("there is no rank " + std::to_string(rank),
                      there.empty() ? "no trace is open" : "there are the ranks " + there);
    }
  }
  if (out.empty()) {
    for (const auto& [rank, t] : ranks_) out.push_back(rank);
  }
  return out;
}

trace::nanoseconds trace_set::zero_ns() const {
  if (!zero_ns_) {
    zero_ns_ = std::numeric_limits<trace::nanoseconds>::max();
    for (const auto& [rank, t] : ranks_) zero_ns_ = std::min(*zero_ns_, hta_span_of(t, hta_).first_ns);
  }
  return *zero_ns_;
}

}  // namespace ridge::trace_c
