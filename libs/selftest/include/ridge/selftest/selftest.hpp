// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/device/device.hpp>
#include <ridge/store/store.hpp>

// The harness tests itself: what it promises about identical arms, known effects, its own cost and its store.
// Names and limits are settled; a changed limit needs a decision record.
namespace ridge::selftest {

// One figure of the self-test, with the limit it must keep.
struct row {
  std::string name{};
  double value = 0;
  std::string unit{};
  std::optional<double> limit{};  // none: printed for the record
  bool at_least = false;          // the limit is a floor, not a ceiling
  std::string skipped{};          // why it could not be measured; empty when it was
  std::string detail{};           // in words: trials, intervals, peers
  // Returns whether the value keeps its limit; a skipped row and a row without a limit pass.
  [[nodiscard]] bool pass() const;
};

// What the self-test needs of the program that runs it.
struct surroundings {
  std::string program{};  // path of the `ridge` that is tested
  std::function<std::unique_ptr<store::store>(const std::string& path)> open_store{};
  device::device* host = nullptr;  // where bodies run; null: rows that need it are skipped
  std::string scratch_folder{"/tmp"};
  // Share of the full number of trials; the limits of counts follow their binomial bound.
  double scale = 1;
};

// Returns the names of all rows in print order.
[[nodiscard]] std::vector<std::string> names();

// Measures the rows named in `wanted`, or all when it is empty, one after another, and passes each to
// `report` as soon as it is measured.
void run(const std::vector<std::string>& wanted, const surroundings& surroundings,
         const std::function<void(const row&)>& report);

// Returns the greatest number of intervals, of `trials` with nominal 95 %, that may exclude the truth: more
// happen with a probability of at most 1 % (binomial bound).
[[nodiscard]] double false_alarm_limit(int trials);

// Runs an empty body n times through the loop of the harness; the row iteration_cost counts its instructions.
void run_empty_body(std::uint64_t n);

}  // namespace ridge::selftest
