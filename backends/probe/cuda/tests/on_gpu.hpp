// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>

namespace ridge::backends::probe_cuda {

// A fixture for tests of kernels, which are skipped where there is no GPU.
class on_gpu : public testing::Test {
 protected:
  void SetUp() override {
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) GTEST_SKIP() << "CUDA sees no GPU";
    (void)cudaDeviceGetAttribute(&major_, cudaDevAttrComputeCapabilityMajor, 0);
  }
  template <class T>
  static std::vector<T> read(const void* array, std::size_t count) {
    std::vector<T> found(count);
    gpu::check(cudaMemcpy(found.data(), array, count * sizeof(T), cudaMemcpyDeviceToHost),
               "cudaMemcpy of a test");
    return found;
  }
  int major_ = 0;
};

}  // namespace ridge::backends::probe_cuda
