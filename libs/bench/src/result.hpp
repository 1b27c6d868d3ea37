// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <ridge/harness/session.hpp>
#include <ridge/model/run.hpp>

#include "callback_arms.hpp"
#include "session.hpp"

namespace ridge::bench {

// What a session found: one family in a run.
struct result {
  model::run run{};
  std::string invalid_reason{};  // why nothing of it may be believed; empty where it may
  bool was_stopped = false;
  int assurance = 0;

  [[nodiscard]] const model::family& family() const { return run.families.front(); }
  [[nodiscard]] model::family& family() { return run.families.front(); }
};

// Measures the arms of a session. Throws callback_failed, nothing_measured.
[[nodiscard]] result measure(const definition& definition);

// Adds a check that the caller made. One that failed makes every verdict INVALID.
void add_check(result& found, model::check check);

// Returns the grade of assurance in words, and what is missing for the next one.
[[nodiscard]] std::string assurance_text(const result& found);

// Returns the result in a few lines, without a newline at the end.
[[nodiscard]] std::string summary(const result& found);

// Returns how far from 1 the ratio of the baseline to itself was; NaN where nothing was compared.
[[nodiscard]] double noise_floor(const result& found);

}  // namespace ridge::bench
