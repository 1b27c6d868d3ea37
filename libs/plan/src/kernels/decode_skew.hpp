// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::kernels {

// What decoding sequences of unequal contexts cost beyond equal ones of the same mean: a share of the way
// from the time at the mean to the time at the longest, measured (skew.csv: t_mean_us, t_max_us, t_skew_us)
// by the prompt's tokens, the sequences, how far the longest stands out and how long the mean is.
class decode_skew {
 public:
  [[nodiscard]] static result<decode_skew> read(const std::filesystem::path& file);

  struct batch {
    double chunk = 0, decodes = 0, mean = 0, longest = 0;
  };
  [[nodiscard]] double share(const batch& of) const;
  [[nodiscard]] bool empty() const { return chunks_.empty(); }

 private:
  // Σ (t_skew - t_mean) over Σ (t_max - t_mean): many small differences do not outvote a large one.
  struct sums {
    double above_mean = 0, to_longest = 0;
  };
  using cell = std::array<std::size_t, 4>;
  [[nodiscard]] cell cell_of(const batch& of) const;

  std::vector<double> chunks_{}, decodes_{};
  std::map<cell, sums> cells_{};
};

// Whether the profile says that it holds such measurements: skew.csv, and no "enabled: false" of skew in the
// meta.yaml beside it or above it.
[[nodiscard]] bool declares_skew(const std::filesystem::path& folder);

}  // namespace ridge::plan::kernels
