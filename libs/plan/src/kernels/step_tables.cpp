// SPDX-License-Identifier: Apache-2.0
#include "step_tables.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "as_real.hpp"

namespace ridge::plan::kernels {
namespace {

std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }

// Segment i is [2^(i-1), 2^i); segment 0 is [0, 1).
std::size_t octave_of(std::int64_t whole) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(whole)));
}
double octave_start(std::size_t octave) { return octave == 0 ? 0 : as_real(std::int64_t{1} << (octave - 1)); }

}  // namespace

std::vector<std::int64_t> knots_up_to(std::int64_t last) {
  std::vector<std::int64_t> at;
  for (std::int64_t x = 0; x < last;) {
    at.push_back(x);
    x += x < 128 ? 1 : x < 512 ? 16 : x < 2048 ? 64 : x < 8192 ? 256 : 1024;
  }
  at.push_back(std::max<std::int64_t>(last, 1));
  return at;
}

dense_curve::dense_curve(std::int64_t up_to, const std::function<double(std::int64_t)>& value) {
  const auto knots = knots_up_to(up_to);
  values_.assign(place(knots.back()) + 1, 0);
  double before = value(knots.front());
  values_[place(knots.front())] = before;
  for (std::size_t i = 1; i < knots.size(); ++i) {
    const auto from = knots[i - 1], to = knots[i];
    const double here = value(to);
    for (auto x = from + 1; x <= to; ++x)
      values_[place(x)] = before + (here - before) * as_real(x - from) / as_real(to - from);
    before = here;
  }
}

double dense_curve::outside(std::int64_t x) const {
  if (x < 0) return values_.front();
  const auto last = static_cast<std::int64_t>(values_.size()) - 1;
  const double slope = values_[place(last)] - values_[place(last - 1)];
  return values_[place(last)] + slope * as_real(x - last);
}

decode_surface::decode_surface(std::int64_t max_sequences, std::int64_t max_context, const function& value)
    : segments_(octave_of(std::max<std::int64_t>(max_context, 2) - 1) + 1),
      max_sequences_(std::max<std::int64_t>(max_sequences, 1)) {
  pieces_.resize(place(max_sequences_ + 1) * segments_);
  std::vector<dense_curve> at_knot;
  for (std::size_t s = 0; s <= segments_; ++s)
    at_knot.emplace_back(max_sequences_, [&](std::int64_t b) { return value(b, octave_start(s)); });
  for (std::int64_t b = 1; b <= max_sequences_; ++b) {
    for (std::size_t s = 0; s < segments_; ++s) {
      const double from = octave_start(s) * as_real(b), to = octave_start(s + 1) * as_real(b);
      const double low = at_knot[s].at(b), slope = (at_knot[s + 1].at(b) - low) / (to - from);
      pieces_[place(b) * segments_ + s] = {low - slope * from, slope};
    }
  }
}

std::size_t decode_surface::segment_of(std::int64_t sequences, std::int64_t context) const {
  return std::min(octave_of(context / sequences), segments_ - 1);
}

const decode_surface::piece& decode_surface::of(std::int64_t sequences, std::size_t segment) const {
  return pieces_[place(std::min(sequences, max_sequences_)) * segments_ + segment];
}

serve::decode_line decode_surface::line(std::int64_t sequences, std::int64_t context) const {
  if (sequences <= 0 || segments_ == 0) return {0, 0, std::numeric_limits<std::int64_t>::max()};
  const auto segment = segment_of(sequences, context);
  const auto& p = of(sequences, segment);
  const bool last = segment + 1 == segments_;
  // More sequences than tabulated cost in proportion to the largest number.
  const double more = sequences > max_sequences_ ? as_real(sequences) / as_real(max_sequences_) : 1;
  const auto end = last ? std::numeric_limits<std::int64_t>::max()
                        : static_cast<std::int64_t>(octave_start(segment + 1)) * sequences - 1;
  return {p.base_s * more, p.per_context_s, end};
}

double decode_surface::at(std::int64_t sequences, std::int64_t context) const {
  if (sequences <= 0 || segments_ == 0) return 0;
  const auto& p = of(sequences, segment_of(sequences, context));
  const double more = sequences > max_sequences_ ? as_real(sequences) / as_real(max_sequences_) : 1;
  return p.base_s * more + p.per_context_s * as_real(context);
}

prefill_surface::prefill_surface(std::int64_t max_tokens, std::int64_t max_context, const function& value)
    : columns_(octave_of(std::max<std::int64_t>(max_context, 2) - 1) + 2),
      rows_(octave_of(std::max<std::int64_t>(max_tokens, 2) - 1) + 2) {
  values_.resize(rows_ * columns_);
  for (std::size_t r = 1; r < rows_; ++r)
    for (std::size_t c = 0; c < columns_; ++c)
      values_[r * columns_ + c] =
          value(static_cast<std::int64_t>(octave_start(r)), std::max(octave_start(c), 0.5));
}

double prefill_surface::at(std::int64_t tokens, double pairs) const {
  if (tokens <= 0 || rows_ == 0) return 0;
  const double mean = pairs / as_real(tokens);
  const auto r = std::min(octave_of(tokens), rows_ - 2),
             c = std::min(octave_of(static_cast<std::int64_t>(mean)), columns_ - 2);
  const double y = (as_real(tokens) - octave_start(r)) / (octave_start(r + 1) - octave_start(r));
  const double x = (mean - octave_start(c)) / (octave_start(c + 1) - octave_start(c));
  const double* low = &values_[r * columns_ + c];
  const double* high = low + columns_;
  return (low[0] * (1 - x) + low[1] * x) * (1 - y) + (high[0] * (1 - x) + high[1] * x) * y;
}

}  // namespace ridge::plan::kernels
