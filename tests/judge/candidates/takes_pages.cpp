// SPDX-License-Identifier: Apache-2.0
// Asks the kernel to take the pages of the results from every process that maps them: each advice must be
// refused.
#include <sys/mman.h>

#include <cstdint>
#include <initializer_list>

#include "arrays.hpp"

int ridge_candidate(const ridge_problem* problem, void*) {
  const chain_arrays here(problem);
  here.compute();
  const auto page = reinterpret_cast<std::uintptr_t>(here.target) & ~std::uintptr_t{4095};
  constexpr int remove = 9, page_out = 21;
  for (const int advice : {remove, page_out}) {
    if (here.n > 0 && madvise(reinterpret_cast<void*>(page), 4096, advice) == 0) return 5;
  }
  return 0;
}
