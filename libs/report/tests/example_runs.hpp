// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/run.hpp>

// Runs made by hand for the golden files.
namespace ridge::report::tests {

[[nodiscard]] model::run two_variants();  // what most experiments give: a baseline, a better one, a library
[[nodiscard]] model::run
awkward();                          // NaN, refused, skipped, zero width, long names, UTF-8, phases, quantiles
[[nodiscard]] model::run ladder();  // twelve arms

}  // namespace ridge::report::tests
