// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/probe/prober.hpp>

namespace ridge::probe {

// The result of one probe.
struct outcome {
  const peak_probe* probe = nullptr;
  std::vector<model::ceiling> rows{};  // those that were asked for
  std::string skipped{};               // why there are none or not all; empty when all are there
  double seconds = 0;
};

// Which rows are wanted; several patterns are alternatives, and no pattern means all rows. `*` stands for any
// text, `?` for one character.
class row_filter final {
 public:
  row_filter() = default;
  // Wants the rows whose ids match one of these patterns.
  explicit row_filter(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}
  // Returns whether the row of this id is wanted.
  [[nodiscard]] bool wants(std::string_view row_id) const;
  // Returns whether a probe of this id can have a row that is wanted.
  [[nodiscard]] bool may_want(std::string_view probe_id) const;

 private:
  std::vector<std::string> patterns_{};
};

// Measures with every probe of `prober` that belongs to the depth of `request` and may have wanted rows,
// passes each outcome to `tell` as it comes, and returns all rows. Probes that throw unavailable, io_failure
// or failure are skipped with that reason; a row that exceeds a limit which it cannot exceed (see
// impossible_because) is refused with the reason.
std::vector<model::ceiling> measure_peaks(prober& prober, const request& request, const row_filter& only = {},
                                          const std::function<void(const outcome&)>& tell = {});

// Returns in words why this row cannot be true, or an empty text where it can. It cannot when it is not a
// number, is not positive or, for rates, is more than 2 % above its issue limit; where that limit is unknown,
// more than 5 % above what the vendor states (at a clock that the device may exceed).
[[nodiscard]] std::string impossible_because(const model::ceiling& row);

}  // namespace ridge::probe
