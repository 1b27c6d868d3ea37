// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <ridge/harness/experiment.hpp>

#include "arithmetic_intensity.hpp"

namespace ridge::experiments::ch01_arithmetic_intensity {
namespace {

using one_operation = void (*)(std::size_t, const float*, output<float>, stream);

// A pass for each operation of the chain; all but the first in place.
template <one_operation Launch>
void operation_by_operation(workload& w, call& c) {
  for (std::size_t k = 0; k < chain.size(); ++k) {
    Launch(k, k == 0 ? w.source.data() : w.target.data(), w.target, c.queue());
  }
}

void two_a_pass(workload& w, call& c) {
  launch_two_by_vectors(0, w.source.data(), w.target, c.queue());
  launch_two_by_vectors(2, w.target.data(), w.target, c.queue());
}

std::function<double(const problem&)> passes(double count) {
  return [count](const problem& p) { return count * 8 * p.real("elements"); };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "four_passes",
       .is = role::baseline,
       .idea = "a kernel an operation, an element a thread",
       .run = operation_by_operation<launch_by_one>,
       .traffic = passes(4)},
      {.name = "unrolled",
       .idea = "four elements a thread: more loads on the way",
       .run = operation_by_operation<launch_unrolled>,
       .traffic = passes(4)},
      {.name = "simd",
       .idea = "16 bytes a load, four loads a thread",
       .run = operation_by_operation<launch_by_vectors>,
       .traffic = passes(4)},
      {.name = "two_a_pass", .idea = "half the passes", .run = two_a_pass, .traffic = passes(2)},
      {.name = "fused",
       .idea = "one pass: only the compulsory bytes",
       .run = enqueues(launch_all_by_vectors),
       .traffic = passes(1)},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceTransform with the whole chain",
       .run = enqueues(launch_cub_transform),
       .traffic = passes(1)},
  };
}

}  // namespace ridge::experiments::ch01_arithmetic_intensity
