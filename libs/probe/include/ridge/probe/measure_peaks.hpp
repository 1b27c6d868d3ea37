// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/probe/prober.hpp>

namespace ridge::probe {

// What one probe came to.
struct outcome {
  const peak_probe* of = nullptr;
  std::vector<model::ceiling> rows{};  // that were asked for
  std::string skipped{};               // why there are none, or not all; empty: there are
  double seconds = 0;
};

// Which rows are wanted; several patterns are alternatives, none means all. `*` stands for any text, `?` for
// one character.
class row_filter final {
 public:
  row_filter() = default;
  explicit row_filter(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}
  [[nodiscard]] bool wants(std::string_view row_id) const;
  // Whether a probe of this id can have such a row.
  [[nodiscard]] bool may_want(std::string_view probe_id) const;

 private:
  std::vector<std::string> patterns_{};
};

// Measures with every probe of `prober` that belongs to `what.how` and may have wanted rows; tells each
// outcome as it comes. Probes that throw unavailable, io_failure or failure are skipped with that reason; a
// row that passes a limit it cannot pass (see impossible_because) is refused with the reason.
std::vector<model::ceiling> measure_peaks(prober& prober, const request& request, const row_filter& only = {},
                                          const std::function<void(const outcome&)>& tell = {});

// Why this row cannot be true, in words; empty where it can: not a number, not positive or, for rates, more
// than 2 % above its issue limit; where that is not known, 5 % above what the vendor states (at a clock that
// the device may pass).
[[nodiscard]] std::string impossible_because(const model::ceiling& row);

}  // namespace ridge::probe
