// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/host/pages.hpp>

namespace ridge::cpu {

// A row-major matrix whose last element is the last byte before an unmapped page.
class matrix {
 public:
  matrix(std::int64_t rows, std::int64_t columns, std::int64_t stride)
      : rows_(rows),
        columns_(columns),
        stride_(stride),
        memory_(rows == 0 ? 0 : static_cast<std::size_t>((rows - 1) * stride + columns) * sizeof(float), 4) {}

  // Values of 24 bits in [-1, 1) from a linear congruential sequence.
  matrix& fill(std::uint64_t seed) {
    for (auto& x : memory_.as<float>()) {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      x = static_cast<float>(static_cast<std::int32_t>(seed >> 40) - (1 << 23)) / (1 << 23);
    }
    return *this;
  }
  matrix& fill_all(float value) {
    for (auto& x : memory_.as<float>()) x = value;
    return *this;
  }

  [[nodiscard]] float* data() const { return memory_.as<float>().data(); }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] float at(std::int64_t i, std::int64_t j) const { return data()[i * stride_ + j]; }
  [[nodiscard]] bool damaged() const { return memory_.damage().has_value(); }
  // Whether what lies between the rows still has the value.
  [[nodiscard]] bool gaps_hold(float value) const {
    for (std::int64_t i = 0; i + 1 < rows_; ++i) {
      for (std::int64_t j = columns_; j < stride_; ++j) {
        if (at(i, j) != value) return false;
      }
    }
    return true;
  }

 private:
  std::int64_t rows_, columns_, stride_;
  host::guarded_region memory_;
};

}  // namespace ridge::cpu
