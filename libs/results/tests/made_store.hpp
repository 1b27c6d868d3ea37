// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ridge/model/run.hpp>

#include "example_store.hpp"

namespace ridge::results {

// A store of results that a test writes down, where the kept ones lack what it asks.
class made_store {
 public:
  // Stores one run of these families on a machine with this GPU (as its driver names it; empty: none).
  void add(std::vector<model::family> families, const std::string& gpu = {}) {
    model::run run{.id = "01MADE" + std::to_string(runs_++), .started = "2026-11-28T00:00:00Z"};
    run.environment.machine = gpu.empty() ? "made" : "made-with-gpu";
    if (!gpu.empty()) run.environment.facts.emplace_back("gpu", gpu);
    run.families = std::move(families);
    store_.get().begin(run);
    for (const auto& family : run.families) store_.get().commit(run.id, family);
    store_.get().finish(run);
  }
  [[nodiscard]] store::store& get() { return store_.get(); }

 private:
  example_store store_{example_store::with_nothing};
  int runs_ = 10;
};

// A variant that takes so many seconds, known within 1 %.
[[nodiscard]] inline model::measurement made_variant(std::string name, double seconds,
                                                     model::role role = model::role::optimized) {
  model::measurement m{.variant = std::move(name), .role = role};
  m.metrics = {
      {.metric = {.name = "time", .unit = "s"}, .median = seconds, .ci = {0.99 * seconds, 1.01 * seconds}}};
  return m;
}

// Adds what pairs would show: that the candidate takes so many times less time.
inline void compare(model::family& family, std::string reference, std::string candidate, double ratio) {
  family.comparisons.push_back({.reference = std::move(reference),
                                .candidate = std::move(candidate),
                                .metric = {.name = "time", .unit = "s"},
                                .ratio = ratio,
                                .ci = {0.99 * ratio, 1.01 * ratio},
                                .verdict = ratio > 1 ? model::verdict::better : model::verdict::worse,
                                .pairs = 20});
}

}  // namespace ridge::results
