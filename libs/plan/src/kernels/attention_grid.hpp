// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <ridge/base/result.hpp>

#include "attention_points.hpp"

namespace ridge::plan::kernels {

// Seconds of the attention of one layer by (tokens of a prompt, its tokens in the cache, decoding sequences,
// tokens in the cache of each), linear between the points of each axis, between prompts in their query-key
// pairs: decode attention is linear in the context that it reads, so any other interpolation would be biased.
class attention_grid {
 public:
  // Reads attention.csv; what was not measured is filled in (attention_points.hpp).
  [[nodiscard]] static result<attention_grid> read(const std::filesystem::path& file);

  struct point {
    double chunk = 0, chunk_context = 0, decodes = 0, decode_context = 0;
  };
  [[nodiscard]] double seconds(const point& position) const;
  // Seconds of a prompt without decoding sequences.
  [[nodiscard]] double prompt_s(double chunk, double context) const {
    return seconds({chunk, context, 0, 0});
  }
  // The next point on the axis of decode contexts, where the slope of the seconds changes; infinite beyond
  // the last.
  [[nodiscard]] double next_bend(double decode_context) const;
  [[nodiscard]] double smallest_chunk() const;
  // The kinds of steps of which points were filled in.
  [[nodiscard]] const std::vector<filled_points>& filled() const { return filled_; }

 private:
  [[nodiscard]] double decodes_s(const point& position, std::size_t chunk, std::size_t context) const;

  attention_points points_{};
  std::vector<filled_points> filled_{};
};

}  // namespace ridge::plan::kernels
