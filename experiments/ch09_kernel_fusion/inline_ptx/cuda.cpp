// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "inline_ptx.hpp"

namespace ridge::experiments::ch09_inline_ptx {

ladder<workload> cuda() {
  const needs hopper{.compute_capability = {9, 0}};
  return {
      {.name = "conversions",
       .is = role::baseline,
       .idea = "C++: each code is shifted, masked, converted to float, and that to bf16",
       .run = enqueues(launch_conversions),
       .arithmetic = arithmetic::bf16},
      {.name = "bits",
       .idea = "C++: two codes at once become mantissa bits of bf16 numbers, from which 136 is subtracted",
       .run = enqueues(launch_bits),
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "ptx",
       .idea =
           "the same by prmt, which takes bytes apart, and lop3, which masks and joins in one instruction",
       .run = enqueues(launch_ptx),
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "ptx_prefetch",
       .idea = "the same, and prefetch.global.L2 of what blocks further on will read",
       .run = enqueues(launch_prefetch),
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "ptx_cache_operators",
       .idea = "the same, with ld.global.cs and st.global.cs: nothing is read again",
       .run = enqueues(launch_cache_operators),
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch09_inline_ptx
