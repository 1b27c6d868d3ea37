// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/harness/session.hpp>
#include <ridge/model/comparison.hpp>
#include <ridge/model/run.hpp>

#include "summary/summarise.hpp"

namespace ridge::harness {

// Returns the variables of this process's environment that change what a library does, whatever a variant
// asks of it, in their order: those of its own names and of OpenMP. `library` is the name in a variant's
// needs; of a library that is not known here the variables of all are returned.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> settings_of_library(std::string_view library);

// Returns which vendor libraries the pair calls: of each comparator its library, threads and settings.
[[nodiscard]] std::vector<model::library_use> libraries_of(const pairing& pair, const family_evidence& e,
                                                           const model::family& f);

}  // namespace ridge::harness
