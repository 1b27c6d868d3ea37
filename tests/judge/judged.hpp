// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/device/device.hpp>
#include <ridge/device/host_options.hpp>
#include <ridge/judge/judge.hpp>

#include "chain.hpp"

namespace ridge::backends::device_host {
std::unique_ptr<device::device> make(device::host_options options);
}  // namespace ridge::backends::device_host

namespace ridge::judge {

inline harness::instruments instruments_of_tests() {
  static const auto host = backends::device_host::make({});
  harness::instruments made;
  made.device = host.get();
  return made;
}

inline problem judged_size() { return problem({{"elements", std::int64_t{4096}}}); }

inline contender candidate_named(const std::string& name) {
  return shared_object{std::string(RIDGE_CANDIDATES) + "/" + name + ".so"};
}

// A judgement against `baseline` of the chain; the budget is short, for most of what is tested does not need
// a narrow interval.
inline judgement judged(const contender& candidate, judge_options options = {.budget_s = 0.25},
                        const std::string& baseline = "passes") {
  options.seed = 20261123;
  auto made = judge(candidate, chain::make(), judged_size(), baseline, instruments_of_tests(), options);
  return std::move(made.value());
}

inline model::outcome outcome_of_check(const judgement& made, const std::string& id) {
  for (const auto& one : made.checks) {
    if (one.id == id) return one.result;
  }
  return model::outcome::skipped;
}

}  // namespace ridge::judge
