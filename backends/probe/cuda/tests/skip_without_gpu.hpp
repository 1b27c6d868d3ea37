// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace ridge::backends::probe_cuda {

inline bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

#define RIDGE_SKIP_WITHOUT_GPU() \
  if (!has_gpu()) GTEST_SKIP() << "CUDA sees no GPU"

}  // namespace ridge::backends::probe_cuda
