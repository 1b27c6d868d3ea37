// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/base/result.hpp>

struct ncclComm;

// NCCL without linking it or its header: the library is opened on the first call. Without it the functions
// throw ridge::unavailable, or ridge::failure where one of its calls fails.

namespace ridge::vendor {

// The library's name and version ("NCCL 2.28.3"), or what is missing and how to get it. Opens the library,
// but no GPU.
[[nodiscard]] result<std::string> find_nccl();

enum class nccl_collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all };

// What one rank exchanges, and the stream of its GPU on which.
struct nccl_rank {
  const void* input = nullptr;
  void* output = nullptr;
  cudaStream_t stream = nullptr;
};

// Ranks of one process, one for each GPU.
class nccl_ranks final {
 public:
  // Joins these GPUs, given by CUDA's indices, each once.
  explicit nccl_ranks(const std::vector<int>& gpus);
  // Enqueues a collective of bf16 numbers on the streams of all ranks, in the order of the GPUs. `bytes` is
  // the larger of a rank's buffers; it is divided among the ranks.
  void enqueue(nccl_collective kind, std::span<const nccl_rank> ranks, std::size_t bytes) const;

 private:
  struct destroy {
    void operator()(ncclComm* communicator) const noexcept;
  };
  std::vector<std::unique_ptr<ncclComm, destroy>> communicators_{};
};

}  // namespace ridge::vendor
