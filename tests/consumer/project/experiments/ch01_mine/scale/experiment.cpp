// SPDX-License-Identifier: Apache-2.0
#include "scale.hpp"

namespace ridge::experiments::ch01_scale {

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.scale",
      .title = "Scale an array",
      .question = "Does walking backwards cost anything?",
      .axes = {pow2("elements", 16, 16)},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const double bytes = 4.0 * p.real("elements");
            return work{.bytes_read = bytes, .bytes_written = bytes};
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] = 2.0F * w.source[i];
          },
      .within = exact(),
      .cpu = cpu,
  };
}

}  // namespace ridge::experiments::ch01_scale
