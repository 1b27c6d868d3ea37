// SPDX-License-Identifier: Apache-2.0
#include "empty_body.hpp"

namespace ridge::peers {

std::unique_ptr<bound_body> empty_body(nothing& workload) {
  return bind_body(workload, [](nothing&, call&) { asm volatile("" ::: "memory"); });
}

}  // namespace ridge::peers
