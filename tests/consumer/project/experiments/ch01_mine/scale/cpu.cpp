// SPDX-License-Identifier: Apache-2.0
#include "scale.hpp"

namespace ridge::experiments::ch01_scale {
namespace {

void backwards(workload& w, call&) {
  for (std::size_t i = w.source.size(); i-- > 0;) w.target[i] = 2.0F * w.source[i];
}

void forwards(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] = 2.0F * w.source[i];
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "backwards", .is = role::baseline, .idea = "from the last element", .run = backwards},
      {.name = "forwards", .idea = "from the first element", .run = forwards},
  };
}

}  // namespace ridge::experiments::ch01_scale
