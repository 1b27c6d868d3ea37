// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ridge/trace/op_model.hpp>

namespace ridge::trace {

// The block of an output that one thread block computes, as kernels' names give it.
struct tile_size {
  std::int64_t m = 0, n = 0, k = 0;  // k 0: not given
  std::int64_t splits = 1;           // number of parts of k that different blocks sum (GSU, split-K)
  bool swapped = false;              // the name counts columns first (Tensile, rocBLAS: column-major)
};

// Returns the tile that a kernel's name gives: "..._MT256x128x64_..._GSU2_...", "..._tilesize256x128x64_...",
// "..._bt128x128x32", "..._128x128_ldg8_...", "cutlass_..._256x128_32x3_nn". nullopt: the name gives none.
[[nodiscard]] std::optional<tile_size> tile_of(std::string_view kernel);

// How the tiles of a product fill a device, assuming one tile per multiprocessor at a time.
struct tile_estimate {
  tile_size tile{};
  bool assumed = false;    // the name gives no tile: 128 x 128 without split is assumed
  std::int64_t tiles = 0;  // all tiles, with batch and splits
  int sms = 0;
  double waves = 0;          // tiles / sms
  double wave_share = 0;     // useful part of the waves: waves / ceil(waves)
  double padding_share = 0;  // useful part of the tiles: m n / (padded m padded n)

  // Whether there are fewer tiles than multiprocessors, so that part of the device stays idle.
  [[nodiscard]] bool few() const { return sms > 0 && tiles > 0 && tiles < sms; }
};

// Returns how the tiles of a product fill a device of `sms` multiprocessors. Where `sms` is 0 (not known) the
// waves are 0. nullopt: the shape is not known.
[[nodiscard]] std::optional<tile_estimate> tiles_of(const gemm_shape& shape, std::optional<tile_size> tile,
                                                    int sms);

// Whether a product's dimensions suit matrix units, which want rows in multiples of 16 bytes: 8 elements of 2
// bytes, 16 of 1, 4 of 4 (NVIDIA, Matrix Multiplication Background User's Guide).
struct alignment {
  std::int64_t aligned_to = 0;  // the largest power of two that divides n, k and m; at most 256
  std::int64_t wanted = 0;      // number of elements in 16 bytes
  bool aligned = false;         // n and k are multiples of `wanted`
  gemm_shape padded{};          // the shape with all dimensions rounded up to `wanted`
};

// Returns the alignment of a product whose operands are of `type`.
[[nodiscard]] alignment alignment_of(const gemm_shape& shape, number_type type);

}  // namespace ridge::trace
