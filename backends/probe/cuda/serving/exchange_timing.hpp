// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/stream.hpp>
#include <ridge/model/kernel_call.hpp>
#include <ridge/probe/kernel_timer.hpp>
#include <ridge/vendor/nccl.hpp>

namespace ridge::backends::probe_cuda {

// Times NCCL's collectives among the GPUs of this machine, from one thread. Makes the ranks of each number
// when they are first asked for. The current device is the first GPU again after every call.
class exchange_bench final {
 public:
  // `first`: the GPU of rank 0, `gpus`: how many CUDA sees.
  exchange_bench(int first, int gpus) : first_(first), gpus_(gpus) {}

  // The median time of one collective, in graphs of many, on the clock of rank 0's GPU. Throws unavailable
  // without NCCL or with too few GPUs, failure where a call fails.
  [[nodiscard]] probe::kernel_timing time(const model::kernel_call& call);

 private:
  struct rank {
    int gpu = 0;
    std::optional<gpu::stream> stream{};
    gpu::device_memory input{}, output{};
  };
  struct group {
    std::vector<rank> ranks{};
    std::unique_ptr<vendor::nccl_ranks> nccl{};
  };
  group& group_of(int ranks);
  rank made_rank(int gpu) const;

  int first_, gpus_;
  std::map<int, group> groups_{};
};

}  // namespace ridge::backends::probe_cuda
