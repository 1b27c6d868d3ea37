// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/roofline.hpp>

namespace ridge::probe {

// Returns which roof limits a point and how near it is, judged by all roofs of the point's level and type,
// shown or not.
[[nodiscard]] model::roofline_verdict judge(const model::roofline_point& point,
                                            const std::vector<model::roof>& roofs);

}  // namespace ridge::probe
