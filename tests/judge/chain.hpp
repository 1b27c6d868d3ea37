// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/experiment.hpp>

namespace ridge::chain {

// The experiment that candidates are judged on: a chain of 64 steps on each element. Its variants are
// "passes", the baseline, "again", the same body, "twice", which computes everything twice, and "staged",
// which converts its inputs first. Those that count as variants of a GPU are the same bodies, and "on_two".
[[nodiscard]] experiment make();

// One whose workload changes an array in place.
[[nodiscard]] experiment make_in_place();

// The experiment of this id; throws failure where there is none.
[[nodiscard]] experiment named(const std::string& id);

}  // namespace ridge::chain
