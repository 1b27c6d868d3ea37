// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/store/store.hpp>

// The harness judged by itself: what it promises of identical arms, known effects, its own cost and its
// store. Names and limits are settled; a changed limit needs a decision record.
namespace ridge::selftest {

struct row {
  std::string name{};
  double value = 0;
  std::string unit{};
  std::optional<double> limit{};  // none: printed for the record
  bool at_least = false;          // the limit is a floor, not a ceiling
  std::string skipped{};          // why it could not be measured; empty when it was
  std::string detail{};           // in words: trials, intervals, peers
  // Whether the value keeps its limit; a skipped row and a row without a limit pass.
  [[nodiscard]] bool pass() const;
};

struct surroundings {
  std::string program{};  // path of the `ridge` that is tested
  std::function<std::unique_ptr<store::store>(const std::string& path)> open_store{};
  std::string scratch_folder{"/tmp"};
  // Share of the full number of trials; the limits of counts follow their binomial bound.
  double scale = 1;
};

// Every row's name in print order.
[[nodiscard]] std::vector<std::string> names();

// Measures the rows one after another and hands each over as it is there. `wanted` empty: all.
void run(const std::vector<std::string>& wanted, const surroundings& surroundings,
         const std::function<void(const row&)>& report);

// The most intervals of `trials` at nominal 95 % that may exclude the truth with a probability of 1 %
// (binomial bound).
[[nodiscard]] double false_alarm_limit(int trials);

// An empty body run n times through the harness's own loop: what iteration_cost counts.
void run_empty_body(std::uint64_t n);

}  // namespace ridge::selftest
