// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ridge/trace/op_model.hpp>

namespace ridge::trace {

// The block of an output that one thread block makes, as kernels' names tell it.
struct tile_size {
  std::int64_t m = 0, n = 0, k = 0;  // k 0: not told
  std::int64_t splits = 1;           // parts of k that different blocks sum (GSU, split-K)
  bool swapped = false;              // the name counts columns first (Tensile, rocBLAS: column-major)
};

// "..._MT256x128x64_..._GSU2_...", "..._tilesize256x128x64_...", "..._bt128x128x32", "..._128x128_ldg8_...",
// "cutlass_..._256x128_32x3_nn". nullopt: the name tells none.
[[nodiscard]] std::optional<tile_size> tile_of(std::string_view kernel);

// How the tiles of a product fill a device. One tile a multiprocessor at a time is assumed.
struct tile_estimate {
  tile_size tile{};
  bool assumed = false;    // no tile in the name: 128 x 128 without split
  std::int64_t tiles = 0;  // with batch and splits
  int sms = 0;
  double waves = 0;          // tiles / sms
  double wave_share = 0;     // useful part of the waves: waves / ceil(waves)
  double padding_share = 0;  // useful part of the tiles: m n / (padded m padded n)

  // Fewer tiles than multiprocessors: part of the device has nothing to do.
  [[nodiscard]] bool few() const { return sms > 0 && tiles > 0 && tiles < sms; }
};

// sms 0: not known, the waves are 0 then. nullopt: the shape is not known.
[[nodiscard]] std::optional<tile_estimate> tiles_of(const gemm_shape& shape, std::optional<tile_size> tile,
                                                    int sms);

// Whether a product's dimensions suit matrix units: rows of 16 bytes (NVIDIA, Matrix Multiplication
// Background User's Guide: 8 elements of 2 bytes, 16 of 1, 4 of 4).
struct alignment {
  std::int64_t aligned_to = 0;  // the largest power of two that divides n, k and m; at most 256
  std::int64_t wanted = 0;      // elements of 16 bytes
  bool aligned = false;         // n and k are multiples of `wanted`
  gemm_shape padded{};          // the same with all dimensions rounded up to `wanted`
};

[[nodiscard]] alignment alignment_of(const gemm_shape& shape, number_type type);

}  // namespace ridge::trace
