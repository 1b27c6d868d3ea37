// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/model/measured_series.hpp>

namespace ridge::app_serve {

// Returns the points that a chart of so many columns can show: of each of `buckets` runs of neighbours
// (equally many, but for one) that with the least and that with the greatest median, in their order. All
// where there are no more than twice as many as buckets; the first and the last are always among them.
[[nodiscard]] std::vector<model::measured_point> thinned(std::vector<model::measured_point> points,
                                                         std::size_t buckets);

}  // namespace ridge::app_serve
