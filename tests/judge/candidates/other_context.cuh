// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include "steps.cuh"

static CUcontext other_context = nullptr, first_context = nullptr;
static cudaStream_t other_stream = nullptr;

// The function of the driver by this name, as it was in this version of CUDA.
template <class F>
static F* driver_function(const char* name, unsigned version) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult seen{};
  cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &seen);
  return reinterpret_cast<F*>(found);
}

static void use_context(CUcontext which) {
  static auto* use = driver_function<CUresult(CUcontext)>("cuCtxSetCurrent", 11000);
  use(which);
}

// Makes a context beside the first one, with a stream; returns 0, or what failed.
static int make_other_context() {
  auto* current = driver_function<CUresult(CUcontext*)>("cuCtxGetCurrent", 11000);
  auto* create = driver_function<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate", 11000);
  if (current == nullptr || create == nullptr) return 1;
  current(&first_context);
  if (const auto code = create(&other_context, 0, 0); code != CUDA_SUCCESS) return 1000 + code;
  const auto made = cudaStreamCreateWithFlags(&other_stream, cudaStreamNonBlocking);
  use_context(first_context);
  return made == cudaSuccess ? 0 : 2000 + made;
}

// Computes so long, in clock ticks, before it ends.
__device__ inline void spin(long long ticks) {
  const long long begun = clock64();
  while (clock64() - begun < ticks) {
  }
}
