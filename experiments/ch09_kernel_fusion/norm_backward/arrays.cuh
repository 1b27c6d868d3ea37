// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "norm_backward.hpp"

namespace ridge::experiments::ch09_norm_backward {

// The workload as kernels see it; x, dy and dx are bf16.
struct arrays {
  const std::uint16_t *x, *dy;
  const float *weight, *mean, *inverse;
  std::uint16_t* dx;
  float *dweight, *dbias;
  unsigned rows, columns;
};

inline arrays arrays_of(const workload& w) {
  return {reinterpret_cast<const std::uint16_t*>(w.x.data()),
          reinterpret_cast<const std::uint16_t*>(w.dy.data()),
          w.weight.data(),
          w.mean.data(),
          w.inverse.data(),
          reinterpret_cast<std::uint16_t*>(w.dx.data()),
          w.dweight.data(),
          w.dbias.data(),
          static_cast<unsigned>(w.rows),
          static_cast<unsigned>(w.columns)};
}

}  // namespace ridge::experiments::ch09_norm_backward
