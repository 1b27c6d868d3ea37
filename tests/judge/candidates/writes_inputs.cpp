// SPDX-License-Identifier: Apache-2.0
// Makes the inputs writable, or tries to, and changes them.
#include <sys/mman.h>

#include <cstdint>

#include "arrays.hpp"

int ridge_candidate(const ridge_problem* problem, void*) {
  const chain_arrays here(problem);
  here.compute();
  if (here.n == 0) return 0;
  const auto page = reinterpret_cast<std::uintptr_t>(here.source) & ~std::uintptr_t{4095};
  mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE);
  *const_cast<volatile float*>(here.source) = 0;
  return 0;
}
