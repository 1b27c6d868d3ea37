// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::kernels {

// Additional cost of decoding sequences with unequal contexts over equal ones with the same mean: a share of
// the difference between the time at the longest context and the time at the mean, measured (skew.csv:
// t_mean_us, t_max_us, t_skew_us) by tokens of the prompt, number of sequences, ratio of the longest to the
// mean, and the mean.
class decode_skew {
 public:
  [[nodiscard]] static result<decode_skew> read(const std::filesystem::path& file);

  struct batch {
    double chunk = 0, decodes = 0, mean = 0, longest = 0;
  };
  [[nodiscard]] double share(const batch& step) const;
  [[nodiscard]] bool empty() const { return chunks_.empty(); }

 private:
  // Σ (t_skew - t_mean) / Σ (t_max - t_mean), so that many small differences do not outweigh a large one.
  struct sums {
    double above_mean = 0, to_longest = 0;
  };
  using cell = std::array<std::size_t, 4>;
  [[nodiscard]] cell cell_of(const batch& step) const;

  std::vector<double> chunks_{}, decodes_{};
  std::map<cell, sums> cells_{};
};

// Whether the profile has such measurements: skew.csv, and no "enabled: false" of skew in the
// meta.yaml beside it or above it.
[[nodiscard]] bool declares_skew(const std::filesystem::path& folder);

}  // namespace ridge::plan::kernels
