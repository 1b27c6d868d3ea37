// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>
#include <ridge/trace/open.hpp>

namespace ridge::trace_c {

// Opened traces by rank, and how they are looked at. What is wrong throws refused.
class trace_set {
 public:
  void set(const std::string& option, const std::string& value);
  void add(const std::string& path, std::int64_t rank);

  [[nodiscard]] const trace::hta_options& options() const { return hta_; }
  [[nodiscard]] const std::map<std::int64_t, trace::trace>& ranks() const { return ranks_; }
  // Returns the chosen ranks, all where none is named; an unknown one throws.
  [[nodiscard]] std::vector<std::int64_t> chosen(std::span<const std::int64_t> ranks) const;
  // Returns the earliest start of any rank, from which HTA counts the times of its series.
  [[nodiscard]] trace::nanoseconds zero_ns() const;

 private:
  trace::open_options open_{.cache = false};
  trace::hta_options hta_{};
  std::map<std::int64_t, trace::trace> ranks_{};
  mutable std::optional<trace::nanoseconds> zero_ns_{};
};

}  // namespace ridge::trace_c
