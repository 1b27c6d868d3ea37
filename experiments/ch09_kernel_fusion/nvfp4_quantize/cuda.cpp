// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "nvfp4_quantize.hpp"

namespace ridge::experiments::ch09_nvfp4_quantize {

// Why gains over the scalar baseline may exceed ten times.
constexpr auto many_small_steps =
    "the baseline loads two bytes at a time and converts each number in some fifty instructions";

ladder<workload> cuda() {
  return {
      {.name = "scalar",
       .is = role::baseline,
       .idea = "a thread a block, an element at a time, by the conversion function of cuda_fp4.h",
       .run = enqueues(launch_scalar),
       .explanation = "elements are scaled and compared in fp32; only what is stored is narrow"},
      {.name = "vectors",
       .idea = "the same function; 16 bytes a load, 8 a store",
       .run = enqueues(launch_vectors),
       .needs = {.compute_capability = {8, 9}},
       .explanation = many_small_steps},
      {.name = "comparisons",
       .idea = "a code is the number of halfway points below the magnitude: seven comparisons",
       .run = enqueues(launch_comparisons),
       .needs = {.compute_capability = {8, 9}},
       .explanation = many_small_steps},
      {.name = "saturating",
       .idea = "three saturating multiply-adds cut the magnitude, three additions round it: no comparison",
       .run = enqueues(launch_saturating),
       .needs = {.compute_capability = {8, 9}},
       .explanation = many_small_steps},
  };
}

}  // namespace ridge::experiments::ch09_nvfp4_quantize
