// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/cluster_sizing.hpp>

namespace ridge::plan {

// Cuts two distributions of lengths, as serve::parse_lengths() reads them, into classes of equal weight at
// their quantiles. Prompts and answers are independent; a fixed length gives one class. The error is
// parse_lengths()'s.
[[nodiscard]] result<std::vector<length_class>> length_classes_of(std::string_view input,
                                                                  std::string_view output);

}  // namespace ridge::plan
