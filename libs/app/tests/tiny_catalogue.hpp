// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::app::tests {

struct workload {
  output<float> target{};
};

inline ladder<workload> two_variants() {
  const auto nothing = [](workload&, call&) {};
  return {{.name = "slow", .is = role::baseline, .run = nothing}, {.name = "fast", .run = nothing}};
}

inline experiment named(std::string id, std::vector<std::string> tags = {}) {
  return experiment_of<workload>{
      .id = std::move(id),
      .title = "Title",
      .question = "Which?",
      .tags = std::move(tags),
      .axes = {values("n", {8})},
      .make = [](const problem& p, memory& m) { return workload{m.out<float>(p.count("n"))}; },
      .work = [](const problem&) { return work{}; },
      .oracle = [](workload&) {},
      .cpu = two_variants,
  };
}

inline std::vector<experiment> catalogue() {
  return {named("ch01.copy", {"memory"}), named("ch01.gemm", {"compute"}), named("ch07.copy", {"memory"}),
          named("labs.engine.serve")};
}

}  // namespace ridge::app::tests
