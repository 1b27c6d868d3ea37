// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace ridge::backends::probe_cuda {

// Attention of one query of each sequence over cached keys and values of bf16. The query heads of one key
// head (heads / kv_heads, at most 16) share what is read. Split over the context where sequences and key
// heads alone do not fill the GPU (T. Dao et al., "Flash-Decoding for long-context inference", 2023).
struct decode_call {
  int heads = 0, kv_heads = 0;
  int head_dim = 0;  // 64 or 128
  int sequences = 0;
  int context = 0;           // tokens of each sequence, a multiple of 16
  const void* q = nullptr;   // [sequences][heads][head_dim]
  const void* k = nullptr;   // [sequences][context][kv_heads][head_dim]
  const void* v = nullptr;   // the same
  void* output = nullptr;    // as q
  float* partial = nullptr;  // partial_floats(), where splits is above 1
  int splits = 1;            // of the context

  // The parts that a GPU of so many multiprocessors is given.
  [[nodiscard]] int splits_for(int processors) const;
  [[nodiscard]] std::int64_t partial_floats() const;
};

// Enqueues it. Throws as gpu::check does. Compute capability 8.0.
void launch_decode(const decode_call& call, cudaStream_t stream);

}  // namespace ridge::backends::probe_cuda
