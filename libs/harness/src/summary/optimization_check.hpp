// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/plan.hpp>
#include <ridge/model/comparison.hpp>

namespace ridge::harness {

// "optimization": whether the objects that hold both variants and the experiment were compiled with
// optimization and without a sanitizer. It fails where one was not, or warns where `unoptimized` asks for
// judgement all the same; its text names the variant and its source.
[[nodiscard]] model::check optimization_check(const experiment::definition& definition, std::size_t reference,
                                              std::size_t candidate, unoptimized_code unoptimized);

}  // namespace ridge::harness
