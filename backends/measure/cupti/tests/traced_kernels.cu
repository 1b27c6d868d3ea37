// SPDX-License-Identifier: Apache-2.0
#include "traced_kernels.hpp"

#include <ridge/gpu/check.hpp>

namespace ridge::backends::measure_cupti {
namespace {

template <int By>
__global__ void scale(float* values) {
  values[blockIdx.x * 128 + threadIdx.x] *= By;
}

}  // namespace

void launch_scale(float* values, unsigned blocks, cudaStream_t stream) {
  scale<2><<<blocks, 128, 0, stream>>>(values);
  gpu::check_launch("scale");
}

}  // namespace ridge::backends::measure_cupti
