// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/model/run.hpp>

#include "page_markup.hpp"

namespace ridge::report {

// Writes the problems of one experiment on one backend: the table of variants, comparisons, plots and checks
// of each.
void write_experiment(page_markup& page, const model::run& run,
                      std::span<const model::family* const> problems, const std::string& prefix);

// Writes what the run was made under: machine, settings, findings of the audit and measured ceilings.
void write_environment(page_markup& page, const model::run& run);

}  // namespace ridge::report
