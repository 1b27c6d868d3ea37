// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "bank_conflicts.hpp"

namespace ridge::experiments::ch06_bank_conflicts {

// Why gains exceed ten times where passes are many.
constexpr auto one_bank =
    "all lanes of the baseline read one of 32 banks, which takes them one after the other";

ladder<workload> cuda() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "rows are 32 words apart: a column lies in one bank",
       .run = enqueues(launch_strided)},
      {.name = "padded",
       .idea = "rows are 33 words apart: a column lies in 32 banks",
       .run = enqueues(launch_padded),
       .explanation = one_bank},
      {.name = "swizzled",
       .idea = "column XOR row: the same without the words between rows",
       .run = enqueues(launch_swizzled),
       .explanation = one_bank},
      {.name = "swizzled_vectors",
       .idea = "groups of four columns are exchanged, and stored by 16 bytes",
       .run = enqueues(launch_swizzled_vectors),
       .explanation = one_bank},
  };
}

}  // namespace ridge::experiments::ch06_bank_conflicts
