// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::kernels {

// Values for 0..size - 1, linear between knots and along the last slope beyond them.
class dense_curve {
 public:
  dense_curve() = default;
  dense_curve(std::int64_t up_to, const std::function<double(std::int64_t)>& value);
  [[nodiscard]] double at(std::int64_t x) const {
    const auto place = static_cast<std::size_t>(x);
    return place < values_.size() ? values_[place] : outside(x);
  }

 private:
  [[nodiscard]] double outside(std::int64_t x) const;
  std::vector<double> values_{0.0, 0.0};
};

// Sizes at which curves are computed: dense where kernels change most, then increasingly sparse.
[[nodiscard]] std::vector<std::int64_t> knots_up_to(std::int64_t last);

// Seconds of decode attention by number of sequences and mean context: for each number of sequences, linear
// in the sum of contexts between powers of two of the mean.
class decode_surface {
 public:
  decode_surface() = default;
  using function = std::function<double(std::int64_t sequences, double mean_context)>;
  decode_surface(std::int64_t max_sequences, std::int64_t max_context, const function& value);
  [[nodiscard]] serve::decode_line line(std::int64_t sequences, std::int64_t context) const;
  [[nodiscard]] double at(std::int64_t sequences, std::int64_t context) const;

 private:
  struct piece {
    double base_s = 0, per_context_s = 0;
  };
  [[nodiscard]] const piece& of(std::int64_t sequences, std::size_t segment) const;
  [[nodiscard]] std::size_t segment_of(std::int64_t sequences, std::int64_t context) const;
  std::vector<piece> pieces_{};
  std::size_t segments_ = 0;
  std::int64_t max_sequences_ = 0;
};

// Seconds of prefill attention by tokens and mean context per token: bilinear between powers of two.
class prefill_surface {
 public:
  prefill_surface() = default;
  using function = std::function<double(std::int64_t tokens, double mean_context)>;
  prefill_surface(std::int64_t max_tokens, std::int64_t max_context, const function& value);
  [[nodiscard]] double at(std::int64_t tokens, double pairs) const;

 private:
  std::vector<double> values_{};
  std::size_t columns_ = 0, rows_ = 0;
};

}  // namespace ridge::plan::kernels
