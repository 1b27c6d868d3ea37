// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ridge/probe/prober.hpp>

#include "allocation/device_memory.hpp"
#include "gpu_bench.hpp"
#include "memory/stream_kernels.cuh"
#include "timing/best_rate.hpp"

namespace ridge::backends::probe_cuda {

// Three arrays in device memory that kernels stream through, made when first asked for so large: two of
// random floats and one to write. The most is 8 GiB each, an eighth of what is free where that is less.
class stream_bench final {
 public:
  explicit stream_bench(gpu_bench& bench) : on_(bench) {}

  [[nodiscard]] gpu_bench& gpu() const { return on_; }
  // Of so many bytes at most.
  [[nodiscard]] stream_arrays arrays(std::size_t most_bytes);
  // The variants that this GPU can run, as many as the depth is worth; each was verified on the arrays.
  [[nodiscard]] std::vector<trial> trials(traffic kind, const stream_arrays& arrays, probe::depth depth);
  // The one of that name, on arrays of another size.
  [[nodiscard]] trial trial_of(traffic kind, const stream_arrays& arrays, const std::string& variant);
  // Sets what is read to zeros, or back to random digits.
  void set_zeros();
  void set_random();
  // Gives the memory back, for a probe that wants it all.
  void release();

 private:
  gpu_bench& on_;
  std::size_t asked_ = 0, bytes_ = 0;
  std::unique_ptr<device_memory> a_{}, b_{}, to_{}, sums_{}, scratch_{};
};

}  // namespace ridge::backends::probe_cuda
