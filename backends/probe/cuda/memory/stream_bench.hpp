// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ridge/gpu/memory.hpp>
#include <ridge/probe/prober.hpp>

#include "gpu_bench.hpp"
#include "memory/stream_kernels.cuh"
#include "timing/best_rate.hpp"

namespace ridge::backends::probe_cuda {

// Three arrays in device memory that kernels stream through, two of random floats and one to write. They are
// allocated on the first request for their size, with at most 8 GiB each and at most an eighth of the free
// memory.
class stream_bench final {
 public:
  explicit stream_bench(gpu_bench& bench) : bench_(bench) {}

  // The device.
  [[nodiscard]] gpu_bench& gpu() const { return bench_; }
  // The arrays with at most `most_bytes` each.
  [[nodiscard]] stream_arrays arrays(std::size_t most_bytes);
  // The variants of `kind` that this GPU can run, as many as `depth` asks for; each is verified on the arrays
  // first.
  [[nodiscard]] std::vector<trial> trials(traffic kind, const stream_arrays& arrays, probe::depth depth);
  // The variant of that name on arrays of another size. Throws failure where there is none.
  [[nodiscard]] trial trial_of(traffic kind, const stream_arrays& arrays, const std::string& variant);
  // Fills the arrays that are read with zeros, or again with random numbers.
  void set_zeros();
  void set_random();
  // Frees the memory, for a probe that needs all of it.
  void release();

 private:
  gpu_bench& bench_;
  std::size_t asked_ = 0, bytes_ = 0;
  gpu::device_memory a_{}, b_{}, target_{}, sums_{}, scratch_{};
};

}  // namespace ridge::backends::probe_cuda
