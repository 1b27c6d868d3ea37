// SPDX-License-Identifier: Apache-2.0
#include "cheats.hpp"

#include <algorithm>
#include <iterator>

namespace ridge::cheats {

void honest(workload& w, call&) { std::ranges::transform(w.source, w.target.begin(), answer); }

experiment_of<workload> question(const std::string& name, ladder_of<workload> variants) {
  return {
      .id = "cheats." + name,
      .title = name,
      .question = "Is this refused?",
      .axes = {values("elements", {(1 << 18) + 5}, {0, 1, 7, 4099})},
      .make =
          [](const problem& p, memory& m) {
            return workload{m.in<float>(p.count("elements"), normal{}), m.out<float>(p.count("elements"))};
          },
      .work =
          [](const problem& p) {
            const double bytes = 4.0 * p.real("elements");
            return work{.flop = bytes / 2, .bytes_read = bytes, .bytes_written = bytes};
          },
      .oracle = [](workload& w) { std::ranges::transform(w.source, w.target.begin(), answer); },
      .within = exact(),
      .cpu = variants,
  };
}

std::vector<cheat> all() {
  std::vector<cheat> every;
  for (auto* group : {wrong_outputs, stale_outputs, side_effects, evasions}) {
    std::ranges::move(group(), std::back_inserter(every));
  }
  return every;
}

}  // namespace ridge::cheats
