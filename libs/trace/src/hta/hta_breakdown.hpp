// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hta/hta_rows.hpp"

// The figures of HTA's breakdown_analysis.py and communication_analysis.py.
namespace ridge::trace {

// Returns the ranges sorted by start and merged: a new range begins where a start lies beyond all ends before
// it. Ranges may end before they start.
[[nodiscard]] std::vector<time_range> hta_merged(std::vector<time_range> ranges);
[[nodiscard]] std::vector<time_range> hta_merged(const hta_rows& rows,
                                                 std::optional<hta_kernel_type> only = {});

// Returns the sum of the ranges' lengths; one that ends before it starts counts as negative.
[[nodiscard]] nanoseconds hta_length(std::span<const time_range> ranges);

[[nodiscard]] hta_temporal_breakdown hta_temporal(const hta_rows& rows);
[[nodiscard]] std::optional<double> hta_overlap_percent(const hta_rows& rows);
[[nodiscard]] std::vector<hta_type_time> hta_types(const hta_rows& rows, const hta_options& options);
[[nodiscard]] std::vector<hta_kernel_time> hta_kernels(const trace& t, const hta_rows& rows,
                                                       const hta_options& options);

}  // namespace ridge::trace
