// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <ridge/model/roofline.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/table.hpp>

// How a roofline is shown. Both axes are logarithmic with decades of one length, so that bandwidths rise at
// 45 degrees. Roofs: solid where measured, dotted where specified. Kernels: shape by memory level, colour by
// problem, all of one size, hollow at the declared intensity, filled at the counted one.
namespace ridge::report {

// A drawing shows so many kernels of a chart where nothing else is said, those of the longest time: more of
// them have no room for their numbers.
inline constexpr std::size_t usual_most_kernels = 35;

// Returns the charts below each other as one SVG, light or dark as the system of the reader is. Of each chart
// it draws the `most` kernels of the longest time, and says how many it leaves out.
[[nodiscard]] std::string roofline_svg(const model::roofline& roofline,
                                       std::size_t most = usual_most_kernels);

// Returns how many kernels such a drawing leaves to the table because others take longer.
[[nodiscard]] std::size_t kernels_left_out(const model::roofline& roofline,
                                           std::size_t most = usual_most_kernels);

// Returns one chart in braille cells; kernels are shown by the marks that mark_of gives, coloured where
// `options` says so.
[[nodiscard]] std::string roofline_braille(const model::roofline_chart& chart, const options& options = {});

// Returns a table of the kernels with intensity, rate, bound, share of the roof, headroom and the next roof,
// followed by the ridge points in words; only the roofs in words where there is no kernel.
[[nodiscard]] std::string roofline_table(const model::roofline_chart& chart, const options& options = {});

// Returns a table of the steps of intensity sweeps, and what they prove.
[[nodiscard]] std::string sweep_table(const model::roofline_chart& chart, const options& options = {});

// Returns every roof, kernel and sweep step as CSV (RFC 4180), one line each.
[[nodiscard]] std::string roofline_csv(const model::roofline& roofline);

// Returns the mark of the kernel at this index: 1 to 9, a to z, then *.
[[nodiscard]] std::string mark_of(std::size_t index);

}  // namespace ridge::report
