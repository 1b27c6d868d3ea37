// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/cluster.hpp>

namespace ridge::plan {

// Two distributions of lengths, as serve::parse_lengths() reads them, cut into classes of equal weight by
// their quantiles; prompts and answers are independent. A fixed length is one class.
[[nodiscard]] result<std::vector<length_class>> length_classes_of(std::string_view input,
                                                                  std::string_view output);

}  // namespace ridge::plan
