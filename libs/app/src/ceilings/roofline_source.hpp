// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// Returns the run that a chart shows. `words` name a file written by `ridge run --save`, a stored run, or
// experiments, which are then measured shortly and not stored. Without words it is the newest stored run, or
// only the ceilings of this machine where none is stored. A stored run of the CPU alone keeps its own
// ceilings.
[[nodiscard]] result<model::run> run_to_chart(const context& program, const std::vector<std::string>& words);

// Returns the ceilings of this machine, of its GPU too where there is one, as a run without families.
[[nodiscard]] model::run ceilings_alone(const context& program);

}  // namespace ridge::app
