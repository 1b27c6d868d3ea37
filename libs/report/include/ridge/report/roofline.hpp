// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <ridge/model/roofline.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/table.hpp>

// How a roofline is shown. Both axes are logarithmic with decades of one length, so that bandwidths rise at
// 45 degrees. Roofs: solid where measured, dotted where specified. Kernels: shape by memory level, colour by
// problem, area by share of time, hollow at the declared intensity, filled at the counted one.
namespace ridge::report {

// Returns the charts below each other as one SVG, light or dark as the system of the reader is.
[[nodiscard]] std::string roofline_svg(const model::roofline& roofline);

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
