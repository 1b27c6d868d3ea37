// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/tiles.hpp>

namespace ridge::trace {

std::optional<tile_size> tile_of(std::string_view) { return std::nullopt; }

std::optional<tile_estimate> tiles_of(const gemm_shape&, std::optional<tile_size>, int) {
  return std::nullopt;
}

alignment alignment_of(const gemm_shape&, number_type) { return {}; }

}  // namespace ridge::trace
